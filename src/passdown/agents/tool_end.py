"""How a shell call ended, as a hook's payload after it tells."""

from __future__ import annotations

from msgspec import Struct


class ToolEnd(Struct, frozen=True):
    """``code``: None where the client does not tell; ``seconds``: how long it took, None the same."""

    code: int | None
    output: str
    seconds: float | None = None
