"""What the edit tools did to which file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from passdown.agents.claude.records import NOTHING, Input
from passdown.agents.claude.results import Answer
from passdown.agents.stream import MOST_ADDED, FileWrite
from passdown.agents.wire import text_of
from passdown.model.session import Op
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from passdown.agents.claude.where import Where

_CREATED = lazy(r"\A(?:File created successfully|New file created)")


def write_of(name: str, given: Input, answer: Answer | None, where: Where) -> Sequence[FileWrite]:
    """Return the write that the call ``name`` made or tried; ``answer`` None: its result never came."""
    path = given.file_path or given.notebook_path
    if not path:
        return ()
    added, around, removed = _lines(given)
    return (
        FileWrite(
            record=where.record,
            at=where.at,
            path=path,
            op=_op(name, given, answer),
            ok=None if answer is None else not (answer.failed or (answer.result and answer.result.error)),
            via="tool",
            cwd=where.cwd,
            subagent=where.subagent,
            executed=answer is None or not answer.refused,
            added=added,
            around=around,
            removed=removed,
        ),
    )


def _lines(given: Input) -> tuple[str, str, str]:
    """The lines that an edit put in, those that it kept, those that it took out."""
    new = [text_of(raw) for raw in (given.content, given.new_source, given.new_string) if raw is not NOTHING]
    old = [given.old_string] if given.old_string else []
    for pair in given.edits or ():
        new.append(pair.new_string)
        old.append(pair.old_string)
    if not old:
        return "\n".join(new)[:MOST_ADDED], "", ""
    before, after = "\n".join(old).split("\n"), "\n".join(new).split("\n")
    known, kept = set(before), set(after)
    parts = (
        [line for line in after if line not in known],
        [line for line in after if line in known],
        [line for line in before if line not in kept],
    )
    added, around, removed = ("\n".join(part)[:MOST_ADDED] for part in parts)
    return added, around, removed


def _op(name: str, given: Input, answer: Answer | None) -> Op:
    """A Write over an existing file modifies it; an Edit of nothing into a file that was not there creates it."""
    result, text = (answer.result, answer.text) if answer is not None else (None, "")
    if name == "Write":
        if result is not None and result.type in {"create", "update"}:
            return "create" if result.type == "create" else "modify"
        return "modify" if "has been updated" in text or "has been overwritten" in text else "create"
    if name == "Edit" and given.old_string == "":
        made = result is not None and bytes(result.original_file) in {b'""', b"null"}
        return "create" if made or _CREATED.match(text) else "modify"
    return "modify"
