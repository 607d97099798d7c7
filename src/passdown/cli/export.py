"""``passdown export``: evidence and packets in the form that other tools verify."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passdown.cli.context import Context
from passdown.cli.output import print_json, say
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from passdown.model.event import Record


@click.command(epilog="Example:  passdown export --in-toto --output evidence.intoto.jsonl")
@click.argument("packet", required=False)
@click.option("--in-toto", "in_toto", is_flag=True, help="in-toto Statements in signed DSSE envelopes, one a line.")
@click.option("--output", metavar="FILE", help="Write there instead of standard output.")
@click.option("--public-key", "public_key", is_flag=True, help="This clone's public key as PEM, to verify them with.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document: the envelopes and the keys that signed them.")
def export(packet: str | None, in_toto: bool, output: str | None, public_key: bool, as_json: bool) -> None:
    """Give the evidence to other tools: in-toto attestations that they verify by themselves.

    Without PACKET: the latest run of each check. With it: the packet and the evidence that it names. Each
    run comes twice: as it was signed when it ran (https://passdown.dev/evidence/v1), and as test-result/v0.1,
    where whatever did not plainly pass is FAILED or WARNED. Secrets were taken out when it was recorded.
    """
    context = Context(reads=True)
    if public_key:
        say(_own_pem(context).rstrip())
        return
    if not in_toto:
        raise PassdownError("which form?", "passdown export --in-toto")
    records = _of_packet(context, packet) if packet is not None else _latest(context)
    if not records:
        raise PassdownError("nothing to export: no check ran here yet", "passdown check", EXIT_UNDECIDED)
    envelopes = [sealed for record in records for sealed in _envelopes(context, record)]
    if as_json:
        import msgspec

        print_json(
            {"envelopes": [msgspec.json.decode(sealed) for sealed in envelopes], "keys": _keys(context, records)}
        )
        return
    text = "".join(f"{sealed.decode()}\n" for sealed in envelopes)
    if output is None:
        click.echo(text, nl=False)
        return
    Path(output).write_text(text, "utf-8")
    say(f"{amount(len(envelopes), 'attestation')} in {output}")


def _latest(context: Context) -> list[Record]:
    """The last trusted run of each check that somebody declared or confirmed, and of each candidate that ran."""
    from passdown.model.evidence import Evidence

    found: dict[str, Record] = {}
    for record in context.recorder.records(type="evidence"):
        body = record.body
        if isinstance(body, Evidence) and record.trusted and body.definition.source != "adhoc":
            found[body.check] = record
    return list(found.values())


def _of_packet(context: Context, prefix: str) -> list[Record]:
    """The packet's own record, then the evidence that its checks rest on."""
    sealed = context.named_packet(prefix)
    wanted = {check.evidence for check in sealed.checks if check.evidence}
    records = {record.id: record for record in context.recorder.records() if record.trusted}
    if sealed.packet not in records:
        raise PassdownError("this packet's record does not verify", "passdown log --verify says why", EXIT_UNDECIDED)
    return [records[sealed.packet], *(records[name] for name in sorted(wanted) if name in records)]


def _envelopes(context: Context, record: Record) -> Iterator[bytes]:
    """The record as it was signed; of evidence a test result besides, signed by this clone now."""
    from passdown.checks.test_result import test_result
    from passdown.ledger.envelope import IN_TOTO, pae, seal
    from passdown.ledger.writer import ensure_writer
    from passdown.model.evidence import Evidence
    from passdown.workspace.history import commit_tree_of

    yield context.recorder.envelopes([record.id])[record.id]
    body = record.body
    if isinstance(body, Evidence):
        same = body.commit is not None and commit_tree_of(context.place, body.commit) == body.tree_before
        payload = test_result(body, body.commit if same else None)
        yield seal(IN_TOTO, payload, [ensure_writer(context.place.home).sign(pae(IN_TOTO, payload))])


def _keys(context: Context, records: list[Record]) -> dict[str, str]:
    """Key id -> PEM of the writers that signed."""
    from passdown.ledger.ssh_keys import public_pem

    found = {record.writer: public_pem(context.recorder.public_key(record.id)) for record in records}
    return {**found, context.recorder.writer: _own_pem(context)}


def _own_pem(context: Context) -> str:
    from passdown.ledger.ssh_keys import public_pem
    from passdown.ledger.writer import ensure_writer, known_writer

    if known_writer(context.place.home) is None:
        raise PassdownError("this clone has no key yet: nothing was recorded here", "passdown check", EXIT_UNDECIDED)
    return public_pem(ensure_writer(context.place.home).public)
