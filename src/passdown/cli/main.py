"""The ``passdown`` command: verbs that load only when called, and the one edge where errors are shown."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from passdown import __version__
from passdown.cli.help_page import all_page, first_page
from passdown.cli.verbs import VERBS
from passdown.sandbox import SOCKET


class Verbs(click.Group):
    """A group whose commands are imported when they are called, never to list them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """Every verb of the table, in its order."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- same
        """The verb's own command; None where the table has no such verb."""
        if cmd_name == "help":
            return help_verb
        entry = VERBS.get(cmd_name)
        if entry is None:
            return None
        module, name = entry.target.split(":")
        command = getattr(import_module(f"passdown.cli.{module}"), name)
        return command if isinstance(command, click.Command) else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click; version and help as one document where `--json` stands beside them."""
        if "--json" in args:
            from passdown.cli.about import document

            about = document(self, args)
            if about is not None:
                import json

                click.echo(json.dumps(about, indent=2, ensure_ascii=False))
                ctx.exit()
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- same
        """The page for a first visit."""
        formatter.write(first_page())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click, with the nearest verb named where there is none of that name."""
        if args and args[0] not in VERBS and args[0] != "help" and not args[0].startswith("-"):
            from passdown.cli.usage import no_verb

            raise no_verb(args[0])
        if args and os.path.exists(SOCKET):  # noqa: PTH110 -- every command pays for it
            from passdown.cli.inside import stand_in

            command = stand_in(args[0], args[1:])
            if command is not None:
                return args[0], command, args[1:]
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="passdown", message="%(prog)s %(version)s")
def cli() -> None:
    """Safe handoffs between the runs of coding agents."""


@click.command("help")
@click.option("-a", "--all", "every", is_flag=True, help="Every verb.")
@click.argument("verb", required=False)
@click.pass_context
def help_verb(ctx: click.Context, every: bool, verb: str | None) -> None:
    """Show the help of a verb, or of all."""
    if verb is None:
        click.echo(all_page() if every else first_page(), nl=False)
        return
    parent = ctx.parent or ctx
    command = cli.get_command(parent, verb)
    if command is None:
        from passdown.cli.usage import no_verb

        raise no_verb(verb, cli)
    with click.Context(command, info_name=verb, parent=parent) as own:
        click.echo(command.get_help(own))


def _verb_first(argv: Sequence[str]) -> list[str]:
    """Without a verb it is `status`; a leading `--json` belongs to the verb that follows."""
    args = list(argv)
    if args[:1] == ["--json"]:
        rest = args[1:] or ["status"]
        end = rest.index("--") if "--" in rest else len(rest)
        return [*rest[:end], "--json", *rest[end:]]
    return args or ["status"]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    from passdown.cli.edge import run

    gc.set_threshold(200_000)  # a command lives for a moment, and hardly any of its values form a cycle
    args = _verb_first(sys.argv[1:] if argv is None else argv)
    code = run(cli, args)
    if argv is None:
        _end(code)
    sys.exit(code)


def _end(code: int) -> NoReturn:
    """End the process as Python does, but for taking apart what ends with it: that costs as much as loading click."""
    if "threading" in sys.modules:
        import threading

        for thread in threading.enumerate():
            if thread is not threading.main_thread() and not thread.daemon:
                thread.join()
    atexit._run_exitfuncs()  # noqa: SLF001 - Python's own, as multiprocessing uses it
    os._exit(code & 0xFF)


if __name__ == "__main__":
    main()
