"""A boundary that sleeps from now on: the call that is over moved HEAD to another branch."""

from __future__ import annotations

import os
import time

from .place import branch_of, worktree
from .scan import Json, dumps, loads, read, text_of
from .targets import shell_text

MOVING = ("switch", "checkout", "branch", "symbolic-ref")
_NAMED = 3


def tell(folder: str, common: str, cwd: str, payload: Json) -> int:
    """Say in one line where the boundary holds, where the call was one of git's that move HEAD; else nothing."""
    given = payload.get("tool_input")
    line = shell_text(given) if isinstance(given, dict) else ""
    place = worktree(cwd, common) if "git" in line and any(verb in line for verb in MOVING) else None
    bound = _bound(folder, *place, common) if place is not None else []
    if place is None or not bound:
        return 0
    where = branch_of(place[1]) or "no branch"
    text = f"Passdown: HEAD is on {where} now. The boundary of {', '.join(bound)} sleeps here and holds there: what is "
    text += f"written here is judged by nothing, and is no part of that task. Back to it: git switch {bound[0]}."
    output: Json = {"hookEventName": text_of(payload.get("hook_event_name")) or "PostToolUse"}
    os.write(1, dumps({"hookSpecificOutput": output | {"additionalContext": text}}).encode())
    return 0


def _bound(folder: str, _root: str, git_dir: str, common: str) -> list[str]:
    """The branches of this worktree that a boundary binds, as far as it has a say now."""
    key = "main" if git_dir == common else os.path.basename(git_dir)
    try:
        stored = loads(read(f"{folder}/rules/{key}.json").decode("utf-8", "surrogateescape"))
    except (OSError, ValueError):
        return []
    rules = stored if isinstance(stored, dict) else {}
    branches, now = rules.get("branches"), time.time()
    if not isinstance(branches, dict) or now < rules["off_until"]:
        return []
    speaks = [name for name, each in branches.items() if each["until"] > now and each["mode"] != "observe"]
    return [name[1:] for name in speaks if name][:_NAMED]
