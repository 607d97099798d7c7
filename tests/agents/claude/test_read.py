"""What a Claude Code transcript says: one row a trap."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from passdown.agents import claude, stream
from support.transcripts import (
    assistant,
    attachment,
    put,
    queue,
    read_claude,
    result,
    seen,
    stdout,
    system,
    tool,
    user,
)

SAID = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the \
new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse the other table"
REJECTED = (
    SAID.partition(" To tell you")[0] + " STOP what you are doing and wait for the user to tell you how to proceed."
)
NOTICE = """<task-notification>
<task-id>b1</task-id>
<tool-use-id>t1</tool-use-id>
<status>{status}</status>
<summary>Background command "serve (exit code 9)" {summary}</summary>
</task-notification>"""
SLASH = "<command-name>{}</command-name>\n  <command-message>x</command-message>\n  <command-args>{}</command-args>"


def ran(text: Any = "", **more: Any) -> list[dict[str, Any]]:
    return [assistant(tool("Bash", "t1", command="make")), result("t1", text, **more)]


PROMPTS = {
    "verbatim, with a leading space": ([user(" 2. is wrong")], [("prompt", " 2. is wrong")]),
    "begins with a slash and is no command": ([user("/src/a.py is empty")], [("prompt", "/src/a.py is empty")]),
    "quotes another chat": ([user("> All tests passing\nreally?")], [("prompt", "> All tests passing\nreally?")]),
    "text beside an image": (
        [user([{"type": "image", "source": {"data": "AAAA"}}, {"type": "text", "text": "this one"}])],
        [("prompt", "this one")],
    ),
    "the IDE's block stands beside it": (
        [
            user(
                [
                    {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
                    {"type": "text", "text": "fix it"},
                ]
            )
        ],
        [("prompt", "fix it")],
    ),
    "origin human": ([user("go", origin={"kind": "human"})], [("prompt", "go")]),
    "origin another agent": ([user("go", origin={"kind": "teammate"})], []),
    "a notification that only its origin marks": ([user("done", origin={"kind": "task-notification"})], []),
    "written by the client": ([user("go", promptSource="system"), user("go", rowSource="harness")], []),
    "isMeta: a skill's body": ([user("Base directory for this skill: /x", isMeta=True)], []),
    "a skill's expansion names its call": ([user("do it like this", sourceToolUseID="t9")], []),
    "a subagent's prompt is its parent's": ([user("search", isSidechain=True, parentUuid="p")], []),
    "a command's output": ([user("<local-command-stdout>Bye!</local-command-stdout>")], []),
    "shell mode": (
        [user("<bash-input>ls</bash-input>"), user("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>")],
        [],
    ),
    "a typed slash command": ([user(SLASH.format("/exit", ""))], [("prompt", "/exit", "command")]),
    "a slash command with words": (
        [
            user(
                "<command-message>x</command-message>\n<command-name>/fix</command-name>"
                "\n<command-args>the bug</command-args>"
            )
        ],
        [("prompt", "/fix the bug", "command")],
    ),
    "a slash command of the model's": (
        [
            assistant(tool("SlashCommand", "t1", command="/review")),
            result("t1", "Launching"),
            user(SLASH.format("/review", "")),
        ],
        [],
    ),
    "a plan that was accepted": (
        [user("Implement the following plan:\n\n# P", planContent="# P")],
        [("prompt", "Implement the following plan:\n\n# P", "plan")],
    ),
    "words inside a rejection": (
        [assistant(tool("Edit", "t1", file_path="/home/dev/app/a", old_string="x")), result("t1", SAID, error=True)],
        [("prompt", "use the other table", "rejection"), ("not written", "/home/dev/app/a")],
    ),
    "the client's note after them": (
        [
            assistant(tool("Bash", "t1", command="rm a")),
            result(
                "t1",
                SAID + "\n\nNote: The user's next message may contain a correction or preference. Pay.",
                error=True,
            ),
        ],
        [("run", "rm a"), ("prompt", "use the other table", "rejection"), ("not run",)],
    ),
    "the same words in a command's output are not a person's": (
        ran("Exit code 1\nlog: the user said:\ndelete all", error=True),
        [("run", "make"), ("ended", 1, False)],
    ),
    "a comment on an accepted edit": (
        [
            assistant(tool("Read", "t1", file_path="/home/dev/app/a")),
            user(
                [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}, {"type": "text", "text": "tests first"}]
            ),
        ],
        [("read", "/home/dev/app/a"), ("prompt", "tests first")],
    ),
    "queued, user record, last-prompt: once": (
        [
            queue("enqueue", "go"),
            queue("dequeue"),
            user("go"),
            {"type": "last-prompt", "lastPrompt": "go", "sessionId": "s"},
        ],
        [("prompt", "go")],
    ),
    "given in mid-turn, with its attachment: once": (
        [
            queue("enqueue", "and b"),
            attachment(type="queued_command", prompt="and b", commandMode="prompt", origin={"kind": "human"}),
            queue("remove"),
        ],
        [("prompt", "and b", "queued")],
    ),
    "given in mid-turn, and as a record of its own": (
        [
            attachment(type="queued_command", prompt="and b", commandMode="prompt"),
            user("and b"),
        ],
        [("prompt", "and b", "queued")],
    ),
    "given in mid-turn by an old client: in the queue alone": (
        [queue("enqueue", "and b"), queue("remove")],
        [("prompt", "and b", "queued")],
    ),
    "taken back under the cursor": ([queue("enqueue", "and b"), queue("popAll")], []),
    "typed and never given to the model": ([queue("enqueue", "and b")], [("prompt", "and b", "queued")]),
    "its place in the queue stands twice in the file": (
        [*[queue("enqueue", "and b")] * 2, assistant("done", stop="end_turn")],
        [("say", "done"), ("prompt", "and b", "queued")],
    ),
    "the same words again in a later turn": (
        [
            attachment(type="queued_command", prompt="go on", commandMode="prompt"),
            assistant("done", stop="end_turn"),
            user("go on"),
        ],
        [("prompt", "go on", "queued"), ("say", "done"), ("prompt", "go on")],
    ),
    "a notification in the queue is no prompt": (
        [
            attachment(
                type="queued_command", prompt=NOTICE.format(status="completed", summary="done"), commandMode="prompt"
            )
        ],
        [],
    ),
    "queued with a picture": (
        [
            attachment(
                type="queued_command",
                prompt=[{"type": "text", "text": "and c"}, {"type": "image", "source": {"data": "AAAA"}}],
                commandMode="prompt",
            )
        ],
        [("prompt", "and c", "queued")],
    ),
    "queued by the client, and for the shell": (
        [
            attachment(type="queued_command", prompt="x", commandMode="task-notification"),
            attachment(type="queued_command", prompt="ls", commandMode="bash"),
        ],
        [],
    ),
    "words inside a rejected plan": (
        [
            assistant(tool("ExitPlanMode", "t1", plan="# P")),
            result("t1", SAID.replace("use the other table", "keep it small"), error=True),
        ],
        [("prompt", "keep it small", "rejection")],
    ),
    "words inside a rejection of a subagent's call": (
        [
            user("go"),
            assistant(tool("Bash", "t1", command="x"), isSidechain=True, agentId="a7"),
            result("t1", SAID, error=True, isSidechain=True, agentId="a7"),
        ],
        [("prompt", "go"), ("run", "x", "subagent"), ("prompt", "use the other table", "rejection"), ("not run",)],
    ),
    "a summary of another conversation": ([{"type": "summary", "summary": "Old talk", "leafUuid": "x"}], []),
}

COMMANDS = {
    "success": (ran("ok", error=False, **stdout("ok")), ("ended", 0, True)),
    "failure with its code": (
        ran("Exit code 2\nboom", error=True, toolUseResult="Error: Exit code 2"),
        ("ended", 2, False),
    ),
    "old client: bare output, no code": (ran("boom", error=True, version="2.0.5"), ("ended", None, False)),
    "no match: the client takes it for an answer": (
        ran("", error=False, **stdout(returnCodeInterpretation="No matches found")),
        ("ended", None, False),
    ),
    "timeout": (ran("Exit code 143\nCommand timed out after 1s", error=True), ("ended", 143, False)),
    "rejected": (ran(REJECTED, error=True, toolDenialKind="user-rejected"), ("not run",)),
    "sibling failed": (ran("<tool_use_error>Sibling tool call errored</tool_use_error>", error=True), ("not run",)),
    "blocked by the client": (
        ran("<tool_use_error>Blocked: standalone sleep 30.</tool_use_error>", error=True),
        ("not run",),
    ),
    "denied by a hook": (ran("PreToolUse:Bash hook error: outside", error=True), ("not run",)),
    "denied, whatever its words": (ran("No.", error=True, toolDenialKind="permission-rule"), ("not run",)),
    "no permission": (ran("Permission to use Bash with command x has been denied.", error=True), ("not run",)),
    "aborted while it ran": (ran("", error=False, **stdout(interrupted=True)), ("ended", None, None)),
    "no error mark and no facts": (ran("hm"), ("ended", None, None)),
    "goes on in the background, told by its task alone": (
        ran("", error=False, **stdout(backgroundTaskId="b1")),
        ("running",),
    ),
    "prints a notice and an interruption": (
        ran("x", error=False, **stdout(NOTICE.format(status="completed", summary="done (exit code 1)"))),
        ("ended", 0, True),
    ),
    "prints that it goes on": (ran("Now Command x runs in background with ID: b1", error=False), ("ended", 0, True)),
    "interrupted before it ran": (ran("[Request interrupted by user for tool use]", error=True), ("not run",)),
    "goes on in the background": (ran("Command running in background with ID: b1. Output", error=False), ("running",)),
    "content as blocks": (ran([{"type": "text", "text": "Exit code 3\nx"}], error=True), ("ended", 3, False)),
    "no result": (ran()[:1], None),
}

WRITES = {
    "Write over a file that was there": (
        "Write",
        {"file_path": "/home/dev/app/a", "content": "x"},
        {"toolUseResult": {"type": "update", "filePath": "/home/dev/app/a"}},
        ("modify", "/home/dev/app/a", True),
    ),
    "Write of a new file": (
        "Write",
        {"file_path": "/home/dev/app/a", "content": "x"},
        {"toolUseResult": {"type": "create"}},
        ("create", "/home/dev/app/a", True),
    ),
    "Edit": (
        "Edit",
        {"file_path": "/home/dev/app/a", "old_string": "x", "new_string": "y"},
        {},
        ("modify", "/home/dev/app/a", True),
    ),
    "Edit that makes a file": (
        "Edit",
        {"file_path": "/home/dev/app/a", "old_string": "", "new_string": "y"},
        {"toolUseResult": {"filePath": "/home/dev/app/a", "originalFile": ""}},
        ("create", "/home/dev/app/a", True),
    ),
    "MultiEdit": ("MultiEdit", {"file_path": "/home/dev/app/a", "edits": []}, {}, ("modify", "/home/dev/app/a", True)),
    "NotebookEdit": (
        "NotebookEdit",
        {"notebook_path": "/home/dev/app/n.ipynb"},
        {},
        ("modify", "/home/dev/app/n.ipynb", True),
    ),
    "NotebookEdit that failed": (
        "NotebookEdit",
        {"notebook_path": "/home/dev/app/n.ipynb"},
        {"toolUseResult": {"error": "no cell"}},
        ("modify", "/home/dev/app/n.ipynb", False),
    ),
    "failed": (
        "Edit",
        {"file_path": "/home/dev/app/a", "old_string": "x"},
        {"error": True, "text": "<tool_use_error>String to replace not found in file.</tool_use_error>"},
        ("modify", "/home/dev/app/a", False),
    ),
    "rejected": (
        "Write",
        {"file_path": "/home/dev/app/a"},
        {"error": True, "text": REJECTED},
        ("not written", "/home/dev/app/a"),
    ),
    "denied by a hook": (
        "Write",
        {"file_path": "/home/dev/app/a"},
        {"error": True, "text": "PreToolUse:Write hook error: outside", "toolDenialKind": "permission-rule"},
        ("not written", "/home/dev/app/a"),
    ),
    "failed, whatever its words": (
        "Write",
        {"file_path": "/home/dev/app/a"},
        {"error": True, "text": "EACCES: permission denied", "toolUseResult": "Error: EACCES"},
        ("create", "/home/dev/app/a", False),
    ),
    "a tool that is not there": (
        "MultiEdit",
        {"file_path": "/home/dev/app/a"},
        {"error": True, "text": "<tool_use_error>Error: No such tool available: MultiEdit</tool_use_error>"},
        ("not written", "/home/dev/app/a"),
    ),
}


@pytest.mark.parametrize(("records", "expected"), PROMPTS.values(), ids=PROMPTS.keys())
def test_the_persons_words_stand_once_each(tmp_path: Path, records: list[Any], expected: list[Any]) -> None:
    assert seen(read_claude(tmp_path / "s.jsonl", *records)) == expected


@pytest.mark.parametrize(("records", "expected"), COMMANDS.values(), ids=COMMANDS.keys())
def test_how_a_command_ended(tmp_path: Path, records: list[Any], expected: Any) -> None:
    assert seen(read_claude(tmp_path / "s.jsonl", *records)) == [("run", "make"), *([expected] if expected else [])]


@pytest.mark.parametrize(("name", "given", "end", "expected"), WRITES.values(), ids=WRITES.keys())
def test_what_was_written(tmp_path: Path, name: str, given: dict[str, Any], end: dict[str, Any], expected: Any) -> None:
    end = {"text": "done", **end}
    records = [assistant(tool(name, "t1", **given)), result("t1", end.pop("text"), **end)]
    assert seen(read_claude(tmp_path / "s.jsonl", *records)) == [expected]


def test_a_write_without_a_result_is_neither_good_nor_failed(tmp_path: Path) -> None:
    events = read_claude(tmp_path / "s.jsonl", assistant(tool("Write", "t1", file_path="/home/dev/app/a")))
    assert seen(events) == [("create", "/home/dev/app/a", None)]
    assert events[-1].open_calls == ("Write",)


def test_parallel_results_come_in_any_order_and_split_messages_are_one_turn(tmp_path: Path) -> None:
    first, second = tool("Bash", "t1", command="a"), tool("Bash", "t2", command="b")
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(first),
        assistant(second),
        result("t2", "Exit code 1\n", error=True),
        result("t1", "ok", error=False, **stdout()),
    )
    results = {one.call_id: one.exit for one in events if isinstance(one, stream.ShellResult)}
    assert results == {"t1": 0, "t2": 1}


def test_a_result_before_its_call_is_joined_all_the_same(tmp_path: Path) -> None:
    call, end = ran("Exit code 4\n", error=True)
    assert seen(read_claude(tmp_path / "s.jsonl", end, call)) == [("run", "make"), ("ended", 4, False)]


@pytest.mark.parametrize(
    ("status", "summary", "expected"),
    [
        ("completed", "completed (exit code 0)", ("ended", 0, True)),
        ("failed", "failed with exit code 2", ("ended", 2, False)),
        ("killed", "was stopped", ("ended", None, None)),
    ],
)
def test_a_background_command_ends_with_its_notice(tmp_path: Path, status: str, summary: str, expected: Any) -> None:
    started = assistant(tool("Bash", "t1", command="serve", run_in_background=True))
    goes_on = result("t1", "Command running in background with ID: b1. Output is", error=False)
    notice = NOTICE.format(status=status, summary=summary)
    told = [queue("enqueue", notice), queue("dequeue"), user(notice, origin={"kind": "task-notification"})]
    events = read_claude(tmp_path / "s.jsonl", started, goes_on, *told)
    assert seen(events) == [("run", "serve"), ("running",), expected]
    assert next(one for one in events if isinstance(one, stream.ShellCall)).background


def test_a_background_command_is_polled_and_killed(tmp_path: Path) -> None:
    poll = "<status>{}</status>\n\n<exit_code>{}</exit_code>\n\n<stdout><status>running</status></stdout>"
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("Bash", "t1", command="serve", run_in_background=True)),
        result("t1", "Command running in background with ID: b1", error=False),
        assistant(tool("BashOutput", "t2", bash_id="b1")),
        result("t2", "<status>running</status>\n<stdout>up</stdout>"),
        assistant(tool("BashOutput", "t3", bash_id="b1")),
        result("t3", poll.format("completed", 1)),
        assistant(tool("BashOutput", "t4", bash_id="b1")),
        result("t4", poll.format("completed", 1)),
    )
    assert seen(events) == [("run", "serve"), ("running",), ("running",), ("ended", 1, False)]


def test_a_large_output_is_read_from_its_own_file(tmp_path: Path) -> None:
    side = tmp_path / "s" / "tool-results" / "b9.txt"
    side.parent.mkdir(parents=True)
    side.write_text("x\n" * 90_000 + "3 failed, 9 passed\n")
    told = "Output too large. Full output saved to: /home/a/s/tool-results/b9.txt"
    text = f"Exit code 1\n<persisted-output>\n{told}\n\nPreview"
    events = read_claude(tmp_path / "s.jsonl", *ran(text, error=True))
    end = next(one for one in events if isinstance(one, stream.ShellResult))
    assert end.output.endswith("3 failed, 9 passed\n")
    assert len(end.output) < 100_000


def test_compaction_is_not_microcompaction(tmp_path: Path) -> None:
    summary = user("This session is being continued", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    events = read_claude(tmp_path / "s.jsonl", system("microcompact_boundary"), system("compact_boundary"), summary)
    assert seen(events) == [("compaction",)]
    assert seen(read_claude(tmp_path / "t.jsonl", summary)) == [("compaction",)]


def test_synthetic_messages_are_not_the_models(tmp_path: Path) -> None:
    limit = "Claude AI usage limit reached|1764500000"
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant("No response requested.", model="<synthetic>"),
        assistant(
            "You've hit your limit · resets 6pm (UTC)", model="<synthetic>", isApiErrorMessage=True, error="rate_limit"
        ),
        assistant(limit, model="<synthetic>", isApiErrorMessage=True),
        assistant("Prompt is too long", model="<synthetic>", isApiErrorMessage=True),
        assistant("API Error: 500 overloaded", model="<synthetic>", isApiErrorMessage=True),
        system("api_error", error={"status": 529}, retryAttempt=1, maxRetries=10),
    )
    assert seen(events) == [
        ("failure", "quota", "6pm (UTC)"),
        ("failure", "quota", "2025-11-30T10:53:20Z"),
        ("failure", "context-full", None),
        ("failure", "api-error", None),
        ("failure", "api-error", None, "retried"),
    ]


def test_interruption_and_a_file_that_the_person_edited(tmp_path: Path) -> None:
    events = read_claude(
        tmp_path / "s.jsonl",
        user([{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
        attachment(type="edited_text_file", filename="/home/dev/app/a", snippet="1"),
    )
    assert seen(events) == [("interrupted",), ("person edit", "/home/dev/app/a")]


def test_lists_of_both_kinds(tmp_path: Path) -> None:
    todo = [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}]
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("TodoWrite", "t1", todos=todo)),
        result("t1", "ok"),
        assistant(tool("TaskCreate", "t2", subject="one")),
        result("t2", "Task #1 created successfully: one", toolUseResult={"task": {"id": "1", "subject": "one"}}),
        assistant(tool("TaskCreate", "t3", subject="two")),
        result("t3", "Task #2 created successfully: two"),
        assistant(tool("TaskUpdate", "t4", taskId="1", status="completed")),
        result("t4", "Updated", toolUseResult={"success": True, "taskId": "1"}),
        assistant(tool("TaskUpdate", "t5", taskId="2", status="deleted")),
        result("t5", "Updated", toolUseResult={"success": True}),
        assistant(tool("TodoWrite", "t6", todos=[])),
        result("t6", "<tool_use_error>Error: No such tool available: TodoWrite.</tool_use_error>", error=True),
    )
    plans = [one for one in seen(events) if one[0] == "plan"]
    assert plans[0] == ("plan", ("a", "completed"), ("b", "in_progress"))
    assert plans[-1] == ("plan", ("one", "completed"))


def test_answers_and_an_accepted_plan_are_the_persons_choices(tmp_path: Path) -> None:
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("AskUserQuestion", "t1", questions=[])),
        result("t1", "answered", toolUseResult={"answers": {"Which store?": "SQLite, no server"}}),
        assistant(tool("ExitPlanMode", "t2", plan="# Move the store\n1. x")),
        result("t2", "User has approved your plan. You can now start coding."),
    )
    assert seen(events) == [
        ("choice", "Which store?", "SQLite, no server"),
        ("choice", "Move the store", "plan accepted"),
    ]


def test_subagents_in_progress_records_are_not_the_main_conversation(tmp_path: Path) -> None:
    def inside(message: dict[str, Any]) -> dict[str, Any]:
        data = {"type": "agent_progress", "agentId": "a7", "message": message}
        return {**user("x"), "type": "progress", "message": None, "data": data, "parentToolUseID": "t1"}

    inner = [assistant(tool("Bash", "s1", command="ls")), result("s1", "a", error=False)]
    writes = [
        assistant(tool("Write", "s2", file_path="/home/dev/app/b")),
        result("s2", "File created successfully at: b"),
    ]
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("Task", "t1", prompt="look", description="d")),
        *(inside(one) for one in [user("look"), *inner, *writes]),
        result("t1", "found", toolUseResult={"status": "completed", "agentId": "a7"}),
    )
    assert seen(events) == [
        ("subagent",),
        ("run", "ls", "subagent"),
        ("ended", 0, True),
        ("create", "/home/dev/app/b", True, "subagent"),
    ]


@pytest.mark.parametrize(
    "place", ["s/subagents/agent-a7.jsonl", "agent-a7.jsonl", "s/subagents/workflows/wf_1/agent-a7.jsonl"]
)
def test_subagents_own_files_are_merged_and_counted_once(tmp_path: Path, place: str) -> None:
    call = assistant(tool("Agent", "t1", prompt="write", description="d"))
    marks = {"isSidechain": True, "agentId": "a7"}
    own = [
        user("write", parentUuid=None, **marks),
        assistant(tool("Write", "s1", file_path="/home/dev/app/b"), **marks),
        result("s1", "File created successfully at: /home/dev/app/b", **marks),
        assistant("I wrote it. All tests pass.", **marks),
    ]
    put(tmp_path / place, own)
    put(tmp_path / "s/subagents/agent-acompact-1.jsonl", [assistant(tool("Write", "c1", file_path="/home/dev/app/c"))])
    (tmp_path / "s/subagents/agent-a7.meta.json").write_text(json.dumps({"agentType": "writer", "toolUseId": "t1"}))
    end = result("t1", "done", toolUseResult={"status": "completed", "agentId": "a7"})
    events = read_claude(tmp_path / "s.jsonl", user("go"), call, end, assistant("ok", stop="end_turn"))
    expected = [("prompt", "go"), ("subagent",), ("create", "/home/dev/app/b", True, "subagent"), ("say", "ok")]
    assert sorted(seen(events), key=str) == sorted(expected, key=str)


def test_old_sidechains_inside_the_session_file(tmp_path: Path) -> None:
    side = {"isSidechain": True}
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("Task", "t1", prompt="look", description="d")),
        user("look", parentUuid=None, **side),
        assistant(tool("Bash", "s1", command="ls"), **side),
        result("s1", "a", error=False, **side),
        result("t1", "found"),
    )
    assert seen(events) == [("run", "ls", "subagent"), ("ended", 0, True), ("subagent",)]


def test_a_subagents_own_file_has_commands_and_no_requests(tmp_path: Path) -> None:
    marks = {"isSidechain": True, "agentId": "a7"}
    events = read_claude(
        tmp_path / "agent-a7.jsonl",
        user("search", parentUuid=None, **marks),
        assistant(tool("Bash", "s1", command="ls"), **marks),
        result("s1", "a", error=False, **marks),
    )
    assert seen(events) == [("run", "ls"), ("ended", 0, True)]


def test_a_refused_subagent_was_never_started(tmp_path: Path) -> None:
    events = read_claude(
        tmp_path / "s.jsonl", assistant(tool("Task", "t1", prompt="x")), result("t1", REJECTED, error=True)
    )
    assert seen(events) == []


def test_what_the_envelope_says(tmp_path: Path) -> None:
    name = "11111111-2222-4333-8444-555555555555"
    events = read_claude(
        tmp_path / f"{name}.jsonl",
        user("a", sessionId="99999999-0000-4000-8000-000000000000"),
        user("b", cwd="/home/dev/app/src", version="2.1.400", requestSessionId="99999999-0000-4000-8000-000000000000"),
        user("c", sessionId="99999999-0000-4000-8000-000000000000"),
    )
    told = [one for one in events if isinstance(one, stream.Meta)]
    assert [one.session for one in told if one.session] == [name]
    assert [one.cwd for one in told if one.cwd] == ["/home/dev/app", "/home/dev/app/src", "/home/dev/app"]
    assert told[0].branch == "main"
    assert [one.client_version for one in told if one.client_version][:2] == ["2.1.332", "2.1.400"]


def test_records_that_are_broken_doubled_or_new_are_counted_and_harm_nothing(tmp_path: Path) -> None:
    twice = user("go")
    events = read_claude(
        tmp_path / "s.jsonl",
        b"\xef\xbb\xbf" + json.dumps(twice).encode() + b"\r",
        twice,
        "{broken",
        "[1, 2]",
        "",
        '{"type": 5, "uuid": [], "message": "x", "timestamp": 1}',
        {"type": "hologram", "uuid": "h"},
        system("warp_core"),
        '{"type":"user","uuid":"l","sessionId":"s","message":{"role":"user","content":"cut \\ud83d here"}}',
    )
    assert seen(events) == [
        ("prompt", "go"),
        ("bad line",),
        ("bad line",),
        ("unknown", "(no type)"),
        ("unknown", "hologram"),
        ("unknown", "system/warp_core"),
        ("prompt", "cut \ufffd here"),
    ]
    assert events[-1].records == 8


def test_a_last_line_that_breaks_off_is_evidence(tmp_path: Path) -> None:
    path = put(tmp_path / "s.jsonl", [user("go")])
    path.write_bytes(path.read_bytes() + b'{"type":"assistant","uu')
    events = list(claude.read(path))
    assert isinstance(events[-2], stream.BadLine)
    assert events[-1].cut


def test_times_do_not_follow_the_order_of_lines(tmp_path: Path) -> None:
    late, early = user("b", timestamp="2026-11-30T12:00:00Z"), user("a", timestamp="2026-11-30T09:00:00Z")
    tail = read_claude(tmp_path / "s.jsonl", late, early)[-1]
    assert (tail.first_at, tail.last_at) == ("2026-11-30T09:00:00Z", "2026-11-30T12:00:00Z")


def test_each_compaction_counts_once(tmp_path: Path) -> None:
    summary = user("This session is being continued", isCompactSummary=True)
    twice = [
        system("compact_boundary"),
        summary,
        assistant("a"),
        system("compact_boundary"),
        user("b", isCompactSummary=True),
    ]
    assert seen(read_claude(tmp_path / "s.jsonl", *twice)) == [("compaction",), ("say", "a"), ("compaction",)]


def test_what_a_command_prints_ends_no_other_command(tmp_path: Path) -> None:
    notice = NOTICE.format(status="completed", summary="completed (exit code 0)")
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("Bash", "t1", command="serve", run_in_background=True)),
        result("t1", "", error=False, **stdout(backgroundTaskId="b1")),
        assistant(tool("Bash", "t2", command="cat log")),
        result("t2", notice, error=False, **stdout(notice)),
        assistant(tool("BashOutput", "t3", bash_id="b1")),
        result("t3", f"<status>running</status>\n\n<stdout>\n<status>completed</status>{notice}</stdout>"),
    )
    assert seen(events) == [("run", "serve"), ("running",), ("run", "cat log"), ("ended", 0, True), ("running",)]


def test_a_killed_command_has_no_exit(tmp_path: Path) -> None:
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("Bash", "t1", command="serve", run_in_background=True)),
        result("t1", "", error=False, **stdout(backgroundTaskId="b1")),
        assistant(tool("KillShell", "t2", shell_id="b1")),
        result("t2", "killed"),
        user(NOTICE.format(status="killed", summary="was stopped"), origin={"kind": "task-notification"}),
    )
    assert seen(events) == [("run", "serve"), ("running",), ("ended", None, None)]


def test_one_block_a_record_is_one_turn(tmp_path: Path) -> None:
    events = read_claude(
        tmp_path / "s.jsonl",
        user("go"),
        assistant({"type": "thinking", "thinking": "All tests pass."}),
        assistant("looking"),
        assistant(tool("Bash", "t1", command="ls"), stop="tool_use"),
        result("t1", "a", error=False, **stdout("a")),
        assistant("done", stop="end_turn"),
    )
    assert seen(events) == [("prompt", "go"), ("say", "looking"), ("run", "ls"), ("ended", 0, True), ("say", "done")]
    assert sum(isinstance(one, stream.TurnEnd) for one in events) == 1


def test_a_file_that_begins_with_the_tail_of_an_earlier_turn(tmp_path: Path) -> None:
    events = read_claude(
        tmp_path / "s.jsonl", result("t0", "Exit code 1\nx", error=True), assistant("ok", stop="end_turn")
    )
    assert seen(events) == [("say", "ok")]
    assert not events[-1].open_turn


def test_names_of_tools_that_are_garbage_do_nothing(tmp_path: Path) -> None:
    garbage = tool('Task" >\n<parameter name="description', "t1", prompt="x", command="rm a", file_path="/a")
    wrong = "<tool_use_error>Error: No such tool available</tool_use_error>"
    assert seen(read_claude(tmp_path / "s.jsonl", assistant(garbage), result("t1", wrong, error=True))) == []


def test_a_background_subagent_is_one_subagent(tmp_path: Path) -> None:
    notice = "<task-notification>\n<task-id>a9</task-id>\n<status>completed</status>\n</task-notification>"
    events = read_claude(
        tmp_path / "s.jsonl",
        assistant(tool("Agent", "t1", prompt="p", description="d", run_in_background=True)),
        result("t1", "launched", toolUseResult={"status": "async_launched", "agentId": "a9", "outputFile": "/x"}),
        user(notice, origin={"kind": "task-notification"}),
        queue("enqueue", notice),
    )
    assert seen(events) == [("subagent",)]


def test_an_edit_that_the_person_changed_before_accepting_it(tmp_path: Path) -> None:
    edit = tool("Edit", "t1", file_path="/home/dev/app/a", old_string="x", new_string="y")
    end = result("t1", "updated", toolUseResult={"filePath": "/home/dev/app/a", "userModified": True})
    events = seen(read_claude(tmp_path / "s.jsonl", assistant(edit), end))
    assert events == [("modify", "/home/dev/app/a", True), ("person edit", "/home/dev/app/a")]


def test_a_command_starts_where_the_shell_stood(tmp_path: Path) -> None:
    """The shell's own ``cd`` lasts: the record's folder, not the session's, is where a command ran."""
    first = assistant(tool("Bash", "t1", command="cd web"))
    second = assistant(tool("Bash", "t2", command="npm test"), cwd="/home/dev/app/web", gitBranch="fix")
    events = read_claude(tmp_path / "s.jsonl", first, second)
    assert [one.cwd for one in events if isinstance(one, stream.ShellCall)] == ["/home/dev/app", "/home/dev/app/web"]
    assert [one.branch for one in events if isinstance(one, stream.Meta) if one.branch] == ["main", "fix"]


def test_a_fork_names_its_origin(tmp_path: Path) -> None:
    copied = user("go", requestSessionId="99999999-0000-4000-8000-000000000000")
    told = next(one for one in read_claude(tmp_path / "s.jsonl", copied) if isinstance(one, stream.Meta))
    assert told.forked_from == "99999999-0000-4000-8000-000000000000"


def test_kinds_that_are_new_are_counted_wherever_they_stand(tmp_path: Path) -> None:
    progress = {**user("x"), "type": "progress", "message": None}
    events = read_claude(
        tmp_path / "s.jsonl",
        {**progress, "uuid": "a", "data": {"type": "warp_progress"}},
        {**progress, "uuid": "b", "data": {"type": "bash_progress", "output": "1 failed"}},
        attachment(type="warp"),
        attachment(type="nested_memory", content="be kind"),
        assistant({"type": "warp", "text": "x"}, {"type": "thinking", "thinking": "x"}),
        user([{"type": "warp"}, {"type": "image", "source": {}}]),
    )
    kinds = ["progress/warp_progress", "attachment/warp", "assistant/content/warp", "user/content/warp"]
    assert seen(events) == [("unknown", kind) for kind in kinds]


@pytest.mark.parametrize(
    ("broken", "read"),
    [(rb"cut \ud83d here", "cut \ufffd here"), (b"gr\xfcn", "gr\ufffdn")],
    ids=["surrogate", "Latin-1"],
)
def test_a_text_with_broken_characters_loses_no_more_than_those(tmp_path: Path, broken: bytes, read: str) -> None:
    def spoiled(record: dict[str, Any]) -> bytes:
        return json.dumps(record).encode().replace(b"HERE", broken)

    events = read_claude(
        tmp_path / "s.jsonl",
        *(spoiled(one) for one in ran("Exit code 1\nHERE", error=True)),
        spoiled(assistant(tool("Write", "t2", file_path="/home/dev/app/a", content="HERE"))),
        result("t2", "ok", toolUseResult={"type": "create"}),
    )
    ends = [one for one in events if isinstance(one, stream.ShellResult | stream.FileWrite)]
    assert [getattr(one, "output", None) or one.added for one in ends] == [read, read]


def test_what_a_subagents_file_shows_is_numbered_by_the_sessions_own_lines(tmp_path: Path) -> None:
    marks = {"isSidechain": True, "agentId": "a7"}
    call = assistant(tool("Agent", "t1", prompt="write", description="d"))
    write = assistant(tool("Write", "s1", file_path="/home/dev/app/b"), **marks)
    done = result("s1", "File created successfully at: /home/dev/app/b", **marks)
    end = result("t1", "done", toolUseResult={"status": "completed", "agentId": "a7"})
    put(tmp_path / "s/subagents/agent-a7.jsonl", [write, done, *[user(f"{n}", **marks) for n in range(9)]])
    events = read_claude(tmp_path / "s.jsonl", user("go", timestamp="2026-11-30T09:00:00Z"), call, end)
    assert [one.record for one in events if isinstance(one, stream.FileWrite)] == [2]


def test_a_subagent_that_stands_in_progress_and_in_its_own_file_did_everything_once(tmp_path: Path) -> None:
    marks = {"isSidechain": True, "agentId": "a7"}
    write = tool("Write", "s1", file_path="/home/dev/app/b")
    inner = [assistant(write), result("s1", "File created successfully at: /home/dev/app/b")]
    own = [assistant(write, **marks), result("s1", "File created successfully at: /home/dev/app/b", **marks)]
    put(tmp_path / "s/subagents/agent-a7.jsonl", own)
    progress = [
        {
            **user("x"),
            "type": "progress",
            "message": None,
            "data": {"type": "agent_progress", "agentId": "a7", "message": one},
            "parentToolUseID": "t1",
        }
        for one in inner
    ]
    call = assistant(tool("Agent", "t1", prompt="write", description="d"))
    events = read_claude(tmp_path / "s.jsonl", call, *progress)
    assert [one for one in seen(events) if one[0] == "create"] == [("create", "/home/dev/app/b", True, "subagent")]


def test_a_subagents_folder_is_not_the_sessions(tmp_path: Path) -> None:
    side = user("look", parentUuid=None, isSidechain=True, cwd="/home/dev/worktree", gitBranch="side", version="9.9.9")
    told = [one for one in read_claude(tmp_path / "s.jsonl", user("go"), side) if isinstance(one, stream.Meta)]
    assert [(one.cwd, one.branch, one.client_version) for one in told] == [("/home/dev/app", "main", "2.1.332")]


def test_what_is_no_time_is_not_the_first_or_the_last(tmp_path: Path) -> None:
    times = ["[removed]", "2026-11-30T09:00:00Z", "~", "2026-11-30T08:00:00Z", ""]
    tail = read_claude(tmp_path / "s.jsonl", *[user(f"{n}", timestamp=at) for n, at in enumerate(times)])[-1]
    assert (tail.first_at, tail.last_at) == ("2026-11-30T08:00:00Z", "2026-11-30T09:00:00Z")
