"""Whose records are here, and a person's word for one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from passdown.cli.context import Context
from passdown.cli.harmless import plain
from passdown.cli.output import print_json, say
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from passdown.ledger.person import PersonKey
    from passdown.ledger.signers import Signers

_SHORT = 12


def list_writers(context: Context, *, as_json: bool) -> int:
    """Each clone whose records are here: how many, and whether its evidence counts."""
    trust, counted = context.trust, _counted(context)
    rows = [
        {
            "writer": writer,
            "records": records,
            "here": writer == trust.own,
            "believed": trust.believes(writer),
            "vouched_by": trust.names.get(writer),
        }
        for writer, records in counted.items()
    ]
    if as_json:
        print_json({"writers": rows, "ci": len(trust.ci)})
        return 0
    for row in rows:
        why = "this clone" if row["here"] else "nobody vouched for it: its evidence counts as seen"
        by = row["vouched_by"]
        said = f"vouched for by {plain(str(by))}" if by and not row["here"] else why
        say(f"{str(row['writer'])[:_SHORT]}   {amount(counted[str(row['writer'])], 'record'):>14}   {said}")
    if not rows:
        say("No records here yet.")
    if trust.ci:
        pieces = amount(len(trust.ci), "piece of evidence carries", "pieces of evidence carry")
        say(f"{pieces} the signature of a CI key of the base's policy.")
    return 0


def vouch(named: str, options: Mapping[str, object], *, as_json: bool) -> int:
    """Sign that a writer's records are to be believed, or never again."""
    from passdown.checks.trust import signers_of
    from passdown.ledger.person import UNSIGNED, find_signer
    from passdown.model.event import WriterVouched

    context = Context()
    writer, public = _writer(context, named)
    signer = find_signer(context.place)
    signers = signers_of(context.place, context.policy)
    if signer.key is None:
        why = signer.because.removeprefix(f"{UNSIGNED}: ")
        raise PassdownError(f"vouching needs your SSH key: {why}", "ssh-keygen -t ed25519 makes one")
    _check_listed(signers, signer.key, context.me)
    body = WriterVouched(
        writer=writer,
        public=public,
        by=context.me,
        because=context.redact(str(options["because"] or "")),
        withdrawn=bool(options["withdraw"]),
    )
    statement = context.recorder.append(body, task=None, at=context.now, person_signer=signer)
    sealed = context.recorder.envelopes([statement])[statement]
    by = signers.signed(sealed, [context.now])
    if not by:
        why = f"{signers.source} does not let this key sign now: namespaces, dates"
        raise PassdownError(f"recorded, and it counts for nothing: {why}", code=EXIT_UNDECIDED)
    if as_json:
        print_json({"statement": statement, "signed_by": by, "vouched": body})
        return 0
    done = "Never believed again" if body.withdrawn else "Vouched for"
    say(f"{done}: writer {writer[:_SHORT]}, signed as {', '.join(plain(name) for name in by)}.")
    say("It counts in every clone that has this record and whose base lists that key.")
    return 0


def _counted(context: Context) -> dict[str, int]:
    counted: dict[str, int] = {}
    for record in context.recorder.records():
        counted[record.writer] = counted.get(record.writer, 0) + 1
    return counted


def _writer(context: Context, named: str) -> tuple[str, str]:
    """``(id, public key)`` of this clone's writer, or of the one whose id begins so."""
    if named == "here":
        from passdown.ledger.writer import ensure_writer

        context.place.home.mkdir(parents=True, exist_ok=True)
        own = ensure_writer(context.place.home)
        return own.id, own.public
    found = {r.writer: r.id for r in context.recorder.records() if r.trusted and r.writer.startswith(named.lower())}
    if len(found) != 1:
        what = "no writer" if not found else f"{len(found)} writers begin with"
        raise PassdownError(f"{what} {named}", "passdown attest --list shows them")
    ((writer, record),) = found.items()
    return writer, context.recorder.public_key(record)


def _check_listed(signers: Signers, key: PersonKey, me: str) -> None:
    """PassdownError where the base does not list the person's key, with the line that would."""
    line = f'signers = ["{me.replace(" ", "-")} {key.public}"]'
    hint = f"add under [review] in passdown.toml of the base: {line}"
    if not signers:
        raise PassdownError("the base's policy names no signers: nobody can vouch for a clone", hint)
    if not signers.lists(key.public):
        raise PassdownError(f"your key ({key.because}) is not among {signers.source}", hint)
