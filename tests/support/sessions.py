"""Session files in the real formats of Claude Code and Codex, with content of our own.

    session = sessions.claude(repo.root)
    session.user("make test_retry pass").edit("src/retry.py", "a", "b").bash("pytest -q", exit=1, output="1 failed")
    session.say("All tests pass.").save()

Records are a fixed time apart, the last one "now", unless ``start`` is given. ``save`` returns the file's path.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from support.repo import stamp

STEP = 20.0
CLAUDE_VERSION = "2.1.332"
CODEX_VERSION = "0.142.2"


@dataclass
class Sessions:
    """The two agents' folders of a test's home."""

    claude_home: Path
    codex_home: Path

    def claude(self, cwd: Path, **options: Any) -> ClaudeSession:
        """A Claude Code session of a worktree."""
        return ClaudeSession(cwd=cwd, home=self.claude_home, **options)

    def codex(self, cwd: Path, **options: Any) -> CodexSession:
        """A Codex session of a worktree."""
        return CodexSession(cwd=cwd, home=self.codex_home, **options)


@dataclass(kw_only=True)
class _Session:
    cwd: Path
    home: Path
    branch: str = "main"
    session: str = field(default_factory=lambda: str(uuid.uuid4()))
    start: float | None = None
    step: float = STEP
    records: list[dict[str, Any]] = field(default_factory=list)

    def _path(self, path: str) -> str:
        return path if path.startswith("/") else str(self.cwd / path)

    def _timed(self) -> list[dict[str, Any]]:
        """Records with their timestamps: ``step`` apart from ``start``, or ending now."""
        first = self.start if self.start is not None else time.time() - self.step * len(self.records)
        return [
            {**record, "timestamp": record.get("timestamp") or stamp(first + number * self.step)}
            for number, record in enumerate(self.records)
        ]

    def _write(self, file: Path, *, cut: int = 0) -> Path:
        lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in self._timed()]
        text = "\n".join(lines) + "\n"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text[: len(text) - cut] if cut else text, encoding="utf-8")
        return file


@dataclass(kw_only=True)
class ClaudeSession(_Session):
    """One Claude Code session file, in the shape of client 2.1.332: one content block per record."""

    version: str = CLAUDE_VERSION
    model: str = "claude-opus-5-5"
    _parent: str | None = None

    # what happens
    def user(self, text: str) -> Self:
        """A person's prompt."""
        return self._record(
            "user", message={"role": "user", "content": text}, promptSource="cli", permissionMode="default"
        )

    def say(self, text: str, *, final: bool = True) -> Self:
        """The agent's prose; ``final``: it ends the turn."""
        return self._block({"type": "text", "text": text}, "end_turn" if final else "tool_use")

    def bash(self, command: str, *, exit: int = 0, output: str = "", interrupted: bool = False) -> Self:  # noqa: A002
        """A call of the shell tool and its result."""
        call = self._call("Bash", {"command": command, "description": "run"})
        if exit:
            text = f"Exit code {exit}\n{output}"
            return self._result(call, text, f"Error: {text}", is_error=True)
        stdout = {"stdout": output, "stderr": "", "interrupted": interrupted, "isImage": False}
        return self._result(call, output or "(no output)", stdout, is_error=False)

    def write(self, path: str, content: str, *, existing: str | None = None) -> Self:
        """The Write tool; ``existing`` is the former content (None: a new file). Also puts the file on the disk."""
        place = self._path(path)
        call = self._call("Write", {"file_path": place, "content": content})
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        Path(place).write_text(content)
        kind = "create" if existing is None else "update"
        done = {"type": kind, "filePath": place, "content": content, "structuredPatch": [], "originalFile": existing}
        return self._result(call, f"File {kind}d successfully at: {place}", {**done, "userModified": False})

    def edit(self, path: str, old: str, new: str, *, on_disk: bool = True) -> Self:
        """The Edit tool; also changes the file on the disk unless told not to."""
        place = self._path(path)
        call = self._call("Edit", {"file_path": place, "old_string": old, "new_string": new})
        before = Path(place).read_text() if Path(place).exists() else old
        if on_disk:
            assert old in before, f"{old!r} is not in {path}"
            Path(place).write_text(before.replace(old, new, 1))
        patch = [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": [f"-{old}", f"+{new}"]}]
        done = {"filePath": place, "oldString": old, "newString": new, "originalFile": before}
        return self._result(
            call,
            f"The file {place} has been updated.",
            {**done, "structuredPatch": patch, "userModified": False, "replaceAll": False},
        )

    def read(self, path: str) -> Self:
        """The Read tool."""
        place = self._path(path)
        text = Path(place).read_text() if Path(place).exists() else ""
        call = self._call("Read", {"file_path": place})
        lines = text.count("\n")
        file = {"filePath": place, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
        return self._result(call, text, {"type": "text", "file": file})

    def refuse(self, tool: str, arguments: dict[str, Any], reason: str) -> Self:
        """A call that a hook denied: it was never executed."""
        call = self._call(tool, arguments)
        text = f"PreToolUse:{tool} hook error: {reason}"
        return self._result(call, text, f"Error: {text}", is_error=True, toolDenialKind="permission-rule")

    def todos(self, *todos: tuple[str, str]) -> Self:
        """TodoWrite with (text, status) pairs."""
        entries = [{"content": text, "status": status, "activeForm": text} for text, status in todos]
        call = self._call("TodoWrite", {"todos": entries})
        return self._result(call, "Todos have been modified successfully.", {"oldTodos": [], "newTodos": entries})

    def compact(self) -> Self:
        """A compaction: the boundary record and the summary that follows."""
        self._parent = None
        self._record(
            "system",
            subtype="compact_boundary",
            content="Conversation compacted",
            compactMetadata={"trigger": "auto", "preTokens": 150000},
        )
        summary = "This session is being continued from a previous conversation that ran out of context."
        return self._record(
            "user", message={"role": "user", "content": summary}, isCompactSummary=True, isVisibleInTranscriptOnly=True
        )

    def interrupt(self) -> Self:
        """The person pressed Escape."""
        block = [{"type": "text", "text": "[Request interrupted by user]"}]
        return self._record("user", message={"role": "user", "content": block})

    def quota(self, text: str = "You've hit your limit · resets 6pm (UTC)") -> Self:
        """The client's own message that the quota is used up."""
        return self._synthetic(text, "rate_limit")

    def api_error(self, text: str = "API Error: 500 Internal server error") -> Self:
        """The client's own message that the service failed."""
        return self._synthetic(text, "server_error")

    def raw(self, record: dict[str, Any]) -> Self:
        """Any record, as it stands."""
        self.records.append(record)
        return self

    @property
    def file(self) -> Path:
        """Where the session lies: projects/<cwd with every non-alphanumeric as a dash>/<session>.jsonl."""
        slug = re.sub(r"[^A-Za-z0-9]", "-", str(self.cwd))
        return self.home / "projects" / slug / f"{self.session}.jsonl"

    def save(self, *, cut: int = 0) -> Path:
        """Write the file; ``cut`` leaves out the last bytes, as a crash does."""
        return self._write(self.file, cut=cut)

    # the shape
    def _envelope(self) -> dict[str, Any]:
        return {
            "userType": "external",
            "entrypoint": "cli",
            "cwd": str(self.cwd),
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": self.branch,
        }

    def _record(self, kind: str, **fields: Any) -> Self:
        identity = str(uuid.uuid4())
        head = {"parentUuid": self._parent, "isSidechain": False, "type": kind, "uuid": identity}
        self.records.append({**head, **fields, **self._envelope()})
        self._parent = identity
        return self

    def _block(self, block: dict[str, Any], stop: str) -> Self:
        message = {
            "id": f"msg_{uuid.uuid4().hex[:16]}",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 1000, "output_tokens": 50},
        }
        return self._record("assistant", message=message, requestId=f"req_{uuid.uuid4().hex[:12]}")

    def _call(self, name: str, arguments: dict[str, Any]) -> str:
        call = f"toolu_{uuid.uuid4().hex[:16]}"
        self._block({"type": "tool_use", "id": call, "name": name, "input": arguments}, "tool_use")
        return call

    def _result(
        self, call: str, text: str, result: dict[str, Any] | str, *, is_error: bool | None = None, **more: Any
    ) -> Self:
        block: dict[str, Any] = {"tool_use_id": call, "type": "tool_result", "content": text}
        if is_error is not None:
            block["is_error"] = is_error
        return self._record("user", message={"role": "user", "content": [block]}, toolUseResult=result, **more)

    def _synthetic(self, text: str, error: str) -> Self:
        message = {
            "id": str(uuid.uuid4()),
            "type": "message",
            "role": "assistant",
            "model": "<synthetic>",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "stop_sequence",
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }
        return self._record("assistant", message=message, isApiErrorMessage=True, error=error)


@dataclass(kw_only=True)
class CodexSession(_Session):
    """One Codex rollout in the enveloped format: every message stands twice, results carry the exit code as text."""

    version: str = CODEX_VERSION
    model: str = "gpt-5.5"
    head: str = ""

    def __post_init__(self) -> None:
        git = {"commit_hash": self.head, "branch": self.branch} if self.head else {}
        meta = {
            "id": self.session,
            "session_id": self.session,
            "cwd": str(self.cwd),
            "originator": "codex_cli_rs",
            "cli_version": self.version,
            "source": "cli",
            "model_provider": "openai",
            "git": git,
        }
        self._line("session_meta", meta)

    def user(self, text: str) -> Self:
        """A person's prompt; it starts a turn."""
        turn = str(uuid.uuid4())
        self._line("event_msg", {"type": "task_started", "turn_id": turn})
        context = {"turn_id": turn, "cwd": str(self.cwd), "approval_policy": "on-request", "model": self.model}
        self._line("turn_context", context)
        content = [{"type": "input_text", "text": text}]
        self._line("response_item", {"type": "message", "role": "user", "content": content})
        return self._line("event_msg", {"type": "user_message", "message": text, "images": []})

    def say(self, text: str, *, final: bool = True) -> Self:
        """The agent's prose; ``final``: it ends the turn."""
        self._line("event_msg", {"type": "agent_message", "message": text})
        content = [{"type": "output_text", "text": text}]
        self._line("response_item", {"type": "message", "role": "assistant", "content": content})
        if final:
            self._line("event_msg", {"type": "task_complete", "last_agent_message": text})
        return self

    def bash(self, command: str, *, exit: int = 0, output: str = "") -> Self:  # noqa: A002
        """A shell call (exec_command) and its output."""
        arguments = json.dumps({"cmd": command, "workdir": str(self.cwd)})
        call = self._call({"type": "function_call", "name": "exec_command", "arguments": arguments})
        text = f"Chunk ID: a1b2c3\nWall time: 0.5 seconds\nProcess exited with code {exit}\nOutput:\n{output}"
        return self._line("response_item", {"type": "function_call_output", "call_id": call, "output": text})

    def write(self, path: str, content: str) -> Self:
        """Add a file with apply_patch, on the disk too."""
        place = Path(self._path(path))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
        body = "".join(f"+{line}\n" for line in content.splitlines())
        return self._patch(f"*** Add File: {path}\n{body}", {str(place): {"add": {"content": content}}})

    def edit(self, path: str, old: str, new: str) -> Self:
        """Update a file with apply_patch, on the disk too."""
        place = Path(self._path(path))
        before = place.read_text()
        assert old in before, f"{old!r} is not in {path}"
        place.write_text(before.replace(old, new, 1))
        lines = [f"-{line}" for line in old.splitlines()] + [f"+{line}" for line in new.splitlines()]
        diff = "@@\n" + "\n".join(lines) + "\n"
        change = {str(place): {"update": {"unified_diff": diff, "move_path": None}}}
        return self._patch(f"*** Update File: {path}\n{diff}", change)

    def plan(self, *steps: tuple[str, str]) -> Self:
        """update_plan with (step, status) pairs."""
        arguments = json.dumps({"plan": [{"step": text, "status": status} for text, status in steps]})
        call = self._call({"type": "function_call", "name": "update_plan", "arguments": arguments})
        return self._line("response_item", {"type": "function_call_output", "call_id": call, "output": "Plan updated"})

    def interrupt(self) -> Self:
        """The person interrupted the turn."""
        return self._line("event_msg", {"type": "turn_aborted", "reason": "interrupted"})

    def compact(self) -> Self:
        """A compaction."""
        self._line("compacted", {"message": "Summary of the conversation so far.", "replacement_history": []})
        return self._line("event_msg", {"type": "context_compacted"})

    def raw(self, record: dict[str, Any]) -> Self:
        """Any record, as it stands."""
        self.records.append(record)
        return self

    @property
    def file(self) -> Path:
        """Where the rollout lies: sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl."""
        first = self._timed()[0]["timestamp"]
        day, moment = first[:10].replace("-", "/"), first[:19].replace(":", "-")
        return self.home / "sessions" / day / f"rollout-{moment}-{self.session}.jsonl"

    def save(self, *, cut: int = 0) -> Path:
        """Write the file; ``cut`` leaves out the last bytes, as a crash does."""
        return self._write(self.file, cut=cut)

    def _line(self, kind: str, payload: dict[str, Any]) -> Self:
        self.records.append({"timestamp": None, "type": kind, "payload": payload})
        return self

    def _call(self, payload: dict[str, Any]) -> str:
        call = f"call_{uuid.uuid4().hex[:8]}"
        self._line("response_item", {**payload, "call_id": call})
        return call

    def _patch(self, body: str, changes: dict[str, Any]) -> Self:
        text = f"*** Begin Patch\n{body}*** End Patch"
        call = self._call({"type": "custom_tool_call", "name": "apply_patch", "input": text, "status": "completed"})
        ended = {"type": "patch_apply_end", "call_id": call, "success": True, "stdout": "Success.", "stderr": ""}
        self._line("event_msg", {**ended, "changes": changes, "status": "completed"})
        output = json.dumps({"output": "Success.", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
        return self._line("response_item", {"type": "custom_tool_call_output", "call_id": call, "output": output})
