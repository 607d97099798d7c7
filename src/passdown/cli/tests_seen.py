"""Changes to tests and settings of the task: who must accept them, and what is still to be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.packet import tests_words
from passdown.packet.text import plain
from passdown.rules.integrity.kinds import EXISTING
from passdown.rules.integrity.touch import SETTINGS, TESTS, UNREAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.checks.integrity.found import Found
    from passdown.cli.context import Context
    from passdown.model.integrity import IntegrityChange
    from passdown.model.packet import Packet
    from passdown.rules.task import TaskView

SHOWN = 5
REVIEW = "passdown review --approve --accept-tests"


def accepted(packet: Packet, options: dict[str, object]) -> list[str]:
    """The digests that ``--accept-tests`` names: all that the screen shows and nobody accepted yet."""
    if not options.get("accept_tests"):
        return []
    found = [change.digest for change in tests_words.unseen(packet)]
    if not found:
        raise PassdownError(
            "no change to tests or settings waits for an answer", "passdown show tells what was changed"
        )
    return found


def to_see(context: Context, task: TaskView) -> tuple[list[IntegrityChange], str]:
    """What the task did to tests and settings and no reviewer accepted; why it is not known, "" where it is.

    In a team nobody accepts their own.
    """
    told = found_here(context)
    own = {digest for digest, one in task.tests_accepted.items() if one.self_ and context.policy.mode == "team"}
    waiting = [c for c in told.entries if c.kind != "silenced" and (c.accepted is None or c.digest in own)]
    return waiting, told.fault


def found_here(context: Context) -> Found:
    """What the task here did to tests and settings until now."""
    from passdown.checks.integrity.found import found

    return found(context.view, context.policy, context.recorder.records(), None, context.trust)


def on_checks(context: Context, names: Sequence[str]) -> list[str]:
    """What the passes of these checks stand on: tests and settings that the task changed, one line each."""
    from passdown.cli.rerun import standing_now

    told = found_here(context)
    if not told.entries and not told.fault:
        return []
    found: list[str] = []
    for check in standing_now(context):
        if check.name not in names or check.result != "PASSED":
            continue
        against = [w for w in check.warnings if w.startswith((TESTS, SETTINGS, UNREAD))]
        own = tests_words.own(check)
        how = "passes on this code" if check.accepted else "counts as seen, not as verified"
        by = f", accepted by {plain(check.accepted)}" if check.accepted else ""
        found += [f"{plain(check.name)} {how}: {plain(w.partition(': ')[2])}{by}" for w in against]
        found += [f"{plain(check.name)}: {own}"] if own else []
        if against:
            shown = [c for c in told.entries if c.kind in EXISTING or c.kind == "loosened"]
            found += [f"  {tests_words.line(c)}" for c in shown[:SHOWN]]
            found += [f"  and {len(shown) - SHOWN} more: passdown pack, passdown show --json"] if shown[SHOWN:] else []
            found += [] if check.accepted else [f"  a reviewer makes it count: {REVIEW}"]
    return found


def weakened(context: Context) -> bool:
    """Whether tests were weakened, skipped or deleted and nobody accepted exactly that."""
    told = found_here(context)
    return bool(told.fault) or any(change.blocks and change.accepted is None for change in told.entries)


def by_oneself(context: Context, waiting: Sequence[IntegrityChange]) -> list[str]:
    """The digests that who works alone accepts while closing the task; in a team the reviewer does it."""
    if context.policy.mode == "team":
        raise PassdownError("in a team a reviewer accepts changed tests", REVIEW)
    return [change.digest for change in waiting]


def lines(waiting: Sequence[IntegrityChange], limit: int = SHOWN) -> list[str]:
    """One line each, worst first."""
    shown = [f"nobody accepted: {tests_words.line(change)}" for change in waiting[:limit]]
    return shown + ([f"... and {len(waiting) - limit} more changes to tests"] if len(waiting) > limit else [])
