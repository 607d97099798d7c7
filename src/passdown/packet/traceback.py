"""Files of this repository that a failing command's output names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from passdown.model.event import Record
from passdown.model.evidence import Evidence
from passdown.model.session import SessionFacts
from passdown.rules.command import text
from passdown.rules.patterns import lazy

LIMIT = 6
_FRAME = lazy(r'File "([^"\n]+)", line \d+|([\w./\-\[\]]+\.\w{1,5}):\d+')


def tracebacks(
    records: Sequence[Record], facts: SessionFacts | None, paths: Collection[str], root: str
) -> Mapping[str, tuple[str, ...]]:
    """Command -> paths of its latest failing output, from our own runs and the transcript."""
    tails: dict[str, str] = {}
    for command in facts.commands if facts else []:
        if command.ok is False:
            tails[command.command] = command.output_tail
    for record in records:
        body = record.body
        if isinstance(body, Evidence) and body.result != "PASSED":
            tails[text(body.definition.run)] = body.tail
    return {command: found for command, tail in tails.items() if (found := _named(tail, paths, root))}


def _named(tail: str, paths: Collection[str], root: str) -> tuple[str, ...]:
    names = (a or b for a, b in _FRAME.findall(tail))
    inside = (name.removeprefix(root + "/").removeprefix("./") for name in names)
    return tuple(dict.fromkeys(name for name in inside if name in paths))[:LIMIT]
