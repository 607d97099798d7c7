"""Side by side with tools of the same kind, on one repository and one session, interleaved (``make bench-peers``).

The others are installed by name and pinned version into a venv in a temporary folder, removed afterwards. They do
less or other things than Passdown does: the table says what each command gives, so that the times can be judged.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from measure import PASSDOWN, Case, budget, interleave, medians, process
from pack import prepare, restore
from workload import Workload, workload

ROUNDS = 9
RESUME_LIMIT = 2.0
PINNED = ("dimissory==0.0.8", "agent-waybill==0.2.1", "context-handoff-bundle==0.5.0")


class Contender(NamedTuple):
    """One command: which step of a handoff it is, what it gives, the process."""

    step: str
    name: str
    gives: str
    argv: list[str]
    codes: tuple[int, ...] = (0,)


def contenders(tools: Path, work: Workload, transcript: Path) -> list[Contender]:
    """The commands of all tools, Passdown's first."""
    bundle = str(work.home / "bundle")
    notes = work.home / "notes.md"
    notes.write_text("# Retry\n\n## Decisions\n- cap at 60 s\n\n## Next\n- fix test_backoff\n")
    dim, waybill, chb = (str(tools / name) for name in ("dim", "waybill", "context-handoff-bundle"))
    return [
        Contender(
            "write",
            "passdown pack --no-check",
            "facts of session and diff, snapshot kept, signed",
            [PASSDOWN, "pack", "--no-check"],
        ),
        Contender(
            "write", "dim write", "letter: git facts, session's meter", [dim, "write", "--transcript", str(transcript)]
        ),
        Contender(
            "write",
            "waybill new",
            "draft bundle: diff, git state, headings to fill in",
            [waybill, "new", "--output", bundle, "--force"],
        ),
        Contender(
            "write",
            "context-handoff-bundle save",
            "bundle from notes that somebody wrote",
            [chb, "save", "--title", "bench", "--notes", str(notes), "--global", "--update"],
        ),
        Contender(
            "resume",
            "passdown resume",
            "drift against the sealed tree, brief, boundary armed",
            [PASSDOWN, "resume", "--json", "--no-check"],
        ),
        Contender("resume", "dim resume", "HEAD and git status as in the letter", [dim, "resume"], (0, 2)),
        Contender(
            "resume",
            "waybill preflight",
            "bundle valid, git state and diff as recorded",
            [waybill, "preflight", bundle],
        ),
        Contender("resume", "context-handoff-bundle load", "the saved notes", [chb, "load", "latest"]),
    ]


def install(folder: Path) -> Path:
    """A venv with the other tools; its folder of commands."""
    venv.create(folder, with_pip=True)
    process([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", *PINNED])
    return folder / "bin"


def timed(contender: Contender, cwd: Path) -> Callable[[], None]:
    """Run it once; an unexpected exit code ends the benchmark."""

    def once() -> None:
        done = subprocess.run(contender.argv, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode not in contender.codes:
            sys.exit(f"{contender.argv} -> {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")

    return once


def table(every: list[Contender], middle: dict[str, float]) -> None:
    """One Markdown row per command, the ratio to Passdown's of the same step."""
    print("| step | command | gives | median ms | x of passdown |\n|---|---|---|---|---|")
    for one in every:
        own = next(middle[other.name] for other in every if other.step == one.step)
        seconds = middle[one.name]
        print(f"| {one.step} | `{one.name}` | {one.gives} | {seconds * 1000:.0f} | {seconds / own:.2f} |")


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="passdown-peers-") as folder:
        tools = install(Path(folder) / "venv")
        with workload() as work:
            every = contenders(tools, work, prepare(work, 1024 * 1024))
            cases = {one.name: Case(timed(one, work.repo.root)) for one in every}
            first = every[0].name
            cases[first] = cases[first]._replace(before=lambda: restore(work))
            middle = medians(interleave(cases, ROUNDS))
    print("\n5,000 files, a Claude Code session of 1 MB; medians, interleaved, one machine, one run\n")
    table(every, middle)
    print()
    return (
        0
        if budget("passdown resume / dim resume", middle["passdown resume"] / middle["dim resume"], RESUME_LIMIT)
        else 1
    )


if __name__ == "__main__":
    sys.exit(main())
