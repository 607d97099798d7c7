"""What is broken in the ledger, and who signed what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from passdown.ledger import envelope, statement, tips
from passdown.ledger.alarm import Alarm
from passdown.ledger.batch import LOG
from passdown.ledger.projection import Projection, Row
from passdown.rules.amount import amount
from passdown.workspace.store_git import store_git

REMOTE = "refs/passdown-remote/"
APART = "apart"
"""Below a remote's references: what it says of a chain that does not go on from what we have of it."""
_EXPLAINS = frozenset({"gone", "rewound", "forked", "chain", "unreadable", "signature", "digest"})


def alarms(home: Path, index: Projection, now: dict[str, str]) -> list[Alarm]:
    """Everything that does not verify: as it came in, and the refs against where they were last seen."""
    found = index.alarms()
    for ref, last in tips.seen(home).items():
        tip = now.get(ref)
        if tip is None:
            found.append(Alarm("gone", f"{_of(ref)} is gone", ref, last))
        elif tip == last or index.leads_back(tip, last):
            continue
        elif index.leads_back(last, tip):
            found.append(Alarm("rewound", f"{_of(ref)} was set back", ref, last))
        else:
            found.append(Alarm("forked", f"{_of(ref)} was replaced by another", ref, last))
    for ref, tip in now.items():
        head = index.heads([tip]).get(tip)
        if head is None and tip not in {alarm.commit for alarm in found}:
            found.append(Alarm("unreadable", f"{_of(ref)}: its ref leads to no batch", ref, tip))
        elif head is not None and not ref.endswith(f"/{head.writer}/{head.epoch}"):
            found.append(
                Alarm("chain", f"{_of(ref)}: its ref carries another chain, of writer {head.writer[:8]}", ref, tip)
            )
    for writer, number, commits in index.forks():
        found.append(Alarm("forked", f"writer {writer[:8]} signed batch {number} twice", f"{LOG}{writer}", commits[0]))
    return found


def cut(index: Projection, now: dict[str, str], mine: str) -> list[Alarm]:
    """Chains whose beginning is not here, and what a remote has of our own (writer ``mine``) that we have not."""
    found = []
    for link in index.links():
        text = f"{whose(link.writer)} begins with batch {link.number}: what came before is not here"
        found.append(Alarm("chain", text, commit=link.commit))
    for ref, tip in now.items():
        remote, log, name = ref.removeprefix(REMOTE).partition("/log/")
        if not log or not ref.startswith(REMOTE) or not name.startswith(f"{mine}/"):
            continue
        ours = now.get(LOG + name)
        if ours is None:
            found.append(Alarm("gone", f"{whose(name)}, ours, is at {remote} alone", LOG + name, tip))
        elif ours != tip and index.leads_back(tip, ours):
            found.append(Alarm("rewound", f"{whose(name)}, ours, is longer at {remote} than here", LOG + name, tip))
    return found


def forgotten(index: Projection, anew: Projection, found: Sequence[Alarm]) -> list[Alarm]:
    """Signed statements that the index alone still holds, where nothing else says that a chain was cut."""
    if any(alarm.code in _EXPLAINS for alarm in found):
        return []
    there = {row.id for row in anew.rows()}
    alone: dict[str, list[str]] = {}
    for row in index.rows():
        if row.id not in there and _signed(index, row):
            alone.setdefault(row.writer, []).append(row.id)
    return [
        Alarm("gone", f"{whose(writer)} was cut: {amount(len(ids), 'statement')} of it in the index alone")
        for writer, ids in sorted(alone.items())
    ]


def apart(home: Path) -> list[Alarm]:
    """What remotes said of chains that does not go on from what we have, as the last exchange saw it."""
    store = home / "store.git"
    told = store_git(store).run("for-each-ref", "--format=%(objectname) %(refname)", REMOTE) if store.is_dir() else b""
    found = []
    for line in told.decode().splitlines():
        tip, ref = line.split(" ", 1)
        remote, kind, *name = ref.removeprefix(REMOTE).split("/")
        if kind == APART:
            text = f"{whose('/'.join(name))} was set back or replaced by another at {remote}"
            found.append(Alarm("forked", text, ref, tip))
    return found


def whose(name: str) -> str:
    """A chain in words; ``name``: writer and epoch."""
    return f"the chain of writer {name.partition('/')[0][:8]}"


def _of(ref: str) -> str:
    """A chain by its ref, in words; of what a remote said of it, where."""
    remote, log, name = ref.removeprefix(REMOTE).partition("/log/")
    return f"{whose(name)} from {remote}" if log and ref.startswith(REMOTE) else whose(ref.removeprefix(LOG))


def differing(index: Projection, anew: Projection) -> int:
    """How many records of the index are not what the chains say (``anew`` was read from them); 0: it is a projection.

    What the index alone still holds, since a chain is gone or was broken after it was read, is no difference as long
    as it is signed.
    """
    ours = {row.id: row for row in index.rows()}
    theirs = {row.id: row for row in anew.rows()}
    edited = set(theirs) - set(ours)
    for name, row in ours.items():
        there = theirs.get(name)
        same = there == row and index.envelope(name) == anew.envelope(name)
        known_more = there is None or not there.trusted or replace(there, unchecked=row.unchecked) == row
        kept = known_more and _signed(index, row)
        if not same and not kept:
            edited.add(name)
    return len(edited) + _differing_facts(index, anew) + _differing_heads(index, anew)


def _signed(index: Projection, row: Row) -> bool:
    """Whether a row says what its envelope says, under its writer's signature."""
    from passdown.ledger.keys import signed_by  # noqa: PLC0415 - reading what is indexed needs no cryptography

    opened = envelope.read(index.envelope(row.id) or b"")
    said = statement.read(opened[1]) if opened else None
    if opened is None or said is None or envelope.statement_id(opened[1]) != row.id:
        return False
    if (said.predicate.writer, said.predicate.task, bytes(said.predicate.body)) != (row.writer, row.task, row.body):
        return False
    public = index.public(row.id)
    return not row.trusted or signed_by(opened[0], opened[1], row.writer, public)


def _differing_facts(index: Projection, anew: Projection) -> int:
    known = {fact.id: fact for fact in index.facts()}
    return sum(known.get(fact.id) != fact for fact in anew.facts())


def _differing_heads(index: Projection, anew: Projection) -> int:
    tips = sorted(set(anew.tips().values()))
    known, heads = index.heads(tips), anew.heads(tips)
    return sum(known.get(tip) != head for tip, head in heads.items())


def person_keys(sealed: bytes) -> list[str]:
    """The fingerprints of the people whose SSH signatures in an envelope verify."""
    from passdown.ledger import sshsig  # noqa: PLC0415 - few commands look at people's signatures

    opened = envelope.read(sealed)
    if opened is None:
        return []
    message = envelope.pae(opened[0].payload_type, opened[1])
    found = []
    claimed = {signature.keyid for signature in opened[0].signatures}
    for armoured in envelope.person_signatures(opened[0]):
        key = sshsig.verify(armoured, message)
        if key in claimed and key not in found:
            found.append(key)
    return found
