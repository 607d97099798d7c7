"""The private index: what the last snapshot held, with the stat data that make the next one quick."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from passdown.workspace.git import Git, Running, zjoin, zsplit
from passdown.workspace.own_block import KNOWN
from passdown.workspace.private import Private
from passdown.workspace.tracked import GITLINK, ZERO, Entry, signature

_MANY_LOOSE = 40  # in one of the 256 folders: some ten thousand in all
_FEW = 64  # paths that fit a command line


class Index(Struct, frozen=True):
    """Changes one index file of the private git dir; callers hold its lock."""

    private: Private
    git: Git  # sees the private objects alone
    view: Git  # sees all objects

    def signature(self) -> list[int] | None:
        """What changes with every rewrite of the index."""
        return signature(self.private.index)

    def paths(self) -> set[bytes]:
        """All paths in the index."""
        return set(zsplit(self.git.run("ls-files", "-z")))

    def entries(self, paths: Collection[bytes] | None = None) -> dict[bytes, Entry]:
        """Mode and blob of these paths, or of all."""
        few = [os.fsdecode(path) for path in paths] if paths is not None and len(paths) <= _FEW else []
        found = {}
        for record in zsplit(self.git.run("ls-files", "-s", "-z", "--", *few)):
            head, _, path = record.partition(b"\t")
            if paths is None or path in paths:
                mode, blob, _ = head.split(b" ")
                found[path] = (mode, blob)
        return found

    def start_compare(self) -> Running:
        """Start looking for paths whose stat data differ from the index."""
        return self.git.start("diff-files", "-z", "--name-status")

    def seed(self, head: str | None, user_index: str) -> None:
        """Fill an empty index from HEAD and the user's entries, all without stat data.

        Hashing against what is there (:meth:`start_refresh`) writes no object for a file that did not change.
        """
        theirs = self.view.having(GIT_INDEX_FILE=user_index)
        if head is None or not self.view.ok("read-tree", head):
            entries = theirs.run("ls-files", "-s", "-z")
            own = zjoin(line for line in zsplit(entries) if not line.startswith(GITLINK) and b" 0\t" in line)
            if own:
                self.git.run("update-index", "-z", "--index-info", data=own)
            return
        parts = zsplit(theirs.run("diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", head))
        puts: dict[bytes, Entry] = {}
        for what, path in zip(parts[::2], parts[1::2], strict=True):
            _, mode, _, blob, status = what.split(b" ")
            if status in {b"A", b"M", b"T"} and mode != GITLINK:
                puts[path] = (mode, blob)
        self.apply((), puts)

    def start_refresh(self) -> Running:
        """Start hashing the files of entries without stat data; exit status 0: no file differs."""
        return self.git.start("update-index", "--refresh")

    def distrust(self, paths: Collection[bytes]) -> None:
        """Take the stat data from entries, so that their files are hashed the next time."""
        self.apply((), self.entries(paths))

    def apply(self, removes: Iterable[bytes], puts: Mapping[bytes, Entry]) -> None:
        """Remove and set entries as told; what is set has no stat data, so its file is hashed the next time."""
        zero = ZERO[self.private.object_format]
        lines = [b"0 " + zero + b"\t" + path for path in removes]
        lines += [mode + b" " + blob + b"\t" + path for path, (mode, blob) in puts.items()]
        if lines:
            self.git.run("update-index", "-z", "--index-info", data=zjoin(lines))

    def rehash(self, paths: Iterable[bytes]) -> None:
        """Hash these files into the index; one that is gone leaves it."""
        data = zjoin(paths)
        if data:
            self.git.run("update-index", "-z", "--add", "--remove", "--replace", "--stdin", data=data)

    def write_tree(self) -> str:
        """The index as a tree."""
        return self.view.run("write-tree", "--missing-ok").decode("ascii").strip()

    def tidy(self, tree: str) -> None:
        """Pack what the tree needs and drop other private objects, once there are many loose ones."""
        objects = self.private.git_dir / "objects"
        try:
            if len(os.listdir(objects / "17")) <= _MANY_LOOSE:
                return
        except FileNotFoundError:
            return
        import shutil  # noqa: PLC0415 - few commands need it

        (self.private.git_dir / KNOWN).unlink(missing_ok=True)  # its trees may be among what goes
        old = set((objects / "pack").iterdir())
        packing = ("pack-objects", "--revs", "--quiet", "--local", "--non-empty", "--window=0")
        self.view.run(*packing, str(objects / "pack/pack"), data=f"{tree}\n".encode())
        for folder in objects.glob("[0-9a-f][0-9a-f]"):
            shutil.rmtree(folder)
        if set((objects / "pack").iterdir()) != old:  # else the same pack was written over itself
            for path in old:
                path.unlink()

    def graft(self, removes: Iterable[bytes], puts: Mapping[bytes, Entry]) -> str:
        """The tree of the index with these changes; the index stays as it is."""
        copy = self.private.git_dir / "graft"
        copy.unlink(missing_ok=True)
        if self.private.index.exists():
            import shutil  # noqa: PLC0415 - few commands need it

            shutil.copyfile(self.private.index, copy)
        grafted = Index(
            self.private,
            self.git.having(GIT_INDEX_FILE=str(copy)),
            self.view.having(GIT_INDEX_FILE=str(copy)),
        )
        grafted.apply(removes, puts)
        try:
            return grafted.write_tree()
        finally:
            copy.unlink(missing_ok=True)


def compared(listing: bytes) -> tuple[set[bytes], set[bytes]]:
    """``(deleted, changed)`` of the listing that :meth:`Index.start_compare` gave."""
    parts = zsplit(listing)
    deleted: set[bytes] = set()
    changed: set[bytes] = set()
    for status, path in zip(parts[::2], parts[1::2], strict=True):
        (deleted if status == b"D" else changed).add(path)
    return deleted, changed


def changed_between(root: bytes, paths: Iterable[bytes], start: float, end: float) -> set[bytes]:
    """Paths whose ctime lies in this span of seconds since the epoch, a second more on both sides.

    Git compares whole seconds: where it hashed a file and stored its stat data in that span, a later write in the
    same second, of the same size and with its mtime put back, looks like no change. The kernel's clock for files
    lags behind the one that ``time`` reads.
    """
    recent, top = set(), os.path.join(root, b"")
    for path in paths:
        try:
            changed = os.lstat(top + path).st_ctime
        except OSError:
            continue
        if int(start) - 1 <= int(changed) <= int(end) + 1:
            recent.add(path)
    return recent
