"""Handoff notes that somebody left in the repository or had imported: only said, and of this task alone (B19)."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from datetime import datetime
from functools import partial

from msgspec import Struct

from passdown.checks.tree import TreeView
from passdown.model.session import SessionFacts
from passdown.packet import left_behind
from passdown.packet.goal import own_words
from passdown.packet.sources import Told
from passdown.rules.instants import seconds
from passdown.rules.task import TaskView
from passdown.workspace import diff, history
from passdown.workspace.place import Place

NOTED = "a note"
"""The source of an assumption that was noted and stands in no file."""


class OutsideNotes(Struct, frozen=True):
    """Lines that count for this task, and for each file that has none, why it was not read."""

    told: Sequence[Told] = ()
    unread: Sequence[str] = ()


def outside_notes(view: TreeView, base: str | None, facts: SessionFacts | None, task: TaskView | None) -> OutsideNotes:
    """What the handoff files say that they did not say at ``base``, and what was imported into the task."""
    place = view.place
    begun = _begun(facts, task)
    before = partial(_text, place, base) if base else left_behind.nothing
    asked = " ".join(request.text for request in own_words(facts))
    named = [name for name in left_behind.NOTES if name in asked]
    imported = [
        Told(note.body.text, note.body.source or NOTED)
        for note in (task.notes if task is not None else [])
        if note.body.kind == "assumption"
    ]
    taken = {told.source.rpartition(":")[0] for told in imported}
    ignored = {name: found for name in left_behind.NOTES if (found := _ignored(view, name)) is not None}
    late = {name: text for name, (text, at) in ignored.items() if name in named or not begun or at >= begun}
    old = [name for name in ignored if name not in late]
    stale = [name for name in (*left_behind.older(view.text, before, named), *old) if name not in taken]
    unread = [_unread(place, stale)] if stale else []
    here = [told for name, text in late.items() for told in left_behind.lines_of(name, text)[: left_behind.PER_FILE]]
    return OutsideNotes([*left_behind.notes(view.text, before, named), *here, *imported], unread)


def _begun(facts: SessionFacts | None, task: TaskView | None) -> float | None:
    """When the task's first work began, in seconds; None: nobody knows."""
    starts = [task.opened.at] if task is not None and task.opened is not None else []
    starts += [
        packet.body.run.started for packet in (task.packets if task is not None else []) if packet.body.run.started
    ]
    starts += [facts.started] if facts is not None and facts.started else []
    known = [moment for start in starts if (moment := seconds(start)) is not None]
    return min(known, default=None)


def _ignored(view: TreeView, name: str) -> tuple[str, float] | None:
    """Text of a note that git ignores, and when it was last written; None where there is none."""
    if name in view.entries:
        return None
    try:
        handle = os.open(view.place.root / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            return None
        return file.read(left_behind.LONGEST_NOTE).decode("utf-8", "replace"), state.st_mtime


def _text(place: Place, base: str, name: str) -> str:
    return (diff.read_path(place, base, name) or b"").decode("utf-8", "replace")


def _unread(place: Place, names: Sequence[str]) -> str:
    """Since when they stand there, and how one is taken in all the same."""
    changed = max(filter(None, (history.last_change(place, name) for name in names)), key=_when, default=None)
    since = ""
    if changed is not None:
        when = datetime.fromisoformat(changed[1])
        since = f" (last changed {when.day} {when.strftime('%b %Y')} by {changed[0]})"
    what = names[0] if len(names) == 1 else "FILE"
    verb = "is" if len(names) == 1 else "are"
    return f"{', '.join(names)} {verb} older than this task{since}: not read; passdown import {what} takes it in"


def _when(changed: tuple[str, str]) -> datetime:
    return datetime.fromisoformat(changed[1])
