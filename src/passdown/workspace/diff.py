"""What differs between two trees, and what they hold. Reads only; paths are the worktree's."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.workspace.git import GitError, zsplit
from passdown.workspace.names import MARKED, as_named, decode, encode
from passdown.workspace.place import Place
from passdown.workspace.private import reading

Status = Literal["added", "modified", "deleted", "mode", "type"]

_STATUS: dict[str, Status] = {"A": "added", "M": "modified", "D": "deleted", "T": "type"}
_LINK = b"120000"
_EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


class Change(Struct, frozen=True):
    """One path that differs; no renames. Line counts are None where not asked for or binary.

    Modes are git's six octal digits, ``000000`` where the path is absent; its blob is then "".
    """

    path: str
    status: Status
    added: int | None
    removed: int | None
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str


def tree_diff(place: Place, old: str, new: str, *, counts: bool = False) -> list[Change]:
    """Changes from ``old`` to ``new`` (tree or commit ids, "" is the empty tree), by path.

    PassdownError where one of them is not here.
    """
    if old == new and old in (place.head, ""):
        return []
    known = place.seen.once(("diff", old, new, counts), lambda: _tree_diff(place, old, new, counts=counts))
    return list(known)


def _tree_diff(place: Place, old: str, new: str, *, counts: bool) -> list[Change]:
    pair = (_treeish(place, old), _treeish(place, new))
    forms = ("--raw", "--numstat", *_PLAIN) if counts else ("--raw",)
    try:
        told = reading(place).run("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", *forms, *pair)
    except GitError as error:
        raise PassdownError(f"not in this clone: {old[:12] or new[:12]} or {new[:12]}", code=EXIT_UNDECIDED) from error
    return _pair(zsplit(told))


def spaced(place: Place, old: str, new: str, changes: Sequence[Change]) -> set[str]:
    """Which of ``changes`` (from ``old`` to ``new``, with counts) are in white space and blank lines alone."""
    wanted = {c.path for c in changes if c.status == "modified" and c.added is not None and c.old_mode == c.new_mode}
    if not wanted:
        return set()
    pair = (_treeish(place, old), _treeish(place, new))
    forms = ("--numstat", "-w", "--ignore-blank-lines", *_PLAIN)
    told = reading(place).run("diff-tree", "-r", "-z", "--no-renames", *forms, *pair)
    counted = _counts(told)
    more = {os.fsdecode(decode(path)) for path, lines in counted.items() if lines != (0, 0)}
    return wanted - more


def tree_diffs(place: Place, pairs: Sequence[tuple[str, str]], *, counts: bool = False) -> list[list[Change]]:
    """:func:`tree_diff` of each pair of tree ids ("" is the empty tree), all in one process."""
    if not pairs:
        return []
    forms = ("--raw", "--numstat") if counts else ("--raw",)
    asked = "".join(f"{old or _empty_tree(place)} {new or _empty_tree(place)}\n" for old, new in pairs)
    command = ("diff-tree", "--stdin", "-r", "-z", "--no-renames", "--no-abbrev", *forms, *_PLAIN)
    try:
        told = reading(place).run(*command, data=asked.encode())
    except GitError as error:
        raise PassdownError(f"not in this clone: {error.message}", code=EXIT_UNDECIDED) from error
    found = [_pair(fields) for fields in _by_pair(told)]
    if len(found) != len(pairs):
        raise PassdownError("a tree of this range is not in this clone", code=EXIT_UNDECIDED)
    return found


def _by_pair(told: bytes) -> Iterator[list[bytes]]:
    """The fields of each pair: git heads them with ``old new`` and a newline, and ends every other field with NUL."""
    fields: list[bytes] | None = None
    path_next = False
    for token in told.split(b"\0"):
        rest = token
        while not path_next and (header := _PAIR.match(rest)) is not None:
            if fields is not None:
                yield fields
            fields, rest = [], rest[header.end() :]
        if fields is not None and (rest or path_next):
            fields.append(rest)
            path_next = rest.startswith(b":") and not path_next
    if fields is not None:
        yield fields


def _pair(fields: list[bytes]) -> list[Change]:
    """The changes of one pair: ``:meta`` and path for each, then the counts."""
    raw = next((at for at in range(0, len(fields), 2) if not fields[at].startswith(b":")), len(fields))
    counted = _counts(b"".join(field + b"\0" for field in fields[raw:]))
    changes = [_change(head, path, counted) for head, path in zip(fields[:raw:2], fields[1:raw:2], strict=True)]
    return sorted(changes, key=lambda change: os.fsencode(change.path))


_PAIR = re.compile(rb"[0-9a-f]{40,64} [0-9a-f]{40,64}\n")
_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color")


def _treeish(place: Place, name: str) -> str:
    return name + "^{tree}" if name else _empty_tree(place)


def _empty_tree(place: Place) -> str:
    return _EMPTY_TREE[place.object_format]


def _held(path: str) -> list[str]:
    """The names under which a tree may hold the path."""
    raw = os.fsencode(path)
    return sorted({os.fsdecode(encode(raw)), os.fsdecode(encode(raw, link=True))})


def _counts(listing: bytes) -> dict[bytes, tuple[int | None, int | None]]:
    found: dict[bytes, tuple[int | None, int | None]] = {}
    for record in zsplit(listing):
        added, removed, path = record.split(b"\t", 2)
        found[path] = (None, None) if added == b"-" else (int(added), int(removed))
    return found


def _change(head: bytes, path: bytes, counted: dict[bytes, tuple[int | None, int | None]]) -> Change:
    old_mode, new_mode, old_blob, new_blob, letter = head[1:].decode("ascii").split(" ")
    status = _STATUS[letter[0]]
    if status == "modified" and old_blob == new_blob:
        status = "mode"
    added, removed = counted.get(path, (None, None))
    return Change(
        path=os.fsdecode(decode(path)),
        status=status,
        added=added,
        removed=removed,
        old_mode=old_mode,
        new_mode=new_mode,
        old_blob=old_blob if old_mode != "000000" else "",
        new_blob=new_blob if new_mode != "000000" else "",
    )


def patch(place: Place, old: str, new: str, paths: Sequence[str] = ()) -> bytes:
    """The unified diff for showing; foreign text."""
    wanted = [name for path in paths for name in _held(path)]
    pair = (_treeish(place, old), _treeish(place, new))
    return reading(place).run("diff-tree", "-r", "-p", "--no-renames", "--full-index", *_PLAIN, *pair, "--", *wanted)


def read_blob(place: Place, blob: str, limit: int | None = None) -> bytes:
    """The blob's bytes, at most ``limit`` of them; PassdownError where it is not here."""
    try:
        running = reading(place).start("cat-file", "blob", blob)
        if limit is None:
            return running.finish()
        with running.process as process:
            assert process.stdout is not None  # noqa: S101 - a pipe, see Git.start
            content = process.stdout.read(limit)
            process.stdout.close()
    except GitError as error:
        raise PassdownError(f"content is not in this clone: {blob[:12]}", code=EXIT_UNDECIDED) from error
    if process.returncode > 0 and not content:
        raise PassdownError(f"content is not in this clone: {blob[:12]}", code=EXIT_UNDECIDED)
    return content


def read_blobs(place: Place, blobs: Iterable[str], limit: int) -> dict[str, bytes]:
    """Blob id -> its bytes, at most ``limit`` of them, in one process; one that is not here is left out."""
    wanted = list(dict.fromkeys(blobs))
    if not wanted:
        return {}
    told = reading(place).run("cat-file", "--batch", data="".join(f"{blob}\n" for blob in wanted).encode())
    found, at = {}, 0
    for blob in wanted:
        end = told.index(b"\n", at)
        header, at = told[at:end].split(b" "), end + 1
        if header[-1] != b"missing":
            size = int(header[-1])
            found[blob] = told[at : at + min(size, limit)]
            at += size + 1
    return found


def read_path(place: Place, treeish: str, path: str) -> bytes | None:
    """The file's bytes in that tree or commit; None where it has no such file."""
    return read_paths(place, treeish, [path])[path]


def read_paths(place: Place, treeish: str, paths: Sequence[str]) -> dict[str, bytes | None]:
    """:func:`read_path` of each: one process says which of them are there, and one more reads each that is."""
    return read_beside(place, treeish, paths, "")[0]


def read_beside(
    place: Place, treeish: str, paths: Sequence[str], folder: str, limit: int | None = None
) -> tuple[dict[str, bytes | None], dict[str, bytes]]:
    """:func:`read_paths`, and the files that lie in ``folder`` itself, at most ``limit`` bytes of each.

    The same process says what is there; all files of the folder take one more.
    """
    blobs = look_up(place, treeish, paths, folder)
    found = {path: read_blob(place, blob) if (blob := blobs[path]) else None for path in paths}
    inside = f"{folder}/"
    beside = {path: blob for path, blob in blobs.items() if blob and folder and path.startswith(inside)}
    return found, _read_all(place, beside, limit)


def look_up(place: Place, treeish: str, paths: Sequence[str], folder: str = "") -> Mapping[str, str | None]:
    """Path -> blob, "" or None where there is none, of what was ever looked up in that tree or commit.

    Whoever reads these paths and the files in ``folder`` next asks no process again where they are.
    """
    known: dict[str, str | None] = place.seen.once(("paths", treeish), dict)
    inside = f"{folder}/"
    held = {name: path for path in paths if path not in known for name in _held(path)}
    wanted = [*held, inside] if folder and inside not in known else list(held)
    if wanted:
        told = zsplit(reading(place).run("ls-tree", "-z", _treeish(place, treeish), "--", *wanted))
        entries = [(head.split(b" "), os.fsdecode(name)) for head, _, name in (line.partition(b"\t") for line in told)]
        files = [(mode, blob, name) for (mode, kind, blob), name in entries if kind == b"blob"]
        found = {held.get(n, n): blob.decode("ascii") for mode, blob, n in files if n in held or mode != _LINK}
        known.update(dict.fromkeys(held.values()) | ({inside: ""} if folder else {}) | found)
    return known


def _read_all(place: Place, blobs: Mapping[str, str], limit: int | None) -> dict[str, bytes]:
    """Path -> bytes of each, in one process; PassdownError where one is not here."""
    read = read_blobs(place, blobs.values(), limit if limit is not None else sys.maxsize)
    missing = [blob for blob in blobs.values() if blob not in read]
    if missing:
        raise PassdownError(f"content is not in this clone: {missing[0][:12]}", code=EXIT_UNDECIDED)
    return {path: read[blob] for path, blob in blobs.items()}


def list_tree(place: Place, tree: str) -> dict[str, tuple[str, str]]:
    """All files of the tree or commit; a gitlink stands with its commit."""
    return place.seen.once(("list", tree), lambda: _list_tree(place, tree))


def _list_tree(place: Place, tree: str) -> dict[str, tuple[str, str]]:
    found = {}
    for record in os.fsdecode(reading(place).run("ls-tree", "-r", "-z", _treeish(place, tree))).split("\0")[:-1]:
        head, _, path = record.partition("\t")
        mode, _, blob = head.split(" ")
        found[as_named(path) if MARKED in path else path] = (mode, blob)
    return found
