"""A short way to tell a session's story as the stream that a reader gives."""

from __future__ import annotations

import pytest

from passdown.agents.facts.gather import gather
from passdown.agents.stream import (
    ApiFailure,
    Choice,
    FileWrite,
    Interrupted,
    Meta,
    PersonEdit,
    Prompt,
    Say,
    ShellCall,
    ShellResult,
    Subagent,
    Tail,
    TurnEnd,
    TurnStart,
)
from passdown.model.session import SessionFacts


class Story:
    """Each verb adds what a reader would give; ``facts`` draws the facts."""

    def __init__(self) -> None:
        self.events: list = [Meta(record=0, at=self.at(0), session="s1", cwd="/home/dev/app", branch="main")]
        self.open: list[str] = []

    @staticmethod
    def at(record: int) -> str:
        return f"2026-01-02T03:{record // 60:02}:{record % 60:02}Z"

    def _add(self, event, **fields) -> Story:
        record = len(self.events)
        self.events.append(event(record=record, at=self.at(record), **fields))
        return self

    def asks(self, text: str, source: str = "typed") -> Story:
        return self._add(Prompt, text=text, source=source)

    def helper(self) -> Story:
        return self._add(Subagent, agent_id=None)

    def person(self, path: str) -> Story:
        return self._add(PersonEdit, path=path)

    def says(self, text: str, *, final: bool | None = None) -> Story:
        return self._add(Say, text=text, final=final)

    def chooses(self, answer: str, question: str | None = None) -> Story:
        return self._add(Choice, answer=answer, question=question)

    def runs(self, command: str, output: str = "", exit: int | None = 0, **fields) -> Story:  # noqa: A002
        call = f"c{len(self.events)}"
        background = fields.pop("background", False)
        self._add(ShellCall, call_id=call, command=command, cwd="/home/dev/app", tool="Bash", background=background)
        ok = fields.pop("ok", None if exit is None else exit == 0)
        return self._add(ShellResult, call_id=call, exit=exit, ok=ok, output=output, **fields)

    def starts(self, command: str) -> Story:
        self.open.append("Bash")
        return self._add(ShellCall, call_id=f"c{len(self.events)}", command=command, cwd="/home/dev/app", tool="Bash")

    def writes(self, path: str, added: str = "x = 1", op: str = "modify", ok: bool | None = True, **fields) -> Story:
        return self._add(FileWrite, path=path, op=op, ok=ok, via=fields.pop("via", "tool"), added=added, **fields)

    def fails(self, text: str, kind: str, resets: str | None = None, *, retried: bool = False) -> Story:
        return self._add(ApiFailure, text=text, kind=kind, resets=resets, retried=retried)

    def stops(self) -> Story:
        return self._add(Interrupted, reason="interrupted")

    def turn(self, *, ends: bool = False) -> Story:
        return self._add(TurnEnd if ends else TurnStart)

    def facts(self, *, cut: bool = False, open_turn: bool = False) -> SessionFacts:
        last = len(self.events)
        tail = Tail(
            record=last,
            at=None,
            records=last,
            first_at=self.at(0),
            last_at=self.at(last - 1),
            cut=cut,
            open_calls=tuple(self.open),
            open_turn=open_turn,
        )
        return gather([*self.events, tail], agent="claude")


@pytest.fixture
def story() -> Story:
    return Story()
