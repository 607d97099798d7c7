"""Walking the worktree: every name in it, and which of them are content.

A walk that knows the last one's records asks git about new names only. The answer depends on the names, on the
``.gitignore`` files and on the set of tracked paths, never on what an earlier walk answered: whatever could change
an old answer makes the walk start over (:class:`StartOver`).
"""

from __future__ import annotations

import os
from collections.abc import Callable

from msgspec import Struct, field

from passdown.workspace.git import Git
from passdown.workspace.ignoring import CACHE_MARKS, ask, marked_cache, named_cache
from passdown.workspace.names import MARK, odd, refused
from passdown.workspace.nested import common_dir_of, other_worktree, repository_in
from passdown.workspace.tracked import Tracked

FILE, LINK, FOLDER, OTHER = b"f", b"l", b"d", b"o"
MOST_UNTRACKED = 200_000
"""More new names than this and only what is tracked is looked at: the snapshot says so and binds nothing."""

_SPECIAL = frozenset({b".gitignore", b".git"}) | CACHE_MARKS


class StartOver(Exception):  # noqa: N818 - it tells the caller what to do, it is no error
    """An old answer may no longer hold: walk again without the records."""


class Walk(Struct):
    """What one walk saw; paths are bytes from the worktree's root, without a slash at the end."""

    records: dict[bytes, bytes] = field(default_factory=dict)  # folder -> its names
    pruned: set[bytes] = field(default_factory=set)  # ignored folders, not entered
    marked: set[bytes] = field(default_factory=set)  # of these: only because of a cache's mark
    loose: set[bytes] = field(default_factory=set)  # .gitignore files that are no content
    content: set[bytes] = field(default_factory=set)  # content; after a walk with records: what is new
    hidden: set[bytes] = field(default_factory=set)
    odd: dict[bytes, str] = field(default_factory=dict)  # path -> f or l
    nested: dict[bytes, bytes] = field(default_factory=dict)  # root -> git dir
    worktrees: set[bytes] = field(default_factory=set)  # other worktrees of this repository, left out
    fakes: set[bytes] = field(default_factory=set)  # refused names; a `.git` that is no repository
    others: set[bytes] = field(default_factory=set)  # neither file, link nor folder
    unreadable: set[bytes] = field(default_factory=set)
    too_many: bool = False


class Walker(Struct):
    """One walk over ``root``. ``load`` gives the tracked paths; ``enlist`` adds those of a nested repository."""

    root: bytes
    git: Git
    common_dir: bytes
    load: Callable[[], Tracked]
    enlist: Callable[[bytes, bytes], None]
    seen: Walk = field(default_factory=Walk)
    all_tracked_known: bool = False  # ask about untracked names alone; else about all, and load what is tracked late
    _tracked: Tracked | None = None
    _unknown: list[tuple[bytes, bytes, bytes]] = field(default_factory=list)  # realm, path, kind

    @property
    def tracked(self) -> Tracked:
        """The tracked paths, loaded when they are first needed."""
        if self._tracked is None:
            self._tracked = self.load()
        return self._tracked

    def start(self) -> Walk:
        """Walk everything, asking about every name that is not tracked."""
        self.all_tracked_known = True
        inside = os.path.relpath(self.common_dir, self.root)
        if not inside.startswith(b"../"):
            self.seen.pruned.add(inside)  # a git dir under another name than `.git`
        self._enter(b"", b"")
        self._settle()
        return self.seen

    def again(self, old: Walk) -> Walk:
        """Walk with the records of ``old``; StartOver where they may mislead."""
        self.seen.pruned = old.pruned
        self.seen.marked = old.marked
        self.seen.loose = old.loose
        self.seen.nested = old.nested
        self.seen.worktrees = old.worktrees
        self.seen.hidden = set(old.hidden)
        if not self._holds(old):
            raise StartOver
        pending = [(b"", b"")]
        while pending:
            folder, realm = pending.pop()
            record = self._read(folder)
            known = old.records.get(folder)
            if known == record:
                names = [name[1:] for name in record.split(b"/") if name[:1] == FOLDER]
            else:
                names = self._changed(folder, realm, known, record)
            for name in names:
                path = folder + b"/" + name if folder else name
                if path not in old.pruned and name != b".git" and path not in old.worktrees:
                    pending.append((path, path if path in old.nested else realm))
        self._settle()
        return self.seen

    def _holds(self, old: Walk) -> bool:
        """Whether what the old answers rest on, besides names, is as it was."""
        if old.odd or old.fakes or old.unreadable or old.too_many:
            return False
        if not all(marked_cache(self.root, path) for path in old.marked):
            return False
        for path in old.worktrees:
            at = os.path.join(self.root, path)
            git_dir = repository_in(at)
            if git_dir is None or not other_worktree(at, git_dir, self.common_dir):
                return False
        return all(repository_in(os.path.join(self.root, path)) == at for path, at in old.nested.items())

    def _changed(self, folder: bytes, realm: bytes, known: bytes | None, record: bytes) -> list[bytes]:
        """Queue the new names of a folder; the known folders in it."""
        if known is None:
            raise StartOver  # a folder that came and went under one name
        old = set(known.split(b"/"))
        new = set(record.split(b"/"))
        for name in old ^ new:
            if name[1:] in _SPECIAL or refused(name[1:]):
                raise StartOver
        for name in new - old:
            inner = self._meet(folder, realm, name) if name else None
            if inner is not None:
                self._enter(inner, realm)
        return [name[1:] for name in new & old if name[:1] == FOLDER]

    def _read(self, folder: bytes) -> bytes:
        """The folder's record: kind and name of each entry, sorted."""
        names = []
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False):
                        kind = FILE
                    elif entry.is_dir(follow_symlinks=False):
                        kind = FOLDER
                    elif entry.is_symlink():
                        kind = LINK
                    else:
                        kind = OTHER
                    names.append(kind + entry.name)
                    if kind == OTHER:
                        self.seen.others.add(folder + b"/" + entry.name if folder else entry.name)
        except (FileNotFoundError, NotADirectoryError) as error:
            if folder:
                raise StartOver from error
            raise
        except PermissionError:
            self.seen.unreadable.add(folder)
        names.sort()
        record = b"/".join(names)
        self.seen.records[folder] = record
        return record

    def _enter(self, folder: bytes, realm: bytes) -> None:
        """Queue every name of a folder, and of the folders in it that are entered whatever git says."""
        pending = [folder]
        while pending:
            at = pending.pop()
            record = self._read(at)
            if not record:
                continue
            prefix = at + b"/" if at else b""
            plain = self.all_tracked_known and MARK not in record  # no name that we hold under another one
            known = self.tracked.entries if plain else {}
            for name in record.split(b"/"):
                if name[:1] == FILE and prefix + name[1:] in known:
                    self.seen.content.add(prefix + name[1:])
                    continue
                inner = self._meet(at, realm, name)
                if inner is not None:
                    pending.append(inner)

    def _meet(self, folder: bytes, realm: bytes, name: bytes) -> bytes | None:
        """Sort one entry; the path of a folder that is entered in any case."""
        kind, base = name[:1], name[1:]
        path = folder + b"/" + base if folder else base
        if kind == OTHER:
            return None
        if base == b".git" or refused(base):
            if folder or base != b".git":
                self._odd_or_repository(folder, path, kind)
            return None
        if path in self.seen.pruned:
            return None
        if self.all_tracked_known and kind == FOLDER and path in self.tracked.folders and not self._is_root(path):
            return path
        if self.all_tracked_known and kind != FOLDER and path in self.tracked.entries:
            self._content(path, kind)
        else:
            self._unknown.append((realm, path, kind))
        return None

    def _is_root(self, path: bytes) -> bool:
        return os.path.lexists(os.path.join(self.root, path, b".git"))

    def _odd_or_repository(self, folder: bytes, path: bytes, kind: bytes) -> None:
        """A ``.git`` of a nested repository is left alone; any other refused name is content."""
        if path.rpartition(b"/")[2] == b".git" and folder in self.seen.nested:
            return
        self.seen.fakes.add(path)
        if kind != FOLDER:
            self.seen.odd[path] = kind.decode()
            return
        for name in filter(None, self._read(path).split(b"/")):
            inner = path + b"/" + name[1:]
            if name[:1] != OTHER:
                self._odd_or_repository(path, inner, name[:1])

    def _settle(self) -> None:
        """Ask git about the queued names, folder level by folder level."""
        met = 0
        while self._unknown:
            queued, self._unknown = self._unknown, []
            met += len(queued)
            if met > MOST_UNTRACKED:
                self.seen.too_many = True
                return
            by_realm: dict[bytes, list[tuple[bytes, bytes]]] = {}
            for realm, path, kind in queued:
                by_realm.setdefault(realm, []).append((path, kind))
            for realm, met_there in by_realm.items():
                self._answer(realm, met_there)

    def _answer(self, realm: bytes, met: list[tuple[bytes, bytes]]) -> None:
        skip = len(realm) + 1 if realm else 0
        at = os.path.join(self.root, realm)
        git = self.git.having(GIT_WORK_TREE=os.fsdecode(at)).inside(os.fsdecode(at))
        for (path, kind), ignored in zip(met, ask(git, [path[skip:] for path, _ in met]), strict=True):
            hidden = False
            known = ignored is None or path in (self.tracked.folders if kind == FOLDER else self.tracked.entries)
            if ignored is not None and not known:
                source = realm + b"/" + ignored.source if realm else ignored.source
                hidden = source not in self.tracked.entries and not self._cached(path, kind)
            if known or hidden:
                self._admit(realm, path, kind, hidden=hidden)
            elif kind == FOLDER:
                self.seen.pruned.add(path)
            elif path.endswith(b".gitignore"):
                self.seen.loose.add(path)

    def _admit(self, realm: bytes, path: bytes, kind: bytes, *, hidden: bool) -> None:
        if kind != FOLDER:
            self._content(path, kind)
            if hidden:
                self.seen.hidden.add(path)
            return
        at = os.path.join(self.root, path)
        git_dir = repository_in(at) if self._is_root(path) else None
        if git_dir is not None and other_worktree(at, git_dir, self.common_dir):
            self.seen.worktrees.add(path)
        elif git_dir is None or common_dir_of(git_dir) == self.common_dir:
            self._enter(path, realm)
        else:
            self.seen.nested[path] = git_dir
            self.enlist(path, git_dir)
            self._enter(path, path)

    def _cached(self, path: bytes, kind: bytes) -> bool:
        """Is the path a tool's cache, or inside one? Then an untracked ``.gitignore`` may hide it."""
        parts = path.split(b"/")
        if any(named_cache(part) for part in parts):
            return True
        folders = parts if kind == FOLDER else parts[:-1]
        for depth in range(len(folders), 0, -1):
            folder = b"/".join(folders[:depth])
            if marked_cache(self.root, folder):
                self.seen.marked.add(folder)
                return True
        return False

    def _content(self, path: bytes, kind: bytes) -> None:
        if odd(path, kind.decode()):
            self.seen.odd[path] = kind.decode()
        else:
            self.seen.content.add(path)
