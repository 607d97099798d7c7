"""Causes planted in generated histories among noise: they are named, and nothing else is."""

from __future__ import annotations

import random
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from passdown.model.event import Lifted, Record, Resumed
from passdown.model.packet import Freshness, HoldReason, Inputs, Outcome, Packet, PacketCheck, TriedDeadEnd
from passdown.rules.learn.effect import effect
from passdown.rules.learn.misses import counted
from passdown.rules.learn.proposals import proposals
from passdown.rules.measures.runs import resumed_runs
from passdown.rules.measures.trail import Touch, trails

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
from histories import NOW, Maker, _text

TASKS = 400
PLANTED = {
    ("contradicted-claim", "pytest -q"),
    ("undeclared-check", "npm test"),
    ("dead-end", "pip install foo"),
    ("lifted-hold", "too-old"),
    ("stray-path", "infra/main.tf"),
    ("vain-touch", "src/generated.py"),
}
ALWAYS = {("redundant-check", "tests")}
"""What the generator itself does often enough."""


class Quiet(Maker):
    """A history whose own strays and vain touches are each somewhere else: noise that names nothing."""

    def _writes(self, truth, task, began, sealed):
        super()._writes(truth, task, began, sealed)
        last = len(self.history.touches)
        for at in range(max(0, last - 4), last):
            touch = self.history.touches[at]
            if touch.path.startswith("other/"):
                self.history.touches[at] = Touch(touch.id, touch.task, touch.at, f"far/{touch.id[:9]}", touch.where)

    def _files(self, truth):
        files, _ = super()._files(truth)
        name = self._id("file")[:9]
        mine = {"README.md": f"out/{name}", "src/spaces.py": f"src/blank-{name}.py"}
        return [replace(file, path=mine.get(file.path, file.path)) for file in files], [f"src/back-{name}.py"]


def planted(seed: int, causes: set[tuple[str, str]], *, until: str = "9") -> tuple[list[Record], list[Touch]]:
    """A history with ``causes`` in a fifth of its occasions up to ``until``, and one-off misses of every kind."""
    maker, dice = Quiet(seed), random.Random(seed)
    for _ in range(TASKS):
        maker.task()
    records, touches = [], list(maker.history.touches)

    def often(kind: str, subject: str, at: str, share: float = 0.2) -> bool:
        return (kind, subject) in causes and at < until and dice.random() < share

    for record in maker.history.records:
        body = record.body
        if isinstance(body, Packet):
            body = _packet(body, record.at, often, dice)
            for reason in body.hold.reasons:
                if dice.random() < (0.9 if reason.code == "too-old" else 0.1):
                    order = (record.order[0], record.order[1], record.order[2] + 10**9)
                    lift = Lifted(task=body.task.id, because="", by="@ada", codes=[reason.code], packet=record.id)
                    name = f"lift-{reason.code}-{record.id}"
                    records.append(replace(record, id=name, type="lifted", body=lift, order=order))
        if isinstance(body, Resumed) and often("stray-path", "infra/main.tf", record.at):
            name = f"touch-{record.id}"
            touches.append(Touch(name, record.task, record.at, "infra/main.tf", "outside-blocked", "s1"))
        records.append(replace(record, body=body))
    return records, touches


def _packet(body: Packet, at: str, often, dice) -> Packet:
    odd = f"odd-{dice.random()}"
    told = [Outcome(text="all pass", class_="CLAIMED", evidence=[], because="")]
    if often("contradicted-claim", "pytest -q", at):
        told.append(Outcome(text="all pass", class_="CONTRADICTED", evidence=["tests"], because="1 failed"))
    checks = [_check("tests", "pytest -q"), _check("odd", odd, "candidate")]
    if often("undeclared-check", "npm test", at, 0.4):
        checks.append(_check("web", "npm test", "candidate: found in package.json"))
    dead = [TriedDeadEnd(id="X1", command=odd, error="no", tries=1)]
    if often("dead-end", "pip install foo", at):
        dead.append(TriedDeadEnd(id="X2", command="pip install foo", error="no such package", tries=3))
    codes = ["owner-missing"] if dice.random() < 0.1 else []
    codes += ["too-old"] if often("lifted-hold", "too-old", at) else []
    hold = replace(body.hold, reasons=[HoldReason(code=c, level="hold", fact=c, reproduce="", lifts="") for c in codes])
    back = [*body.put_back, *(["src/generated.py"] if often("vain-touch", "src/generated.py", at) else [])]
    return replace(body, outcomes=told, checks=checks, dead_ends=dead, hold=hold, put_back=back)


def _check(name: str, command: str, *warnings: str) -> PacketCheck:
    return PacketCheck(
        name=name, command=command, result="PASSED", class_="OBSERVED", freshness=Freshness(state="FRESH", because=[]),
        tier=None, inputs=Inputs(fingerprint=None, files=None), exit=0, seconds=1.0, warnings=list(warnings),
        kind="test",
    )  # fmt: skip


def causes_of(made: tuple[list[Record], list[Touch]]):
    found = trails(*made)
    return counted(found, resumed_runs(found))


def named(made: tuple[list[Record], list[Touch]]) -> set[tuple[str, str]]:
    return {(one.kind, one.subject) for one in proposals(causes_of(made))}


@pytest.mark.parametrize("seed", range(4))
def test_all_planted_causes_are_named_and_nothing_else(seed: int) -> None:
    assert named(planted(seed, PLANTED)) - ALWAYS == PLANTED


@pytest.mark.parametrize("seed", range(3))
def test_noise_alone_names_nothing(seed: int) -> None:
    assert named(planted(seed, set())) - ALWAYS == set()


@pytest.mark.parametrize("cause", sorted(PLANTED))
def test_one_cause_is_named_alone(cause: tuple[str, str]) -> None:
    assert named(planted(11, {cause})) - ALWAYS == {cause}


def test_the_order_of_records_and_repeats_of_them_change_nothing() -> None:
    records, touches = planted(5, PLANTED)
    mixed = [*records, *records[:100]]
    random.Random(1).shuffle(mixed)
    assert proposals(causes_of((mixed, touches[::-1]))) == proposals(causes_of((records, touches)))


MEASURED = sorted(PLANTED - {("dead-end", "pip install foo"), ("lifted-hold", "too-old")})
"""Causes with chances enough on both sides."""
STOP = _text(NOW - timedelta(days=60))


@pytest.mark.parametrize("seed", range(3))
def test_what_stopped_is_measured_as_a_help(seed: int) -> None:
    causes = {(c.kind, c.subject): c for c in causes_of(planted(seed, PLANTED, until=STOP))}
    assert [effect(causes[name], STOP).told for name in MEASURED] == ["helped"] * len(MEASURED)


def test_what_went_on_lies_within_its_stated_uncertainty() -> None:
    told = []
    for seed in range(6):
        causes = {(c.kind, c.subject): c for c in causes_of(planted(seed, PLANTED))}
        told += [effect(causes[name], STOP).told for name in MEASURED]
    assert told.count("not shown") >= 0.85 * len(told)  # of 95 % intervals one in twenty misses
