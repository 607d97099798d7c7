"""``passdown sync``: exchange records with other clones through a git remote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import refuse_agent
from passdown.cli.context import Context
from passdown.cli.elsewhere import waiting
from passdown.cli.output import cut, plain, print_json, say
from passdown.cli.sync_address import agreed
from passdown.cli.sync_work import Sent, Wanted, agree, carry
from passdown.cli.sync_work import show as show_work
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

    from passdown.ledger.remotes import Known
    from passdown.model.event import Record
    from passdown.workspace.transport import Remote

_WAIT = 30.0
_WORK_SECONDS = 900.0
_NOUNS = {
    "evidence": "check", "task-opened": "start", "resumed": "resume", "rebound": "new place", "closed": "outcome",
    "check-confirmed": "confirmed check", "compared": "comparison", "guard-installed": "init", "rescued": "rescue",
    "rolled-back": "rollback", "held": "hold", "lifted": "lift", "judged": "verify", "boundary-set": "boundary",
}  # fmt: skip
_SHOWN = 4


@click.command(epilog="Example:  passdown sync")
@click.argument("remote", required=False)
@click.option(
    "--with-work", is_flag=True, help="Send the sealed content of open packets too, after a look for secrets."
)
@click.option("--allow-secret", metavar="PATH", multiple=True, help="No secret stands in this file. Repeatable.")
@click.option("--prune", is_flag=True, help="Take away there the work of ended tasks and of older packets.")
@click.option(
    "--yes", is_flag=True, help="Do not ask: the address is right, and with --with-work the work may go there."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be sent and fetched.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; nothing is asked.")
def sync(remote: str | None, *, allow_secret: tuple[str, ...], as_json: bool, **flags: bool) -> int:
    """Send this clone's record to a git remote and fetch the other clones': REMOTE is its name or address.

    Only names under refs/passdown/ are written there, each forward and never by force; branches, tags and your own
    references stay as they are. Reached as your own git reaches it, by your global settings. Exit 1: a record there
    was set back or replaced, or a secret stands in the work. Exit 3: not reached, or refused.
    """
    context = Context()
    there = find_remote(context.place, remote)
    if allow_secret:
        refuse_agent("sync --allow-secret PATH")
    yes, dry_run = flags["yes"], flags["dry_run"]
    wanted = Wanted(work=flags["with_work"], prune=flags["prune"], allowed=allow_secret, dry_run=dry_run)
    context.place.home.mkdir(parents=True, exist_ok=True)
    context.recorder.flush()
    before = {record.id for record in context.recorder.records()}
    with exclusive(context.place.home / "sync.lock", _WAIT) as held:
        if not held:
            raise PassdownError("another sync of this clone is at work", "run it again when it is done", EXIT_UNDECIDED)
        known = agreed(context.place.home, there, yes=yes, asks=not as_json, keep=not dry_run)
        if wanted.work:
            known = agree(there, known, yes=yes, asks=not as_json)
        done, work = _speak(context, there, known, wanted)
    came = [record for record in context.recorder.records() if record.id not in before]
    if as_json:
        print_json(_document(there, done, came, work, dry_run=dry_run))
    else:
        _show(there, done, came, dry_run=dry_run)
        show_work(work, dry_run=dry_run)
        _point(context, came)
    if done.alarms:
        return EXIT_DOES_NOT_HOLD
    return EXIT_UNDECIDED if done.refused or work.refused else EXIT_HOLDS


def _point(context: Context, came: Sequence[Record]) -> None:
    """The way to the newest packet that came, where it waits for somebody."""
    names = {record.id for record in came if isinstance(record.body, Packet)}
    if not names:
        return
    context.forget()
    there, task = waiting(context), context.task
    if there is not None and there.packet.packet in names:
        say(f"Next     {plain(there.way)}")
    elif task is not None and task.latest is not None and task.latest.id in names:
        say("Next     passdown resume")


def _speak(context: Context, there: Remote, known: Known, wanted: Wanted) -> tuple[Exchanged, Sent]:
    """The exchange itself: records first, then the work."""
    place, work = context.place, Sent()
    store = ensure_store(place.home, place.object_format)
    try:
        with talk(place, store, there, ledger_sync.known_refs(store, there.folder)) as line:
            done = ledger_sync.compare(store, line) if wanted.dry_run else ledger_sync.exchange(store, line)
        if wanted.anything and not done.refused:
            context.forget()
            with talk(place, store, there, {}, seconds=_WORK_SECONDS, apart=True) as line:
                work = carry(context, line, known, wanted)
    except GitError as error:
        raise unreached(there, error, unused(place)) from error
    return done, work


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
    listed = [amount(number, noun) for noun, number in sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))]
    more = [f"{len(listed) - _SHOWN} other kinds"] if len(listed) > _SHOWN else []
    clones = amount(len({record.writer for record in came}), "clone")
    return f"{amount(len(came), 'record')} of {clones}: {', '.join([*listed[:_SHOWN], *more])}"


def _document(
    remote: Remote, done: Exchanged, came: Sequence[Record], work: Sent, *, dry_run: bool
) -> dict[str, object]:
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
        "work": work.work,
        "pruned": work.pruned,
        "work_refused": work.refused or None,
    }
