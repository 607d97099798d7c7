"""``passdown verify``: judge a diff against the boundary."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from passdown.cli.closing import LINE, closable
from passdown.cli.context import Context
from passdown.cli.in_force_here import binding_here
from passdown.cli.judging import judged
from passdown.cli.output import plain, print_json, say
from passdown.cli.verify_answer import Answer
from passdown.cli.verify_range import commits_of
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.packet.text import clock

if TYPE_CHECKING:
    from passdown.model.evidence import Evidence


@click.command(epilog="Example:  passdown verify main..HEAD")
@click.argument("commits", metavar="[BASE..HEAD]", required=False)
@click.option("--checks", "run_checks", is_flag=True, help="Run the acceptance checks as well.")
@click.option("--branch", metavar="NAME", help="Of a range in another clone, as CI: the branch that it came on.")
@click.option("--pr", metavar="N", type=int, help="Of a range: owners' comments on that pull request count as well.")
@click.option(
    "--remote", metavar="NAME", help="With --pr: the git remote on GitHub; default: the branch's, else origin."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def verify(
    commits: str | None, *, run_checks: bool, branch: str | None, pr: int | None, remote: str | None, as_json: bool
) -> int:
    """Judge what was changed against the boundary, however it was written.

    Without a range: everything since the task began or was resumed, commits, index and worktree
    together. A range where no boundary is armed, as in CI, is judged by the newest answer that
    somebody signed whom the base's policy lists; with --pr by one that an owner gave in a comment.
    Exit 0 holds, 1 does not, 3 could not decide.
    """
    _may_ask_github(commits, pr, remote, run_checks=run_checks)
    context = Context()
    try:
        context, answer = _here_or_elsewhere(context, commits, (branch, pr, remote))
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


def _may_ask_github(commits: str | None, pr: int | None, remote: str | None, *, run_checks: bool) -> None:
    """PassdownError where a pull request is named and cannot count."""
    if pr is None and remote is not None:
        raise PassdownError("--remote belongs to --pr", "passdown verify BASE..HEAD --pr 12")
    if pr is not None and commits is None:
        raise PassdownError("--pr is for a range, as CI judges it", "passdown verify BASE..HEAD --pr 12")
    if pr is not None and run_checks:
        raise PassdownError(
            "--pr needs a token, and --checks runs the change's code, which must not see one", "two jobs: docs/ci.md"
        )


def _here_or_elsewhere(
    context: Context, commits: str | None, elsewhere: tuple[str | None, int | None, str | None]
) -> tuple[Context, Answer]:
    """By the boundary that is armed here, else, for a range, by an answer of another clone or on a pull request."""
    branch, pr, remote = elsewhere
    task = context.task
    armed = task is not None and binding_here(context, task) is not None
    if commits is None or (armed and branch is None and pr is None):
        return context, judged(context, commits)
    from passdown.cli.verify_elsewhere import Asked, answer_elsewhere

    return answer_elsewhere(commits_of(context, commits), Asked(branch or context.place.branch, pr, remote))


def _run_checks(context: Context, answer: Answer, *, quiet: bool) -> None:
    """Run the acceptance checks that do not pass on this code already; what did not pass turns the answer."""
    from passdown.cli.rerun import acceptance, run_restored_and_record, unaccepted
    from passdown.cli.tests_seen import REVIEW, on_checks, weakened

    wanted, changed, fresh = acceptance(context), unaccepted(context), _fresh(context)
    fresh = {name: ran for name, ran in fresh.items() if not any(one.protect for one in wanted if one.name == name)}
    if not wanted and not changed:
        answer.notes.append("no acceptance check is declared or confirmed: not measured")
        answer.hint = answer.hint or "passdown check   (it offers what it found; a person confirms)"
    for name in (one.name for one in wanted if one.name in fresh):
        answer.notes.append(f"{name} passed {clock(fresh[name].started, context.now)} on this code: not run again")
    answer.checks = [
        fresh[one.name] if one.name in fresh else run_restored_and_record(context, one, quiet=quiet)
        for one in [*wanted, *changed]
    ]
    answer.notes += [f"{one.name}: how it runs changed, and nobody stands behind that" for one in changed]
    failed = next((one for one in answer.checks if one.result == "FAILED"), None)
    if answer.holds and failed is not None:
        answer.holds, answer.hint = False, f"make it pass: passdown check {shlex.quote(failed.check)}"
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
