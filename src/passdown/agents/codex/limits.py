"""When a spent quota comes back."""

from __future__ import annotations

from passdown.agents.codex.records import RATE_LIMITS, Payload
from passdown.agents.failures import epoch_time
from passdown.agents.wire import begins

SPENT = 100.0  # percent


def spent_until(counted: Payload | None) -> str | None:
    """Read the last token count: when the last of the spent windows ends, as an ISO time."""
    if counted is None or not begins(counted.rate_limits, b"{"):
        return None
    limits = RATE_LIMITS.decode(counted.rate_limits)
    windows = [limits.primary, limits.secondary] if limits else []
    ends = [window.resets_at for window in windows if window and (window.used_percent or 0) >= SPENT]
    known = [end for end in ends if end]
    return epoch_time(max(known)) if known else None
