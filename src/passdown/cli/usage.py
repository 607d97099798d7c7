"""What was typed wrong, as one line and the help that goes with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from passdown.cli.verbs import VERBS
from passdown.errors import EXIT_BAD_INPUT, PassdownError

_NEAR = 0.66
_WORD = 4


def wrong(error: click.ClickException, args: Sequence[str]) -> PassdownError:
    """The error of a usage error; ``args`` as they were typed."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "passdown"
    if path == "passdown" and args and args[0] in VERBS:
        path = f"passdown {args[0]}"
    message, hint = _said(error), f"{path} --help"
    if message.startswith("no verb ") and path in ("passdown", "passdown help"):
        hint = "passdown help -a"
    return PassdownError(message[:1].lower() + message[1:], hint, EXIT_BAD_INPUT)


def no_verb(word: str, group: click.Group | None = None) -> click.UsageError:
    """There is none of that name: the nearest, else those whose line speaks of it; of a ``group`` their whole help."""
    told = near(word, VERBS)
    if not told and len(word) >= _WORD:
        speak = [name for name, entry in VERBS.items() if word.casefold() in entry.line.casefold()]
        speak = speak or [name for name in VERBS if group is not None and word.casefold() in _help(group, name)]
        told = f"; of that speaks: {', '.join(speak[:3])}" if speak else ""
    return click.UsageError(f"no verb {word!r}{told}")


def _help(group: click.Group, name: str) -> str:
    command = group.get_command(click.Context(group), name)
    if command is None:
        return ""
    options = [option.help or "" for option in command.params if isinstance(option, click.Option)]
    return " ".join([command.help or "", *options]).casefold()


def near(word: str, names: Iterable[str]) -> str:
    """``; did you mean 'x'?`` of the nearest name, "" where none is near."""
    from difflib import get_close_matches

    bare = {name.strip("-"): name for name in names}
    found = get_close_matches(word.strip("-"), list(bare), n=1, cutoff=_NEAR)
    return f"; did you mean {bare[found[0]]!r}?" if found else ""


def _said(error: click.ClickException) -> str:
    """The message; click's own words where they are plain."""
    context = getattr(error, "ctx", None)
    command = context.command if context is not None else None
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and isinstance(command, click.Group):
        return f"which one? {', '.join(command.commands)}"
    if isinstance(error, click.exceptions.NoSuchCommand) and isinstance(command, click.Group):
        return f"no verb {f'{command.name} {error.command_name}'!r}{near(error.command_name, command.commands)}"
    if isinstance(error, click.NoSuchOption):
        known = [name for option in command.params for name in option.opts] if command is not None else []
        return f"no such option {error.option_name!r}{near(error.option_name, known)}"
    if isinstance(error, click.BadParameter) and isinstance(getattr(error.param, "type", None), click.Choice):
        return _choice(error)
    return error.format_message().rstrip(".").replace("is not a valid integer range", "is no whole number")


def _choice(error: click.BadParameter) -> str:
    """A word that is none of those that can stand there, or none at all."""
    param = error.param
    names = list(getattr(param.type, "choices", ())) if param is not None else []
    what = param.opts[0] if param is not None and isinstance(param, click.Option) else ""
    if isinstance(error, click.MissingParameter):
        return f"which one? {', '.join(names)}"
    word = error.message.partition(" is not one of")[0].strip("'\"")
    return " ".join(filter(None, (what, f"{word!r} is not one of {', '.join(names)}{near(word, names)}")))
