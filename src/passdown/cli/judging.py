"""Judging the work here, or a range of it, against the boundary that is armed here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from passdown.cli.in_force_here import binding_here
from passdown.cli.output import plain
from passdown.cli.verify_answer import Answer
from passdown.cli.verify_range import commits_of, work_here
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.guard.work import Work, between
from passdown.model.event import Judged
from passdown.model.paths import printable

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.rules.task import InForce, TaskView


def judged(context: Context, commits: str | None, *, record: bool = True) -> Answer:
    """The judgement, or why there is none."""
    ends = commits_of(context, commits) if commits is not None else None
    task = context.task
    if task is None:
        was = context.was_moved()
        if was is not None:
            return Answer(None, notes=[was.message], hint=was.hint)
        return Answer(None, notes=["no task on this branch, so no boundary"], hint="passdown status")
    force = binding_here(context, task)
    if force is None:
        return Answer(
            None,
            notes=["no boundary is armed here"],
            hint="passdown resume arms the packet's, passdown start one by hand",
        )
    work = between(context.place, *ends) if ends else work_here(context, task, force)
    answer = _judgement(context, task, force, work)
    if record:
        _record(context, task, answer, work)
    return answer


def judge_here(context: Context, *, record: bool = True) -> Answer | None:
    """The judgement of the work here; None where it cannot be told. ``record`` False: for a look alone."""
    try:
        return judged(context, None, record=record)
    except PassdownError as error:
        if error.code != EXIT_UNDECIDED:
            raise
        return None


def _judgement(context: Context, task: TaskView, force: InForce, work: Work) -> Answer:
    from passdown.cli.verify_gap import nobody_judged
    from passdown.guard.judge_work import judge_work

    found = judge_work(context.place, force.boundary, work, context.policy.derived)
    answer = Answer(not found.violations, force.boundary, found.violations, notes=list(found.notes))
    if _ends_here(work, context):
        nobody_judged(context, task, answer)
        inside = [printable(path) for path in context.snapshot.worktrees]
        answer.notes += [
            f"not seen: {path}/ is another worktree of this repository; verify it there" for path in inside
        ]
    if _ends_here(work, context) and context.snapshot.unseen:
        answer.notes += [f"not seen: {path}" for path in context.snapshot.unseen[:5]]
        answer.holds = answer.holds and None
        answer.hint = "make it readable or ignored, then passdown verify"
    answer.bypassed = _bypassed(context, task, answer)
    alarms = context.recorder.alarms()
    if alarms:
        answer.holds = answer.holds and None
        answer.notes.insert(0, f"the record does not hold: {alarms[0].text}")
        answer.hint = "passdown log --verify"
    short = _short(context, task, force)
    if short is not None and answer.holds:
        answer.holds, answer.hint = None, "passdown review"
        answer.notes.insert(0, short)
    if force.boundary.source == "proposed":
        answer.holds = None
        answer.notes += [f"would be outside: {v.path} ({v.rule}: {v.because})" for v in answer.violations]
        answer.violations = []
        answer.notes.insert(0, "the boundary is only proposed: nobody decided it")
        answer.hint = "passdown review --approve"
    return answer


def _bypassed(context: Context, task: TaskView, answer: Answer) -> list[str]:
    """Paths of the violations that the guard had denied before."""
    from passdown.cli.bypasses import bypasses

    found = {fact.data.get("path") for fact in bypasses(context, task)} if answer.violations else set()
    again = dict.fromkeys(printable(violation.path) for violation in answer.violations)
    return [path for path in again if path in found]


def _short(context: Context, task: TaskView, force: InForce) -> str | None:
    """Why the answer that the armed boundary comes from is not the one that the policy asks for."""
    from passdown.rules.review import falls_short

    given = task.decision_of(force.packet) if force.packet is not None else None
    lifted = any("review-missing" in lift.body.codes and lift.body.packet == force.packet for lift in task.lifts)
    if given is None or lifted:
        return None
    signer, hardware = context.trust.signer(given.id, given.at), partial(context.trust.hardware, given.id, given.at)
    return falls_short(context.policy, given.body, by_runner=given.body.self_, signer=signer, hardware=hardware)


def _ends_here(work: Work, context: Context) -> bool:
    """Whether the worktree itself is judged, not a range of commits."""
    return work.tree == context.snapshot.tree


def _record(context: Context, task: TaskView, answer: Answer, work: Work) -> None:
    """Once for each tree, boundary and answer."""
    body = Judged(
        task=task.id,
        holds=answer.holds,
        boundary_digest=answer.boundary.digest if answer.boundary else None,
        tree=work.tree,
        violations=[plain(violation.path) for violation in answer.violations],
    )
    if not task.judged or task.judged[-1].body != body:
        context.recorder.append(body, task=task.id, at=context.now, subjects={"tree": work.tree})
