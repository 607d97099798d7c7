"""A command that is confined, or about to be, and what was asked besides the boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.model.boundary import Boundary
    from passdown.sandbox.bubblewrap import Support
    from passdown.sandbox.environment import Variables
    from passdown.sandbox.plan import Plan


class Wishes(Struct, frozen=True):
    """What the person asks besides the boundary; ``advisory``: go on where it cannot confine."""

    ssh: bool = False
    keep_env: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    advisory: bool = False
    quiet: bool = False

    def options(self) -> list[str]:
        """The same, as one types it for a fresh sandbox of the same boundary."""
        named = [("--keep-env", name) for name in self.keep_env] + [("--write", path) for path in self.write]
        return [*(["--ssh"] if self.ssh else []), *(word for pair in named for word in pair)]


class Confined(Struct, frozen=True):
    """A command that is ready to be run so. ``missing``: what this machine lacks to confine it."""

    command: Sequence[str]
    wishes: Wishes
    title: str
    task: str
    boundary: Boundary
    plan: Plan
    given: Variables
    support: Support
    landlock: int

    @property
    def missing(self) -> list[str]:
        """Why it cannot be confined here; [] where it can."""
        faults = (self.support.fault, "" if self.landlock else "this kernel has no Landlock")
        return [fault for fault in faults if fault]
