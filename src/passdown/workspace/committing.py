"""The tree as git would commit it: gitlinks, normalised text, LFS pointers; without what git would leave out.

No filter driver ever runs: the git dir used here configures none, and LFS pointers are three lines of our own.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from msgspec import Struct, field

from passdown.workspace.git import Git, zjoin, zsplit
from passdown.workspace.hashing import LINK_MODE, write_blob
from passdown.workspace.index import Index
from passdown.workspace.place import Place
from passdown.workspace.private import Private
from passdown.workspace.settings import Settings
from passdown.workspace.tracked import GITLINK, ZERO, Entry, Tracked
from passdown.workspace.walk import Walk

_ATTRIBUTES = ("text", "crlf", "eol", "ident", "working-tree-encoding", "filter")
_CHANGING = frozenset({"text", "crlf", "eol", "ident", "working-tree-encoding"})
_POINTER = b"version https://git-lfs.github.com/spec/v1\n"


class Committing(Struct):
    """Computes the commit tree of the private index as it stands."""

    place: Place
    private: Private
    index: Index
    settings: Settings
    walk: Walk
    tracked: Tracked
    heads: Mapping[bytes, bytes]  # nested repository -> HEAD, b"": no commit
    differing: dict[bytes, tuple[bytes, Entry]] = field(default_factory=dict)  # path -> raw blob, entry
    changed: AbstractSet[bytes] | None = None  # paths to look at again; None: all

    def tree(self, raw_tree: str, content: Callable[[], dict[bytes, Entry]]) -> str | None:
        """The commit tree; ``content`` lists the private index. None where the user's index is unmerged."""
        if self.tracked.unmerged:
            return None
        removes: set[bytes] = set(self.walk.hidden)
        puts: dict[bytes, Entry] = {}
        self._links(puts)
        normalise = self.normalises()
        if not (puts or self.matters()):
            return raw_tree
        excluded = self._excluded()
        entries = content()
        removes |= {path for path in entries if path in excluded and path not in self.tracked.entries}
        removes |= set(self._inside_nested(entries))
        if normalise:
            self._normalise({path: entry for path, entry in entries.items() if path not in removes})
            puts |= {path: entry for path, (_, entry) in self.differing.items() if path not in removes}
        return self.index.graft(removes, puts)

    def matters(self) -> bool:
        """Whether anything but the user's index could make the commit tree differ from the raw one."""
        told = (self.walk.hidden, self.walk.nested, self.walk.odd, self._exclude_files(), self.normalises())
        return any(told)

    def normalises(self) -> bool:
        """Whether any file could be committed with other bytes than it has."""
        if self.settings.normalises or _has_lines(self.place.common_dir / "info/attributes"):
            return True
        return any(b".gitattributes" in record for record in self.walk.records.values())

    def _links(self, puts: dict[bytes, Entry]) -> None:
        """Gitlinks: a nested repository's HEAD, or what the user's index says where it is not checked out."""
        for path, head in self.heads.items():
            if len(head) == len(ZERO[self.place.object_format]) and path not in self.tracked.own_folders:
                puts[path] = (GITLINK, head)
        for path, commit in self.tracked.links.items():
            if path not in self.heads and os.path.isdir(os.path.join(os.fsencode(self.place.root), path)):
                puts[path] = (GITLINK, commit)

    def _inside_nested(self, entries: Iterable[bytes]) -> Iterable[bytes]:
        roots = tuple(path + b"/" for path in self.walk.nested if path not in self.tracked.own_folders)
        return [path for path in entries if path.startswith(roots)] if roots else []

    def _excluded(self) -> set[bytes]:
        """Untracked paths that the user's own excludes keep out of commits."""
        told = [f"--exclude-from={path}" for path in self._exclude_files()]
        if not told:
            return set()
        git = self.private.view().having(GIT_INDEX_FILE=str(self.place.git_dir / "index"))
        return set(zsplit(git.run("ls-files", "-z", "-o", "-i", *told)))

    def _exclude_files(self) -> list[Path]:
        files = [self.place.common_dir / "info/exclude"]
        if self.settings.excludes:
            files.append(Path(os.path.expanduser(self.settings.excludes)))
        return [path for path in files if _has_lines(path)]

    def _normalise(self, entries: Mapping[bytes, Entry]) -> None:
        """Bring ``differing`` up to date with these entries."""
        files = {path: entry for path, entry in entries.items() if entry[0] != LINK_MODE}
        old = self.differing if self.changed is not None else {}
        fresh = [path for path in files if self.changed is None or path in self.changed]
        self.differing = {
            path: (raw, (files[path][0], entry[1]))
            for path, (raw, entry) in old.items()
            if path in files and files[path][1] == raw and path not in (self.changed or ())
        }
        git = self._git()
        changed, pointers = self._candidates(git, fresh)
        for path in pointers:
            blob = self._pointer(git, path)
            if blob is not None:
                self.differing[path] = (files[path][1], (files[path][0], blob))
        for path, blob in self._as_added(git, changed):
            self.differing[path] = (files[path][1], (files[path][0], blob))

    def _git(self) -> Git:
        """A git dir with the repository's attributes instead of the raw ones."""
        folder = self.private.folder / "commit"
        for name in ("objects", "refs", "info"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "config").write_text((self.private.git_dir / "config").read_text())
        (folder / "HEAD").write_text("ref: refs/heads/none\n")
        source = self.place.common_dir / "info/attributes"
        (folder / "info/attributes").write_bytes(source.read_bytes() if source.is_file() else b"")
        (folder / "index").unlink(missing_ok=True)
        return self.private.view().having(
            GIT_DIR=str(folder),
            GIT_OBJECT_DIRECTORY=str(self.private.git_dir / "objects"),
        )

    def _candidates(self, git: Git, paths: list[bytes]) -> tuple[list[bytes], list[bytes]]:
        """``(may be normalised, LFS)`` of these paths."""
        if not paths:
            return [], []
        told = zsplit(git.run("check-attr", "-z", "--stdin", *_ATTRIBUTES, data=zjoin(paths)))
        changed: dict[bytes, None] = {}
        pointers: dict[bytes, None] = {}
        for path, name, value in zip(told[::3], told[1::3], told[2::3], strict=True):
            if name == b"filter" and value == b"lfs":
                pointers[path] = None
            elif name.decode() in _CHANGING and value not in {b"unspecified", b"unset"}:
                changed[path] = None
        if self.settings.normalises:
            changed |= dict.fromkeys(paths)
        return [path for path in changed if path not in pointers], list(pointers)

    def _as_added(self, git: Git, paths: list[bytes]) -> list[tuple[bytes, bytes]]:
        """``(path, blob)`` as `git add` would store these files.

        Starts from the user's entries, which decide whether text=auto leaves a file's CRLF alone.
        """
        if not paths:
            return []
        flags = ["-c", f"core.autocrlf={self.settings.autocrlf or 'false'}"]
        if self.settings.eol:
            flags += ["-c", f"core.eol={self.settings.eol}"]
        entries = {path: entry for path in paths if (entry := self.tracked.entry(path)) is not None}
        known = [mode + b" " + blob + b"\t" + path for path, (mode, blob) in entries.items()]
        if known:
            git.run("update-index", "-z", "--index-info", data=zjoin(known))
        adding = (*flags, "update-index", "-z", "--add", "--remove", "--stdin")
        # First without writing: git renews the mtime of an object that it would write and finds in the user's.
        git.run(*adding[:-1], "--info-only", "--stdin", data=zjoin(paths))
        found = {}
        for record in zsplit(git.run("ls-files", "-s", "-z")):
            head, _, path = record.partition(b"\t")
            found[path] = head.split(b" ")[1]
        missing = set(_missing(git, found.values()))
        absent = [path for path, blob in found.items() if blob in missing]
        if absent:
            git.run("update-index", "-z", "--index-info", data=zjoin(known) if known else b"")
            git.run(*adding, data=zjoin(absent))
        return list(found.items())

    def _pointer(self, git: Git, path: bytes) -> bytes | None:
        """The blob of the file's LFS pointer; None where the file is empty or a pointer itself."""
        total, size = hashlib.sha256(), 0
        with open(os.path.join(os.fsencode(self.place.root), path), "rb") as file:
            while chunk := file.read(1 << 20):
                if size == 0 and chunk.startswith(_POINTER):
                    return None
                total.update(chunk)
                size += len(chunk)
        if size == 0:
            return None
        return write_blob(git, _POINTER + f"oid sha256:{total.hexdigest()}\nsize {size}\n".encode())


def _missing(git: Git, blobs: Iterable[bytes]) -> list[bytes]:
    """Those of the blobs that are nowhere."""
    told = git.run("cat-file", "--batch-check=%(objectname)", data=b"".join(blob + b"\n" for blob in blobs))
    return [line.split(b" ")[0] for line in told.splitlines() if line.endswith(b" missing")]


def _has_lines(path: Path) -> bool:
    """Whether the file says anything besides comments."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return False
    return any(line.strip() and not line.lstrip().startswith(b"#") for line in lines)
