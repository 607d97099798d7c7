"""What a Codex rollout says: one row a trap, all eras."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from passdown.agents import stream
from support.transcripts import done, event, function, item, line, message, meta, output, put, read_codex, seen

CHUNK = "Chunk ID: a1b2c3\nWall time: 0.5 seconds\n{}\nOriginal token count: 3\nOutput:\n{}"
RUNNING = CHUNK.format("Process running with session ID 52", "building")
BLOCKED = "Command blocked by PreToolUse hook: outside. Command: rm x"
PATCH = """*** Begin Patch
*** Add File: new.py
+x = 1
*** Update File: /home/dev/app/old.py
@@
-a
+*** Delete File: quoted.py
*** Update File: from.py
*** Move to: sub/to.py
@@
-b
+c
*** Delete File: gone.py
*** End Patch"""
WRITTEN = [
    ("create", "new.py", True),
    ("modify", "/home/dev/app/old.py", True),
    ("rename", "from.py", True, "sub/to.py"),
    ("delete", "gone.py", True),
]


def shell_json(text: str, code: int) -> str:
    return json.dumps({"output": text, "metadata": {"exit_code": code, "duration_seconds": 0.1}})


def ran(end: Any) -> list[dict[str, Any]]:
    return [function("exec_command", "c1", cmd="make", workdir="/home/dev/app"), output("c1", end)]


OUTPUTS = {
    "E1 JSON": (shell_json("x", 3), ("ended", 3, False)),
    "E1 JSON of success": (shell_json("x", 0), ("ended", 0, True)),
    "exit line": ("Exit code: 1\nWall time: 0.2 seconds\nOutput:\n", ("ended", 1, False)),
    "chunk": (CHUNK.format("Process exited with code 2", "x"), ("ended", 2, False)),
    "still running": (RUNNING, ("running",)),
    "an exit line in the output is the output's": (
        CHUNK.format("Process running with session ID 9", "Process exited with code 1"),
        ("running",),
    ),
    "aborted": ("aborted by user after 3.8s", ("ended", None, None)),
    "aborted, timed": ("Wall time: 3.8 seconds\naborted by user", ("ended", None, None)),
    "failed in the sandbox is an ordinary failure": (
        "failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: .F",
        ("ended", 1, False),
    ),
    "never started": ('exec_command failed for `make`: CreateProcess { message: "x" }', ("not run",)),
    "denied by a hook": (BLOCKED, ("not run",)),
    "a tool that is not there": ("unsupported call: exec_command", ("not run",)),
    "content items": (
        [{"type": "input_text", "text": "Exit code: 4\nWall time: 1 seconds\nOutput:\n"}],
        ("ended", 4, False),
    ),
    "one content item": ({"type": "input_text", "text": "Exit code: 5\nOutput:\n"}, ("ended", 5, False)),
    "cut in the middle, with its exit": (
        "Exit code: 1\nWall time: 1 seconds\nTotal output lines: 900\nOutput:\nfoo\n...12 tokens truncated...bar",
        ("ended", 1, False),
    ),
    "the count of lines stands first": (
        "Total output lines: 900\n\nExit code: 2\nWall time: 1 seconds\nOutput:\nfoo",
        ("ended", 2, False),
    ),
    "an exit code in an output without a head is the output's": ("done\nExit code: 1", ("ended", None, None)),
    "JSON of the command's own": ('{"exit_code": 1, "failed": 3}', ("ended", None, None)),
    "rejected by the person": ("exec command rejected by user", ("not run",)),
    "bare words": ("hm", ("ended", None, None)),
}

CALLS = {
    "0.36: shell of a list": (
        function("shell", "c1", command=["bash", "-lc", "make"], workdir="/home/dev/app"),
        "make",
    ),
    "shell without a shell": (function("shell", "c1", command=["git", "commit", "-m", "a b"]), "git commit -m 'a b'"),
    "0.65: shell_command": (function("shell_command", "c1", command="make", workdir="/home/dev/app"), "make"),
    "0.104: exec_command": (function("exec_command", "c1", cmd="make"), "make"),
    "windows": (function("shell", "c1", command=["powershell.exe", "-NoProfile", "-Command", "make"]), "make"),
    "local_shell_call": (
        item("local_shell_call", call_id="c1", action={"type": "exec", "command": ["/bin/zsh", "-lc", "make"]}),
        "make",
    ),
    "custom tool": (
        item("custom_tool_call", call_id="c1", name="shell", input='{"command":["bash","-c","make"]}'),
        "make",
    ),
}

PATCHES = {
    "custom tool": (
        item("custom_tool_call", name="apply_patch", call_id="c1", input=PATCH),
        item("custom_tool_call_output", call_id="c1", output="Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."),
    ),
    "custom tool, E1 result": (
        item("custom_tool_call", name="apply_patch", call_id="c1", input=PATCH),
        item("custom_tool_call_output", call_id="c1", output=shell_json("Success.", 0)),
    ),
    "function call": (function("apply_patch", "c1", input=PATCH), output("c1", shell_json("Success.", 0))),
    "heredoc in bash -lc": (
        function("shell", "c1", command=["bash", "-lc", f"apply_patch << 'PATCH'\n{PATCH}\nPATCH\n"]),
        output("c1", shell_json("Success. Updated the following files:\nA new.py\n", 0)),
    ),
    "heredoc, then a check that fails": (
        function("exec_command", "c1", cmd=f"cd /home/dev/app && apply_patch <<'EOF'\n{PATCH}\nEOF\npytest"),
        output("c1", "Exit code: 1\nOutput:\nSuccess. Updated the following files:\nA new.py\n1 failed"),
    ),
    "argv": (function("shell", "c1", command=["apply_patch", PATCH]), output("c1", shell_json("Success.", 0))),
    "taken out of the shell by Codex": (
        function("exec_command", "c1", cmd=f"apply_patch <<'P'\n{PATCH}\nP"),
        output("c1", "Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."),
    ),
}

PROMPTS = {
    "both copies": ([message("user", "go"), event("user_message", message="go")], [("prompt", "go")]),
    "the event first": ([event("user_message", message="go"), message("user", "go")], [("prompt", "go")]),
    "in mid-turn": (
        [
            event("user_message", message="a"),
            *ran(shell_json("", 0)),
            event("user_message", message="b"),
        ],
        [("prompt", "a"), ("run", "make"), ("ended", 0, True), ("prompt", "b")],
    ),
    "the same words twice": (
        [
            event("user_message", message="yes"),
            event("agent_message", message="ok"),
            event("user_message", message="yes"),
        ],
        [("prompt", "yes"), ("say", "ok"), ("prompt", "yes")],
    ),
    "a custom prompt's expansion, verbatim": (
        [event("user_message", message="\n## User Input\n\nx")],
        [("prompt", "\n## User Input\n\nx")],
    ),
    "begins with a path": ([event("user_message", message="/a/b.md warns")], [("prompt", "/a/b.md warns")]),
    "the editor's wrapping": (
        [
            event(
                "user_message",
                message="# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nfix it\n",
            )
        ],
        [("prompt", "fix it")],
    ),
    "what the client injects": (
        [
            message("user", "<environment_context>\n<cwd>/x</cwd>"),
            message("user", "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>be kind</INSTRUCTIONS>"),
            message("user", "<user_instructions>\nbe kind</user_instructions>"),
            message("user", "<turn_aborted>\nstopped</turn_aborted>"),
            message("developer", "<permissions instructions>"),
            event("user_message", message="<environment_context>", kind="environment_context"),
        ],
        [],
    ),
    "E2": (
        [
            message("user", "go", internal_chat_message_metadata_passthrough={"content_item_kinds": ["user.text"]}),
            done("UserMessage", content=[{"type": "text", "text": "go"}]),
        ],
        [("prompt", "go")],
    ),
    "E2 labels hook text": (
        [
            message(
                "user",
                "stay inside",
                internal_chat_message_metadata_passthrough={"content_item_kinds": ["hooks.additional_context"]},
            ),
            *ran(shell_json("", 0)),
        ],
        [("run", "make"), ("ended", 0, True)],
    ),
    "begins with a space": ([event("user_message", message=" 2. is wrong")], [("prompt", " 2. is wrong")]),
    "the editor's wrapping, among the items alone": (
        [
            message("user", "# Context from my IDE setup:\n\n## My request for Codex:\nfix it"),
            message("assistant", "ok"),
        ],
        [("prompt", "fix it"), ("say", "ok")],
    ),
    "the editor's headline on a line of a person's own words": (
        [event("user_message", message="explain:\n## My request for Codex:\nwhat is it?")],
        [("prompt", "explain:\n## My request for Codex:\nwhat is it?")],
    ),
    "injected, and only its kind says so": (
        [event("user_message", message="be kind", kind="user_instructions")],
        [],
    ),
    "the event comes long after the item": (
        [message("user", "go"), *ran(shell_json("", 0)), event("user_message", message="go")],
        [("prompt", "go"), ("run", "make"), ("ended", 0, True)],
    ),
    "the editor's headline in a person's own words": (
        [event("user_message", message="say `## My request for Codex:` once")],
        [("prompt", "say `## My request for Codex:` once")],
    ),
    "a skill's body and a subagent's notice": (
        [message("user", "<skill>\nx</skill>"), message("user", "<subagent_notification>\ndone")],
        [],
    ),
    "no events in the file, two turns": (
        [message("user", "go"), message("assistant", "done"), message("user", "thanks"), message("assistant", "bye")],
        [("prompt", "go"), ("say", "done"), ("prompt", "thanks"), ("say", "bye")],
    ),
    "no events in the file": (
        [message("user", "go"), message("assistant", "done")],
        [("prompt", "go"), ("say", "done")],
    ),
}


@pytest.mark.parametrize(("end", "expected"), OUTPUTS.values(), ids=OUTPUTS.keys())
def test_how_a_command_ended(tmp_path: Path, end: Any, expected: Any) -> None:
    assert seen(read_codex(tmp_path / "r.jsonl", meta(), *ran(end))) == [("run", "make"), expected]


@pytest.mark.parametrize(("call", "command"), CALLS.values(), ids=CALLS.keys())
def test_every_era_names_its_shell(tmp_path: Path, call: dict[str, Any], command: str) -> None:
    events = read_codex(tmp_path / "r.jsonl", meta(), call)
    assert seen(events) == [("run", command)]
    assert next(one for one in events if isinstance(one, stream.ShellCall)).cwd == "/home/dev/app"
    assert events[-1].open_calls


@pytest.mark.parametrize(("call", "end"), PATCHES.values(), ids=PATCHES.keys())
def test_every_form_of_a_patch(tmp_path: Path, call: dict[str, Any], end: dict[str, Any]) -> None:
    events = read_codex(tmp_path / "r.jsonl", meta(), call, end)
    writes = [one for one in events if isinstance(one, stream.FileWrite)]
    assert seen(writes) == WRITTEN
    assert {one.via for one in writes} == {"patch"}
    assert {one.cwd for one in writes} == {"/home/dev/app"}


@pytest.mark.parametrize(("records", "expected"), PROMPTS.values(), ids=PROMPTS.keys())
def test_the_persons_words_stand_once_each(tmp_path: Path, records: list[Any], expected: list[Any]) -> None:
    assert seen(read_codex(tmp_path / "r.jsonl", meta(), *records)) == expected


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("apply_patch verification failed: Failed to find expected lines", ("create", "new.py", False)),
        (BLOCKED, ("not written", "new.py")),
        ("unsupported custom tool call: apply_patch", ("not written", "new.py")),
        ("patch rejected by user", ("not written", "new.py")),
        (None, ("create", "new.py", None)),
    ],
)
def test_a_patch_that_failed_or_never_ran(tmp_path: Path, end: str | None, expected: Any) -> None:
    call = item("custom_tool_call", name="apply_patch", call_id="c1", input="*** Begin Patch\n*** Add File: new.py\n+x")
    ends = [] if end is None else [item("custom_tool_call_output", call_id="c1", output=end)]
    assert seen(read_codex(tmp_path / "r.jsonl", meta(), call, *ends)) == [expected]


@pytest.mark.parametrize(
    "confirmed",
    [
        event(
            "patch_apply_end", call_id="c1", success=True, changes={"/home/dev/app/a": {"update": {"move_path": None}}}
        ),
        event(
            "patch_apply_end",
            call_id="c1",
            success=True,
            status="completed",
            changes={"/home/dev/app/a": {"type": "update"}},
        ),
        done("FileChange", id="c1", status="completed", changes={"/home/dev/app/a": {"type": "update"}}),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_a_patch_and_its_confirmation_are_one_write(tmp_path: Path, confirmed: dict[str, Any], order: int) -> None:
    call = item("custom_tool_call", name="apply_patch", call_id="c1", input="*** Begin Patch\n*** Update File: a\n@@")
    ends = [confirmed, item("custom_tool_call_output", call_id="c1", output=shell_json("Success.", 0))][::order]
    events = seen(read_codex(tmp_path / "r.jsonl", meta(), call, *ends))
    assert [(op, ok) for op, _, ok in events] == [("modify", True)]


def test_a_change_in_progress_is_written_when_it_is_done(tmp_path: Path) -> None:
    changes = {"/home/dev/app/a": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-a\n+b\n"}}
    steps = [done("FileChange", id="e1", status=status, changes=changes) for status in ("in_progress", "completed")]
    assert seen(read_codex(tmp_path / "r.jsonl", meta(), *steps)) == [("modify", "/home/dev/app/a", True)]


def test_failed_and_declined_changes(tmp_path: Path) -> None:
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        done("FileChange", id="exec-1", status="failed", changes={"/home/dev/app/a": {"type": "add"}}),
        done("FileChange", id="exec-2", status="declined", changes={"/home/dev/app/b": {"delete": {"content": ""}}}),
        event("patch_apply_end", call_id="c3", success=False, changes={"/home/dev/app/c": {"add": {"content": ""}}}),
    )
    assert seen(events) == [
        ("create", "/home/dev/app/a", False),
        ("not written", "/home/dev/app/b"),
        ("create", "/home/dev/app/c", False),
    ]


def test_the_exit_comes_later_by_write_stdin(tmp_path: Path) -> None:
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        *ran(RUNNING),
        function("write_stdin", "c2", session_id=52, chars=""),
        output("c2", CHUNK.format("Process running with session ID 52", "...")),
        function("write_stdin", "c3", session_id=52, chars=""),
        output("c3", CHUNK.format("Process exited with code 255", "died")),
        function("write_stdin", "c4", session_id=77, chars=""),
        output("c4", CHUNK.format("Process exited with code 1", "another's")),
    )
    assert seen(events) == [("run", "make"), ("running",), ("running",), ("ended", 255, False)]


@pytest.mark.parametrize("order", [1, -1])
def test_the_exact_end_comes_before_or_after_the_output(tmp_path: Path, order: int) -> None:
    exact = event(
        "exec_command_end", call_id="c1", exit_code=1, aggregated_output="boom\n", command=["bash", "-lc", "make"]
    )
    call, end = ran(CHUNK.format("Process exited with code 1", "boom\n"))
    events = read_codex(tmp_path / "r.jsonl", meta(), call, *[exact, end][::order])
    results = [one for one in events if isinstance(one, stream.ShellResult)]
    assert {one.exit for one in results} == {1}
    assert "".join(one.output for one in results) == "boom\n"


def test_an_exit_that_stands_in_the_event_alone(tmp_path: Path) -> None:
    exact = event("exec_command_end", call_id="c1", exit_code=7, aggregated_output="late")
    assert seen(read_codex(tmp_path / "r.jsonl", meta(), *ran(RUNNING), exact))[-1] == ("ended", 7, False)


def test_code_mode_is_read_from_what_was_done_not_from_the_script(tmp_path: Path) -> None:
    script = 'await tools.apply_patch("*** Begin Patch\\n*** Add File: x\\n+1\\n*** End Patch"); tools.exec_command()'
    command = {
        "command": ["/bin/bash", "-lc", "ls"],
        "cwd": "file:///home/dev/my%20app",
        "exit_code": 1,
        "status": "failed",
    }
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        item("custom_tool_call", name="exec", call_id="c1", input=script),
        done(
            "FileChange", id="exec-1", status="completed", changes={"/home/dev/app/x": {"type": "add", "content": "1"}}
        ),
        done(
            "CommandExecution", id="exec-2", aggregated_output="", parsed_cmd=[{"type": "read", "path": "a"}], **command
        ),
        done("CommandExecution", id="poll", source="unified_exec_interaction", **command),
        done("CommandExecution", id="mine", source="user_shell", **command),
        item("custom_tool_call_output", call_id="c1", output=[{"type": "input_text", "text": "Script completed"}]),
    )
    assert seen(events) == [
        ("create", "/home/dev/app/x", True),
        ("run", "ls"),
        ("ended", 1, False),
        ("read", "/home/dev/my app/a"),
    ]
    assert next(one for one in events if isinstance(one, stream.ShellCall)).cwd == "/home/dev/my app"


def test_both_copies_of_what_the_agent_said_and_the_summary_before_a_compaction(tmp_path: Path) -> None:
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        event("task_started", turn_id="t"),
        event("agent_message", message="working", phase="commentary"),
        message("assistant", "working"),
        message("assistant", "SUMMARY: all tests pass"),
        line("compacted", message="SUMMARY: all tests pass", replacement_history=[{"type": "message", "role": "user"}]),
        event("context_compacted"),
        message("assistant", "done"),
        event("agent_message", message="done", phase="final_answer"),
        event("task_complete", last_agent_message="done"),
        done("ContextCompaction", id="x"),
    )
    assert seen(events) == [("say", "working"), ("compaction",), ("say", "done"), ("compaction",)]
    says = [one.final for one in events if isinstance(one, stream.Say)]
    assert says == [False, True]


def test_plans_and_answers(tmp_path: Path) -> None:
    steps = [{"step": "a", "status": "completed"}, {"step": "b", "status": "in_progress"}]
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        function("update_plan", "c1", plan=steps),
        output("c1", "Plan updated"),
        function("update_plan", "c2", plan=[]),
        output("c2", "unsupported call: update_plan"),
        function("request_user_input", "c3", questions=[{"id": "q", "question": "Which store?"}]),
        output("c3", json.dumps({"answers": {"q": {"answers": ["SQLite"]}}})),
    )
    assert seen(events) == [("plan", ("a", "completed"), ("b", "in_progress")), ("choice", "Which store?", "SQLite")]


def test_turns_that_were_stopped_or_failed(tmp_path: Path) -> None:
    limits = {
        "primary": {"used_percent": 100.0, "resets_at": 1764500000},
        "secondary": {"used_percent": 12.0, "resets_at": 1},
    }
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        event("turn_aborted", reason="interrupted"),
        event("token_count", info=None, rate_limits=limits),
        event("error", message="You've hit your usage limit.", codex_error_info="usage_limit_exceeded"),
        event("error", message="You've hit your usage limit. Try again in 2 hours 3 minutes.", codex_error_info="x"),
        event("error", message="too long", codex_error_info="context_window_exceeded"),
        event("stream_error", message="connection lost"),
        event("task_complete", error={"message": "server overloaded", "codex_error_info": "server_overloaded"}),
    )
    assert seen(events) == [
        ("interrupted",),
        ("failure", "quota", "2025-11-30T10:53:20Z"),
        ("failure", "quota", "in 2 hours 3 minutes"),
        ("failure", "context-full", None),
        ("failure", "api-error", None, "retried"),
        ("failure", "api-error", None),
    ]


def test_the_oldest_era_has_no_envelope(tmp_path: Path) -> None:
    head = {"id": "01a0", "timestamp": "2025-09-10T10:00:00Z", "instructions": None, "git": {"branch": "main"}}
    environment = [
        {"type": "input_text", "text": "<environment_context>\n  <cwd>/home/dev/app</cwd>\n</environment_context>"}
    ]
    arguments = json.dumps({"command": ["bash", "-lc", "make"]})
    events = read_codex(
        tmp_path / "r.jsonl",
        head,
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": environment},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": shell_json("x", 2)},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    )
    assert seen(events) == [("prompt", "go"), ("run", "make"), ("ended", 2, False), ("say", "done")]
    told = [one for one in events if isinstance(one, stream.Meta)]
    assert [(one.session, one.branch, one.cwd) for one in told] == [
        ("01a0", "main", None),
        (None, None, "/home/dev/app"),
    ]


def test_a_fork_that_copies_its_history_is_its_own_session(tmp_path: Path) -> None:
    copied = [
        event("user_message", message="yes"),
        event("agent_message", message="a"),
        event("user_message", message="yes"),
    ]
    for one in copied:
        one["timestamp"] = "2026-11-30T10:00:00Z"
    events = read_codex(
        tmp_path / "r.jsonl", meta(id="own", forked_from_id="old"), meta(id="old", cwd="/else"), *copied
    )
    told = next(one for one in events if isinstance(one, stream.Meta))
    assert (told.session, told.cwd, told.forked_from) == ("own", "/home/dev/app", "old")
    assert seen(events) == [("prompt", "yes"), ("say", "a"), ("prompt", "yes")]


@pytest.mark.parametrize("by", ["ordinal", "byte"])
def test_a_fork_that_points_into_its_parent(tmp_path: Path, by: str) -> None:
    day = tmp_path / "sessions/2026/11/30"
    old = [meta(id="old"), event("user_message", message="first"), event("user_message", message="after the fork")]
    for number, one in enumerate(old):
        one["ordinal"] = number
    put(day / "rollout-1-old.jsonl", old)
    size = len(b"".join(json.dumps(one).encode() + b"\n" for one in old[:2]))
    base = (
        {"thread_id": "old", "end_ordinal_exclusive": 2}
        if by == "ordinal"
        else {"thread_id": "old", "end_byte_offset": size}
    )
    events = read_codex(
        day / "rollout-2-own.jsonl", meta(id="own", history_base=base), event("user_message", message="own")
    )
    assert seen(events) == [("prompt", "first"), ("prompt", "own")]
    assert events[-1].records == 2


def test_a_parent_that_is_not_here_is_said(tmp_path: Path) -> None:
    base = {"thread_id": "../../etc", "end_byte_offset": 10}
    events = read_codex(tmp_path / "r.jsonl", meta(history_base=base))
    assert seen(events) == [("unknown", "history_base (the parent's rollout is not here)")]


def test_a_subagents_rollout_is_merged_into_its_parent(tmp_path: Path) -> None:
    day = tmp_path / "sessions/2026/11/30"
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "own", "depth": 1}}}
    call, end = ran(shell_json("", 0))
    child = [
        meta(id="kid", source=source),
        event("user_message", message="go"),
        call,
        end,
        done("FileChange", id="exec-9", status="completed", changes={"/home/dev/app/k": {"type": "add"}}),
        event("agent_message", message="kid done: all tests pass"),
        event("task_complete"),
    ]
    put(day / "rollout-2-kid.jsonl", child)
    events = read_codex(
        day / "rollout-1-own.jsonl",
        meta(id="own"),
        event("user_message", message="delegate"),
        function("spawn_agent", "s1", task_name="writer", message="go"),
        done("SubAgentActivity", id="s1", kind="started", agent_thread_id="kid", agent_path="/root/writer"),
        output("s1", '{"task_name":"/root/writer"}'),
        done("SubAgentActivity", id="s2", kind="completed", agent_thread_id="kid"),
    )
    assert seen(events) == [
        ("prompt", "delegate"),
        ("subagent",),
        ("run", "make", "subagent"),
        ("ended", 0, True),
        ("create", "/home/dev/app/k", True, "subagent"),
    ]
    alone = [one for one in seen(read_codex(day / "rollout-2-kid.jsonl", *child)) if one[0] in {"prompt", "run"}]
    assert alone == [("run", "make")]


def test_subagents_of_the_first_kind(tmp_path: Path) -> None:
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        function("spawn_agent", "s1", message="go"),
        event("collab_agent_spawn_end", call_id="s1", new_thread_id="kid"),
        output("s1", '{"agent_id":"kid"}'),
        function("spawn_agent", "s2", message="go"),
        output("s2", "agent limit reached"),
    )
    assert seen(events) == [("subagent",)]


def test_a_folder_that_moves_and_records_that_are_new(tmp_path: Path) -> None:
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        line("turn_context", cwd="/home/dev/app/sub", model="gpt-6"),
        function("exec_command", "c1", cmd="ls", workdir="deep"),
        line("hologram", x=1),
        item("hologram"),
        event("hologram"),
        done("Hologram"),
        b'{"timestamp":"2026',
    )
    assert [one.cwd for one in events if isinstance(one, stream.ShellCall)] == ["/home/dev/app/sub/deep"]
    kinds = [one[1] for one in seen(events) if one[0] == "unknown"]
    assert kinds == ["hologram", "response_item/hologram", "event_msg/hologram", "item_completed/Hologram"]
    assert seen(events)[-1] == ("bad line",)


def test_what_is_told_after_an_abort_does_not_undo_it(tmp_path: Path) -> None:
    """Code mode names a command only when it ended, after the abort that ended it; -1 is no exit code."""
    command = {"command": ["bash", "-lc", "make"], "cwd": "file:///home/dev/app", "status": "failed", "exit_code": -1}
    stopped = [event("user_message", message="go"), event("turn_aborted", reason="interrupted")]
    late = done("CommandExecution", id="exec-1", aggregated_output="", **command)
    again = [event("task_started"), done("CommandExecution", id="exec-2", aggregated_output="", **command)]
    run = [("run", "make"), ("ended", None, None)]
    told = seen(read_codex(tmp_path / "r.jsonl", meta(), *stopped, late, *again))
    assert told == [("prompt", "go"), ("interrupted",), *run, ("interrupted",), *run]


def test_a_line_that_stands_twice_counts_once(tmp_path: Path) -> None:
    twice = [event("user_message", message="go"), event("turn_aborted", reason="interrupted"), *ran(shell_json("", 0))]
    events = read_codex(tmp_path / "r.jsonl", meta(), *[one for one in twice for _ in range(2)])
    assert seen(events) == [("prompt", "go"), ("interrupted",), ("run", "make"), ("ended", 0, True)]


def test_a_session_without_task_complete_is_not_cut(tmp_path: Path) -> None:
    begun = [event("task_started"), event("user_message", message="go"), event("agent_message", message="done")]
    tail = read_codex(tmp_path / "r.jsonl", meta(), *begun)[-1]
    assert (tail.open_turn, tail.open_calls, tail.cut) == (False, (), False)


@pytest.mark.parametrize("reason", ["interrupted", "replaced", "review_ended"])
def test_an_aborted_turn_and_the_work_after_it(tmp_path: Path, reason: str) -> None:
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        event("user_message", message="a"),
        event("turn_aborted", reason=reason),
        event("user_message", message="b"),
        *ran(shell_json("", 0)),
    )
    assert seen(events) == [("prompt", "a"), ("interrupted",), ("prompt", "b"), ("run", "make"), ("ended", 0, True)]


def test_a_poll_that_stands_in_an_event_alone_ends_the_command_it_polls(tmp_path: Path) -> None:
    poll = event(
        "exec_command_end", call_id="c9", source="unified_exec_interaction", process_id="52", exit_code=3, command=["x"]
    )
    other = {**poll, "payload": {**poll["payload"], "process_id": "77"}}
    events = read_codex(tmp_path / "r.jsonl", meta(), *ran(RUNNING), other, poll)
    assert seen(events) == [("run", "make"), ("running",), ("ended", 3, False)]


def test_a_patch_of_many_files_is_a_write_each(tmp_path: Path) -> None:
    files = [f"/home/dev/app/f{n}" if n % 2 else f"f{n}" for n in range(15)]
    text = "\n".join(["*** Begin Patch", *(f"*** Update File: {one}\n@@\n-a\n+b" for one in files), "*** End Patch"])
    call = item("custom_tool_call", name="apply_patch", call_id="c1", input=text)
    end = item("custom_tool_call_output", call_id="c1", output=shell_json("Success.", 0))
    writes = [one for one in read_codex(tmp_path / "r.jsonl", meta(), call, end) if isinstance(one, stream.FileWrite)]
    assert [(one.path, one.added, one.removed) for one in writes] == [(one, "b", "a") for one in files]


@pytest.mark.parametrize(
    "command",
    [
        f"cat <<'EOF'\n{PATCH}\nEOF",
        f"git apply <<'EOF'\n{PATCH}\nEOF",
        "apply_patch --help",
        "rg -n apply_patch src",
        f"echo my_apply_patch_notes; cat <<'EOF'\n{PATCH}\nEOF",
    ],
)
def test_a_patch_that_is_only_shown_writes_nothing(tmp_path: Path, command: str) -> None:
    events = read_codex(
        tmp_path / "r.jsonl", meta(), function("exec_command", "c1", cmd=command), output("c1", shell_json("", 0))
    )
    assert [one for one in events if isinstance(one, stream.FileWrite)] == []


def test_a_declined_command_never_ran_and_one_in_progress_has_no_end(tmp_path: Path) -> None:
    command = {"command": ["bash", "-lc", "rm x"]}
    begun = {"command": ["bash", "-lc", "ls"]}
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        done("CommandExecution", id="e1", status="declined", **command),
        done("CommandExecution", id="e2", status="in_progress", **begun),
        done("CommandExecution", id="e2", status="completed", exit_code=0, aggregated_output="a", **begun),
    )
    assert seen(events) == [("run", "rm x"), ("not run",), ("run", "ls"), ("ended", 0, True)]


def test_a_nested_call_that_was_denied_wrote_nothing(tmp_path: Path) -> None:
    script = 'await tools.apply_patch("*** Begin Patch\\n*** Add File: x\\n+1\\n*** End Patch")'
    denied = [{"type": "input_text", "text": "Script failed\nCommand blocked by PreToolUse hook: outside"}]
    events = read_codex(
        tmp_path / "r.jsonl",
        meta(),
        item("custom_tool_call", name="exec", call_id="c1", input=script),
        item("custom_tool_call_output", call_id="c1", output=denied),
    )
    assert seen(events) == []


def test_each_compaction_counts_once_in_both_eras(tmp_path: Path) -> None:
    pairs = [one for text in "ab" for one in (line("compacted", message=text), event("context_compacted"))]
    newest = [done("ContextCompaction", id="x"), done("ContextCompaction", id="y")]
    assert seen(read_codex(tmp_path / "r.jsonl", meta(), *pairs)) == [("compaction",)] * 2
    assert seen(read_codex(tmp_path / "s.jsonl", meta(), *newest)) == [("compaction",)] * 2


def test_two_shapes_of_result_in_one_file(tmp_path: Path) -> None:
    calls = [(function("shell", f"c{n}", command=["bash", "-lc", "make"]), f"c{n}") for n in range(3)]
    ends = [
        shell_json("x", 1),
        "Exit code: 2\nWall time: 1 seconds\nOutput:\nx",
        CHUNK.format("Process exited with code 3", "x"),
    ]
    records = [one for (call, key), end in zip(calls, ends, strict=True) for one in (call, output(key, end))]
    results = [one for one in read_codex(tmp_path / "r.jsonl", meta(), *records) if isinstance(one, stream.ShellResult)]
    assert [(one.exit, one.output) for one in results] == [(1, "x"), (2, "x"), (3, "x")]


def test_inherited_lines_are_numbered_backwards_from_the_fork(tmp_path: Path) -> None:
    """A grandparent's lines come before its child's; a stop that was inherited is older than what is asked here."""
    day = tmp_path / "sessions/2026/11/30"
    put(
        day / "rollout-1-old.jsonl",
        [meta(id="old"), event("user_message", message="first"), event("error", message="x")],
    )
    middle = meta(id="mid", history_base={"thread_id": "old", "end_byte_offset": 10_000})
    put(day / "rollout-2-mid.jsonl", [middle, event("user_message", message="second"), event("turn_aborted")])
    own = meta(id="own", history_base={"thread_id": "mid", "end_byte_offset": 10_000})
    events = read_codex(day / "rollout-3-own.jsonl", own, event("user_message", message="third"))
    told = [(one.record, brief) for one in events for brief in seen([one])]
    assert told == [
        (-5, ("prompt", "first")),
        (-4, ("failure", "api-error", None)),
        (-2, ("prompt", "second")),
        (-1, ("interrupted",)),
        (1, ("prompt", "third")),
    ]


def test_what_a_subagents_rollout_shows_is_numbered_by_the_sessions_own_lines(tmp_path: Path) -> None:
    day = tmp_path / "sessions/2026/11/30"
    own = [
        meta(id="own"),
        done("SubAgentActivity", id="s1", kind="started", agent_thread_id="kid", agent_path="/root/w"),
    ]
    call, end = ran(shell_json("", 0))
    last = event("agent_message", message="done")
    put(day / "rollout-2-kid.jsonl", [meta(id="kid"), *[event("token_count") for _ in range(9)], call, end])
    events = read_codex(day / "rollout-1-own.jsonl", *own, {**last, "timestamp": "2026-11-30T23:00:00Z"})
    assert [one.record for one in events if isinstance(one, stream.ShellCall | stream.ShellResult)] == [2, 2]


def test_a_packed_rollout_is_read_and_found_as_a_parent(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    day = tmp_path / "sessions/2026/11/30"
    plain = put(day / "rollout-1-old.jsonl", [meta(id="old"), event("user_message", message="first")])
    size = plain.stat().st_size
    day.joinpath("rollout-1-old.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(plain.read_bytes()))
    plain.unlink()
    base = {"thread_id": "old", "end_byte_offset": size}
    events = read_codex(
        day / "rollout-2-own.jsonl", meta(id="own", history_base=base), event("user_message", message="b")
    )
    assert seen(events) == [("prompt", "first"), ("prompt", "b")]


@pytest.mark.parametrize(
    ("broken", "read"),
    [(rb"cut \ud83d here", "cut \ufffd here"), ("gr\u00fcn".encode(), "gr\u00fcn")],
    ids=["surrogate", "UTF-8"],
)
def test_a_text_with_broken_characters_loses_no_more_than_those(tmp_path: Path, broken: bytes, read: str) -> None:
    records = [
        *ran(CHUNK.format("Process exited with code 1", "HERE")),
        message("assistant", "HERE"),
        message("user", "x"),
    ]
    lines = [json.dumps(one).encode().replace(b"HERE", broken) for one in records]
    events = read_codex(tmp_path / "r.jsonl", meta(), *lines)
    assert seen(events) == [("run", "make"), ("ended", 1, False), ("say", read), ("prompt", "x")]
    assert next(one.output for one in events if isinstance(one, stream.ShellResult)) == read


def test_a_summary_for_a_compaction_is_nothing_that_was_said(tmp_path: Path) -> None:
    said = message("assistant", "SUMMARY: all tests pass")
    before = [said, line("compacted", message="SUMMARY: all tests pass")]
    labelled = {**said, "metadata": {"compaction_output": True}}
    end = [("run", "make"), ("ended", 0, True)]
    events = seen(read_codex(tmp_path / "r.jsonl", meta(), *before, *ran(shell_json("", 0))))
    assert events == [("compaction",), *end]
    assert seen(read_codex(tmp_path / "s.jsonl", meta(), labelled, *ran(shell_json("", 0)))) == end


def test_a_line_that_stands_twice_counts_once_after_an_inherited_history_too(tmp_path: Path) -> None:
    day = tmp_path / "sessions/2026/11/30"
    put(day / "rollout-1-old.jsonl", [meta(id="old"), event("user_message", message="first")])
    own = event("user_message", message="own")
    base = {"thread_id": "old", "end_byte_offset": 10_000}
    events = read_codex(day / "rollout-2-own.jsonl", meta(id="own", history_base=base), own, own)
    assert seen(events) == [("prompt", "first"), ("prompt", "own")]


@pytest.mark.parametrize("end", ["aborted by user after 3.8s", "Wall time: 3.8 seconds\naborted by user"])
def test_an_aborted_command_was_interrupted(tmp_path: Path, end: str) -> None:
    results = [
        one for one in read_codex(tmp_path / "r.jsonl", meta(), *ran(end)) if isinstance(one, stream.ShellResult)
    ]
    assert [one.interrupted for one in results] == [True]


@pytest.mark.parametrize(
    ("start", "folder"),
    [
        ("", "/home/dev/app"),
        ("cd web && ", "/home/dev/app/web"),
        ("cd /srv/x && ", "/srv/x"),
        ('cd "my web"; ', "/home/dev/app/my web"),
        ("echo cd web && ", "/home/dev/app"),
    ],
)
def test_a_shells_patch_applies_where_the_shell_went(tmp_path: Path, start: str, folder: str) -> None:
    call = function("exec_command", "c1", cmd=f"{start}apply_patch <<'EOF'\n{PATCH}\nEOF")
    events = read_codex(tmp_path / "r.jsonl", meta(), call, output("c1", shell_json("", 0)))
    assert {one.cwd for one in events if isinstance(one, stream.FileWrite)} == {folder}


def test_a_subagents_turns_failures_and_place_are_its_own(tmp_path: Path) -> None:
    day = tmp_path / "sessions/2026/11/30"
    kid = [
        meta(id="kid", cwd="/home/dev/worktree", cli_version="9.9"),
        event("task_started"),
        line("turn_context", cwd="/home/dev/elsewhere", model="small"),
        event("error", message="You've hit your usage limit."),
        event("turn_aborted", reason="interrupted"),
        event("task_complete"),
        line("compacted", message="x"),
    ]
    put(day / "rollout-2-kid.jsonl", kid)
    begun = done("SubAgentActivity", id="s1", kind="started", agent_thread_id="kid", agent_path="/root/w")
    events = read_codex(day / "rollout-1-own.jsonl", meta(id="own"), begun, event("agent_message", message="done"))
    assert [type(one).__name__ for one in events] == ["Meta", "Subagent", "Say", "Tail"]
