"""Tool calls joined to their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from passdown.agents.claude.background import Background
from passdown.agents.claude.plan import TaskList, todo_write
from passdown.agents.claude.records import INPUT, Block, Input, Result
from passdown.agents.claude.results import refused, shell_ending, text_of, with_stored, words_in_refusal
from passdown.agents.claude.writes import write_of
from passdown.agents.stream import (
    Choice,
    Event,
    FileRead,
    PersonEdit,
    Plan,
    Prompt,
    ShellCall,
    ShellResult,
    Subagent,
)
from passdown.rules.patterns import lazy

SHELLS = frozenset({"bash", "powershell"})
WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
READERS = frozenset({"Read", "NotebookRead"})
AGENTS = frozenset({"Task", "Agent"})
POLLS = frozenset({"BashOutput", "TaskOutput", "AgentOutputTool"})
KILLS = frozenset({"KillShell", "KillBash", "TaskStop"})
EXPANDING = frozenset({"Skill", "SlashCommand"})
ORPHANS = 256
_ID = lazy(r"[\w-]{1,80}")  # what may become part of a file's name


class Where(NamedTuple):
    """The place of a record: its line, its time, its working directory, whose it is."""

    record: int
    at: str | None
    cwd: str | None
    subagent: bool
    denial: str | None = None


class Call(Struct):
    """A call that waits for its result."""

    name: str
    given: Input
    where: Where


class Answer(NamedTuple):
    """A result, decoded."""

    block: Block
    result: Result | None
    text: str
    where: Where

    @property
    def refused(self) -> bool:
        """Whether the call never ran."""
        return bool(self.block.is_error) and refused(self.text, self.where.denial)


class Calls:
    """All calls of a session and its subagents, each taken once by its id; ``folder`` holds its side files."""

    def __init__(self, folder: Path) -> None:
        self.background = Background()
        self.spawned: list[str] = []
        self._folder = folder
        self._open: dict[str, Call] = {}
        self._done: set[int] = set()
        self._early: dict[str, tuple[Block, Result | None, Where]] = {}
        self._tasks = TaskList()
        self._agents: set[str] = set()
        self._agent_calls: set[str] = set()
        self._agent_prompts: set[int] = set()
        self._handlers: dict[str, Callable[[str, Call, Answer], Iterator[Event]]] = {
            **dict.fromkeys(WRITERS, self._write),
            **dict.fromkeys(READERS, self._read),
            **dict.fromkeys(AGENTS, self._agent),
            **dict.fromkeys(POLLS, self._poll),
            **dict.fromkeys(KILLS, self._kill),
            "TodoWrite": self._todos,
            "TaskCreate": self._task,
            "TaskUpdate": self._task,
            "TaskList": self._task,
            "AskUserQuestion": self._choice,
            "ExitPlanMode": self._accepted,
        }

    def call(self, block: Block, where: Where) -> Iterator[Event]:
        """Take a tool_use block."""
        key = block.id or f"{where.record}:{block.name}"
        if key in self._open or hash(key) in self._done:
            return
        given = INPUT.decode(block.input) or Input()
        self._open[key] = Call(block.name, given, where)
        if block.name in AGENTS and given.prompt:
            self._agent_prompts.add(hash(given.prompt.strip()))
        if block.name.casefold() in SHELLS:
            yield ShellCall(
                record=where.record,
                at=where.at,
                call_id=key,
                command=given.command or "",
                cwd=where.cwd,
                tool=block.name,
                background=bool(given.run_in_background),
                subagent=where.subagent,
            )
        if key in self._early:
            yield from self.result(*self._early.pop(key))

    def result(self, block: Block, result: Result | None, where: Where) -> Iterator[Event]:
        """Take a tool_result block; one that comes before its call waits for it."""
        call = self._open.pop(block.tool_use_id, None)
        if call is None:
            if hash(block.tool_use_id) not in self._done and len(self._early) < ORPHANS:
                self._early[block.tool_use_id] = (block, result, where)
            return
        self._done.add(hash(block.tool_use_id))
        text = text_of(block.content)
        if block.is_error and not where.subagent and (words := words_in_refusal(text)):
            yield Prompt(record=where.record, at=where.at, text=words, source="rejection")
        answer = Answer(block, result, text, where)
        handler = self._shell if call.name.casefold() in SHELLS else self._handlers.get(call.name)
        if handler is not None:
            yield from handler(block.tool_use_id, call, answer)

    def expands(self, call_id: str) -> bool:
        """Say whether the open call ``call_id`` makes the client write a prompt of its own (a skill, a command)."""
        call = self._open.get(call_id)
        return call is not None and call.name in EXPANDING

    def subagent(
        self, agent_id: str | None, where: Where, description: str = "", call_id: str | None = None
    ) -> Iterator[Event]:
        """Count a subagent, once, whichever of its call, its records and its own file shows it first."""
        known = agent_id in self._agents or call_id in self._agent_calls
        if agent_id and agent_id not in self._agents:
            self._agents.add(agent_id)
            if _ID.fullmatch(agent_id):
                self.spawned.append(agent_id)
        if call_id:
            self._agent_calls.add(call_id)
        if not known:
            yield Subagent(record=where.record, at=where.at, agent_id=agent_id, description=description)

    def sidechain(self, prompt: str, where: Where) -> Iterator[Event]:
        """Count a subagent inside the session's own file (old clients), unless its call stands there too."""
        if hash(prompt.strip()) not in self._agent_prompts:
            yield from self.subagent(None, where)

    def rest(self) -> Iterator[Event]:
        """Yield what the calls without a result say."""
        for key, call in self._open.items():
            if call.name in WRITERS:
                yield from write_of(call.name, call.given, None, call.where, ok=None, text="")
            elif call.name in AGENTS:
                yield from self.subagent(None, call.where, call.given.description or "", key)

    def open_names(self) -> tuple[str, ...]:
        """Return the names of the main conversation's calls whose result never came."""
        return tuple(call.name for call in self._open.values() if not call.where.subagent)

    def _shell(self, key: str, call: Call, answer: Answer) -> Iterator[Event]:
        result, where = answer.result, answer.where
        task = result.background_task_id if result else None
        running = not answer.block.is_error and self.background.start(key, task, answer.text)
        ending = shell_ending(answer.block, result, answer.text, where.denial)
        stored = result.persisted_output_path if result else None
        yield ShellResult(
            record=where.record,
            at=where.at,
            call_id=key,
            exit=None if running else ending.exit,
            ok=None if running else ending.ok,
            output=with_stored(ending.output, stored, self._folder),
            signal=ending.signal,
            executed=ending.executed,
            running=running,
            no_match=ending.no_match,
            interrupted=ending.interrupted,
            stored=stored,
            subagent=call.where.subagent,
        )

    def _write(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        where, result = answer.where._replace(cwd=call.where.cwd, subagent=call.where.subagent), answer.result
        failed = bool(answer.block.is_error) or bool(result and result.error)
        yield from write_of(
            call.name, call.given, result, where, ok=not failed, text=answer.text, executed=not answer.refused
        )
        if result is not None and result.user_modified and call.given.file_path and not where.subagent:
            yield PersonEdit(record=where.record, at=where.at, path=call.given.file_path)

    def _read(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        path = call.given.file_path or call.given.notebook_path
        if path and not answer.block.is_error:
            where = answer.where
            yield FileRead(record=where.record, at=where.at, path=path, subagent=call.where.subagent)

    def _agent(self, key: str, call: Call, answer: Answer) -> Iterator[Event]:
        if not answer.refused:
            agent = answer.result.agent_id if answer.result else None
            yield from self.subagent(agent, call.where, call.given.description or "", key)

    def _poll(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        given, where = call.given, answer.where
        task = given.bash_id or given.task_id or given.shell_id
        if not answer.block.is_error and (event := self.background.polled(task, answer.text, where.record, where.at)):
            yield event

    def _kill(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        given, where = call.given, answer.where
        task = given.shell_id or given.task_id or given.bash_id
        if not answer.block.is_error and (event := self.background.stopped(task, where.record, where.at)):
            yield event

    def _todos(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        if not answer.block.is_error and not call.where.subagent:
            yield Plan(record=answer.where.record, at=answer.where.at, todos=todo_write(call.given))

    def _task(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        if answer.block.is_error:
            return
        changed = (
            self._tasks.create(call.given, answer.result, answer.text)
            if call.name == "TaskCreate"
            else self._tasks.update(call.given, answer.result)
            if call.name == "TaskUpdate"
            else self._tasks.listed(answer.result)
        )
        if changed:
            yield Plan(record=answer.where.record, at=answer.where.at, todos=self._tasks.todos())

    def _choice(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        if answer.block.is_error or call.where.subagent or answer.result is None:
            return
        for question, chosen in (answer.result.answers or {}).items():
            said = chosen if isinstance(chosen, str) else ", ".join(chosen)
            yield Choice(record=answer.where.record, at=answer.where.at, question=question, answer=said)

    def _accepted(self, _key: str, call: Call, answer: Answer) -> Iterator[Event]:
        if not answer.block.is_error and not call.where.subagent and answer.text.startswith("User has approved"):
            title = next((line.strip("# ") for line in (call.given.plan or "").splitlines() if line.strip("# ")), "")
            yield Choice(record=answer.where.record, at=answer.where.at, question=title or None, answer="plan accepted")
