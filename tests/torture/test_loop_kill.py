"""Commands of the loop, three at once, killed at random: what was acknowledged stays, the next one works (C13, G6)."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time

import pytest

from support.kernel import locked
from support.process import PASSDOWN, TIMEOUT, until

COMMANDS = (
    ("pack", "--no-check", "--note", "{n}", "--json"),
    ("pack", "--no-check", "--note", "{n}", "--json"),
    ("resume", "--no-check", "--json"),
    ("note", "step", "step {n}", "--json"),
    ("review", "--approve", "--json"),
    ("readback", "ffff", "--json"),
    ("verify", "--json"),
)
LONGEST = 1.6


def acknowledged(out: bytes) -> str | None:
    """The id that a command printed as recorded; None where it was killed before, or failed."""
    try:
        document = json.loads(out)
    except ValueError:
        return None
    found = document.get("statement") or (document.get("packet") if "sealed_at" in document else None)
    return found if isinstance(found, str) else None


def some(repo, dice: random.Random, number: int) -> subprocess.Popen[bytes]:
    argv = [PASSDOWN, *(part.format(n=number) for part in dice.choice(COMMANDS))]
    return subprocess.Popen(
        argv,
        cwd=repo.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
        start_new_session=True,
    )


@pytest.mark.parametrize("kills", [9, pytest.param(1000, marks=pytest.mark.torture)])
def test_three_at_once_killed_at_random(repo, sessions, kills):
    dice = random.Random(kills)
    repo.write("src/a.py", "x = 1\n").commit("Begin").branch("work")
    sessions.claude(repo.root, branch="work").user("make a right").edit("src/a.py", "x = 1", "x = 2").say(
        "Done."
    ).save()
    repo.passdown("pack", "--no-check").check()
    kept: set[str] = set()
    killed = number = 0
    while killed < kills:
        running = [some(repo, dice, number + n) for n in range(3)]
        number += 3
        time.sleep(dice.uniform(0.05, LONGEST))
        for process in running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                killed += 1
        for process in running:
            out, err = process.communicate(timeout=TIMEOUT)
            assert b"bug in Passdown" not in out + err, (process.args, out, err)
            if (name := acknowledged(out)) is not None:
                kept.add(name)
        if dice.random() < 0.3:
            repo.append("src/a.py", f"# {number}\n")
    until(lambda: not locked(repo.home))
    verified = repo.passdown("log", "--verify", "--json").check().json()
    assert verified["holds"] is True
    known = {one["id"] for one in repo.passdown("log", "--json").check().json()}
    assert kept <= known
    repo.passdown("note", "step", "after all").check()
    repo.passdown("pack", "--no-check", "--note", "after all").check()
    repo.git("fsck", "--strict")
