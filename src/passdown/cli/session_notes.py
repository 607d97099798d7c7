"""Asking a run that stops for what its diff does not show."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from passdown.model.event import Note

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from passdown.cli.session_facts import Session

ASKED = (
    "Passdown, once: this run changed files and left no note. What should the next run know that the diff does not "
    'show? `passdown note decision|dead-end|question|step "..."`, one each. Nothing to add? Stop.'
)


def question(session: Session) -> str:
    """The question; "" where the run was asked, noted or changed nothing, or where nobody sits there to wait."""
    context = session.context
    if session.asked() or not session.snapshots or not _wanted(session):
        return ""
    task, first = context.task, session.snapshots[0]
    if task is None or first.data.get("tree") == context.snapshot.tree:
        return ""
    noted = any(isinstance(r.body, Note) and r.task == task.id and r.at >= first.at for r in context.recorder.records())
    return "" if noted else ASKED


def _wanted(session: Session) -> bool:
    """Whether the policy has runs asked: always, never, or where a person waits."""
    wanted = session.context.policy.notes_asked
    if wanted == "attended":
        return attended(session.client, os.environ, session.transcript)
    return wanted == "always"


def attended(client: str, environ: Mapping[str, str], transcript: Path | None) -> bool:
    """Whether a person may be waiting: not in `claude -p` and `codex exec`, where a turn more costs for nothing."""
    if client == "claude":
        scripted = environ.get("CLAUDE_CODE_ENTRYPOINT", "cli").startswith("sdk")
        return not scripted and environ.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"
    from passdown.agents.codex.attended import attended as at_codex

    return transcript is not None and at_codex(transcript)
