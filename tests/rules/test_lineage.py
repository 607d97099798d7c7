from __future__ import annotations

import pytest

from passdown.model.event import Closed, Record, TaskOpened
from passdown.model.packet import Goal
from passdown.rules.fold import fold
from passdown.rules.lineage import Here, choose
from support.packets import TREE, a_packet

HERE = Here("wt", "main", TREE, "2026-11-30T16:00:00Z")


def logged(*bodies: object) -> list[Record]:
    return [
        Record(id=f"{n:064x}", type="x", task=None, at="2026-11-30T16:00:00Z", writer="w", order=(n, "w", n), body=body)  # type: ignore[arg-type]
        for n, body in enumerate(bodies, 1)
    ]


def test_c1_the_newest_of_the_lineage_is_taken_and_the_others_are_superseded() -> None:
    chosen = choose(fold(logged(a_packet(), a_packet(run="r2"), a_packet(task="t0"), a_packet(run="r3"))), HERE)
    assert chosen.packet is not None
    assert chosen.packet.id[-1] == "4"
    assert [why for _, why in chosen.passed_over] == [f"SUPERSEDED by {4:064x}"[:21]] * 3


@pytest.mark.parametrize(
    ("here", "why"),
    [
        (Here("wt", "other", TREE, HERE.now), "it belongs to branch main"),
        (Here("elsewhere", "main", TREE, HERE.now), "it belongs to another worktree"),
        (Here("wt", "main", TREE, "2026-12-20T16:00:00Z"), "EXPIRED: sealed 20 days ago"),
    ],
)
def test_f3_f4_another_place_or_an_old_packet_is_not_taken(here: Here, why: str) -> None:
    chosen = choose(fold(logged(a_packet())), here)
    assert (chosen.packet, chosen.because) == (None, why)


def test_who_asks_for_it_gets_an_old_one() -> None:
    late = Here("wt", "main", TREE, "2026-12-20T16:00:00Z", max_age_days=None)
    assert choose(fold(logged(a_packet())), late).packet is not None


def test_a_task_that_was_begun_since_supersedes_the_packets_before_it_until_it_ends() -> None:
    begun = TaskOpened(
        worktree_id="wt", branch="main", tree=TREE, head=None, task="t2", title="another way",
        goal=Goal(text="another way", source="user"), done=[], boundary=a_packet().boundary,
    )  # fmt: skip
    chosen = choose(fold(logged(a_packet(), begun)), HERE)
    assert (chosen.packet, chosen.because) == (None, "SUPERSEDED by the task that was begun since, another way")
    ended = Closed(task="t2", outcome="abandoned", because="x", by="@a")
    assert choose(fold(logged(a_packet(), begun, ended)), HERE).packet is not None


def test_b19_an_ended_task_is_not_resumed() -> None:
    ended = Closed(task="t1", outcome="completed", because="merged", by="@a")
    older = a_packet(task="t0")
    chosen = choose(fold(logged(older, a_packet(), ended)), HERE)
    assert chosen.packet is not None
    assert chosen.packet.body.task.id == "t0"


def test_nothing_sealed_is_said() -> None:
    assert choose({}, HERE).because == "no packet has been sealed here"
