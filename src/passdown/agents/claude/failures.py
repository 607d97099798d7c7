"""Messages of the model's service that the client wrote in the model's place."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Literal

_LIMIT = re.compile(
    r"usage limit|\bhit your (?:\w+ )?limit|limit reached|out of (?:extra )?usage|credit balance|rate.?limit|quota",
    re.IGNORECASE,
)
_FULL = re.compile(
    r"prompt is too long|context (?:window|limit|low)|too many tokens|exceed\w* context|conversation is too long"
    r"|input length and .max_tokens. exceed",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"\|(\d{10})\b")
_RESETS = re.compile(r"\bresets?\s+(?:at\s+)?(.{1,60}?)\s*(?:[.\n]|\Z)", re.IGNORECASE)

Kind = Literal["quota", "context-full", "api-error"]


def kind_of(text: str) -> Kind:
    """Tell a spent quota and a full context from other failures."""
    if _FULL.search(text):
        return "context-full"
    return "quota" if _LIMIT.search(text) else "api-error"


def resets(text: str) -> str | None:
    """Find when a quota comes back: the service's own words, or its epoch as an ISO time."""
    if epoch := _EPOCH.search(text):
        return datetime.fromtimestamp(int(epoch[1]), UTC).isoformat().replace("+00:00", "Z")
    found = _RESETS.search(text)
    return found[1] if found else None
