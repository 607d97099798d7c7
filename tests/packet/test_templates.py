from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.errors import PassdownError
from passdown.model.packet import Done, Item
from passdown.model.template import Recognised, Template, TemplateStep
from passdown.packet.checklist import checklist
from passdown.packet.templates import ORDER, Seen, built_in, find, holds, known, recognise
from passdown.rules.hold import HoldFacts, compute
from support.packets import a_packet


@pytest.mark.parametrize(
    ("seen", "name", "because"),
    [
        (Seen("make it pass", ["a.py"], 1, ["failure"]), "failing-test", "1 failing test"),
        (Seen("make it pass", ["a.py"], 5, ["failure"]), "failing-test", "5 failing tests"),
        (Seen("make it pass", ["a.py"], 40, ["failure"]), "general", "no other template fits"),
        (Seen("refactor the client", ["a.py", "b.py"], 3, []), "incomplete-refactor", 'the request says "refactor"'),
        (Seen("refactor the client", ["a.py"], 0, []), "general", "no other template fits"),
        (Seen("update the guide", ["docs/a.md", "README.md", "x.py"], 0, []), "general", "no other template fits"),
        (
            Seen("update", ["docs/a.md", "README.md", "docs/b.rst"], 0, []),
            "paused-docs",
            "3 of 3 changed files documentation",
        ),
        (Seen("go", ["a.py"], 0, ["review"]), "review-fixes", "open review items"),
        (Seen("address the review comments", ["a.py"], 1, []), "review-fixes", 'the request says "review comments"'),
        (Seen("", [], 0, []), "general", "no other template fits"),
    ],
)
def test_a_template_is_recognised_and_says_by_what(seen: Seen, name: str, because: str) -> None:
    template, why = recognise(seen)
    assert (template.name, why) == (name, because)


@pytest.mark.parametrize("name", ORDER)
def test_every_template_has_a_last_step_and_stop_conditions(name: str) -> None:
    template = built_in(name)
    assert (template.name, template.source) == (name, None)
    assert template.last.step
    assert template.stop


def test_no_two_built_in_templates_shape_alike() -> None:
    shapes = [
        (t.within, t.new_files, t.order, tuple(t.if_not.items()), t.steps, t.last, t.stop) for t in map(built_in, ORDER)
    ]
    assert len(set(shapes)) == len(ORDER)
    assert len({t.title for t in map(built_in, ORDER)}) == len(ORDER)


def test_an_unknown_template_is_named() -> None:
    with pytest.raises(PassdownError, match="no template 'nope'"):
        find("nope")


def own(name: str, **marks: object) -> Template:
    last = TemplateStep(step="show it", check="{goal}", if_not="stop")
    return Template(name=name, title=name, recognise=Recognised(**marks), last=last, source="base")


@pytest.mark.parametrize(
    ("templates", "seen", "name"),
    [
        ([own("b", changed_files=1), own("a", changed_files=1)], Seen("", ["x"], 0, []), "a"),
        ([own("hot", words=("fix",))], Seen("fix it", ["x"], 1, []), "hot"),
        ([own("hot", words=("fix",))], Seen("prefix it", ["x"], 1, []), "failing-test"),
        ([own("hot", words=("fix",), failing_tests=(0, 0))], Seen("fix it", ["x"], 1, []), "failing-test"),
        ([own("sql", paths=("migrations/",))], Seen("", ["migrations/1.sql"], 0, []), "sql"),
        ([own("rest", always=True)], Seen("", ["x"], 1, []), "failing-test"),
        ([own("rest", always=True)], Seen("", ["x"], 0, []), "rest"),
        ([own("named-only")], Seen("", ["x"], 0, []), "general"),
        ([own("failing-test", paths=("src/",))], Seen("", ["x"], 1, []), "general"),
        ([own("general", paths=("src/",))], Seen("", ["x"], 0, []), "general"),
    ],
)
def test_a_teams_own_are_tried_first_and_replace(templates: list[Template], seen: Seen, name: str) -> None:
    assert recognise(seen, templates)[0].name == name


def test_one_of_the_team_replaces_the_built_in_one_of_its_name() -> None:
    mine = own("general", words=("x",))
    assert find("general", [mine]) is mine
    assert [template.name for template in known([mine, own("a")])] == ["a", *ORDER]


ITEMS = st.lists(
    st.builds(
        Item,
        id=st.sampled_from(["F1", "Q1", "R1", "S1"]),
        kind=st.sampled_from(["failure", "question", "architecture", "review", "step"]),
        text=st.sampled_from(["t.py::test_a", "make it so", "a.py:3 does not parse"]),
        blocks=st.just("merge"),
        check=st.one_of(st.none(), st.just("tests")),
    ),
    max_size=6,
)


@given(ITEMS, st.sampled_from(ORDER), st.sampled_from([[], ["tests"]]))
def test_a_step_names_its_check_and_what_to_do_if_it_fails(items: list[Item], name: str, done: list[str]) -> None:
    sources = SimpleNamespace(checks=[], facts=None)
    steps = checklist(sources, items, [Done(check=one, class_=None) for one in done], built_in(name))
    assert all(step.check and step.if_not and "{goal}" not in step.check for step in steps)
    assert steps[-1].step == built_in(name).last.step
    assert sorted(s.item for s in steps if s.item) == sorted(i.id for i in items)


def test_each_kind_has_its_own_order_and_ways_out() -> None:
    items = [
        Item(id="F1", kind="failure", text="t.py::test_a", blocks="merge", check="tests"),
        Item(id="R1", kind="review", text="rename it", blocks="merge"),
        Item(id="R2", kind="review", text="test it", blocks="merge"),
        Item(id="S1", kind="step", text="go on", blocks="merge"),
    ]
    sources = SimpleNamespace(checks=[], facts=None)
    steps = {name: checklist(sources, items, [], built_in(name)) for name in ORDER}
    first = {name: [step.item for step in told if step.item] for name, told in steps.items()}
    assert first["review-fixes"] == ["R1", "R2", "F1", "S1"]
    assert first["paused-docs"] == ["R1", "R2", "S1", "F1"]
    assert first["failing-test"] == first["general"] == ["F1", "R1", "R2", "S1"]
    ways = {name: next(s.if_not for s in told if s.item == "F1") for name, told in steps.items()}
    assert "leave the test as it is" in ways["failing-test"]
    assert "smaller" in ways["incomplete-refactor"]


@pytest.mark.parametrize(
    ("levels", "template", "level"),
    [
        ({}, "general", "watch"),
        ({}, "review-fixes", "hold"),
        ({"architecture-question": "watch"}, "review-fixes", "watch"),
        ({"architecture-question": "hold"}, "general", "hold"),
        ({}, "a kind of another clone", "watch"),
    ],
)
def test_a_kind_makes_a_reason_graver_unless_the_policy_says_otherwise(levels, template, level) -> None:
    asked = Item(id="Q1", kind="architecture", text="one store or two?", blocks="merge")
    packet = msgspec.structs.replace(a_packet(), items=[asked])
    facts = HoldFacts(packet=packet, verdict=True, levels=levels, kind_holds=holds(template))
    assert {r.code: r.level for r in compute(facts).reasons}["architecture-question"] == level
