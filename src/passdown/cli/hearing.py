"""Hearing an agent's note or read-back in the guard's hook, as the command itself would say it."""

from __future__ import annotations

import contextlib
import io
import os
from typing import TYPE_CHECKING

import click

from passdown.cli.heard import said_by
from passdown.errors import PassdownError

if TYPE_CHECKING:
    from collections.abc import Sequence

VERBS = ("note", "readback")
_LEFT_TO_IT = (PassdownError, click.ClickException, OSError)


def hear(words: Sequence[str], folder: str, call_id: str, session_id: str) -> None:
    """Record what these words say, as their command would; what it would refuse is left to the command to say."""
    from passdown.cli.note import note
    from passdown.cli.readback import readback

    verb = {"note": note, "readback": readback}[words[0]]
    os.chdir(folder)
    with said_by(call_id, session_id), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(*_LEFT_TO_IT):
        verb.main(list(words[1:]), prog_name=words[0], standalone_mode=False)
