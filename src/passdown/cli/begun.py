"""How things stand where work begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.verify_range import known_tips, upstream
from passdown.model.event import Begun
from passdown.workspace import reflog

if TYPE_CHECKING:
    from passdown.cli.context import Context


def begun(context: Context) -> Begun:
    """This worktree at this moment."""
    place = context.place
    return Begun(
        worktree_id=place.worktree_id,
        branch=place.branch,
        tree=context.snapshot.tree,
        head=place.head,
        commit_tree=context.snapshot.commit_tree,
        upstream=known_tips(upstream(context)),
        control=context.snapshot.parts,
        moves=reflog.moves(place),
    )
