"""What a packet says where nobody stands behind the check that counts as done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from passdown.model.packet import Done, PacketCheck

if TYPE_CHECKING:
    from passdown.packet.sources import Sources


def unconfirmed(sources: Sources, done: Sequence[Done]) -> list[str]:
    """A note where nobody confirmed the done-definition."""
    if not done:
        return ["done when: not said, and no check is known"]
    opened = sources.task.done if sources.task is not None else []
    if any(check.acceptance for check in sources.checks) or opened == [d.check for d in done]:
        return []
    candidates = {check.name for check in sources.checks if any(w.startswith("candidate") for w in check.warnings)}
    name = next((d.check for d in done if d.check in candidates or d.result is None), None)
    if name is None:
        return []
    confirm = f": passdown check --confirm {name}" if re.fullmatch(r"[\w.-]+", name) else ""
    return [f"{_unconfirmed(name)}{confirm}"]


def confirmed_since(note: str, checks: Sequence[PacketCheck]) -> bool:
    """Whether a sealed note misses somebody behind a check that somebody stands behind by now."""
    standing = [c for c in checks if not any(warning.startswith("candidate") for warning in c.warnings)]
    return any(note.startswith(_unconfirmed(check.name)) for check in standing)


def _unconfirmed(name: str) -> str:
    return f"nobody confirmed the check {name} yet"
