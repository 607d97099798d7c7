"""Kill writing processes at random moments and look whether everything that they acknowledged is still there.

    python tests/torture/kill.py --kills 200 REPOSITORY -- passdown note --step "one more" --json

The command runs again and again in REPOSITORY, ``--together`` at a time, and is killed with SIGKILL at
a random moment of its life. What it printed before counts as acknowledged: JSON (a document, or one a
line) with a statement's whole id under "id", "statement" or "packet".
Without a command, a writer of the ledger itself is used.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from passdown.errors import PassdownError
from passdown.ledger.ledger import Ledger
from passdown.store import open_ledger

KEYS = ("id", "statement", "packet")
WRITER = [sys.executable, str(Path(__file__).with_name("writer.py"))]


@dataclass
class Toll:
    """What a campaign saw; ``broken`` has one line for each promise that did not hold."""

    kills: int = 0
    ended: int = 0
    acknowledged: set[str] = field(default_factory=set)
    broken: list[str] = field(default_factory=list)


def campaign(repository: Path, command: Sequence[str], *, kills: int, together: int = 2, seed: int = 0) -> Toll:
    """Kill ``kills`` processes, ``together`` at a time, and check after every round."""
    chance = random.Random(seed)
    toll = Toll()
    longest = _life(repository, command, toll)
    while toll.kills < kills and not toll.broken:
        _round(repository, command, together, (chance, longest * 1.1), toll)
        _check(repository, toll)
    return toll


def _life(repository: Path, command: Sequence[str], toll: Toll) -> float:
    """How long one undisturbed run takes."""
    begun = time.monotonic()
    done = subprocess.run(command, cwd=repository, capture_output=True, timeout=120, check=False)
    _note(done.stdout, toll)
    if done.returncode not in {0, 1}:
        toll.broken.append(
            f"the command fails without being killed: {(done.stderr or done.stdout).decode(errors='replace')}"
        )
    return time.monotonic() - begun


def _round(
    repository: Path, command: Sequence[str], together: int, dice: tuple[random.Random, float], toll: Toll
) -> None:
    """Half of the time the git processes below die with their parent, half of the time they outlive it."""
    chance, longest = dice
    running = [
        subprocess.Popen(
            command, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        for _ in range(together)
    ]
    time.sleep(chance.uniform(0, longest))
    for process in running:
        if process.poll() is None:
            kill = chance.choice([os.kill, os.killpg])
            kill(process.pid, signal.SIGKILL)
            toll.kills += 1
        else:
            toll.ended += 1
    for process in running:
        out, err = process.communicate()
        _note(out, toll)
        if process.returncode not in {0, 1, -signal.SIGKILL}:
            toll.broken.append(f"ended with {process.returncode}: {(err or out).decode(errors='replace')[-2000:]}")


def _note(out: bytes, toll: Toll) -> None:
    for text in [out, *out.splitlines()]:
        try:
            said = json.loads(text)
        except ValueError:
            continue
        named = [said.get(key) for key in KEYS] if isinstance(said, dict) else []
        toll.acknowledged |= {each for each in named if isinstance(each, str) and len(each) == 64}


def _check(repository: Path, toll: Toll) -> None:
    """The store opens, holds what was acknowledged, and has nothing to alarm about."""
    ledger = open_ledger(_home(repository), "sha1")
    try:
        _missing(ledger, toll)
        toll.broken += [f"alarm: {alarm}" for alarm in ledger.alarms()]
    finally:
        ledger.close()


def finish(repository: Path, command: Sequence[str], toll: Toll) -> Toll:
    """After the campaign: the next command works, the whole ledger verifies, nothing is missing in git itself."""
    _life(repository, command, toll)
    ledger = open_ledger(_home(repository), "sha1")
    try:
        _flush(ledger)
        toll.broken += [f"alarm: {alarm}" for alarm in ledger.verify()]
        _missing(ledger, toll)
    finally:
        ledger.close()
    return toll


def _flush(ledger: Ledger) -> None:
    """Commit the journal; a ref's lock that a killed git left is only taken for stale after some seconds."""
    for _ in range(10):
        try:
            return ledger.flush()
        except PassdownError:
            time.sleep(1)
    return ledger.flush()


def _missing(ledger: Ledger, toll: Toll) -> None:
    here = {record.id for record in ledger.records() if record.trusted}
    toll.broken += [f"lost: {each}" for each in sorted(toll.acknowledged - here)]


def _home(repository: Path) -> Path:
    found = subprocess.run(
        ["git", "rev-parse", "--path-format=absolute", "--git-common-dir"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(found.stdout.strip()) / "passdown"


def main() -> int:
    """The campaign as a command."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("repository", type=Path)
    asked.add_argument("--kills", type=int, default=200)
    asked.add_argument("--together", type=int, default=2)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("command", nargs="*")
    options = asked.parse_args()
    command = options.command or [*WRITER, str(_home(options.repository))]
    toll = campaign(options.repository, command, kills=options.kills, together=options.together, seed=options.seed)
    finish(options.repository, command, toll)
    print(  # noqa: T201 - the campaign's result
        f"{toll.kills} killed, {toll.ended} ended before, {len(toll.acknowledged)} statements acknowledged"
    )
    for line in toll.broken:
        print(line)  # noqa: T201 - same
    return 1 if toll.broken else 0


if __name__ == "__main__":
    sys.exit(main())
