"""Prompts typed while the agent was busy: the same words may stand three times and count once."""

from __future__ import annotations

from collections import deque

from passdown.agents.claude.prompts import person_text


class PromptQueue:
    """Follows the client's queue through its operations.

    ``enqueue`` says what was typed; ``dequeue`` makes it the next user record; ``remove`` means that it
    was given to the model in mid-turn (newer clients add a queued_command attachment, older ones
    record it nowhere else); ``popAll`` puts it back under the person's cursor.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, int, str | None]] = deque()
        self._given: list[str] = []

    def operation(self, name: str, content: str, record: int, at: str | None) -> str | None:
        """Follow one operation; return the prompt that it shows to be given to the model, if any."""
        if name == "enqueue":
            self._waiting.append((content, record, at))
        elif name == "popAll":
            self._waiting.clear()
        elif name in {"dequeue", "remove"} and self._waiting:
            text = person_text(self._waiting.popleft()[0])
            if name == "remove" and text and not self._take(text):
                self._given.append(text)
                return text
        return None

    def attached(self, text: str) -> bool:
        """Note a queued_command attachment; say whether its words are new."""
        if self._take(text):
            return False
        self._given.append(text)
        return True

    def typed(self, text: str) -> bool:
        """Note a user record; say whether its words are new."""
        fresh = text not in self._given
        self._given.clear()
        return fresh

    def answered(self) -> None:
        """Note that the turn ended: equal words after it are typed anew."""
        self._given.clear()

    def left(self) -> list[tuple[str, int, str | None]]:
        """Return what was typed and never given to the model, with record and time."""
        return [(text, record, at) for content, record, at in self._waiting if (text := person_text(content))]

    def _take(self, text: str) -> bool:
        if text not in self._given:
            return False
        self._given.remove(text)
        return True
