"""Runs one check and says what came out of it, bound to what it ran on."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from passdown.checks.environment import above, changed_tools, hidden, shadowed, sways_npm
from passdown.checks.fingerprint import matched
from passdown.checks.kind import kind_of
from passdown.checks.look import Moment, Seen, look
from passdown.checks.observe import Observed, Wanted, elsewhere, frozen, here, restored
from passdown.checks.output import Sink, tail
from passdown.checks.reading import Reading, merged, read_output
from passdown.checks.reports.summary import NAMED
from passdown.checks.salt import make_salt
from passdown.checks.tree import TreeView
from passdown.checks.variables import variables
from passdown.model.evidence import CheckDefinition, Evidence
from passdown.rules import command
from passdown.rules.freshness import listed
from passdown.rules.redact import Redactor
from passdown.rules.result import Ran, ending, result
from passdown.workspace.moment import written
from passdown.workspace.place import Place

SHOWN = 20
_NAME = 60


def run_check(  # noqa: PLR0913 -- one parameter each for what, where, when and how
    place: Place,
    definition: CheckDefinition,
    *,
    now: datetime,
    live: Sink | None = None,
    redactor: Redactor | None = None,
    cwd: str = ".",
    isolated: bool = False,
    moment: Moment | None = None,
    within: Sequence[str] = (),
) -> Evidence:
    """Snapshot, run, snapshot; the evidence is not recorded here.

    ``live`` receives both streams as they come. ``now`` is the start (aware). ``cwd`` is relative
    to the repository (ad hoc commands only). ``isolated``: on a frozen copy of the snapshot.
    ``moment``: a snapshot that was just taken and may serve, where nobody wrote since. ``within``: the program, with
    its words, that the command is run by.
    """
    make_salt(place)
    wanted = Wanted(definition, now, variables(place, definition, os.environ), live, cwd, within)
    seen = look(place, definition, moment)
    warnings = _warnings(seen, definition, wanted.env)
    observed = frozen(place, seen, wanted) if isolated else here(place, seen, wanted)
    return _redacted(_evidence(place, wanted, observed, warnings), redactor or Redactor())


def run_restored(
    place: Place, definition: CheckDefinition, base: str, *, now: datetime, redactor: Redactor
) -> Evidence | None:
    """Run it with the files that it protects as ``base`` has them; None where they are, and nothing ran."""
    from passdown.checks.copy import unlike  # noqa: PLC0415 - what few runs need

    make_salt(place)
    wanted = Wanted(definition, now, variables(place, definition, os.environ))
    seen, there = look(place, definition), TreeView(place, base)
    changed = unlike(seen.view, there, definition)
    if not changed:
        return None
    warnings = [
        *_warnings(seen, definition, wanted.env),
        f"restored: as the base has them: {', '.join(listed(changed))}",
    ]
    return _redacted(_evidence(place, wanted, restored(place, seen, there, wanted), warnings), redactor)


def run_on(view: TreeView, commit: str, definition: CheckDefinition, *, now: datetime) -> tuple[Evidence, str]:
    """Run a check on a commit's tree, in a copy with the dependencies that are there today; not recorded here.

    Also what it printed, as plain text.
    """
    make_salt(view.place)
    wanted = Wanted(definition, now, variables(view.place, definition, os.environ))
    observed = elsewhere(view, commit, wanted)
    return _evidence(view.place, wanted, observed, []), observed.output.end()


def adhoc(words: list[str]) -> CheckDefinition:
    """The definition of ``passdown check -- CMD``: named by its command, at most OBSERVED."""
    name = shlex.join(words)
    shown = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    return CheckDefinition(name=shown, run=words, kind=kind_of(words), source="adhoc", blocks="nothing")


def _warnings(seen: Seen, definition: CheckDefinition, env: Mapping[str, str]) -> list[str]:
    """What makes a pass worth less, known before the run."""
    found = [f"shadowed: {line}" for line in shadowed(seen.view, definition, env)]
    root = seen.view.place.root
    unheld = [p for p in hidden(seen.view, definition) if p not in seen.inputs.files]
    ignored = [p for p in unheld if not p.endswith(".npmrc") or sways_npm(root / p)]
    found += [f"hidden-configuration: {path} is ignored by git" for path in ignored]
    found += [f"hidden-configuration: {path} is outside the repository" for path in above(seen.view, definition)]
    found += [f"replaced: {line}" for line in listed(changed_tools(seen.view, definition, env))]
    found += [f"not-on-disk: {line}" for line in listed(seen.missing)]
    if definition.inputs and not matched(seen.view, definition):
        found.append(f"no-inputs: no file matches its inputs: {', '.join(listed(definition.inputs))}")
    if command.masked(definition.run):
        found.append("masked: its exit code 0 does not vouch for each program in it")
    return found


def _evidence(place: Place, wanted: Wanted, observed: Observed, warnings: list[str]) -> Evidence:
    definition = wanted.definition
    text = observed.output.end()
    reading = read_output(text, definition, whole=observed.output.whole, code=observed.ended.code)
    ran = _ran(definition, observed, reading)
    verdict, because = result(ran)
    exit_code, signal = ending(ran)
    failing = merged(observed.root, reading.failing, observed.reported.failing)
    return Evidence(
        check=definition.name,
        definition=observed.seen.defined.definition,
        argv=observed.argv,
        cwd=wanted.cwd,
        result=verdict,
        exit=exit_code,
        signal=signal,
        started=written(wanted.now.astimezone(UTC)),
        seconds=round(observed.ended.seconds, 3),
        output_digest=observed.output.digest,
        output_bytes=observed.output.size,
        tail=text,
        inputs=observed.seen.inputs.fingerprint,
        tree_before=observed.seen.view.tree,
        tree_after=observed.changed.tree,
        commit=place.head,
        environment=observed.environment,
        observed_by="runner",
        branch=place.branch,
        tests=dict(observed.report.tests or reading.tests),
        failing=list(failing)[:NAMED],
        first_errors={name: error for name, error in list(failing.items())[:NAMED] if error},
        error_line=_error_line(verdict, ran, reading, because, failing),
        warnings=[*warnings, *_afterwards(observed, verdict, because)],
        changed_inputs=observed.changed.paths[:SHOWN],
        isolated=observed.isolated,
    )


def _ran(definition: CheckDefinition, observed: Observed, reading: Reading) -> Ran:
    return Ran(
        code=observed.ended.code,
        why=observed.ended.why,
        shell=isinstance(definition.run, str),
        tool=command.tool(definition.run),
        tests=reading.tests,
        nothing_ran=reading.nothing_ran,
        report=observed.report,
        changed=bool(observed.changed.paths),
        flaky=[*observed.reported.flaky, *reading.flaky],
        absent=reading.absent,
        broken=reading.broken,
    )


def _error_line(verdict: str, ran: Ran, reading: Reading, because: str, failing: Mapping[str, str]) -> str | None:
    """What went wrong in one line: what kept it from running, else what it printed of its first failure."""
    if verdict == "PASSED":
        return None
    never_ran = verdict == "ERROR" and (ran.absent or ran.why not in ("", "timeout", "lost"))
    return because if never_ran else reading.error or next(filter(None, failing.values()), None)


def _afterwards(observed: Observed, verdict: str, because: str) -> list[str]:
    """Warnings that the run itself gave."""
    found = [f"{verdict.lower().replace(' ', '-')}: {because}"] if because else []
    found += [f"left-running: {line} was still running after the check and was ended" for line in observed.ended.left]
    found += [f"put-back: {path} was written and put back while it ran" for path in observed.changed.back[:SHOWN]]
    found += [f"put-back: {path} was made and removed while it ran" for path in observed.changed.passing[:SHOWN]]
    return [*found, observed.changed.note] if observed.changed.note else found


def _redacted(evidence: Evidence, redactor: Redactor) -> Evidence:
    """Redact, then cut: a secret must not survive as the half that a cut leaves."""
    definition = evidence.definition
    return msgspec.structs.replace(
        evidence,
        definition=msgspec.structs.replace(
            definition, run=redactor.value(definition.run), name=redactor.text(definition.name)
        ),
        check=redactor.text(evidence.check),
        argv=redactor.value(evidence.argv),
        tail=tail(redactor.text(evidence.tail)),
        failing=redactor.value(evidence.failing),
        first_errors=redactor.value(evidence.first_errors),
        error_line=redactor.value(evidence.error_line),
        warnings=redactor.value(evidence.warnings),
    )
