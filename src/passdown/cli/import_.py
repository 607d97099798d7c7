"""``passdown import``: take in what another tool or person left, as things that are only said."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from passdown.cli.context import Context
from passdown.cli.output import at_terminal, entered, fit, plain, print_json, say
from passdown.cli.paint import screen_width
from passdown.errors import PassdownError
from passdown.model.event import Note
from passdown.packet.foreign_note import SHAPES, Entry, Shape, entries
from passdown.packet.text import clock, quote
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from passdown.rules.task import TaskView

LIMIT = 1024 * 1024
_WORDS = {
    "assumption": "only said",
    "dead-end": "dead end",
    "step": "step",
    "question": "question",
    "decision": "decision",
}


class Found(msgspec.Struct, frozen=True):
    """A note's file, when it was last written, what it says, and which of that is new here."""

    name: str
    at: str
    every: list[Entry]
    new: list[Entry]


@click.command("import", epilog="Example:  passdown import HANDOFF.md")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "shape", type=click.Choice(SHAPES), help="What it is; by its name where it is left out.")
@click.option("--yes", is_flag=True, help="Record it without being asked.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; records only with --yes.")
def import_(file: Path, shape: Shape | None, *, yes: bool, as_json: bool) -> int:
    """Take in a handoff note, a to-do list or a feature list.

    Nothing in it is believed: entries become steps, questions and unsettled decisions of the task, all else stands as
    only said, with file and line. They are shown first; what is here already is not taken in again.
    """
    context = Context(reads=not yes and (as_json or not at_terminal()))
    task = context.need_task()
    found = _look(context, task, file, shape)
    if not as_json:
        _show(context, found)
    recorded = bool(found.new) and (yes or (not as_json and _agreed()))
    if recorded:
        for entry in found.new:
            context.recorder.append(_note(context, task, found, entry), task=task.id, at=context.now)
        context.forget()
    if as_json:
        print_json(_document(found, recorded=recorded))
    elif recorded:
        say(f"Recorded {amount(len(found.new), 'entry', 'entries')}. The next packet has them: passdown pack")
    elif not found.new:
        say("All of it is here already: nothing was recorded.")
    else:
        say(f"Nothing was recorded. To record it: passdown import {plain(str(file))} --yes")
    return 0


def _look(context: Context, task: TaskView, file: Path, shape: Shape | None) -> Found:
    try:
        with file.open("rb") as stream:
            data = stream.read(LIMIT + 1)
        changed = file.stat().st_mtime
    except OSError as error:
        raise PassdownError(f"cannot read {file}: {error.strerror}", "name a text file") from error
    if len(data) > LIMIT or b"\0" in data:
        raise PassdownError(f"{file} is no text of up to 1 MB", "name a note, not a log or an archive")
    name = _named(context, file)
    every = [
        msgspec.structs.replace(entry, text=context.redactor.text(entry.text))
        for entry in entries(name, data.decode("utf-8", "replace"), shape)
    ]
    known = {_key(note.body.kind, note.body.text) for note in task.notes}
    known |= {_key("step", item.text) for item in [*task.items, *(c.item for c in task.closed_items)]}
    at = datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Found(name, at, every, [entry for entry in every if _key(entry.kind, entry.text) not in known])


def _named(context: Context, file: Path) -> str:
    """As the repository names it; a file elsewhere by its own name alone."""
    whole = Path(os.path.realpath(file))
    inside = context.place.root in whole.parents
    return plain(whole.relative_to(context.place.root).as_posix() if inside else whole.name)


def _key(kind: str, text: str) -> tuple[str, str]:
    return kind, " ".join(text.split()).casefold()


def _show(context: Context, found: Found) -> None:
    old = len(found.every) - len(found.new)
    here = f", {old} of them here already" if old else ""
    when = clock(found.at, context.now)
    say(f"{found.name}, last written {when}: {amount(len(found.every), 'entry', 'entries')}{here}. All only said.")
    for entry in found.new:
        say(fit(f"  {_WORDS[entry.kind]:<10} line {entry.line:<4} {quote(entry.text)}", screen_width()))


def _agreed() -> bool:
    return at_terminal() and entered("Enter records them, q leaves")


def _note(context: Context, task: TaskView, found: Found, entry: Entry) -> Note:
    """By nobody of this clone: it settles nothing and answers nothing."""
    return Note(
        task=task.id,
        kind=entry.kind,
        text=context.redact(entry.text),
        by="agent",
        because=f"imported from {found.name}:{entry.line}, last written {found.at}"
        if entry.kind != "dead-end"
        else None,
        source=f"{found.name}:{entry.line}",
    )


def _document(found: Found, *, recorded: bool) -> dict[str, Any]:
    fresh = set(map(id, found.new))
    told = [{"kind": e.kind, "text": e.text, "line": e.line, "new": id(e) in fresh} for e in found.every]
    return {"file": found.name, "last_written": found.at, "entries": told, "recorded": recorded}
