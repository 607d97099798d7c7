"""Hand-made session facts: a run told step by step, as a reader would give it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from passdown.model.session import (
    Claim,
    Command,
    Counts,
    DeadEnd,
    End,
    Input,
    Prohibition,
    Request,
    SeenCheck,
    SeenDecision,
    SessionFacts,
    Todo,
    Write,
)


@dataclass
class Told:
    """One session. Every call is one record; ``facts()`` gives what happened so far."""

    root: Path
    session: str = "s1"
    started: str = "2026-11-30T14:00:00Z"
    end: str = "finished"
    resets: str | None = None
    count: int = 0
    parts: dict[str, list] = field(default_factory=lambda: {name: [] for name in _LISTS})

    def _next(self) -> tuple[int, str]:
        number, self.count = self.count, self.count + 1
        return number, f"{self.started[:14]}{number:02d}:00Z"

    def user(self, text: str, *prohibited: tuple[str, list[str]]) -> Told:
        record, at = self._next()
        self.parts["requests"].append(Request(at=at, text=text, record=record))
        for words, paths in prohibited:
            self.parts["prohibitions"].append(Prohibition(text=words, paths=paths, at=at, record=record))
        return self

    def writes(self, path: str, content: str | None = None, *, via: str = "tool", subagent: bool = False) -> Told:
        record, at = self._next()
        if content is not None:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(content)
        self.parts["writes"].append(
            Write(at=at, path=str(self.root / path), op="modify", ok=True, via=via, subagent=subagent, record=record)
        )
        for check in range(len(self.parts["checks"])):
            seen = self.parts["checks"][check]
            self.parts["checks"][check] = SeenCheck(**{**_fields(seen), "edits_after": True})
        return self

    def ran(self, command: str, *, exit: int = 0, tail: str = "", masked: bool = False) -> Told:  # noqa: A002
        record, at = self._next()
        self.parts["commands"].append(
            Command(
                at=at,
                command=command,
                cwd=str(self.root),
                exit=exit,
                signal=None,
                ok=exit == 0,
                masked=masked,
                background=False,
                record=record,
                output_tail=tail,
            )
        )
        return self

    def tested(self, command: str = "pytest -q", *, passed: int = 0, **failing: str) -> Told:
        """A test run; ``failing`` maps a test's id to its first error line."""
        return self.checked(command, passed=passed, failing=failing)

    def checked(self, command: str, *, passed: int = 0, failing: dict[str, str] | None = None, tail: str = "") -> Told:
        failing = failing or {}
        self.ran(command, exit=int(bool(failing)), tail=tail)
        self.parts["checks"].append(
            SeenCheck(
                at=self.parts["commands"][-1].at,
                command=command,
                kind="test",
                result="FAILED" if failing else "PASSED",
                masked=False,
                counts=Counts(passed=passed, failed=len(failing)),
                failing=list(failing),
                edits_after=False,
                exit=int(bool(failing)),
                cwd=str(self.root),
                record=self.count - 1,
                first_errors=failing,
            )
        )
        return self

    def says(self, text: str, class_: str, because: str = "x", check: str | None = None) -> Told:
        record, at = self._next()
        claim = Claim(at=at, text=text, class_=class_, because=because, record=record, check=check)
        self.parts["claims"].append(claim)
        return self

    def todos(self, *todos: tuple[str, str]) -> Told:
        self._next()
        self.parts["todos"] = [Todo(text=text, status=status) for text, status in todos]
        return self

    def decides(self, text: str, question: str | None = None) -> Told:
        record, at = self._next()
        self.parts["decisions"].append(SeenDecision(text=text, at=at, record=record, question=question))
        return self

    def stuck(self, command: str, error: str, tries: int) -> Told:
        record, _ = self._next()
        self.parts["dead_ends"].append(DeadEnd(command=command, error=error, tries=tries, record=record))
        return self

    def facts(self) -> SessionFacts:
        return SessionFacts(
            agent="claude",
            client_version="2.1.332",
            session=self.session,
            cwd=str(self.root),
            branch=None,
            started=self.started,
            ended=f"{self.started[:14]}{max(self.count - 1, 0):02d}:30Z",
            end=End(reason=self.end, because="its last record says so", resets=self.resets),
            compactions=0,
            subagents=0,
            input=Input(records=self.count, bad_lines=0, unknown={}),
            reads=[],
            **{name: list(values) for name, values in self.parts.items()},
        )


_LISTS = ("requests", "writes", "commands", "checks", "claims", "prohibitions", "todos", "decisions", "dead_ends")


def _fields(value: object) -> dict[str, object]:
    return {name: getattr(value, name) for name in value.__struct_fields__}
