"""Which part of the record is measured: a stretch of time, an agent, an owner, a template, a repository."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passdown.rules.instants import DAY, seconds
from passdown.rules.measures.account import Run


class Window(Struct, frozen=True):
    """``(start, end]`` in seconds since 1970; ``start`` None: from the first record on."""

    start: float | None
    end: float

    def before(self) -> Window | None:
        """The stretch of the same length that ends where this one begins."""
        return None if self.start is None else Window(2 * self.start - self.end, self.start)


def last(days: float | None, now: str) -> Window:
    """The last ``days`` until ``now``; None: all that there is."""
    end = seconds(now) or 0.0
    return Window(None if days is None else end - days * DAY, end)


class Only(Struct, frozen=True):
    """Which runs count; None: any."""

    agent: str | None = None
    owner: str | None = None
    template: str | None = None
    repository: str | None = None

    def passes(self, run: Run) -> bool:
        """Whether the run is one of those."""
        asked = (self.agent, self.owner, self.template, self.repository)
        has = (run.agent, run.owner, run.template, run.repository)
        return all(want is None or want == got for want, got in zip(asked, has, strict=True))

    def of(self, runs: Sequence[Run]) -> list[Run]:
        """Those runs."""
        return list(runs) if self.everything else [run for run in runs if self.passes(run)]

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Only()
