"""What runs because a sandbox asked for it: known by a variable, and confined like what asked."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from passdown.sandbox.own import trusted

VARIABLE = "PASSDOWN_ASKED_FROM_INSIDE"
"""Set where a sandbox asked: to the options of a fresh one of the same boundary and the person's own search paths."""
_PATHS = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")


def asked_from_inside() -> bool:
    """Whether this process answers a sandbox."""
    return VARIABLE in os.environ


def environment(options: Sequence[str], writable: Sequence[str]) -> dict[str, str]:
    """The variables of a process that answers a sandbox with these options, in which ``writable`` can be written."""
    given = trusted({name: value for name, value in os.environ.items() if name != "COLUMNS"}, writable)
    paths = {name: os.environ[name] for name in _PATHS if os.environ.get(name, given.get(name)) != given.get(name)}
    return given | {VARIABLE: json.dumps([list(options), paths])}


def fresh_sandbox() -> list[str]:
    """The words before a check's command that run it in a sandbox of its own; [] where no sandbox asked.

    The person's search paths count again inside, where all is confined.
    """
    told = os.environ.get(VARIABLE)
    if told is None:
        return []
    options, paths = json.loads(told)
    restored = ["/usr/bin/env", *(f"{name}={value}" for name, value in paths.items())] if paths else []
    return [sys.executable, "-P", "-m", "passdown.cli.main", "sandbox", "--quiet", *options, "--", *restored]
