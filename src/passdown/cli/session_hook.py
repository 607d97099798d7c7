"""The whole Passdown at a session's events: what the session is told as it begins, the worktree at its ends.

Run by the hook in its own place, with the payload on standard input; arguments: the client, the worktree's root.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager

from passdown.cli.context import Context
from passdown.cli.session_facts import Session
from passdown.errors import in_a_line
from passdown.guard.hook.scan import Json, dumps, received, text_of
from passdown.ledger.locks import exclusive

_SECONDS = 10.0


def main() -> int:
    """One payload on standard input. Whatever fails stops no session: one line, exit 0."""
    event = ""
    try:
        payload = received()
        event = text_of(payload.get("hook_event_name"))
        return _answer(payload, *sys.argv[1:3])
    except Exception as error:  # noqa: BLE001 -- an edge of a process of its own
        line = f"Passdown could not follow this session ({in_a_line(error)}); a person runs: passdown doctor"
        sys.stderr.write(f"{line}\n")
        if event == "SessionStart":
            sys.stdout.write(dumps({"systemMessage": line}))
        return 0


def _answer(payload: Json, client: str, root: str) -> int:
    os.chdir(root)
    context = Context()
    session = Session(context, client, payload)
    with _alone(context):
        answer = _EVENTS[session.event](session)
    if answer:
        sys.stdout.write(dumps(answer))
    return 0


def _alone(context: Context) -> AbstractContextManager[bool]:
    """One event at a time: the same event may come from two settings files."""
    folder = context.place.home / "guard"
    folder.mkdir(parents=True, exist_ok=True)
    return exclusive(folder / f"session-{context.place.worktree_id}.lock", _SECONDS)


def _start(session: Session) -> Json:
    """What the session is told, once a start."""
    from passdown.cli.session_opening import opened

    if session.told_just_now():
        return {}
    session.keep_start()
    told = opened(session)
    session.note_told(told.packet, said=bool(told.text))
    output: Json = {}
    if told.text:
        output["hookSpecificOutput"] = {"hookEventName": session.event, "additionalContext": told.text}
    if told.to_person:
        output["systemMessage"] = told.to_person
    return output


def _stop(session: Session) -> Json:
    """Ask for notes, at most once a session."""
    from passdown.cli.session_notes import question

    asked = question(session)
    session.keep_end(held=False)
    if not asked:
        return {}
    session.note_told(None, said=True)
    return {"decision": "block", "reason": asked}


def _end(session: Session) -> Json:
    session.keep_end()
    return {}


_EVENTS = {"SessionStart": _start, "Stop": _stop, "PreCompact": _end, "SessionEnd": _end}


if __name__ == "__main__":
    sys.exit(main())
