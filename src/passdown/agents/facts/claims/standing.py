"""Whether a statement of an earlier turn still stands: nothing later speaks of what it is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passdown.agents.facts.claims.on_checks import kinds_said, speaks_of
from passdown.agents.facts.claims.on_git import deeds_said
from passdown.agents.facts.claims.tokens import paths, same_path
from passdown.agents.facts.claims.units import Unit, units
from passdown.agents.facts.journal import Journal, Said
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

_BAD = lazy(
    r"\b(?:failing|fails?|failed|broken|red)\b|\bschl(?:agen|\u00e4gt)\b.* fehl\b"
    r"|\b(?:not|n['\u2019]t|never) (?:actually |really |all |yet |been )?(?:pass|green|run|ran)\w*",
    re.IGNORECASE,
)


def stands(unit: Unit, said_at: int, later: Sequence[Said], journal: Journal, *, first: bool) -> bool:
    """Whether it counts although later turns followed; ``first``: those claim nothing, so only a correction ends it.

    What names no check, no deed of git and no file cannot be followed up: beside later claims it is left out.
    """
    text = f"{unit.text} {unit.below}"
    kinds = kinds_said(text)
    if first:
        return not any(_corrected(kind, said.text) for kind in kinds for said in later)
    deeds, named = deeds_said(text), paths(text)
    if not (kinds or deeds or named):
        return False
    words = "\n".join(said.text for said in later)
    if kinds or deeds:
        return not (
            any(speaks_of(kind, words) for kind in kinds)
            or _ran_again(kinds, said_at, journal)
            or any(deed.said.search(words) or deed.name in words.lower() for deed in deeds)
            or any(not ran.verbs.isdisjoint(deed.verbs) for deed in deeds for ran in journal.ran_after(said_at))
        )
    return not _followed_up(named, words, said_at, journal)


def _corrected(kind: CheckKind, text: str) -> bool:
    return any(speaks_of(kind, unit.text) and _BAD.search(unit.text) for unit in units(text))


def _ran_again(kinds: Sequence[CheckKind], said_at: int, journal: Journal) -> bool:
    later = (check for check in journal.checks if check.seq > said_at) if kinds else ()
    return any("other" in kinds or not check.kinds.isdisjoint(kinds) for check in later)


def _followed_up(named: Sequence[str], words: str, said_at: int, journal: Journal) -> bool:
    if any(name.replace("\\", "/").rsplit("/", 1)[-1] in words for name in named):
        return True
    return any(same_path(w.event.path, name) for w in journal.writes_after(said_at) if w.ok for name in named)
