"""What a judge says about one statement, and how several rulings on it make one."""

from __future__ import annotations

from msgspec import Struct

from passdown.agents.facts.journal import Check, Ran, Written
from passdown.model.session import ClaimClass

_WORST: tuple[ClaimClass, ...] = ("CONTRADICTED", "UNSUPPORTED", "STALE", "SUPPORTED")


class Ruling(Struct, frozen=True):
    """A class with the fact that decided it; ``check``: the command that it rests on."""

    class_: ClaimClass
    because: str
    check: str | None = None


def worst(rulings: list[Ruling]) -> Ruling | None:
    """A statement holds only if each of its parts does."""
    return min(rulings, key=lambda r: _WORST.index(r.class_)) if rulings else None


def when(at: str | None, record: int | None) -> str:
    """``at 2026-01-02T03:04:05Z (record 12)``."""
    time = f" at {at}" if at else ""
    return f"{time} (record {record})" if record is not None else time


def quoted(text: str) -> str:
    """A command on one line in backticks, short."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= 100 else line[:97] + '...'}`"  # noqa: PLR2004 - one screen line


def of_check(check: Check) -> str:
    """What a check showed, in one line."""
    seen = check.seen
    numbers = seen.counts
    parts = [
        f"{n} {word}" for word in ("passed", "failed", "skipped", "errors") if numbers and (n := getattr(numbers, word))
    ]
    said = f" ({', '.join(parts)})" if parts else ""
    code = f", exit {seen.exit}" if seen.exit else ""
    return f"{quoted(seen.command)} {seen.result or 'ended unknown'}{said}{code}{when(seen.at, seen.record)}"


def of_run(ran: Ran) -> str:
    """What a command did, in one line."""
    end = (
        f"exit {ran.exit}"
        if ran.exit is not None
        else {True: "succeeded", False: "failed", None: "ended unknown"}[ran.ok]
    )
    return f"{quoted(ran.command)}: {end}{when(ran.at, ran.record)}"


def of_write(write: Written) -> str:
    """What a write did, in one line."""
    verb = {"create": "created", "modify": "changed", "delete": "deleted", "rename": "renamed"}[write.event.op]
    return f"{write.event.path} {verb}{when(write.event.at, write.event.record)}"
