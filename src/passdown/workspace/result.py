"""What a snapshot says."""

from __future__ import annotations

from msgspec import Struct, field


class Snapshot(Struct, frozen=True):
    """The exact content of the worktree at one moment.

    ``tree`` is a function of the worktree's bytes and of the set of tracked paths. It embeds nested repositories as
    folders; ``names.decode`` gives back the names that git refuses.
    """

    tree: str
    commit_tree: str | None  # as git would commit it; None where that cannot be told
    control: str  # digest of the control surface
    nested: dict[str, str] = field(default_factory=dict)  # path -> HEAD ("": no commit) of repositories inside
    hidden: list[str] = field(default_factory=list)  # content that something would have hidden, for display
    notes: list[str] = field(default_factory=list)  # one line each, for display
    unseen: list[str] = field(default_factory=list)  # what could not be read: nothing can be bound to this snapshot
    parts: dict[str, str] = field(default_factory=dict)  # of the control surface, each with its digest
    absent: list[str] = field(default_factory=list)  # sparse: not on the disk, they count as the index has them
    worktrees: list[str] = field(default_factory=list)  # other worktrees of this repository inside; left out

    @property
    def complete(self) -> bool:
        """Was everything seen? Evidence is bound to complete snapshots only."""
        return not self.unseen
