"""`passdown sync --with-work` and `--prune`: the sealed content of this clone's packets at a remote."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click
from msgspec import Struct, field
from msgspec.structs import replace

from passdown.cli.agent_process import refuse_agent
from passdown.cli.output import at_terminal, plain, say
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.ledger import sync as ledger_sync
from passdown.ledger.remotes import Known, remember
from passdown.model.paths import printable
from passdown.rules.amount import amount
from passdown.rules.redact.found import decoded, found
from passdown.workspace import travel
from passdown.workspace.snapshot import kept
from passdown.workspace.transport import Remote, Talk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from passdown.cli.context import Context

LARGEST = 32 * 1024 * 1024
"""Bytes of one file that is scanned; a larger one stops the sending until a person names it."""
_TOGETHER = 64 * 1024 * 1024
_SHOWN = 8


class Sent(Struct):
    """What happened to the work: packets sent and taken away, how many older ones are there, why it was refused."""

    work: list[str] = field(default_factory=list)
    files: int = 0
    pruned: list[str] = field(default_factory=list)
    older: int = 0
    refused: str = ""


class Wanted(Struct, frozen=True):
    """What was asked for, beside the records."""

    work: bool
    prune: bool
    allowed: Collection[str]
    dry_run: bool

    @property
    def anything(self) -> bool:
        """Whether the work is spoken of at all."""
        return self.work or self.prune


def carry(context: Context, talk: Talk, known: Known, wanted: Wanted) -> Sent:
    """Send and take away what was asked for."""
    done = Sent()
    if wanted.work:
        done = send(context, talk, known, wanted.allowed, dry_run=wanted.dry_run)
    if wanted.prune:
        done.pruned = prune(context, talk, known, dry_run=wanted.dry_run)
    keep = {each.packet for each in open_work(context)}
    done.older = 0 if wanted.dry_run else len(set(known.sent) - keep)
    return done


def open_work(context: Context) -> list[travel.Sealed]:
    """The newest packet of each open task that was sealed in this clone and whose content is here."""
    mine = context.recorder.writer
    here = {record.id for record in context.recorder.records(type="packet") if record.writer == mine}
    newest = [task.latest for task in context.tasks.values() if task.outcome is None and task.latest is not None]
    return [
        travel.Sealed(packet.id, packet.body.place.tree, packet.body.place.head, packet.body.sealed_at)
        for packet in newest
        if packet.id in here and kept(context.place, packet.body.place.tree)
    ]


def agree(remote: Remote, known: Known, *, yes: bool, asks: bool) -> Known:
    """A person lets the work go to this remote, once; PassdownError where nobody does."""
    if known.work:
        return known
    refuse_agent("sync --with-work --yes" if yes else "sync --with-work")
    if not yes:
        if not (asks and at_terminal()):
            raise PassdownError(
                f"nobody agreed yet that the work itself goes to {remote.name} ({remote.shown})",
                "a person says so once: passdown sync --with-work, or with --yes",
            )
        say("The work itself leaves this clone, untracked files too; ignored ones stay. Whoever can read")
        say(f"{plain(remote.shown)} can read it, until passdown sync --prune.")
        if not click.confirm("Send it there, now and from now on?", default=False):
            raise PassdownError("the work stays here; nothing was sent")
    return replace(known, work=True)


def send(context: Context, talk: Talk, known: Known, allowed: Collection[str], *, dry_run: bool) -> Sent:
    """Send the work that is not there yet; PassdownError, and nothing is sent, where a secret stands in it."""
    there = travel.there_already(talk)
    waiting = [(each, travel.carrier(talk.git, each)) for each in open_work(context)]
    waiting = [(each, commit) for each, commit in waiting if there.get(travel.WORK + each.packet) != commit]
    if not waiting:
        return Sent()
    pieces = travel.pieces(talk.git, [commit for _, commit in waiting], set(there.values()))
    _scan(talk, pieces, context.policy.redact_extra, allowed)
    done = Sent(files=sum(bool(piece.path) for piece in pieces))
    if dry_run:
        done.work = [each.packet for each, _ in waiting]
        return done
    answers = ledger_sync.push(talk, {travel.WORK + each.packet: commit for each, commit in waiting})
    for each, commit in waiting:
        why = answers.get(travel.WORK + each.packet, "the remote did not say")
        if why:
            done.refused = why
        else:
            done.work.append(each.packet)
            known.sent[each.packet] = commit
    remember(context.place.home, talk.remote.folder, known)
    return done


def _scan(talk: Talk, pieces: Sequence[travel.Piece], extra: Sequence[str], allowed: Collection[str]) -> None:
    """PassdownError with path and line of each secret in what the remote does not have."""
    told = []
    asked = [piece for piece in pieces if piece.path not in allowed or not piece.path]
    told += [f"{printable(p.path)}: {p.size >> 20} MB, too large to be scanned" for p in asked if p.size > LARGEST]
    for piece, content in _in_parts(talk, [piece for piece in asked if piece.size <= LARGEST]):
        where = printable(piece.path) if piece.path else f"commit {piece.id[:9]}"
        told += [f"{where}:{line}: {rule}" for line, rule in found(decoded(content), extra)]
    if told:
        more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
        raise PassdownError(
            f"what looks like a secret stands in the work, nothing was sent: {'; '.join(told[:_SHOWN])}{more}",
            "take it out or ignore the file, then passdown pack; or --allow-secret PATH, where it is none",
            EXIT_DOES_NOT_HOLD,
        )


def _in_parts(talk: Talk, pieces: Sequence[travel.Piece]) -> Iterator[tuple[travel.Piece, bytes]]:
    """Read so many at a time as fit into memory."""
    some: list[travel.Piece] = []
    room = _TOGETHER
    for piece in pieces:
        some.append(piece)
        room -= piece.size
        if room < 0:
            yield from travel.contents(talk.git, some)
            some, room = [], _TOGETHER
    yield from travel.contents(talk.git, some)


def prune(context: Context, talk: Talk, known: Known, *, dry_run: bool) -> list[str]:
    """Take the work of ended tasks and of older packets away from the remote: what this clone sent there."""
    keep = {each.packet for each in open_work(context)}
    old = [packet for packet in known.sent if packet not in keep]
    if not old or dry_run:
        return old
    answers = ledger_sync.push(talk, {travel.WORK + packet: "" for packet in old})
    gone = [p for p in old if not (why := answers.get(travel.WORK + p, "?")) or "does not exist" in why]
    for packet in gone:
        del known.sent[packet]
    remember(context.place.home, talk.remote.folder, known)
    return gone


def _files(number: int) -> str:
    return f"{amount(number, 'file')} new there" if number else "all its files are there already"


def show(done: Sent, *, dry_run: bool) -> None:
    """What was sent and taken away, a line each."""
    if done.work:
        said = "To send" if dry_run else "Work"
        say(f"{said:<9}{', '.join(name[:7] for name in done.work)}: {_files(done.files)}")
    if done.work and not dry_run:
        say(f"         in another clone: passdown sync; passdown resume {done.work[0][:7]} --worktree DIR")
    if done.pruned:
        say(f"{'To prune' if dry_run else 'Pruned':<9}the work of {amount(len(done.pruned), 'packet')}")
    if done.refused:
        say(f"Work     refused by the remote: {plain(done.refused)}")
    if done.older:
        say(f"         work of {amount(done.older, 'older packet')} is still there: passdown sync --prune")
