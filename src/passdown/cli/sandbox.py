"""``passdown sandbox``: run one command, and all that it starts, confined to the boundary."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from passdown.cli.context import Context
from passdown.cli.folder import current_folder
from passdown.cli.output import aside, plain, print_json, say
from passdown.errors import EXIT_UNDECIDED, PassdownError

if TYPE_CHECKING:
    from passdown.model.boundary import Boundary


@click.command(
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False},
    epilog='Example:  passdown sandbox -- claude "go on with the brief"',
)
@click.argument("command", metavar="-- CMD...", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--ssh", is_flag=True, help="Leave ~/.ssh readable and the SSH agent reachable.")
@click.option("--keep-env", metavar="NAME", multiple=True, help="Leave a variable that looks like a secret.")
@click.option("--advisory", is_flag=True, help="Where it cannot confine: say what is missing and run it all the same.")
@click.option("--dry-run", is_flag=True, help="Show what it would see; run nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: the plan as one JSON document.")
def sandbox(
    *, command: tuple[str, ...], ssh: bool, keep_env: tuple[str, ...], advisory: bool, dry_run: bool, as_json: bool
) -> int:
    """Run CMD so that it, and all that it starts, can write inside the armed boundary alone.

    bubblewrap and Landlock together. Its exit code is this command's (128 + N: ended by signal N).
    """
    if as_json and not dry_run:
        raise click.UsageError("--json shows the plan: it goes with --dry-run")
    from passdown.cli.sandbox_screen import block, document
    from passdown.sandbox import bubblewrap, landlock
    from passdown.sandbox.compile import STATES, Wish, compile_plan
    from passdown.sandbox.environment import variables
    from passdown.sandbox.run import Job, run_by_landlock, run_confined

    context = Context()
    title, boundary = _armed(context)
    place = context.place
    wish = Wish(os.environ, tuple(context.policy.derived), ssh, command[0])
    plan = compile_plan(place, boundary, wish)
    given = variables(os.environ, [key for state in STATES for key in state.keys], keep_env, ssh=ssh)
    support, version = bubblewrap.support(), landlock.support()
    missing = [fault for fault in (support.fault, "" if version else "this kernel has no Landlock") if fault]
    if as_json:
        print_json(document(plan, given, support, version))
        return 0
    if missing and not (advisory or dry_run):
        hint = " ".join(filter(None, (support.remedy, "Or unconfined where it must be: --advisory")))
        raise PassdownError(f"cannot confine: {'; '.join(missing)}", hint, EXIT_UNDECIDED)
    lines = block(plan, given, place, missing=missing, landlock=version, ssh=ssh)
    head = f"{plain(title)}   boundary version {boundary.version}"
    for line in [head, *lines]:
        (say if dry_run else aside)(line)
    if dry_run:
        return 0
    job = Job(list(command), str(current_folder()), given.given)
    return run_by_landlock(plan, job) if missing else run_confined(plan, job, support)


def _armed(context: Context) -> tuple[str, Boundary]:
    """The task's title and the boundary that binds this worktree and branch."""
    task = context.need_task()
    force = task.in_force.get((context.place.worktree_id, context.place.branch))
    if force is None:
        raise PassdownError("no boundary is armed here", "passdown resume arms one", EXIT_UNDECIDED)
    return task.title, force.boundary
