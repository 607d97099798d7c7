"""What binding a check's result to the code costs, beside tools that do the same (``make bench-evidence``).

5,000 files. "run": a command that takes no time, run and recorded; what stands over the bare command is the tool's.
"fresh": whether a recorded result still speaks of the worktree as it is. The others are installed by name and pinned
version into a temporary venv. They give less or other things: the table says what.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from measure import PASSDOWN, Case, interleave, medians, process
from workload import Workload, workload

ROUNDS = 5
PINNED = ("agent-engineering-toolkit==1.18.0", "debugbrief==1.4.1", "agent-countercheck==0.14.0")
CHECK = ("test", "-f", "README.md")


class Contender(NamedTuple):
    """One command: the question that it answers, what its answer is bound to, the process."""

    step: str
    name: str
    gives: str
    argv: list[str]


def contenders(tools: Path, out: Path) -> list[Contender]:
    """The commands of all tools, Passdown's first."""
    aet, brief, counter = (str(tools / name) for name in ("aet", "debugbrief", "countercheck"))
    receipt = str(out / "receipt.json")
    return [
        Contender("run", "(the bare command)", "nothing", list(CHECK)),
        Contender(
            "run",
            "passdown check",
            "input, environment and definition fingerprints before and after, edits meanwhile, signed record",
            [PASSDOWN, "check", "ok"],
        ),
        Contender(
            "run",
            "passdown check --isolated",
            "the same, on a frozen copy that nobody else reaches",
            [PASSDOWN, "check", "ok", "--isolated"],
        ),
        Contender(
            "run",
            "aet quick proof",
            "receipt: worktree digest after the run, one named path",
            [aet, "quick", "proof", "--output", receipt, "--relevant-path", "README.md", "--", *CHECK],
        ),
        Contender(
            "run", "debugbrief run", "exit code and output in a session", [brief, "run", "--verify", "--", *CHECK]
        ),
        Contender(
            "run",
            "countercheck verify",
            "clean copy of the base and the change, in a sandbox, receipt",
            [counter, "verify", "--repo", "."],
        ),
        Contender(
            "fresh",
            "passdown check --list",
            "every known check: result, class, freshness with the paths that differ",
            [PASSDOWN, "check", "--list"],
        ),
        Contender("fresh", "aet quick fresh", "one receipt", [aet, "quick", "fresh", "--proof", receipt]),
        Contender("fresh", "debugbrief preview", "what the session ran", [brief, "preview"]),
    ]


def install(folder: Path) -> Path:
    """A venv with the other tools; its folder of commands."""
    venv.create(folder, with_pip=True)
    process([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", *PINNED])
    return folder / "bin"


def prepare(work: Workload, tools: Path) -> None:
    """One check declared for each tool, on main; work on a branch; a session begun for the one that needs it."""
    repo = work.repo
    repo.git("switch", "-q", "main")
    repo.write("passdown.toml", f"[checks.ok]\nrun = {json.dumps(list(CHECK))}\n")
    repo.write(".countercheck/checks.toml", f'[[check]]\nname = "ok"\nrun = "{" ".join(CHECK)}"\n')
    repo.write(".gitignore", ".debugbrief/\n.aet/\n")
    repo.commit("Declare the checks")
    repo.git("switch", "-q", "-C", "work")
    repo.append("src/part001/module00001.py", "# edited\n").commit("Edit")
    repo.append("src/part000/module00000.py", "# edited\n")
    process([str(tools / "debugbrief"), "start", "bench"], cwd=repo.root)


def timed(contender: Contender, cwd: Path, cpu: dict[str, list[float]]):
    """Run it once; its processes' time of both kinds is kept beside the wall's."""

    def once() -> float:
        before, begun = _used(), time.perf_counter()
        done = subprocess.run(contender.argv, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        seconds = time.perf_counter() - begun
        if done.returncode not in (0, 1):
            sys.exit(f"{contender.argv} -> {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")
        cpu.setdefault(contender.name, []).append(_used() - before)
        return seconds

    return once


def _used() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def table(every: Sequence[Contender], wall: dict[str, float], cpu: dict[str, float]) -> None:
    """One Markdown row per command; ratios to Passdown's first of the same step."""
    print("| step | command | gives | median ms | cpu ms | cpu, x of passdown |\n|---|---|---|---|---|---|")
    for one in every:
        own = next(cpu[other.name] for other in every if other.step == one.step and other.name.startswith("passdown"))
        numbers = f"{wall[one.name] * 1000:.0f} | {cpu[one.name] * 1000:.0f} | {cpu[one.name] / own:.2f}"
        print(f"| {one.step} | `{one.name}` | {one.gives} | {numbers} |")


def main() -> int:
    """Install, prepare, interleave, print."""
    with tempfile.TemporaryDirectory(prefix="passdown-evidence-") as folder:
        tools = install(Path(folder) / "venv")
        with workload() as work:
            os.environ["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"
            prepare(work, tools)
            every = contenders(tools, work.home)
            cpu: dict[str, list[float]] = {}
            taken = interleave({one.name: Case(timed(one, work.repo.root, cpu)) for one in every}, ROUNDS, warm=2)
    used = medians({name: values[2:] for name, values in cpu.items()})
    print("\n5,000 files; medians, interleaved, one machine, one run; cpu: user and system of all its processes\n")
    table(every, medians(taken), used)
    return 0


if __name__ == "__main__":
    sys.exit(main())
