"""Where and when a command runs."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from passdown.errors import PassdownError
from passdown.workspace.moment import written


def current_folder() -> Path:
    """Where the command runs; PassdownError where that folder was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise PassdownError("the current folder was deleted", "change to one that exists") from error


def instant() -> str:
    """This moment, ISO 8601 in UTC."""
    return written(datetime.now(UTC))
