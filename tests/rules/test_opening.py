"""What a session that begins is told of the tasks here: its own handoff, one line, or nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passdown.model.event import Closed, Record, Resumed, TaskOpened
from passdown.model.packet import Goal
from passdown.rules.fold import fold
from passdown.rules.lineage import Here
from passdown.rules.opening import opening
from support.packets import TREE, a_packet

NOW = "2026-11-30T16:00:00Z"
HERE = Here("wt", "main", TREE, NOW)
PACKET = a_packet()
FIRST = f"{1:064x}"


def logged(*bodies, at=NOW):
    return [
        Record(id=f"{n:064x}", type="x", task=None, at=at, writer="w", order=(n, "w", n), body=body)
        for n, body in enumerate(bodies, 1)
    ]


def resumed(packet=FIRST, branch="main", worktree_id="wt", task="t1", run="r9"):
    return Resumed(
        worktree_id=worktree_id, branch=branch, tree=TREE, head=None, task=task, packet=packet, run=run,
        boundary=PACKET.boundary,
    )  # fmt: skip


def by_hand(branch="main", task="t1"):
    goal = Goal(text="mend it", source="user")
    return TaskOpened(
        worktree_id="wt", branch=branch, tree=TREE, head=None, task=task, title="mend", goal=goal, done=[],
        boundary=replace(PACKET.boundary, source="hand"),
    )  # fmt: skip


def ended(task="t1"):
    return Closed(task=task, outcome="completed", because="merged", by="@a")


@pytest.mark.parametrize(
    ("bodies", "kind"),
    [
        ([], "nothing"),
        ([PACKET], "waiting"),
        ([PACKET, resumed()], "handed"),
        ([PACKET, resumed(), resumed()], "handed"),
        ([PACKET, resumed(), a_packet(run="r9")], "waiting"),
        ([by_hand()], "opened"),
        ([by_hand(), a_packet()], "waiting"),
        ([PACKET, ended()], "nothing"),
        ([PACKET, resumed(), ended()], "nothing"),
        ([PACKET, resumed(branch="other")], "waiting"),
        ([PACKET, resumed(worktree_id="elsewhere")], "waiting"),
        ([by_hand(branch="other")], "elsewhere"),
        ([by_hand(branch="other"), ended()], "nothing"),
        ([a_packet(task="t0"), by_hand(branch="other", task="t2")], "waiting"),
    ],
)
def test_c5_one_thing_is_told_and_nothing_that_ended(bodies, kind):
    assert opening(fold(logged(*bodies)), HERE).kind == kind


def test_c4_an_old_packet_and_an_idle_boundary_are_nothing():
    tasks = fold(logged(PACKET, resumed()))
    assert opening(tasks, Here("wt", "main", TREE, "2026-12-20T16:00:00Z")).kind == "nothing"
    elsewhere = fold(logged(by_hand(branch="other")))
    assert opening(elsewhere, Here("wt", "main", TREE, "2026-12-20T16:00:00Z")).kind == "nothing"


def test_what_was_resumed_is_told_with_the_boundary_that_binds():
    found = opening(fold(logged(PACKET, resumed())), HERE)
    assert found.packet is not None
    assert (found.packet.id, found.boundary) == (FIRST, PACKET.boundary)
