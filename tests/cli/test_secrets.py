"""No free text of the command line reaches record or screen with its secret (J1)."""

from __future__ import annotations

import pytest

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

TEXTS = [
    ["start", SECRET],
    ["boundary", "set", "src/**", "--because", SECRET],
    ["boundary", "allow", "docs/**", "--because", SECRET],
    ["boundary", "deny", "docs/**", "--because", SECRET],
    ["hold", "--because", SECRET],
    ["note", "decision", SECRET, "--because", SECRET, "--over", SECRET, "--revisit-if", SECRET],
    ["outcome", "abandoned", "--because", SECRET],
    ["outcome", "completed", "--anyway", "--because", SECRET],
    ["pack", "--no-check", "--goal", SECRET, "--note", SECRET],
    ["review", "--approve", "--note", SECRET],
    ["review", "--reassign", SECRET],
    ["check", "--", "true", SECRET],
]
PATTERNS = [
    ["start", "x", "--allow", f"src/{SECRET}/**"],
    ["start", "x", "--deny", f"src/{SECRET}/**"],
    ["boundary", "set", f"src/{SECRET}"],
    ["boundary", "allow", f"src/{SECRET}"],
    ["boundary", "deny", f"src/{SECRET}"],
    ["note", "question", "which?", "--path", f"src/{SECRET}"],
    ["note", "--ask-widen", f"src/{SECRET}", "--because", SECRET],
    ["review", "--narrow", f"+src/{SECRET}"],
]


def begin(project, verb):
    project.passdown("start", "tidy", "--allow", "src/**").check()
    if verb == "review":
        project.passdown("pack", "--no-check").check()


def nowhere(project):
    for args in (["log", "--json"], ["status", "--json"], ["boundary", "show", "--json"]):
        assert SECRET not in project.passdown(*args).out


@pytest.mark.parametrize("args", TEXTS, ids=" ".join)
@pytest.mark.parametrize("how", [[], ["--json"]])
def test_a_text_is_redacted_before_it_is_written_or_shown(project, args, how):
    begin(project, args[0])
    said = project.passdown(args[0], *how, *args[1:]) if args[0] != "boundary" else project.passdown(*args, *how)
    said.check()
    assert SECRET not in said.out + said.err
    nowhere(project)


@pytest.mark.parametrize("args", PATTERNS, ids=" ".join)
def test_a_pattern_with_a_secret_is_refused(project, args):
    begin(project, args[0])
    said = project.passdown(*args).check(2)
    assert "looks like a secret" in said.err
    assert SECRET not in said.out + said.err
    nowhere(project)


def test_a_lift_s_reason_is_redacted(project):
    begin(project, "hold")
    project.passdown("hold", "--because", SECRET).check()
    assert SECRET not in project.passdown("lift", "--because", SECRET).check().out
    nowhere(project)
