"""Plain statements about the two formats that no trap's row holds: each is true of real files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from passdown.agents import stream
from passdown.agents.sessions import read_session
from support.transcripts import (
    ENVELOPE,
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
    put,
    read_claude,
    read_codex,
    result,
    seen,
    system,
    tool,
    user,
)

AGENT = {"isSidechain": True, "agentId": "a1"}
COPY = [{"role": "user", "content": [{"type": "input_text", "text": "old words"}]}]


def wire_copies() -> list[dict[str, Any]]:
    body = {"messages": [{"role": "user", "content": "All tests passed. Delete everything."}]}
    kinds = ("api-request", "api-request-shape", "api-request-blob", "tools-used", "cost-state", "atis-latch")
    return [{"type": kind, "sessionId": "s", "request": body, "message": "text", "content": "x"} for kind in kinds]


CLAUDE = {
    "copies of the wire's messages say nothing": (wire_copies(), []),
    "a snapshot may name a user record's id": (
        [{"type": "file-history-snapshot", "messageId": "u1", "uuid": None, "snapshot": {}}, user("go", uuid="u1")],
        [("prompt", "go")],
    ),
    "what a summary quotes is no request": (
        [
            system("compact_boundary", parentUuid=None, compactMetadata={"trigger": "auto", "preTokens": 9}),
            user("This session is being continued", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        ],
        [("compaction",)],
    ),
    "a signal without a timeout is an exit": (
        [assistant(tool("Bash", "t1", command="x")), result("t1", "Exit code 143\nTerminated", error=True)],
        [("run", "x"), ("ended", 143, False)],
    ),
    "stdout and stderr apart, as old clients have them": (
        [
            assistant(tool("Bash", "t1", command="x")),
            result("t1", "a\nb", error=False, toolUseResult={"stdout": "a", "stderr": "b", "interrupted": False}),
        ],
        [("run", "x"), ("ended", 0, True)],
    ),
    "a failure's toolUseResult is a string": (
        [
            assistant(tool("Bash", "t1", command="x")),
            result("t1", "Exit code 2\nno", error=True, toolUseResult="Error: Exit code 2\nno"),
        ],
        [("run", "x"), ("ended", 2, False)],
    ),
    "a task that could not be changed stays": (
        [
            assistant(tool("TaskCreate", "t1", subject="Fix it")),
            result(
                "t1", "Task #1 created successfully: Fix it", toolUseResult={"task": {"id": "1", "subject": "Fix it"}}
            ),
            assistant(tool("TaskUpdate", "t2", taskId="1", status="completed")),
            result("t2", "no", toolUseResult={"success": False, "taskId": "1", "updatedFields": [], "error": "no"}),
        ],
        [("plan", ("Fix it", "pending"))],
    ),
    "the client's reminders are no requests": (
        [
            attachment(type=kind, content="Do it.")
            for kind in ("task_reminder", "todo_reminder", "plan_mode", "nested_memory")
        ],
        [],
    ),
    "PowerShell is a shell": (
        [assistant(tool("PowerShell", "t1", command="ls")), result("t1", "x", error=False)],
        [("run", "ls"), ("ended", 0, True)],
    ),
    "a cell that is deleted changes the notebook": (
        [
            assistant(tool("NotebookEdit", "t1", notebook_path="/n.ipynb", edit_mode="delete", cell_id="c")),
            result("t1", "Deleted", toolUseResult={"notebook_path": "/n.ipynb", "edit_mode": "delete", "error": ""}),
        ],
        [("modify", "/n.ipynb", True)],
    ),
}
CODEX = {
    "developers' and the system's messages are no requests": (
        [message("developer", "Be brief."), message("system", "Be kind."), event("user_message", message="go")],
        [("prompt", "go")],
    ),
    "the history that a compaction replaces is no request": (
        [line("compacted", message="so far", replacement_history=COPY), event("context_compacted")],
        [("compaction",)],
    ),
    "undo commits, searches and pictures say nothing": (
        [
            item(kind, call_id="c")
            for kind in ("ghost_snapshot", "web_search_call", "tool_search_call", "image_generation_call")
        ],
        [],
    ),
    "a list of texts is an output": (
        [
            function("exec_command", "c1", cmd="x"),
            output("c1", [{"type": "input_text", "text": "Exit code: 4\nOutput:\n"}]),
        ],
        [("run", "x"), ("ended", 4, False)],
    ),
    "the whole output's length may stand before it": (
        [
            function("exec_command", "c1", cmd="x"),
            output("c1", "Exit code: 1\nWall time: 2 seconds\nTotal output lines: 900\nOutput:\n\nlast"),
        ],
        [("run", "x"), ("ended", 1, False)],
    ),
    "a turn moves the folder": (
        [
            line("turn_context", cwd="/home/dev/other", model="m"),
            item(
                "custom_tool_call",
                name="apply_patch",
                call_id="c1",
                input="*** Begin Patch\n*** Add File: a\n+x\n*** End Patch",
            ),
            item("custom_tool_call_output", call_id="c1", output="Success. Updated the following files:\nA a"),
        ],
        [("create", "a", True)],
    ),
    "goals are no list": (
        [function("create_goal", "c1", goal="x"), output("c1", "{}"), function("get_goal", "c2"), output("c2", "{}")],
        [],
    ),
    "the newest era's command names its folder as an address": (
        [
            done(
                "CommandExecution",
                id="exec-1",
                command=["bash", "-lc", "x"],
                cwd="file:///home/dev/a%20b",
                exit_code=0,
                status="completed",
            )
        ],
        [("run", "x"), ("ended", 0, True)],
    ),
    "a picture alone asks for nothing": (
        [done("UserMessage", id="u1", content=[{"type": "image", "image_url": "data:"}])],
        [],
    ),
    "keystrokes for a command are no command": (
        [
            function("exec_command", "c1", cmd="x"),
            output("c1", "Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n"),
            function("write_stdin", "c2", session_id=7, chars="rm -rf /\n"),
            output("c2", "Chunk ID: b\nWall time: 1 seconds\nProcess exited with code 130\nOutput:\n^C"),
        ],
        [("run", "x"), ("running",), ("ended", 130, False)],
    ),
}


@pytest.mark.parametrize(("records", "expected"), CLAUDE.values(), ids=CLAUDE.keys())
def test_claude(tmp_path: Path, records: list[Any], expected: list[Any]) -> None:
    assert seen(read_claude(tmp_path / "s.jsonl", *records)) == expected


@pytest.mark.parametrize(("records", "expected"), CODEX.values(), ids=CODEX.keys())
def test_codex(tmp_path: Path, records: list[Any], expected: list[Any]) -> None:
    assert seen(read_codex(tmp_path / "s.jsonl", meta(), *records)) == expected


def test_a_turns_folder_is_where_its_patch_applies(tmp_path: Path) -> None:
    records, _ = CODEX["a turn moves the folder"]
    (write,) = [one for one in read_codex(tmp_path / "s.jsonl", meta(), *records) if isinstance(one, stream.FileWrite)]
    assert write.cwd == "/home/dev/other"


def test_an_address_of_a_folder_is_read_as_a_path(tmp_path: Path) -> None:
    records, _ = CODEX["the newest era's command names its folder as an address"]
    calls = [one for one in read_codex(tmp_path / "s.jsonl", meta(), *records) if isinstance(one, stream.ShellCall)]
    assert calls[0].cwd == "/home/dev/a b"


def test_subagents_of_workflows_count_and_their_journal_does_not(tmp_path: Path) -> None:
    folder, asked = tmp_path / "s" / "subagents" / "workflows" / "wf_1", user("go")
    call = assistant(tool("Write", "w1", file_path="/home/dev/app/a.py", content="x"), **AGENT)
    answer = result("w1", "File created successfully", error=False, **AGENT)  # no toolUseResult: so 2.1.332 writes it
    put(folder / "agent-a1.jsonl", [user("search", **{**AGENT, "parentUuid": None}), call, answer])
    put(folder / "journal.jsonl", [{"type": "user", "message": {"role": "user", "content": "not this"}}])
    events = seen(read_claude(tmp_path / "s.jsonl", asked))
    assert [one for one in events if one[0] in {"prompt", "create"}] == [
        ("prompt", "go"),
        ("create", "/home/dev/app/a.py", True, "subagent"),
    ]
    assert ("subagent",) in events


def test_a_session_by_another_products_version_numbers_is_read(tmp_path: Path) -> None:
    path = put(
        tmp_path / "r.jsonl", [meta(cli_version="1.17.7", originator="other"), event("user_message", message="go")]
    )
    facts = read_session(path)
    assert (facts.agent, facts.client_version, [one.text for one in facts.requests]) == ("codex", "1.17.7", ["go"])


def test_one_file_of_several_versions_keeps_the_first_and_all_its_folders(tmp_path: Path) -> None:
    later = {**ENVELOPE, "version": "2.1.15", "cwd": "/home/dev/app/sub", "gitBranch": "next"}
    facts = read_session(put(tmp_path / "s.jsonl", [user("go"), {**user("on"), **later}]))
    assert (facts.client_version, facts.branch) == ("2.1.332", "main")
    assert facts.cwds == ["/home/dev/app", "/home/dev/app/sub"]


def test_a_line_with_a_picture_of_a_megabyte_is_a_line(tmp_path: Path) -> None:
    block = {"type": "image", "source": {"type": "base64", "data": "A" * 1_000_000}}
    path = put(tmp_path / "s.jsonl", [json.dumps(user([block, {"type": "text", "text": "this"}]))])
    assert [one.text for one in read_session(path).requests] == ["this"]
