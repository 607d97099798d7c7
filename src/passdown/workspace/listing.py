"""Reading the user's indexes: the worktree's own and those of nested repositories."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from passdown.workspace.git import Git, GitError, Running, zjoin, zsplit
from passdown.workspace.place import Place
from passdown.workspace.private import Private, ensure
from passdown.workspace.tracked import Tracked, lend_shared_indexes, signature, start_listing

Signature = list[int] | None


class Listings(Struct, frozen=True):
    """The user's indexes of one worktree. Realms: "" is the worktree, else the root of a nested repository."""

    place: Place
    private: Private

    def signatures(self, nested: Mapping[bytes, bytes]) -> dict[str, Signature]:
        """What changes with every rewrite of these indexes."""
        found = {"": signature(self.place.git_dir / "index")}
        for path, git_dir in nested.items():
            found[os.fsdecode(path)] = signature(os.path.join(git_dir, b"index"))
        return found

    def start(self) -> Running | None:
        """Start listing the worktree's own index."""
        index = self.place.git_dir / "index"
        lend_shared_indexes(index, self.private.git_dir)
        return start_listing(self.private.view(), index)

    def digest(self, nested: Mapping[bytes, bytes]) -> str:
        """The digest that :meth:`read` gives, without looking at the entries."""
        running = self.start()
        listings = {b"": running.finish() if running is not None else b""}
        for path, git_dir in nested.items():
            listings[path] = self.listing(git_dir)
        return digest_of_listings(listings)

    def read(self, nested: Mapping[bytes, bytes]) -> tuple[Tracked, str]:
        """All entries, and a digest of the listings."""
        tracked = Tracked()
        running = self.start()
        own = running.finish() if running is not None else b""
        tracked.add(own)
        listings = {b"": own}
        for path, git_dir in nested.items():
            listings[path] = self.enlist(tracked, path, git_dir)
        return tracked, digest_of_listings(listings)

    def enlist(self, tracked: Tracked, path: bytes, git_dir: bytes) -> bytes:
        """Add a nested repository's entries; the listing."""
        listing = self.listing(git_dir)
        tracked.add(listing, path + b"/")
        return listing

    def listing(self, git_dir: bytes) -> bytes:
        """The listing of a nested repository's index."""
        index = Path(os.fsdecode(git_dir)) / "index"
        try:
            running = start_listing(self.private.view(), index)
            return running.finish() if running is not None else b""
        except GitError:
            return self._foreign(index)

    def _foreign(self, index: Path) -> bytes:
        """The listing of an index with another object format, or a split one: in a git dir made for it."""
        import tempfile  # noqa: PLC0415 - few commands need it

        for name in ("sha1", "sha256"):
            with tempfile.TemporaryDirectory(prefix="passdown-") as folder:
                root = Path(folder)
                reader = Private(root, root, root / "none", root / "none", name, root / "none")
                ensure(reader)
                lend_shared_indexes(index, reader.git_dir)
                try:
                    running = start_listing(Git(root, {"GIT_DIR": str(reader.git_dir)}), index)
                    return running.finish() if running is not None else b""
                except GitError:
                    continue
        return b""

    def remember(self, tracked: Tracked) -> None:
        """Hold the set of tracked paths for the next snapshot."""
        temporary = self.private.folder / "tracked.new"
        temporary.write_bytes(zjoin(tracked.entries))
        os.replace(temporary, self.private.folder / "tracked")

    def remembered(self) -> Tracked:
        """The set of tracked paths that the state speaks of; blobs are not held."""
        tracked = Tracked()
        tracked.remembered(zsplit((self.private.folder / "tracked").read_bytes()))
        return tracked


def digest_of_listings(listings: Mapping[bytes, bytes]) -> str:
    """Changes with anything that the indexes say; realm -> listing."""
    total = hashlib.sha256()
    for path, listing in sorted(listings.items()):
        total.update(path + b"\0" + listing)
    return total.hexdigest()


def digest_of_paths(tracked: Tracked) -> str:
    """Changes with the set of tracked paths, with what is marked sparse, and with nothing else."""
    parts = (tracked.entries, sorted(tracked.sparse))
    return hashlib.sha256(b"\0\0".join(zjoin(part) for part in parts)).hexdigest()
