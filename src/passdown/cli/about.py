"""Version and help as one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

import click

from passdown import __version__
from passdown.cli.verbs import VERBS

HELP = ("-h", "--help")


def document(cli: click.Group, args: Sequence[str]) -> dict[str, Any] | None:
    """What `--version` or a help page says, where `--json` stands beside it; None for any other arguments.

    UsageError where help is asked for a verb that does not exist.
    """
    words = list(args[: args.index("--")]) if "--" in args else list(args)
    if "--json" not in words:
        return None
    words = [word for word in words if word != "--json"]
    if words[:1] == ["--version"]:
        return {"name": "passdown", "version": __version__}
    if words[:1] == ["help"] or any(word in HELP for word in words):
        names = [word for word in words if not word.startswith("-")]
        return _verb(cli, names[1:] if names[:1] == ["help"] else names)
    return None


def _verb(cli: click.Group, names: Sequence[str]) -> dict[str, Any]:
    """A verb and its options, or all verbs with their lines; words that name no verb are a verb's arguments."""
    if not names:
        return {"verbs": [{"verb": name, "line": entry.line, "first": entry.first} for name, entry in VERBS.items()]}
    command: click.Command = cli
    called: list[str] = []
    for name in names:
        inner = command.get_command(click.Context(command), name) if isinstance(command, click.Group) else None
        if inner is None and command is cli:
            from passdown.cli.usage import no_verb

            raise no_verb(name, cli)
        if inner is None:
            break
        command, called = inner, [*called, name]
    context = click.Context(command, info_name=" ".join(["passdown", *called]))
    found: dict[str, Any] = {
        "verb": " ".join(called),
        "usage": command.get_usage(context).removeprefix("Usage: "),
        "help": cleandoc(command.help or ""),
        "example": (command.epilog or "").partition("Example:")[2].strip(),
        "options": [_option(one) for one in command.params if isinstance(one, click.Option)],
    }
    if isinstance(command, click.Group):
        found["verbs"] = command.list_commands(context)
    return found


def _option(option: click.Option) -> dict[str, Any]:
    return {
        "names": [*option.opts, *option.secondary_opts],
        "value": None if option.is_flag or option.count else option.metavar or option.type.name.upper(),
        "many": option.multiple,
        "help": option.help or "",
    }
