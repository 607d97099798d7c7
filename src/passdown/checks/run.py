"""Runs one check and says what came out of it, bound to what it ran on."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from passdown.checks import reports
from passdown.checks.environment import above, environment, hidden, shadowed, sways_npm
from passdown.checks.kind import kind_of
from passdown.checks.look import Changed, Seen, changed, look
from passdown.checks.output import Output, Sink, tail
from passdown.checks.process import Ended, run
from passdown.checks.reading import Reading, read_output, read_report
from passdown.checks.salt import make_salt
from passdown.checks.variables import variables
from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint, Evidence
from passdown.rules import command
from passdown.rules.freshness import listed
from passdown.rules.redact import Redactor
from passdown.rules.result import Ran, Report, ending, result
from passdown.workspace.place import Place

SHOWN = 20
_NAME = 60


class _Observed(msgspec.Struct, frozen=True):
    """All that one run showed."""

    argv: list[str]
    cwd: str
    started: datetime
    seen: Seen
    environment: EnvironmentFingerprint
    warnings: list[str]
    output: Output
    ended: Ended
    changed: Changed
    report: Report
    failing: Mapping[str, str]


def run_check(
    place: Place,
    definition: CheckDefinition,
    *,
    now: datetime,
    live: Sink | None = None,
    redactor: Redactor | None = None,
    cwd: str = ".",
) -> Evidence:
    """Snapshot, run, snapshot; the evidence is not recorded here.

    ``live`` receives both streams as they come. ``now`` is the start (aware). ``cwd`` is relative
    to the repository (ad hoc commands only).
    """
    observed = _observe(place, definition, now, live, cwd)
    return _redacted(_evidence(place, definition, observed), redactor or Redactor())


def adhoc(words: list[str]) -> CheckDefinition:
    """The definition of ``passdown check -- CMD``: named by its command, at most OBSERVED."""
    name = shlex.join(words)
    shown = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    return CheckDefinition(name=shown, run=words, kind=kind_of(words), source="adhoc", blocks="nothing")


def _observe(place: Place, definition: CheckDefinition, now: datetime, live: Sink | None, cwd: str) -> _Observed:
    make_salt(place)
    env = variables(place, definition, os.environ)
    seen = look(place, definition)
    environment_before = environment(seen.view, definition, env=env)
    warnings = _warnings(seen, definition, env)
    report = place.root / definition.report if definition.report else None
    report_before = reports.stamp(report) if report else None
    argv = ["/bin/sh", "-c", definition.run] if isinstance(definition.run, str) else list(definition.run)
    output = Output(live)
    ended = run(argv, place.root / cwd, env, output, definition.timeout)
    found, failing = read_report(report, report_before) if report else (Report(), {})
    return _Observed(
        argv=argv,
        cwd=cwd,
        started=now,
        seen=seen,
        environment=environment_before,
        warnings=warnings,
        output=output,
        ended=ended,
        changed=changed(place, seen),
        report=found,
        failing=failing,
    )


def _warnings(seen: Seen, definition: CheckDefinition, env: Mapping[str, str]) -> list[str]:
    """What makes a pass worth less, known before the run."""
    found = [f"shadowed: {line}" for line in shadowed(seen.view, definition, env)]
    root = seen.view.place.root
    unheld = [p for p in hidden(seen.view, definition) if p not in seen.inputs.files]
    ignored = [p for p in unheld if not p.endswith(".npmrc") or sways_npm(root / p)]
    found += [f"hidden-configuration: {path} is ignored by git" for path in ignored]
    found += [f"hidden-configuration: {path} is outside the repository" for path in above(seen.view, definition)]
    found += [f"not-on-disk: {line}" for line in listed(seen.missing)]
    if command.masked(definition.run):
        found.append("masked: its exit code 0 does not vouch for each program in it")
    return found


def _evidence(place: Place, definition: CheckDefinition, observed: _Observed) -> Evidence:
    text = observed.output.end()
    reading = read_output(text, definition)
    ran = _ran(definition, observed, reading)
    verdict, because = result(ran)
    exit_code, signal = ending(ran)
    started = observed.started.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    failing = {**reading.failing, **observed.failing}
    return Evidence(
        check=definition.name,
        definition=observed.seen.defined.definition,
        argv=observed.argv,
        cwd=observed.cwd,
        result=verdict,
        exit=exit_code,
        signal=signal,
        started=started,
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
        failing=list(failing),
        first_errors={name: error for name, error in failing.items() if error},
        error_line=None if verdict == "PASSED" else reading.error,
        warnings=[*observed.warnings, *_afterwards(observed, verdict, because)],
        changed_inputs=observed.changed.paths[:SHOWN],
    )


def _ran(definition: CheckDefinition, observed: _Observed, reading: Reading) -> Ran:
    return Ran(
        code=observed.ended.code,
        why=observed.ended.why,
        shell=isinstance(definition.run, str),
        tool=command.tool(definition.run),
        tests=reading.tests,
        nothing_ran=reading.nothing_ran,
        report=observed.report,
        changed=bool(observed.changed.paths),
    )


def _afterwards(observed: _Observed, verdict: str, because: str) -> list[str]:
    """Warnings that the run itself gave."""
    found = [f"{verdict.lower().replace(' ', '-')}: {because}"] if because else []
    found += [f"left-running: {line} was still running after the check and was ended" for line in observed.ended.left]
    found += [f"put-back: {path} was written and put back while it ran" for path in observed.changed.back[:SHOWN]]
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
