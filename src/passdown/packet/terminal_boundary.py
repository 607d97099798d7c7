"""The screen's lines about files: what lies outside, what tools left behind, what may be written next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from passdown.model.boundary import Boundary, Entry
from passdown.model.packet import FileChange, Packet
from passdown.packet.text import cells, cut, place_of, plain, reason_of, wrap
from passdown.packet.words import BYPASSED
from passdown.rules.amount import amount
from passdown.rules.leftovers import leftover
from passdown.rules.propose import ELSE

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
        again = [plain(file.path) for file in files if file.bypassed]
        if again:
            lines.append(_named(f"{'':<{_LABEL}}{BYPASSED}: ", again, width))
    return lines + _why_listed(packet, extra, width) + _generated(packet, width)


def _why_listed(packet: Packet, extra: Sequence[FileChange], width: int) -> list[str]:
    """Why a file that the goal does not speak of may be written all the same, and how to take it out."""
    places = [place_of(entry) for entry in packet.boundary.allow]
    numbers = [f"-{places.index(name) + 1}" for file in extra if (name := plain(file.path)) in places]
    if not numbers:
        return []
    out = f"passdown review --narrow {' '.join(numbers[:6])}"
    return wrap(f"{'':<{_LABEL}}", ["listed below as it was changed;", f"out: {out}"], width, between=" ")


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
    allow = [_allowed(entry) for entry in boundary.allow]
    limits = [f"+{amount(boundary.budget.new, 'new file')} beside them"] if boundary.budget.new and allow else []
    limits += [f"at most {amount(boundary.budget.files, 'file')}"] if boundary.budget.files is not None else []
    limits += [f"at most {amount(boundary.budget.lines, 'line')}"] if boundary.budget.lines is not None else []
    denied = [(place_of(entry), reason_of(entry, you="you")) for entry in boundary.deny]
    said = [f"{place} (you)" for place, who in denied if who == "you"]
    deny = said + [f"{place} ({who})" for place, who in denied if who != "you"]
    return [
        *fitting("NEXT MAY WRITE   ", allow or ["nothing"], limits, width, (ALLOW_LINES, "  ")),
        *fitting("NOT              ", deny, ["anything else"], width, (DENY_LINES, "   "), keep=len(said)),
    ]


def _allowed(entry: Entry) -> str:
    """The place; everything says whose wish that is, a folder that stands for many files how many."""
    number, _, rest = entry.because.partition(f" and {ELSE}")
    if rest:
        return f"{place_of(entry)} ({plain(number)} and {ELSE})"
    return place_of(entry).replace("(everything)", f"(everything: {plain(entry.because)})")


def fitting(
    label: str, names: Sequence[str], last: Sequence[str], width: int, shape: tuple[int, str], *, keep: int = 0
) -> list[str]:
    """At most so many lines: the first names (``keep`` of them always), how many more, then what always stands."""
    most, between = shape
    lines: list[str] = []
    for shown in range(max(min(len(names), most * width // 3), keep), keep - 1, -1):
        more = [f"and {len(names) - shown} more"] if shown < len(names) else []
        lines = wrap(label, [*names[:shown], *more, *last], width, between=between)
        if len(lines) <= most:
            break
    return lines
