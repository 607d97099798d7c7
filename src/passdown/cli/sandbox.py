"""``passdown sandbox``: run one command, and all that it starts, confined to the boundary."""

from __future__ import annotations

import click

from passdown.cli.context import Context
from passdown.cli.folder import current_folder
from passdown.cli.output import print_json


@click.command(
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False},
    epilog='Example:  passdown sandbox -- claude "go on with the brief"',
)
@click.argument("command", metavar="-- CMD...", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--write", metavar="PATH", multiple=True, help="A folder outside the repository that may be written too.")
@click.option("--ssh", is_flag=True, help="Leave ~/.ssh readable and the SSH agent reachable.")
@click.option("--keep-env", metavar="NAME", multiple=True, help="Leave a variable that looks like a secret.")
@click.option("--advisory", is_flag=True, help="Where it cannot confine: say what is missing and run it all the same.")
@click.option("--quiet", is_flag=True, help="Do not say what it sees.")
@click.option("--dry-run", is_flag=True, help="Show what it would see; run nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: the plan as one JSON document.")
def sandbox(  # noqa: PLR0913 -- one parameter an option
    *,
    command: tuple[str, ...],
    write: tuple[str, ...],
    ssh: bool,
    keep_env: tuple[str, ...],
    advisory: bool,
    quiet: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Run CMD so that it, and all that it starts, can write inside the armed boundary alone.

    bubblewrap and Landlock together. Its exit code is this command's (128 + N: ended by signal N). Inside, note,
    readback, status, show, check, verify, pack and rescue work: they are handed out and run outside.
    """
    if as_json and not dry_run:
        raise click.UsageError("--json shows the plan: it goes with --dry-run")
    from passdown.cli import confine
    from passdown.cli.confined import Wishes

    context = Context()
    confined = confine.prepared(context, command, Wishes(ssh, keep_env, write, advisory, quiet))
    if as_json:
        from passdown.cli.sandbox_screen import document

        print_json(document(confined))
        return 0
    if not dry_run:
        confine.refuse_missing(confined)
    if dry_run or not quiet or confined.missing:
        confine.tell(context, confined, answer=dry_run)
    return 0 if dry_run else confine.start(context, confined, str(current_folder()))
