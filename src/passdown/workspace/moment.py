"""How every record writes a moment."""

from __future__ import annotations

from datetime import datetime


def written(moment: datetime) -> str:
    """A moment in UTC: ``2026-03-01T10:00:00.000Z``."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
