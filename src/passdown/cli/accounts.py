"""What each task brings to the numbers: as it is kept in the index, and counted anew where its records changed.

What is kept is believed where this clone kept it, by these rules and for these records; all else is counted anew.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from passdown import __version__
from passdown.cli.aftermath import as_git_shows
from passdown.cli.histories import collector_resting, seen, touches
from passdown.rules.measures.account import Account, account_of
from passdown.rules.measures.believed import believed
from passdown.rules.measures.parts import PARTS
from passdown.rules.measures.trail import Trail, trails

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from passdown.cli.context import Context

KEPT_AS = 1
"""To be raised with each change of what an account says of the same records."""
_TOGETHER = 1000
"""Tasks whose records are read at a time: some ten megabytes."""
_ALONE, _OTHERS = b"\0", b"\1"
"""Whether an account was made of this clone's records alone, or of others', too: then whom it believes matters."""
_SUM = 16


class Accounts(Struct, frozen=True):
    """``found`` by task; ``apart``: tasks that unbelieved clones alone tell of, and which writer does."""

    found: Mapping[str, Account]
    apart: Mapping[str, str]


def accounts(context: Context) -> Accounts:
    """Of every task of the record, with what git's history shows of their ends."""
    with collector_resting():
        told = every(context)
        found = {name: account for name, account in told.items() if not account.apart}
        apart = {name: account.apart for name, account in told.items() if account.apart}
        return Accounts(as_git_shows(context, found), apart)


def mark(context: Context) -> object:
    """Equal where :func:`accounts` would say the same: record, journal, branches and the day as they are now."""
    from passdown.ledger import git_log
    from passdown.workspace.place import user_git

    home = context.place.home
    files = [home / name for name in ("index.db", "index.db-wal")] + sorted((home / "journal").glob("*"))
    stamps = [(file.name, *stamp) for file in files if (stamp := _stamp(file))[1]]  # reading makes an empty log
    refs = user_git(context.place).run("for-each-ref", "--format=%(objectname) %(refname)")
    return stamps, git_log.tips(home / "store.git"), refs, context.place.head, context.now[:10]


def _stamp(file: Path) -> tuple[int, int]:
    """When it was written, and its size."""
    try:
        seen = file.stat()
    except FileNotFoundError:
        return 0, 0
    return seen.st_mtime_ns, seen.st_size


def every(context: Context) -> dict[str, Account]:
    """Of every task, by the record alone; what is not kept yet is kept from now on."""
    with collector_resting():
        kept, waiting = context.recorder.kept()
        seal = _Seal(context)
        found = {task: account for task, told in kept.items() if told and (account := seal.opened(task, told))}
        rest = [task for task in kept if task not in found]
        for begin in range(0, len(rest), _TOGETHER):
            found |= _counted(context, seal, rest[begin : begin + _TOGETHER], waiting)
        return found


def _counted(context: Context, seal: _Seal, tasks: Sequence[str], waiting: Collection[str]) -> dict[str, Account]:
    ledger, mine = context.recorder, context.recorder.writer
    claim = ledger.claim([task for task in tasks if task not in waiting])
    records, facts = ledger.records(parts=PARTS, tasks=tasks), seen(ledger, tasks)
    others = {record.task for record in records if not record.here}
    others |= {fact.task for fact in facts if fact.writer not in {"", mine}}
    trust = context.trust if others else None
    counting = believed(records, trust)
    told = trails(counting.records, touches(facts, mine, trust))
    found = {task: account_of(told.get(task) or Trail(task)) for task in tasks}
    found |= {task: Account(task, apart=writer) for task, writer in counting.apart.items()}
    sealed = {task: seal.sealed(account, others=task in others) for task, account in found.items()}
    ledger.keep(claim, {task: each for task, each in sealed.items() if each is not None and task not in waiting})
    return found


class _Seal:
    """Marks what this clone keeps, so that a cut, changed or foreign row of the index is known for one."""

    def __init__(self, context: Context) -> None:
        self._context = context
        own = f"{__version__} {KEPT_AS} {context.recorder.writer} "
        self._begun = hashlib.blake2b(own.encode(), digest_size=_SUM, key=context.salt[:64])

    @cached_property
    def _trust(self) -> bytes | None:
        """Whom this clone believes, read only where others' records are."""
        from passdown.checks.trust import trust_mark

        told = trust_mark(self._context.place, self._context.policy, self._context.recorder, self._context.now)
        return told.encode() if told is not None else None

    def sealed(self, account: Account, *, others: bool) -> bytes | None:
        """As it is kept; None where it cannot be for long."""
        kind, told = _OTHERS if others else _ALONE, msgspec.msgpack.encode(account)
        mark = self._sum(account.id, kind, told)
        return kind + mark + told if mark is not None else None

    def opened(self, task: str, kept: bytes) -> Account | None:
        """The account; None where this is none of ours, or not of today's rules and trust."""
        kind, mark, told = kept[:1], kept[1 : _SUM + 1], kept[_SUM + 1 :]
        if kind not in {_ALONE, _OTHERS} or mark != self._sum(task, kind, told):
            return None
        try:
            return _READ.decode(told)
        except msgspec.DecodeError:
            return None

    def _sum(self, task: str, kind: bytes, told: bytes) -> bytes | None:
        trust = b"" if kind == _ALONE else self._trust
        if trust is None:
            return None
        made = self._begun.copy()
        made.update(b"%b%b %b %b" % (kind, trust, task.encode("utf-8", "surrogatepass"), told))
        return made.digest()


_READ = msgspec.msgpack.Decoder(Account)
