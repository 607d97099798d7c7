# ruff: noqa: E501 - a pattern reads best on one line
"""What the model's service says when it fails: a spent quota, a full context, anything else."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Literal

from passdown.rules.patterns import lazy

_LIMIT = lazy(
    r"usage.limit|\bhit your (?:\w+ )?limit|limit (?:reached|will reset)|out of (?:extra )?usage|credit balance|rate.?limit|quota"
    r"|\b429 Too Many Requests",
    re.IGNORECASE,
)
_FULL = lazy(
    r"prompt is too long|context (?:window|limit|low)|too many tokens|exceed\w* (?:the )?context"
    r"|context_window_exceeded|conversation (?:is )?too long|maximum context length|input length and .max_tokens. exceed",
    re.IGNORECASE,
)
_EPOCH = lazy(r"\|(\d{10})\b")
_RESETS = lazy(
    r"\b(?:resets?\s+(?:(?:at|on)\s+)?|try again (?=at |in ))(.{1,60}?)\s*(?:\.(?=\s+[A-Z]|\s*(?:$|[\"'\\}]))|[\n\"]|\s/[a-z]|\Z)",
    re.IGNORECASE | re.MULTILINE,
)

Kind = Literal["quota", "context-full", "api-error"]


def kind_of(text: str) -> Kind:
    """Tell a spent quota and a full context from other failures."""
    if _FULL.search(text):
        return "context-full"
    return "quota" if _LIMIT.search(text) else "api-error"


def epoch_time(seconds: float) -> str:
    """Write seconds since 1970 as an ISO time."""
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")


def resets(text: str) -> str | None:
    """Find when a quota comes back: the service's own words, or its epoch as an ISO time."""
    if epoch := _EPOCH.search(text):
        return epoch_time(int(epoch[1]))
    found = _RESETS.search(text)
    return found[1] if found else None
