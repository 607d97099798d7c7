"""A check's evidence against today's worktree."""

from __future__ import annotations

from datetime import datetime

from passdown.checks.definition import Defined, changed_parts, define
from passdown.checks.fingerprint import inputs, is_input
from passdown.checks.tree import TreeView
from passdown.errors import PassdownError
from passdown.model.evidence import EnvironmentFingerprint, Evidence, Freshness
from passdown.rules import command
from passdown.rules.freshness import Today, freshness
from passdown.rules.instants import seconds
from passdown.workspace.diff import tree_diff


def fresh(view: TreeView, defined: Defined, evidence: Evidence, now: datetime) -> Freshness:
    """Whether the evidence still speaks of this tree."""
    from passdown.checks.environment import differing  # noqa: PLC0415 - where no check ran nobody asks

    started = seconds(evidence.started)
    here = _environment(view, defined)
    found = inputs(view, defined)
    stale = found.fingerprint != evidence.inputs
    return freshness(
        evidence,
        Today(
            inputs=found.fingerprint,
            environment=here,
            definition=defined.digest,
            age=float("inf") if started is None else now.timestamp() - started,
            ttl=defined.definition.ttl,
            differing=_paths(view, defined, evidence) if stale else (),
            parts=_parts(view, defined, evidence) if defined.digest != evidence.definition.digest else (),
            places=differing(evidence.environment, here),
        ),
    )


def _environment(view: TreeView, defined: Defined) -> EnvironmentFingerprint:
    """One for all checks of the same command and variables."""
    from passdown.checks.environment import environment  # noqa: PLC0415 - as above

    key = ("environment", command.text(defined.definition.run), tuple(defined.definition.env))
    return view.once(key, lambda: environment(view, defined.definition))


def _paths(view: TreeView, defined: Defined, evidence: Evidence) -> list[str]:
    """Input paths that differ from the evidence's tree, as far as that tree is still here."""
    try:
        old = evidence.tree_before
        changes = view.once(("diff", old, view.tree), lambda: tree_diff(view.place, old, view.tree))
        found = [change.path for change in changes if is_input(defined, change.path)]
        if not found and defined.definition.inputs_ignored:
            return ["a file of inputs_ignored"]
    except PassdownError:
        return []
    return found


def _parts(view: TreeView, defined: Defined, evidence: Evidence) -> list[str]:
    """Pieces of the definition that differ from what ran."""
    try:
        return list(changed_parts(define(view.at(evidence.tree_before), evidence.definition), defined))
    except PassdownError:
        return []
