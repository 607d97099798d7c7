"""``passdown attest``: sign what another job ran with CI's key, or vouch for a clone's records."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import refuse_agent
from passdown.cli.context import Context
from passdown.cli.harmless import plain
from passdown.cli.output import print_json, say
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED, PassdownError
from passdown.workspace.moment import written

if TYPE_CHECKING:
    from datetime import datetime

    from passdown.checks.attest import Commit
    from passdown.ledger.person import Signer
    from passdown.model.evidence import Evidence

_SHORT = 12


@click.command(epilog="Example:  passdown attest evidence.json --commit $SHA --base origin/main")
@click.argument("evidence", metavar="[EVIDENCE]", required=False)
@click.option("--commit", metavar="SHA", help="The commit that it ran on; its files are held against the digests.")
@click.option("--base", metavar="REV", help="Whose passdown.toml counts: the branch that the change goes into.")
@click.option("--key", metavar="FILE", help="CI's private key; default: the text in PASSDOWN_CI_KEY.")
@click.option(
    "--writer", metavar="[ID]", is_flag=False, flag_value="here", help="Vouch for a clone (this one). A person's."
)
@click.option("--withdraw", is_flag=True, help="With --writer: never believe that clone again.")
@click.option("--because", metavar="WHY", default="", help="The reason, with --writer.")
@click.option("--list", "listing", is_flag=True, help="Whose records are here, and which of them count.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def attest(as_json: bool, listing: bool, writer: str | None, **options: str | bool | None) -> int:
    """Make another's evidence count: CI's with CI's key, a clone's with yours.

    EVIDENCE is what `passdown check --json` printed in a job that ran the change's code; `-` reads it
    from standard input. This job holds the key and runs nothing of the repository: definition, inputs
    and lockfiles are told anew from the commit under the base's policy. Exit 1: something did not match
    and was not signed.

    `--writer` signs, with your SSH key, that a clone's records are to be believed; it counts where the
    base's policy lists you under [review] signers. `--list` shows the clones.
    """
    if listing or writer is not None:
        from passdown.cli.attest_writer import list_writers, vouch

        if listing:
            return list_writers(Context(reads=True), as_json=as_json)
        refuse_agent("attest --writer")
        return vouch(writer or "here", options, as_json=as_json)
    refuse_agent("attest")
    return _attest(options, as_json=as_json)


def _attest(options: dict[str, str | bool | None], *, as_json: bool) -> int:
    """Sign what matches; what does not is told, and turns the exit code."""
    from datetime import UTC, datetime

    from passdown.checks.attest import faults, read
    from passdown.ledger.ci_key import ci_signer

    source, key = options["evidence"], options["key"]
    if not isinstance(source, str):
        raise PassdownError("which evidence?", "passdown attest EVIDENCE --commit SHA --base REV")
    brought = read(_bytes(source))
    context = _context(options)
    commit = _commit(context, options)
    now = datetime.now(UTC)
    refused = {one.check: found for one in brought if (found := faults(commit, one, now))}
    with ci_signer(Path(str(key)) if key else None, os.environ) as signer:
        fingerprint = _listed(signer, context)
        fine = [one for one in brought if one.check not in refused]
        signed = [(one, _sign(context, one, signer, now)) for one in fine]
    if as_json:
        print_json(_document(commit, fingerprint, signed, refused))
    else:
        _show(commit, signed, refused)
    return EXIT_DOES_NOT_HOLD if refused else 0


def _bytes(source: str) -> bytes:
    from passdown.checks.attest import LARGEST

    try:
        if source == "-":
            return sys.stdin.buffer.read(LARGEST + 1)
        with Path(source).open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise PassdownError(f"cannot read {source}: {error.strerror}") from error


def _context(options: dict[str, str | bool | None]) -> Context:
    """The policy of the named base, else of the one found here, which must not be the change itself."""
    from passdown.workspace.history import resolve

    found = Context()
    if options["base"]:
        base = resolve(found.place, str(options["base"]))
        if base is None:
            raise PassdownError(f"no commit here: {options['base']}", "fetch the base branch (fetch-depth: 0)")
        return Context(base=base)
    if found.base is None or found.base == _resolved(found, options):
        line = "the change would judge itself: which branch it goes into cannot be told"
        raise PassdownError(line, "say it: passdown attest ... --base origin/main", EXIT_UNDECIDED)
    return Context(base=found.base)


def _resolved(context: Context, options: dict[str, str | bool | None]) -> str:
    from passdown.workspace.history import resolve

    named = str(options["commit"] or "HEAD")
    commit = resolve(context.place, named)
    if commit is None:
        raise PassdownError(f"no commit here: {named}", "fetch it, or give its full id")
    return commit


def _commit(context: Context, options: dict[str, str | bool | None]) -> Commit:
    from passdown.checks.attest import Commit
    from passdown.checks.tree import TreeView

    commit, base = _resolved(context, options), context.named_base or ""
    return Commit(commit, TreeView(context.place, commit), TreeView(context.place, base), context.policy)


def _listed(signer: Signer, context: Context) -> str:
    """The key's fingerprint; PassdownError where the base's policy does not list it."""
    from passdown.ledger.sshsig_blob import fingerprint_of, key_blob

    key = signer.key
    listed = {fingerprint_of(blob) for line in context.policy.trust_ci if (blob := key_blob(line)) is not None}
    if key is None or key.fingerprint not in listed:
        line = f'ci = ["{key.public if key else ""}"]'
        raise PassdownError(
            "the base's policy does not list this key", f"add under [trust] in passdown.toml of the base: {line}"
        )
    return key.fingerprint


def _sign(context: Context, evidence: Evidence, signer: Signer, now: datetime) -> str:
    from passdown.checks.attest import attested

    body = context.redactor.value(attested(evidence, _run_address()))
    at = written(now)
    subjects = {"commit": body.commit or "", "tree": body.tree_before}
    name = context.recorder.append(body, task=None, at=at, subjects=subjects, person_signer=signer)
    if not context.recorder.person_keys(name):
        raise PassdownError(f"the key did not sign: {signer.because}", code=EXIT_UNDECIDED)
    return name


def _run_address() -> str | None:
    """Where CI shows this run: GitHub Actions or GitLab."""
    known = os.environ.get("CI_PIPELINE_URL") or os.environ.get("CI_JOB_URL")
    parts = [os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID")]
    found = known or ("{}/{}/actions/runs/{}".format(*parts) if all(parts) else "")
    return found if found.startswith("https://") and found.isprintable() else None


def _document(
    commit: Commit, key: str, signed: list[tuple[Evidence, str]], refused: dict[str, list[str]]
) -> dict[str, object]:
    from passdown.checks.attest import changed_definition

    rows = [
        {
            "check": one.check,
            "result": one.result,
            "statement": name,
            "definition_changed": changed_definition(commit, one),
        }
        for one, name in signed
    ]
    told = [{"check": name, "because": because} for name, because in refused.items()]
    return {"commit": commit.id, "base": commit.base.tree, "key": key, "attested": rows, "refused": told}


def _show(commit: Commit, signed: list[tuple[Evidence, str]], refused: dict[str, list[str]]) -> None:
    from passdown.checks.attest import changed_definition
    from passdown.rules.freshness import listed

    for one, name in signed:
        say(f"signed       {plain(one.check)} {one.result} on {commit.id[:_SHORT]}   {name[:7]}")
        for part in listed(changed_definition(commit, one)):
            say(f"{'':<13}counts where a person accepts it: {plain(part)} differs from the base")
    for check, because in refused.items():
        say(f"not signed   {plain(check)}")
        for line in because:
            say(f"{'':<13}{plain(line)}")
