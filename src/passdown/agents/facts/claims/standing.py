"""Whether a statement of an earlier turn on checks or git still stands: nothing later speaks of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passdown.agents.facts.claims.on_checks import kinds_said, speaks_of
from passdown.agents.facts.claims.on_git import deeds_said
from passdown.agents.facts.claims.units import Unit, units
from passdown.agents.facts.journal import Journal, Said
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

_ABOUT = lazy(
    r"test|spec|suite|lint|ruff|flake8|biome|clippy|prettier|rubocop|mypy|pyright|tsc|typ(?:es?|ing)\b|build|compil|docfx|check"
    r"|gates|hooks|\d (?:passed|passing)|\d/\d|commit|push|merg|rebas|squash|cherry|\bPR\b|pull request|branch|\btag"
    r"|\u6d4b|\u30c6\u30b9\u30c8|\u63a8\u9001|\u5408\u5e76|\u63d0\u4ea4|\u0442\u0435\u0441\u0442|eingecheckt|pouss",
    re.IGNORECASE,
)
_BAD = lazy(
    r"\b(?:failing|fails?|failed|broken|red)\b|\bschl(?:agen|\u00e4gt)\b.* fehl\b"
    r"|\b(?:not|n['\u2019]t|never) (?:actually |really |all |yet |been )?(?:pass|green|run|ran)\w*",
    re.IGNORECASE,
)


def may_stand(text: str) -> bool:
    """Whether it speaks of checks or of git at all: what else an earlier turn said cannot be followed up."""
    return _ABOUT.search(text) is not None


def stands(unit: Unit, said_at: int, later: Sequence[Said], journal: Journal, *, first: bool) -> bool:
    """Whether it counts although later turns followed; ``first``: those claim nothing, so only a correction ends it."""
    text = f"{unit.text} {unit.below}"
    kinds = kinds_said(text)
    if first:
        return not any(_corrected(kind, said.text) for kind in kinds for said in later)
    deeds = deeds_said(text)
    words = "\n".join(said.text for said in later)
    return bool(kinds or deeds) and not (
        any(speaks_of(kind, words) for kind in kinds)
        or _ran_again(kinds, said_at, journal)
        or any(deed.said.search(words) or deed.name in words.lower() for deed in deeds)
        or any(not ran.verbs.isdisjoint(deed.verbs) for deed in deeds for ran in journal.ran_after(said_at))
    )


def _corrected(kind: CheckKind, text: str) -> bool:
    return any(speaks_of(kind, unit.text) and _BAD.search(unit.text) for unit in units(text))


def _ran_again(kinds: Sequence[CheckKind], said_at: int, journal: Journal) -> bool:
    later = (check for check in journal.checks if check.seq > said_at) if kinds else ()
    return any("other" in kinds or not check.kinds.isdisjoint(kinds) for check in later)
