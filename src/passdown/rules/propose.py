"""The boundary that the facts propose, a reason per entry (semantics: section 3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from passdown.model.boundary import Boundary, Entry


@dataclass(frozen=True, slots=True)
class Wanted:
    """One path (or a pattern, for denials) and the fact that speaks for it."""

    path: str
    because: str


@dataclass(frozen=True, slots=True)
class ProposalFacts:
    """What a proposal is made from.

    ``unfinished``, ``failing``, ``items`` are paths with reasons; ``paths`` every path of the tree;
    ``together`` names files that often change with a path; ``prohibited`` and ``denied`` are what the person,
    instruction files and permissions forbid (as written there); ``finished`` are done and verified files;
    ``owned`` patterns of other owners; ``kept`` entries of an earlier boundary whose ids must stay.
    """

    unfinished: Sequence[Wanted] = ()
    failing: Sequence[Wanted] = ()
    items: Sequence[Wanted] = ()
    prohibited: Sequence[Wanted] = ()
    denied: Sequence[Wanted] = ()
    finished: Sequence[Wanted] = ()
    owned: Sequence[Wanted] = ()
    paths: Collection[str] = ()
    together: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kept: Sequence[Entry] = ()
    new_files: int = 2
    stop: Sequence[str] = ()
    opened: Sequence[str] = ()
    version: int = 1


def propose(facts: ProposalFacts) -> Boundary:
    """As narrow as the facts allow; sealed (its digest filled in)."""
    raise NotImplementedError
