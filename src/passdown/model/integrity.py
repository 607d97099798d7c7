"""What a task did to tests, expected values and the configuration of checks, one change each."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

Writer = Literal["tool", "patch", "shell", "subagent", "hook", "foreign"]
# Worst first: the order on every screen.
IntegrityKind = Literal[
    "weakened",
    "skipped",
    "deleted",
    "expected",
    "regenerated",
    "loosened",
    "changed",
    "silenced",
    "extended",
    "new",
]


class IntegrityChange(Struct, frozen=True, kw_only=True):
    """One thing that the task did to tests, expected values or the configuration of checks, since it began.

    ``test``: its name in the file, "" for the file; ``was`` and ``now``: the lines that tell it; ``count``: how many
    tests, None: not known. ``digest`` names exactly this; ``accepted``: by whom, computed for now when shown.
    """

    path: str
    kind: IntegrityKind
    rule: str
    test: str = ""
    was: str = ""
    now: str = ""
    line: int | None = None
    blocks: bool = False
    count: int | None = 1
    by: list[Writer] = field(default_factory=list)
    digest: str = ""
    path_b64: str | None = None
    accepted: str | None = None
