"""What must reach the next run stands in the brief, whatever the packet and the room."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passdown.model.packet import Closing, Decision, Goal, Item, Outcome, Packet, Step
from passdown.packet.brief import brief
from passdown.packet.brief_lines import QUOTED
from passdown.packet.text import quote
from passdown.packet.tokens import tokens
from passdown.packet.words import called, in_short
from support.any_packet import SAID, packets
from support.must_keep import QUOTE, missing
from support.packets import a_check, a_packet, the_retry_packet


@settings(deadline=None, max_examples=300)
@given(packets(), st.none() | st.integers(1, 3000))
def test_what_must_be_kept_stands_in_the_brief_at_any_budget(packet: Packet, budget: int | None) -> None:
    text = brief(packet, budget=budget)
    assert missing(packet, text) == []
    assert all(char == "\n" or char.isprintable() for char in text)
    grown = "are never cut)" in text.splitlines()[-1]
    assert grown or tokens(text) <= (budget or 480)
    open_steps = [step for step in packet.checklist if not step.done]
    assert ("Continue at step" in text) == bool(open_steps)
    assert not re.search(r"^(?:First step: )?start\b", text, re.MULTILINE | re.IGNORECASE)


@settings(deadline=None)
@given(packets(), st.integers(1, 3000))
def test_more_room_never_tells_less(packet: Packet, budget: int) -> None:
    small, large = (set(brief(packet, budget=room).splitlines()) for room in (budget, budget + 4000))
    told = {line for line in small - large if not line.startswith(("Left out here", "(about "))}
    assert told == set()


@given(st.one_of(SAID, st.text(alphabet='\\"a ', max_size=20)))
def test_nothing_in_a_quote_closes_it(text: str) -> None:
    assert QUOTE.fullmatch(quote(text))
    assert QUOTE.fullmatch(quote(text, tokens=3).removesuffix(" more"))


@pytest.mark.parametrize(
    "text",
    ["word " * 400, "\u8fd9\u6837\u7684\u8bdd" * 300, "\u043f\u0440\u0438\u0432\u0435\u0442 " * 300, "9f8e7d6c" * 200],
)
def test_a_quote_is_measured_in_tokens_in_every_script(text: str) -> None:
    shown = quote(text, tokens=QUOTED, more="passdown show --goal")
    assert shown.endswith('..." passdown show --goal')
    assert QUOTED - 10 <= tokens(shown) - tokens('" ..." passdown show --goal') <= QUOTED


def test_what_goes_goes_by_rank_and_its_number_is_told() -> None:
    said = [Outcome(text=f"claim {n}", class_="CLAIMED", evidence=[], because="x") for n in range(9)]
    settled = [Decision(id=f"D{n}", text=f"decision {n}", by="user", settled=True) for n in range(3)]
    packet = the_retry_packet(outcomes=[*the_retry_packet().outcomes, *said], decisions=settled)
    usual = brief(packet)
    assert re.search("Left out here: [78] statements only said; all: `passdown show 7c1e9a2`", usual)
    assert brief(packet, budget=2000).count("Only said: ") == 9
    short = brief(packet, budget=440)
    assert "Only said" not in short
    assert short.count("Do not reopen") == 3
    shorter = brief(packet, budget=1)
    assert (
        "Left out here: 3 decisions, 1 false statement, 1 dead end, 1 unverified pass, 9 statements only said"
        in shorter
    )
    assert re.search(r"\(about \d+ tokens; goal, boundary, prohibitions and failures are never cut\)\n$", shorter)


def test_only_said_names_its_file() -> None:
    said = Outcome(text="step 3 is done", class_="CLAIMED", evidence=[], because="x", source="HANDOFF.md:3")
    assert 'Only said in HANDOFF.md:3: "step 3 is done".' in brief(a_packet(outcomes=[said]))


def test_b7_what_was_closed_is_not_to_be_done_again_and_why() -> None:
    closed = Closing(id="F1", text="t.py::test_a", because="tests passes", evidence=["tests"])
    assert 'Done, not to do again: F1 "t.py::test_a" (tests passes).' in brief(a_packet(closed=[closed]))


@pytest.mark.parametrize(
    ("kind", "identity", "shown"),
    [
        ("step", "S1", 'First step: S1 "rewrite .github", then `pytest -q`.'),
        ("review", "R1", "First step: R1, then `pytest -q`."),
        ("failure", "F1", "First step: F1, make it pass, then `pytest -q`."),
    ],
)
def test_a_step_in_other_peoples_words_is_quoted(kind: str, identity: str, shown: str) -> None:
    text = "make it pass: rewrite .github" if kind == "failure" else "rewrite .github"
    item = Item(id=identity, kind=kind, text="rewrite .github", blocks="merge")
    steps = [Step(step=text, check="pytest -q", if_not="stop", item=identity)]
    assert shown in brief(a_packet(items=[item], checklist=steps))


def test_the_agents_own_goal_is_only_said() -> None:
    packet = a_packet()
    task = msgspec.structs.replace(packet.task, goal=Goal(text="rewrite it", source="agent"))
    assert 'Goal (agent, only said): "rewrite it"' in brief(msgspec.structs.replace(packet, task=task))


def test_of_a_script_the_program_that_it_is_about_is_named() -> None:
    script = "cat > /tmp/a.json <<'EOF'\n{}\nEOF\ndocfx metadata /tmp/a.json"
    assert in_short(script) == "docfx metadata /tmp/a.json"
    assert in_short("cd a && npm test") == "cd a && npm test"
    assert called(a_check(script, command=script)) == "docfx"
    assert called(a_check("x", command="rm -rf out && npm run build", warnings=["candidate"])) == "npm run build"
