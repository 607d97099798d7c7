"""How many tokens a text takes, within a tenth of what models count; and its beginning within so many."""

from __future__ import annotations

import unicodedata

from passdown.rules.patterns import lazy

_PIECE = lazy(r"[A-Za-z]+|\d+|[^\x00-\x7f]|[^\sA-Za-z\d]|\n")
_WORD = 7
_TENTHS = 10


def tokens(text: str) -> int:
    """The estimate: a short word is one, three digits are one, a Chinese character nearly one."""
    return -(-sum(_tenths(piece[0]) for piece in _PIECE.finditer(text)) // _TENTHS)


def head(text: str, limit: int) -> str:
    """The beginning of the text within ``limit`` tokens; all of it where it fits."""
    used = 0
    for piece in _PIECE.finditer(text):
        used += _tenths(piece[0])
        if used > limit * _TENTHS:
            return text[: piece.start()].rstrip()
    return text


def _tenths(piece: str) -> int:
    first = piece[0]
    if first > "\uffff":
        return 2 * _TENTHS
    if not first.isascii():
        return 9 if unicodedata.east_asian_width(first) in "WF" else 5
    if first.isalpha():
        return _TENTHS + max(0, len(piece) - _WORD) * _TENTHS // 6
    if first.isdigit():
        return -(-len(piece) // 3) * _TENTHS
    return 8
