"""Where each reason begins and ends: one step below its limit, at it, and where a policy or a person says otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from passdown.checks.policy_file import HOLD_REASONS
from passdown.model.boundary import Boundary, Entry
from passdown.model.event import Lifted
from passdown.model.packet import FileChange, Goal, Item, Outcome, Packet, RunEnd, Step
from passdown.model.policy import HoldLimits
from passdown.rules.hold import Drift, HoldFacts, Replan, compute
from passdown.rules.hold_table import CODES
from support.packets import a_check, a_packet

PACKET = a_packet()


def say(packet: Packet = PACKET, **facts: Any) -> HoldFacts:
    return HoldFacts(packet=packet, **{"verdict": True, **facts})


def allow(*paths: str) -> Packet:
    entries = [Entry(id=f"B{n}", path=path, because="x") for n, path in enumerate(paths)]
    return a_packet(boundary=Boundary(version=1, source="hand", allow=entries))


def a_file(path: str, **more: Any) -> FileChange:
    return FileChange(path=path, status="modified", added=1, removed=0, by=["tool"], inside=None, **more)


def ended(reason: str, *, changed: bool = True) -> Packet:
    packet = a_packet(files=[a_file("a")] if changed else [])
    return replace(packet, run=replace(packet.run, end=RunEnd(reason=reason, because="x")))


def item(kind: str, blocks: str, **more: Any) -> Item:
    return Item(id="F1", kind=kind, text="x", blocks=blocks, **more)


def goal(source: str) -> Packet:
    return replace(PACKET, task=replace(PACKET.task, goal=Goal(text="x", source=source)))


def at(**place: Any) -> Packet:
    return replace(PACKET, place=replace(PACKET.place, **place))


def false(*evidence: str, checks: tuple[Any, ...] = ()) -> Packet:
    said = Outcome(text="all pass", class_="CONTRADICTED", evidence=list(evidence), because="1 failed")
    return a_packet(outcomes=[said], checks=list(checks))


def signs(**replan: Any) -> HoldFacts:
    return say(replan=Replan(boundary_files=4, **replan))


def limits(**changed: int) -> HoldLimits:
    return HoldLimits(**changed)


STEP = Step(step="mend", check="tests", if_not="stop", item="F1")
TESTS = a_check("tests", "FAILED", acceptance=True)
THREE = {"tries": 3, "contradicted": 2, "age_days": 7.0}

SITUATIONS: dict[str, tuple[HoldFacts, str]] = {
    "nothing to say": (say(), "GO"),
    "a goal of the user": (say(goal("user")), "GO"),
    "a goal told by nobody": (say(goal("none")), "HOLD"),
    "one path": (say(allow("src/a.py")), "GO"),
    "no path": (say(allow()), "HOLD"),
    "50 files": (say(allow(*[f"f{n}" for n in range(50)])), "GO"),
    "51 files": (say(allow(*[f"f{n}" for n in range(51)])), "WATCH"),
    "51 files where 60 are allowed": (say(allow(*[f"f{n}" for n in range(51)]), limits=limits(files=60)), "GO"),
    "the whole tree": (say(allow("**")), "WATCH"),
    "the whole tree, otherwise": (say(allow("/**")), "WATCH"),
    "a folder": (say(allow("src/**")), "GO"),
    "another place": (say(wrong_place="another branch"), "HOLD"),
    "a broken record": (say(integrity=["a signature does not verify"]), "HOLD"),
    "content gone": (say(missing_content=["tree"]), "HOLD"),
    "a failure that blocks the merge": (say(a_packet(items=[item("failure", "merge")], checklist=[])), "GO"),
    "a failure that blocks all": (say(a_packet(items=[item("failure", "continuation")], checklist=[])), "HOLD"),
    "the same with a step": (say(a_packet(items=[item("failure", "continuation")], checklist=[STEP])), "GO"),
    "the same, closed": (say(a_packet(items=[item("failure", "continuation")], checklist=[], still_open=[])), "GO"),
    "a question that blocks all": (say(a_packet(items=[item("question", "continuation")], checklist=[])), "GO"),
    "a design question for later": (say(a_packet(items=[item("architecture", "merge")])), "WATCH"),
    "a design question that blocks": (say(a_packet(items=[item("architecture", "continuation")])), "HOLD"),
    "weakened tests": (say(a_packet(items=[item("tests", "continuation")])), "HOLD"),
    "held by a person": (say(held_by_person="wait"), "HOLD"),
    "handed over": (say(handed_over="@bob"), "HOLD"),
    "a rollback asked for": (say(rollback_pending="@bob"), "HOLD"),
    "one read-back failed": (say(readback_failures=1), "GO"),
    "two read-backs failed": (say(readback_failures=2), "HOLD"),
    "landed outside": (say(landed_outside=["x"]), "HOLD"),
    "a false word": (say(false("lint")), "WATCH"),
    "a false word on the acceptance check": (say(false("tests", checks=(TESTS,))), "HOLD"),
    "a false word on its command": (say(false(TESTS.command, checks=(TESTS,))), "HOLD"),
    "a hand edit": (say(drift=Drift(tree=["a"])), "WATCH"),
    "a hand edit outside": (say(drift=Drift(outside=["a"])), "WATCH"),
    "an edit of a denied path": (say(drift=Drift(tree=["a"], denied=["a"])), "HOLD"),
    "a base that stands still": (say(drift=Drift(base_commits=0)), "GO"),
    "a base that went on": (say(drift=Drift(base_commits=9, base_paths=["a"])), "WATCH"),
    "a base that conflicts": (say(drift=Drift(base_commits=1, conflicts=["a:3"])), "HOLD"),
    "on a remote": (say(at(on_remote=True)), "GO"),
    "no remote": (say(at(on_remote=None)), "GO"),
    "on no remote": (say(at(on_remote=False)), "WATCH"),
    "on no remote, seen from another clone": (say(at(on_remote=False), other_clone=True), "HOLD"),
    "superseded": (say(superseded_by="docs"), "WATCH"),
    "14 days": (say(age_days=14.0), "GO"),
    "15 days": (say(age_days=15.0), "WATCH"),
    "15 days where 30 are allowed": (say(age_days=15.0, limits=limits(days=30)), "GO"),
    "nobody named": (say(a_packet(resume_owner=None)), "WATCH"),
    "nobody named in a team": (say(a_packet(resume_owner=None), mode="team"), "HOLD"),
    "outside the goal": (say(a_packet(files=[a_file("a", in_goal=False)])), "WATCH"),
    "outside the goal in a team": (say(a_packet(files=[a_file("a", in_goal=False)]), mode="team"), "HOLD"),
    "a dead guard": (say(dead_guards=["hooks"]), "WATCH"),
    "a dead guard in a team": (say(dead_guards=["hooks"], mode="team"), "HOLD"),
    "settings changed": (say(drift=Drift(control=["hooks"])), "WATCH"),
    "settings changed in a team": (say(drift=Drift(control=["hooks"]), mode="team"), "HOLD"),
    "a secret in the work": (say(secrets=1), "GO"),
    "no answer, solo": (say(verdict=False), "GO"),
    "no answer, team": (say(verdict=False, mode="team"), "HOLD"),
    "no answer, solo that requires one": (say(verdict=False, review_required=True), "HOLD"),
    "no answer, team that requires none": (say(verdict=False, mode="team", review_required=False), "GO"),
    "an answer of the wrong kind": (say(verdict_short="not by terminal", mode="team"), "HOLD"),
    "an answer that lapsed, solo": (say(verdict_fault="a.py changed"), "GO"),
    "an answer that lapsed, team": (say(verdict_fault="a.py changed", mode="team"), "HOLD"),
    **{
        f"ended: {why}": (say(ended(why)), "GO" if why in ("finished", "unknown") else "WATCH")
        for why in (
            "finished",
            "unknown",
            "running",
            "interrupted",
            "quota",
            "context-full",
            "api-error",
            "crashed",
            "truncated",
        )
    },
    "quota, nothing changed": (say(ended("quota", changed=False)), "GO"),
    "its process still runs": (say(ended("quota"), running="process 4711"), "HOLD"),
    "three signs": (signs(**THREE), "HOLD"),
    "two signs": (signs(tries=3, contradicted=2), "GO"),
    "three signs where four are asked": (replace(signs(**THREE), limits=limits(replan_signs=4)), "GO"),
    "one try too few": (signs(**THREE | {"tries": 2}), "GO"),
    "two tries where two are enough": (replace(signs(**THREE | {"tries": 2}), limits=limits(replan_tries=2)), "HOLD"),
    "half of the files upstream": (signs(tries=3, contradicted=2, changed_upstream=2), "HOLD"),
    "a quarter of the files upstream": (signs(tries=3, contradicted=2, changed_upstream=1), "GO"),
    "a quarter where 25 % are enough": (
        replace(signs(tries=3, contradicted=2, changed_upstream=1), limits=limits(replan_upstream=25)),
        "HOLD",
    ),
    "more failures than before": (signs(tries=3, contradicted=2, failing=2, failing_before=1), "HOLD"),
    "as many failures as before": (signs(tries=3, contradicted=2, failing=2, failing_before=2), "GO"),
    "failures, no packet before": (signs(tries=3, contradicted=2, failing=2), "GO"),
    "a day too young": (signs(**THREE | {"age_days": 6.9}), "GO"),
    "nothing measured": (signs(), "GO"),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_state(name: str) -> None:
    given, state = SITUATIONS[name]
    hold = compute(given)
    assert hold.state == state, [(reason.code, reason.fact) for reason in hold.reasons]


@pytest.mark.parametrize("name", [name for name, (_, state) in SITUATIONS.items() if state != "GO"])
def test_a_person_lifts_it_and_the_policy_decides(name: str) -> None:
    given, _ = SITUATIONS[name]
    reasons = compute(given).reasons
    lift = Lifted(task="t", because="x", by="@a", codes=[r.code for r in reasons], facts=[r.fact for r in reasons])
    assert compute(replace(given, lifts=[lift])).state == "GO"
    assert compute(replace(given, levels={reason.code: "ignore" for reason in reasons})).state == "GO"
    assert compute(replace(given, levels={reason.code: "hold" for reason in reasons})).state == "HOLD"


def test_the_policy_knows_every_reason() -> None:
    assert set(HOLD_REASONS) == set(CODES)
    assert len(SITUATIONS) >= 60


def test_a_limit_of_ones_own_is_shown() -> None:
    (reason,) = compute(replace(signs(**THREE | {"tries": 2}), limits=limits(replan_tries=2))).reasons
    assert "2 tries, same error (limit 2)" in reason.fact
    assert "3 of 6 reached, limit 3" in reason.fact
