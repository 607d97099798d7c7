"""The block that Passdown itself keeps in a file for people: no snapshot holds it, so it is nobody's change.

What counts is exactly the bytes that were written. A file whose block was edited, or that a person wrote in outside it,
differs by just that.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passdown.errors import PassdownError
from passdown.rules.marked_block import is_block, is_note, span
from passdown.workspace.git import zjoin
from passdown.workspace.hashing import write_blob
from passdown.workspace.place import Place
from passdown.workspace.private import Private, private_at
from passdown.workspace.result import Snapshot

if TYPE_CHECKING:
    from passdown.workspace.diff import Change

T = TypeVar("T")
KNOWN = "own-known"
"""In the private git dir, with whose objects it goes: trees with our blocks -> the trees without them."""
_BLOCKS = "own-blocks"
_WRITTEN = "blocks-written"
FILE_LIMIT = 4 * 1024 * 1024
_MOST = 64


def remember(place: Place, path: str, block: bytes) -> None:
    """The file at ``path`` (repository-relative) holds this block from now on; b"": none any more."""
    private = private_at(place)
    blocks = _read(private.folder / _BLOCKS, dict[str, bytes])
    written = _read(place.home / _WRITTEN, list[str])
    blocks.pop(path, None)
    if block:
        blocks[path] = block
    private.folder.mkdir(parents=True, exist_ok=True)
    _write(private.folder / _BLOCKS, blocks)
    _write(place.home / _WRITTEN, list(dict.fromkeys([*written, _digest(block)]))[-_MOST * _MOST :])
    (private.git_dir / KNOWN).unlink(missing_ok=True)


def remembered(place: Place, path: str) -> bytes:
    """The block that the file at ``path`` was last given; b"": none."""
    return _read(private_at(place).folder / _BLOCKS, dict[str, bytes]).get(path, b"")


def left_out(place: Place, private: Private, found: Snapshot) -> Snapshot:
    """The snapshot without our blocks; one that git has committed stays where git has it."""
    kept = _read(private_at(place).folder / _BLOCKS, dict[str, bytes])
    blocks = {path: block for path, block in kept.items() if is_note(path) and is_block(os.fsdecode(block))}
    if not blocks:
        return found
    known = _read(private.git_dir / KNOWN, dict[str, str])
    keys = [f"{found.tree} raw", f"{found.commit_tree} {place.head}"]
    if not known.keys() >= set(keys):
        cutting = _Cutting(private, place.root, blocks)
        known[keys[0]] = cutting.raw(found.tree)
        known[keys[1]] = cutting.committed(found.commit_tree, place.head) if found.commit_tree and place.head else ""
        _write(private.git_dir / KNOWN, dict(list(known.items())[-_MOST:]))
    return replace(found, tree=known[keys[0]], commit_tree=known[keys[1]] or found.commit_tree)


def not_ours(place: Place, changes: list[Change]) -> list[Change]:
    """The changes without those of a file's block alone, where each block of it is one that Passdown wrote."""
    written = set(_read(place.home / _WRITTEN, list[str]))
    return [c for c in changes if not _block_alone(place, c, written)] if written else changes


def _block_alone(place: Place, change: Change, written: set[str]) -> bool:
    if (
        not is_note(change.path)
        or change.status not in ("added", "modified")
        or "120000" in (change.old_mode, change.new_mode)
    ):
        return False
    from passdown.workspace.diff import read_blob  # noqa: PLC0415 - only where a block was written

    sides = [read_blob(place, blob, FILE_LIMIT) if blob else b"" for blob in (change.old_blob, change.new_blob)]
    rests = []
    for text in (os.fsdecode(side) for side in sides):
        try:
            found = span(text, name=change.path)
        except PassdownError:
            return False
        block = os.fsencode(text[found[0] : found[1]]) if found else b""
        if block and _digest(block) not in written:
            return False
        rests.append((text[: found[0]] + text[found[1] :] if found else text).rstrip("\n"))
    return rests[0] == rests[1] and sides[0] != sides[1]


def _digest(block: bytes) -> str:
    return hashlib.sha256(block.strip(b"\n")).hexdigest()


class _Cutting(Struct, frozen=True):
    """Takes blocks out of trees."""

    private: Private
    root: Path
    blocks: dict[str, bytes]

    def raw(self, tree: str) -> str:
        """Each file without its block; one that is nothing else is not there."""
        lines = []
        for path, block in self.blocks.items():
            mode, blob = self._entry(tree, path)
            data = _content(self.root, path) if blob else None
            if data is not None and block in data and blob_id(data, len(blob)) == blob:
                rest = data.replace(block, b"", 1)
                kept = write_blob(self.private.writer(), rest).decode() if rest else ""
                lines.append(_line(path, mode, kept, len(blob)))
        return self._changed(tree, lines)

    def committed(self, tree: str, head: str) -> str:
        """A file whose difference from HEAD is the block alone, as HEAD has it."""
        lines = []
        for path, block in self.blocks.items():
            _, blob = self._entry(tree, path)
            mode, before = self._entry(head, path)
            if not blob or blob == before:
                continue
            now, old = self._blob(blob), self._blob(before) if before else b""
            if block in now and now.replace(block, b"", 1) == old:
                lines.append(_line(path, mode, before, len(blob)))
        return self._changed(tree, lines)

    def _blob(self, blob: str) -> bytes:
        return self.private.view().run("cat-file", "blob", blob)

    def _entry(self, tree: str, path: str) -> tuple[str, str]:
        """Mode and blob of a file, ("", "") where there is none."""
        found = os.fsdecode(self.private.view().run("ls-tree", "-z", tree, "--", path)).split("\0")[0]
        head = found.partition("\t")[0].split(" ")
        return (head[0], head[2]) if len(head) == 3 and head[1] == "blob" else ("", "")  # noqa: PLR2004 - mode, type, id

    def _changed(self, tree: str, lines: list[bytes]) -> str:
        if not lines:
            return tree
        git = self.private.view().having(GIT_INDEX_FILE=str(self.private.git_dir / "own-index"))
        git.run("read-tree", tree)
        git.run("update-index", "-z", "--index-info", data=zjoin(lines))
        return git.run("write-tree", "--missing-ok").decode("ascii").strip()


def _line(path: str, mode: str, blob: str, length: int) -> bytes:
    return os.fsencode(f"{mode} {blob}\t{path}" if blob else f"0 {'0' * length}\t{path}")


def _content(root: Path, path: str) -> bytes | None:
    """The file's bytes; None for what is no plain file."""
    try:
        handle = os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read() if os.path.isfile(handle) else None


def blob_id(data: bytes, length: int) -> str:
    """What git names these bytes, in so many hexadecimal digits."""
    name = "sha1" if length == 40 else "sha256"  # noqa: PLR2004 - hexadecimal digits of SHA-1
    return hashlib.new(name, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _read(file: Path, shape: type[T]) -> T:
    try:
        return msgspec.json.decode(file.read_bytes(), type=shape)
    except (OSError, msgspec.DecodeError):
        return shape()


def _write(file: Path, value: object) -> None:
    new = file.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(value))
    os.replace(new, file)
