"""What a pull request says, folded: remarks open and close items; a lapse frees nothing."""

from __future__ import annotations

import msgspec
import pytest

from passdown.model.event import Record, Verdict
from passdown.model.forge import ForgeRead, ForgeRemark, Lapsed
from passdown.rules.fold import fold
from support.packets import a_packet

PACKET = "1" * 64


def record(number, body, *, here=True):
    kind = {"ForgeRead": "forge-read", "Lapsed": "lapsed", "Verdict": "verdict", "Packet": "packet"}[
        type(body).__name__
    ]
    name = PACKET if kind == "packet" else f"{number:064x}"
    at = f"2026-11-30T16:00:{number:02d}Z"
    return Record(id=name, type=kind, task="t1", at=at, writer="w", order=(number, "w", number), body=body, here=here)


def read(*states, text="Wait longer."):
    remarks = [
        ForgeRemark(url=f"https://f.test/{n}", by="@bob", text=text, state=state, path=f"src/{n}.py", resolved_by="@x")
        for n, state in enumerate(states)
    ]
    return ForgeRead(task="t1", url="https://f.test", head="a" * 40, branch="main", remarks=remarks)


def answer(kind, waived=None):
    boundary = a_packet().boundary.sealed()
    return Verdict(
        task="t1", packet=PACKET, answer=kind, by="@bob", presence="forge", self_=False, boundary=boundary,
        boundary_digest=boundary.digest, previous=None, owners=[], waived=waived or {},
    )  # fmt: skip


def view(*bodies, here=True):
    first = record(0, a_packet())
    return fold([first, *(record(n, body, here=here) for n, body in enumerate(bodies, 1))])["t1"]


@pytest.mark.parametrize(
    ("readings", "open_"),
    [
        ([("open",)], ["R1"]),
        ([("with-change",)], []),
        ([("by-reviewer",)], []),
        ([("without-change",)], ["R1"]),
        ([("open",), ("with-change",)], []),
        ([("open",), ()], ["R1"]),
        ([("with-change",), ("open",)], ["R1"]),
        ([("open", "open"), ("by-reviewer", "without-change")], ["R2"]),
    ],
)
def test_remarks_stand_until_they_are_answered(readings, open_):
    assert [item.id for item in view(*(read(*states) for states in readings)).items] == open_


def test_a_remark_keeps_its_id_when_its_words_change():
    found = view(read("open"), read("open", text="Wait much longer."))
    assert [(item.id, item.text[-12:]) for item in found.items] == [("R1", "much longer.")]


def test_a_waived_remark_stays_waived():
    assert view(read("open"), answer("approve", {"R1": "fine"}), read("open")).items == []


def test_another_clones_reading_opens_and_closes_nothing():
    ours, theirs = record(1, read("open")), record(2, read("with-change"), here=False)
    assert [item.id for item in fold([record(0, a_packet()), ours, theirs])["t1"].items] == ["R1"]


@pytest.mark.parametrize(
    ("kind", "stays"), [("approve", False), ("narrow", True), ("rollback", True), ("reassign", True)]
)
def test_a_lapse_frees_nothing(kind, stays):
    given = record(1, answer(kind))
    lapsed = Lapsed(task="t1", verdict=given.id, because="its comment is gone")
    found = fold([record(0, a_packet()), given, record(2, lapsed)])["t1"]
    assert (found.verdict is not None) is stays
    assert list(found.lapsed) == ([given.id] if stays else [])


def test_another_clone_lapses_no_answer():
    given = record(1, answer("approve"))
    lapsed = Lapsed(task="t1", verdict=given.id, because="its comment is gone")
    found = fold([record(0, a_packet()), given, record(2, lapsed, here=False)])["t1"]
    assert found.verdict is not None


def test_a_lapsed_narrowing_keeps_no_path_that_it_added():
    had, new = a_packet().boundary, answer("narrow")
    more = msgspec.structs.replace(had.allow[0], id="B99", path="src/more.py") if had.allow else None
    allow = [*had.allow[1:], *([more] if more else [])]
    given = record(1, msgspec.structs.replace(new, boundary=msgspec.structs.replace(had, allow=allow, deny=[])))
    lapsed = Lapsed(task="t1", verdict=given.id, because="its comment was edited")
    found = fold([record(0, a_packet()), given, record(2, lapsed)])["t1"]
    assert found.verdict is not None
    kept = found.verdict.body.boundary
    assert [entry.path for entry in kept.allow] == [entry.path for entry in had.allow[1:]]
    assert [entry.path for entry in kept.deny] == [entry.path for entry in had.deny]
