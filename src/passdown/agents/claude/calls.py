"""Tool calls joined to their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from passdown.agents.claude.background import Background
from passdown.agents.claude.plan import TaskList, todo_write
from passdown.agents.claude.records import INPUT, Block, Input, Result
from passdown.agents.claude.results import Answer, shell_ending, with_stored, words_in_refusal
from passdown.agents.claude.where import Where
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
from passdown.agents.wire import AMISS
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


class Call(Struct, gc=False):
    """A call that waits for its result."""

    name: str
    given: Input
    where: Where
    shell: bool


Handler = Callable[[str, Call, Answer, Where], Sequence[Event]]


class Calls:
    """All calls of a session and its subagents, each taken once by its id; ``folder`` holds its side files."""

    def __init__(self, folder: Path) -> None:
        self.background = Background()
        self.spawned: list[str] = []
        self.expanding = False  # the last result's call makes the client write a prompt of its own (a skill, a command)
        self._folder = folder
        self._open: dict[str, Call] = {}
        self._done: set[int] = set()
        self._early: dict[str, tuple[Block, Result | None, Where]] = {}
        self._tasks = TaskList()
        self._agents: set[str] = set()
        self._agent_calls: set[str] = set()
        self._agent_prompts: set[int] = set()
        self._handlers: dict[str, Handler] = {
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

    def call(self, block: Block, where: Where) -> Sequence[Event]:
        """Take a tool_use block."""
        key, name = block.id or f"{where.record}:{block.name}", block.name
        if key in self._open or hash(key) in self._done:
            return ()
        try:
            given = INPUT.strict(block.input)
        except AMISS:
            given = INPUT.mended(block.input) or Input()
        shell = name.casefold() in SHELLS
        self._open[key] = Call(name, given, where, shell)
        if name in AGENTS and given.prompt:
            self._agent_prompts.add(hash(given.prompt.strip()))
        events = (_shell_call(key, name, given, where),) if shell else ()
        return (*events, *self.result(*self._early.pop(key))) if key in self._early else events

    def result(self, block: Block, result: Result | None, where: Where) -> Sequence[Event]:
        """Take a tool_result block; one that comes before its call waits for it."""
        key = block.tool_use_id
        call = self._open.pop(key, None)
        if not where.subagent:
            self.expanding = call is not None and call.name in EXPANDING
        if call is None:
            if hash(key) not in self._done and len(self._early) < ORPHANS:
                self._early[key] = (block, result, where)
            return ()
        self._done.add(hash(key))
        answer = Answer(block, result, where.denial)
        handler = self._shell if call.shell else self._handlers.get(call.name)
        events = handler(key, call, answer, where) if handler is not None else ()
        if answer.failed and (words := words_in_refusal(answer.text)):
            return (Prompt(record=where.record, at=where.at, text=words, source="rejection"), *events)
        return events

    def subagent(
        self, agent_id: str | None, where: Where, description: str = "", call_id: str | None = None
    ) -> Sequence[Event]:
        """Count a subagent, once, whichever of its call, its records and its own file shows it first."""
        known = agent_id in self._agents or call_id in self._agent_calls
        if agent_id and agent_id not in self._agents:
            self._agents.add(agent_id)
            if _ID.fullmatch(agent_id):
                self.spawned.append(agent_id)
        if call_id:
            self._agent_calls.add(call_id)
        if known:
            return ()
        return (Subagent(record=where.record, at=where.at, agent_id=agent_id, description=description),)

    def sidechain(self, prompt: str, where: Where) -> Sequence[Event]:
        """Count a subagent inside the session's own file (old clients), unless its call stands there too."""
        return () if hash(prompt.strip()) in self._agent_prompts else self.subagent(None, where)

    def rest(self) -> Sequence[Event]:
        """Return what the calls without a result say."""
        events: list[Event] = []
        for key, call in self._open.items():
            if call.name in WRITERS:
                events += write_of(call.name, call.given, None, call.where)
            elif call.name in AGENTS:
                events += self.subagent(None, call.where, call.given.description or "", key)
        return events

    def open_names(self) -> tuple[str, ...]:
        """Return the names of the main conversation's calls whose result never came."""
        return tuple(call.name for call in self._open.values() if not call.where.subagent)

    def _shell(self, key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        result = answer.result
        running = not answer.failed and self._goes_on(key, answer)
        ending = shell_ending(answer)
        stored = result.persisted_output_path if result else None
        return (
            ShellResult(
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
            ),
        )

    def _goes_on(self, key: str, answer: Answer) -> bool:
        """Say whether the command went on in the background, and note that it did."""
        task = answer.result.background_task_id if answer.result else None
        if task is None and not answer.may_begin(b"Command "):
            return False
        return self.background.start(key, task, answer.text)

    def _write(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        result, caller = answer.result, call.where
        place = Where(where.record, where.at, caller.cwd, caller.subagent)
        events: Sequence[Event] = write_of(call.name, call.given, answer, place)
        if result is not None and result.user_modified and call.given.file_path and not caller.subagent:
            return (*events, PersonEdit(record=where.record, at=where.at, path=call.given.file_path))
        return events

    def _read(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        path = call.given.file_path or call.given.notebook_path
        if not path or answer.failed:
            return ()
        return (FileRead(record=where.record, at=where.at, path=path, subagent=call.where.subagent),)

    def _agent(self, key: str, call: Call, answer: Answer, _where: Where) -> Sequence[Event]:
        if answer.refused:
            return ()
        agent = answer.result.agent_id if answer.result else None
        return self.subagent(agent, call.where, call.given.description or "", key)

    def _poll(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        given = call.given
        task = given.bash_id or given.task_id or given.shell_id
        event = None if answer.failed else self.background.polled(task, answer.text, where.record, where.at)
        return (event,) if event is not None else ()

    def _kill(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        given = call.given
        task = given.shell_id or given.task_id or given.bash_id
        event = None if answer.failed else self.background.stopped(task, where.record, where.at)
        return (event,) if event is not None else ()

    def _todos(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        if answer.failed or call.where.subagent:
            return ()
        return (Plan(record=where.record, at=where.at, todos=todo_write(call.given)),)

    def _task(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        if answer.failed:
            return ()
        changed = (
            self._tasks.create(call.given, answer.result, answer.text)
            if call.name == "TaskCreate"
            else self._tasks.update(call.given, answer.result)
            if call.name == "TaskUpdate"
            else self._tasks.listed(answer.result)
        )
        return (Plan(record=where.record, at=where.at, todos=self._tasks.todos()),) if changed else ()

    def _choice(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        if answer.failed or call.where.subagent or answer.result is None:
            return ()
        return [
            Choice(
                record=where.record,
                at=where.at,
                question=question,
                answer=chosen if isinstance(chosen, str) else ", ".join(chosen),
            )
            for question, chosen in (answer.result.answers or {}).items()
        ]

    def _accepted(self, _key: str, call: Call, answer: Answer, where: Where) -> Sequence[Event]:
        if answer.failed or call.where.subagent or not answer.text.startswith("User has approved"):
            return ()
        title = next((line.strip("# ") for line in (call.given.plan or "").splitlines() if line.strip("# ")), "")
        return (Choice(record=where.record, at=where.at, question=title or None, answer="plan accepted"),)


def _shell_call(key: str, name: str, given: Input, where: Where) -> ShellCall:
    return ShellCall(
        record=where.record,
        at=where.at,
        call_id=key,
        command=given.command or "",
        cwd=where.cwd,
        tool=name,
        background=given.run_in_background is True,
        subagent=where.subagent,
    )
