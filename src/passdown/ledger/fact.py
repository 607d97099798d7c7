"""Facts: small events of a run (touch, denial, command, heartbeat), one JSON line each."""

from __future__ import annotations

from msgspec import Struct, field


class Fact(Struct, frozen=True, kw_only=True):
    """One fact as read back. ``id`` is random (32 hex digits); ``writer`` is empty until its batch is committed."""

    id: str
    kind: str
    at: str
    task: str | None = None
    data: dict[str, str | int | None] = field(default_factory=dict)
    writer: str = ""
