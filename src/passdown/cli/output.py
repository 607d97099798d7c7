"""What leaves the command: one JSON document, or plain lines that no foreign text can disturb."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from passdown.cli import harmless
from passdown.rules.patterns import lazy

_PIECE = 500
_COLOUR = lazy(r"(\x1b\[[\d;]{1,5}m)")

plain = harmless.plain


def print_json(value: object) -> None:
    """``value`` as the one JSON document on standard output."""
    click.echo(json_text(value))


def json_text(value: object) -> str:
    r"""``value`` (structs, lists, plain values) as indented JSON; what is not UTF-8 stands as ``\\xNN``."""
    plain_value = msgspec.to_builtins(value)
    try:
        raw = msgspec.json.encode(plain_value)
    except UnicodeEncodeError:
        raw = msgspec.json.encode(_clean(plain_value))
    return msgspec.json.format(raw, indent=2).decode("utf-8")


def print_long_json(value: msgspec.Struct) -> None:
    """The same document, written piece by piece: a session can have a hundred thousand commands."""
    for number, member in enumerate(msgspec.structs.fields(value)):
        click.echo(f"{',' if number else '{'}\n  {json_text(member.encode_name)}: ", nl=False)
        held = getattr(value, member.name)
        if not isinstance(held, list) or not held:
            click.echo(_deeper(json_text(held)), nl=False)
            continue
        for start in range(0, len(held), _PIECE):
            inner = json_text(held[start : start + _PIECE])[1:-2]
            click.echo(("," if start else "[") + _deeper(inner), nl=False)
        click.echo("\n  ]", nl=False)
    click.echo("\n}")


def _deeper(text: str) -> str:
    return text.replace("\n", "\n  ")


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return harmless.whole(value)
    if isinstance(value, list):
        return [_clean(one) for one in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(one) for key, one in value.items()}
    return value


def cut(text: str, width: int) -> str:
    """``text`` on one line of at most ``width`` characters."""
    return fit(" ".join(plain(text).split()), width)


def fit(text: str, width: int) -> str:
    """As :func:`cut`, with its columns (runs of spaces) kept."""
    from passdown.packet.text import cut as cut_columns

    return cut_columns(plain(text), max(width, 4))


def day(at: str) -> str:
    """The day of an instant in the person's zone: ``30 Nov 2026``."""
    moment = datetime.fromisoformat(at).astimezone()
    return f"{moment.day} {moment.strftime('%b %Y')}"


def short_path(path: Path, width: int) -> str:
    """A path of this machine: home as ``~``, and its middle left out where it is too long."""
    text = plain(str(path))
    home = os.path.expanduser("~")  # noqa: PTH111 - never fails, Path.home() does where nobody has a home
    if text.startswith(home + "/"):
        text = "~" + text.removeprefix(home)
    room = max(width, 16)
    if len(text) <= room:
        return text
    return f"{text[: room // 2 - 2]}...{text[len(text) - (room - room // 2 - 1) :]}"


def say(text: str = "") -> None:
    """One line, or a block, on standard output; nothing in it but our own colours moves or paints a terminal."""
    click.echo("\n".join(_harmless(line) for line in text.split("\n")))


def _harmless(line: str) -> str:
    return line if line.isprintable() else "".join(p if _COLOUR.fullmatch(p) else plain(p) for p in _COLOUR.split(line))


def aside(text: str) -> None:
    """One line on standard error: progress and remarks that are no part of the answer."""
    click.echo(text, err=True)


def entered(question: str) -> bool:
    """Whether a person at the terminal says yes, by Enter or by the word."""
    answer = click.prompt(question, default="", show_default=False)
    return str(answer).strip().casefold() in ("", "y", "yes")


def at_terminal() -> bool:
    """Whether somebody can be asked: standard input and output are a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
