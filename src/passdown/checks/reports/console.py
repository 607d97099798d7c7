"""What a test runner prints for people: pytest above all, and every other whose summary is known."""

from __future__ import annotations

from typing import BinaryIO

from passdown.agents.facts.output.counts import counts
from passdown.agents.facts.output.failing import failing
from passdown.checks.output import plain
from passdown.checks.reports.summary import Summary
from passdown.rules.patterns import lazy

_KEPT = 1 << 20
_TRIED_AGAIN = lazy(r"\b[1-9]\d* (?:rerun|flaky)\b|\bFlakes: [1-9]\d*")


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests of the end of the text; None where it prints no summary."""
    file.seek(0, 2)
    file.seek(max(0, file.tell() - _KEPT))
    return read_text(plain(file.read()))


def read_text(text: str) -> Summary | None:
    """The same of plain text."""
    found = counts(text)
    if found is None:
        return None
    values = {name: getattr(found, name) for name in ("passed", "failed", "skipped", "errors")}
    return Summary({name: value for name, value in values.items() if value is not None}, failing(text), flaky(text))


def flaky(text: str) -> list[str]:
    """What the summary says of tests that passed only when tried again."""
    last = "\n".join(text.rstrip().split("\n")[-30:])
    return [found[0] for found in _TRIED_AGAIN.finditer(last)][:1]
