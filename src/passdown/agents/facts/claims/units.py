"""Prose of an agent -> the statements in it: sentences and bullets, code and quotes aside."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from passdown.rules.patterns import lazy

_FENCE = lazy(r"^\s*(?:```|~~~)")
_BULLET = lazy(r"^(\s*)(?:[-*+\u2022\u2013]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_HEADING = lazy(r"^\s{0,3}#{1,6}\s+")
_BOLD_LINE = lazy(r"(?:[\W_]{0,4}\s*)?\*\*[^*]+\*\*\s*+:?\s*+$")
_END = lazy(
    r"(?:(?<=[.!?])[\"')*]{0,3}\s+(?=[\"'(`*\[]{0,3}[^\W_a-z]|`|\*\*|[\u2705\u274c\u2714]"
    r"|[a-z][\w-]*(?:[./][\w-]+)+(?:[\s,:]|$))|(?<=[\u3002\uff01\uff1f])\s*)"
)
_ABBREVIATION = lazy(
    r"(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|z\.B|d\.h|bzw|No|Nr|St)\."
    r"|(?<!option )(?<!approach )(?<!variant )(?<!plan )(?<!part )(?<!phase )(?<!step )(?<!type )\b[A-Z]\.)"
    r"[\"')*]{0,3}$"
)


_POINTER = lazy(r"[\W_]*(?:`[^`]+`|\[[^\]]+\]\([^)]+\)|[\x21-\x7e]+)[\W_]*")


class Unit(Struct, frozen=True):
    """One statement. ``lead``: the heading or the line with a colon that it stands under, "" without one.

    ``below``: the bare paths that are listed under it; ``open``: the entry of a list that is not ticked off.
    """

    text: str
    lead: str
    bullet: bool
    table: bool = False
    heading: bool = False
    below: str = ""
    open: bool = False


def units(text: str) -> Iterator[Unit]:
    """The statements of ``text`` in order; a heading or a lead-in line is one as well."""
    held: Unit | None = None
    for unit in _units(text):
        if held is not None and unit.bullet and _POINTER.fullmatch(unit.text):
            held = replace(held, below=f"{held.below} {unit.text}")
            continue
        if held is not None:
            yield held
        held = unit if unit.text.endswith((":", "\uff1a")) else None
        if held is None:
            yield unit
    if held is not None:
        yield held


def _units(text: str) -> Iterator[Unit]:
    lead, fenced, inner = "", False, ""
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        stripped = line.strip()
        if fenced or not stripped or stripped.startswith((">", "<!--")):
            continue
        if _HEADING.match(line) or _BOLD_LINE.match(stripped):
            lead, inner = stripped.strip("#*: "), ""
            yield Unit(stripped.lstrip("# "), lead="", bullet=False, heading=True)
            continue
        bullet = _BULLET.match(line)
        body = line[bullet.end() :].strip() if bullet else stripped
        under = f"{lead} | {inner}" if inner else lead
        if not bullet and not line.startswith((" ", "\t")) and not body.startswith("|"):
            under, inner = lead, ""
        for sentence in sentences(body):
            yield Unit(
                *(sentence, under, bullet is not None, body.startswith("|")),
                open=bullet is not None and "[ ]" in bullet[0],
            )
        if body.endswith((":", "\uff1a")):
            inner = body.rstrip(":\uff1a")


def sentences(text: str) -> list[str]:
    """``text`` cut at the ends of sentences; code spans, links and abbreviations stay whole."""
    found, start = [], 0
    for match in _END.finditer(text):
        before = text[start : match.start()]
        if before.count("`") % 2 or _ABBREVIATION.search(before) or re.fullmatch(r"\s*\d{1,2}\.", before):
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    found.append(text[start:].strip())
    return [s for s in found if s]
