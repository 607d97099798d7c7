"""One session of Claude Code: what each record means, and what must be remembered between them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

from passdown.agents import failures
from passdown.agents.claude.about import SYNTHETIC, About
from passdown.agents.claude.background import NOTICE_STARTS
from passdown.agents.claude.calls import Calls
from passdown.agents.claude.find import session_id
from passdown.agents.claude.prompts import INTERRUPTED, by_person, person_text, queued_text, slash_command
from passdown.agents.claude.queue import PromptQueue
from passdown.agents.claude.records import (
    RECORD,
    SILENT,
    SILENT_ATTACHMENTS,
    SILENT_BLOCKS,
    SILENT_PROGRESS,
    SILENT_SYSTEM,
    Block,
    Record,
    Result,
)
from passdown.agents.claude.where import Where
from passdown.agents.clock import Clock
from passdown.agents.stream import (
    ApiFailure,
    BadLine,
    Compaction,
    Event,
    Interrupted,
    PersonEdit,
    Prompt,
    Say,
    ShellResult,
    Source,
    Tail,
    TurnEnd,
    Unknown,
)

PLAN_PROMPT = "Implement the following plan:"
_CLOSING = frozenset({"end_turn", "stop_sequence"})


class Session:
    """Takes the records of a session's own file and of its subagents, in the order of their times."""

    def __init__(self, path: Path) -> None:
        self._about = About(session_id(path))
        self._calls = Calls(path.with_suffix(""))
        self.spawned = self._calls.spawned
        self._queue = PromptQueue()
        self._clock = Clock()
        self._seen: set[int] = set()
        self._said: set[int] = set()
        self._records = 0
        self._cut = False
        self._last = 0
        self._at: str | None = None
        self._boundary = False
        self._open_turn = False
        self._kinds: dict[str, Callable[[Record, Where], Sequence[Event]]] = {
            "user": self._user,
            "assistant": self._assistant,
            "system": self._system,
            "attachment": self._attachment,
            "progress": self._progress,
            "queue-operation": self._queued,
        }

    def line(self, number: int, record: Record | None, *, whole: bool) -> Sequence[Event]:
        """Take one line of the session's own file; ``whole``: a newline ended it."""
        self._records += 1
        if record is None:
            self._cut = not whole
            return (BadLine(record=number, at=None),)
        self._cut = False
        at = record.timestamp
        self._last, self._at = number, at
        clock = self._clock
        # Nearly always so, and a call takes as long as what it does.
        if at is not None and clock.last is not None and clock.last <= at < ":":
            clock.last = at
        else:
            clock.see(at)
        if record.uuid is not None and self._known(record.uuid):
            return ()
        kind = self._kinds.get(record.type)
        if kind is None:
            unknown = record.type not in SILENT
            return (Unknown(record=number, at=at, type=record.type or "(no type)"),) if unknown else ()
        news = self._about.news(record, number)
        side = record.is_sidechain is True and self._about.subagent(record)
        events = kind(record, Where(number, at, record.cwd, side, record.tool_denial_kind))
        return events if news is None else (news, *events)

    def _known(self, key: Hashable) -> bool:
        """Say whether a record of that key stood here before; resuming and copying write some twice."""
        seen, mark = self._seen, hash(key)
        if mark in seen:
            return True
        seen.add(mark)
        return False

    def side(self, record: Record, number: int, call_id: str | None) -> Sequence[Event]:
        """Take one record of a subagent, from its own file or out of a progress record."""
        where = Where(number, record.timestamp, record.cwd, subagent=True, denial=record.tool_denial_kind)
        if record.type == "user" and call_id is not None:
            return (*self._calls.subagent(record.agent_id, where, call_id=call_id), *self._parts(record, where)[0])
        return self._parts(record, where)[0]

    def end(self) -> Sequence[Event]:
        """Return what is known only at the end."""
        tail = Tail(
            record=self._last,
            at=self._at,
            records=self._records,
            first_at=self._clock.first,
            last_at=self._clock.last,
            cut=self._cut,
            open_calls=self._calls.open_names(),
            open_turn=self._open_turn,
        )
        left = [
            Prompt(record=record, at=typed_at, text=text, source="queued")
            for text, record, typed_at in self._queue.left()
            if hash(text) not in self._said
        ]
        return (*self._calls.rest(), *left, tail)

    def _user(self, record: Record, where: Where) -> Sequence[Event]:
        if record.is_compact_summary:
            counted = self._boundary or where.subagent
            self._boundary = False
            return () if counted else (Compaction(record=where.record, at=where.at),)
        if record.message is None:
            return ()
        if where.subagent:
            begun = () if record.parent_uuid is not None else self._sidechain(record, record.message.content, where)
            return (*begun, *self._parts(record, where)[0])
        events, texts = self._parts(record, where)
        return (*events, *self._words(record, texts, where)) if texts else events

    def _sidechain(self, record: Record, content: str | list[Block] | None, where: Where) -> Sequence[Event]:
        """Count the subagent whose first record this is."""
        if record.agent_id:
            return self._calls.subagent(record.agent_id, where)
        return self._calls.sidechain(person_text(content), where)

    def _words(self, record: Record, texts: list[str], where: Where) -> Sequence[Event]:
        """Return what the text of a user record of the main conversation means."""
        events: list[Event] = []
        for text in texts:
            if text.startswith(INTERRUPTED):
                self._open_turn = False
                events.append(Interrupted(record=where.record, at=where.at, reason=text.strip("[]")))
            elif text.startswith(NOTICE_STARTS):
                events += self._told(text, where)
        return (*events, *self._asked(record, where))

    def _asked(self, record: Record, where: Where) -> Sequence[Event]:
        """Return the prompt that a user record with text is, if a person typed it."""
        if record.message is None or not by_person(record) or self._about.agent is not None:
            return ()
        text = person_text(record.message.content)
        command = slash_command(text)
        if not text.strip() or (command is not None and (self._calls.expanding or not command)):
            return ()
        self._open_turn = True
        if not self._queue.typed(text):
            return ()
        planned = text.startswith(PLAN_PROMPT) and record.plan_content is not None
        return (self._prompt(command or text, where, "plan" if planned else "command" if command else "typed"),)

    def _prompt(self, text: str, where: Where, source: Source) -> Prompt:
        self._said.add(hash(text))
        return Prompt(record=where.record, at=where.at, text=text, source=source)

    def _parts(self, record: Record, where: Where) -> tuple[Sequence[Event], list[str]]:
        """Return what the tool calls and results of a record mean, and its texts."""
        content = record.message.content if record.message else None
        if not isinstance(content, list):
            return (), [content] if content is not None else []
        events: Sequence[Event] = ()
        texts: list[str] = []
        for block in content:
            kind = block.type
            if kind == "text":
                texts.append(block.text)
            elif kind == "tool_use":
                found = self._calls.call(block, where)
                events = (*events, *found) if events else found
            elif kind == "tool_result":
                found = self._result(block, record, where)
                events = (*events, *found) if events else found
            elif kind not in SILENT_BLOCKS:
                events = (*events, _unknown(f"{record.type}/content", kind, where))
        return events, texts

    def _result(self, block: Block, record: Record, where: Where) -> Sequence[Event]:
        if not where.subagent:
            self._open_turn = True
        result = record.tool_use_result
        return self._calls.result(block, result if isinstance(result, Result) else None, where)

    def _assistant(self, record: Record, where: Where) -> Sequence[Event]:
        message = record.message
        if message is None:
            return ()
        if message.model == SYNTHETIC or record.is_api_error_message:
            return self._client_said(record, where)
        final = None if message.stop_reason is None else message.stop_reason in _CLOSING
        if not where.subagent:
            self._calls.expanding = False
            self._open_turn = final is False
        events, texts = self._parts(record, where)
        if text := _joined(texts):
            said = Say(record=where.record, at=where.at, text=text, final=final, subagent=where.subagent)
            events = (said, *events)
        if final and not where.subagent:
            self._queue.answered()
            return (*events, TurnEnd(record=where.record, at=where.at))
        return events

    def _client_said(self, record: Record, where: Where) -> Sequence[Event]:
        """Return a failure that the client wrote in the model's place; its other synthetic texts say nothing."""
        text = _joined(_texts(record.message.content if record.message else None))
        failed = record.is_api_error_message or text.startswith(("API Error", "Claude AI usage limit"))
        if not failed or where.subagent:
            return ()
        self._open_turn = False
        named = bytes(record.error).decode("utf-8", "replace")[:400]
        kind, resets = failures.kind_of(f"{text}\n{named}"), failures.resets(text)
        return (ApiFailure(record=where.record, at=where.at, text=text, kind=kind, resets=resets),)

    def _system(self, record: Record, where: Where) -> Sequence[Event]:
        if record.subtype == "compact_boundary":
            if where.subagent:
                return ()
            self._boundary = True
            return (Compaction(record=where.record, at=where.at),)
        if record.subtype == "api_error":
            text = bytes(record.error).decode("utf-8", "replace")[:2000]
            kind = failures.kind_of(text)
            return (ApiFailure(record=where.record, at=where.at, text=text, kind=kind, retried=True),)
        if record.subtype in SILENT_SYSTEM:
            return ()
        return (_unknown("system", record.subtype, where),)

    def _attachment(self, record: Record, where: Where) -> Sequence[Event]:
        attachment = record.attachment
        if attachment is None or where.subagent:
            return ()
        if attachment.type == "queued_command":
            prompt, text = attachment.prompt, queued_text(attachment)
            if isinstance(prompt, str) and prompt.startswith(NOTICE_STARTS):
                return self._told(prompt, where)
            if text.strip() and self._queue.attached(text):
                self._open_turn = True
                return (self._prompt(text, where, "queued"),)
        elif attachment.type == "edited_text_file" and attachment.filename:
            return (PersonEdit(record=where.record, at=where.at, path=attachment.filename),)
        elif attachment.type not in SILENT_ATTACHMENTS:
            return (_unknown("attachment", attachment.type, where),)
        return ()

    def _progress(self, record: Record, where: Where) -> Sequence[Event]:
        """Take a subagent's record out of a progress record; the other kinds repeat what comes in the result."""
        progress = record.data
        if progress is None or progress.type in SILENT_PROGRESS:
            return ()
        if progress.type != "agent_progress":
            return (_unknown("progress", progress.type, where),)
        inner = RECORD.decode(progress.message)
        if inner is None:
            return ()
        inner.agent_id = inner.agent_id or progress.agent_id
        inner.cwd = inner.cwd or record.cwd
        inner.timestamp = inner.timestamp or record.timestamp
        return self.side(inner, where.record, record.parent_tool_use_id)

    def _queued(self, record: Record, where: Where) -> Sequence[Event]:
        content = record.content if isinstance(record.content, str) else ""
        if where.at is not None and self._known((record.operation, where.at, content)):
            return ()
        told = self._told(content, where) if content.startswith(NOTICE_STARTS) else ()
        text = self._queue.operation(record.operation, content, where.record, where.at)
        return told if text is None else (*told, self._prompt(text, where, "queued"))

    def _told(self, text: str, where: Where) -> Sequence[ShellResult]:
        event = self._calls.background.told(text, where.record, where.at)
        return () if event is None else (event,)


def _unknown(of: str, kind: str, where: Where) -> Unknown:
    return Unknown(record=where.record, at=where.at, type=f"{of}/{kind or '(no type)'}")


def _texts(content: str | list[Block] | None) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [block.text for block in content or () if block.type == "text"]


def _joined(texts: list[str]) -> str:
    """Join those texts that say something; an only one is not copied."""
    if len(texts) < 2:  # noqa: PLR2004 - nothing to join
        return texts[0] if texts and not texts[0].isspace() else ""
    return "\n".join(text for text in texts if text.strip())
