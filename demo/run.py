"""One whole handoff on a sample project, in a temporary folder with a home of its own (``make demo``).

Every command is run as printed and must show what its step says; otherwise the demo fails. Nothing is left behind.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from replay import HERE, lay_project, lay_session

READBACK = r"passdown readback [^`]+"


class Step(NamedTuple):
    """One command of the story: why, what is typed, what it must show (patterns), how it must exit.

    READBACK as a command is what the screen before said to type.
    """

    why: str
    command: str
    shows: tuple[str, ...] = ()
    code: int = 0


STEPS = (
    Step(
        "An agent (Claude Code) worked on this project until its quota ran out. It left this:",
        "git status --short",
        (r"M billing/client\.py", r"M billing/retry\.py"),
    ),
    Step(
        "What is true of it? Passdown reads git and the agent's transcript. Nothing was set up before.",
        "passdown pack",
        (r"SAID, NOT SO", r"All 5 tests pass", r"1 failed", r"migrations/", r"quota"),
    ),
    Step(
        "A code owner reads that screen, takes the README (3) out of what may be written, and leaves a note.",
        "passdown review --narrow -3 --note 'client.py first: it does not parse'",
        (r"narrow", r"Dropped +README\.md"),
    ),
    Step(
        "The next run starts from this brief, inside that boundary.",
        "passdown resume",
        (r"All 5 tests pass", r"client\.py first", r"migrations/", r"readback"),
    ),
    Step("It reads the brief back, by the line that the brief ends with.", READBACK, (r"(?i)read back",)),
    Step(
        "Suppose the next run strays ...",
        "echo 'ALTER TABLE accounts ADD tries INTEGER;' >> migrations/0001_accounts.sql",
    ),
    Step("... the diff is judged, however it was written: it does not hold.", "passdown verify", (r"migrations/",), 1),
    Step("The stray change is undone,", "git restore migrations"),
    Step("the cut-off edit is finished and the wait put right.", "git apply ../fix.patch"),
    Step(
        "You confirm once that this is the check that counts; Passdown runs it itself.",
        "passdown check --confirm tests",
        (r"(?i)pass",),
    ),
    Step(
        "Now the work holds: inside the boundary, checks passing on exactly this code.",
        "passdown verify --checks",
        (r"(?i)holds",),
    ),
    Step("Close the task.", "passdown outcome completed", (r"(?i)completed",)),
    Step(
        "Who did and decided what, in order:",
        "passdown log",
        (r"(?i)pack", r"(?i)narrow", r"(?i)check|evidence", r"(?i)completed"),
    ),
)


def main() -> int:
    """Run the story; 0 only if every step shows what it must."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="passdown-demo-") as scratch:
        place = Path(scratch).resolve()
        env = environment(place / "home")
        project = place / "billing"
        lay_project(project, env)
        lay_session(project, place / "home" / ".claude")
        shutil.copy(HERE / "fix.patch", place)
        shown = ""
        for number, step in enumerate(STEPS, 1):
            command = re.findall(step.command, shown)[-1] if step.command is READBACK else step.command
            print(f"\n# {number}. {step.why}\n$ {command}", flush=True)
            code, shown = run(command, project, env)
            if missing := lacks(step, code, shown):
                print(f"\nDEMO FAILED at step {number}: {missing}")
                return 1
    print(f"\nThe demo holds: {len(STEPS)} steps, {time.monotonic() - begun:.0f} s. Nothing was left behind.")
    return 0


def environment(home: Path) -> dict[str, str]:
    """A home of its own, this installation's commands first on the path, nothing of the caller's agents."""
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Alice\n\temail = alice@example.com\n")
    kept = {name: os.environ[name] for name in ("TMPDIR", "TERM", "COLUMNS") if name in os.environ}
    here = str(Path(sys.executable).parent)
    return {
        **kept,
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        "PATH": os.pathsep.join([here, os.environ.get("PATH", os.defpath)]),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def run(command: str, project: Path, env: dict[str, str]) -> tuple[int, str]:
    """Run one command and print what it shows; its exit code and that."""
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=project,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(done.stdout, end="", flush=True)
    return done.returncode, done.stdout


def lacks(step: Step, code: int, shown: str) -> str:
    """What a step failed to show, or an empty text."""
    if code != step.code:
        return f"it exited with {code}, not {step.code}"
    absent = [pattern for pattern in step.shows if not re.search(pattern, shown)]
    return f"its output has nothing like {absent}" if absent else ""


if __name__ == "__main__":
    sys.exit(main())
