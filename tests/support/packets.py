"""Hand-made packets, checks and evidence for tests: everything has a value, change what the test is about."""

from __future__ import annotations

import msgspec

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint, Evidence, Fingerprint, Freshness
from passdown.model.packet import (
    Commands,
    Decision,
    Done,
    Goal,
    Hold,
    Inputs,
    Item,
    Outcome,
    OwnerNote,
    Packet,
    PacketCheck,
    PacketVerdict,
    Place,
    Run,
    RunEnd,
    Step,
    Task,
    TriedDeadEnd,
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


def the_retry_packet(**changes) -> Packet:
    """The handoff of the screens: one failing test, one cut-off edit, a false claim, two denials."""
    digest = "7c1e9a2" + "0" * 57
    false = Outcome(
        text="all 212 tests pass",
        class_="CONTRADICTED",
        evidence=["pytest"],
        because="pytest 15:31: 1 failed, 211 passed, exit 1",
    )
    pytest_check = a_check(
        "pytest",
        "FAILED",
        command="pytest -q",
        tests={"failed": 1, "passed": 211},
        failing=["tests/test_retry.py::test_backoff"],
        at="2026-11-30T15:31:00Z",
        seconds=6.1,
        edits_after=True,
        kind="test",
        acceptance=True,
        origin="REGRESSION",
    )
    mypy = a_check("mypy", "PASSED", command="mypy src", at="2026-11-30T15:20:00Z", edits_after=True, kind="types")
    items = [
        Item(
            id="F1",
            kind="failure",
            text="tests/test_retry.py::test_backoff",
            blocks="merge",
            error="AssertionError: 3 != 5",
            tries=3,
            check="pytest",
            origin="REGRESSION",
            paths=["tests/test_retry.py", "src/retry.py"],
        ),
        Item(
            id="F2",
            kind="failure",
            text="src/client.py:88 does not parse: the edit was cut off",
            blocks="merge",
            paths=["src/client.py"],
        ),
    ]
    boundary = Boundary(
        version=1,
        source="proposed",
        allow=[
            Entry(id="B1", path="src/retry.py", because="changed in this run"),
            Entry(id="B2", path="src/client.py", because="does not parse"),
            Entry(id="B3", path="tests/test_retry.py", because="test_backoff fails"),
        ],
        deny=[
            Entry(id="N1", path="migrations/**", because='user: "don\'t touch migrations"'),
            Entry(id="N2", path="src/auth/**", because="owner @security"),
        ],
        budget=Budget(new=2),
        stop=["F1 fails twice the same way", "an outside file is needed", "API must change"],
    ).sealed()
    steps = [
        Step(step="parse Retry-After in retry.py", check="pytest -q", if_not="", done=True),
        Step(
            step="repair src/client.py:88", check="pytest -q tests/test_retry.py", if_not="stop and report", item="F2"
        ),
        Step(step="make test_backoff pass", check="pytest -q", if_not="after two tries: stop and report", item="F1"),
    ]
    packet = a_packet(end="quota")
    goal = "make test_retry pass; keep client.py's public API; don't touch migrations"
    task = msgspec.structs.replace(
        packet.task,
        title="retry billing",
        goal=Goal(text=goal, source="user", at="2026-11-30T14:02:00Z"),
        last_request="use the server's Retry-After, cap 60 s",
        last_request_at="2026-11-30T15:20:00Z",
        done=[Done(check="pytest", class_="OBSERVED", result="FAILED")],
    )
    run = msgspec.structs.replace(packet.run, end=RunEnd(reason="quota", because="limit reached", resets="18:00"))
    values = {
        "packet": digest,
        "task": task,
        "run": run,
        "checks": [pytest_check, mypy],
        "outcomes": [false],
        "items": items,
        "boundary": boundary,
        "checklist": steps,
        "template": "failing-test",
        "hold": Hold(state="WATCH"),
        "decisions": [
            Decision(id="D1", text="cap 60 s, not configurable", by="user", settled=True, at="2026-11-30T15:20:00Z"),
        ],
        "dead_ends": [
            TriedDeadEnd(id="X1", command="patching time.monotonic", error="TypeError: can't set attribute", tries=3),
        ],
        "prohibitions": ["don't touch migrations"],
        "verdict": PacketVerdict(
            answer="approve",
            by="@alice",
            presence="terminal",
            self=False,
            at="2026-11-30T16:01:00Z",
            note="F2 first; no new dependency.",
        ),
        "owner_notes": [
            OwnerNote(by="@alice", answer="approve", text="F2 first; no new dependency.", at="2026-11-30T16:01:00Z"),
        ],
    }
    return msgspec.structs.replace(packet, **{**values, **changes})
