"""Evidence that is not what it seems: spoiled, relabelled, from elsewhere, or outweighed by another run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from passdown.checks.run import adhoc, run_check
from passdown.model.evidence import Evidence
from passdown.rules.classify import Trust
from support.desk import Desk

Spoil = Callable[[Desk, Evidence], object]
OTHER = "f" * 32


def field(**changes: Any) -> Spoil:
    """The same evidence with changed fields, alone in the record."""

    def act(desk: Desk, evidence: Evidence) -> None:
        desk.records.clear()
        desk.record(msgspec.structs.replace(evidence, **changes))

    return act


def inner(name: str, /, **changes: Any) -> Spoil:
    def act(desk: Desk, evidence: Evidence) -> None:
        field(**{name: msgspec.structs.replace(getattr(evidence, name), **changes)})(desk, evidence)

    return act


def after(**changes: Any) -> Spoil:
    """Another run on the same code, later."""

    def act(desk: Desk, evidence: Evidence) -> None:
        desk.record(msgspec.structs.replace(evidence, started=_later(evidence, 1), **changes))

    return act


def around(**changes: Any) -> Spoil:
    """Another run on the same code, and a pass after it."""

    def act(desk: Desk, evidence: Evidence) -> None:
        after(**changes)(desk, evidence)
        desk.record(msgspec.structs.replace(evidence, started=_later(evidence, 2)))

    return act


def by_another(**more: Any) -> Spoil:
    def act(desk: Desk, evidence: Evidence) -> None:
        desk.records.clear()
        desk.record(evidence, **{"writer": OTHER, **more})

    return act


def as_another(desk: Desk, _: Evidence) -> None:
    """This clone's evidence under another clone's trust."""
    desk.trust = Trust(own=OTHER)


def ad_hoc(desk: Desk, _: Evidence) -> None:
    desk.records.clear()
    command = msgspec.structs.replace(adhoc(["true"]), name="tests")
    desk.record(run_check(desk.place, command, now=desk.now()))


def ad_hoc_same(desk: Desk, _: Evidence) -> None:
    desk.records.clear()
    desk.record(run_check(desk.place, adhoc(["grep", "-q", "good", "src/state.txt"]), now=desk.now()))


def relabelled(desk: Desk, evidence: Evidence) -> None:
    """A passing run of another check, under this one's name."""
    desk.records.clear()
    other = msgspec.structs.replace(evidence.definition, run="true", digest="")
    desk.record(run_check(desk.place, other, now=desk.now()))


def renamed(desk: Desk, evidence: Evidence) -> None:
    field(check="lint")(desk, evidence)


def _later(evidence: Evidence, seconds: int) -> str:
    return evidence.started.replace("Z", f"{seconds}Z") if "." in evidence.started else evidence.started


RECORDS: dict[str, Spoil] = {
    "X-exit-1": field(exit=1),
    "X-exit-none": field(exit=None),
    "X-signal": field(signal=9),
    **{
        f"X-result-{result}": field(result=result)
        for result in ("FAILED", "ERROR", "SKIPPED", "NOT RUN", "INCONCLUSIVE", "UNSTABLE", "FLAKY")
    },
    **{f"X-seen-by-{who}": field(observed_by=who) for who in ("hook", "transcript", "agent-side")},
    "X-says-ci": field(observed_by="ci"),
    "X-no-tree-before-A13": field(tree_before=""),
    "X-no-tree-after": field(tree_after=""),
    "X-changed-inputs": field(changed_inputs=["src/state.txt"]),
    **{
        f"X-warned-{code}": field(warnings=[f"{code}: x"])
        for code in ("masked", "shadowed", "hidden-configuration", "not-on-disk")
    },
    "X-inputs-of-another-tree-A22": inner("inputs", digest="0" * 64),
    "X-no-inputs": inner("inputs", digest=""),
    "X-tier": inner("inputs", tier="declared"),
    "X-environment": inner("environment", digest="0" * 64),
    "X-definition": inner("definition", digest="0" * 64),
    "X-no-definition": inner("definition", digest=""),
    "X-ad-hoc-source": inner("definition", source="adhoc"),
    "X-definition-of-another-name": inner("definition", name="lint"),
    "X-another-name": renamed,
    "X-relabelled": relabelled,
    "X-ad-hoc": ad_hoc,
    "X-ad-hoc-same-command": ad_hoc_same,
    "X-another-writer": by_another(),
    "X-does-not-verify": by_another(writer="0" * 32, trusted=False),
    "X-another-clone-reads": as_another,
    "X-later-failure": after(result="FAILED", exit=1),
    "X-later-error": after(result="ERROR", exit=None, signal=9),
    "X-later-unstable": after(result="UNSTABLE", changed_inputs=["src/state.txt"]),
    "X-flaky": around(result="FAILED", exit=1),
    "X-flaky-without-its-report": around(result="INCONCLUSIVE", exit=1),
    "X-flaky-within-a-run": around(result="FLAKY"),
}
