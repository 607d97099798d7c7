"""``passdown session``: the facts of one agent session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passdown.agents.sessions import find_sessions, pick, read_session
from passdown.cli.folder import instant
from passdown.cli.output import plain, print_json, print_long_json, say, short_path
from passdown.cli.paint import line_width, screen_width
from passdown.errors import PassdownError
from passdown.packet.text import clock
from passdown.rules.redact import Redactor

if TYPE_CHECKING:
    from passdown.cli.context import Context


@click.command(epilog="Example:  passdown session 3f2a9c1e --json")
@click.argument("session", metavar="[FILE|ID]", required=False)
@click.option("--list", "listing", is_flag=True, help="List this worktree's sessions, newest first.")
@click.option("--at", "record", type=click.IntRange(0), metavar="N", help="Show record N of it in plain words.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def session(session: str | None, listing: bool, record: int | None, as_json: bool) -> None:
    """Show the facts of one agent session, from its transcript alone.

    Without a name: the newest session of this worktree. A FILE needs no repository.
    """
    if listing:
        _list(as_json=as_json)
        return
    if record is not None:
        _trace(_find(session), record, as_json=as_json)
        return
    facts = read_session(_find(session), redactor=_redactor())
    if as_json:
        print_long_json(facts)
    else:
        from passdown.cli.session_screen import screen

        say(screen(facts, screen_width(), instant()))


def _trace(path: Path, record: int, *, as_json: bool) -> None:
    from passdown.agents.tracing import trace

    traced = trace(path, record, _redactor())
    if as_json:
        print_json(traced)
        return
    about = ", ".join(filter(None, (traced.type, clock(traced.at, instant()))))
    head = f"record {traced.record} ({about}) of "
    say(head + short_path(path, line_width() - len(head)))
    for line in traced.what:
        say(f"  {plain(line)}")
    for line in traced.text.split("\n"):
        say(f"    {plain(line)}")


def _redactor() -> Redactor | None:
    """The repository's own patterns beside the built-in ones, where the command runs in one that has a policy."""
    here = Path.cwd()
    top = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)
    if top is None or not _has_policy(top):
        return None
    return _context().redactor


def _context() -> Context:
    """Loaded where it is asked: the facts of a FILE as JSON need none of it."""
    from passdown.cli.context import Context

    return Context(reads=True)


def _has_policy(top: Path) -> bool:
    try:
        project = (top / "pyproject.toml").read_text(errors="replace")
    except OSError:
        project = ""
    return (top / "passdown.toml").exists() or "[tool.passdown" in project


def _find(name: str | None) -> Path:
    if name is not None and (os.sep in name or Path(name).is_file()):
        return Path(name)
    root = _context().place.root
    if name is not None:
        return pick(name, root, os.environ)
    found = find_sessions(root, os.environ)
    if not found:
        raise PassdownError(
            f"no agent session has worked in {root}",
            "name a transcript: passdown session FILE; `passdown pack` works without one",
        )
    return found[0].path


def _list(*, as_json: bool) -> None:
    place = _context().place
    found = find_sessions(place.root, os.environ)
    if as_json:
        print_json([_row(one) for one in found])
        return
    if not found:
        say(f"no agent session has worked in {place.root}")
    for one in found:
        head = f"{one.session[:8]}  {one.agent:<7} {clock(one.modified, instant()):<13}  "
        say(head + short_path(one.path, line_width() - len(head)))


def _row(one: object) -> dict[str, str | None]:
    names = ("agent", "session", "path", "started", "modified", "cwd", "forked_from")
    values = {name: getattr(one, name) for name in names}
    return {name: None if value is None else str(value) for name, value in values.items()}
