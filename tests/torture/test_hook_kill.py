"""Kill agents' hooks at random moments, beside a writer of the ledger: what a hook ended for is in the journal."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import time

import pytest

from passdown.guard import hook_files
from passdown.store import open_ledger
from support.kernel import locked

TOGETHER = 3


def hook(repo, home, name, event="SubagentStop"):
    """One hook process, told that a subagent ended, or that a session of that name starts."""
    who = {"session_id": name, "source": "startup"} if event == "SessionStart" else {"agent_id": name}
    payload = {"session_id": "s1", "cwd": str(repo.root), "hook_event_name": event, **who}
    argv = ["/bin/sh", str(hook_files.wrapper(home)), "claude", "session"]
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
    except BrokenPipeError:
        pass
    return process


def campaign(repo, event, kills, chance):
    """How many were killed, and the ids of those that ended."""
    home = repo.root / ".git" / "passdown"
    repo.passdown("start", "mend it", "--allow", "**").check()
    hook_files.install(home)
    begun = time.monotonic()
    assert hook(repo, home, "a0", event).wait() == 0
    life, acknowledged, killed = time.monotonic() - begun, {"a0"}, 0
    for number in itertools.count(1):
        if killed >= kills:
            break
        agents = [f"a{number}-{each}" for each in range(TOGETHER)]
        running = [(agent, hook(repo, home, agent, event)) for agent in agents]
        for agent, process in running:
            time.sleep(chance.random() * life / TOGETHER)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)  # the wrapper and the interpreter that it started
            if process.wait() == 0:
                acknowledged.add(agent)
            else:
                killed += 1
        if number % 20 == 0:
            repo.passdown("note", "step", f"round {number}").check()
    return home, acknowledged, killed


def lost(home, event, acknowledged):
    """What was acknowledged and is not in the record."""
    ledger = open_ledger(home)
    try:
        ledger.flush()
        kind, name = ("told", "session") if event == "SessionStart" else ("session", "agent")
        kept = [fact.data[name] for fact in ledger.facts(kind=kind)]
        assert ledger.verify() == []
    finally:
        ledger.close()
    assert len(kept) == len(set(kept)), "each once"
    return acknowledged - set(kept)


@pytest.mark.parametrize(
    ("event", "kills"),
    [
        ("SubagentStop", 30),
        pytest.param("SubagentStop", 1000, marks=pytest.mark.torture),
        pytest.param("SessionStart", 300, marks=[pytest.mark.torture, pytest.mark.timeout(3600)]),
    ],
)
def test_a_killed_hook_loses_at_most_its_own_record(repo, event, kills):
    home, acknowledged, killed = campaign(repo, event, kills, random.Random(7))
    assert killed >= kills
    assert lost(home, event, acknowledged) == set()
    repo.passdown("status").check()
    assert hook(repo, home, "last", event).wait() == 0
    assert locked(home) == []
