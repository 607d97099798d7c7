"""Taking a snapshot: walk, compare, hash what changed, write the tree."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.model.paths import printable
from passdown.workspace.committing import Committing
from passdown.workspace.control import control_digest, control_parts
from passdown.workspace.git import GitError, Running
from passdown.workspace.hashing import hash_odd
from passdown.workspace.index import Index, compared, recently_changed
from passdown.workspace.listing import Listings, digest_of_paths
from passdown.workspace.place import Place, user_git_at
from passdown.workspace.private import Private, ensure, locked, private_at, wipe
from passdown.workspace.result import Snapshot
from passdown.workspace.settings import read_settings, settings_signatures
from passdown.workspace.state import State, load, save
from passdown.workspace.tracked import Tracked, signature
from passdown.workspace.walk import StartOver, Walk, Walker

_ATTEMPTS = 4


def take(place: Place) -> Snapshot:
    """Snapshot the worktree as it is now.

    PassdownError where the private dir cannot be written, or where files change faster than they are read.
    """
    private = private_at(place)
    failure = "the worktree keeps changing"
    with locked(private):
        for attempt in range(_ATTEMPTS):
            try:
                return _Taking(place, private).run()
            except StartOver:
                continue
            except GitError as error:
                # A file that vanished while git read it, or a private index that cannot be trusted: the next
                # attempt starts from nothing.
                failure = error.message
                wipe(private)
            except OSError as error:
                wipe(private)
                if attempt == _ATTEMPTS - 1 or not isinstance(error, FileNotFoundError):
                    raise PassdownError(f"cannot snapshot {place.root}: {error}", code=EXIT_UNDECIDED) from error
    raise PassdownError(f"cannot snapshot {place.root}: {failure}", code=EXIT_UNDECIDED)


@dataclass(slots=True)
class _Taking:
    """One attempt, under the lock."""

    place: Place
    private: Private
    start: float = field(default_factory=time.time)
    index: Index = field(init=False)
    root: bytes = field(init=False)
    listings: Listings = field(init=False)
    unseen: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.index = Index(self.private, self.private.writer(), self.private.view())
        self.root = os.fsencode(self.place.root)
        self.listings = Listings(self.place, self.private)

    def run(self) -> Snapshot:
        """The snapshot; the state for the next one is saved."""
        old = load(self.private.state)
        if old is None or old.index is None or old.index != self.index.signature():
            old = None
            wipe(self.private)
        ensure(self.private)
        state = self._again(old) if old is not None else None
        control = control_digest(control_parts(self.place))
        if state is None:
            state = self._anew(old)
        if state is not old:
            save(self.private.state, state)
        return _result(state, control)

    # -- with the records of the last snapshot

    def _again(self, old: State) -> State | None:
        """The state after the last one's; None where it has to be found anew."""
        comparing = self.index.start_compare()
        try:
            heads = self._start_heads(old.walk.nested)
            walk = self._walk_again(old)
            told = _finished(heads)
        finally:
            listing = comparing.finish()
        deleted, changed = compared(listing)
        if walk is None or any(path.endswith(b".gitignore") for path in deleted | changed):
            return None
        return self._continue(old, walk, deleted, changed, told)

    def _walk_again(self, old: State) -> Walk | None:
        """The walk's news; None where the old answers may not hold."""
        if settings_signatures(self.place) != old.settings:
            return None
        if {path: signature(os.path.join(self.root, os.fsencode(path))) for path in old.loose} != old.loose:
            return None
        if None in old.loose.values():
            return None
        if self.listings.signatures(old.walk.nested) != old.user_indexes:
            tracked, entries = self.listings.read(old.walk.nested)
            if entries != old.entries and digest_of_paths(tracked) != old.tracked:
                return None
        try:
            return self._walker(self.listings.remembered, _never).again(old.walk)
        except StartOver:
            return None

    def _continue(
        self, old: State, walk: Walk, deleted: set[bytes], changed: set[bytes], heads: dict[str, str]
    ) -> State | None:
        """The state after what the walk and the comparison found; ``old`` itself where that is nothing."""
        absent = {os.fsencode(path) for path in old.absent}
        removes = deleted - absent - walk.content
        removes |= changed & walk.others
        adds = (changed - walk.others) | walk.content
        user_indexes = self.listings.signatures(walk.nested)
        if user_indexes == old.user_indexes and not (removes or adds or walk.odd) and heads == old.heads:
            if walk.records == old.walk.records and not walk.unreadable:
                return old
        if walk.odd or walk.unreadable or walk.too_many:
            return None
        walk.hidden -= removes
        tracked, entries = self.listings.read(walk.nested)
        return self._finish(old, walk, tracked, entries, (removes, adds, adds, absent))

    # -- from the worktree alone

    def _anew(self, old: State | None) -> State:
        """The state from a walk that asks about everything."""
        tracked, _ = self.listings.read()
        seeding: Running | None = None
        if old is None:
            seeding = self.index.seed(self.place.head, tracked.entries)

        def enlist(path: bytes, git_dir: bytes) -> None:
            self.listings.enlist(tracked, path, git_dir)

        try:
            walk = self._walker(lambda: tracked, enlist).start()
        finally:
            if seeding is not None:
                seeding.finish(allow=(0, 1))
        tracked, entries = self.listings.read(walk.nested)
        deleted, changed = compared(self.index.start_compare().finish())
        there = self.index.paths()
        sparse = tracked.sparse if tracked.sparse and read_settings(self.place).sparse else {}
        absent = {path for path in sparse if path not in walk.content}
        self.index.apply((), {path: sparse[path] for path in absent - there})
        removes = there - walk.content - absent
        adds = (walk.content - there) | (changed & walk.content) | (deleted & walk.content)
        self.listings.remember(tracked)
        return self._finish(old, walk, tracked, entries, (removes, adds, walk.content if old is None else adds, absent))

    def _walker(self, tracked: Callable[[], Tracked], enlist: Callable[[bytes, bytes], None]) -> Walker:
        return Walker(self.root, self.private.view(), os.fsencode(self.place.common_dir), tracked, enlist)

    # -- both

    def _finish(
        self,
        old: State | None,
        walk: Walk,
        tracked: Tracked,
        entries: str,
        work: tuple[set[bytes], set[bytes], AbstractSet[bytes], set[bytes]],
    ) -> State:
        """Bring the index up to date, write the trees, and doubt what changed just now."""
        removes, adds, hashed, absent = work
        user_indexes = self.listings.signatures(walk.nested)
        settings = settings_signatures(self.place)
        heads = _finished(self._start_heads(walk.nested))
        self.index.apply(removes, {})
        self._rehash(adds, walk)
        raw = self.index.write_tree()
        tree = self.index.graft((), hash_odd(self.index.git, self.root, walk.odd)) if walk.odd else raw
        committing = Committing(
            self.place,
            self.private,
            self.index,
            read_settings(self.place),
            walk,
            tracked,
            {os.fsencode(path): head.encode() for path, head in heads.items()},
            changed=None if self._attributes_changed(old, entries, settings, removes | adds) else adds,
        )
        if old is not None:
            committing.differing = {
                os.fsencode(path): (told[0].encode(), (told[1].encode(), told[2].encode()))
                for path, told in old.differing.items()
            }
        commit_tree = committing.tree(raw, self.index.entries)
        self._doubt(hashed)
        return State(
            tree=tree,
            commit_tree=commit_tree,
            index=self.index.signature(),
            settings=settings,
            user_indexes=user_indexes,
            tracked=digest_of_paths(tracked),
            entries=entries,
            heads=heads,
            loose=self._loose(walk),
            absent=sorted(os.fsdecode(path) for path in absent),
            unseen=sorted(printable(os.fsdecode(path)) for path in self.unseen | walk.unreadable),
            differing={
                os.fsdecode(path): [raw_blob.decode(), entry[0].decode(), entry[1].decode()]
                for path, (raw_blob, entry) in committing.differing.items()
            },
            walk=walk,
        )

    def _rehash(self, adds: set[bytes], walk: Walk) -> None:
        """Hash files into the index; those that may not be read leave it and are named."""
        try:
            self.index.rehash(adds)
        except GitError:
            locked_files = {
                path for path in adds if not os.access(os.path.join(self.root, path), os.R_OK, follow_symlinks=False)
            }
            locked_files = {path for path in locked_files if os.path.isfile(os.path.join(self.root, path))}
            if not locked_files:
                raise
            self.unseen |= locked_files
            walk.unreadable |= locked_files
            self.index.apply(locked_files & self.index.paths(), {})
            self.index.rehash(adds - locked_files)

    def _doubt(self, hashed: AbstractSet[bytes]) -> None:
        """Take the stat data from entries that could change within the second and look the same."""
        recent = recently_changed(self.root, hashed, self.start)
        if recent:
            self.index.apply((), self.index.entries(recent))

    def _attributes_changed(
        self, old: State | None, entries: str, settings: list[list[int] | None], touched: AbstractSet[bytes]
    ) -> bool:
        return (
            old is None
            or old.entries != entries
            or old.settings != settings
            or any(path.endswith(b".gitattributes") for path in touched)
        )

    def _loose(self, walk: Walk) -> dict[str, list[int] | None]:
        """Signatures of the .gitignore files that the index does not watch; None where one changed just now."""
        recent = recently_changed(self.root, walk.loose, self.start)
        return {
            os.fsdecode(path): None if path in recent else signature(os.path.join(self.root, path))
            for path in walk.loose
        }

    def _start_heads(self, nested: Mapping[bytes, bytes]) -> dict[bytes, Running]:
        return {
            path: user_git_at(Path(os.fsdecode(git_dir)), self.place.root).start(
                "rev-parse", "--verify", "--quiet", "HEAD"
            )
            for path, git_dir in nested.items()
        }


def _never(path: bytes, git_dir: bytes) -> None:
    """A nested repository that the records do not know: its index decides what is content in it."""
    raise StartOver


def _finished(heads: Mapping[bytes, Running]) -> dict[str, str]:
    """Path -> HEAD's commit, "" where there is none."""
    return {
        os.fsdecode(path): running.finish(allow=(0, 1, 128)).decode("ascii").strip() for path, running in heads.items()
    }


def _result(state: State, control: str) -> Snapshot:
    walk = state.walk
    notes = [f"neither file nor link, left out: {printable(os.fsdecode(path))}" for path in sorted(walk.others)]
    if state.absent:
        notes.append(f"sparse checkout: {len(state.absent)} files count as the index has them")
    notes += [f"could not be read: {path}" for path in state.unseen]
    unseen = list(state.unseen)
    if walk.too_many:
        notes.append("too many untracked files: not scanned")
        unseen.append("untracked files")
    return Snapshot(
        tree=state.tree,
        commit_tree=state.commit_tree,
        control=control,
        nested=dict(state.heads),
        hidden=sorted(os.fsdecode(path) for path in walk.hidden | set(walk.odd)),
        notes=notes,
        unseen=unseen,
        worktrees=sorted(os.fsdecode(path) for path in walk.worktrees),
    )
