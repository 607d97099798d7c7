from __future__ import annotations

import pytest

from passdown.errors import PassdownError
from passdown.packet.templates import ORDER, Seen, built_in, find, recognise


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
