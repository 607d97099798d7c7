"""``passdown check``: run checks and record evidence."""

from __future__ import annotations

import click

from passdown.cli.context import Context


class CheckCommand(click.Command):
    """Everything after ``--`` is a command, not the name of a check."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set the command aside before click sees it."""
        if "--" in args:
            at = args.index("--")
            ctx.obj = args[at + 1 :]
            if not ctx.obj:
                raise click.UsageError("no command after `--`", ctx)
            args = args[:at]
        else:
            ctx.obj = None
        return super().parse_args(ctx, args)


@click.command(cls=CheckCommand, epilog="Example:  passdown check tests")
@click.argument("names", metavar="[NAME]... [-- CMD]", nargs=-1)
@click.option(
    "--confirm", metavar="NAME", multiple=True, help="Stand behind a check as it is now, and run it. A person's."
)
@click.option(
    "--list", "listing", is_flag=True, help="List the known checks and how each stands on this code; run nothing."
)
@click.option("--repeat", metavar="N", type=click.IntRange(1, 1000), default=1, help="Run each N times: is it flaky?")
@click.option("--isolated", is_flag=True, help="Run on a frozen copy: edits meanwhile do not reach it.")
@click.option("--no-base", is_flag=True, help="Do not ask whether what fails failed before this work.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; live output goes to standard error.")
@click.pass_context
def check(  # noqa: PLR0913 -- one parameter an option
    ctx: click.Context,
    *,
    names: tuple[str, ...],
    confirm: tuple[str, ...],
    listing: bool,
    repeat: int,
    isolated: bool,
    no_base: bool,
    as_json: bool,
) -> int:
    """Run checks and record what came out: the declared ones, those named, or any command.

    What a repository only seems to have is a candidate until a person confirms it. A command after
    `--` is recorded as seen, and never counts as a passed check. What fails is run once more on the commit
    that the work began from, in a copy: a regression, or there before. Exit 0: all passed. 1: one failed.
    3: one did not end as passed, or nothing could be run.
    """
    context = Context(reads=listing, strict=True)
    context.look_ahead()  # git works while the rest of the command loads
    from passdown.cli.checking import Wish, run

    return run(context, Wish(ctx.obj, names, confirm, listing, repeat, isolated, not no_base, as_json))
