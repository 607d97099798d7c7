"""The last step inside: see that everything stands as planned, close what is left open, become the command.

Runs by itself: ``python -I -S enter.py FD CMD...``; FD holds JSON: the places that stay writable, and those that must
be as they were, or ``null``: restrict nothing.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))

from passdown.sandbox import landlock, seccomp, seen

_CANNOT_RUN, _NOT_FOUND, _NOT_AS_PLANNED = 126, 127, 125


def main(argv: list[str]) -> None:
    """Look, restrict, close what was inherited, and become the command."""
    with open(int(argv[1]), encoding="utf-8") as told:
        plan = json.load(told)
    if plan is not None:
        moved = seen.changed(plan["seen"])
        if moved:
            print(f"passdown: {moved!a} changed while it was mounted: nothing was run", file=sys.stderr)  # noqa: T201 -- nobody else can say it
            sys.exit(_NOT_AS_PLANNED)
        if landlock.restrict(plan["places"]) == 0:
            sys.exit("passdown: Landlock went away: nothing was run")
        if not seccomp.close() and plan["filtered"]:
            sys.exit("passdown: this kernel filters no calls: nothing was run")
    os.closerange(3, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") > 0 else 65536)
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(argv[2], argv[2:])  # noqa: S606 - the person's own command
    except OSError as error:
        print(f"passdown: {argv[2]}: {error.strerror}", file=sys.stderr)  # noqa: T201 -- same
        sys.exit(_NOT_FOUND if isinstance(error, FileNotFoundError) else _CANNOT_RUN)


if __name__ == "__main__":
    main(sys.argv)
