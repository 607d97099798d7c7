"""The screen's lines about files: what lies outside, what tools left behind, what may be written next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from passdown.model.boundary import Boundary
from passdown.model.packet import FileChange, Packet
from passdown.packet.text import cells, cut, place_of, plain, reason_of, wrap
from passdown.rules.leftovers import leftover

ALLOW_LINES, DENY_LINES = 4, 4
_LABEL = 23


def file_lines(packet: Packet, width: int) -> list[str]:
    """Files outside the boundary, files that the goal does not speak of, generated ones as a number."""
    written = [file for file in packet.files if leftover(file.path) is None]
    outside = [f for f in packet.files if f.inside is False and (leftover(f.path) is None or f.status != "added")]
    extra = [f for f in written if f.in_goal is False and f.inside is not False]
    lines = []
    for label, files in (("OUTSIDE", outside), ("NOT IN THE GOAL", extra)):
        if files:
            lines.append(_named(f"{label:<{_LABEL}}", [_sized(file) for file in files], width))
    return lines + _generated(packet, width)


def _named(label: str, names: Sequence[str], width: int) -> str:
    """As many names as fit whole, then how many more."""
    for shown in range(min(len(names), 6), 0, -1):
        more = f" and {len(names) - shown} more" if len(names) > shown else ""
        line = label + ", ".join(names[:shown]) + more
        if cells(line) <= width:
            return line
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return cut(label + names[0], width - cells(more)) + more


def _sized(file: FileChange) -> str:
    size = "" if file.added is None or file.removed is None else f" +{file.added} -{file.removed}"
    return plain(file.path) + size


def _generated(packet: Packet, width: int) -> list[str]:
    """One line for what tools left in the worktree because nothing ignores it."""
    found = Counter(name for file in packet.files if file.status == "added" and (name := leftover(file.path)))
    if not found:
        return []
    number, (most, _) = sum(found.values()), found.most_common(1)[0]
    where = f" under {most}" if number > 1 else f": {most}"
    others = " and others" if len(found) > 1 else ""
    word = "files" if number > 1 else "file"
    return [cut(f"{'':<{_LABEL}}+{number} generated {word}{where}{others}: not ignored", width)]


def boundary_lines(boundary: Boundary, width: int) -> list[str]:
    """What the next run may write and what not; a long list ends with how many more."""
    allow = [place_of(entry) for entry in boundary.allow]
    limits = [f"+{boundary.budget.new} new files beside them"] if boundary.budget.new and allow else []
    limits += [f"at most {boundary.budget.files} files"] if boundary.budget.files is not None else []
    limits += [f"at most {boundary.budget.lines} lines"] if boundary.budget.lines is not None else []
    deny = [f"{place_of(e)} ({reason_of(e, you='you')})" for e in boundary.deny]
    return [
        *fitting("NEXT MAY WRITE   ", allow or ["nothing"], limits, width, (ALLOW_LINES, "  ")),
        *fitting("NOT              ", deny, ["anything else"], width, (DENY_LINES, "   ")),
    ]


def fitting(label: str, names: Sequence[str], last: Sequence[str], width: int, shape: tuple[int, str]) -> list[str]:
    """At most so many lines: the first names, how many more, then what always stands."""
    most, between = shape
    for shown in range(min(len(names), most * width // 3), -1, -1):
        more = [f"and {len(names) - shown} more"] if shown < len(names) else []
        lines = wrap(label, [*names[:shown], *more, *last], width, between=between)
        if len(lines) <= most:
            break
    return lines
