"""Taking a snapshot: compare with what the last one knew, or look at the worktree alone."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from passdown.errors import EXIT_UNDECIDED, PassdownError, unwritable
from passdown.model.paths import printable
from passdown.rules.amount import amount
from passdown.rules.patterns import lazy
from passdown.workspace.bring import Bringing, Work
from passdown.workspace.control import control_digest, control_parts
from passdown.workspace.git import GitError, Running
from passdown.workspace.index import Index, changed_between, compared
from passdown.workspace.listing import Listings, digest_of_listings, digest_of_paths
from passdown.workspace.own_block import left_out
from passdown.workspace.place import Place, user_git_at
from passdown.workspace.private import Private, ensure, locked, may_write, private_at, scratch_at, wipe
from passdown.workspace.result import Snapshot
from passdown.workspace.settings import read_settings, settings_signatures
from passdown.workspace.state import State, load, save
from passdown.workspace.tracked import Tracked, signature
from passdown.workspace.walk import StartOver, Walk, Walker

_ATTEMPTS = 4
_FULL = lazy(r"[Nn]o space left|diskspace|quota")
"""git's words for a disk that takes no more."""
_MANY = 500  # doubtful entries: hash them where they lie, which writes no object for what did not change


def take(place: Place) -> Snapshot:
    """Snapshot the worktree as it is now.

    PassdownError where the private dir cannot be written, or where files change faster than they are read.
    """
    return _take(place, private_at(place))


def look(place: Place) -> Snapshot:
    """As :func:`take`, for what only reads: where Passdown was never used or may not write, nothing is created."""
    private = private_at(place)
    return _take(place, private if may_write(private) else scratch_at(place))


def _take(place: Place, private: Private) -> Snapshot:
    failure = "the worktree keeps changing"
    with locked(private):
        for _ in range(_ATTEMPTS):
            try:
                return left_out(place, private, _Taking(place, private).run())
            except StartOver:
                continue
            except FileNotFoundError:
                private.state.unlink(missing_ok=True)
            except GitError as error:
                # A file that vanished while git read it, or a private index that cannot be trusted: the next
                # attempt starts from nothing.
                failure = error.message
                wipe(private)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
                    raise unwritable(private.folder, error) from error
                raise PassdownError(f"cannot snapshot {place.root}: {error}", code=EXIT_UNDECIDED) from error
    if _FULL.search(failure):
        raise unwritable(private.folder, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    raise PassdownError(f"cannot snapshot {place.root}: {failure}", code=EXIT_UNDECIDED)


class _Taking:
    """One attempt, under the lock."""

    def __init__(self, place: Place, private: Private) -> None:
        self.place = place
        self.private = private
        self.start = time.time()
        self.index = Index(private, private.writer(), private.view())
        self.root = os.fsencode(place.root)
        self.listings = Listings(place, private)
        self.tracked: Tracked | None = None  # where the user's index says something new
        self.entries = ""

    def run(self) -> Snapshot:
        """The snapshot; the state for the next one is saved."""
        old = load(self.private.state)
        if old is None or old.index is None or old.index != self.index.signature():
            old = None
            wipe(self.private)
        ensure(self.private)
        state = self._again(old) if old is not None else None
        parts = control_parts(self.place)
        if state is None:
            state = self._anew(old)
        if state is not old:
            save(self.private.state, state)
        return _result(state, parts)

    # -- with what the last snapshot knew

    def _again(self, old: State) -> State | None:
        """The state after the last one's; None where it has to be found anew."""
        comparing = self.index.start_compare()
        try:
            running = self._start_heads(old.walk.nested)
            walk = self._walk_again(old)
            heads = _finished(running)
            doubtful = self._doubtful(old, None)
        finally:
            listing = comparing.finish()
        deleted, changed = compared(listing)
        if walk is None or len(doubtful) > _MANY or any(p.endswith(b".gitignore") for p in deleted | changed):
            return None
        absent = {os.fsencode(path) for path in old.absent}
        if old.sparse and deleted - absent:
            return None  # one of these may count as the index has it
        work = Work(
            removes=(deleted - absent - walk.content) | (changed & walk.others),
            adds=(changed - walk.others) | walk.content,
            doubtful=doubtful - deleted - walk.others,
            absent=absent - walk.content - changed,
        )
        if not work and walk.records == old.walk.records and heads == old.heads and self.tracked is None:
            return self._unchanged(old)
        if walk.odd or walk.unreadable or walk.too_many:
            return None
        walk.hidden -= work.removes
        bringing = self._bringing(old, walk, heads)
        if self.tracked is not None:
            bringing.tracked, bringing.entries, bringing.paths = self.tracked, self.entries, old.tracked
        return bringing.state(work)

    def _walk_again(self, old: State) -> Walk | None:
        """The walk's news; None where the old answers may not hold."""
        if settings_signatures(self.place) != old.settings or None in old.loose.values():
            return None
        if {path: signature(os.path.join(self.root, os.fsencode(path))) for path in old.loose} != old.loose:
            return None
        if self.listings.signatures(old.walk.nested) != old.user_indexes and not self._same_paths(old):
            return None
        try:
            return self._walker(self.listings.remembered, _never).again(old.walk)
        except StartOver:
            return None

    def _same_paths(self, old: State) -> bool:
        """Whether the user's indexes, rewritten since, track the same paths."""
        if self.listings.digest(old.walk.nested) == old.entries:
            return True
        tracked, self.entries = self.listings.read(old.walk.nested)
        if digest_of_paths(tracked) != old.tracked:
            return False
        self.tracked = tracked
        return True

    def _unchanged(self, old: State) -> State:
        """The old state, brought up to date where only signatures moved or a doubt has been settled."""
        user_indexes = self.listings.signatures(old.walk.nested)
        if user_indexes == old.user_indexes and old.doubt is None:
            return old
        fresh = load(self.private.state)
        if fresh is None:
            raise StartOver
        fresh.user_indexes, fresh.doubt = user_indexes, None
        return fresh

    def _doubtful(self, old: State, paths: set[bytes] | None) -> set[bytes]:
        """Entries that could have changed since they were hashed and look the same."""
        if old.doubt is None:
            return set()
        if old.doubt.paths is not None:
            paths = {os.fsencode(path) for path in old.doubt.paths}
        elif paths is None:
            paths = self.index.paths()
        return changed_between(self.root, paths, old.doubt.since, old.doubt.until)

    # -- from the worktree alone

    def _anew(self, old: State | None) -> State:
        """The state from a walk that asks about everything."""
        own = self.listings.start()
        if old is None:
            self.index.seed(self.place.head, str(self.place.git_dir / "index"))
        else:
            self.index.distrust(self._doubtful(old, None))
        refreshing = self.index.start_refresh()
        try:
            listings = {b"": own.finish() if own is not None else b""}
            tracked = Tracked()
            tracked.add(listings[b""])

            def enlist(path: bytes, git_dir: bytes) -> None:
                listings[path] = self.listings.enlist(tracked, path, git_dir)

            walk = self._walker(lambda: tracked, enlist).start()
            entries, paths = digest_of_listings(listings), digest_of_paths(tracked)
            self.listings.remember(tracked)
            heads = _finished(self._start_heads(walk.nested))
        finally:
            refreshing.finish(allow=(0, 1))
        bringing = self._bringing(old, walk, heads)
        bringing.tracked, bringing.entries, bringing.paths = tracked, entries, paths
        return bringing.state(self._work(walk, tracked, all_clean=refreshing.process.returncode == 0))

    def _work(self, walk: Walk, tracked: Tracked, *, all_clean: bool) -> Work:
        """What brings the refreshed index to the walk's content."""
        deleted: set[bytes] = set()
        changed: set[bytes] = set()
        if not all_clean:
            deleted, changed = compared(self.index.start_compare().finish())
        there = self.index.paths()
        sparse = tracked.sparse if tracked.sparse and read_settings(self.place).sparse else set()
        absent = sparse - walk.content
        puts = {path: entry for path in absent if (entry := tracked.entry(path)) is not None}
        self.index.apply((), puts)
        return Work(
            removes=there - walk.content - absent,
            adds=(walk.content - there) | ((changed | deleted) & walk.content),
            absent=absent,
            sparse=bool(sparse),
            anew=True,
            all_hashed=True,
        )

    # -- both

    def _bringing(self, old: State | None, walk: Walk, heads: dict[str, str]) -> Bringing:
        return Bringing(self.place, self.private, self.index, self.listings, self.start, old, walk, heads)

    def _walker(self, tracked: Callable[[], Tracked], enlist: Callable[[bytes, bytes], None]) -> Walker:
        return Walker(self.root, self.private.view(), os.fsencode(self.place.common_dir), tracked, enlist)

    def _start_heads(self, nested: Mapping[bytes, bytes]) -> dict[bytes, Running]:
        return {
            path: user_git_at(Path(os.fsdecode(git_dir)), self.place.root).start(
                "rev-parse", "--verify", "--quiet", "HEAD"
            )
            for path, git_dir in nested.items()
        }


def _never(_path: bytes, _git_dir: bytes) -> None:
    """A nested repository that the records do not know: its index decides what is content in it."""
    raise StartOver


def _finished(heads: Mapping[bytes, Running]) -> dict[str, str]:
    """Path -> HEAD's commit, "" where there is none."""
    return {
        os.fsdecode(path): running.finish(allow=(0, 1, 128)).decode("ascii").strip() for path, running in heads.items()
    }


def _result(state: State, parts: dict[str, str]) -> Snapshot:
    walk = state.walk
    notes = [f"neither file nor link, left out: {printable(os.fsdecode(path))}" for path in sorted(walk.others)]
    if state.absent:
        notes.append(f"sparse checkout: {amount(len(state.absent), 'file')} taken as the index has it")
    notes += [f"could not be read: {path}" for path in state.unseen]
    unseen = list(state.unseen)
    if walk.too_many:
        notes.append("too many untracked files: not scanned")
        unseen.append("untracked files")
    return Snapshot(
        tree=state.tree,
        commit_tree=state.commit_tree,
        control=control_digest(parts),
        parts=parts,
        nested=dict(state.heads),
        hidden=sorted(os.fsdecode(path) for path in walk.hidden | set(walk.odd)),
        notes=notes,
        unseen=unseen,
        absent=list(state.absent),
        worktrees=sorted(os.fsdecode(path) for path in walk.worktrees),
    )
