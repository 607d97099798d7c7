"""One Codex thread: what each record means, and what must be remembered between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from passdown.agents import failures
from passdown.agents.clock import Clock
from passdown.agents.codex.calls import Calls, Where
from passdown.agents.codex.copies import Copies, Pairs
from passdown.agents.codex.limits import spent_until
from passdown.agents.codex.prompts import event_text, joined, message_text
from passdown.agents.codex.records import (
    PAYLOAD,
    SILENT,
    SILENT_COMPLETED,
    SILENT_EVENTS,
    SILENT_ITEMS,
    HistoryBase,
    Item,
    Payload,
    Record,
    of_subagent,
    path_of,
    whole,
)
from passdown.agents.stream import (
    ApiFailure,
    BadLine,
    Compaction,
    Event,
    Interrupted,
    Meta,
    Prompt,
    Say,
    Tail,
    TurnEnd,
    TurnStart,
    Unknown,
)

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
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_BY_CALL = frozenset({"exec_command_end", "patch_apply_end"})  # once for each call, whatever their lines
_FINAL = {"final_answer": True, "commentary": False}

Handler = Callable[[Payload, Where], Sequence[Event]]
WholeHandler = Callable[[Item, Where], Sequence[Event]]


class Session:
    """What must be remembered from one record to the next; with ``calls`` of another, a subagent of it."""

    def __init__(self, calls: Calls | None = None) -> None:
        self.calls = calls or Calls()
        self.base: HistoryBase | None = None
        self.spawned: list[str] = []
        self._side = calls is not None
        self._clock = Clock()
        self._id: str | None = None
        self._copied = False
        self._bare_line = 0
        self._of_agent = False
        self._cwd: str | None = None
        self._model: str | None = None
        self._prompts: Copies[Where] = Copies()
        self._says: Copies[Where] = Copies()
        self._seen: set[int] = set()
        self._compactions = Pairs()
        self._counted: Payload | None = None
        self._open_turn = False
        self._stopped: Interrupted | None = None
        self._events = self._of_events()
        self._whole_events = self._of_whole_events()
        self._completions = self._of_completions()

    def _of_events(self) -> dict[str, Handler]:
        """What an event of each type means."""
        return {
            "user_message": self._asked,
            "agent_message": self._said,
            "item_completed": self._completed,
            "task_started": self._started,
            "turn_started": self._started,
            "context_compacted": self._noted_compaction,
        }

    def _of_whole_events(self) -> dict[str, WholeHandler]:
        """The same for those of which all fields are wanted."""
        return {
            "exec_command_end": self.calls.executed,
            "patch_apply_end": self.calls.changed,
            "task_complete": self._finished,
            "turn_complete": self._finished,
            "turn_aborted": self._aborted,
            "error": self._failed,
            "stream_error": self._failed,
            "collab_agent_spawn_end": self._agent,
            "sub_agent_activity": self._agent,
        }

    def _of_completions(self) -> dict[str, WholeHandler]:
        """What a completed item of each type means."""
        return {
            "UserMessage": self._asked,
            "AgentMessage": self._said,
            "CommandExecution": self.calls.executed,
            "FileChange": self.calls.changed,
            "ContextCompaction": self._noted_compaction,
            "SubAgentActivity": self._agent,
        }

    def line(self, number: int, record: Record | None, data: bytes) -> Sequence[Event]:
        """Take one line; ``data`` is the line itself."""
        if record is None:
            return (BadLine(record=number, at=None),)
        payload, at, kind = record.payload, record.timestamp, record.type
        clock = self._clock
        # Nearly always so, and a call takes as long as what it does.
        if at is not None and clock.last is not None and clock.last <= at < ":":
            clock.last = at
        else:
            clock.see(at)
        if kind == "response_item" and payload is not None:
            if payload.type in _OUTPUTS:
                self._open_turn = True
                return self.calls.output(payload, Where(number, at, self._cwd, self._side))
            if payload.type in SILENT_ITEMS:
                return ()
            if payload.role == "assistant" and self._says.told and not self._prompts.held:
                return ()  # its event is the copy that counts
            return self._item(payload, record, data, Where(number, at, self._cwd, self._side))
        where = Where(number, at, self._cwd, self._side)
        if payload is None:
            return self._bare(record, data, where)
        if kind == "event_msg":
            handler = self._events.get(payload.type)
            if handler is None:
                return self._seldom(payload, data, where)
            return handler(payload, where) if self._new(data) else ()
        return self._framing(kind, payload, data, where)

    def _framing(self, kind: str, payload: Payload, data: bytes, where: Where) -> Sequence[Event]:
        """Take a line that is neither an item nor an event: the session's head, a turn's, a compaction."""
        if kind == "turn_context":
            return self._moved(payload, where)
        if kind == "session_meta":
            head = whole(data)
            return () if head is None else self._head(head, where)
        if kind == "compacted":
            return self._compaction(where) if self._new(data) else ()
        return () if kind in SILENT else (Unknown(record=where.record, at=where.at, type=kind or "(no type)"),)

    def end(self, records: int, last: int, *, cut: bool) -> Sequence[Event]:
        """Return what is known only at the end: how many lines there were, the last one's number, whether it is cut."""
        left = (*self._due(), *self.calls.rest())
        tail = Tail(
            record=last,
            at=self._clock.last,
            records=records,
            first_at=self._clock.first,
            last_at=self._clock.last,
            cut=cut,
            open_calls=self.calls.open_names(),
            open_turn=self._open_turn,
        )
        return (*left, tail)

    def _new(self, data: bytes) -> bool:
        """Say whether this very line stands here for the first time; a fork's copied history shares one time."""
        if self._copied:
            return True
        seen, key = self._seen, hash(data)
        if key in seen:
            return False
        seen.add(key)
        return True

    def _fresh(self, record: Record, data: bytes) -> bool:
        """The same for a message; the oldest era has no times, so that only the line before tells."""
        if record.payload is not None:
            return self._new(data)
        before, self._bare_line = self._bare_line, hash(data)
        return before != self._bare_line

    def _bare(self, record: Record, data: bytes, where: Where) -> Sequence[Event]:
        """Take a line of the oldest era, which has no envelope."""
        payload = PAYLOAD.decode(data)
        if record.type in _BARE and payload is not None:
            return (*self._item(payload, record, data, where), *self._due())
        if record.id is not None and record.type == "" and record.timestamp is not None:
            if self._id is not None:
                return ()
            self._id = record.id
            branch = record.git.branch if record.git else None
            return (Meta(record=where.record, at=where.at, session=record.id, branch=branch),)
        if record.record_type is None and record.type not in SILENT and record.type not in SILENT_ITEMS:
            return (Unknown(record=where.record, at=where.at, type=record.type or "(no type)"),)
        return ()

    def _head(self, payload: Item, where: Where) -> Sequence[Event]:
        """Take a session_meta; a fork's file repeats those of its ancestors, the first is its own."""
        if self._id is not None:
            self._copied = self._copied or (payload.id != self._id and where.record >= 0)
            return ()
        self._id = payload.id or ""
        self.base = payload.history_base
        self._of_agent = of_subagent(payload)
        self._cwd = payload.cwd
        meta = Meta(
            record=where.record,
            at=where.at,
            client_version=payload.cli_version,
            session=payload.id,
            cwd=payload.cwd,
            branch=payload.git.branch if payload.git else None,
            forked_from=payload.forked_from_id or (self.base.thread_id if self.base else None),
        )
        return (meta,)

    def _moved(self, payload: Payload, where: Where) -> Sequence[Event]:
        """Take a folder or a model that a turn brings."""
        cwd, model = path_of(payload.cwd) or self._cwd, payload.model or self._model
        if cwd == self._cwd and model == self._model:
            return ()
        meta = Meta(
            record=where.record,
            at=where.at,
            cwd=cwd if cwd != self._cwd else None,
            model=model if model != self._model else None,
        )
        self._cwd, self._model = cwd, model
        return (meta,)

    def _item(self, payload: Payload, record: Record, data: bytes, where: Where) -> Sequence[Event]:
        kind = payload.type
        if kind in _OUTPUTS:
            self._open_turn = True
            return self.calls.output(payload, where)
        if kind in _CALLS:
            self._open_turn = True
            given = (whole(data) or payload) if kind == "local_shell_call" else payload
            if self._prompts.held or self._says.held:
                return (*self._due(), *self.calls.call(given, where))
            return self.calls.call(given, where)
        if kind == "message":
            return self._message(payload, record, data, where)
        if kind in SILENT_ITEMS:
            return ()
        return (Unknown(record=where.record, at=where.at, type=f"response_item/{kind}"),)

    def _message(self, payload: Payload, record: Record, data: bytes, where: Where) -> Sequence[Event]:
        """Take a message among the response items; where the events tell it too, theirs is the copy that counts."""
        if payload.role == "assistant":
            if self._fresh(record, data) and not (record.metadata and record.metadata.compaction_output):
                self._says.item(joined(payload.content), where)
                return self._due_prompts()
        elif payload.role == "user" and not (self._prompts.told and self._cwd is not None):
            text = message_text(payload) if self._fresh(record, data) else ""
            if text.strip():
                due = self._due() if self._says.held else ()
                self._prompts.item(text, where)
                return due
            if self._cwd is None:
                return self._environment(payload, where)
        return ()

    def _environment(self, payload: Payload, where: Where) -> Sequence[Event]:
        """Take the folder from an <environment_context>, where no head names it (oldest era)."""
        text = joined(payload.content)
        for before, after in (("<cwd>", "</cwd>"), ("Current working directory: ", "\n")):
            _, mark, rest = text.partition(before)
            folder = rest.partition(after)[0].strip()
            if mark and folder:
                self._cwd = folder
                return (Meta(record=where.record, at=where.at, cwd=folder),)
        return ()

    def _seldom(self, payload: Payload, data: bytes, where: Where) -> Sequence[Event]:
        """Take an event of which all fields are wanted, or that carries no fact of its own."""
        handler = self._whole_events.get(payload.type)
        if handler is not None:
            if payload.type not in _BY_CALL and not self._new(data):
                return ()
            item = whole(data)
            return () if item is None else handler(item, where)
        if payload.type not in SILENT_EVENTS:
            return (Unknown(record=where.record, at=where.at, type=f"event_msg/{payload.type}"),)
        if payload.type == "token_count":
            self._counted = payload
        return ()

    def _completed(self, payload: Payload, where: Where) -> Sequence[Event]:
        item = payload.item
        if item is None or item.type in SILENT_COMPLETED:
            return ()
        handler = self._completions.get(item.type)
        if handler is None:
            return (Unknown(record=where.record, at=where.at, type=f"item_completed/{item.type}"),)
        if self._stopped is not None:  # told late: in code mode a command is first named after the abort that ended it
            stopped, told = self._stopped, handler(item, where)
            return (*told, stopped)
        return handler(item, where)

    def _asked(self, payload: Payload, where: Where) -> Sequence[Event]:
        text = event_text(payload)
        return self._prompt(text, where) if text.strip() and self._prompts.event(text) else ()

    def _prompt(self, text: str, where: Where) -> Sequence[Event]:
        """Return the person's words; a subagent's prompts are its parent's."""
        self._open_turn, self._stopped = True, None
        return () if self._of_agent else (Prompt(record=where.record, at=where.at, text=text),)

    def _said(self, payload: Payload, where: Where) -> Sequence[Event]:
        due = self._due_prompts() if self._prompts.held else ()
        text = payload.message if payload.message is not None else joined(payload.content)
        if not text or text.isspace() or not self._says.event(text):
            return due
        said = self._say(text, where, payload.phase)
        return (*due, said) if due else (said,)

    def _say(self, text: str, where: Where, phase: str | None = None) -> Say:
        self._open_turn = False
        final = _FINAL.get(phase) if phase is not None else None
        return Say(record=where.record, at=where.at, text=text, final=final, subagent=where.subagent)

    def _due_prompts(self) -> Sequence[Event]:
        return [event for text, where in self._prompts.due() for event in self._prompt(text, where)]

    def _due(self) -> Sequence[Event]:
        """Return the messages that stand in the file only once."""
        prompts = self._due_prompts()
        return (*prompts, *[self._say(text, where) for text, where in self._says.due() if text.strip()])

    def _started(self, _: Payload, where: Where) -> Sequence[Event]:
        self._stopped = None
        return (TurnStart(record=where.record, at=where.at),)

    def _finished(self, payload: Item, where: Where) -> Sequence[Event]:
        due = self._due()
        if payload.error is not None:
            return (*due, self._failure(payload.error.message, payload.error.codex_error_info, where))
        self._open_turn = False
        return (*due, TurnEnd(record=where.record, at=where.at))

    def _aborted(self, payload: Item, where: Where) -> Sequence[Event]:
        self._open_turn = False
        self._stopped = Interrupted(record=where.record, at=where.at, reason=payload.reason or "")
        return (self._stopped,)

    def _compaction(self, where: Where) -> Sequence[Event]:
        """Take a ``compacted`` record; the summary that the model wrote just before it is told by no event."""
        self._says.held.clear()
        return (Compaction(record=where.record, at=where.at),) if self._compactions.record() else ()

    def _noted_compaction(self, _: Payload, where: Where) -> Sequence[Event]:
        return (Compaction(record=where.record, at=where.at),) if self._compactions.event() else ()

    def _failed(self, payload: Item, where: Where) -> Sequence[Event]:
        retried = payload.type == "stream_error"
        return (self._failure(payload.message or "", payload.codex_error_info, where, retried=retried),)

    def _failure(self, text: str, info: msgspec.Raw, where: Where, *, retried: bool = False) -> ApiFailure:
        named = bytes(info).decode("utf-8", "replace")[:400]
        kind = failures.kind_of(f"{text}\n{named}")
        resets = (failures.resets(text) or spent_until(self._counted)) if kind == "quota" else None
        return ApiFailure(record=where.record, at=where.at, text=text, kind=kind, resets=resets, retried=retried)

    def _agent(self, payload: Item, where: Where) -> Sequence[Event]:
        thread = payload.agent_thread_id or payload.new_thread_id
        if thread is None:
            return ()
        self.spawned.append(thread)
        return self.calls.subagent(thread, payload.call_id or payload.id, where, payload.agent_path or "")
