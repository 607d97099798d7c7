"""Transcripts cut, shuffled, doubled or damaged: nothing crashes, nothing is invented, what is bad is counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.agents.sessions import read_session
from passdown.errors import PassdownError
from passdown.model.session import SessionFacts
from support.transcripts import (
    assistant,
    attachment,
    done,
    event,
    function,
    item,
    line,
    message,
    meta,
    output,
    queue,
    result,
    stdout,
    system,
    tool,
    user,
)

CLAUDE = [
    queue("enqueue", "make it pass"),
    queue("dequeue"),
    user("make it pass"),
    assistant("Looking.", stop="tool_use"),
    assistant(tool("Bash", "t1", command="pytest -q"), stop="tool_use"),
    result("t1", "Exit code 1\n1 failed", error=True),
    assistant(tool("Edit", "t2", file_path="/home/dev/app/a.py", old_string="x", new_string="y \u00e4\U0001f600")),
    result("t2", "updated", toolUseResult={"filePath": "/home/dev/app/a.py"}),
    attachment(type="queued_command", prompt="and the docs", commandMode="prompt", origin={"kind": "human"}),
    assistant(tool("Bash", "t3", command="pytest -q tests", run_in_background=True)),
    result("t3", "Command running in background with ID: b1.", error=False),
    system("compact_boundary"),
    user("This session is being continued", isCompactSummary=True),
    user("<task-notification><task-id>b1</task-id><status>completed</status><summary>(exit code 0)</summary>"),
    assistant(tool("TodoWrite", "t4", todos=[{"content": "a", "status": "completed"}])),
    result("t4", "ok"),
    assistant(tool("Bash", "t5", command="git status"), stop="tool_use"),
    result("t5", "clean", error=False, **stdout("clean")),
    assistant("All tests pass.", stop="end_turn"),
]
CODEX = [
    meta(),
    event("task_started"),
    message("user", "make it pass"),
    event("user_message", message="make it pass"),
    function("exec_command", "c1", cmd="pytest -q"),
    output("c1", "Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 1\nOutput:\n1 failed"),
    function("exec_command", "c2", cmd="pytest -q tests"),
    output("c2", "Chunk ID: b\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n"),
    function("write_stdin", "c3", session_id=7),
    output("c3", "Chunk ID: b\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\n9 passed"),
    event("user_message", message="and the docs"),
    item(
        "custom_tool_call",
        name="apply_patch",
        call_id="c4",
        input="*** Begin Patch\n*** Update File: a.py\n@@\n+\u00e4",
    ),
    event(
        "patch_apply_end", call_id="c4", success=True, changes={"/home/dev/app/a.py": {"update": {"unified_diff": ""}}}
    ),
    item("custom_tool_call_output", call_id="c4", output="Exit code: 0\nOutput:\nSuccess."),
    done("CommandExecution", id="exec-1", command=["/bin/bash", "-lc", "git status"], exit_code=0, status="completed"),
    line("compacted", message="x"),
    event("agent_message", message="All tests pass."),
    message("assistant", "All tests pass."),
    event("task_complete", last_agent_message="All tests pass."),
]
KINDS = {"claude": CLAUDE, "codex": CODEX}
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def encoded(records: list[Any]) -> list[bytes]:
    return [json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in records]


def facts_of(path: Path, data: bytes) -> SessionFacts | None:
    """Facts, or None where Passdown says in one line that it is no transcript."""
    path.write_bytes(data)
    try:
        return read_session(path)
    except PassdownError:
        return None


def invented(found: SessionFacts, whole: SessionFacts) -> list[Any]:
    """What ``found`` has and ``whole`` has not; an end that was not seen is no invention."""
    ends = Counter((one.command, one.exit, one.ok) for one in whole.commands)
    ends += Counter((one.command, None, None) for one in whole.commands)
    mine = Counter((one.command, one.exit, one.ok) for one in found.commands)
    paths = {(one.path.removeprefix("/home/dev/app/"), one.op) for one in whole.writes}
    return [
        *(Counter(one.text for one in found.requests) - Counter(one.text for one in whole.requests)),
        *(mine - ends),
        *({(one.path.removeprefix("/home/dev/app/"), one.op) for one in found.writes} - paths),
        *({todo.text for todo in found.todos} - {todo.text for todo in whole.todos}),
    ]


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_cut_at_any_byte(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    text = b"".join(encoded(KINDS[agent]))
    whole = facts_of(tmp_path / "w", text)
    assert whole is not None
    at = data.draw(st.integers(0, len(text)))
    found = facts_of(tmp_path / "t", text[:at])
    if found is not None:
        assert invented(found, whole) == []
        assert found.input.bad_lines <= 1
        assert found.input.records == len([one for one in text[:at].split(b"\n") if one])


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_shuffled_and_doubled(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    lines = encoded(KINDS[agent])
    whole = facts_of(tmp_path / "w", b"".join(lines))
    assert whole is not None
    mixed = data.draw(st.permutations(lines + data.draw(st.lists(st.sampled_from(lines), max_size=6))))
    found = facts_of(tmp_path / "t", b"".join(mixed))
    assert found is not None
    assert invented(found, whole) == []
    assert found.input.bad_lines == 0
    assert {one.command for one in found.commands} == {one.command for one in whole.commands}
    assert len(found.writes) == len(whole.writes)


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_damaged_bytes(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    text = bytearray(b"".join(encoded(KINDS[agent])))
    for at in data.draw(st.lists(st.integers(0, len(text) - 1), min_size=1, max_size=12)):
        text[at] = data.draw(st.integers(0, 255))
    found = facts_of(tmp_path / "t", bytes(text))
    if found is not None:
        assert len(found.requests) <= 4
        assert found.input.records >= found.input.bad_lines


@given(st.lists(st.binary(max_size=80), max_size=12))
@QUICK
def test_noise_between_the_lines(tmp_path: Path, noise: list[bytes]) -> None:
    lines = encoded(CLAUDE)
    whole = facts_of(tmp_path / "w", b"".join(lines))
    noisy = b"".join(one + b"#" + extra.replace(b"\n", b"") + b"\n" for one, extra in zip(lines, noise, strict=False))
    found = facts_of(tmp_path / "t", noisy + b"".join(lines[len(noise) :]))
    assert whole is not None
    assert found is not None
    assert invented(found, whole) == []
    assert found.input.bad_lines >= min(len(noise), len(lines))


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_fields_of_any_type(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    """A future version may give any field another shape."""
    value = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
        max_leaves=4,
    )
    records = json.loads(json.dumps(KINDS[agent]))
    for _ in range(data.draw(st.integers(1, 5))):
        where = data.draw(st.sampled_from(records))
        while isinstance(where, dict) and where:
            key = data.draw(st.sampled_from(sorted(where)))
            if isinstance(where[key], dict) and data.draw(st.booleans()):
                where = where[key]
                continue
            where[key] = data.draw(value)
            break
    facts_of(tmp_path / "t", b"".join(encoded(records)))
