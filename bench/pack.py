"""``passdown pack`` on 5,000 files and a 10 MB session, no check run, against what it cannot do without.

Budget: 2.5 x (a bare click command + one snapshot + 1.7 x decoding the session's lines). Each time starts from the
same records: one earlier packet, so that Passdown's own folder and its index exist.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from measure import PASSDOWN, Case, budget, interleave, medians, process, show
from startup import bare_command
from workload import TRANSCRIPT_BYTES, Workload, claude_transcript, workload

ROUNDS = 7
LIMIT = 2.5
DECODINGS = 1.7
SNAPSHOT = """\
import time
from pathlib import Path
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take
place = find_place(Path.cwd())
begun = time.perf_counter()
take(place)
print(time.perf_counter() - begun)
"""
DECODE = """\
import sys, time
from msgspec.json import Decoder
decode = Decoder().decode
begun = time.perf_counter()
with open(sys.argv[1], "rb") as file:
    for line in file:
        decode(line)
print(time.perf_counter() - begun)
"""


def own_seconds(program: str, cwd: Path, *args: str) -> float:
    """Run a small program that prints the seconds that it measured itself."""
    done = subprocess.run([sys.executable, "-c", program, *args], cwd=cwd, capture_output=True, text=True, check=True)
    return float(done.stdout)


def prepare(work: Workload, size: int = TRANSCRIPT_BYTES) -> Path:
    """An earlier packet, then a session of ``size`` bytes; Passdown's folder as it is between the two is kept aside."""
    work.repo.append("src/part001/module00001.py", "x = 1\n")
    work.repo.passdown("pack", "--no-check").check()
    shutil.copytree(work.repo.home, work.home / "kept", symlinks=True)
    return claude_transcript(work, size)


def restore(work: Workload) -> None:
    """Put Passdown's folder back to where ``prepare`` left it."""
    shutil.rmtree(work.repo.home)
    shutil.copytree(work.home / "kept", work.repo.home, symlinks=True)


def main() -> int:
    with workload() as work:
        transcript = prepare(work)
        bare = bare_command(work.home)
        root = work.repo.root
        taken = interleave(
            {
                "bare click command": Case(lambda: process(bare)),
                "snapshot": Case(lambda: own_seconds(SNAPSHOT, root), lambda: restore(work)),
                "decoding the session": Case(lambda: own_seconds(DECODE, root, str(transcript))),
                "passdown pack --no-check": Case(
                    lambda: process([PASSDOWN, "pack", "--no-check"], root), lambda: restore(work)
                ),
            },
            ROUNDS,
        )
        size = transcript.stat().st_size / 1e6
    show(f"Pack: 5,000 files, a session of {size:.1f} MB", taken)
    middle = medians(taken)
    floor = middle["bare click command"] + middle["snapshot"] + DECODINGS * middle["decoding the session"]
    what = "pack / (bare + snapshot + 1.7 x decoding)"
    return 0 if budget(what, middle["passdown pack --no-check"] / floor, LIMIT) else 1


if __name__ == "__main__":
    sys.exit(main())
