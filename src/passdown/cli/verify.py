"""``passdown verify``: judge a diff against the boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import Struct, field

from passdown.cli.closing import LINE, closable
from passdown.cli.context import Context
from passdown.cli.moved import was_moved
from passdown.cli.output import plain, print_json, say
from passdown.cli.spot import spot_of
from passdown.cli.verify_range import commits_of, work_here
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED, PassdownError
from passdown.guard.work import Work, between
from passdown.model.event import Judged
from passdown.model.paths import printable
from passdown.packet.text import clock

if TYPE_CHECKING:
    from passdown.guard.unjudged import Stray
    from passdown.model.boundary import Boundary
    from passdown.model.evidence import Evidence
    from passdown.rules.judge import Violation
    from passdown.rules.task import InForce, TaskView


class Answer(Struct):
    """What `verify` says; ``holds`` None: it could not decide."""

    holds: bool | None
    boundary: Boundary | None = None
    violations: list[Violation] = field(default_factory=list)
    checks: list[Evidence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    hint: str = ""
    strays: list[Stray] = field(default_factory=list)
    bypassed: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code."""
        return {True: 0, False: EXIT_DOES_NOT_HOLD, None: EXIT_UNDECIDED}[self.holds]


@click.command(epilog="Example:  passdown verify main..HEAD")
@click.argument("commits", metavar="[BASE..HEAD]", required=False)
@click.option("--checks", "run_checks", is_flag=True, help="Run the acceptance checks as well.")
@click.option("--branch", metavar="NAME", help="Of a range in another clone, as CI: the branch that it came on.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def verify(commits: str | None, run_checks: bool, branch: str | None, as_json: bool) -> int:
    """Judge what was changed against the boundary, however it was written.

    Without a range: everything since the task began or was resumed, commits, index and worktree
    together. A range where no boundary is armed, as in CI, is judged by the newest answer that
    somebody signed whom the base's policy lists. Exit 0 holds, 1 does not, 3 could not decide.
    """
    context = Context()
    try:
        context, answer = _here_or_elsewhere(context, commits, branch)
    except PassdownError as error:
        if error.code != EXIT_UNDECIDED:
            raise
        answer = Answer(None, notes=[error.message], hint=error.hint)
    if run_checks and answer.boundary is not None:
        _run_checks(context, answer, quiet=as_json)
    if answer.holds and commits is None and closable(context, answer):
        answer.hint = LINE
    if as_json:
        from passdown.cli.verify_screen import document

        print_json(document(answer))
    else:
        from passdown.cli.verify_screen import screen

        for line in screen(answer):
            say(plain(line))
    return answer.code


def _here_or_elsewhere(context: Context, commits: str | None, branch: str | None) -> tuple[Context, Answer]:
    """By the boundary that is armed here, else, for a range, by a signed answer of another clone."""
    task = context.task
    armed = task is not None and _force(context, task) is not None
    if commits is None or (armed and branch is None):
        return context, _answer(context, commits)
    from passdown.cli.verify_elsewhere import answer_elsewhere

    return answer_elsewhere(commits_of(context, commits), branch or context.place.branch)


def _answer(context: Context, commits: str | None, *, record: bool = True) -> Answer:
    """The judgement, or why there is none."""
    ends = commits_of(context, commits) if commits is not None else None
    task = context.task
    if task is None:
        was = was_moved(context)
        if was is not None:
            return Answer(None, notes=[was.message], hint=was.hint)
        return Answer(None, notes=["no task on this branch, so no boundary"], hint="passdown status")
    force = _force(context, task)
    if force is None:
        return Answer(
            None,
            notes=["no boundary is armed here"],
            hint="passdown resume arms the packet's, passdown start one by hand",
        )
    work = between(context.place, *ends) if ends else work_here(context, task, force)
    answer = _judged(context, task, force, work)
    if record:
        _record(context, task, answer, work)
    return answer


def judge_here(context: Context, *, record: bool = True) -> Answer | None:
    """The judgement of the work here; None where it cannot be told. ``record`` False: for a look alone."""
    try:
        return _answer(context, None, record=record)
    except PassdownError as error:
        if error.code != EXIT_UNDECIDED:
            raise
        return None


def _judged(context: Context, task: TaskView, force: InForce, work: Work) -> Answer:
    from passdown.cli.verify_gap import nobody_judged
    from passdown.guard.judge_work import judge_work

    found = judge_work(context.place, force.boundary, work, context.policy.derived)
    answer = Answer(not found.violations, force.boundary, found.violations, notes=list(found.notes))
    if ends_here(work, context):
        nobody_judged(context, task, answer)
        inside = [printable(path) for path in context.snapshot.worktrees]
        answer.notes += [
            f"not seen: {path}/ is another worktree of this repository; verify it there" for path in inside
        ]
    if ends_here(work, context) and context.snapshot.unseen:
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
    signer = context.trust.signer(given.id, given.at)
    return falls_short(context.policy, given.body, by_runner=given.body.self_, signer=signer)


def ends_here(work: Work, context: Context) -> bool:
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


def _force(context: Context, task: TaskView) -> InForce | None:
    from passdown.rules.task import binding

    return binding(task, spot_of(context.place, context.tasks), context.now)


def _run_checks(context: Context, answer: Answer, *, quiet: bool) -> None:
    """Run the acceptance checks that do not pass on this code already; what did not pass turns the answer."""
    from passdown.cli.rerun import acceptance, run_restored_and_record, unaccepted
    from passdown.cli.tests_seen import REVIEW, on_checks, weakened

    wanted, changed, fresh = acceptance(context), unaccepted(context), _fresh(context)
    fresh = {name: ran for name, ran in fresh.items() if not any(one.protect for one in wanted if one.name == name)}
    if not wanted and not changed:
        answer.notes.append("no acceptance check is declared or confirmed: not measured")
    for name in (one.name for one in wanted if one.name in fresh):
        answer.notes.append(f"{name} passed {clock(fresh[name].started, context.now)} on this code: not run again")
    answer.checks = [
        fresh[one.name] if one.name in fresh else run_restored_and_record(context, one, quiet=quiet)
        for one in [*wanted, *changed]
    ]
    answer.notes += [f"{one.name}: how it runs changed, and nobody stands behind that" for one in changed]
    if answer.holds and any(one.result == "FAILED" for one in answer.checks):
        answer.holds = False
    elif answer.holds and any(one.result != "PASSED" for one in answer.checks):
        answer.holds = None
        answer.hint = "passdown check"
    elif answer.holds and changed:
        answer.holds, answer.hint = None, f"passdown check --confirm {changed[0].name}"
    answer.notes += [line.strip() for line in on_checks(context, [one.check for one in answer.checks])]
    if answer.holds and weakened(context):
        answer.holds, answer.hint = None, REVIEW


def _fresh(context: Context) -> dict[str, Evidence]:
    """The evidence of checks that pass on exactly this code, by their names."""
    from passdown.cli.rerun import standing_now
    from passdown.model.evidence import Evidence

    passing = [c for c in standing_now(context) if c.class_ == "VERIFIED" and c.evidence is not None]
    records = [context.recorder.record(check.evidence or "", "evidence") for check in passing]
    return {one.body.check: one.body for one in records if isinstance(one.body, Evidence)}
