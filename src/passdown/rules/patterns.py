"""Regular expressions that are compiled when they are first used.

Several hundred patterns read transcripts and texts; one command needs few of them, and compiling all at import
took longer than its whole work.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands for a compiled pattern; the first use of any of its methods compiles it."""

    __slots__ = ("_flags", "_text", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # asked only while the slots are empty
        compiled = re.compile(self._text, self._flags)
        for method in self.__slots__[2:]:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(text: str, flags: int = 0) -> re.Pattern[str]:
    """As ``re.compile``, later. For the pattern's methods; ``re.sub(p, ...)`` and the like need a real one."""
    return cast("re.Pattern[str]", _Lazy(text, flags))
