r"""The journal: what was said and is not committed yet, in ``<home>/journal/``.

``open`` takes the writes, each of them one ``write`` of newline + record + newline, so that a torn record
never glues to the next. Writers hold ``flock(SH)`` on ``lock`` from opening the file to their write;
the committer holds ``flock(EX)`` while it renames ``open`` to ``<random>.segment``. A committed segment
becomes ``<random>.<bytes>.done`` and is looked at once more, at the next commit, before it goes.

A record is one JSON object on one line. A fact (the guard writes these too, without this module)::

    {"id": "<32 random hex digits>", "kind": "touch", "at": "<ISO time>", "task": "<id>"|null, "data": {...}}

A statement begins with the bytes ``{"statement":`` and carries its writer's public key.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from msgspec import Raw, Struct

from passdown.ledger.decoding import decode
from passdown.ledger.fact import Fact
from passdown.ledger.locks import exclusive, shared

STATEMENT = b'{"statement":'


class Journalled(Struct, frozen=True, kw_only=True):
    """A signed statement in the journal: its id, the writer's public key (base64), the envelope."""

    statement: str
    public: str
    envelope: Raw


class Segment(Struct, frozen=True):
    """A closed file of the journal; what lies before ``offset`` is committed."""

    path: Path
    name: str
    offset: int
    done: bool


class Part(Struct, frozen=True):
    """Whole records of a segment, in order; ``end`` is where reading stopped, ``torn`` counts what was skipped."""

    statements: list[Journalled]
    facts: list[bytes]
    end: int
    torn: int
    at: str


def folder(home: Path) -> Path:
    """Where the journal lies."""
    return home / "journal"


def write(home: Path, record: bytes, *, sync: bool) -> None:
    """Append one record; with ``sync`` it is on disk on return. OSError where it could not be written whole."""
    place = folder(home)
    place.mkdir(parents=True, exist_ok=True)
    with shared(place / "lock"):
        path = place / "open"
        created = not path.exists()
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            line = b"\n" + record + b"\n"
            if os.write(descriptor, line) != len(line):  # torn: readers skip it, and nobody is told that it is kept
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            if sync:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if sync and created:
            sync_folder(place)


def sync_folder(place: Path) -> None:
    """Put a folder's entries on disk."""
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def rotate(home: Path) -> None:
    """Close ``open`` into a segment of its own, where there is something in it."""
    place = folder(home)
    if not place.is_dir():
        return
    path = place / "open"
    with exclusive(place / "lock"):
        if path.exists() and path.stat().st_size:
            path.rename(place / f"{os.urandom(8).hex()}.segment")


def segments(home: Path) -> list[Segment]:
    """The closed files, oldest first."""
    found = []
    for entry in _entries(folder(home)):
        name, _, rest = entry.name.partition(".")
        done = rest.endswith(".done") and rest[:-5].isdigit()
        if not done and rest != "segment":
            continue
        try:
            written = entry.stat().st_mtime_ns
        except FileNotFoundError:  # committed since it was listed
            continue
        found.append((written, Segment(Path(entry.path), name, int(rest[:-5]) if done else 0, done=done)))
    return [segment for _, segment in sorted(found, key=lambda each: (each[0], each[1].name))]


def _entries(place: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return list(entries)
    except FileNotFoundError:
        return []


def finish(segment: Segment, end: int) -> None:
    """Mark a segment as committed up to ``end``."""
    segment.path.rename(segment.path.with_name(f"{segment.name}.{end}.done"))


def pending(home: Path, *, statements: bool) -> list[bytes]:
    """The lines with statements, or with facts, of everything that is not known to be committed, oldest first.

    Read this before the index: what is committed in between then shows there, never in neither.
    """
    place = folder(home)
    if not (place / "lock").exists():
        return []
    lines: list[bytes] = []
    with shared(place / "lock"):
        for path, offset in [*((each.path, each.offset) for each in segments(home)), (place / "open", 0)]:
            try:
                with path.open("rb") as file:
                    file.seek(offset)
                    content = file.read()
            except FileNotFoundError:  # committed since it was listed
                continue
            if not statements or STATEMENT in content:
                lines += [each for each in content.split(b"\n") if each and each.startswith(STATEMENT) is statements]
    return lines


def read(segment: Segment, offset: int, limit: int) -> Part:
    """At most ``limit`` records from ``offset`` on."""
    statements: list[Journalled] = []
    facts: list[bytes] = []
    torn, latest, end = 0, "", offset
    with segment.path.open("rb") as file:
        file.seek(offset)
        for line in file:
            end += len(line)
            record = line.strip()
            if not record:
                continue
            read_one = statement(record) or fact(record)
            if read_one is None:
                torn += 1
            elif isinstance(read_one, Fact):
                facts.append(record)
                latest = max(latest, read_one.at)
            else:
                statements.append(read_one)
            if len(facts) + len(statements) >= limit:
                break
    return Part(statements, facts, end, torn, latest)


def statement(line: bytes) -> Journalled | None:
    """The statement on a line of the journal, if it holds one."""
    return decode(line, Journalled) if line.startswith(STATEMENT) else None


def fact(line: bytes) -> Fact | None:
    """The fact on a line of the journal or of a batch, if it holds one."""
    return None if line.startswith(STATEMENT) else decode(line, Fact)
