"""Whether and when a rollout worked in a worktree, from its first and last records."""

from __future__ import annotations

from pathlib import Path

from passdown.agents.codex.prompts import joined
from passdown.agents.codex.records import PAYLOAD, RECORD, Item, Record, of_subagent, path_of
from passdown.agents.elsewhere import worked
from passdown.agents.ends import ends, modified
from passdown.agents.places import Worktree, folders_in
from passdown.agents.protocol import FoundSession
from passdown.errors import PassdownError


def found_in(path: Path, here: Worktree) -> FoundSession | None:
    """The session of the rollout at ``path``; None where it did not work here, or cannot be read."""
    try:
        first_part, last_part = ends(path)
    except (OSError, PassdownError):
        return None
    named = here.named_in(first_part) or here.named_in(last_part)
    if not named and not worked(path, here, folders_in(first_part)):
        return None
    start, end = first_part.split(b"\n"), last_part.split(b"\n")
    first = next((record for line in start if line and (record := RECORD.decode(line))), None)
    head = first.payload if first and first.type == "session_meta" else None
    session = head.id if head else first.id if first else None
    if first is None or session is None or (head is not None and of_subagent(head)):
        return None
    records = [record for line in end if line and (record := RECORD.decode(line))]
    folders = [head.cwd if head else _first_folder(start), *(_folder(record) for record in records)]
    known = list(dict.fromkeys(folder for folder in folders if folder))
    if not known or (named and not here.holds(known) and not worked(path, here, known)):
        return None
    times = [record.timestamp for record in [first, *records] if record.timestamp]
    return FoundSession(
        agent="codex",
        session=session,
        path=path,
        started=first.timestamp,
        modified=max(times, default="") or modified(path),
        cwd=known[-1],
        forked_from=head.forked_from_id if head else None,
    )


def _folder(record: Record) -> str | None:
    return path_of(record.payload.cwd) if record.type == "turn_context" and record.payload else None


def _first_folder(start: list[bytes]) -> str | None:
    """Find the folder in the <environment_context> of the oldest era."""
    payloads: list[Item | None] = [PAYLOAD.decode(line) for line in start[:8] if line]
    texts = [joined(payload.content) for payload in payloads if payload and payload.type == "message"]
    return next((text.partition("<cwd>")[2].partition("</cwd>")[0] for text in texts if "<cwd>" in text), None)
