"""A Claude Code transcript -> the normalised stream."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from passdown.agents import failures
from passdown.agents.claude.background import NOTICE_STARTS
from passdown.agents.claude.calls import Calls, Where, result_of
from passdown.agents.claude.prompts import INTERRUPTED, by_person, person_text, queued_text, slash_command
from passdown.agents.claude.queue import PromptQueue
from passdown.agents.claude.records import (
    ATTACHMENT,
    PROGRESS,
    RECORD,
    SILENT,
    SILENT_SYSTEM,
    Block,
    Record,
)
from passdown.agents.claude.sidefiles import SideFiles
from passdown.agents.lines import Line, lines
from passdown.agents.stream import (
    ApiFailure,
    BadLine,
    Compaction,
    Event,
    Interrupted,
    Meta,
    PersonEdit,
    Prompt,
    Say,
    ShellResult,
    Source,
    Tail,
    TurnEnd,
    Unknown,
)
from passdown.agents.wire import begins

PLAN_PROMPT = "Implement the following plan:"
SYNTHETIC = "<synthetic>"


def read(path: Path) -> Iterator[Event]:
    """Yield the events of a transcript and of its subagents' files, in the order of their times."""
    session = Session(path)
    side = SideFiles(path)
    for line in lines(path):
        record = RECORD.decode(line.data) if line.data else None
        if record is not None and record.timestamp:
            yield from side.before(record.timestamp, session)
        yield from session.line(line, record)
    yield from side.before(None, session)
    yield from session.end()


class Session:
    """What must be remembered from one record to the next."""

    def __init__(self, path: Path) -> None:
        self._stem = path.stem
        self._calls = Calls()
        self._queue = PromptQueue()
        self._seen: set[int] = set()
        self._meta: dict[str, str | None] = {}
        self._own_agent: str | None = None
        self._records = 0
        self._times: list[str] = []
        self._cut = False
        self._last: tuple[int, str | None] = (0, None)
        self._said: set[int] = set()
        self._boundary = False
        self._expanding = False
        self._open_turn = False
        self._kinds = {
            "user": self._user,
            "assistant": self._assistant,
            "system": self._system,
            "attachment": self._attachment,
            "progress": self._progress,
            "queue-operation": self._queued,
        }

    def line(self, line: Line, record: Record | None) -> Iterator[Event]:
        """Take one line of the session's own file."""
        self._records += 1
        self._cut = not line.whole and record is None
        if record is None:
            yield BadLine(record=line.number, at=None)
            return
        self._last = (line.number, record.timestamp)
        self._clock(record.timestamp)
        if record.uuid is not None:
            key = hash(record.uuid)
            if key in self._seen:
                return
            self._seen.add(key)
        kind = self._kinds.get(record.type)
        if kind is not None:
            yield from self._about(record, line.number)
            yield from kind(record, line.number)
        elif record.type not in SILENT:
            yield Unknown(record=line.number, at=record.timestamp, type=record.type or "(no type)")

    def end(self) -> Iterator[Event]:
        """Yield what is known only at the end."""
        number, at = self._last
        yield from self._calls.rest()
        for text, record, typed_at in self._queue.left():
            if hash(text) not in self._said:
                yield Prompt(record=record, at=typed_at, text=text, source="queued")
        yield Tail(
            record=number,
            at=at,
            records=self._records,
            first_at=min(self._times, default=None),
            last_at=max(self._times, default=None),
            cut=self._cut,
            open_calls=self._calls.open_names(),
            open_turn=self._open_turn,
        )

    def side(self, record: Record, number: int, call_id: str | None = None) -> Iterator[Event]:
        """Take one record of a subagent, from its own file or out of a progress record."""
        where = Where(number, record.timestamp, record.cwd, subagent=True, denial=record.tool_denial_kind)
        if record.type == "user" and call_id is not None:
            yield from self._calls.subagent(record.agent_id, where, call_id=call_id)
        yield from self._blocks(record, where)

    def _clock(self, at: str | None) -> None:
        if at and at[:1].isdigit():
            self._times = [min(at, *self._times), max(at, *self._times)]

    def _about(self, record: Record, number: int) -> Iterator[Event]:
        """Yield the session's facts where they change."""
        if record.is_sidechain and record.agent_id and not self._meta:
            self._own_agent = record.agent_id
        if record.is_sidechain and record.agent_id != self._own_agent:
            return
        model = record.message.model if record.message and record.type == "assistant" else None
        now = {
            "client_version": record.version,
            "session": record.session_id,
            "cwd": record.cwd,
            "branch": record.git_branch or None,
            "model": model if model != SYNTHETIC else None,
            "forked_from": record.request_session_id if record.request_session_id != record.session_id else None,
        }
        if self._meta.get("session") == self._stem:
            now["session"] = None
        new = {key: value for key, value in now.items() if value and self._meta.get(key) != value}
        if new:
            self._meta.update(new)
            yield Meta(record=number, at=record.timestamp, **new)

    def _where(self, record: Record, number: int) -> Where:
        subagent = bool(record.is_sidechain) and (record.agent_id is None or record.agent_id != self._own_agent)
        return Where(number, record.timestamp, record.cwd, subagent=subagent, denial=record.tool_denial_kind)

    def _user(self, record: Record, number: int) -> Iterator[Event]:
        where = self._where(record, number)
        if record.is_compact_summary:
            if not self._boundary and not where.subagent:
                yield Compaction(record=number, at=record.timestamp)
            self._boundary = False
            return
        if where.subagent:
            if record.parent_uuid is None and record.message:
                prompt = person_text(record.message.content)
                yield from (
                    self._calls.subagent(record.agent_id, where)
                    if record.agent_id
                    else self._calls.sidechain(prompt, where)
                )
            yield from self._blocks(record, where)
            return
        yield from self._blocks(record, where)
        if record.message is not None:
            yield from self._words(record, where)

    def _words(self, record: Record, where: Where) -> Iterator[Event]:
        """Yield what the text of a user record of the main conversation means."""
        content = record.message.content if record.message else None
        for text in _texts(content):
            if text.startswith(INTERRUPTED):
                self._open_turn = False
                yield Interrupted(record=where.record, at=where.at, reason=text.strip("[]"))
            elif text.startswith(NOTICE_STARTS):
                yield from self._told(text, where)
        if not by_person(record) or self._own_agent is not None:
            return
        text = person_text(content)
        command = slash_command(text)
        if text.strip() == "" or (command is not None and (self._expanding or not command)):
            return
        self._open_turn = True
        planned = text.startswith(PLAN_PROMPT) and len(memoryview(record.plan_content)) > 0
        source: Source = "plan" if planned else "command" if command else "typed"
        if self._queue.typed(text):
            self._said.add(hash(text))
            yield Prompt(record=where.record, at=where.at, text=command or text, source=source)

    def _blocks(self, record: Record, where: Where) -> Iterator[Event]:
        """Yield what the tool calls and results of a record mean."""
        content = record.message.content if record.message else None
        for block in content if isinstance(content, list) else ():
            if block.type == "tool_use":
                yield from self._calls.call(block, where)
            elif block.type == "tool_result":
                if not where.subagent:
                    self._open_turn = True
                    self._expanding = self._calls.expands(block.tool_use_id)
                result = result_of(record) if self._calls.wants_result(block.tool_use_id) else None
                yield from self._calls.result(block, result, where)

    def _assistant(self, record: Record, number: int) -> Iterator[Event]:
        where, message = self._where(record, number), record.message
        if message is None:
            return
        text = "\n".join(text for text in _texts(message.content) if text.strip())
        if message.model == SYNTHETIC or record.is_api_error_message:
            if not where.subagent:
                yield from self._client_said(record, text, where)
            return
        self._expanding = False
        final = None if message.stop_reason is None else message.stop_reason in {"end_turn", "stop_sequence"}
        if not where.subagent:
            self._open_turn = final is False
        if text:
            yield Say(record=number, at=record.timestamp, text=text, final=final, subagent=where.subagent)
        yield from self._blocks(record, where)
        if final and not where.subagent:
            self._queue.answered()
            yield TurnEnd(record=number, at=record.timestamp)

    def _client_said(self, record: Record, text: str, where: Where) -> Iterator[Event]:
        """Yield a failure that the client wrote in the model's place; its other synthetic texts say nothing."""
        if record.is_api_error_message or text.startswith(("API Error", "Claude AI usage limit")):
            self._open_turn = False
            yield ApiFailure(
                record=where.record,
                at=where.at,
                text=text,
                kind=failures.kind_of(text),
                resets=failures.resets(text),
            )

    def _system(self, record: Record, number: int) -> Iterator[Event]:
        if record.subtype == "compact_boundary":
            self._boundary = True
            if not self._where(record, number).subagent:
                yield Compaction(record=number, at=record.timestamp)
        elif record.subtype == "api_error":
            text = bytes(record.error).decode("utf-8", "replace")[:2000]
            yield ApiFailure(record=number, at=record.timestamp, text=text, kind=failures.kind_of(text), retried=True)
        elif record.subtype not in SILENT_SYSTEM:
            yield Unknown(record=number, at=record.timestamp, type=f"system/{record.subtype}")

    def _attachment(self, record: Record, number: int) -> Iterator[Event]:
        attachment = ATTACHMENT.decode(record.attachment)
        if attachment is None or self._where(record, number).subagent:
            return
        if attachment.type == "queued_command":
            text = queued_text(attachment)
            prompt = attachment.prompt
            if isinstance(prompt, str) and prompt.startswith(NOTICE_STARTS):
                yield from self._told(prompt, self._where(record, number))
            elif text.strip() and self._queue.attached(text):
                self._said.add(hash(text))
                self._open_turn = True
                yield Prompt(record=number, at=record.timestamp, text=text, source="queued")
        elif attachment.type == "edited_text_file" and attachment.filename:
            yield PersonEdit(record=number, at=record.timestamp, path=attachment.filename)

    def _progress(self, record: Record, number: int) -> Iterator[Event]:
        progress = PROGRESS.decode(record.data)
        inner = RECORD.decode(progress.message) if progress and progress.type == "agent_progress" else None
        if inner is None or progress is None:
            return
        inner.agent_id = inner.agent_id or progress.agent_id
        inner.cwd = inner.cwd or record.cwd
        inner.timestamp = inner.timestamp or record.timestamp
        yield from self.side(inner, number, record.parent_tool_use_id)

    def _queued(self, record: Record, number: int) -> Iterator[Event]:
        content = _string(record.content)
        if content.startswith(NOTICE_STARTS):
            yield from self._told(content, self._where(record, number))
        text = self._queue.operation(record.operation, content, number, record.timestamp)
        if text is not None:
            self._said.add(hash(text))
            yield Prompt(record=number, at=record.timestamp, text=text, source="queued")

    def _told(self, text: str, where: Where) -> Iterator[ShellResult]:
        if event := self._calls.background.told(text, where.record, where.at):
            yield event


def _texts(content: str | list[Block] | None) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [block.text for block in content or () if block.type == "text"]


def _string(raw: msgspec.Raw) -> str:
    return msgspec.json.decode(raw, type=str) if begins(raw, b'"') else ""
