"""One pass over a session's normalised stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from passdown.model.session import SessionFacts
from passdown.rules.redact import Redactor


def gather(stream: Iterable[Any], *, agent: str = "unknown", redactor: Redactor | None = None) -> SessionFacts:
    """The facts of one session; every free text is redacted (``redactor``: the policy's, else the built-in rules)."""
    raise NotImplementedError
