"""What `passdown sandbox` says before it starts: what is writable, read-only, hidden, and what it does not confine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from passdown.cli.output import plain, short_path
from passdown.cli.paint import screen_width
from passdown.rules.amount import amount
from passdown.sandbox.landlock import SCOPED

if TYPE_CHECKING:
    from passdown.cli.confined import Confined
    from passdown.sandbox.plan import Plan
    from passdown.workspace.place import Place

_SHOWN = 8
_WIDEST = 120
_LABEL = 16
_PRIVATE = "/tmp and caches (private, empty, gone afterwards)"  # noqa: S108 - a text
NOT_CONFINED = (
    "the network, and what the agent's own service does",
    "reading, but for what is hidden",
    "new files in writable folders: passdown verify finds them, ignored ones it does not",
    "commits, branches, the index and loose objects in .git: passdown verify judges commits, not what was deleted",
    "the agents' own state: transcripts, ~/.claude.json with its MCP servers",
)
IN_SHORT = "the network, reading, new files in writable folders"
UNSCOPED = "sockets without a file (X11, an old session bus), signals: Landlock of Linux 6.12 and later holds them"
HANDED_OUT = "passdown note, readback, status, show, check, verify, pack, rescue: the parent runs them"


def block(confined: Confined, place: Place) -> Iterator[str]:
    """The lines of the screen."""
    plan, given, missing, ssh = confined.plan, confined.given, confined.missing, confined.wishes.ssh
    if missing:
        yield from _advisory(missing, confined.landlock)
    rows = {
        "Writable": [*_worktree(plan, place), *_elsewhere(plan, place, confined.wishes.write), _PRIVATE],
        "Opened too": [f"{_short(path)} (--write)" for path in confined.wishes.write],
        "Read-only": [_closed(plan, place)],
        "Hidden": [] if missing else [*map(_short, plan.of("hidden folder", "hidden file")), "/run"],
        "No variable": [*given.dropped, *([] if ssh else ["the SSH agent's"])],
        "Still given": given.keys,
        "Handed out": [] if missing else [HANDED_OUT],
        "Not confined": [*NOT_CONFINED, *_left_over(plan), *([] if confined.landlock >= SCOPED else [UNSCOPED])],
    }
    for label, items in rows.items():
        wide = label == "Not confined"
        yield from _row(label, items if wide else [", ".join(_some(items))] if items else [])


def brief(confined: Confined, place: Place) -> Iterator[str]:
    """The same in a few lines, for a command that starts; what was opened and what it lacks here is never left out."""
    if confined.missing:
        yield from block(confined, place)
        return
    plan = confined.plan
    outside = [_short(path) for path in _outside(plan, place, confined.wishes.write)]
    yield from _row("Writable", [", ".join(_some([*_worktree(plan, place), ".git", *outside, "a private /tmp"]))])
    yield from _row("Opened too", [", ".join(f"{_short(path)} (--write)" for path in confined.wishes.write)])
    yield from _row("Still given", [", ".join(_some(confined.given.keys))])
    lacking = [*_left_over(plan), *([] if confined.landlock >= SCOPED else [UNSCOPED])]
    yield from _row("Not confined", [IN_SHORT, *lacking])
    yield from _row("All of it", ["passdown sandbox --dry-run -- CMD"])


def document(confined: Confined) -> dict[str, Any]:
    """The plan for `--json`; of variables the names alone."""
    plan, given, support = confined.plan, confined.given, confined.support
    return {
        "bubblewrap": {"program": support.program, "fault": support.fault, "remedy": support.remedy},
        "landlock": confined.landlock,
        "opened": confined.wishes.write,
        "mounts": plan.mounts,
        "placeholders": plan.placeholders,
        "left_to_verify": {"folders": plan.loose, "links": plan.links},
        "variables": {"dropped": given.dropped, "agents_keys": given.keys},
        "not_confined": NOT_CONFINED,
    }


def _advisory(missing: Sequence[str], landlock: int) -> Iterator[str]:
    alone = (
        "Landlock alone: whole writable folders with what is denied in them, git's settings too; chmod anywhere;"
        " nothing is hidden; processes outside can be seen"
    )
    nothing = "NOTHING IS CONFINED but for the variables: passdown verify judges afterwards"
    yield from _row("ADVISORY", [plain("; ".join(missing)), alone if landlock else nothing])


def _worktree(plan: Plan, place: Place) -> list[str]:
    """The outermost writable places of the worktree, relative to it."""
    root, git = str(place.root), str(place.common_dir)
    found: list[str] = []
    for path in plan.of("writable"):
        inside = path == root or path.startswith(root + "/")
        if inside and not path.startswith(git) and not any(path.startswith(each + "/") for each in found):
            found.append(path)
    return [plain(os.path.relpath(path, root)) + "/" for path in found] or ["nothing of the worktree"]


def _elsewhere(plan: Plan, place: Place, opened: Sequence[str]) -> list[str]:
    root, git = str(place.root), str(place.common_dir)
    name = ".git" if git == f"{root}/.git" else _short(git)
    held = f"{name} but config, hooks, info, modules, other worktrees, the record"
    return [held, *map(_short, _outside(plan, place, opened))]


def _outside(plan: Plan, place: Place, opened: Sequence[str]) -> list[str]:
    """What is writable beside worktree, git folder and what was opened by name."""
    root, git = str(place.root), str(place.common_dir)
    known = (root, git, *opened)
    return [p for p in plan.of("writable") if not p.startswith((root + "/", git + "/")) and p not in known]


def _closed(plan: Plan, place: Place) -> str:
    root = str(place.root)
    below = [path for path in plan.of("read-only") if path.startswith(root + "/")]
    held = f"{amount(len(below), 'place')} of the worktree by mounts of their own"
    return f"everything else, {held}; package stores like ~/.cargo or ~/go too: --write PATH opens a folder"


def _left_over(plan: Plan) -> list[str]:
    rows = []
    if plan.loose:
        rows.append(f"denied files in {amount(len(plan.loose), 'folder')} with too many of them: passdown verify")
    if plan.links:
        rows.append(f"{amount(len(plan.links), 'symbolic link')} outside the boundary in writable folders: verify")
    return rows


def _row(label: str, items: Sequence[str]) -> Iterator[str]:
    room = min(screen_width(), _WIDEST) - _LABEL
    lines = [line for item in items for line in wrap(item, room, break_long_words=False, break_on_hyphens=False)]
    for number, line in enumerate(lines):
        yield f"{label if number == 0 else '':<{_LABEL}}{line}"


def _some(items: Sequence[str]) -> list[str]:
    more = [f"{len(items) - _SHOWN} more"] if len(items) > _SHOWN else []
    return [*items[:_SHOWN], *more]


def _short(path: str) -> str:
    return short_path(Path(path), 60)
