"""What `verify` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED

if TYPE_CHECKING:
    from passdown.guard.unjudged import Stray
    from passdown.model.boundary import Boundary
    from passdown.model.evidence import Evidence
    from passdown.rules.judge import Violation


class Answer(Struct):
    """``holds`` None: it could not decide."""

    holds: bool | None
    boundary: Boundary | None = None
    violations: list[Violation] = field(default_factory=list)
    checks: list[Evidence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    hint: str = ""
    strays: list[Stray] = field(default_factory=list)
    bypassed: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code."""
        return {True: 0, False: EXIT_DOES_NOT_HOLD, None: EXIT_UNDECIDED}[self.holds]
