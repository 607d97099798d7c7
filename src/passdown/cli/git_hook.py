"""The guard in git's hooks: what a commit would bring outside is refused, and what is to be pushed is looked at again.

Run by ``git-hook.sh`` with ``pre-commit`` or ``pre-push``, which the line that `passdown init` adds to the hook runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from passdown.errors import in_a_line
from passdown.guard.commit_judge import judge_index, judge_own_commits, under_way
from passdown.guard.place_rules import place_and_rules
from passdown.guard.pushed import of_refs
from passdown.model.paths import printable
from passdown.rules.amount import amount

_MOST = 8
_REFUSED = 3  # no interpreter ends with it by itself


def main(argv: Sequence[str]) -> int:
    """Exit 3 refuses; what fails in here says so, loudly, and lets git go on: `passdown verify` judges it."""
    try:
        said = _judge(argv[1])
    except Exception as error:  # noqa: BLE001 -- an edge of a process of its own
        _say(f"passdown: {argv[1]} was NOT judged ({in_a_line(error)}). See: passdown verify")
        return 0
    for line in said[1]:
        _say(line)
    return said[0]


def _judge(event: str) -> tuple[int, list[str]]:
    """``(exit code, lines)``."""
    cwd = Path(os.path.realpath(os.environ.get("GIT_WORK_TREE") or "."))
    found = place_and_rules(cwd)
    if found is None:
        return 0, []
    place, rules, _ = found
    if event == "pre-commit":
        if under_way(place):
            return 0, []
        index = os.environ.get("GIT_INDEX_FILE")
        outside = [("", violation) for violation in judge_index(place, rules, str(cwd / index) if index else None)]
        head, undo = "this commit reaches", "git restore --staged PATH"
    else:
        told = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
        outside = judge_own_commits(place, rules, of_refs(told))
        head, undo = "commits to be pushed reach", "passdown verify shows them all"
    if not outside or rules.stored["mode"] == "observe":
        return 0, []
    lines = [f"passdown: {head} outside what this run may write:"]
    for commit, each in outside[:_MOST]:
        where = f"{commit[:9]} " if commit else ""
        lines.append(f"  {where}{each.op} {printable(each.path)}   {each.rule}: {printable(each.because)}")
    if len(outside) > _MOST:
        lines.append(f"  and {amount(len(outside) - _MOST, 'other')}")
    lines.append(f"  Take it out: {undo}     Ask: passdown note --ask-widen PATH --because WHY")
    return _REFUSED if rules.stored["mode"] == "enforce" else 0, lines


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
