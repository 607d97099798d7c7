"""The sessions of Claude Code that worked in a worktree."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

import msgspec

from passdown.agents.elsewhere import worked
from passdown.agents.ends import ends, modified, must_end
from passdown.agents.places import Worktree, folders_in
from passdown.agents.protocol import FoundSession
from passdown.agents.wire import Wire


class Mark(msgspec.Struct, rename="camel"):
    """What a record says about where and when."""

    uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    is_sidechain: bool | None = None


class Seen(msgspec.Struct):
    """A transcript by its first and last records."""

    found: FoundSession
    first: str | None
    last: str | None


MARK = Wire(Mark)
_HEAD = 8 * 1024  # bytes, in which a session's own file nearly always names it


def projects(env: Mapping[str, str]) -> Path | None:
    """Return the folder of the transcripts: CLAUDE_CONFIG_DIR, else ~/.claude."""
    home = env.get("CLAUDE_CONFIG_DIR") or (f"{env['HOME']}/.claude" if env.get("HOME") else None)
    return Path(home) / "projects" if home else None


def find(root: Path, env: Mapping[str, str]) -> list[FoundSession]:
    """List the sessions that worked in ``root``; of copies made by resuming, the newest continuation alone."""
    folder, here = projects(env), Worktree(root)
    seen = [one for path in _transcripts(folder) if (one := _seen(path, here))] if folder else []
    return [one.found for one in seen if not any(_continues(other, one) for other in seen)]


def _transcripts(folder: Path) -> Iterator[Path]:
    return (path for path in folder.glob("*/*.jsonl") if not path.name.startswith("agent-"))


def _seen(path: Path, here: Worktree) -> Seen | None:
    try:
        start, end = ends(path)
    except OSError:
        return None
    named = here.named_in(start) or here.named_in(end)
    if not named and not worked(path, here, folders_in(start)):
        return None
    marks = list(_marks(start, end))
    main = [mark for mark in marks if mark.cwd and not mark.is_sidechain]
    folders = [mark.cwd for mark in main if mark.cwd]
    if not main or (named and not here.holds(folders) and not worked(path, here, folders)):
        return None
    times = [mark.timestamp for mark in marks if mark.timestamp]
    ids = [mark.uuid for mark in marks if mark.uuid]
    found = FoundSession(
        agent="claude",
        session=_id(path, main) or path.stem,
        path=path,
        started=min(times, default=None),
        modified=max(times, default="") or modified(path),
        cwd=main[-1].cwd,
    )
    return Seen(found, ids[0] if ids else None, ids[-1] if ids else None)


def session_id(path: Path) -> str | None:
    """Tell a transcript's session: resuming may have copied records of older ones into it; None if it does not say."""
    name = os.fsencode(path.stem)
    try:
        must_end(path)
        with path.open("rb", buffering=0) as stream:
            if b'"sessionId":"%s"' % name in stream.read(_HEAD):
                return path.stem
        start, end = ends(path)
    except OSError:
        return None
    if (name in start or name in end) and any(mark.session_id == path.stem for mark in _marks(start, end)):
        return path.stem
    lines = chain(reversed(end.split(b"\n")), () if start is end else reversed(start.split(b"\n")))
    return next((mark.session_id for mark in _decoded(lines) if mark.session_id), None)


def _marks(start: bytes, end: bytes) -> Iterator[Mark]:
    """Decode what the first and the last records say."""
    return _decoded(chain(start.split(b"\n"), () if start is end else end.split(b"\n")))


def _decoded(lines: Iterable[bytes]) -> Iterator[Mark]:
    return (mark for line in lines if line and (mark := MARK.decode(line)))


def _id(path: Path, marks: list[Mark]) -> str | None:
    """The id that the file is named by, if one of its records has it; else the last one."""
    ids = [mark.session_id for mark in marks if mark.session_id]
    return path.stem if path.stem in ids else ids[-1] if ids else None


def _continues(newer: Seen, older: Seen) -> bool:
    """Say whether ``newer`` holds a copy of all of ``older``: the same first record, and its last one too."""
    if newer is older or newer.first is None or newer.first != older.first or older.last is None:
        return False
    if (newer.found.modified, newer.found.path) <= (older.found.modified, older.found.path):
        return False
    with newer.found.path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(older.last.encode()) >= 0
