"""Evidence that another CI job brought, held against the commit: nothing of the repository is run or believed.

What is signed is that these digests are the commit's and what that job reported. A job that ran the change's code
could have been made to report anything: the key is not there, and the definition and inputs are told anew here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct

from passdown.checks.definition import define, same
from passdown.checks.fingerprint import inputs
from passdown.checks.tools import LOCKFILES
from passdown.checks.tree import TreeView
from passdown.errors import PassdownError
from passdown.model.evidence import CheckDefinition, Evidence
from passdown.model.policy import Policy
from passdown.rules import command
from passdown.rules.classify import warned
from passdown.rules.freshness import listed
from passdown.rules.instants import seconds
from passdown.rules.patterns import lazy

LARGEST = 8 << 20
_AHEAD = timedelta(minutes=5)
_NOT_PASSED = "its result does not follow from its exit code"


class Commit(Struct, frozen=True):
    """The commit that is attested, its files, and those of the base, whose policy says what a check is."""

    id: str
    view: TreeView
    base: TreeView
    policy: Policy


_WRITTEN = "it is what `passdown check --json` printed"
_AT = lazy(r"at `\$(?:\[(\d+)\])?([^`]*)`")
_MISSING = lazy(r"missing required field `([^`]+)`")


def read(data: bytes) -> list[Evidence]:
    """What ``passdown check --json`` printed: one evidence record or a list; PassdownError where it is none."""
    if len(data) > LARGEST:
        raise PassdownError(f"the evidence is larger than {LARGEST >> 20} MB")
    try:
        value = msgspec.json.decode(data)
        found = msgspec.convert(value if isinstance(value, list) else [value], list[Evidence])
    except msgspec.ValidationError as error:
        raise PassdownError(f"no evidence: {_misfit(str(error))}", _WRITTEN) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PassdownError("no evidence: not one JSON document", _WRITTEN) from error
    if not found:
        raise PassdownError("no evidence: the list is empty", _WRITTEN)
    return found


def _misfit(said: str) -> str:
    """Which record, which field: ``record 2 has no `check` ``."""
    at = _AT.search(said)
    record = f"record {int(at[1] or 0) + 1}" if at else "record 1"
    field = at[2].strip(".") if at else ""
    missing = _MISSING.search(said)
    if missing:
        return f"{record} has no `{field + '.' if field else ''}{missing[1]}`"
    return f"`{field}` of {record} is no such value" if field else f"{record} is no evidence"


def faults(commit: Commit, evidence: Evidence, now: datetime) -> list[str]:
    """Why this evidence does not speak of the commit, or does not hang together; [] where it may be signed."""
    declared = next((c for c in commit.policy.checks if c.source == "policy" and c.name == evidence.check), None)
    if declared is None:
        return [f"the base's policy declares no check {evidence.check!r}"]
    return [*_of_commit(commit, declared, evidence), *_of_itself(declared, evidence, now)]


def changed_definition(commit: Commit, evidence: Evidence) -> list[str]:
    """Parts of the definition that the commit changed: signed, and counts only where a person accepts them."""
    declared = next(c for c in commit.policy.checks if c.source == "policy" and c.name == evidence.check)
    return same((commit.base, define(commit.base, declared)), (commit.view, define(commit.view, declared)))


def attested(evidence: Evidence, run: str | None) -> Evidence:
    """The record that is signed."""
    return msgspec.structs.replace(evidence, observed_by="ci", ci=run)


def _of_commit(commit: Commit, declared: CheckDefinition, evidence: Evidence) -> Iterator[str]:
    """Definition, inputs and lockfiles, told anew from the commit's own files."""
    if evidence.commit != commit.id:
        yield f"it ran on commit {(evidence.commit or 'none')[:12]}, not on {commit.id[:12]}"
    now = define(commit.view, declared)
    if evidence.definition.digest != now.digest:
        yield "its definition is not that of the commit under the base's policy"
    found = inputs(commit.view, now)
    if evidence.inputs != found.fingerprint:
        told = f"{evidence.inputs.files} files then, {found.fingerprint.files} in the commit"
        yield f"its inputs are not the commit's ({told}): that job changed files before or while it ran"
    locks = {f"lockfile {path}": blob for path, (_, blob) in commit.view.entries.items() if _is_lock(path)}
    then = {name: value for name, value in evidence.environment.parts.items() if name.startswith("lockfile ")}
    if then != locks:
        differing = sorted(name for name in locks.keys() | then.keys() if locks.get(name) != then.get(name))
        yield f"other lockfiles than the commit's: {', '.join(listed(differing))}"


def _is_lock(path: str) -> bool:
    return path.rsplit("/", 1)[-1] in LOCKFILES


def _of_itself(declared: CheckDefinition, evidence: Evidence, now: datetime) -> Iterator[str]:
    """What does not hang together in the record."""
    run = declared.run
    argv = ["/bin/sh", "-c", run] if isinstance(run, str) else list(run)
    if evidence.argv != argv or evidence.definition.run != run or evidence.cwd != ".":
        yield "another command than the base's policy declares"
    if evidence.observed_by != "runner" or evidence.definition.name != evidence.check:
        yield "not a run of Passdown's own runner"
    parts = evidence.environment.parts
    if evidence.environment.digest != hashlib.sha256(json.dumps(sorted(parts.items())).encode()).hexdigest():
        yield "its environment's digest is not that of its parts"
    clean = evidence.exit == 0 and evidence.signal is None and not evidence.changed_inputs
    if evidence.result == "PASSED" and not (clean and evidence.tree_before and evidence.tree_after):
        yield _NOT_PASSED
    if command.masked(run) and not warned(evidence.warnings, "masked"):
        yield "its command is masked, and it does not say so"
    started = seconds(evidence.started)
    if started is None or started > (now + _AHEAD).timestamp():
        yield "its time lies in the future"
