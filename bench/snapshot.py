"""Snapshots of 20,000 files beside git's own commands on the same worktree, in one run: ratios against the budget."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import Case, budget, interleave, medians, process, show

from passdown.workspace.place import Place, find_place
from passdown.workspace.snapshot import keep, take

FILES = 20_000
FOLDERS = 1_000
WARM_BUDGET = 1.7
COLD_BUDGET = 1.5
EDITED = 6


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="passdown-bench-") as folder:
        root = Path(folder).resolve() / "work"
        build(root)
        place = find_place(root)
        time.sleep(2.1)  # so that git's own index is not racy either
        return 0 if run(root, place) else 1


def build(root: Path) -> None:
    """A committed worktree; every file differs."""
    for number in range(FILES):
        path = root / f"package{number % FOLDERS // 25:02}/module{number % FOLDERS:04}/file{number // FOLDERS:02}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {number}\n" + "def f(x):\n    return x + 1\n" * 40)
    (root / ".gitignore").write_text("*.pyc\n/build/\n")
    process(["git", "init", "-q"], root)
    process(["git", "config", "gc.auto", "0"], root)
    process(["git", "add", "-A"], root)
    process(["git", "-c", "user.name=b", "-c", "user.email=b@example.test", "commit", "-qm", "Begin"], root)
    process(["git", "gc", "-q"], root)


def run(root: Path, place: Place) -> bool:
    cold = interleave(
        {
            "snapshot, nothing known": Case(
                lambda: void(take(place)), lambda: shutil.rmtree(place.home, ignore_errors=True)
            ),
            "git add -A, empty index": Case(
                lambda: add(root), lambda: (place.common_dir / "bench").unlink(missing_ok=True)
            ),
        },
        rounds=5,
    )
    time.sleep(2.1)
    take(place)
    take(place)
    warm = interleave(
        {
            "snapshot, nothing changed": Case(lambda: void(take(place))),
            "git status": Case(lambda: process(["git", "status"], root)),
        },
        rounds=15,
    )
    edited = interleave(
        {
            f"snapshot, {EDITED} files changed": Case(lambda: void(take(place)), lambda: edit(root)),
            "git status, the same": Case(lambda: process(["git", "status"], root)),
        },
        rounds=8,
    )
    kept = keeping(root, place)
    for title, taken in (("cold", cold), ("warm", warm), ("at work", edited), ("keep", kept)):
        show(title, taken)
    print()
    ratios = [
        budget("warm snapshot / git status", ratio(warm), WARM_BUDGET),
        budget("cold snapshot / git add -A", ratio(cold), COLD_BUDGET),
    ]
    print(f"       at work / git status: {ratio(edited):.2f}")
    return all(ratios)


def ratio(taken: dict[str, list[float]]) -> float:
    """The first case over the second."""
    ours, theirs = medians(taken).values()
    return ours / theirs


def keeping(root: Path, place: Place) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {"keep, the first tree": [], "keep, six files more": []}
    for number in range(6):
        edit(root)
        tree = take(place).tree
        begun = time.perf_counter()
        keep(place, tree)
        taken["keep, six files more" if number else "keep, the first tree"].append(time.perf_counter() - begun)
    return taken


def edit(root: Path) -> None:
    """Change some files and add one."""
    mark = os.urandom(4).hex()
    for number in range(EDITED - 1):
        with (root / f"package00/module{number:04}/file00.py").open("a") as file:
            file.write(f"# {mark}\n")
    (root / f"package01/new_{mark}.py").write_text("x = 1\n")


def add(root: Path) -> None:
    env = {**os.environ, "GIT_INDEX_FILE": str(root / ".git/bench")}
    subprocess.run(["git", "add", "-A"], cwd=root, env=env, check=True)


def void(value: object) -> None:
    """Nothing: a case's own seconds are not what it returns."""
    del value


if __name__ == "__main__":
    sys.exit(main())
