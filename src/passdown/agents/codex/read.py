"""A Codex rollout -> the normalised stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from passdown.agents import failures
from passdown.agents.codex.calls import Calls, Where, path_of
from passdown.agents.codex.copies import Copies
from passdown.agents.codex.prompts import event_text, joined, message_text
from passdown.agents.codex.records import (
    NOTHING,
    PAYLOAD,
    RATE_LIMITS,
    RECORD,
    SILENT,
    SILENT_COMPLETED,
    SILENT_EVENTS,
    SILENT_ITEMS,
    HistoryBase,
    Payload,
    Record,
)
from passdown.agents.codex.rollouts import rollout_of
from passdown.agents.lines import Line, lines
from passdown.agents.merging import ByTime
from passdown.agents.stream import (
    ApiFailure,
    BadLine,
    Compaction,
    Event,
    FileRead,
    FileWrite,
    Interrupted,
    Meta,
    Prompt,
    Say,
    ShellCall,
    ShellResult,
    Subagent,
    Tail,
    TurnEnd,
    TurnStart,
    Unknown,
)
from passdown.agents.wire import begins

ANCESTORS = 32
SPENT = 100.0
_BARE = frozenset(
    {
        "message",
        "function_call",
        "function_call_output",
        "local_shell_call",
        "custom_tool_call",
        "custom_tool_call_output",
    }
)
_OF_SUBAGENTS = (FileWrite, FileRead, ShellCall, ShellResult, Say, Subagent)

Step = tuple["Session", Line, Record | None]


def read(path: Path) -> Iterator[Event]:
    """Yield the events of a rollout, of the history it was forked from, and of its subagents' rollouts."""
    session = Session(path)
    side: ByTime[Step] = ByTime()
    known = {path.absolute()}
    for at, (owner, line, record) in _with_history(session, path, ANCESTORS):
        yield from _side(side.before(at) if at else iter(()))
        yield from owner.line(line, record)
        for thread in session.spawned():
            found = rollout_of(thread, path)
            if found is not None and found.absolute() not in known:
                known.add(found.absolute())
                side.add(_steps(Session(found, session.calls), found))
    yield from _side(side.before(None))
    yield from session.end()


def _side(steps: Iterator[Step]) -> Iterator[Event]:
    for owner, line, record in steps:
        yield from (event for event in owner.line(line, record) if isinstance(event, _OF_SUBAGENTS))


def _steps(session: Session, path: Path, base: HistoryBase | None = None) -> Iterator[tuple[str | None, Step]]:
    """Yield a file's records, the first part alone where ``base`` says how far a fork took it."""
    end, until = (base.end_ordinal_exclusive, base.end_byte_offset) if base else (None, None)
    for line in lines(path, until=until):
        record = RECORD.decode(line.data) if line.data else None
        if record is not None and end is not None and record.ordinal is not None and record.ordinal >= end:
            return
        yield (record.timestamp if record else None), (session, line, record)


def _with_history(session: Session, path: Path, depth: int) -> Iterator[tuple[str | None, Step]]:
    """Yield a rollout after what it inherited: its head first, which names the parent."""
    steps = _steps(session, path)
    for at, step in steps:
        yield at, step
        if step[2] is not None:
            break
    base = session.base
    parent = rollout_of(base.thread_id, path) if base is not None and depth else None
    if base is not None and parent is not None:
        yield from _inherited(session, parent, base, depth - 1)
    yield from steps


def _inherited(session: Session, parent: Path, base: HistoryBase, depth: int) -> Iterator[tuple[str | None, Step]]:
    """Yield the part of a parent's file that a fork took over, and what the parent itself inherited."""
    first = True
    for at, (_, line, record) in _steps(session, parent, base):
        if first and record is not None and record.payload is not None:
            first = False
            older = record.payload.history_base
            grand = rollout_of(older.thread_id, parent) if older is not None and depth else None
            if older is not None and grand is not None:
                yield from _inherited(session, grand, older, depth - 1)
        yield at, (session, line, record)


class Session:
    """What must be remembered from one record to the next; with ``calls`` of another, a subagent of it."""

    def __init__(self, path: Path, calls: Calls | None = None) -> None:
        self.calls = calls or Calls()
        self.base: HistoryBase | None = None
        self._path = path
        self._side = calls is not None
        self._records = 0
        self._times: list[str] = []
        self._cut = False
        self._last: tuple[int, str | None] = (0, None)
        self._heads = 0
        self._of_agent = False
        self._cwd: str | None = None
        self._model: str | None = None
        self._prompts: Copies[Where] = Copies()
        self._says: Copies[Where] = Copies()
        self._seen: set[int] = set()
        self._compacted = 0
        self._compactions = 0
        self._noted = 0
        self._limits = NOTHING
        self._spawned: list[str] = []
        self._open_turn = False
        self._events: dict[str, Callable[[Payload, Where], Iterator[Event]]] = {
            "user_message": self._asked,
            "agent_message": self._said,
            "exec_command_end": self.calls.executed,
            "patch_apply_end": self.calls.changed,
            "item_completed": self._completed,
            "task_started": self._started,
            "turn_started": self._started,
            "task_complete": self._finished,
            "turn_complete": self._finished,
            "turn_aborted": self._aborted,
            "context_compacted": self._noted_compaction,
            "error": self._failed,
            "stream_error": self._failed,
            "token_count": self._counted,
            "collab_agent_spawn_end": self._agent,
            "sub_agent_activity": self._agent,
            "thread_settings_applied": self._moved,
        }
        self._items: dict[str, Callable[[Payload, Where], Iterator[Event]]] = {
            "UserMessage": self._asked,
            "AgentMessage": self._said,
            "CommandExecution": self.calls.executed,
            "FileChange": self.calls.changed,
            "ContextCompaction": self._noted_compaction,
            "SubAgentActivity": self._agent,
        }

    def spawned(self) -> list[str]:
        """Return the threads of the subagents that were started since the last time."""
        threads, self._spawned = self._spawned, []
        return threads

    def line(self, line: Line, record: Record | None) -> Iterator[Event]:
        """Take one line of the rollout."""
        self._records += 1
        self._cut = not line.whole and record is None
        if record is None:
            yield BadLine(record=line.number, at=None)
            return
        self._last = (line.number, record.timestamp)
        self._clock(record.timestamp)
        where = Where(line.number, record.timestamp, self._cwd, self._side)
        payload = record.payload
        if payload is None:
            yield from self._bare(line, record, where)
        elif record.type == "session_meta":
            yield from self._head(payload, where)
        elif record.type == "response_item":
            yield from self._item(payload, record, where)
        elif record.type == "event_msg":
            if not self._repeated(payload, line):
                yield from self._event(payload, where)
        elif record.type == "turn_context":
            yield from self._moved(payload, where)
        elif record.type == "compacted":
            yield from self._compaction(where)
        elif record.type not in SILENT:
            yield Unknown(record=line.number, at=record.timestamp, type=record.type or "(no type)")

    def end(self) -> Iterator[Event]:
        """Yield what is known only at the end."""
        yield from self._due()
        yield from self.calls.rest()
        number, at = self._last
        yield Tail(
            record=number,
            at=at,
            records=self._records,
            first_at=min(self._times, default=None),
            last_at=max(self._times, default=None),
            cut=self._cut,
            open_calls=self.calls.open_names(),
            open_turn=self._open_turn,
        )

    def _clock(self, at: str | None) -> None:
        if at and at[:1].isdigit():
            self._times = [min(at, *self._times), max(at, *self._times)]

    def _repeated(self, payload: Payload, line: Line) -> bool:
        """Say whether the very same message stood before; not in a fork, whose copied history shares one time."""
        if self._heads > 1 or payload.type not in {"user_message", "agent_message", "item_completed", "turn_aborted"}:
            return False
        key = hash(line.data)
        seen = key in self._seen
        self._seen.add(key)
        return seen

    def _bare(self, line: Line, record: Record, where: Where) -> Iterator[Event]:
        """Take a line of the oldest era, which has no envelope."""
        payload = PAYLOAD.decode(line.data)
        if record.type in _BARE and payload is not None:
            yield from self._item(payload, record, where)
            yield from self._due()
        elif record.id is not None and record.type == "" and record.timestamp is not None and self._heads == 0:
            self._heads += 1
            branch = record.git.branch if record.git else None
            yield Meta(record=where.record, at=where.at, session=record.id, branch=branch)
        elif record.record_type is None and record.type not in SILENT and record.type not in SILENT_ITEMS:
            yield Unknown(record=where.record, at=where.at, type=record.type or "(no type)")

    def _head(self, payload: Payload, where: Where) -> Iterator[Event]:
        """Take a session_meta; a fork's file repeats those of its ancestors, the first is its own."""
        self._heads += 1
        if self._heads > 1:
            return
        self.base = payload.history_base
        self._of_agent = begins(payload.source, b"{")
        self._cwd = payload.cwd
        yield Meta(
            record=where.record,
            at=where.at,
            client_version=payload.cli_version,
            session=payload.id,
            cwd=payload.cwd,
            branch=payload.git.branch if payload.git else None,
            forked_from=payload.forked_from_id or (self.base.thread_id if self.base else None),
        )

    def _moved(self, payload: Payload, where: Where) -> Iterator[Event]:
        cwd = path_of(payload.cwd)
        moved, model = cwd is not None and cwd != self._cwd, payload.model is not None and payload.model != self._model
        if moved or model:
            self._cwd, self._model = cwd or self._cwd, payload.model or self._model
            yield Meta(
                record=where.record, at=where.at, cwd=cwd if moved else None, model=payload.model if model else None
            )

    def _item(self, payload: Payload, record: Record, where: Where) -> Iterator[Event]:
        kind = payload.type
        if kind == "message":
            if payload.role == "user" and (text := message_text(payload)).strip():
                self._prompts.item(text, where)
            elif payload.role == "user":
                yield from self._environment(payload, where)
            elif payload.role == "assistant" and not (record.metadata and record.metadata.compaction_output):
                yield from self._due_prompts()
                self._says.item(joined(payload.content), where)
        elif kind in {"function_call", "custom_tool_call", "local_shell_call"}:
            yield from self._due()
            self._open_turn = True
            yield from self.calls.call(payload, where)
        elif kind in {"function_call_output", "custom_tool_call_output", "local_shell_call_output"}:
            self._open_turn = True
            yield from self.calls.output(payload, where)
        elif kind not in SILENT_ITEMS:
            yield Unknown(record=where.record, at=where.at, type=f"response_item/{kind}")

    def _environment(self, payload: Payload, where: Where) -> Iterator[Event]:
        """Take the folder from an <environment_context>, where no head names it (oldest era)."""
        text = joined(payload.content)
        for before, after in (("<cwd>", "</cwd>"), ("Current working directory: ", "\n")):
            _, mark, rest = text.partition(before)
            folder = rest.partition(after)[0].strip()
            if self._cwd is None and mark and folder:
                self._cwd = folder
                yield Meta(record=where.record, at=where.at, cwd=folder)

    def _event(self, payload: Payload, where: Where) -> Iterator[Event]:
        handler = self._events.get(payload.type)
        if handler is not None:
            yield from handler(payload, where)
        elif payload.type not in SILENT_EVENTS:
            yield Unknown(record=where.record, at=where.at, type=f"event_msg/{payload.type}")

    def _completed(self, payload: Payload, where: Where) -> Iterator[Event]:
        item = payload.item
        if item is None:
            return
        handler = self._items.get(item.type)
        if handler is not None:
            yield from handler(item, where)
        elif item.type not in SILENT_COMPLETED:
            yield Unknown(record=where.record, at=where.at, type=f"item_completed/{item.type}")

    def _asked(self, payload: Payload, where: Where) -> Iterator[Event]:
        text = event_text(payload)
        if text.strip() and self._prompts.event(text):
            yield from self._prompt(text, where)

    def _prompt(self, text: str, where: Where) -> Iterator[Event]:
        """Yield the person's words; a subagent's prompts are its parent's."""
        self._open_turn = True
        if not self._of_agent:
            yield Prompt(record=where.record, at=where.at, text=text)

    def _said(self, payload: Payload, where: Where) -> Iterator[Event]:
        yield from self._due_prompts()
        text = payload.message if payload.message is not None else joined(payload.content)
        if text.strip() and self._says.event(text):
            yield from self._say(text, where, payload.phase)

    def _say(self, text: str, where: Where, phase: str | None = None) -> Iterator[Event]:
        self._open_turn = False
        final = {"final_answer": True, "commentary": False}.get(phase or "")
        yield Say(record=where.record, at=where.at, text=text, final=final, subagent=where.subagent)

    def _due_prompts(self) -> Iterator[Event]:
        for text, where in self._prompts.due():
            yield from self._prompt(text, where)

    def _due(self) -> Iterator[Event]:
        """Yield the messages that stand in the file only once."""
        yield from self._due_prompts()
        for text, where in self._says.due():
            if text.strip():
                yield from self._say(text, where)

    def _started(self, _: Payload, where: Where) -> Iterator[Event]:
        yield TurnStart(record=where.record, at=where.at)

    def _finished(self, payload: Payload, where: Where) -> Iterator[Event]:
        yield from self._due()
        if payload.error is not None:
            yield from self._failure(payload.error.message, payload.error.codex_error_info, where)
            return
        self._open_turn = False
        yield TurnEnd(record=where.record, at=where.at)

    def _aborted(self, payload: Payload, where: Where) -> Iterator[Event]:
        self._open_turn = False
        yield Interrupted(record=where.record, at=where.at, reason=payload.reason or "")

    def _compaction(self, where: Where) -> Iterator[Event]:
        """Take a ``compacted`` record; the summary that the model wrote just before it is told by no event."""
        self._compacted += 1
        yield from self._count_compactions(where)

    def _noted_compaction(self, _: Payload, where: Where) -> Iterator[Event]:
        self._noted += 1
        yield from self._count_compactions(where)

    def _count_compactions(self, where: Where) -> Iterator[Event]:
        if max(self._compacted, self._noted) > self._compactions:
            self._compactions += 1
            yield Compaction(record=where.record, at=where.at)

    def _counted(self, payload: Payload, _: Where) -> Iterator[Event]:
        if begins(payload.rate_limits, b"{"):
            self._limits = payload.rate_limits
        return iter(())

    def _failed(self, payload: Payload, where: Where) -> Iterator[Event]:
        retried = payload.type == "stream_error"
        yield from self._failure(payload.message or "", payload.codex_error_info, where, retried=retried)

    def _failure(self, text: str, info: msgspec.Raw, where: Where, *, retried: bool = False) -> Iterator[Event]:
        named = bytes(info).decode("utf-8", "replace")[:400]
        kind = failures.kind_of(f"{text}\n{named}")
        resets = (failures.resets(text) or self._spent_until()) if kind == "quota" else None
        yield ApiFailure(record=where.record, at=where.at, text=text, kind=kind, resets=resets, retried=retried)

    def _spent_until(self) -> str | None:
        limits = RATE_LIMITS.decode(self._limits) if begins(self._limits, b"{") else None
        windows = [limits.primary, limits.secondary] if limits else []
        spent = [window.resets_at for window in windows if window and (window.used_percent or 0) >= SPENT]
        return failures.epoch_time(max(at for at in spent if at)) if any(spent) else None

    def _agent(self, payload: Payload, where: Where) -> Iterator[Event]:
        thread = payload.agent_thread_id or payload.new_thread_id
        if thread is None:
            return
        self._spawned.append(thread)
        yield from self.calls.subagent(thread, payload.call_id or payload.id, where, payload.agent_path or "")
