"""Hand-made packets, checks and evidence for tests: everything has a value, change what the test is about."""

from __future__ import annotations

import msgspec

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint, Evidence, Fingerprint, Freshness
from passdown.model.packet import (
    Commands,
    Done,
    Goal,
    Hold,
    Inputs,
    Packet,
    PacketCheck,
    Place,
    Run,
    RunEnd,
    Task,
)

TREE = "a" * 40


def a_check(
    name: str = "tests", result: str | None = "PASSED", class_: str | None = "OBSERVED", **changes
) -> PacketCheck:
    """A check of a packet; ``state`` is its freshness."""
    state = changes.pop("state", "UNBOUND")
    values = {
        "name": name,
        "command": {"tests": "pytest -q", "types": "mypy src"}.get(name, name),
        "result": result,
        "class_": class_,
        "freshness": Freshness(state=state),
        "tier": None,
        "inputs": Inputs(fingerprint=None, files=None),
        "exit": None if result is None else int(result != "PASSED"),
        "seconds": None,
    }
    return PacketCheck(**{**values, **changes})


def evidence(check: str, result: str, *, source: str = "policy", **changes) -> Evidence:
    """What our own runner leaves."""
    values = {
        "check": check,
        "definition": CheckDefinition(name=check, run="pytest -q", source=source),
        "argv": ["sh", "-c", "pytest -q"],
        "cwd": ".",
        "result": result,
        "exit": int(result != "PASSED"),
        "signal": None,
        "started": "2026-11-30T15:31:00Z",
        "seconds": 6.0,
        "output_digest": "0" * 64,
        "output_bytes": 0,
        "tail": "",
        "inputs": Fingerprint(digest="1" * 64, files=3, tier="whole-tree"),
        "tree_before": TREE,
        "tree_after": TREE,
        "commit": None,
        "environment": EnvironmentFingerprint(digest="2" * 64, parts={}),
        "observed_by": "runner",
    }
    return Evidence(**{**values, **changes})


def a_packet(
    *, end: str = "finished", task: str = "t1", run: str = "r1", branch: str | None = "main", **changes
) -> Packet:
    """A small, complete packet of task ``t1`` in worktree ``wt`` on ``main``."""
    values = {
        "packet": None,
        "previous": None,
        "sealed_at": "2026-11-30T15:58:00Z",
        "task": Task(
            id=task,
            title="retry",
            goal=Goal(text="make it pass", source="user"),
            done=[Done(check="tests", class_=None)],
            state="handed-off",
        ),
        "run": Run(
            id=run,
            agent="claude",
            session="s1",
            from_=-1,
            through=99,
            started="2026-11-30T15:16:00Z",
            ended="2026-11-30T15:58:00Z",
            end=RunEnd(reason=end, because="it said so"),
        ),
        "place": Place(
            repository="example/retry",
            worktree="/home/alice/retry",
            branch=branch,
            base="b" * 40,
            head="b" * 40,
            tree=TREE,
            on_remote=True,
            worktree_id="wt",
        ),
        "files": [],
        "commands": Commands(run=0, failed=0),
        "checks": [],
        "outcomes": [],
        "items": [],
        "decisions": [],
        "dead_ends": [],
        "boundary": Boundary(
            version=1,
            source="proposed",
            allow=[Entry(id="B1", path="src/retry.py", because="changed")],
            budget=Budget(new=2),
        ).sealed(),
        "checklist": [],
        "template": "general",
        "resume_owner": "@alice",
        "reviewers": [],
        "note": None,
        "hold": Hold(state="GO"),
        "guards": [],
        "verdict": None,
        "redactions": {},
    }
    return msgspec.structs.replace(Packet(**values), **changes)
