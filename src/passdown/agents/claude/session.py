"""One session of Claude Code: what each record means, and what must be remembered between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from passdown.agents import failures
from passdown.agents.claude.about import SYNTHETIC, About
from passdown.agents.claude.background import NOTICE_STARTS
from passdown.agents.claude.calls import Calls, Where
from passdown.agents.claude.find import session_id
from passdown.agents.claude.prompts import INTERRUPTED, by_person, person_text, queued_text, slash_command
from passdown.agents.claude.queue import PromptQueue
from passdown.agents.claude.records import RECORD, SILENT, SILENT_SYSTEM, Block, Record, Result
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
        self._last: tuple[int, str | None] = (0, None)
        self._boundary = False
        self._expanding = False
        self._open_turn = False
        self._kinds: dict[str, Callable[[Record, Where], Iterable[Event]]] = {
            "user": self._user,
            "assistant": self._assistant,
            "system": self._system,
            "attachment": self._attachment,
            "progress": self._progress,
            "queue-operation": self._queued,
        }

    def line(self, number: int, record: Record | None, *, whole: bool) -> Iterable[Event]:
        """Take one line of the session's own file; ``whole``: a newline ended it."""
        self._records += 1
        if record is None:
            self._cut = not whole
            return (BadLine(record=number, at=None),)
        self._cut = False
        at = record.timestamp
        self._last = (number, at)
        self._clock.see(at)
        if record.uuid is not None:
            if (key := hash(record.uuid)) in self._seen:
                return ()
            self._seen.add(key)
        kind = self._kinds.get(record.type)
        if kind is None:
            unknown = record.type not in SILENT
            return (Unknown(record=number, at=at, type=record.type or "(no type)"),) if unknown else ()
        news = self._about.news(record, number)
        where = Where(number, at, record.cwd, self._about.subagent(record), record.tool_denial_kind)
        events = kind(record, where)
        return events if news is None else chain((news,), events)

    def side(self, record: Record, number: int, call_id: str | None) -> Iterator[Event]:
        """Take one record of a subagent, from its own file or out of a progress record."""
        where = Where(number, record.timestamp, record.cwd, subagent=True, denial=record.tool_denial_kind)
        if record.type == "user" and call_id is not None:
            yield from self._calls.subagent(record.agent_id, where, call_id=call_id)
        yield from self._blocks(record, where)

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
            first_at=self._clock.first,
            last_at=self._clock.last,
            cut=self._cut,
            open_calls=self._calls.open_names(),
            open_turn=self._open_turn,
        )

    def _user(self, record: Record, where: Where) -> Iterator[Event]:
        if record.is_compact_summary:
            if not self._boundary and not where.subagent:
                yield Compaction(record=where.record, at=where.at)
            self._boundary = False
            return
        if where.subagent and record.parent_uuid is None and record.message is not None:
            yield from self._sidechain(record, record.message.content, where)
        yield from self._blocks(record, where)
        if not where.subagent and record.message is not None:
            yield from self._words(record, record.message.content, where)

    def _sidechain(self, record: Record, content: str | list[Block] | None, where: Where) -> Iterator[Event]:
        """Count the subagent whose first record this is."""
        if record.agent_id:
            return self._calls.subagent(record.agent_id, where)
        return self._calls.sidechain(person_text(content), where)

    def _words(self, record: Record, content: str | list[Block] | None, where: Where) -> Iterator[Event]:
        """Yield what the text of a user record of the main conversation means."""
        texts = _texts(content)
        for text in texts:
            if text.startswith(INTERRUPTED):
                self._open_turn = False
                yield Interrupted(record=where.record, at=where.at, reason=text.strip("[]"))
            elif text.startswith(NOTICE_STARTS):
                yield from self._told(text, where)
        if not texts or not by_person(record) or self._about.agent is not None:
            return
        text = person_text(content)
        command = slash_command(text)
        if not text.strip() or (command is not None and (self._expanding or not command)):
            return
        self._open_turn = True
        planned = text.startswith(PLAN_PROMPT) and record.plan_content is not None
        if self._queue.typed(text):
            yield self._prompt(command or text, where, "plan" if planned else "command" if command else "typed")

    def _prompt(self, text: str, where: Where, source: Source) -> Prompt:
        self._said.add(hash(text))
        return Prompt(record=where.record, at=where.at, text=text, source=source)

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
                result = record.tool_use_result
                yield from self._calls.result(block, result if isinstance(result, Result) else None, where)

    def _assistant(self, record: Record, where: Where) -> Iterator[Event]:
        message = record.message
        if message is None:
            return
        text = "\n".join(text for text in _texts(message.content) if text.strip())
        if message.model == SYNTHETIC or record.is_api_error_message:
            yield from self._client_said(record, text, where)
            return
        final = None if message.stop_reason is None else message.stop_reason in _CLOSING
        if not where.subagent:
            self._expanding = False
            self._open_turn = final is False
        if text:
            yield Say(record=where.record, at=where.at, text=text, final=final, subagent=where.subagent)
        yield from self._blocks(record, where)
        if final and not where.subagent:
            self._queue.answered()
            yield TurnEnd(record=where.record, at=where.at)

    def _client_said(self, record: Record, text: str, where: Where) -> Iterator[Event]:
        """Yield a failure that the client wrote in the model's place; its other synthetic texts say nothing."""
        failed = record.is_api_error_message or text.startswith(("API Error", "Claude AI usage limit"))
        if failed and not where.subagent:
            self._open_turn = False
            named = bytes(record.error).decode("utf-8", "replace")[:400]
            kind, resets = failures.kind_of(f"{text}\n{named}"), failures.resets(text)
            yield ApiFailure(record=where.record, at=where.at, text=text, kind=kind, resets=resets)

    def _system(self, record: Record, where: Where) -> Iterator[Event]:
        if record.subtype == "compact_boundary":
            if not where.subagent:
                self._boundary = True
                yield Compaction(record=where.record, at=where.at)
        elif record.subtype == "api_error":
            text = bytes(record.error).decode("utf-8", "replace")[:2000]
            yield ApiFailure(record=where.record, at=where.at, text=text, kind=failures.kind_of(text), retried=True)
        elif record.subtype not in SILENT_SYSTEM:
            yield Unknown(record=where.record, at=where.at, type=f"system/{record.subtype}")

    def _attachment(self, record: Record, where: Where) -> Iterable[Event]:
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
        return ()

    def _progress(self, record: Record, where: Where) -> Iterable[Event]:
        """Take a subagent's record out of a progress record; the other kinds repeat what comes in the result."""
        progress = record.data
        inner = RECORD.decode(progress.message) if progress and progress.type == "agent_progress" else None
        if inner is None or progress is None:
            return ()
        inner.agent_id = inner.agent_id or progress.agent_id
        inner.cwd = inner.cwd or record.cwd
        inner.timestamp = inner.timestamp or record.timestamp
        return self.side(inner, where.record, record.parent_tool_use_id)

    def _queued(self, record: Record, where: Where) -> Iterator[Event]:
        content = record.content if isinstance(record.content, str) else ""
        if content.startswith(NOTICE_STARTS):
            yield from self._told(content, where)
        text = self._queue.operation(record.operation, content, where.record, where.at)
        if text is not None:
            yield self._prompt(text, where, "queued")

    def _told(self, text: str, where: Where) -> Iterator[ShellResult]:
        if event := self._calls.background.told(text, where.record, where.at):
            yield event


def _texts(content: str | list[Block] | None) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [block.text for block in content or () if block.type == "text"]
