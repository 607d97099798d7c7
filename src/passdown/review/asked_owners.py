"""Whose word is asked for: the owners of what a packet touches, who of them has answered, who is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from passdown.model.event import Verdict
from passdown.review.owners import Owners


class AskedOwners(Struct, frozen=True):
    """Owners of which any one speaks for ``paths``; ``section``: GitLab's, "" where there is none.

    ``approvals``: how many of them are asked for. ``answers``: by those who count; ``selves``: by who ran the agent,
    which never count.
    """

    owners: tuple[str, ...]
    section: str = ""
    optional: bool = False
    approvals: int = 1
    paths: list[str] = field(default_factory=list)
    answers: Sequence[Verdict] = ()
    selves: Sequence[Verdict] = ()

    @property
    def missing(self) -> bool:
        """Whether somebody has yet to answer."""
        return not self.optional and len(self.answers) < self.approvals


def asked_owners(owners: Owners, paths: Iterable[str], given: Sequence[Verdict]) -> list[AskedOwners]:
    """Each group of owners of the paths, those whose answer is missing first; ``given``: the answers that stand."""
    found: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for path in dict.fromkeys(paths):
        for at, section in enumerate(owners.sections):
            names = section.of(path)
            if names:
                found.setdefault((at, names), []).append(path)
    latest = {verdict.by.lower(): verdict for verdict in given}
    asked = [_asked(owners, at, names, where, list(latest.values())) for (at, names), where in found.items()]
    return sorted(asked, key=lambda one: (not one.missing, one.optional))


def _asked(owners: Owners, at: int, names: tuple[str, ...], paths: list[str], given: Sequence[Verdict]) -> AskedOwners:
    section = owners.sections[at]
    theirs = [verdict for verdict in given if _speaks_for(verdict, names)]
    return AskedOwners(
        owners=names,
        section=section.name,
        optional=section.optional,
        approvals=section.approvals,
        paths=paths,
        answers=[verdict for verdict in theirs if not verdict.self_],
        selves=[verdict for verdict in theirs if verdict.self_],
    )


def _speaks_for(verdict: Verdict, names: Iterable[str]) -> bool:
    """By name; a team's member where the forge said so when the answer was read."""
    known = {verdict.by.lower(), *(name.lower() for name in verdict.answers_for)}
    return any(name.lower() in known for name in names)
