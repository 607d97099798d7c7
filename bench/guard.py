"""What the guard costs: the agents' hook on its allow path, the look after a call, git's pre-commit hook.

The hook is measured as clients run it, ``sh`` wrapper and all, against the bare interpreter that it runs in.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import Case, budget, interleave, medians, p95, show
from workload import workload

from passdown.guard import compiled, git_hooks, hook_files
from passdown.guard.compiled import Arming
from passdown.model.boundary import Boundary, Budget, Entry
from passdown.workspace.place import find_place
from support.repo import Repo

ROUNDS, FILES, ENTRIES = 40, 10_000, 60
P50, P95 = 2.4, 2.8
BARE, EDIT = "python3 -I -S -c pass", "hook, an edit inside"


def boundary() -> Boundary:
    """Sixty allowed folders and ten denied ones: more than a proposal has."""
    allow = [Entry(id=f"B{n}", path=f"src/part{n}/**", because="given") for n in range(ENTRIES)]
    deny = [Entry(id=f"N{n}", path=f"src/part{n}/keep/**", because="said so") for n in range(10)]
    return Boundary(version=1, source="hand", allow=allow, deny=deny, budget=Budget(new=2)).sealed()


def prepare(folder: Path) -> Path:
    """A guarded repository of 10,000 files."""
    repo = Repo.create(folder / "repo")
    for n in range(FILES):
        repo.write(f"src/part{n % 100}/f{n}.py", f"x = {n}\n")
    repo.commit("start")
    root = repo.root
    place = find_place(root)
    (place.home / "journal").mkdir(parents=True)
    hook_files.install(place.home)
    git_hooks.install(place)
    arming = Arming(boundary=boundary(), task="bench", mode="enforce", until=time.time() + 86_400)
    rules = compiled.for_worktree({"main": compiled.compiled(arming)})
    hook_files.write_rules(hook_files.rules_file(place.home, place.git_dir, place.common_dir), rules)
    return root


def payload(root: Path, tool: str, given: dict[str, str]) -> bytes:
    """What a client puts on the hook's standard input."""
    said = {"session_id": "s", "cwd": str(root), "permission_mode": "acceptEdits", "tool_use_id": "call"}
    return json.dumps({**said, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}).encode()


def fed(argv: list[str], root: Path, said: bytes = b"") -> Callable[[], None]:
    """A process with that standard input."""

    def run() -> None:
        done = subprocess.run(argv, cwd=root, input=said, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"{argv} -> {done.returncode}: {done.stderr.decode()}")

    return run


def main() -> int:
    """Measure, show, compare with the budgets; 1 where one is exceeded."""
    with workload(files=10) as place, tempfile.TemporaryDirectory(prefix="passdown-bench-") as folder:
        del place  # its scratch home and identity are what counts here
        root = prepare(Path(folder).resolve())
        home = root / ".git" / "passdown"
        wrapper = ["/bin/sh", str(hook_files.wrapper(home)), "claude"]
        given = {"file_path": str(root / "src/part7/f7.py"), "old_string": "x", "new_string": "y" * 4000}
        edit = payload(root, "Edit", given)
        shell = payload(root, "Bash", {"command": "pytest -q 2>&1 | tail -5"})
        commit = ["sh", str(hook_files.folder(home) / "git-hook.sh"), "pre-commit"]
        taken = interleave(
            {
                BARE: Case(fed([hook_files.interpreter(), "-I", "-S", "-c", "pass"], root)),
                EDIT: Case(fed(wrapper, root, edit)),
                "hook, a shell command": Case(fed(wrapper, root, shell)),
                "git status": Case(fed(["git", "status", "--porcelain"], root)),
                "hook, after a shell command": Case(fed([*wrapper, "after"], root, shell)),
                "pre-commit, nothing staged": Case(fed(commit, root)),
            },
            ROUNDS,
        )
    show("Guard: 10,000 files, 60 allowed and 10 denied folders", taken)
    found = medians(taken)
    kept = budget("hook p50 / bare interpreter", found[EDIT] / found[BARE], P50)
    kept &= budget("hook p95 / bare interpreter p95", p95(taken[EDIT]) / p95(taken[BARE]), P95)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
