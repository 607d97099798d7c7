"""How every known check stands now: its latest result, class and freshness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial

import msgspec

from passdown.checks.definition import Defined, define
from passdown.checks.fingerprint import is_input
from passdown.checks.integrity import found as integrity
from passdown.checks.integrity.found import Found
from passdown.checks.known import Known, known, written
from passdown.checks.past import Run, flaky, runs
from passdown.checks.today import fresh
from passdown.checks.tree import TreeView
from passdown.model.event import Compared, Record
from passdown.model.evidence import Evidence, Freshness, FreshState
from passdown.model.packet import Inputs, PacketCheck
from passdown.model.policy import Policy
from passdown.model.session import SeenCheck, SessionFacts
from passdown.rules import command
from passdown.rules.classify import OTHER_WRITER, RAN, Standing, Trust, evidence_class
from passdown.rules.instants import seconds
from passdown.rules.integrity.touch import UNREAD, Covered, Touch, touch
from passdown.rules.origin import compared, failing, spoken_of

_NAME = 60
_APART = 2.0
"""Seconds between a call in the transcript and the hook's word that it begins."""
_NEVER = Freshness(state="UNBOUND", because=["it never ran here"])


class _Moment(msgspec.Struct, frozen=True):
    view: TreeView
    now: datetime
    base: str | None
    compared: Mapping[str, Sequence[Compared]]
    tests: Callable[[], Found]
    sealed: Callable[[Record], bool]


_NOT_HERE = (126, 127)
"""How a shell ends where a program is not there."""


def standing(
    view: TreeView,
    policy: Policy,
    records: Sequence[Record],
    facts: SessionFacts | None,
    *,
    now: datetime,
    trust: Trust,
) -> list[PacketCheck]:
    """Declared, confirmed, run and seen checks in a fixed order; nothing is written or run.

    ``view``: ``TreeView(place, snapshot.tree)``.
    """
    tests = partial(integrity.found, view, policy, records, facts, trust)
    moment = _Moment(view, now, policy.revision, compared(records, trust), tests, trust.sealed)
    return _shown(moment, known(view, policy, records, trust, facts), runs(records, trust), facts)


def standing_in_sealed(
    view: TreeView, policy: Policy, records: Sequence[Record], *, now: datetime, trust: Trust
) -> list[PacketCheck]:
    """As :func:`standing`, in a tree that a packet was sealed with: it was searched for checks then.

    Those that nobody wrote down or ran stand in that packet as they were found.
    """
    tests = partial(integrity.found, view, policy, records, None, trust)
    moment = _Moment(view, now, policy.revision, compared(records, trust), tests, trust.sealed)
    checks, past = written(view, policy, records, trust), runs(records, trust)
    names = {check.definition.name for check in checks}
    if any(name not in names and ran[-1].evidence.definition.source != "adhoc" for name, ran in past.items()):
        checks = known(view, policy, records, trust)
    return _shown(moment, checks, past, None)


def _shown(
    moment: _Moment, checks: Sequence[Known], past: dict[str, list[Run]], facts: SessionFacts | None
) -> list[PacketCheck]:
    root = str(moment.view.place.root)
    seen = _seen(facts, root)
    found = []
    for check in checks:
        ran = past.pop(check.definition.name, [])
        in_session = seen.pop(command.key(check.definition.run, root), None)
        if check.definition.source != "candidate" or ran or in_session:
            found.append(_known_check(moment, check, ran, in_session))
    found += [_run_check(moment, ran, None) for ran in past.values()]
    found += [_seen_check(check, None) for check in seen.values()]
    return [*_unrun_tests(checks, found), *found]


def _unrun_tests(checks: Sequence[Known], found: Sequence[PacketCheck]) -> list[PacketCheck]:
    """Where no test ran at all, the tests that the repository seems to have: that they never ran is a fact."""
    if any(check.kind == "test" and check.exit not in _NOT_HERE for check in found):
        return []
    names = {check.name for check in found}
    tests = (c for c in checks if c.definition.kind == "test" and c.definition.name not in names)
    return [_never(check) for check in tests][:1]


def _seen(facts: SessionFacts | None, root: str) -> dict[object, SeenCheck]:
    """The last run of each command that the transcript shows, in the order of first appearance."""
    found: dict[object, SeenCheck] = {}
    for check in facts.checks if facts else []:
        found[command.key(check.command, root, check.cwd) or check.command] = check
    return found


def _decisive(moment: _Moment, check: Known, ran: Sequence[Run]) -> Sequence[Run]:
    """The runs with the one that counts last: what nobody stands behind hides no run of ours.

    A pass elsewhere, CI's say, or one that was only seen, hides no earlier pass on the same code here; a failure is
    shown.
    """
    last = next((run for run in reversed(ran) if run.believed), None)
    if last is None:
        return ran
    if last.evidence.result == "PASSED" and _weaker(moment, check, last):
        equal = (r for r in reversed(ran) if r.believed and r.evidence.inputs == last.evidence.inputs)
        passed = (r for r in equal if r.evidence.result == "PASSED" and r.evidence.observed_by in RAN)
        last = next((run for run in passed if _state(moment, check, run) == "FRESH"), last)
    return [*(run for run in ran if run is not last), last]


def _weaker(moment: _Moment, check: Known, run: Run) -> bool:
    """Whether a pass says less than one of our own runner's here."""
    return run.evidence.observed_by not in RAN or _state(moment, check, run) == "ENVIRONMENT-CHANGED"


def _state(moment: _Moment, check: Known, run: Run) -> FreshState:
    return fresh(moment.view, check.defined, run.evidence, moment.now).state


def _known_check(moment: _Moment, check: Known, ran: Sequence[Run], seen: SeenCheck | None) -> PacketCheck:
    ran = _decisive(moment, check, ran)
    own = _run_check(moment, ran, check) if ran else None
    if own is not None and seen is not None and _one_run(ran[-1], seen):
        return _told(own, seen)
    if seen is None or (own is not None and not _says_more(ran[-1], own, seen)):
        return own or _never(check)
    shown = _seen_check(seen, check)
    return msgspec.structs.replace(shown, seconds=own.seconds) if own else shown


def _one_run(latest: Run, seen: SeenCheck) -> bool:
    """Whether the hook saw the transcript's run, and the transcript alone tells how it ended."""
    evidence, at = latest.evidence, seconds(seen.at)
    if evidence.observed_by != "hook" or evidence.result != "INCONCLUSIVE" or evidence.exit is not None:
        return False
    if evidence.changed_inputs:
        return False
    around = at is not None and latest.ended - evidence.seconds - _APART <= at <= latest.ended
    return around and seen.exit is not None and not seen.masked


def _told(own: PacketCheck, seen: SeenCheck) -> PacketCheck:
    """What the hook bound to the code, with the end that the transcript tells."""
    shown = _seen_check(seen, None)
    warnings = [warning for warning in own.warnings if not warning.startswith("inconclusive:")]
    return msgspec.structs.replace(
        own,
        result=shown.result,
        exit=shown.exit,
        tests=shown.tests,
        failing=shown.failing,
        first_errors=shown.first_errors,
        error_line=shown.error_line,
        warnings=warnings,
        not_verified=[reason for reason in own.not_verified if not reason.startswith("ended as ")],
        record=shown.record,
    )


def _says_more(latest: Run, own: PacketCheck, seen: SeenCheck) -> bool:
    """Whether the transcript's run is what to show: later than ours, and ours is old or it went wrong since."""
    at = seconds(seen.at)
    if at is None or at <= latest.ended or seen.result is None:
        return False
    return own.freshness.state != "FRESH" or (seen.result != "PASSED" and not seen.masked)


def _never(check: Known) -> PacketCheck:
    definition = check.definition
    return PacketCheck(
        name=definition.name,
        command=command.text(definition.run),
        result=None,
        class_=None,
        freshness=_NEVER,
        tier="declared" if definition.inputs else "whole-tree",
        inputs=Inputs(fingerprint=None, files=None),
        exit=None,
        seconds=None,
        warnings=list(_about(check)),
        acceptance=definition.acceptance,
        kind=definition.kind,
        masked=command.masked(definition.run),
    )


def _about(check: Known | None) -> Iterator[str]:
    """Why nobody stands behind the definition as it is now."""
    if check is not None and not check.accepted:
        yield check.because if check.because.startswith(("definition-changed", "candidate")) else "candidate"


def _run_check(moment: _Moment, ran: Sequence[Run], check: Known | None) -> PacketCheck:
    """The latest run; ``check`` None: an ad hoc command, or a check that nobody declares any more."""
    latest, evidence = ran[-1], ran[-1].evidence
    defined = check.defined if check else define(moment.view, evidence.definition)
    state = fresh(moment.view, defined, evidence, moment.now)
    torn = flaky(latest, ran)
    touched = _touched(moment, evidence, defined) if evidence.result == "PASSED" else Touch()
    behind = Standing(state, check is not None and check.accepted, latest.believed, torn, touched.reasons)
    class_, why = evidence_class(evidence, behind)
    if class_ == "VERIFIED" and not moment.sealed(latest.record):
        class_, why = "OBSERVED", ["its record is not what was recorded: passdown log --verify"]
    there = spoken_of(evidence, moment.compared.get(evidence.check, ()), moment.base) if failing(evidence) else None
    return PacketCheck(
        name=evidence.check,
        command=command.text(evidence.definition.run),
        result="FLAKY" if torn else evidence.result,
        class_=class_,
        freshness=state,
        tier=evidence.inputs.tier,
        inputs=Inputs(fingerprint=evidence.inputs.digest, files=evidence.inputs.files),
        exit=evidence.exit,
        seconds=_took(ran),
        tests=evidence.tests,
        failing=evidence.failing,
        origin=there.origin if there else None,
        origins={name: there.tests[name] for name in evidence.failing} if there else {},
        origin_because=there.because if there else None,
        observed_by=evidence.observed_by,
        tree=evidence.tree_before,
        warnings=_told_of(latest, check, touched, torn=torn),
        at=evidence.started,
        evidence=latest.record.id,
        acceptance=defined.definition.acceptance,
        kind=evidence.definition.kind,
        masked="masked" in {w.split(":")[0] for w in evidence.warnings},
        error_line=evidence.error_line,
        first_errors=evidence.first_errors,
        source=latest.source,
        not_verified=why,
        accepted=touched.accepted if why == list(touched.reasons) else None,
    )


def _told_of(latest: Run, check: Known | None, touched: Touch, *, torn: bool) -> list[str]:
    """Each warning once: the run's own, of its definition, of its tests, of who ran it."""
    found = [*latest.evidence.warnings, *_about(check), *touched.warnings, *_doubts(latest, torn=torn)]
    return list(dict.fromkeys(found))


def _took(ran: Sequence[Run]) -> float | None:
    """How long the latest run took; where a hook saw it and could not tell, the one before; None: nobody told."""
    told = (run.evidence for run in reversed(ran) if run.evidence.seconds or run.evidence.observed_by != "hook")
    return next((evidence.seconds for evidence in told), None)


def _doubts(latest: Run, *, torn: bool) -> Iterator[str]:
    """What a reader must know of who ran it, and of its other runs."""
    if not latest.believed:
        yield f"{OTHER_WRITER}: {latest.source or latest.record.writer[:12]}"
    if torn:
        yield "flaky: it passed and failed on the same code"


def _touched(moment: _Moment, evidence: Evidence, defined: Defined) -> Touch:
    """What the task did to the tests and settings that this pass stands on."""
    told = moment.tests()
    if told.fault:
        reason = f"{UNREAD}: {told.fault}"
        return Touch([reason], [reason]) if evidence.definition.kind in ("test", "other") else Touch()
    passed = evidence.tests.get("passed")
    covered = Covered(evidence.definition.kind, evidence.definition.run, partial(is_input, defined), passed)
    return touch(told.entries, covered)


def _seen_check(seen: SeenCheck, check: Known | None) -> PacketCheck:
    """What the transcript shows: it ran and this came out, bound to no snapshot."""
    text = " ".join(seen.command.split())
    because = "edited after it ran" if seen.edits_after else "seen in the session, bound to no snapshot"
    counts = msgspec.structs.asdict(seen.counts) if seen.counts else {}
    return PacketCheck(
        name=check.definition.name if check else text if len(text) <= _NAME else f"{text[: _NAME - 1]}…",
        command=command.text(check.definition.run) if check else seen.command,
        result=seen.result,
        class_=None if seen.result is None else "OBSERVED",
        freshness=Freshness(state="STALE" if seen.edits_after else "UNBOUND", because=[because]),
        tier=None,
        inputs=Inputs(fingerprint=None, files=None),
        exit=seen.exit,
        seconds=None,
        tests={name: value for name, value in counts.items() if value is not None},
        failing=seen.failing,
        observed_by="transcript",
        warnings=[*(["masked"] if seen.masked else []), *_about(check)],
        at=seen.at,
        acceptance=check.definition.acceptance if check else False,
        kind=seen.kind,
        masked=seen.masked,
        edits_after=seen.edits_after,
        error_line=seen.error_line,
        first_errors=seen.first_errors,
        record=seen.record,
    )
