"""The set of paths that git tracks, from the user's index; read through the private git dir, never written."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct, field

from passdown.workspace.git import Git, Running, zsplit

GITLINK = b"160000"
ZERO = {"sha1": b"0" * 40, "sha256": b"0" * 64}
"""No object, by object format."""

Entry = tuple[bytes, bytes]  # mode, blob

_PLAIN = (b"H 100644 ", b"H 100755 ", b"H 120000 ")


class Tracked(Struct):
    """Entries of the worktree's index and of the indexes of nested repositories; paths from the worktree's root."""

    entries: dict[bytes, bytes] = field(default_factory=dict)  # path -> its record in the listing
    links: dict[bytes, bytes] = field(default_factory=dict)  # path -> commit, of the worktree's own index
    sparse: set[bytes] = field(default_factory=set)  # marked skip-worktree
    unmerged: set[bytes] = field(default_factory=set)
    folders: set[bytes] = field(default_factory=set)  # every folder above an entry, no slash at the end
    own_folders: set[bytes] = field(default_factory=set)  # of these: above an entry of the worktree's own index

    def add(self, listing: bytes, prefix: bytes = b"") -> None:
        """Take in the output of ``ls-files -t -s -z`` of the repository at ``prefix``."""
        records = zsplit(listing)
        if not records:
            return
        cut = records[0].index(b"\t") + 1  # every record begins alike: tag, mode, blob, stage
        entries = {prefix + record[cut:]: record for record in records}
        for record in records:
            if not record.startswith(_PLAIN) or record[cut - 2 : cut - 1] != b"0":
                self._special(record, prefix + record[cut:], entries, own=not prefix)
        self.entries |= entries
        self._climb(entries)
        if not prefix:
            self.own_folders = set(self.folders)

    def _special(self, record: bytes, path: bytes, entries: dict[bytes, bytes], *, own: bool) -> None:
        tag, mode, blob, stage = record.partition(b"\t")[0].split(b" ")
        if mode == GITLINK:
            entries.pop(path, None)
            if own:
                self.links[path] = blob
        elif stage != b"0":
            if own:
                self.unmerged.add(path)
        elif tag == b"S" and own:
            self.sparse.add(path)

    def _climb(self, paths: dict[bytes, bytes]) -> None:
        for folder in {path.rpartition(b"/")[0] for path in paths}:
            at = folder
            while at and at not in self.folders:
                self.folders.add(at)
                at = at.rpartition(b"/")[0]

    def remembered(self, paths: list[bytes]) -> None:
        """Take in paths alone."""
        self.entries = dict.fromkeys(paths, b"")
        self._climb(self.entries)

    def entry(self, path: bytes) -> Entry | None:
        """Mode and blob of a merged entry."""
        record = self.entries.get(path)
        if not record or path in self.unmerged:
            return None
        _, mode, blob, _ = record.partition(b"\t")[0].split(b" ")
        return mode, blob


def start_listing(git: Git, index: Path) -> Running | None:
    """Start listing a user's index with blobs and flags; None where there is none."""
    if not index.exists():
        return None
    return git.having(GIT_INDEX_FILE=str(index)).start("ls-files", "-t", "-s", "-z")


def lend_shared_indexes(index: Path, git_dir: Path) -> None:
    """A split index names a file beside it, and git looks for that in its git dir: hold a copy in ours."""
    for shared in index.parent.glob("sharedindex.*"):
        target = git_dir / shared.name
        if not target.exists():
            import shutil  # noqa: PLC0415 - few commands need it

            shutil.copyfile(shared, target)
    for lent in git_dir.glob("sharedindex.*"):
        if not (index.parent / lent.name).exists():
            lent.unlink(missing_ok=True)


def signature(path: Path | str | bytes) -> list[int] | None:
    """What changes with every rewrite of the file; None where it is not there."""
    try:
        seen = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return [seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino]
