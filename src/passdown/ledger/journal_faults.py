"""What in the journal was not written by Passdown, or was changed since, while it waits to be committed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from passdown.ledger import journal
from passdown.ledger.alarm import Alarm
from passdown.ledger.fact import Fact
from passdown.ledger.waiting import examine


def faults(lines: Sequence[bytes], writers: Collection[str], committed: Callable[[str], Fact | None]) -> list[Alarm]:
    """``writers``: those whose chains are here; ``committed``: the fact of that id.

    A record that was cut off by a death is none. A fact is signed with its batch alone: until then nothing proves it.
    """
    return [alarm for line in lines if not _cut_off(line) for alarm in _of(line, writers, committed)]


def _cut_off(line: bytes) -> bool:
    """Whether the end of a record is missing, or the disk gave zeros for it."""
    return not line.strip(b"\0") or (line.startswith(b"{") and not line.endswith(b"}"))


def _of(line: bytes, writers: Collection[str], committed: Callable[[str], Fact | None]) -> Iterator[Alarm]:
    said = journal.statement(line)
    if said is not None:
        waiting = examine(said)
        if waiting is None or not waiting.holds:
            yield Alarm(
                "journal",
                f"statement {said.statement[:12]} waits in the journal and is not what its writer signed",
                statements=(said.statement,),
            )
        elif waiting.said.predicate.writer not in writers:
            text = f"statement {said.statement[:12]} waits in the journal and is by a writer without a chain here"
            yield Alarm("journal", text, statements=(said.statement,))
        return
    fact = journal.fact(line)
    if fact is None:
        yield Alarm("journal", f"a line of the journal is no record: {line[:40].decode('utf-8', 'backslashreplace')}")
        return
    known = committed(fact.id)
    if known is not None and (known.kind, known.at, known.task, known.data) != (
        fact.kind,
        fact.at,
        fact.task,
        fact.data,
    ):
        yield Alarm("journal", f"fact {fact.id[:12]} waits in the journal and was committed otherwise")
