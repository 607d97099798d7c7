"""Running checks and recording what came out of them."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from passdown.checks.run import run_check
from passdown.cli.fresh_sandbox import fresh_sandbox
from passdown.cli.output import aside, plain
from passdown.cli.progress import progress
from passdown.rules.origin import failing
from passdown.workspace.moment import written

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.event import Compared
    from passdown.model.evidence import CheckDefinition, Evidence
    from passdown.model.packet import PacketCheck
    from passdown.model.session import SessionFacts

_MARGIN = 2.0
"""Seconds that writing a copy of the base may take besides the run."""


def standing_now(context: Context, facts: SessionFacts | None = None) -> list[PacketCheck]:
    """How every known check stands on the worktree as it is."""
    from passdown.checks.standing import standing

    return standing(
        context.view,
        context.policy,
        context.recorder.records(),
        facts,
        now=datetime.fromisoformat(context.now),
        trust=context.trust,
    )


def rerun(context: Context, facts: SessionFacts | None = None) -> list[Evidence]:
    """What `pack` and `resume` run by themselves: declared or confirmed, and quick when they last ran.

    All of it, the base's runs of what fails included, ends within the budget.
    """
    if not context.recorder.records(type="evidence"):
        return []
    from passdown.checks.quick import BUDGET, quick

    standing_ = standing_now(context, facts)
    last = {check.name: check.seconds for check in standing_}
    ends = time.monotonic() + BUDGET
    done: list[Evidence] = []
    for definition in quick(standing_, context.declared_checks()):
        left = ends - time.monotonic()
        if left < 1:
            break
        limited = msgspec.structs.replace(definition, timeout=min(definition.timeout or left, left))
        with progress(f"running {plain(definition.name)}", last.get(definition.name)):
            evidence = run_and_record(context, limited, quiet=True)
        done.append(evidence)
        left = ends - time.monotonic()
        if failing(evidence) and evidence.seconds + _MARGIN < left:
            ask_base(context, msgspec.structs.replace(definition, timeout=left), evidence)
    return done


def ask_base(context: Context, definition: CheckDefinition, failed: Evidence) -> Compared | None:
    """How a failing check ends on the commit that the work began from, recorded; None where there is no such commit."""
    from passdown.checks.merge_base import compare_with_base
    from passdown.checks.tree import TreeView
    from passdown.rules.origin import compared

    base = context.policy.revision
    if base is None:
        return None
    known = compared(context.recorder.records(type="compared"), context.trust).get(definition.name, [])
    now = datetime.now(UTC)
    with progress(f"comparing {plain(definition.name)} with the base", failed.seconds):
        found = compare_with_base(TreeView(context.place, base), definition, failed, known, now=now)
    if found not in known:
        task = context.task
        context.recorder.append(found, task=task.id if task else None, at=written(now))
        context.forget()
    return found


def acceptance(context: Context) -> list[CheckDefinition]:
    """The definitions of the acceptance checks of the task and the policy, accepted ones alone."""
    task = context.task
    wanted = set(task.done if task is not None else ())
    return [
        known.definition
        for known in context.known_checks()
        if known.accepted and (known.definition.name in wanted or known.definition.acceptance)
    ]


def unaccepted(context: Context) -> list[CheckDefinition]:
    """Declared acceptance checks that nobody stands behind as they run now."""
    task = context.task
    wanted = set(task.done if task is not None else ())
    return [
        known.definition
        for known in context.known_checks()
        if known.declared and not known.accepted and (known.definition.name in wanted or known.definition.acceptance)
    ]


def run_and_record(
    context: Context, definition: CheckDefinition, *, quiet: bool, cwd: str = ".", isolated: bool = False
) -> Evidence:
    """One run, recorded; its output goes to standard error unless ``quiet``."""
    task = context.task
    live = None if quiet else _Shown()
    now, confined = datetime.now(UTC), fresh_sandbox()
    evidence = run_check(
        context.place,
        definition,
        now=now,
        live=live,
        redactor=context.redactor,
        cwd=cwd,
        isolated=isolated,
        moment=context.moment(),
        within=confined,
    )
    if confined:
        evidence = msgspec.structs.replace(evidence, observed_by="agent-side")
    subjects = {"tree": evidence.tree_before}
    context.recorder.append(evidence, task=task.id if task else None, at=written(now), subjects=subjects)
    context.forget(evidence.tree_after if evidence.isolated is None else None)
    if live is not None:
        live.end()
    return evidence


def run_restored_and_record(context: Context, definition: CheckDefinition, *, quiet: bool) -> Evidence:
    """As :func:`run_and_record`; files that the check protects are as the base has them."""
    from passdown.checks.run import run_restored

    base = context.policy.revision
    if not definition.protect or base is None:
        return run_and_record(context, definition, quiet=quiet)
    now = datetime.now(UTC)
    evidence = run_restored(context.place, definition, base, now=now, redactor=context.redactor)
    if evidence is None:
        return run_and_record(context, definition, quiet=quiet)
    task = context.task
    context.recorder.append(evidence, task=task.id if task else None, at=written(now))
    context.forget()
    return evidence


class _Shown:
    """The check's output on standard error as it comes; what is said next begins on a line of its own."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._last = b"\n"

    def write(self, data: bytes, /) -> None:
        """Show."""
        sys.stderr.buffer.write(data)
        self._last = data[-1:]

    def flush(self) -> None:
        """Show at once."""
        sys.stderr.buffer.flush()

    def end(self) -> None:
        """Close an open line."""
        if self._last != b"\n":
            aside("")
