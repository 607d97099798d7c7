"""The event lines of Rust's test harness: ``cargo test -- --format json`` and nextest's ``libtest-json``."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct

from passdown.checks.reports.document import lines
from passdown.checks.reports.summary import Summary, Tally

_STATES = {"ok": "passed", "failed": "failed", "ignored": "skipped", "timeout": "failed"}


class _Event(Struct):
    type: str
    event: str
    name: str | None = None
    stdout: str | None = None
    message: str | None = None


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None without any event of the harness."""
    tally = Tally()
    begun = ended = 0
    for event in lines(file, _Event):
        if event.type == "suite":
            begun += event.event == "started"
            ended += event.event != "started"
            if event.event == "failed" and not (tally.tests.get("failed") or tally.tests.get("errors")):
                tally.count("errors", event.name or "suite")
        elif event.type == "test" and event.event in _STATES:
            tally.count(_STATES[event.event], event.name or "?", _error(event))
    if begun > ended:
        tally.broken = "its report ends in the middle of a suite"
    return tally.summary() if begun or tally.tests else None


def _error(event: _Event) -> str:
    """The message of the panic: the line after the one that says where."""
    text = event.message or event.stdout or ""
    panic = text.partition(" panicked at ")[2]
    return panic.partition("\n")[2] or text
