"""What the facts of a run say of the sandbox around it."""

from __future__ import annotations

import pytest

from passdown.guard.heartbeat import pulse, sandbox_guard
from passdown.ledger.fact import Fact


def fact(at, kind="sandbox", **data):
    return Fact(id="0" * 32, kind=kind, at=f"2026-01-01T{at}:00.000Z", data={"worktree": "w1", **data})


def began(at, state="enforcing", name="1", **more):
    return fact(at, event="began", state=state, sandbox=name, **more)


def ended(at, name="1"):
    return fact(at, event="ended", state="enforcing", sandbox=name)


def line(at, *, confined, session="s1"):
    return fact(at, "touch", session=session, **({"observed_by": "agent-side"} if confined else {}))


INSIDE, OUTSIDE = line("10:05", confined=True), line("10:06", confined=False)
AROUND = [began("09:59"), ended("11:01")]
CASES = {
    "none ran": ([], [INSIDE], None),
    "it ended before the run": ([began("09:00"), ended("09:30")], [], None),
    "it began after the run": ([began("12:00"), ended("12:30")], [], None),
    "another worktree's": ([began("10:00", worktree="w2")], [INSIDE], None),
    "around the run": (AROUND, [INSIDE], "enforcing"),
    "the run was gone on with inside": ([began("10:30"), ended("10:40")], [INSIDE], "enforcing"),
    "killed, so without an end": ([began("09:59")], [INSIDE], "enforcing"),
    "a killed one before": ([began("08:00", name="0"), began("09:59"), ended("11:01")], [INSIDE], "enforcing"),
    "a killed one before, and the run outside": ([began("08:00", name="0")], [OUTSIDE], None),
    "two at once": (
        [began("08:00", name="0"), began("09:59"), ended("11:00", "0"), ended("11:01")],
        [INSIDE],
        "enforcing",
    ),
    "two at once, before": ([began("08:00", name="0"), began("08:01"), ended("08:02", "0"), ended("08:03")], [], None),
    "no line says so": (AROUND, [], "advisory"),
    "lines of another session": (AROUND, [line("10:05", confined=True, session="s2")], "advisory"),
    "part of the run outside": (AROUND, [INSIDE, OUTSIDE], "advisory"),
    "it could not confine": ([began("09:59", "advisory")], [INSIDE], "advisory"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_sandbox_is_enforcing_only_where_the_runs_own_lines_say_so(name):
    kept, lines, state = CASES[name]
    run = ("2026-01-01T10:00:00.000Z", "2026-01-01T11:00:00.000Z")
    found = sandbox_guard(kept, pulse(lines, "s1", run[0]), "w1", *run)
    assert (found.state if found else None) == state
    assert found is None or found.state == "enforcing" or found.because


def test_what_was_opened_besides_is_said():
    found = sandbox_guard([began("09:59", write="/c /d")], pulse([INSIDE], "s1", None), "w1", None, None)
    assert found.because == "open besides: /c /d"
