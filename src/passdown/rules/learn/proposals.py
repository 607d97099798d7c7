"""From causes that missed often enough to edits that a person may take."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from passdown.rules.learn.misses import Counted

File = Literal["instructions", "policy", "template"]
_LONGEST = 160


class Kind(Struct, frozen=True):
    """From where on a cause is worth an edit: misses, tasks, share; ``chance`` says what is counted."""

    misses: int
    tasks: int
    share: float
    chance: str


KINDS = {
    "contradicted-claim": Kind(3, 2, 0.05, "packets in which an agent stated something"),
    "dead-end": Kind(2, 2, 0.0, "tasks"),
    "undeclared-check": Kind(3, 2, 0.2, "packets with a test check"),
    "redundant-check": Kind(5, 2, 0.2, "runs of it"),
    "vain-touch": Kind(3, 2, 0.05, "resumed runs"),
    "stray-path": Kind(3, 2, 0.05, "resumed runs"),
    "false-denial": Kind(3, 2, 0.05, "resumed runs"),
    "lifted-hold": Kind(3, 2, 0.5, "packets that it held"),
}
_MAY_WATCH = frozenset({"goal-superseded", "boundary-too-wide", "too-old", "owner-missing", "scope-widened"})
"""Reasons that hold because a mode or a policy says so. What holds only in its grave form, or always, is not talked
out of it by being lifted."""


class Edit(Struct, frozen=True):
    """One line more: of the instructions (``key`` ""), or ``value`` under ``table`` and ``key`` of a TOML file.

    ``listed``: the key holds a list. ``template``: whose file.
    """

    file: File
    value: str
    table: str = ""
    key: str = ""
    listed: bool = False
    template: str = ""


class Proposal(Struct, frozen=True):
    """A cause, what it was counted from, and the edit; ``agent``: the one with which alone it happened."""

    kind: str
    subject: str
    misses: int
    chances: int
    chance: str
    tasks: int
    edit: Edit
    agent: str = ""


def proposals(causes: Iterable[Counted]) -> list[Proposal]:
    """Those above their kind's threshold, the most frequent first."""
    found = []
    for cause in causes:
        kind = KINDS[cause.kind]
        often = len(cause.missed) >= kind.misses and cause.tasks >= kind.tasks and cause.share >= kind.share
        edit = _edit(cause) if often and _harmless(cause.subject, cause.about) else None
        if edit is not None:
            counts = (len(cause.missed), len(cause.chances), kind.chance, cause.tasks)
            found.append(Proposal(cause.kind, cause.subject, *counts, edit, cause.agent))
    return sorted(found, key=lambda one: (-one.misses, one.kind, one.subject))


def _harmless(*texts: str) -> bool:
    """Whether the texts fit in a line of somebody's instructions: foreign text, so nothing that marks it up."""
    return all(text.isprintable() and len(text) <= _LONGEST and not set(text) & set("`<>") for text in texts)


def _edit(cause: Counted) -> Edit | None:
    subject, quoted = cause.subject, json.dumps(cause.subject, ensure_ascii=False)
    counts = f"{len(cause.missed)} of {len(cause.chances)}"
    if cause.kind == "stray-path":
        because = json.dumps(f"outside in {counts} resumed runs")
        return Edit("policy", f"{{ path = {quoted}, because = {because} }}", "boundary", "deny", listed=True)
    if cause.kind == "lifted-hold":
        return Edit("policy", '"watch"', "hold", subject) if subject in _MAY_WATCH else None
    if cause.kind == "undeclared-check":
        return Edit("policy", quoted, f"checks.{cause.about}", "run") if cause.about.isidentifier() else None
    if cause.kind == "false-denial":
        return Edit("template", quoted, "boundary", "allow", listed=True, template=cause.about) if cause.about else None
    return Edit("instructions", _sentence(cause))


def _sentence(cause: Counted) -> str:
    what = f"`{cause.subject}`"
    if cause.kind == "contradicted-claim":
        return f"Say that something passes only after {what} exited 0 with no edit since."
    if cause.kind == "dead-end":
        return f'{what} was tried in vain: "{cause.about}".'
    if cause.kind == "redundant-check":
        return f"Before another run of the check {what}: `passdown check --list` says whether this code has a result."
    return f"Leave {what} as it is unless the request names it: changes there came to nothing."
