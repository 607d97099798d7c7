"""The status on one screen."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from passdown.cli import run_now
from passdown.cli.boundary_screen import budget
from passdown.cli.elsewhere import waiting
from passdown.cli.in_force_here import here_in_force
from passdown.cli.next_command import next_command
from passdown.cli.output import plain
from passdown.cli.paint import screen_width
from passdown.cli.strays import standing_bypasses
from passdown.cli.sweep import ended, told
from passdown.cli.unpacked import unpacked
from passdown.packet import hold_words, reopened, words
from passdown.packet.asked import asked
from passdown.packet.terminal_boundary import fitting
from passdown.packet.text import clock, folded, place_of
from passdown.packet.title import short
from passdown.rules.open_now import items_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passdown.cli.context import Context
    from passdown.model.packet import Hold, Packet
    from passdown.rules.task import TaskView

_LABEL = 11
_ITEMS = 5
_LINES = 3
"""Lines that one fact may take."""


def screen(context: Context, task: TaskView | None, packet: Packet | None, hold: Hold) -> list[str]:
    """Label and fact on each line, the next command last; nothing wider than the screen."""
    lines = list(_nothing(context) if task is None else _task(context, task, packet, hold))
    return [*lines, *_row("Next", next_command(context, task, packet, hold))]


def _row(label: str, text: str) -> list[str]:
    return folded(f"{label:<{_LABEL}}", plain(text), screen_width(), lines=_LINES, indent=" " * _LABEL)


def _where(context: Context) -> str:
    return f"branch {context.place.branch}" if context.place.branch else "detached HEAD"


def _nothing(context: Context) -> Iterator[str]:
    """No task here: which sessions there are."""
    was = context.was_moved()
    if was is not None:
        yield from _row("Moved", was.message)
    yield from _row("No task", f"on {_where(context)} in {context.place.root}")
    there = waiting(context)
    if there is not None and was is None:
        whose = f", for {words.for_whom(there.packet)}" if words.for_whom(there.packet) else ""
        way = "" if there.came else f": {there.way}"
        yield from _row("Elsewhere", f"{there.name} {short(there.packet.task.title, 40)}{whose}, {there.where}{way}")
    found, new = context.sessions, unpacked(context)
    if not found:
        yield from _row("Session", "none has worked in this worktree")
        return
    left = told(context, ended(context))
    if left:
        yield from _row("Unpacked", left)
        return
    newest = (new or found)[0]
    state = "not packed yet" if new else "all of it is packed"
    more = f"; {len(new) - 1} more: passdown session --list" if new[1:] else ""
    yield from _row(
        "Session", f"{newest.session[:8]}, {newest.agent}, until {_clock(context, newest.modified)}: {state}{more}"
    )


def _clock(context: Context, instant: str) -> str:
    return clock(instant, context.now)


def _task(context: Context, task: TaskView, packet: Packet | None, hold: Hold) -> Iterator[str]:
    room = screen_width() - _LABEL - len(task.state) - len(_where(context)) - 6
    yield from _row("Task", f"{short(task.title, max(room, 12))}   {task.state}   {_where(context)}")
    if task.goal.text:
        forbidden = packet.prohibitions if packet is not None else []
        yield from asked(f"{'Goal':<{_LABEL}}", task.goal.text, forbidden, screen_width(), indent=" " * _LABEL)
    else:
        yield from _row("Goal", "not known")
    if packet is not None:
        yield from _row("Packet", _packet(context, packet))
    run = run_now.words(context, task, packet)
    if run:
        yield from _row("Run", run)
    yield from _boundary(context, task)
    again = standing_bypasses(context, task)
    if again:
        yield from _row("Outside", f"{', '.join(again)}: {words.BYPASSED}")
    yield from _gap(context, task)
    if packet is not None:
        passing = ", ".join(words.called(check) for check in words.passing(packet))
        yield from _row("Passes", f"{passing} on this code" if passing else "nothing yet on this code")
        seen = [f"{words.when(c)} ({words.counted(c)})" for c in words.ran_here(packet) if c.observed_by == "hook"]
        if seen:
            yield from _row("Ran", f"{', '.join(seen)} on this code, seen live: passdown check runs it")
    items = items_of(task, packet)
    for at, item in enumerate(items[:_ITEMS]):
        yield from _row("Open" if at == 0 else "", words.item_text(item))
    if len(items) > _ITEMS:
        yield from _row("", f"... {len(items) - _ITEMS} more: passdown show")
    for at, each in enumerate(reopened.told(packet)[:_LINES] if packet is not None else []):
        yield from _row("Reopened" if at == 0 else "", each)
    yield from _hold(context, packet, hold)
    left = told(context, ended(context))
    if left:
        yield from _row("Unpacked", f"{left}: passdown pack")


def _packet(context: Context, packet: Packet) -> str:
    whose = f" for {words.for_whom(packet)}" if words.for_whom(packet) else ""
    sealed = f"{(packet.packet or '')[:7]}{whose}, sealed {_clock(context, packet.sealed_at)}"
    lapsed = context.lapsed(packet)
    if lapsed is not None:
        return f"{sealed}, its answer lapsed: {lapsed}"
    return f"{sealed}, {words.answered(packet.verdict) if packet.verdict is not None else 'not answered'}"


def _gap(context: Context, task: TaskView) -> list[str]:
    """A person's gap in the guard that is open now."""
    until = task.off_until(context.place.worktree_id)
    if until is None or datetime.fromisoformat(until) <= datetime.fromisoformat(context.now):
        return []
    return _row("Guard", f"off until {_clock(context, until)}: passdown on closes the gap")


def _boundary(context: Context, task: TaskView) -> list[str]:
    force = here_in_force(context, task)
    boundary = force.boundary if force is not None else task.next_boundary()
    if boundary is None:
        return _row("Boundary", "none yet")
    state = f"{boundary.source}, {'armed' if force is not None else 'not armed'}:"
    allowed = [place_of(entry) for entry in boundary.allow]
    limits = [budget(boundary)] if allowed and budget(boundary) else []
    label = f"{'Boundary':<{_LABEL}}{state} "
    return fitting(label, allowed or ["nothing"], limits, screen_width(), (_LINES, "  "))


def _hold(context: Context, packet: Packet | None, hold: Hold) -> Iterator[str]:
    if not hold.reasons:
        yield from _row("Hold", "none")
    label = {"HOLD": "HOLD", "WATCH": "Watch", "GO": "Hold"}[hold.state]
    for at, reason in enumerate(hold.reasons[:_ITEMS]):
        fact = hold_words.told(packet, reason, context.now) if packet is not None else reason.fact
        yield from _row(label if at == 0 else "", fact)
    if len(hold.reasons) > _ITEMS:
        yield from _row("", f"... {len(hold.reasons) - _ITEMS} more: passdown status --json")
