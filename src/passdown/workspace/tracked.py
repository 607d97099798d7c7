"""The set of paths that git tracks, from the user's index; read through the private git dir, never written."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from passdown.workspace.git import Git, Running, zsplit

GITLINK = b"160000"


@dataclass(slots=True)
class Tracked:
    """Entries of the worktree's index and of the indexes of nested repositories; paths from the worktree's root."""

    entries: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict)  # path -> mode, blob
    links: dict[bytes, bytes] = field(default_factory=dict)  # path -> commit
    sparse: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict)  # marked skip-worktree
    unmerged: set[bytes] = field(default_factory=set)
    folders: set[bytes] = field(default_factory=set)  # every folder above an entry, no slash at the end
    own_folders: set[bytes] = field(default_factory=set)  # of these: above an entry of the worktree's own index

    def add(self, listing: bytes, prefix: bytes = b"") -> None:
        """Take in the output of ``ls-files -t -s -z`` of the repository at ``prefix``."""
        for record in zsplit(listing):
            head, _, path = record.partition(b"\t")
            tag, mode, blob, stage = head.split(b" ")
            full = prefix + path
            if mode == GITLINK:
                if not prefix:
                    self.links[full] = blob
                continue
            if stage != b"0" and not prefix:
                self.unmerged.add(full)
            self.enter(full, (mode, blob))
            if tag == b"S" and not prefix:
                self.sparse[full] = (mode, blob)
        if not prefix:
            self.own_folders = set(self.folders)

    def enter(self, path: bytes, entry: tuple[bytes, bytes]) -> None:
        """Add one entry and the folders above it."""
        self.entries[path] = entry
        folder = path.rpartition(b"/")[0]
        while folder and folder not in self.folders:
            self.folders.add(folder)
            folder = folder.rpartition(b"/")[0]


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
