"""Bringing the private index up to date and writing the trees."""

from __future__ import annotations

import os
import time

from msgspec import Struct, field

from passdown.model.paths import printable
from passdown.workspace.committing import Committing
from passdown.workspace.git import GitError
from passdown.workspace.hashing import hash_odd
from passdown.workspace.index import Index, changed_between
from passdown.workspace.listing import Listings, digest_of_paths
from passdown.workspace.place import Place
from passdown.workspace.private import Private
from passdown.workspace.settings import read_settings, settings_signatures
from passdown.workspace.state import Doubt, Signature, State
from passdown.workspace.tracked import Tracked, signature
from passdown.workspace.walk import Walk


class Work(Struct, frozen=True):
    """What the private index lacks; paths are bytes."""

    removes: set[bytes] = field(default_factory=set)
    adds: set[bytes] = field(default_factory=set)
    doubtful: set[bytes] = field(default_factory=set)  # to be hashed although they look the same
    absent: set[bytes] = field(default_factory=set)  # sparse paths, left as they are in the index
    sparse: bool = False  # a sparse checkout is on; told where the walk is anew
    anew: bool = False
    all_hashed: bool = False  # every entry was hashed in this run

    def __bool__(self) -> bool:
        return bool(self.removes or self.adds or self.doubtful)


class Bringing(Struct):
    """From the index as it was to the next state."""

    place: Place
    private: Private
    index: Index
    listings: Listings
    start: float
    old: State | None
    walk: Walk
    heads: dict[str, str]
    tracked: Tracked | None = None  # None: as the old state had it
    entries: str = ""
    paths: str = ""
    unseen: set[bytes] = field(default_factory=set)

    def state(self, work: Work) -> State:
        """Do the work; the state for the next snapshot."""
        user_indexes = self.listings.signatures(self.walk.nested)
        settings = settings_signatures(self.place)
        old = self.old
        if self.tracked is None and old is not None:
            self.entries, self.paths = old.entries, old.tracked
        self._hash(work)
        raw = self._tree(work)
        committing = self._committing(work, settings)
        commit_tree = committing.tree(raw, self.index.entries) if committing is not None else raw
        self.index.tidy(raw)
        odd = hash_odd(self.index.git, os.fsencode(self.place.root), self.walk.odd)
        tracked = self.tracked
        return State(
            tree=self.index.graft((), odd) if odd else raw,
            commit_tree=commit_tree,
            index=self.index.signature(),
            settings=settings,
            user_indexes=user_indexes,
            tracked=self.paths,
            entries=self.entries,
            links=bool(tracked.links or tracked.unmerged) if tracked is not None else old is not None and old.links,
            heads=self.heads,
            loose=self._loose(),
            sparse=work.sparse if work.anew else old is not None and old.sparse,
            absent=sorted(os.fsdecode(path) for path in work.absent),
            unseen=sorted(printable(os.fsdecode(path)) for path in self.unseen | self.walk.unreadable),
            differing={
                os.fsdecode(path): [raw_blob.decode(), entry[0].decode(), entry[1].decode()]
                for path, (raw_blob, entry) in (committing.differing if committing is not None else {}).items()
            },
            doubt=self._doubt(work),
            walk=self.walk,
        )

    def _hash(self, work: Work) -> None:
        """Hash files into the index; those that may not be read leave it and are named."""
        adds = work.adds | work.doubtful
        self.index.apply(work.removes | work.doubtful, {})
        try:
            self.index.rehash(adds)
        except GitError:
            root = os.fsencode(self.place.root)
            unreadable = {path for path in adds if not _readable(os.path.join(root, path))}
            if not unreadable:
                raise
            self.unseen |= unreadable
            self.walk.unreadable |= unreadable
            self.index.apply(unreadable & self.index.paths(), {})
            self.index.rehash(adds - unreadable)

    def _tree(self, work: Work) -> str:
        if not work and self.old is not None and not self.old.walk.odd and not work.all_hashed:
            return self.old.tree
        return self.index.write_tree()

    def _committing(self, work: Work, settings: list[Signature]) -> Committing | None:
        """What computes the commit tree; None where it can only be the raw tree."""
        old = self.old
        chosen = read_settings(self.place)
        heads = {os.fsencode(path): head.encode() for path, head in self.heads.items()}
        touched = work.removes | work.adds | work.doubtful
        tracked = self.tracked
        if tracked is None:
            probe = Committing(self.place, self.private, self.index, chosen, self.walk, Tracked(), heads)
            if old is not None and not old.links and not probe.matters():
                return None
            tracked, self.entries = self.listings.read(self.walk.nested)
            self.paths = digest_of_paths(tracked)
        again = (
            old is None
            or old.entries != self.entries
            or old.settings != settings
            or any(path.endswith(b".gitattributes") for path in touched)
        )
        committing = Committing(self.place, self.private, self.index, chosen, self.walk, tracked, heads)
        committing.changed = None if again else touched
        committing.differing = old.as_committed() if old is not None else {}
        return committing

    def _doubt(self, work: Work) -> Doubt | None:
        """What the next snapshot has to look at again."""
        if work.all_hashed:
            return Doubt(self.start, time.time(), None)
        hashed = work.adds | work.doubtful
        recent = changed_between(os.fsencode(self.place.root), hashed, self.start, time.time())
        return Doubt(self.start, time.time(), sorted(map(os.fsdecode, recent))) if recent else None

    def _loose(self) -> dict[str, Signature]:
        """Signatures of the .gitignore files that the index does not watch; None where one changed just now."""
        root = os.fsencode(self.place.root)
        recent = changed_between(root, self.walk.loose, self.start, time.time())
        return {
            os.fsdecode(path): None if path in recent else signature(os.path.join(root, path))
            for path in self.walk.loose
        }


def _readable(path: bytes) -> bool:
    return os.path.islink(path) or not os.path.isfile(path) or os.access(path, os.R_OK)
