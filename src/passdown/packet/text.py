"""Foreign text made harmless, and the small words that all screens share."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain

from passdown.model.boundary import Entry
from passdown.model.paths import from_wire, printable
from passdown.packet.tokens import head
from passdown.rules.match import whole_tree
from passdown.rules.patterns import lazy

_GLOB = frozenset("*?[")
_CLOSING = lazy(r'(\\*)("|$)')
_SPACES = {"\n", "\r", "\t", "\v", "\f", "\x85", "\u2028", "\u2029"}


def plain(text: str) -> str:
    """One line of printable text: breaks and tabs become one space, other controls are spelled out."""
    spelled = "".join(_spell(char) for char in text)
    return " ".join(spelled.split(" ")).strip() if "  " not in spelled else " ".join(spelled.split())


def _spell(char: str) -> str:
    if char in _SPACES or (char != " " and unicodedata.category(char) == "Zs"):
        return " "
    if char.isprintable():
        return char
    return f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"  # noqa: PLR2004 - one byte


def quote(text: str, *, tokens: int | None = None, more: str = "") -> str:
    """The text in double quotes that nothing in it closes; cut after about ``tokens`` tokens, then ``more`` follows."""
    line = plain(text)
    kept = line if tokens is None else head(line, tokens)
    inside = _CLOSING.sub(lambda found: found[1] * 2 + '\\"' * bool(found[2]), kept)
    return f'"{inside}"' if len(kept) == len(line) else f'"{inside} ..." {more}'.rstrip()


def cells(text: str) -> int:
    """Columns that the text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def cut(text: str, width: int) -> str:
    """The text in at most ``width`` columns; what was cut shows as three dots."""
    if cells(text) <= width:
        return text
    kept, used = [], 3
    for char in text:
        used += cells(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "..."


def cut_left(text: str, width: int) -> str:
    """The end of the text: of a test's long name the test itself stays."""
    while cells(text) > width:
        text = "..." + text[4:] if text.startswith("...") else "..." + text[3:]
    return text


def folded(label: str, text: str, width: int, *, lines: int | None = None, indent: str = "  ") -> list[str]:
    """The text after its label, broken at spaces; of more than ``lines`` the last is cut and ends with three dots."""
    found: list[str] = []
    line, gap = label, ""
    room = width - cells(indent)
    for word in chain.from_iterable(_pieces(whole, room) for whole in text.split(" ")):
        last = lines is not None and len(found) >= lines - 1
        if not last and cells(line) + cells(gap) + cells(word) > width and line.strip():
            found.append(line.rstrip())
            line, gap = indent, ""
        line += gap + word
        gap = " "
    return [*found, cut(line, width)]


def _pieces(word: str, width: int) -> list[str]:
    """A word that is wider than a line, in pieces that are not."""
    found = []
    while cells(word) > width:
        end = next(at for at in range(min(len(word), width), 0, -1) if cells(word[:at]) <= width)
        found.append(word[:end])
        word = word[end:]
    return [*found, word]


def wrap(label: str, parts: Iterable[str], width: int, *, between: str = "  ") -> list[str]:
    """Lines of ``label`` and parts that are never broken; further lines are indented below the first part."""
    lines: list[str] = []
    line, empty = label, True
    for part in parts:
        gap = "" if empty else between
        if not empty and cells(line) + cells(gap) + cells(part) > width:
            lines.append(line)
            line, gap = " " * cells(label), ""
        line += gap + cut(part, max(width - cells(label), 20))
        empty = False
    return [*lines, line.rstrip()]


def clock(instant: str | None, today: str | None = None) -> str:
    """Hours and minutes in the reader's zone, the day before them where it is not that of ``today``; "" not known."""
    moment, now = moment_of(instant), moment_of(today)
    if moment is None:
        return ""
    local, here = moment.astimezone(), now.astimezone() if now else None
    if here is None or local.date() == here.date():
        return local.strftime("%H:%M")
    return f"{local.day} {local.strftime('%b %H:%M' if local.year == here.year else '%b %Y %H:%M')}"


def moment_of(instant: str | None) -> datetime | None:
    """The instant, None where it is none."""
    try:
        return datetime.fromisoformat(instant or "")
    except ValueError:
        return None


def lasted(start: str | None, end: str | None) -> str:
    """How long between two instants, as a person says it; "" where it was not measured."""
    a, b = moment_of(start), moment_of(end)
    if a is None or b is None or (a.tzinfo is None) != (b.tzinfo is None):
        return ""
    minutes = round((b - a).total_seconds() / 60)
    if minutes < 1:
        return "under a minute"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest:02d} min" if hours else f"{minutes} min"


def seconds(value: float) -> str:
    """A duration in a word."""
    return f"{value:.0f} s" if value < 90 else f"{value / 60:.0f} min"  # noqa: PLR2004 - then minutes read better


def place_of(entry: Entry) -> str:
    """An entry's pattern as it is shown: a single file without anchor and escapes; the whole tree says what it is."""
    pattern = from_wire(entry.path, entry.path_b64)
    if whole_tree(pattern):
        return f"{printable(pattern)} (everything)"
    bare = pattern.replace("\\[", "").replace("\\*", "").replace("\\?", "")
    if not _GLOB & set(bare):
        pattern = pattern.removeprefix("/").replace("\\", "")
    return printable(f"{pattern}**" if pattern.endswith("/") and pattern != "/" else pattern)


def reason_of(entry: Entry, *, you: str) -> str:
    """Why it is denied, in a word or two: the person, an owner, or the beginning of the reason."""
    because = plain(entry.because)
    if because.startswith(("user", "you:")):
        return you
    return cut(because.partition(":")[0], 32)


def listed(names: Sequence[str], limit: int) -> str:
    """The first names and how many more."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
