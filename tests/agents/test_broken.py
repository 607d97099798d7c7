"""Transcripts cut, shuffled, doubled or damaged: nothing crashes, nothing is invented, what is bad is counted."""

from __future__ import annotations

import json
from collections import Counter
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.agents import stream
from passdown.agents.sessions import read_session, reader_of
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

FIXTURES = Path(__file__).parents[1] / "fixtures/sessions"
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
QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
AT_THE_END = (stream.FileWrite, stream.Subagent, stream.Prompt, stream.Say, stream.BadLine, stream.Tail)
NUMBERED = {"record", "records", "because", "bad_lines"}  # these may move with the lines


def encoded(records: list[Any]) -> list[bytes]:
    return [json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in records]


LINES = {agent: encoded(records) for agent, records in KINDS.items()}
LINES |= {path.name: path.read_bytes().splitlines(keepends=True) for path in sorted(FIXTURES.glob("*.jsonl"))}


def events_of(path: Path, data: bytes) -> list[stream.Event]:
    """Events, but for those about the session, or none where Passdown says in one line that it is no transcript."""
    path.write_bytes(data)
    try:
        return [one for one in reader_of(path).read(path) if not isinstance(one, stream.Meta)]
    except PassdownError:
        return []


def facts_of(path: Path, data: bytes) -> SessionFacts | None:
    """Facts, or None where Passdown says in one line that it is no transcript."""
    path.write_bytes(data)
    try:
        return read_session(path)
    except PassdownError:
        return None


def told(facts: SessionFacts | None) -> Any:
    """Facts without the numbers of their records."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items() if key not in NUMBERED}
        return [plain(inner) for inner in value] if isinstance(value, list) else value

    return plain(msgspec.to_builtins(facts))


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
        *({one.answer for one in found.decisions} - {one.answer for one in whole.decisions}),
        *({one.text for one in found.prohibitions} - {one.text for one in whole.prohibitions}),
    ]


@pytest.mark.parametrize("name", LINES)
@given(data=st.data())
@QUICK
def test_what_was_read_before_a_cut_is_the_beginning_of_the_whole(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    text = b"".join(LINES[name])
    at = data.draw(st.integers(0, len(text)))
    kept = text[:at]
    lines = kept.count(b"\n")
    torn = b"" if kept.endswith(b"\n") or kept + b"\n" == text[: at + 1] else kept[kept.rfind(b"\n") + 1 :]
    whole_lines = lines + (not torn and not kept.endswith(b"\n") and bool(kept))
    found = events_of(tmp_path / "t.jsonl", kept)
    known = list(takewhile(lambda one: one.record < whole_lines, events_of(tmp_path / "w.jsonl", text)))
    if found:
        assert found[: len(known)] == known
        assert all(isinstance(one, AT_THE_END) for one in found[len(known) :])
        assert [one.record for one in found if isinstance(one, stream.BadLine)] == [lines] * bool(torn.strip())
        tail = found[-1]
        assert isinstance(tail, stream.Tail)
        assert tail.cut == bool(torn.strip())


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_cut_at_any_byte(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    text = b"".join(LINES[agent])
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
    lines = LINES[agent]
    whole = facts_of(tmp_path / "w", b"".join(lines))
    assert whole is not None
    mixed = data.draw(st.permutations(lines + data.draw(st.lists(st.sampled_from(lines), max_size=6))))
    found = facts_of(tmp_path / "t", b"".join(mixed))
    assert found is not None
    assert invented(found, whole) == []
    assert found.input.bad_lines == 0
    assert {one.command for one in found.commands} == {one.command for one in whole.commands}
    assert len(found.writes) == len(whole.writes)


@pytest.mark.parametrize("name", LINES)
@given(data=st.data())
@QUICK
def test_lines_that_stand_twice_change_no_fact(tmp_path: Path, name: str, data: st.DataObject) -> None:
    lines = LINES[name]
    twice = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)))
    doubled = [one for line, again in zip(lines, twice, strict=True) for one in [line] * (1 + again)]
    assert told(facts_of(tmp_path / "s.jsonl", b"".join(doubled))) == told(
        facts_of(tmp_path / "s.jsonl", b"".join(lines))
    )


@pytest.mark.parametrize("agent", KINDS)
def test_a_file_that_stands_in_itself_twice_changes_no_fact(tmp_path: Path, agent: str) -> None:
    once = b"".join(LINES[agent])
    assert told(facts_of(tmp_path / "s", once * 2)) == told(facts_of(tmp_path / "s", once))


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_lost_lines_invent_nothing(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    lines = LINES[agent]
    whole = facts_of(tmp_path / "w", b"".join(lines))
    lost = data.draw(st.sets(st.integers(0, len(lines) - 1)))
    found = facts_of(tmp_path / "t", b"".join(one for number, one in enumerate(lines) if number not in lost))
    assert whole is not None
    if found is not None:
        assert invented(found, whole) == []


REPEATED = [
    "<status>",
    '<summary>"',
    "<command-name>/",
    " ",
    "\t",
    "\n",
    "*** Add File: a ",
    "cd ",
    "0",
    "Exit code: 1\n",
    "[",
]


def long_texts(text: str) -> list[list[Any]]:
    """A long text wherever a reader looks for something in it."""
    shell, end = tool("Bash", "t1", command="serve"), result("t1", "", error=False, **stdout(backgroundTaskId="b1"))
    poll = [assistant(tool("BashOutput", "t2", bash_id="b1")), result("t2", text)]
    run = function(
        "exec_command", "c1", cmd=f"cd {text} && apply_patch <<'P'\n*** Begin Patch\n*** Add File: {text}x\nP"
    )
    return [
        [user(text), user(f"<command-name>{text}"), user(f"<task-notification>{text}")],
        [assistant(shell), end, *poll, user(f"<task-notification><task-id>b1</task-id>{text}")],
        [assistant(shell), result("t1", f"The user doesn't want to proceed{text}", error=True, **stdout(text))],
        [meta(), run, output("c1", f"Process {text}"), event("user_message", message=f"# {text}")],
        [meta(), run, output("c1", f"failed in sandbox {text}"), event("error", message=f"usage limit {text}")],
        [meta(), item("custom_tool_call", name="apply_patch", call_id="c2", input=f"*** Update File: {text}b")],
    ]


@pytest.mark.parametrize("unit", REPEATED)
@pytest.mark.timeout(60)
def test_long_texts_are_read_in_time_that_grows_with_them(tmp_path: Path, unit: str) -> None:
    for records in long_texts(unit * (400_000 // len(unit))):
        assert events_of(tmp_path / "s", b"".join(encoded(records)))


NO_RECORDS = {
    "words": b"panic: disk full",
    "half a record": b'{"type":"user","uuid":"u1","message":{"role":"us',
    "a record's end": b'ser","content":"make it pass"}}',
    "two records on one line": b'{"type":"user"}{"type":"user"}',
    "a list": b"[1, 2]",
    "a number": b"17",
    "a string": b'"make it pass"',
    "Latin-1": '{"type":"gr\u00fcn","uuid":"l"}'.encode("latin-1"),
    "UTF-16": '{"type":"user"}'.encode("utf-16-le"),
    "a byte order mark in the middle": b'\xef\xbb\xbf{"type":"user"}',
    "zeros inside": b'{"type":"us\0\0er"}',
    "a control character inside": b'{"type":"user","uuid":"\x1b[2J"}',
    "deep lists": b'{"type":' + b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "no JSON numbers": b'{"type":NaN}',
    "single quotes": b"{'type': 'user'}",
    "a long line of nothing": b"x" * 300_000,
}


@pytest.mark.parametrize("agent", KINDS)
@pytest.mark.parametrize("bad", NO_RECORDS.values(), ids=NO_RECORDS.keys())
def test_a_line_that_is_no_record_is_counted_where_it_stands_and_changes_no_fact(
    tmp_path: Path, agent: str, bad: bytes
) -> None:
    lines = LINES[agent]
    places = [1, len(lines) // 2, len(lines) + 1]
    spoiled = list(lines)
    for at in places:
        spoiled.insert(at, bad + b"\n")
    text = b"".join(spoiled)
    assert [one.record for one in events_of(tmp_path / "s", text) if isinstance(one, stream.BadLine)] == places
    found = facts_of(tmp_path / "s", text)
    assert found is not None
    assert found.input.bad_lines == len(places)
    assert told(found) == {
        **told(facts_of(tmp_path / "s", b"".join(lines))),
        "input": {"unknown": {}},
    }


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_noise_between_the_lines(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    lines = LINES[agent]
    noise = data.draw(
        st.lists(st.binary(min_size=1, max_size=60).map(lambda one: b"#" + one.replace(b"\n", b"")), max_size=9)
    )
    noisy = list(lines)
    for one in noise:
        noisy.insert(data.draw(st.integers(0, len(noisy))), one + b"\n")
    found = facts_of(tmp_path / "s", b"".join(noisy))
    assert found is not None
    assert found.input.bad_lines == len(noise)
    assert told(found) == told(facts_of(tmp_path / "s", b"".join(lines)))


@pytest.mark.parametrize("agent", KINDS)
@given(data=st.data())
@QUICK
def test_damaged_bytes(tmp_path: Path, agent: str, data: st.DataObject) -> None:
    text = bytearray(b"".join(LINES[agent]))
    for at in data.draw(st.lists(st.integers(0, len(text) - 1), min_size=1, max_size=12)):
        text[at] = data.draw(st.integers(0, 255))
    found = facts_of(tmp_path / "t", bytes(text))
    if found is not None:
        assert len(found.requests) <= 4
        assert found.input.records >= found.input.bad_lines


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
