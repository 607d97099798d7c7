# ruff: noqa: E501 - a pattern reads best on one line
"""Which of several checks in one command failed, as far as their output shows it."""

from __future__ import annotations

import re

from passdown.model.session import CheckKind, Counts
from passdown.rules.patterns import lazy

_SIGNS: dict[CheckKind, re.Pattern[str]] = {
    "test": lazy(r"^\s*--- FAIL: |^FAIL\b|^FAILED |\(fail\) |^test result: FAILED", re.MULTILINE),
    "types": lazy(
        r"\berror TS\d+: |^Found \d+ errors? in \d+ files?\b|^(?!0 )\d+ errors?, \d+ warnings?, \d+ (?:notes?|informations?)",
        re.MULTILINE,
    ),
    "lint": lazy(
        r"^\u2716 \d+ problems? \([1-9]|^Found \d+ errors?\.$|\bfiles? would be reformatted|^\[warn\] Code style|\d offenses? detected|^Found \d+ errors?\b(?! in).*\bfixable",
        re.MULTILINE,
    ),
    "build": lazy(
        r"^(?:BUILD FAILED|Build FAILED|Build failed|error during build|error: could not compile)", re.MULTILINE
    ),
}


def shown_failed(kinds: frozenset[CheckKind], text: str, numbers: Counts | None) -> frozenset[CheckKind]:
    """Those of ``kinds`` that the output of a failed command shows to have failed."""
    found = {kind for kind, sign in _SIGNS.items() if kind in kinds and sign.search(text)}
    if "test" in kinds and numbers is not None and numbers.failed:
        found.add("test")
    return frozenset(found)
