"""What commits change, as lines: read once from one stream of git's, whatever happened to their ids since."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct, field

from passdown.workspace.git import GitError
from passdown.workspace.place import Place
from passdown.workspace.private import reading

LARGEST = 4 * 1024 * 1024
"""Bytes of patch text that one change may have; of a larger one its files alone are known."""
_HEAD = re.compile(rb"[0-9a-f]{40,64}(?: [0-9a-f]{40,64})?")
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_SPACE = re.compile(rb"\s+")
_FORMS = (
    "--raw",
    "-p",
    "-U0",
    "--no-renames",
    "--full-index",
    "--no-abbrev",
    "--no-ext-diff",
    "--no-textconv",
    "--root",
)


class Lines(Struct):
    """One path's change: the blobs before and after (all zeros: absent), and the lines that went and came, in order."""

    old: bytes
    new: bytes
    removed: list[bytes] = field(default_factory=list)
    added: list[bytes] = field(default_factory=list)

    def digest(self, *, backwards: bool = False) -> bytes:
        """Of the lines without white space; of a file that git shows no lines of, of its blobs."""
        gone, come = (self.added, self.removed) if backwards else (self.removed, self.added)
        if not gone and not come:
            pair = (self.new, self.old) if backwards else (self.old, self.new)
            return hashlib.sha256(b"blobs " + b" ".join(pair)).digest()
        told = hashlib.sha256()
        for mark, lines in ((b"-", gone), (b"+", come)):
            told.update(b"".join(mark + _SPACE.sub(b"", line) + b"\n" for line in lines))
        return told.digest()


class Patch(Struct, dict=True):
    """A whole change; paths are as git writes them, quoted where it quotes them."""

    files: dict[bytes, Lines] = field(default_factory=dict)

    @cached_property
    def id(self) -> bytes | None:
        """Names the change without line numbers, context and white space, as `git patch-id`; None: no change."""
        return self._digest(backwards=False)

    @cached_property
    def undoing(self) -> bytes | None:
        """The :attr:`id` of what takes this change back."""
        return self._digest(backwards=True)

    @cached_property
    def added(self) -> Counter[tuple[bytes, bytes]]:
        """(path, line) of the lines that say something: three characters and more."""
        return Counter((p, bare) for p, f in self.files.items() for line in f.added if len(bare := line.strip()) >= 3)  # noqa: PLR2004

    @cached_property
    def removed(self) -> Counter[tuple[bytes, bytes]]:
        """The same of those that went."""
        return Counter((p, bare) for p, f in self.files.items() for line in f.removed if len(bare := line.strip()) >= 3)  # noqa: PLR2004

    def _digest(self, *, backwards: bool) -> bytes | None:
        if not self.files:
            return None
        parts = (path + b"\0" + change.digest(backwards=backwards) for path, change in sorted(self.files.items()))
        return hashlib.sha256(b"".join(parts)).digest()


def of_commits(place: Place, commits: Sequence[str]) -> dict[str, Patch]:
    """Each commit against its first parent; a merge changes nothing of its own."""
    return {name.decode("ascii"): patch for name, patch in _read(place, commits)}


def between(place: Place, pairs: Sequence[tuple[str, str]]) -> list[Patch | None]:
    """From the first tree to the second of each pair; None where one of them is not in this clone."""
    here = _present(place, sorted({tree for pair in pairs for tree in pair}))
    asked = [pair for pair in dict.fromkeys(pairs) if here.issuperset(pair)]
    told = {tuple(name.decode("ascii").split()): patch for name, patch in _read(place, [" ".join(p) for p in asked])}
    return [told.get(pair, Patch()) if pair in asked else None for pair in pairs]


def _present(place: Place, trees: Sequence[str]) -> set[str]:
    data = "".join(f"{tree}\n" for tree in trees).encode()
    told = (
        reading(place)
        .run("cat-file", "--batch-check=%(objectname) %(objecttype)", data=data)
        .decode("utf-8", "replace")
    )
    return {line.split()[0] for line in told.splitlines() if line.endswith(" tree")}


def _read(place: Place, asked: Sequence[str]) -> Iterator[tuple[bytes, Patch]]:
    if not asked:
        return
    data = "".join(f"{line}\n" for line in asked).encode()
    try:
        told = reading(place).run("diff-tree", "--stdin", "-r", *_FORMS, data=data)
    except GitError:  # an object of one of them is not here: each for itself
        if len(asked) > 1:
            for line in asked:
                yield from _read(place, [line])
        return
    yield from _split(told.split(b"\n"))


def _split(lines: Sequence[bytes]) -> Iterator[tuple[bytes, Patch]]:
    """Each head with its patch: raw lines first, then the same files' hunks in the same order."""
    name, patch, at = b"", Patch(), 0
    order: Iterator[Lines] = iter(())
    current: Lines | None = None
    size = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        hunk = _HUNK.match(line)
        if hunk is not None and current is not None:
            old, new = (int(hunk[n]) if hunk[n] is not None else 1 for n in (1, 2))
            at, size = _hunk(lines, at, (old, new), current, size)
        elif line.startswith(b"diff --git "):
            current = next(order, None)
        elif line.startswith(b":"):
            meta, _, path = line.partition(b"\t")
            _, _, old_blob, new_blob, _ = meta.split(b" ")
            patch.files[path] = Lines(old_blob, new_blob)
            order = iter(list(patch.files.values()))
        elif _HEAD.fullmatch(line):
            if name:
                yield name, patch
            name, patch, order, current, size = line, Patch(), iter(()), None, 0
    if name:
        yield name, patch


def _hunk(lines: Sequence[bytes], at: int, left: tuple[int, int], change: Lines, size: int) -> tuple[int, int]:
    """Read one hunk's lines into the change; where it ends, and how much of this patch was read."""
    old, new = left
    while (old or new) and at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(b"\\"):
            continue
        size += len(line)
        if line.startswith(b"-"):
            old -= 1
            if size <= LARGEST:
                change.removed.append(line[1:])
        else:
            new -= 1
            if size <= LARGEST:
                change.added.append(line[1:])
    return at, size
