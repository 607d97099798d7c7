"""Which tests failed, and the first line that says why."""

from __future__ import annotations

import re
from itertools import zip_longest

from passdown.agents.facts.output.blocks import BLOCKS
from passdown.agents.facts.output.errors import first_error, telling_line
from passdown.agents.facts.output.heads import HEADS
from passdown.rules.patterns import lazy

_MAX = 200
_LINE = 300
_BLOCK = 2000
_BUN = lazy(r"^\((?:pass|fail|skip)\) .*$", re.MULTILINE)


def failing(text: str) -> dict[str, str]:
    """Failing id -> its first error line ("" where none is printed), in order; at most 200."""
    found: dict[str, str] = {}
    for mark, find in BLOCKS:
        if mark in text:
            for name, error in find(text):
                _note(found, name, error)
        if found:
            return found
    for head in HEADS:
        matches = list(head.finditer(text))
        for match, end in zip_longest(matches, [later.start() for later in matches[1:]]):
            name = match["id"].strip()
            given = (match.groupdict().get("error") or "").strip()
            if len(found) < _MAX or name in found:
                _note(found, name, given if found.get(name) else given or _error_of(name, text, match, end))
        if found:
            break
    return found


def _note(found: dict[str, str], name: str, error: str) -> None:
    if len(found) < _MAX or name in found:
        found[name] = found.get(name) or error[:_LINE]


def _error_of(name: str, text: str, head: re.Match[str], end: int | None) -> str:
    """The error line in the test's own section: before or after its heading, or elsewhere under its name."""
    if head[0].startswith("(fail)"):
        before = text[max(0, head.start() - 4000) : head.start()]
        return first_error(_BUN.split(before)[-1])
    if ".py::" in name:
        section = re.search(
            rf"^_+ (?:[\w.]+\.)?{re.escape(name.rsplit('::', maxsplit=1)[-1])} _+$(.*?)(?:^_{{3,}}|^={{3,}}|\Z)",
            text,
            re.MULTILINE | re.DOTALL,
        )
        return first_error(section[1]) if section else ""
    if name.endswith(".py"):
        section = re.search(
            rf"^_+ ERROR collecting {re.escape(name)} _+$(.*?)(?:^_{{3,}}|^={{3,}}|\Z)", text, re.MULTILINE | re.DOTALL
        )
        if section:
            return first_error(section[1])
    run = re.search(
        rf"^(?:=== RUN\s+|\[ RUN +\] ){re.escape(name)}$(.*)\Z", text[: head.start()], re.MULTILINE | re.DOTALL
    )
    if run and first_error(run[1]):  # `go test -v` and GoogleTest print what went wrong before they name the test
        return first_error(run[1])
    panic = re.search(
        rf"^---- {re.escape(name)} stdout ----$(.*?)(?:^----|^failures:|\Z)", text, re.MULTILINE | re.DOTALL
    )
    if panic:
        return first_error(panic[1])
    block = text[head.end() : min(head.end() + _BLOCK, end or len(text))]
    return first_error(block) or telling_line(block)
