"""``passdown sync``: exchange records with other clones through a git remote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.context import Context
from passdown.cli.output import cut, plain, print_json, say
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_HOLDS, EXIT_UNDECIDED, PassdownError
from passdown.ledger import sync as ledger_sync
from passdown.ledger.locks import exclusive
from passdown.ledger.sync import Exchanged
from passdown.model.packet import Packet
from passdown.rules.amount import amount
from passdown.workspace.git import GitError
from passdown.workspace.store_git import ensure_store
from passdown.workspace.transport import find_remote, talk, unused
from passdown.workspace.unreached import unreached

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.model.event import Record
    from passdown.workspace.transport import Remote

_WAIT = 30.0
_NOUNS = {"evidence": "check", "task-opened": "start"}
_SHOWN = 4


@click.command(epilog="Example:  passdown sync")
@click.argument("remote", required=False)
@click.option("--yes", is_flag=True, help="The remote's address is right: it may be new, or another than before.")
@click.option("--dry-run", is_flag=True, help="Only say what would be sent and fetched.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; nothing is asked.")
def sync(remote: str | None, *, yes: bool, dry_run: bool, as_json: bool) -> int:
    """Send this clone's record to a git remote and fetch the other clones': REMOTE is its name or address.

    Only names under refs/passdown/ are written there, each forward and never by force; branches, tags and your own
    references stay as they are. Reached as your own git reaches it, by your global settings. Exit 1: a record there
    was set back or replaced. Exit 3: not reached, or refused.
    """
    context = Context()
    there = find_remote(context.place, remote)
    context.place.home.mkdir(parents=True, exist_ok=True)
    store = ensure_store(context.place.home, context.place.object_format)
    context.recorder.flush()
    before = {record.id for record in context.recorder.records()}
    with exclusive(context.place.home / "sync.lock", _WAIT) as held:
        if not held:
            raise PassdownError("another sync of this clone is at work", "run it again when it is done", EXIT_UNDECIDED)
        from passdown.cli.sync_address import agreed

        agreed(context.place.home, there, yes=yes, asks=not as_json, keep=not dry_run)
        try:
            with talk(context.place, store, there, ledger_sync.known_refs(store, there.folder)) as line:
                done = ledger_sync.compare(store, line) if dry_run else ledger_sync.exchange(store, line)
        except GitError as error:
            raise unreached(there, error, unused(context.place)) from error
    came = [record for record in context.recorder.records() if record.id not in before]
    if as_json:
        print_json(_document(there, done, came, dry_run=dry_run))
    else:
        _show(there, done, came, dry_run=dry_run)
    if done.alarms:
        return EXIT_DOES_NOT_HOLD
    return EXIT_UNDECIDED if done.refused else EXIT_HOLDS


def _show(remote: Remote, done: Exchanged, came: Sequence[Record], *, dry_run: bool) -> None:
    say(f"SYNC {plain(remote.name)}   {plain(remote.shown)}")
    if done.refused:
        say(f"Sent     nothing: the remote refuses refs/passdown/: {plain(done.refused)}")
        say("         what was recorded stays here; another remote takes it: passdown sync ADDRESS")
    else:
        say(f"{'To send' if dry_run else 'Sent':<9}{ledger_sync.words(done)}")
    if dry_run:
        say(f"To get   {'news of ' + amount(done.got, 'clone') if done.got else 'nothing new'}")
    else:
        say(f"Got      {_told(came)}")
    packets = [(record.id, record.body.task.title) for record in came if isinstance(record.body, Packet)]
    for name, title in packets[-_SHOWN:]:
        say(f"         {name[:7]}   {cut(title, 60)}: passdown show {name[:7]}")
    for alarm in done.alarms:
        say(f"Alarm    {plain(alarm.text)}: kept as it was here; passdown log --verify")


def _told(came: Sequence[Record]) -> str:
    """What came, by kind: ``5 records of 2 clones (1 packet, 4 notes)``."""
    if not came:
        return "nothing new"
    kinds: dict[str, int] = {}
    for record in came:
        noun = _NOUNS.get(record.type, record.type)
        kinds[noun] = kinds.get(noun, 0) + 1
    listed = [f"{number} {noun}" for noun, number in sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))]
    more = [f"{len(listed) - _SHOWN} other kinds"] if len(listed) > _SHOWN else []
    clones = amount(len({record.writer for record in came}), "clone")
    return f"{amount(len(came), 'record')} of {clones}: {', '.join([*listed[:_SHOWN], *more])}"


def _document(remote: Remote, done: Exchanged, came: Sequence[Record], *, dry_run: bool) -> dict[str, object]:
    return {
        "remote": remote.name,
        "address": remote.shown,
        "dry_run": dry_run,
        "sent": done.sent,
        "chains": done.got,
        "got": [
            {"id": record.id, "type": record.type, "task": record.task, "writer": record.writer} for record in came
        ],
        "refused": done.refused or None,
        "alarms": done.alarms,
    }
