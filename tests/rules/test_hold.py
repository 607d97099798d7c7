from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from passdown.model.boundary import Boundary, Entry
from passdown.model.event import Lifted
from passdown.model.packet import FileChange, Goal, Item, Outcome, Packet, RunEnd, Step
from passdown.rules.hold import Drift, HoldFacts, Replan, compute
from passdown.rules.hold_table import CODES
from support.packets import a_check, a_packet

PACKET = a_packet()


def facts(packet: Packet = PACKET, **changes: object) -> HoldFacts:
    return replace(HoldFacts(packet=packet, verdict=True), **changes)


def having(**changes: object) -> HoldFacts:
    return facts(a_packet(**changes))


def weakened() -> Item:
    return Item(id="T1", kind="tests", text="1 test weakened: a.py::b", blocks="continuation", digests=["0" * 32])


def question(blocks: str) -> Item:
    return Item(id="Q1", kind="architecture", text="new queue?", blocks=blocks)


def changed(path: str, **more: object) -> FileChange:
    return FileChange(path=path, status="modified", added=1, removed=0, by=["tool"], inside=None, **more)


def lie(*evidence: str) -> Outcome:
    return Outcome(text="all pass", class_="CONTRADICTED", evidence=list(evidence), because="1 failed, exit 1")


def wide(*allow: str) -> Boundary:
    return Boundary(
        version=1, source="hand", allow=[Entry(id=f"B{n}", path=p, because="x") for n, p in enumerate(allow)]
    )


def ended(reason: str) -> Packet:
    packet = a_packet(files=[changed("a")])
    run = msgspec.structs.replace(packet.run, end=RunEnd(reason=reason, because="x"))
    return msgspec.structs.replace(packet, run=run)


def task(**changes: object) -> Packet:
    return msgspec.structs.replace(PACKET, task=msgspec.structs.replace(PACKET.task, **changes))


def place(**changes: object) -> Packet:
    return a_packet(place=msgspec.structs.replace(PACKET.place, **changes))


F1 = Item(id="F1", kind="failure", text="regression", blocks="continuation")
CHEAPER = Replan(tries=4, tried="test_backoff", boundary_files=5, changed_upstream=3, architecture=["Q1"])

TABLE = [
    ("goal-unknown", facts(task(goal=Goal(text="", source="none"))), "hold", "hold"),
    ("boundary-missing", having(boundary=wide()), "hold", "hold"),
    ("wrong-place", facts(wrong_place="branch is other, the packet's is main"), "hold", "hold"),
    ("integrity-broken", facts(integrity=["a signature does not verify"]), "hold", "hold"),
    ("content-missing", facts(missing_content=["tree aaaa"]), "hold", "hold"),
    ("failure-without-plan", having(items=[F1]), "hold", "hold"),
    ("replan-cheaper", facts(replan=CHEAPER), "hold", "hold"),
    ("held-by-person", facts(held_by_person="@alice: wait for the API"), "hold", "hold"),
    ("handed-over", facts(handed_over="@bob"), "hold", "hold"),
    ("rollback-pending", facts(rollback_pending="@bob"), "hold", "hold"),
    ("readback-failed", facts(readback_failures=2), "hold", "hold"),
    ("boundary-violated", facts(landed_outside=["x.py"]), "hold", "hold"),
    ("tests-weakened", having(items=[weakened()]), "hold", "hold"),
    ("architecture-question", having(items=[question("continuation")]), "hold", "hold"),
    ("architecture-question", having(items=[question("merge")]), "watch", "watch"),
    ("contradicted-claims", having(outcomes=[lie("lint")]), "watch", "watch"),
    (
        "contradicted-claims",
        having(outcomes=[lie("tests")], checks=[a_check("tests", "FAILED", acceptance=True)]),
        "hold",
        "hold",
    ),
    ("tree-drift", facts(drift=Drift(tree=["a"])), "watch", "watch"),
    ("tree-drift", facts(drift=Drift(tree=["a"], denied=["a"])), "hold", "hold"),
    ("interrupted-dirty", facts(ended("quota")), "watch", "watch"),
    ("interrupted-dirty", facts(ended("crashed"), running="process 4711"), "hold", "hold"),
    ("base-drift", facts(drift=Drift(base_commits=3)), "watch", "watch"),
    ("base-drift", facts(drift=Drift(base_commits=3, conflicts=["a"])), "hold", "hold"),
    ("not-on-remote", facts(place(on_remote=False)), "watch", "watch"),
    ("not-on-remote", facts(place(on_remote=False), other_clone=True), "hold", "hold"),
    ("goal-superseded", facts(superseded_by="do the docs instead"), "watch", "watch"),
    ("boundary-too-wide", having(boundary=wide("**")), "watch", "watch"),
    ("boundary-too-wide", having(boundary=wide(*[f"f{n}" for n in range(51)])), "watch", "watch"),
    ("too-old", facts(age_days=15.0), "watch", "watch"),
    ("owner-missing", having(resume_owner=None), "watch", "hold"),
    ("scope-widened", having(files=[changed("README.md", in_goal=False)]), "watch", "hold"),
    ("guard-dead", facts(dead_guards=["codex hooks"]), "watch", "hold"),
    ("control-surface-changed", facts(drift=Drift(control=["git config"])), "watch", "hold"),
    ("review-missing", facts(verdict=False), None, "hold"),
    ("review-mismatch", facts(verdict_fault="src/a.py changed upstream"), None, "hold"),
]


@pytest.mark.parametrize(("code", "given", "solo", "team"), TABLE)
def test_each_reason_has_its_level(code: str, given: HoldFacts, solo: str | None, team: str) -> None:
    for mode, level in (("solo", solo), ("team", team)):
        found = {r.code: r for r in compute(replace(given, mode=mode)).reasons}
        assert (found[code].level if code in found else None) == level
        if code in found:
            assert found[code].fact
            assert found[code].reproduce
            assert found[code].lifts
            assert "\n" not in found[code].fact


def test_an_answer_that_another_clone_brought_is_named_where_it_does_not_count() -> None:
    given = facts(mode="team", verdict=False, answered_away="@bob answered (approve)")
    assert "@bob answered (approve) in another clone" in compute(given).reasons[0].fact
    assert not compute(replace(given, verdict=True)).reasons


def test_the_table_is_whole() -> None:
    assert {code for code, *_ in TABLE} | {"secret-found"} == set(CODES)


@pytest.mark.parametrize("mode", ["solo", "team"])
def test_a_clean_packet_goes(mode: str) -> None:
    assert compute(facts(mode=mode)).state == "GO"
    assert compute(facts(mode=mode)).reasons == []


@pytest.mark.parametrize(
    "given",
    [
        facts(ended("quota")),
        facts(drift=Drift(tree=["a"])),
        facts(secrets=3),
        facts(age_days=10.0),
        facts(readback_failures=1),
    ],
)
def test_a_quota_or_a_hand_edit_is_no_hold(given: HoldFacts) -> None:
    assert compute(given).state != "HOLD"


def test_the_gravest_stands_first() -> None:
    hold = compute(facts(drift=Drift(tree=["a"], base_commits=1), held_by_person="wait"))
    assert (hold.state, hold.reasons[0].code) == ("HOLD", "held-by-person")


@pytest.mark.parametrize(("level", "state"), [("hold", "HOLD"), ("watch", "WATCH"), ("ignore", "GO")])
def test_each_reason_is_configurable(level: str, state: str) -> None:
    assert compute(facts(drift=Drift(base_commits=1), levels={"base-drift": level})).state == state


def lifted(codes: list[str], seen: list[str]) -> list[Lifted]:
    return [Lifted(task="t1", because="fine", by="@alice", codes=codes, facts=seen)]


@pytest.mark.parametrize("codes", [["handed-over"], []])
def test_a_lift_holds_for_the_facts_that_the_person_saw(codes: list[str]) -> None:
    given = facts(handed_over="@bob")
    seen = [reason.fact for reason in compute(given).reasons]
    assert compute(replace(given, lifts=lifted(codes, seen))).state == "GO"
    assert compute(replace(given, handed_over="@carol", lifts=lifted(codes, seen))).state == "HOLD"


def test_a_lift_of_one_reason_leaves_the_others() -> None:
    given = facts(handed_over="@bob", age_days=20.0)
    seen = [reason.fact for reason in compute(given).reasons]
    assert [r.code for r in compute(replace(given, lifts=lifted(["handed-over"], seen))).reasons] == ["too-old"]


def test_a_step_that_names_the_failure_is_a_plan() -> None:
    assert (
        compute(having(items=[F1], checklist=[Step(step="mend", check="tests", if_not="stop", item="F1")])).state
        == "GO"
    )


class TestReplanning:
    def test_shows_its_arithmetic(self) -> None:
        fact = compute(facts(replan=CHEAPER)).reasons[0].fact
        assert "test_backoff: 4 tries" in fact
        assert "3 of 5 boundary files changed upstream" in fact
        assert "3 of 6 reached, limit 3" in fact

    @pytest.mark.parametrize(
        "changes",
        [{"tries": 2}, {"changed_upstream": 2}, {"architecture": []}, {"tries": None}, {"changed_upstream": None}],
    )
    def test_two_signs_are_not_enough(self, changes: dict[str, object]) -> None:
        assert compute(facts(replan=replace(CHEAPER, **changes))).state == "GO"

    def test_more_failures_than_before_and_age_count(self) -> None:
        signs = Replan(failing=3, failing_before=2, age_days=7.0, contradicted=2)
        assert compute(facts(replan=signs)).state == "HOLD"
        assert compute(facts(replan=replace(signs, failing_before=None))).state == "GO"
