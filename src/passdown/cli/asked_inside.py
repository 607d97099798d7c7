"""The parent's answer to one message from its sandbox: the verb, with the options that are open to an agent alone.

A process of its own, started by the broker in the worktree's root, with the message on standard input.
"""

from __future__ import annotations

import ctypes
import io
import os
import signal
import sys
from collections.abc import Collection
from pathlib import Path

import click
import msgspec

from passdown.cli.edge import run
from passdown.cli.main import cli
from passdown.errors import EXIT_BAD_INPUT, PassdownError
from passdown.sandbox.compile import STATES
from passdown.sandbox.messages import Asked, Called, read

OPEN: dict[str, frozenset[str]] = {
    "note": frozenset(
        {"words", "scope", "because", "over", "keep", "revisit_if", "supersedes", "architecture", "ask_widen", "answer"}
        | {"as_json"}
    ),
    "readback": frozenset({"packet", "open_", "first", "not_", "as_json"}),
    "status": frozenset({"exit_code", "as_json"}),
    "show": frozenset({"packet", "form", "budget", "as_sealed", "exit_code", "as_json"}),
    "check": frozenset({"names", "listing", "repeat", "no_base", "as_json"}),
    "verify": frozenset({"commits", "as_json"}),
    "pack": frozenset({"dry_run", "no_check", "exit_code", "as_json"}),
    "rescue": frozenset({"why", "as_json"}),
}
"""By verb the options that may be used: none that writes a file, runs a program or is a person's."""
ALWAYS = {"check": ["--no-base"], "pack": ["--no-check"]}
"""What a run of a check outside the fresh sandbox would be."""
_PARENT_DEATH = 1


def main() -> int:
    """Read the message, refuse what is not open, run the rest; the verb's exit code."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGTERM)
    message = read(sys.stdin.buffer.read())
    if isinstance(message, Called):
        return _hook(message)
    if not isinstance(message, Asked):
        return EXIT_BAD_INPUT
    if message.width:
        os.environ["COLUMNS"] = str(message.width)
    return run(_Only(message), [message.verb, *message.args])


def _hook(called: Called) -> int:
    """The agents' hook, run here for an event inside; the worktree is this sandbox's, the transcript an agent's."""
    from passdown.guard.hook import answer
    from passdown.guard.hook_files import folder
    from passdown.workspace.place import find_place

    place = find_place(Path.cwd())
    payload = {**msgspec.to_builtins(called.payload), "cwd": str(place.root)}
    if not _transcript(called.payload.transcript_path):
        payload.pop("transcript_path", None)
    sys.stdin = io.TextIOWrapper(io.BytesIO(msgspec.json.encode(payload)))
    return answer.main(["", str(folder(place.home)), called.client, called.event])


def _transcript(path: str) -> bool:
    """Whether it lies, links followed, in an agent's own folder."""
    home = str(Path.home())
    real = os.path.realpath(path)
    return any(real.startswith(f"{os.path.realpath(state.at(os.environ, home))}/") for state in STATES)


class _Only(click.Command):
    """The asked verb behind its own look at the words, so that the edge shows a refusal as any failure."""

    def __init__(self, message: Asked) -> None:
        super().__init__("passdown")
        self._message = message

    def main(self, *_args: object, **_options: object) -> object:  # type: ignore[override] # what the edge calls
        """Refuse, or run the verb itself."""
        verb, words = self._message.verb, self._message.args
        refuse(verb, words)
        below = os.path.relpath(self._message.cwd, os.path.realpath("."))
        if below != "." and not below.startswith(".."):
            words = rooted(words, below, _paths(verb))
        return cli.main([verb, *ALWAYS.get(verb, ()), *words], prog_name="passdown", standalone_mode=False)


def refuse(verb: str, words: list[str]) -> None:
    """PassdownError where the words use what is not open from inside."""
    command = cli.get_command(click.Context(cli), verb)
    if command is None:
        raise PassdownError(f"no verb {verb!r}")
    with command.make_context(verb, list(words)) as parsed:
        typed = click.core.ParameterSource.COMMANDLINE
        used = {name for name in parsed.params if parsed.get_parameter_source(name) is typed}
        rest = [*getattr(parsed, "_protected_args", ()), *parsed.args]
        closed = sorted(used - OPEN[verb])
        if closed or rest or parsed.obj is not None:
            what = next((o for name in closed for o in _options(command, name)), " ".join(rest) or "-- CMD")
            raise PassdownError(
                f"`passdown {verb} {what}` is not for inside the sandbox",
                f"a person types it outside: passdown {verb} {what}",
            )


def _options(command: click.Command, name: str) -> list[str]:
    return [option for each in command.params if each.name == name for option in each.opts]


def _paths(verb: str) -> set[str]:
    """The options of a verb whose values are paths as one types them where one stands."""
    command = cli.get_command(click.Context(cli), verb) if verb == "note" else None
    named = [each for each in command.params if getattr(each, "metavar", None) == "PATH"] if command else []
    return {option for each in named for option in each.opts}


def rooted(words: list[str], below: str, options: Collection[str]) -> list[str]:
    """The values of these options, typed in the folder ``below`` the root, as one would type them in the root."""
    found, path = [], False
    for word in words:
        option, given, value = word.partition("=")
        if path:
            found.append(_below(below, word))
        elif given and option in options:
            found.append(f"{option}={_below(below, value)}")
        else:
            found.append(word)
        path = not path and word in options
    return found


def _below(folder: str, path: str) -> str:
    return path if path.startswith("/") or set(path) & set("*?[") else f"{folder}/{path}"


if __name__ == "__main__":
    sys.exit(main())
