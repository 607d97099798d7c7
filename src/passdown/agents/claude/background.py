"""Commands that go on in the background, and the notices that tell their end."""

from __future__ import annotations

import re
from typing import NamedTuple

from passdown.agents.stream import ShellResult
from passdown.rules.patterns import lazy

_TAG = lazy(r"<(task-id|shell-id|tool-use-id|status|summary|exit_code)>(.*?)</\1>", re.DOTALL)
_EXIT = lazy(r"\bexit code (-?\d{1,9})\b")
_STARTED = lazy(r"\ACommand .{0,120}?\bbackground\w*\b.{0,40}? with ID: (\S+?)\.?(?:\s|\Z)")
_HEAD = 8 * 1024  # characters, in which the client's own tags stand
NOTICE_STARTS = ("<task-notification>", "<bash-notification>", "<agent-notification>")


class Notice(NamedTuple):
    """A client's message about a background task."""

    task: str
    call: str
    status: str
    exit: int | None


def notice(text: str) -> Notice:
    """Read a ``<task-notification>``; the exit code stands only in its summary, after the quoted description."""
    tags = _tags(text)
    codes = _EXIT.findall(tags.get("summary", "").rpartition('"')[2])
    return Notice(
        task=tags.get("task-id") or tags.get("shell-id", ""),
        call=tags.get("tool-use-id", ""),
        status=tags.get("status", ""),
        exit=int(codes[-1]) if codes else None,
    )


def _tags(text: str) -> dict[str, str]:
    """The client's tags; the first of a name stands, since a command's output follows them."""
    return dict(reversed(_TAG.findall(text, 0, _HEAD)))


class Background:
    """The running commands of a session: task id -> call id."""

    def __init__(self) -> None:
        self._calls: dict[str, str] = {}
        self._open: set[str] = set()

    def start(self, call_id: str, task: str | None, text: str) -> bool:
        """Note that ``call_id`` goes on, if its result says so."""
        found = _STARTED.match(text)
        task = task or (found[1] if found else None)
        if task is None:
            return False
        self._calls[task] = call_id
        self._open.add(call_id)
        return True

    def told(self, text: str, record: int, at: str | None) -> ShellResult | None:
        """Read a notice; None where it is of no shell command, or tells nothing new."""
        news = notice(text)
        call = self._calls.get(news.task) or news.call
        if call not in self._open or news.status in {"", "running"}:
            return None
        return self._ended(call, news.exit, "", record, at)

    def polled(self, task: str | None, text: str, record: int, at: str | None) -> ShellResult | None:
        """Read the answer of BashOutput or TaskOutput about ``task``."""
        call = self._calls.get(task or "")
        if call not in self._open or call is None:
            return None
        tags = _tags(text)
        status, code = tags.get("status", ""), tags.get("exit_code", "").strip()
        if status in {"", "running", "pending"}:
            return ShellResult(record=record, at=at, call_id=call, exit=None, ok=None, output=text, running=True)
        return self._ended(call, int(code) if re.fullmatch(r"-?\d{1,9}", code) else None, text, record, at)

    def stopped(self, task: str | None, record: int, at: str | None) -> ShellResult | None:
        """Note that the agent killed ``task``."""
        call = self._calls.get(task or "")
        return self._ended(call, None, "", record, at, interrupted=True) if call in self._open and call else None

    def _ended(
        self, call: str, code: int | None, output: str, record: int, at: str | None, *, interrupted: bool = False
    ) -> ShellResult:
        self._open.discard(call)
        ok = None if code is None else code == 0
        return ShellResult(record=record, at=at, call_id=call, exit=code, ok=ok, output=output, interrupted=interrupted)
