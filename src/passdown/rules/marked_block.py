"""A marked block in somebody's text file: found, put, renewed; every byte around it stays."""

from __future__ import annotations

import re

from passdown.errors import PassdownError
from passdown.rules.patterns import lazy

BEGIN = "<!-- passdown:begin -->"
END = "<!-- passdown:end -->"
_MARKER = lazy(r"^[ \t]*<!--[ \t]*(?P<end>/)?passdown(?::(?P<which>begin|end))?[ \t]*-->[ \t]*\r?$", re.MULTILINE)


_NOTES = ("", ".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc")
_ORDERS = (
    "claude.md",
    "claude.local.md",
    "agents.md",
    "agents.override.md",
    "gemini.md",
    "codeowners",
    "makefile",
    "dockerfile",
)


def is_note(path: str) -> bool:
    """Whether a file is one for people to read: no code, no settings, nothing that agents or tools take orders from."""
    name = path.rpartition("/")[2].casefold()
    suffix = name[name.rfind(".") :] if "." in name.lstrip(".") else ""
    return suffix in _NOTES and name not in _ORDERS and not name.startswith(".")


def is_block(text: str) -> bool:
    """Whether this is one whole block, with nothing before it but empty lines, and nothing behind it."""
    bare = text.lstrip("\n")
    try:
        return span(bare, name="") == (0, len(bare))
    except PassdownError:
        return False


def marked(body: str) -> str:
    """The text between its markers, each on a line of its own."""
    return f"{BEGIN}\n{body.strip()}\n{END}\n"


def renewed(text: str, block: str, *, name: str, before: str = "") -> tuple[str, str]:
    """``(the new text, the block with what was put in front of it)``; PassdownError where the markers are broken.

    A block that is there goes, the new one takes its place; else it stands at the end, after an empty line.
    ``before``: what was put there the last time.
    """
    found = span(text, name=name)
    if found is not None:
        begin, end = found
        gap = before[: len(before) - len(before.lstrip("\n"))] if before and before in text else ""
        return text[: begin - len(gap)] + gap + block + text[end:], gap + block
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return text + gap + block, gap + block


def span(text: str, *, name: str) -> tuple[int, int] | None:
    """Where the block stands, its last line's end included; None where there is none."""
    marks = list(_MARKER.finditer(text))
    if not marks:
        return None
    if [_ends(mark) for mark in marks] != [False, True]:
        alone = len(marks) == 1 or _ends(marks[0])
        wrong = marks[0] if alone else marks[2] if _ends(marks[1]) else marks[1]
        line = text.count("\n", 0, wrong.start()) + 1
        raise PassdownError(
            f"{name}:{line}: the markers of Passdown's block are broken: {wrong[0].strip()}",
            f"leave one {BEGIN} and below it one {END}, or neither; nothing was written",
        )
    last = marks[1].end()
    return marks[0].start(), last + 1 if text[last : last + 1] == "\n" else last


def without(text: str) -> str:
    """The text with whole blocks empty, so that other lines keep their numbers; broken markers: as it is."""
    kept, at = [], 0
    marks = list(_MARKER.finditer(text))
    if [_ends(mark) for mark in marks] != [False, True] * (len(marks) // 2):
        return text
    for begin, end in zip(marks[::2], marks[1::2], strict=True):
        kept += [text[at : begin.start()], "\n" * text.count("\n", begin.start(), end.end())]
        at = end.end()
    return "".join([*kept, text[at:]])


def _ends(mark: re.Match[str]) -> bool:
    return bool(mark["end"]) or mark["which"] == "end"
