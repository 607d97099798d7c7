from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.event import (
    BoundarySet,
    Closed,
    Held,
    Lifted,
    Note,
    ReadBack,
    Record,
    Resumed,
    RolledBack,
    TaskOpened,
    Verdict,
)
from passdown.model.packet import Closing, Goal, Item
from passdown.rules.fold import fold, same_task
from passdown.rules.task import TaskView, binding
from support.packets import a_check, a_packet, evidence


def bounds(*allow: str, version: int = 1, source: str = "hand", deny: tuple[str, ...] = ()) -> Boundary:
    return Boundary(
        version=version,
        source=source,  # type: ignore[arg-type]
        allow=[Entry(id=f"B{n}", path=p, because="x") for n, p in enumerate(allow, 1)],
        deny=[Entry(id=f"N{n}", path=p, because="x") for n, p in enumerate(deny, 1)],
    )


class Log:
    """Records one after the other, as one writer makes them."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, body: object, *, writer: str = "w1", **more: object) -> str:
        n = len(self.records) + 1
        name = f"{n:064x}"
        values = {"id": name, "type": "x", "task": None, "at": f"2026-11-{n:02d}T10:00:00Z", "writer": writer}
        self.records.append(Record(**{**values, "order": (n, writer, n), "body": body, **more}))  # type: ignore[arg-type]
        return name

    def task(self, name: str = "t1") -> TaskView:
        return fold(self.records)[name]


@pytest.fixture
def log() -> Log:
    return Log()


def packet(**changes: object):
    return a_packet(**changes)


def start(task: str = "t1", branch: str = "main", **more: object) -> TaskOpened:
    values = {
        "title": "T",
        "goal": Goal(text="do it", source="user"),
        "done": ["tests"],
        "boundary": bounds("src/**"),
        "tree": "a" * 40,
    }
    return TaskOpened(task=task, worktree_id="wt", branch=branch, head=None, **{**values, **more})  # type: ignore[arg-type]


def resumed(of: str, boundary: Boundary | None = None, run: str = "r2") -> Resumed:
    return Resumed(
        task="t1",
        packet=of,
        run=run,
        boundary=boundary or bounds("src/**"),
        worktree_id="wt",
        branch="main",
        tree="b" * 40,
        head=None,
    )


def verdict(of: str, answer: str = "approve", by: str = "@alice", **more: object) -> Verdict:
    boundary = more.pop("boundary", bounds("src/**", version=2, source="reviewed"))
    return Verdict(
        task="t1", packet=of, answer=answer, by=by, presence="terminal", self_=False, boundary=boundary,  # type: ignore[arg-type]
        boundary_digest="", previous=None, owners=[], **more,  # type: ignore[arg-type]
    )  # fmt: skip


class TestStates:
    def test_open_then_running_then_handed_off(self, log: Log) -> None:
        log.add(start())
        assert log.task().state == "open"
        log.add(packet())
        assert log.task().state == "handed-off"
        log.add(resumed(log.records[-1].id))
        assert log.task().state == "running"

    def test_a17_a_packet_of_a_running_run_is_not_handed_off(self, log: Log) -> None:
        log.add(packet(end="running"))
        assert log.task().state == "running"

    @pytest.mark.parametrize("outcome", ["completed", "rolled-back", "abandoned", "replanned"])
    def test_ends_as_its_outcome_says(self, log: Log, outcome: str) -> None:
        log.add(packet())
        log.add(Closed(task="t1", outcome=outcome, because="x", by="@alice"))  # type: ignore[arg-type]
        assert log.task().state == outcome

    def test_a_person_corrects_an_inferred_outcome_and_not_the_reverse(self, log: Log) -> None:
        log.add(packet())
        log.add(Closed(task="t1", outcome="abandoned", because="branch gone", by="passdown", inferred=True))
        log.add(Closed(task="t1", outcome="completed", because="merged by hand", by="@alice"))
        log.add(Closed(task="t1", outcome="abandoned", because="branch gone", by="passdown", inferred=True))
        assert log.task().state == "completed"

    def test_held_until_lifted(self, log: Log) -> None:
        log.add(packet())
        log.add(Held(task="t1", because="stop", by="@alice"))
        assert log.task().state == "held"
        log.add(Lifted(task="t1", because="ok", by="@alice", codes=["base-drift"]))
        assert log.task().state == "held"
        log.add(Lifted(task="t1", because="ok", by="@alice", codes=["held-by-person"]))
        assert log.task().state == "handed-off"

    def test_a_rollback_that_was_asked_for_and_done(self, log: Log) -> None:
        name = log.add(packet())
        log.add(verdict(name, "rollback"))
        assert log.task().state == "handed-off"
        log.add(RolledBack(task="t1", packet=name, from_tree="b", to_tree="a", rescued="b"))
        assert log.task().state == "rolled-back"

    def test_a_decision_that_another_clone_brought_decides_nothing(self, log: Log) -> None:
        """E14, J4: a record travels by a ref that anybody can write; a signature must speak for it first."""
        log.add(start())
        first = log.add(packet())
        wide = bounds("**", version=99, source="reviewed")
        for body in (verdict(first, boundary=wide), resumed(first, wide), start("t2", branch="side")):
            log.add(body, writer="w2", here=False)
        task = log.task()
        assert (task.verdict, task.resumes) == (None, [])
        assert all("**" not in [e.path for e in force.boundary.allow] for force in task.in_force.values())
        assert len(task.packets) == 1

    def test_a_packet_that_another_clone_brought_decides_no_boundary_and_no_goal(self, log: Log) -> None:
        """Its boundary may call itself reviewed: it is a proposal, and older than what was set here."""
        log.add(start())
        before = log.task()
        wide = bounds("**", version=99, source="reviewed")
        theirs = packet(boundary=wide)
        theirs = msgspec.structs.replace(theirs, task=msgspec.structs.replace(theirs.task, title="other"))
        log.add(theirs, writer="w2", here=False)
        task = log.task()
        assert len(task.packets) == 1
        assert (task.goal, task.title, task.done) == (before.goal, before.title, before.done)
        assert task.next_boundary() == before.next_boundary()
        assert task.packets[0].body.boundary.source == "proposed"

    def test_what_does_not_verify_changes_nothing(self, log: Log) -> None:
        log.add(packet())
        log.add(Held(task="t1", because="x", by="x"), trusted=False)
        assert log.task().state == "handed-off"


class TestVerdicts:
    def test_the_stricter_of_two_reviewers_wins_until_that_one_answers_anew(self, log: Log) -> None:
        name = log.add(packet())
        log.add(verdict(name, "narrow", "@alice"))
        log.add(verdict(name, "approve", "@bob"))
        assert log.task().verdict.body.by == "@alice"  # type: ignore[union-attr]
        log.add(verdict(name, "approve", "@alice"))
        assert log.task().verdict.body.answer == "approve"  # type: ignore[union-attr]

    def test_lapses_when_a_new_packet_comes(self, log: Log) -> None:
        log.add(verdict(log.add(packet())))
        assert log.task().verdict is not None
        log.add(packet(sealed_at="2026-11-05T10:00:00Z"))
        assert log.task().verdict is None

    def test_what_resume_arms_is_the_reviewers(self, log: Log) -> None:
        name = log.add(packet())
        log.add(verdict(name, "narrow", boundary=bounds("src/a.py", version=7, source="reviewed")))
        assert log.task().next_boundary().version == 7  # type: ignore[union-attr]


class TestBoundaries:
    spot = ("wt", "main")

    def test_start_arms_by_hand(self, log: Log) -> None:
        log.add(start())
        found = binding(log.task(), self.spot, "2026-11-02T10:00:00Z")
        assert found is not None
        assert found.source == "hand"
        assert binding(log.task(), ("wt", "other"), "2026-11-02T10:00:00Z") is None

    def test_ends_after_seven_idle_days_with_the_merge_and_with_the_outcome(self, log: Log) -> None:
        log.add(start())
        assert binding(log.task(), self.spot, "2026-11-07T10:00:00Z") is not None
        assert binding(log.task(), self.spot, "2026-11-09T10:00:00Z") is None
        assert binding(log.task(), self.spot, "2026-11-02T10:00:00Z", merged=True) is None
        log.add(Closed(task="t1", outcome="completed", because="x", by="x"))
        assert binding(log.task(), self.spot, "2026-11-02T10:00:00Z") is None

    def test_an_older_version_is_refused(self, log: Log) -> None:
        log.add(start(boundary=bounds("src/**", version=5)))
        old = log.add(
            BoundarySet(task="t1", boundary=bounds("**", version=4), previous=None, worktree_id="wt", branch="main")
        )
        assert log.task().in_force[self.spot].boundary.version == 5
        assert log.task().refused == [old]

    @pytest.mark.parametrize(
        ("allow", "taken"), [(("src/**", "docs/**"), False), (("src/a.py",), True), (("src/**",), True)]
    )
    def test_after_a_verdict_a_hand_only_narrows(self, log: Log, allow: tuple[str, ...], taken: bool) -> None:
        name = log.add(packet())
        log.add(verdict(name))
        log.add(resumed(name, bounds("src/**", version=2, source="reviewed")))
        log.add(
            BoundarySet(task="t1", boundary=bounds(*allow, version=3), previous=None, worktree_id="wt", branch="main")
        )
        assert (log.task().in_force[self.spot].boundary.version == 3) is taken

    def test_a_verdict_widens_a_running_spot_at_once(self, log: Log) -> None:
        name = log.add(packet())
        log.add(resumed(name))
        log.add(verdict(name, boundary=bounds("src/**", "docs/**", version=3, source="reviewed")))
        assert log.task().in_force[self.spot].source == "reviewed"


class TestItems:
    def test_a11_an_item_left_out_stays_open(self, log: Log) -> None:
        log.add(packet(items=[Item(id=f"S{n}", kind="step", text=f"step {n}", blocks="merge") for n in range(1, 10)]))
        log.add(packet(items=[Item(id=f"S{n}", kind="step", text=f"step {n}", blocks="merge") for n in range(1, 5)]))
        assert [i.id for i in log.task().items] == [f"S{n}" for n in range(1, 10)]

    def failure(self) -> Item:
        return Item(id="F1", kind="failure", text="t.py::test_a", blocks="merge", check="tests")

    def test_evidence_closes_a_failure(self, log: Log) -> None:
        log.add(packet(items=[self.failure()]))
        log.add(evidence("tests", "FAILED"), task="t1")
        assert [i.id for i in log.task().items] == ["F1"]
        log.add(evidence("tests", "PASSED"), task="t1")
        assert log.task().items == []
        assert log.task().closed_items[0].how == "evidence"

    def test_an_ad_hoc_command_closes_nothing(self, log: Log) -> None:
        log.add(packet(items=[self.failure()]))
        log.add(evidence("tests", "PASSED", source="adhoc"), task="t1")
        assert len(log.task().items) == 1

    @pytest.mark.parametrize(
        ("result", "named", "closed"),
        [("PASSED", "tests", True), ("FAILED", "tests", False), ("PASSED", "lint", False)],
    )
    def test_a_packet_closes_with_the_check_that_it_shows(
        self, log: Log, result: str, named: str, closed: bool
    ) -> None:
        log.add(packet(items=[self.failure()]))
        closing = Closing(id="F1", text="t.py::test_a", because="passes", evidence=[named])
        log.add(packet(items=[], closed=[closing], checks=[a_check("tests", result)]))
        assert (log.task().items == []) is closed

    @pytest.mark.parametrize(("by", "closed"), [("person", True), ("agent", False)])
    def test_only_a_persons_answer_closes_a_question(self, log: Log, by: str, closed: bool) -> None:
        log.add(packet())
        log.add(Note(task="t1", kind="question", text="which cap?", by="agent"))
        assert [(i.id, i.kind) for i in log.task().items] == [("Q1", "question")]
        log.add(Note(task="t1", kind="answer", text="60 s", by=by, item="Q1"))  # type: ignore[arg-type]
        assert (log.task().items == []) is closed

    def test_a_waiver_closes_with_its_reason(self, log: Log) -> None:
        name = log.add(packet(items=[self.failure()]))
        log.add(verdict(name, waived={"F1": "flaky upstream"}))
        assert [(c.how, c.because) for c in log.task().closed_items] == [("waiver", "@alice: flaky upstream")]

    def test_an_asked_for_path_is_answered_by_a_verdict_that_allows_it(self, log: Log) -> None:
        name = log.add(packet())
        log.add(Note(task="t1", kind="ask-widen", text="docs/a.md", by="agent", paths=["docs/a.md"], because="API"))
        assert [i.id for i in log.task().items] == ["W1"]
        log.add(verdict(name, boundary=bounds("src/**", version=3)))
        assert [i.id for i in log.task().items] == ["W1"]
        log.add(verdict(name, boundary=bounds("docs/**", version=4)))
        assert log.task().items == []

    def test_ids_are_never_given_twice(self, log: Log) -> None:
        log.add(packet())
        log.add(Note(task="t1", kind="question", text="one?", by="agent"))
        log.add(Note(task="t1", kind="answer", text="yes", by="person", item="Q1"))
        log.add(Note(task="t1", kind="question", text="two?", by="agent"))
        assert [i.id for i in log.task().items] == ["Q2"]

    def test_one_id_for_two_things_is_told_apart(self, log: Log) -> None:
        log.add(packet(items=[Item(id="Q1", kind="question", text="one?", blocks="merge")]))
        log.add(packet(items=[Item(id="Q1", kind="question", text="two?", blocks="merge")]), writer="w2")
        assert [(i.id, i.text) for i in log.task().items] == [("Q1", "one?"), ("Q2", "two?")]


class TestDecisions:
    def test_b15_an_agents_own_choice_is_not_settled(self, log: Log) -> None:
        log.add(packet())
        log.add(Note(task="t1", kind="decision", text="cap 60 s", by="agent"))
        assert [(d.id, d.settled) for d in log.task().decisions] == [("D1", False)]

    def test_the_latest_state_is_shown_and_a_settled_one_stays_settled(self, log: Log) -> None:
        log.add(packet())
        log.add(Note(task="t1", kind="decision", text="cap 60 s", by="person", revisit_if="p99 > 60 s"))
        log.add(Note(task="t1", kind="decision", text="Cap  60 s", by="agent"))
        assert [(d.id, d.by, d.settled) for d in log.task().decisions] == [("D1", "user", True)]

    def test_a_new_plan_keeps_dead_ends_and_decisions_and_drops_items(self, log: Log) -> None:
        name = log.add(packet(items=[Item(id="F1", kind="failure", text="x", blocks="merge")]))
        log.add(Note(task="t1", kind="decision", text="cap 60 s", by="person"))
        log.add(Note(task="t1", kind="dead-end", text="patch time", by="agent", because="TypeError"))
        log.add(start("t2", from_packet=name))
        task = log.task("t2")
        assert ([d.text for d in task.decisions], [x.command for x in task.dead_ends], task.items) == (
            ["cap 60 s"],
            ["patch time"],
            [],
        )


class TestSameTask:
    def test_new_work_at_the_spot_belongs_to_it_until_it_ends(self, log: Log) -> None:
        log.add(packet())
        assert same_task(fold(log.records), "wt", "main").id == "t1"  # type: ignore[union-attr]
        assert same_task(fold(log.records), "wt", "other") is None
        assert same_task(fold(log.records), "elsewhere", "main") is None
        log.add(Closed(task="t1", outcome="completed", because="x", by="x"))
        assert same_task(fold(log.records), "wt", "main") is None

    def test_a_start_since_makes_another_task(self, log: Log) -> None:
        log.add(packet())
        log.add(start("t2"))
        assert same_task(fold(log.records), "wt", "main").id == "t2"  # type: ignore[union-attr]
        log.add(Closed(task="t2", outcome="abandoned", because="x", by="x"))
        assert same_task(fold(log.records), "wt", "main") is None


def everything() -> list[Record]:
    log = Log()
    log.add(start(boundary=bounds("src/**", "tests/**")))
    first = log.add(packet(items=[Item(id="F1", kind="failure", text="t", blocks="merge", check="tests")]))
    log.add(Note(task="t1", kind="question", text="a?", by="agent"))
    log.add(verdict(first, "narrow"), writer="w2")
    log.add(verdict(first, "approve", "@bob"), writer="w3")
    log.add(resumed(first, bounds("src/**", version=2)))
    log.add(
        BoundarySet(task="t1", boundary=bounds("src/a.py", version=3), previous=None, worktree_id="wt", branch="main")
    )
    log.add(Note(task="t1", kind="answer", text="b", by="person", item="Q1"), writer="w2")
    log.add(evidence("tests", "PASSED"), task="t1")
    log.add(Held(task="t1", because="x", by="@a"), writer="w2")
    log.add(packet(sealed_at="2026-11-20T10:00:00Z"))
    log.add(Lifted(task="t1", because="x", by="@a"))
    log.add(start("t2", "dev", from_packet=first))
    return log.records


@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_the_order_of_arrival_makes_no_difference(shuffle: random.Random, repeated: int) -> None:
    records = everything()
    arrived = [*records, records[repeated]]
    shuffle.shuffle(arrived)
    assert fold(arrived) == fold(records)


def test_g9_the_merge_of_two_writers_is_their_union() -> None:
    records = everything()
    halves = [r for r in records if r.writer == "w1"], [r for r in records if r.writer != "w1"]
    assert fold([*halves[1], *halves[0]]) == fold(records)


@pytest.mark.parametrize("budget", [Budget(files=5), Budget(new=1), Budget()])
def test_a_larger_budget_is_a_widening(log: Log, budget: Budget) -> None:
    name = log.add(packet())
    log.add(verdict(name))
    tight = msgspec.structs.replace(bounds("src/**", version=2), budget=Budget(files=3, new=0))
    log.add(resumed(name, tight))
    wide = msgspec.structs.replace(bounds("src/**", version=3), budget=budget)
    log.add(BoundarySet(task="t1", boundary=wide, previous=None, worktree_id="wt", branch="main"))
    assert log.task().in_force["wt", "main"].boundary.version == 2


def read_back(of: str, *, accepted: bool) -> ReadBack:
    return ReadBack(task="t1", packet=of, accepted=accepted, by="agent", worktree_id="wt", branch="main")


@pytest.mark.parametrize(
    ("tries", "failed"),
    [([], 0), ([False], 1), ([False, False], 2), ([False, True], 0), ([True, False], 1), ([False, True, False], 1)],
)
def test_failed_read_backs_count_from_the_last_right_one(log: Log, tries: list[bool], failed: int) -> None:
    sealed = log.add(packet())
    log.add(read_back("f" * 64, accepted=False))
    for accepted in tries:
        log.add(read_back(sealed, accepted=accepted))
    assert log.task().failed_readbacks(sealed) == failed


def test_a_read_back_in_another_clone_forgives_no_failed_one_here(log: Log) -> None:
    sealed = log.add(packet())
    for _ in range(2):
        log.add(read_back(sealed, accepted=False))
    log.add(read_back(sealed, accepted=True), writer="w2", here=False)
    assert log.task().failed_readbacks(sealed) == 2
