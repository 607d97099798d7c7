"""What GitHub says is foreign text: data, one line, nothing in it that moves or hides anything."""

from __future__ import annotations

from passdown.model.paths import printable


def plain(text: str) -> str:
    """The text as one printable line."""
    return printable(" ".join(text.split()))


def cut(text: str, length: int) -> str:
    """As :func:`plain`, of at most so many characters."""
    line = plain(text)
    return line if len(line) <= length else f"{line[: length - 3].rstrip()}..."
