"""Running checks and recording what came out of them."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from passdown.checks.quick import quick
from passdown.checks.run import run_check
from passdown.checks.standing import standing
from passdown.cli.output import aside, plain

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.evidence import CheckDefinition, Evidence
    from passdown.model.packet import PacketCheck
    from passdown.model.session import SessionFacts


def standing_now(context: Context, facts: SessionFacts | None = None) -> list[PacketCheck]:
    """How every known check stands on the worktree as it is."""
    return standing(
        context.view,
        context.policy,
        context.recorder.records(),
        facts,
        now=datetime.fromisoformat(context.now),
        trust=context.trust,
    )


def rerun(context: Context, facts: SessionFacts | None = None) -> list[Evidence]:
    """What `pack` and `resume` run by themselves: declared or confirmed, and quick when they last ran."""
    if not context.recorder.records(type="evidence"):
        return []
    wanted = quick(standing_now(context, facts), context.known_checks(facts))
    done = []
    for definition in wanted:
        aside(f"running {plain(definition.name)} ...")
        done.append(run_and_record(context, definition, quiet=True))
    return done


def acceptance(context: Context) -> list[CheckDefinition]:
    """The definitions of the acceptance checks of the task and the policy, accepted ones alone."""
    task = context.task
    wanted = set(task.done if task is not None else ())
    return [
        known.definition
        for known in context.known_checks()
        if known.accepted and (known.definition.name in wanted or known.definition.acceptance)
    ]


def run_and_record(context: Context, definition: CheckDefinition, *, quiet: bool, cwd: str = ".") -> Evidence:
    """One run, recorded; its output goes to standard error unless ``quiet``."""
    task = context.task
    live = None if quiet else _Shown()
    now = datetime.now(UTC)
    evidence = run_check(context.place, definition, now=now, live=live, redactor=context.redactor, cwd=cwd)
    at = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    subjects = {"tree": evidence.tree_before}
    context.recorder.append(evidence, task=task.id if task else None, at=at, subjects=subjects)
    context.forget()
    if live is not None:
        live.end()
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
