"""One live session as its client's hooks tell it: what the record knows of it, and what is added."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from passdown.guard.hook.scan import Json, text_of
from passdown.rules.instants import seconds

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.ledger.fact import Fact

_SAME = 5.0
"""Seconds within which the same event again is the same one, told by a second settings file."""


class Session:
    """The session that an event's payload speaks of."""

    def __init__(self, context: Context, client: str, payload: Json) -> None:
        self.context = context
        self.client = client
        self.event = text_of(payload.get("hook_event_name"))
        self.id = text_of(payload.get("session_id"))
        self.source = text_of(payload.get("source"))
        said = text_of(payload.get("transcript_path"))
        self.transcript = Path(said) if said else None

    @cached_property
    def snapshots(self) -> list[Fact]:
        """What the worktree held at this session's events, oldest first."""
        return self._facts("snapshot")

    @cached_property
    def told(self) -> list[Fact]:
        """What this session was told and asked, oldest first."""
        return self._facts("told")

    def _facts(self, kind: str) -> list[Fact]:
        return [fact for fact in self.context.recorder.facts(kind=kind) if fact.data.get("session") == self.id]

    def told_just_now(self) -> bool:
        """Whether this very event was answered already."""
        now = seconds(self.context.now) or 0.0
        mine = (fact for fact in self.told if all(fact.data.get(name) == value for name, value in self._event.items()))
        return any(abs(now - (seconds(fact.at) or 0.0)) < _SAME for fact in mine)

    def asked(self) -> bool:
        """Whether it was asked for notes already."""
        return any(fact.data.get("event") == "Stop" for fact in self.told)

    def note_told(self, packet: str | None, *, said: bool) -> None:
        """Keep that the event was answered: ``packet`` was handed to the session, or nothing was said."""
        self._add("told", {"session": self.id, **self._event, "packet": packet, "said": int(said)})

    @property
    def _event(self) -> dict[str, str | int | None]:
        """What tells this event from others: a client that is started again has another process."""
        return {"event": self.event, "word": self.source, "process": os.environ.get("CLAUDE_PID")}

    def keep_start(self) -> None:
        """The worktree at the session's first event, held for as long as the record."""
        if not self.snapshots:
            self._keep()
            self._note_tree()

    def keep_end(self, *, held: bool = True) -> None:
        """The worktree at a later event; not ``held``: by its id alone, each turn's content would be a pack more."""
        if held:
            self._keep()
        if not self.snapshots or self.snapshots[-1].data.get("tree") != self.context.snapshot.tree:
            self._note_tree()

    def _keep(self) -> None:
        from passdown.workspace import snapshot

        snapshot.keep(self.context.place, self.context.snapshot.tree)

    def _note_tree(self) -> None:
        place = self.context.place
        data: dict[str, str | int | None] = {"session": self.id, "event": self.event, "head": place.head}
        data |= {"tree": self.context.snapshot.tree}
        data |= {"worktree_id": place.worktree_id, "branch": place.branch, "word": self.source or None}
        self._add("snapshot", data)

    def _add(self, kind: str, data: dict[str, str | int | None]) -> None:
        task = self.context.task
        self.context.recorder.fact(kind, data, task=task.id if task is not None else None, at=self.context.now)
