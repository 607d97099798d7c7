"""What the envelopes say about the session itself: version, id, folder, branch, model."""

from __future__ import annotations

from passdown.agents.claude.records import Record
from passdown.agents.stream import Meta

SYNTHETIC = "<synthetic>"


class About:
    """Follows the session's own facts; ``session``: its id, where that is known beforehand.

    ``agent`` is set where the file is a subagent's own.
    """

    def __init__(self, session: str | None) -> None:
        self.agent: str | None = None
        self._session = session
        self._told: dict[str, str | None] = {}
        self._known: tuple[object, ...] = ()
        self._model: str | None = None

    def subagent(self, record: Record) -> bool:
        """Say whether a record is of a subagent, and the file not its own."""
        return bool(record.is_sidechain) and (record.agent_id is None or record.agent_id != self.agent)

    def news(self, record: Record, number: int) -> Meta | None:
        """Return what this record says anew."""
        model = record.message.model if record.type == "assistant" and record.message else self._model
        known = (record.version, record.session_id, record.cwd, record.git_branch, record.is_sidechain, model)
        if known == self._known:
            return None
        self._known, self._model = known, model
        if record.is_sidechain and record.agent_id and not self._told:
            self.agent = record.agent_id
        if self.subagent(record):
            return None
        now = {
            "client_version": record.version,
            "session": self._session or record.session_id,
            "cwd": record.cwd,
            "branch": record.git_branch,
            "model": None if model == SYNTHETIC else model,
            "forked_from": record.request_session_id if record.request_session_id != record.session_id else None,
        }
        new = {key: value for key, value in now.items() if value and self._told.get(key) != value}
        self._told.update(new)
        return Meta(record=number, at=record.timestamp, **new) if new else None
