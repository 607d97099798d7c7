"""A boundary compiled for the hook that runs without the package (:mod:`passdown.guard.fast`)."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from passdown.model.boundary import Boundary, Entry
from passdown.model.paths import from_wire
from passdown.model.policy import Derived, GuardMode
from passdown.rules.decide import Asked
from passdown.rules.match import Matcher, single
from passdown.rules.protect import ARMED, CONTROL, PROTECTED

Json = dict[str, Any]
_MOST_PLACES = 3


class Gate(Struct, frozen=True, kw_only=True):
    """What a run must say before it writes, in one line.

    ``sessions``: which session did, and when (seconds of the epoch); "": a person, or nobody knows which.
    ``marker``: a file whose time says when the conversation was last compacted.
    """

    text: str
    marker: str
    sessions: dict[str, float] = field(default_factory=dict)


class Arming(Struct, frozen=True, kw_only=True):
    """What binds one worktree on one branch. ``until``: seconds of the epoch; ``made``: new files that are there.

    ``tree``, ``head``, ``moves``: the worktree, its HEAD and the entries of HEAD's reflog when it was armed.
    """

    boundary: Boundary
    task: str
    mode: GuardMode
    until: float
    derived: Sequence[Derived] = ()
    made: Sequence[str] = ()
    tree: str | None = None
    head: str | None = None
    moves: int = 0
    gate: Gate | None = None
    lease: str = ""


def compiled(arming: Arming, *, fold_case: bool = False) -> Json:
    """The rules of one branch. Each pattern carries its code for this interpreter's matcher and its text for others."""
    boundary = arming.boundary
    asked = Asked.of(boundary, fold_case=fold_case)
    return {
        "task": arming.task,
        "boundary": boundary.digest,
        "mode": arming.mode,
        "until": arming.until,
        "magic": magic(),
        "fold_case": fold_case,
        "deny": _listed(asked.deny, boundary.deny),
        "allow": _listed(asked.allow, boundary.allow),
        "control": pattern(CONTROL, whole=True),
        "armed": [[_either(names, fold_case=True), f"{what}: {PROTECTED}"] for names, what in ARMED],
        "opened": _either(boundary.opened, fold_case=True),
        "derived": _either([rule.path for rule in arming.derived], fold_case=fold_case),
        "sources": [[rule.path, rule.from_] for rule in arming.derived],
        "folders": sorted(asked.folders),
        "new": boundary.budget.new or 0,
        "made": list(arming.made),
        "slow": sys.executable,
        "tree": arming.tree,
        "head": arming.head,
        "moves": arming.moves,
        "gate": msgspec.to_builtins(arming.gate),
        "lease": arming.lease,
        "wire": msgspec.to_builtins(boundary),
        "go_on": ", ".join([single(entry.path) or entry.path for entry in boundary.allow[:_MOST_PLACES]]),
    }


def for_worktree(branches: Mapping[str | None, Json], *, off_until: float = 0.0) -> Json:
    """The rules of one worktree, by branch (None: detached); ``off_until``: a person's gap, seconds of the epoch."""
    named = {"" if branch is None else "/" + branch: rules for branch, rules in branches.items()}
    return {"off_until": off_until, "branches": named}


def magic() -> list[object]:
    """What code of a pattern depends on: the hook compares it with its own."""
    import _sre  # type: ignore[import-not-found] # noqa: PLC0415 # what the matcher itself stands on

    return [_sre.MAGIC, _sre.CODESIZE, sys.version]


def pattern(text: str, *, whole: bool = False) -> Json:
    """A pattern as the hook reads it; ``whole``: the text must match all of the path."""
    text = rf"\A(?:{text})\Z" if whole else text
    known = re.compile(text)
    return {"text": text, "flags": known.flags, "groups": known.groups, "code": _code(text)}


def _code(text: str) -> list[int] | None:
    """The matcher's code; None where this interpreter hides it: the hook then compiles by itself, slower."""
    try:
        from re import _compiler, _parser  # type: ignore[attr-defined] # noqa: PLC0415 - where re makes it

        code: list[int] = _compiler._code(_parser.parse(text), 0)  # noqa: SLF001 - the same
    except (ImportError, AttributeError, TypeError):
        return None
    return [int(each) for each in code]


def _listed(matcher: Matcher, entries: Sequence[Entry]) -> Json:
    named = [[entry.id, f"{from_wire(entry.path, entry.path_b64)}: {entry.because}"] for entry in entries]
    return {"any": _joined(matcher.regexes), "each": [pattern(each) for each in matcher.regexes], "entries": named}


def _either(patterns: Sequence[str], *, fold_case: bool) -> Json | None:
    return _joined(Matcher.compile(patterns, fold_case=fold_case).regexes)


def _joined(regexes: Sequence[str]) -> Json | None:
    return pattern("(?s)" + "|".join(f"(?:{each[4:]})" for each in regexes)) if regexes else None
