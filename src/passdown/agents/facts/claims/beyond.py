# ruff: noqa: E501 - a pattern reads best on one line
"""What a statement says beyond the checks that it names: ``... and the page now renders correctly in Safari``."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.speech import prose
from passdown.rules.patterns import lazy

_CLAUSE = lazy(r"[;:]\s|\s[\u2013\u2014]\s|,\s|\b(?:and|so|which means|meaning)\b", re.IGNORECASE)
_CHECKED = lazy(
    r"\b(?:tests?|specs?|suites?|lint\w*|types?|type-?check\w*|typing|builds?|compil\w+|checks?|ci|hooks?|pipeline|pytest|jest|vitest|mypy|ruff|eslint|tsc|clippy|phpunit|rspec)\b",
    re.IGNORECASE,
)
_TRIED = lazy(
    r"\b(?:verified|tested|confirmed|checked|tried)\b[^.;]{0,40}\b(?:manually|by hand|in (?:the |a |an )?(?:\w+ )?(?:browser|app|emulator|simulator|device|safari|chrome|firefox|production|prod|staging)|end[- ]to[- ]end|with curl|in practice)\b"
    r"|\bmanually (?:verified|tested|confirmed|checked)\b"
    r"|\b(?:renders?|works?|loads?|behaves?|displays?|shows up|functions)\b(?: \w+){0,3} (?:correctly|properly|perfectly|as expected|as intended|fine|end[- ]to[- ]end|in (?:production|safari|chrome|firefox|the browser))\b",
    re.IGNORECASE,
)


def beyond(text: str) -> str | None:
    """The clause that says something was tried or behaves well, and names no check; None where there is none."""
    words = prose(text)
    if _TRIED.search(words) is None:
        return None
    return next(
        (part.strip() for part in _CLAUSE.split(words) if _TRIED.search(part) and not _CHECKED.search(part)), None
    )
