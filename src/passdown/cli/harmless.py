"""Foreign text that can disturb no terminal and no encoder."""

from __future__ import annotations

from passdown.rules.patterns import lazy

_LONE = lazy("[\ud800-\udc7f\udd00-\udfff]")


def whole(text: str) -> str:
    r"""Bytes that a locale could not decode, as UTF-8 where they are that, else as ``\xNN``."""
    if not any("\ud800" <= c <= "\udfff" for c in text):
        return text
    text = _LONE.sub(lambda found: ascii(found[0])[1:-1], text)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def plain(text: str) -> str:
    """Foreign text as one line: control characters, also those that move text on a terminal, are escaped."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else ascii(c)[1:-1] for c in whole(text))
