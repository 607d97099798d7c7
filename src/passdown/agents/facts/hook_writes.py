# ruff: noqa: E501 - a pattern reads best on one line
"""Files that a hook of ``git commit`` or ``git push`` rewrote, where its output names them."""

from __future__ import annotations

import re

from passdown.model.session import HookWrite
from passdown.rules.patterns import lazy

_STAGE = lazy(r"^(?P<name>\S.{2,68}?)\.{3,}(?:\([^)]*\))?(?:Passed|Failed|Skipped)$|^- hook id: (?P<id>\S+)$")
_FIXED = lazy(
    r"^\s*(?:reformatted|Reformatted|Fixing|Fixed|Rewriting|rewrote|Sorting|Formatted|formatted|Updating|Writing) (?P<path>\S.*?)(?: \(\w+\))?\.?$"
    r"|^(?P<timed>[\w@.+/-]+\.\w+) \d+(?:\.\d+)?m?s$"
)
_COUNTED = lazy(r"^\d+ (?:files?|errors?|warnings?)\b")
_MOST = 200


def hook_writes(output: str, command: str, at: str | None, record: int) -> list[HookWrite]:
    """The files that ``output`` (cleaned) says were changed by a hook, each with the hook's name where one stands above."""
    found: dict[str, HookWrite] = {}
    hook = ""
    for line in output.split("\n"):
        stage = _STAGE.match(line)
        if stage:
            hook = stage["id"] or stage["name"]
            continue
        fixed = _FIXED.match(line)
        path = (fixed["path"] or fixed["timed"]) if fixed else ""
        if path and not _COUNTED.match(path) and re.search(r"[./]", path) and len(found) < _MOST:
            found.setdefault(path, HookWrite(path=path, hook=hook, command=command, at=at, record=record))
    return list(found.values())
