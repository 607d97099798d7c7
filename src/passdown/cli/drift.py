"""What moved since a packet was sealed, one row for each thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.model.paths import to_wire
from passdown.workspace import diff, history

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet


def drift(context: Context, packet: Packet) -> list[dict[str, str]]:
    """Rows of ``what`` (worktree, branch, head, base, settings), ``path`` ("" where it is none) and ``because``."""
    place, now = packet.place, context.snapshot
    rows: list[dict[str, str]] = []
    if place.tree != now.tree:
        moved = diff.tree_diff(context.place, place.tree, now.tree)
        rows += [_row("worktree", change.path, f"{change.status} since it was sealed") for change in moved]
    if place.branch != context.place.branch:
        rows.append(_row("branch", "", f"sealed on {place.branch or 'a detached HEAD'}, here {context.place.branch}"))
    if place.head != context.place.head:
        rows.append(_row("head", "", f"HEAD was {_short(place.head)}, is {_short(context.place.head)}"))
    rows += _base(context, packet)
    if place.control and place.control != now.control:
        rows.append(_row("settings", "", "git's or an agent's settings, hooks, CODEOWNERS or the policy changed"))
    return rows


def _base(context: Context, packet: Packet) -> list[dict[str, str]]:
    """Files that the base branch changed since the packet."""
    old, new = packet.place.base, context.base
    if old is None or new is None or old == new or not history.is_ancestor(context.place, old, new):
        return []
    return [
        _row("base", change.path, f"changed on the base since {_short(old)}")
        for change in diff.tree_diff(context.place, old, new)
    ]


def _row(what: str, path: str, because: str) -> dict[str, str]:
    text, path_b64 = to_wire(path)
    row = {"what": what, "path": text, "because": because}
    return {**row, "path_b64": path_b64} if path_b64 else row


def _short(commit: str | None) -> str:
    return commit[:9] if commit else "no commit"
