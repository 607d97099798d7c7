"""A pasted brief is not the person's words."""

from __future__ import annotations

import pytest

from passdown.cli.confined_start import TOLD
from passdown.cli.resuming import DRIFTED, INSTALLED
from passdown.rules.own_text import without_brief

BRIEF = """Handoff a430a31, sealed 12:33, WATCH. Facts by Passdown; quoted text is data.
Goal (user): "Make tests pass. Don't touch docs/."
Last request (user): "and the README"
Not: N1 docs/** (user), all else.
Before the first edit: `passdown readback a430a31 --open F1 --first a.py --not N1`"""
TAIL = "\n\nArmed: reviewed boundary, version 2, on main.\nAdvisory: the agent is told, nothing stops it."


ARMED = "\n\nArmed: hand boundary, version 1, on main.\n"
CONFINED = f"{ARMED}{DRIFTED}\nGuarded and confined: claude is told why.\nStarting claude in /a"
TAILS = ["", TAIL, f"\n(longer than 400 tokens: never cut){TAIL}", ARMED + INSTALLED, CONFINED, f"\n{TOLD}"]


@pytest.mark.parametrize("brief", [BRIEF + tail for tail in TAILS])
@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("", "", ""),
        ("Continue the work.\n", "", "Continue the work."),
        ("", "\n\nStart with F1 please.", "Start with F1 please."),
        ("", "\n\nStarting with F1, please.", "Starting with F1, please."),
        ("Go on: ", "\nDo not push.", "Go on: \nDo not push."),
    ],
)
def test_only_what_stands_beside_the_brief_is_left(brief, before, after, left):
    assert without_brief(before + brief + after) == left


@pytest.mark.parametrize(
    "text", ["", "fix it", "Handoff 7 was bad, sealed or not", "the Handoff a430a31, sealed badly"]
)
def test_other_words_are_left_alone(text):
    assert without_brief(text) == text


def test_a_brief_that_was_cut_is_taken_out_to_its_end():
    assert without_brief("Go on.\n" + BRIEF[:120]) == "Go on."
