"""How the session stopped, from its last events."""

from __future__ import annotations

from msgspec import Struct

from passdown.agents.stream import (
    ApiFailure,
    Event,
    FileWrite,
    Interrupted,
    Prompt,
    Say,
    ShellCall,
    ShellResult,
    Tail,
    TurnEnd,
    TurnStart,
)
from passdown.model.session import End

_LEAVING = {"/exit", "/quit", "/clear", "exit", "quit", ":q", "/logout"}
_OF_THE_CLIENT = {  # it answers these itself: they neither go on with the work nor end it
    *("/compact", "/context", "/cost", "/usage", "/status", "/model", "/config", "/help"),
    *("/permissions", "/memory", "/mcp", "/hooks", "/export", "/rename"),
}


class Ending(Struct):
    """The events that decide the end reason; later ones overrule earlier ones."""

    last: Event | None = None
    says_end: bool = False
    turn_open: bool = False
    failure: ApiFailure | None = None
    interrupted: Interrupted | None = None
    said: Say | None = None
    prompt: Prompt | None = None
    turn_end: TurnEnd | None = None
    left: Prompt | None = None
    at_work: bool = False

    def see(self, event: Event) -> None:
        """Take in one event of the main conversation."""
        match event:
            case Say(subagent=False):
                self.said, self.failure, self.interrupted, self.at_work = event, None, None, False
            case ShellCall(subagent=False):
                self.failure = self.interrupted = None
                self.at_work = True
            case ShellResult(subagent=False) | FileWrite(subagent=False):
                self.at_work = True
                return
            case Prompt(source="command") if event.text.split(maxsplit=1)[0] in _OF_THE_CLIENT:
                return
            case Prompt() if event.text.strip().lower() in _LEAVING:
                self.left = event  # what stopped the work before stays its end
            case Prompt():
                self.prompt, self.failure, self.left, self.at_work = event, None, None, False
            case Interrupted():
                self.interrupted = event
            case ApiFailure():
                self.failure = event
            case TurnStart():
                self.turn_open, self.says_end = True, self.says_end
            case TurnEnd():
                self.turn_open, self.says_end, self.turn_end, self.at_work = False, True, event, False
            case _:
                return
        self.last = event

    def end(self, tail: Tail | None) -> End:
        """The end reason and the fact for it."""
        if tail is None:
            return End(reason="unknown", because="the transcript has no records")
        if self.failure is not None:
            return _failed(self.failure)
        if self.interrupted is not None and not self._asked_since():
            because = (
                self.interrupted.reason or "the client recorded an interruption, and the agent did nothing after it"
            )
            return End(reason="interrupted", because=because, record=self.interrupted.record)
        if tail.open_calls:
            names = ", ".join(sorted(set(tail.open_calls)))
            return End(
                reason="truncated",
                because=f"the transcript ends with {len(tail.open_calls)} call(s) without a result: {names}",
                record=tail.record,
            )
        if tail.cut:
            return End(reason="truncated", because="the last line breaks off", record=tail.record)
        return self._quiet(tail)

    def _asked_since(self) -> bool:
        """A request after the interruption: the session went on, so the interruption is not its end."""
        stop = self.interrupted
        return self.prompt is not None and stop is not None and self.prompt.record > stop.record

    def _quiet(self, tail: Tail) -> End:
        if self.left is not None and self.last is self.left:
            words = self.left.text.strip()
            if self.at_work:
                because = f"the person left with {words} before the agent had answered"
                return End(reason="interrupted", because=because, record=self.left.record)
            return End(reason="finished", because=f"the person left with {words}", record=self.left.record)
        if self.says_end and not self.turn_open and (self.last is self.turn_end or not tail.open_turn):
            return End(
                reason="finished",
                because="the client recorded the end of the turn",
                record=self.turn_end.record if self.turn_end else None,
            )
        if tail.open_turn:
            if self.last is self.prompt and self.prompt is not None:
                return End(
                    reason="unknown", because="a request stands last, and no answer to it", record=self.prompt.record
                )
            return End(
                reason="truncated",
                because="the transcript ends with a result that the agent did not answer",
                record=tail.record,
            )
        if self.said is not None:
            return End(
                reason="finished",
                because="the agent's closing message stands last, and no call is open",
                record=self.said.record,
            )
        return End(reason="unknown", because="nothing in the transcript says how it ended", record=tail.record)


def _failed(failure: ApiFailure) -> End:
    text = " ".join(failure.text.split())
    return End(reason=failure.kind, because=text[:300], record=failure.record, resets=failure.resets)
