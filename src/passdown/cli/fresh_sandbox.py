"""What runs because a sandbox asked for it: known by a variable, and confined like what asked."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

VARIABLE = "PASSDOWN_ASKED_FROM_INSIDE"
"""Set where a sandbox asked: to the options of a fresh one of the same boundary, as JSON."""


def asked_from_inside() -> bool:
    """Whether this process answers a sandbox."""
    return VARIABLE in os.environ


def environment(options: Sequence[str]) -> dict[str, str]:
    """The variables of a process that answers a sandbox with these options; git's own ones stay out."""
    return {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {VARIABLE: json.dumps(options)}


def fresh_sandbox() -> list[str]:
    """The words before a check's command that run it in a sandbox of its own; [] where no sandbox asked."""
    told = os.environ.get(VARIABLE)
    if told is None:
        return []
    return [sys.executable, "-P", "-m", "passdown.cli.main", "sandbox", "--quiet", *json.loads(told), "--"]
