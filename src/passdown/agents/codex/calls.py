"""Calls joined to their outputs, to the events that confirm them, and to later polls."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from msgspec import Struct

from passdown.agents import wire
from passdown.agents.codex import patch
from passdown.agents.codex.outputs import PATCHED, Outcome, outcome, text_of
from passdown.agents.codex.patch import Touched
from passdown.agents.codex.records import ARGUMENTS, SHELL_OUTPUT, Arguments, Item, Payload, path_of
from passdown.agents.stream import Choice, Event, FileRead, FileWrite, Plan, ShellCall, ShellResult, Subagent
from passdown.model.session import Todo, TodoStatus

SHELLS = frozenset({"shell", "container.exec", "shell_command", "exec_command", "local_shell", "unified_exec"})
_WRAPPED = frozenset({"-lc", "-c", "-Command", "/c", "/C", "-ic", "-lic"})
_SHELL_PROGRAMS = frozenset({"bash", "sh", "zsh", "fish", "dash", "pwsh", "powershell", "cmd"})
STOPPED = -1  # what Codex records as the exit code of a command that it stopped: there is none
_STATUS: dict[str, TodoStatus] = {"in_progress": "in_progress", "completed": "completed"}

# What is known of a call: it stood here, its end is exact, its output is told, its patch is written.
_SEEN, _EXACT, _TOLD, _PATCHED = 1, 2, 4, 8


class Where(Struct, frozen=True, gc=False):
    """The place of a record: its line, its time, the turn's working directory, whose it is."""

    record: int
    at: str | None
    cwd: str | None
    subagent: bool


class Call(Struct, gc=False):
    """A call that waits for its output; ``patch``: the text of the patch that it carries, applied in ``folder``."""

    name: str
    given: Arguments
    where: Where
    patch: str | None = None
    folder: str | None = None


class Calls:
    """All calls of a session and of its subagents, each taken once by its id."""

    def __init__(self) -> None:
        self._open: dict[str, Call] = {}
        self._state: dict[int, int] = {}
        self._sessions: dict[str, str] = {}
        self._agents: set[str] = set()
        self._handlers: dict[str, Callable[[str, Call, str, Where], Sequence[Event]]] = {
            **dict.fromkeys(SHELLS, self._shell),
            "apply_patch": self._patch,
            "write_stdin": self._poll,
            "update_plan": self._plan,
            "request_user_input": self._choice,
            "spawn_agent": self._spawned,
        }

    def call(self, payload: Payload, where: Where) -> Sequence[Event]:
        """Take a function_call, custom_tool_call or local_shell_call."""
        key = payload.call_id or payload.id or f"{where.record}"
        number = hash(key)
        state = self._state.get(number, 0)
        if state & _SEEN:
            return ()
        self._state[number] = state | _SEEN
        name = payload.name or ("local_shell" if payload.type == "local_shell_call" else "")
        given = _arguments(payload)
        self._open[key] = call = Call(name, given, where)
        if name in SHELLS:
            command = given.command if given.command is not None else given.cmd
            if not isinstance(command, str):
                command = command_text(command)
            folder = given.workdir
            cwd = folder if folder and folder[0] == "/" else _joined(where.cwd, folder)
            if patch.BEGIN in command and (text := patch.in_shell(command)) is not None:
                call.patch, call.folder = text, patch.folder_of(command, cwd)
            return (_shell_call(key, command, cwd, name, where),)
        if name == "apply_patch":
            call.folder = where.cwd
            call.patch = given.input or given.patch or payload.input
        return ()

    def output(self, payload: Payload, where: Where) -> Sequence[Event]:
        """Take the output of a call."""
        key = payload.call_id or ""
        call = self._open.pop(key, None)
        if call is None:
            return ()
        handler = self._handlers.get(call.name)
        if handler is None:
            return ()
        text = payload.output
        return handler(key, call, text if isinstance(text, str) else text_of(text), where)

    def executed(self, item: Item, where: Where) -> Sequence[Event]:
        """Take exec_command_end or a CommandExecution: exact, before or after the output, the only one in code mode."""
        source = item.source if isinstance(item.source, str) else ""
        key = item.call_id or item.id or ""
        if source == "user_shell" or not key:
            return ()
        events: list[Event] = []
        if "interaction" in source:
            key = self._sessions.get(item.process_id or "", "")
        elif self._first(key, _SEEN):
            events.append(_shell_call(key, command_text(item.command), path_of(item.cwd) or where.cwd, "exec", where))
        if not key or (item.exit_code is None and item.status not in {"declined", "failed"}):
            return events
        if not self._first(key, _EXACT):
            return events
        stopped = item.exit_code == STOPPED
        found = Outcome(
            None if stopped else item.exit_code,
            _output_of(item) if self._first(key, _TOLD) else "",
            executed=item.status != "declined",
            interrupted=stopped,
        )
        return (*events, _shell_result(key, found, where), *_reads(item, where))

    def changed(self, item: Item, where: Where) -> Sequence[Event]:
        """Take patch_apply_end or a FileChange: the files as they were changed, by absolute path."""
        key = item.call_id or item.id or f"?{where.record}"
        if not item.changes or item.status == "in_progress" or not self._first(key, _PATCHED):
            return ()
        ok = item.success if item.success is not None else None if item.status is None else item.status == "completed"
        run = item.status != "declined"
        return [_write(touched, ok, where, where.cwd, executed=run) for touched in patch.confirmed(item.changes)]

    def subagent(self, agent: str | None, call_id: str | None, where: Where, description: str = "") -> Sequence[Event]:
        """Count a subagent, once, whichever record shows it first."""
        known = agent in self._agents or call_id in self._agents
        self._agents.update(key for key in (agent, call_id) if key)
        if known:
            return ()
        return (Subagent(record=where.record, at=where.at, agent_id=agent, description=description),)

    def rest(self) -> Sequence[Event]:
        """Return what the calls without an output say."""
        events: list[Event] = []
        for key, call in self._open.items():
            if call.patch and self._first(key, _PATCHED):
                events += _writes(call, None, call.where)
            if call.name == "spawn_agent":
                events += self.subagent(None, key, call.where, call.given.task_name or "")
        return events

    def open_names(self) -> tuple[str, ...]:
        """Return the names of the main conversation's calls whose output never came."""
        return tuple(call.name for call in self._open.values() if not call.where.subagent)

    def _is(self, key: str, mark: int) -> bool:
        return bool(self._state.get(hash(key), 0) & mark)

    def _first(self, key: str, mark: int) -> bool:
        """Mark a call; say whether that is new."""
        number = hash(key)
        state = self._state.get(number, 0)
        self._state[number] = state | mark
        return not state & mark

    def _shell(self, key: str, call: Call, text: str, where: Where) -> Sequence[Event]:
        found = outcome(text)
        if found.session is not None:
            self._sessions[found.session] = key
        state, number = self._state, hash(key)
        before = state.get(number, 0)
        state[number] = before | _TOLD
        events = () if before & _EXACT else (_shell_result(key, found, where),)
        if call.patch is not None and self._first(key, _PATCHED):
            ok = True if PATCHED in found.output else found.ok
            return (*events, *_writes(call, ok, where, executed=found.executed))
        return events

    def _patch(self, key: str, call: Call, text: str, where: Where) -> Sequence[Event]:
        if not self._first(key, _PATCHED):
            return ()
        found = outcome(text)
        ok = (
            found.ok
            if found.exit is not None
            else PATCHED in text
            if found.executed and not found.interrupted
            else False
        )
        return _writes(call, ok, where, executed=found.executed)

    def _poll(self, _key: str, call: Call, text: str, where: Where) -> Sequence[Event]:
        found = outcome(text)
        key = self._sessions.get(str(call.given.session_id), "")
        if not key or self._is(key, _EXACT) or not found.executed or found.interrupted:
            return ()
        if found.exit is not None:
            self._first(key, _EXACT)
        return (_shell_result(key, found, where),)

    def _plan(self, _key: str, call: Call, text: str, where: Where) -> Sequence[Event]:
        if call.given.plan is None or call.where.subagent or not outcome(text).executed:
            return ()
        return (Plan(record=where.record, at=where.at, todos=todos(call.given)),)

    def _choice(self, _key: str, call: Call, text: str, where: Where) -> Sequence[Event]:
        body = SHELL_OUTPUT.decode(text)
        if body is None or call.where.subagent:
            return ()
        asked = {question.id: question.question for question in call.given.questions or ()}
        return [
            Choice(record=where.record, at=where.at, question=asked.get(key), answer=", ".join(answered.answers))
            for key, answered in (body.answers or {}).items()
            if answered.answers
        ]

    def _spawned(self, key: str, call: Call, text: str, where: Where) -> Sequence[Event]:
        body = SHELL_OUTPUT.decode(text) if text.startswith("{") else None
        return () if body is None else self.subagent(body.agent_id, key, where, call.given.task_name or "")


def todos(given: Arguments) -> tuple[Todo, ...]:
    """Return the list that an update_plan set."""
    return tuple(Todo(text=step.step, status=_STATUS.get(step.status, "pending")) for step in given.plan or ())


def command_text(command: list[str] | str | None) -> str:
    """Return what the shell was given, without the shell that Codex starts around it."""
    if command is None or isinstance(command, str):
        return command or ""
    program = command[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe").casefold() if command else ""
    if len(command) > 2 and program in _SHELL_PROGRAMS and command[-2] in _WRAPPED:  # noqa: PLR2004 - sh -c TEXT
        return command[-1]
    return shlex.join(command)


def _arguments(payload: Payload) -> Arguments:
    text = payload.arguments if payload.arguments is not None else payload.input
    if not text:
        action = payload.action if isinstance(payload, Item) else None
        return Arguments(command=action.command, workdir=action.working_directory) if action else Arguments()
    if text[0] != "{" and not text.lstrip().startswith("{"):
        return Arguments()
    try:
        return ARGUMENTS.strict(text)
    except wire.AMISS:
        return ARGUMENTS.mended(text) or Arguments()


def _joined(cwd: str | None, folder: str | None) -> str | None:
    if not folder or folder == ".":
        return cwd
    return folder if folder.startswith("/") or folder[1:2] == ":" or cwd is None else f"{cwd}/{folder}"


def _shell_call(key: str, command: str, cwd: str | None, tool: str, where: Where) -> ShellCall:
    return ShellCall(
        record=where.record, at=where.at, call_id=key, command=command, cwd=cwd, tool=tool, subagent=where.subagent
    )


def _shell_result(key: str, found: Outcome, where: Where) -> ShellResult:
    code = found.exit
    if code is not None and found.executed and not where.subagent:  # nearly always, and each argument takes its time
        return ShellResult(record=where.record, at=where.at, call_id=key, exit=code, ok=code == 0, output=found.output)
    return ShellResult(
        record=where.record,
        at=where.at,
        call_id=key,
        exit=code,
        ok=None if code is None else code == 0,
        output=found.output,
        executed=found.executed,
        running=found.session is not None,
        interrupted=found.interrupted,
        subagent=where.subagent,
    )


def _writes(call: Call, ok: bool | None, where: Where, *, executed: bool = True) -> Sequence[FileWrite]:
    """Return the files that the text of a call's patch names; nothing confirmed it."""
    touched = patch.in_text(call.patch or "")
    return [_write(one, ok, where, call.folder, executed=executed) for one in touched]


def _write(touched: Touched, ok: bool | None, where: Where, folder: str | None, *, executed: bool = True) -> FileWrite:
    return FileWrite(
        record=where.record,
        at=where.at,
        path=touched.path,
        op=touched.op,
        ok=ok,
        via="patch",
        to=touched.to,
        cwd=folder,
        subagent=where.subagent,
        executed=executed,
        added=touched.added,
        around=touched.around,
        removed=touched.removed,
    )


def _output_of(item: Item) -> str:
    """Return what a command put out: both streams as they came, or (older) one after the other."""
    if item.aggregated_output is not None:
        return item.aggregated_output
    return wire.text_of(item.stdout) + wire.text_of(item.stderr)


def _reads(item: Item, where: Where) -> Sequence[FileRead]:
    found = [parsed.path for parsed in item.parsed_cmd or () if parsed.type == "read" and parsed.path]
    folder = path_of(item.cwd) or where.cwd
    return [
        FileRead(record=where.record, at=where.at, path=_joined(folder, path) or path, subagent=where.subagent)
        for path in found
    ]
