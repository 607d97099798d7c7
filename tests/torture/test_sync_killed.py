"""Killed at any moment, three at once: the next sync, and the next clone, go on as if nothing had been."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable

import pytest

from support.process import PASSDOWN, environment
from support.repo import Repo

pytestmark = pytest.mark.torture
ROUNDS = 40


def killed(repo: Repo, words: list[str], after: float) -> None:
    """Three at once, each ended after another moment."""
    running = [
        subprocess.Popen(
            [PASSDOWN, *words], cwd=repo.root, env=environment({}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(3)
    ]
    for number, process in enumerate(running):
        time.sleep(after * (1 + number) / 3)
        os.kill(process.pid, signal.SIGKILL)
    for process in running:
        process.wait()


def test_syncs_and_arrivals(make_repo: Callable[..., Repo]):
    hub = make_repo("hub.git", bare=True)
    alice = make_repo("alice").write("src/a.py", "x = 1\n").commit("Begin")
    alice.git("remote", "add", "origin", hub.root)
    alice.git("push", "-q", "-u", "origin", "main")
    bob = hub.clone("bob")
    chance = random.Random(20261130)
    for number in range(ROUNDS):
        branch = f"work{number}"
        alice.branch(branch, "main").write("src/a.py", f"x = {number}\n").write(f"new{number}.py", "y\n")
        packet = str(alice.passdown("pack", "--goal", "g", "--no-check", "--json").check().json()["packet"])
        killed(alice, ["sync", "--with-work", "--yes"], chance.uniform(0.05, 0.9))
        alice.passdown("sync", "--with-work", "--yes").check()
        killed(bob, ["sync"], chance.uniform(0.05, 0.9))
        bob.passdown("sync").check()
        there = bob.root.parent / f"there{number}"
        killed(bob, ["resume", packet, "--worktree", str(there), "--no-check"], chance.uniform(0.1, 1.5))
        if there.exists() and any(there.iterdir()):
            bob.git("worktree", "remove", "--force", there) if (there / ".git").exists() else shutil.rmtree(there)
        bob.git("worktree", "prune")
        bob.passdown("resume", packet, "--worktree", there, "--no-check").check()
        assert (there / f"new{number}.py").read_text() == "y\n"
        alice.commit("Save").switch("main")
        assert list(alice.path(".git/passdown").glob("exchange-*")) == []
    for repo in (alice, bob):
        repo.passdown("log", "--verify").check()
        repo.git("fsck", "--strict")
        Repo(repo.path(".git/passdown/store.git")).git("fsck")
