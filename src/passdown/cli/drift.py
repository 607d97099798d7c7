"""What moved since a packet was sealed, one row for each thing, and the command that brings both together again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.model.paths import to_wire
from passdown.packet.base_branch import base_of
from passdown.packet.drift import moved_since
from passdown.packet.own_settings import settings_moved
from passdown.packet.place_now import wrong_place
from passdown.packet.standing import other_clone
from passdown.rules.installed import init_wrote
from passdown.workspace import diff, history

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet

PACK = "passdown pack"


def drift(context: Context, packet: Packet) -> list[dict[str, str]]:
    """Rows of ``what`` (worktree, branch, head, base, settings, environment), ``path``, ``because`` and ``fix``.

    ``packet`` as it stands now. ``path`` and ``fix`` are "" where there is none.
    """
    place, now = packet.place, context.snapshot
    rows: list[dict[str, str]] = []
    records = context.recorder.records()
    moved = moved_since(context.place, place.tree, now.tree, init_wrote(records, context.place.worktree_id))
    if moved is None:
        rows.append(_row("worktree", "", "what was sealed is not in this clone", ""))
    rows += [_row("worktree", path, "changed since it was sealed", PACK) for path in moved or []]
    if place.branch != context.place.branch:
        way = wrong_place(context.place, packet)
        because = f"sealed on {place.branch or 'a detached HEAD'}, here {context.place.branch}"
        rows.append(_row("branch", "", because, way[1] if way is not None else ""))
    if place.head != context.place.head:
        because = f"HEAD was {_short(place.head)}, is {_short(context.place.head)}"
        rows.append(_row("head", "", because, PACK))
    rows += _base(context, packet)
    if not other_clone(context.place, records, packet) and settings_moved(context.place, records, packet, now.control):
        because = "git's or an agent's settings, hooks, CODEOWNERS or the policy changed"
        rows.append(_row("settings", "", because, PACK))
    return rows + _environment(packet)


def _base(context: Context, packet: Packet) -> list[dict[str, str]]:
    """Files that the base branch changed and HEAD has not."""
    place, tip = context.place, base_of(context.place, context.policy.base).tip
    since = history.merge_base(place, tip, place.head) if tip and packet.place.base and place.head else None
    if tip is None or since is None or since == tip:
        return []
    because = f"changed on the base since {_short(since)}"
    return [_row("base", each.path, because, f"git merge {_short(tip)}") for each in diff.tree_diff(place, since, tip)]


def _environment(packet: Packet) -> list[dict[str, str]]:
    """Checks that passed in another environment: another program, another lockfile, another machine."""
    other = [check for check in packet.checks if check.freshness.state == "ENVIRONMENT-CHANGED"]
    told = [(check.name, ", ".join(check.freshness.because[:3])) for check in other]
    return [_row("environment", "", f"{name} passed in another: {why}", f"passdown check {name}") for name, why in told]


def _row(what: str, path: str, because: str, fix: str) -> dict[str, str]:
    text, path_b64 = to_wire(path)
    row = {"what": what, "path": text, "because": because, "fix": fix}
    return {**row, "path_b64": path_b64} if path_b64 else row


def _short(commit: str | None) -> str:
    return commit[:9] if commit else "no commit"
