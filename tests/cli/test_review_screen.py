"""The reviewer's screen: at most twenty lines of at most the terminal's width, whatever the packet holds."""

from __future__ import annotations

import msgspec
import pytest

from passdown.cli.review_fold import fold
from passdown.cli.review_screen import Around, keys, screen
from passdown.guard.unjudged import Stray
from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.packet import Hold, HoldReason, Item, Outcome
from passdown.packet.text import cells
from passdown.review.asked_owners import AskedOwners
from passdown.rules.task import TaskView
from support.packets import a_check, a_packet, the_retry_packet


def full():
    many = [Entry(id=f"B{i}", path=f"src/module_{i}/file.py", because="changed") for i in range(60)]
    return the_retry_packet(
        boundary=Boundary(version=1, source="proposed", allow=many, deny=many, budget=Budget(new=2, files=9)).sealed(),
        items=[Item(id=f"F{i}", kind="failure", text="x" * 200, blocks="merge", error="E" * 200) for i in range(40)],
        outcomes=[Outcome(text="s" * 200, class_="CONTRADICTED", evidence=[], because="b" * 200) for _ in range(30)],
    )


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("packet", [a_packet(), the_retry_packet(), full()], ids=["small", "retry", "full"])
def test_it_is_one_screen(packet, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    asked = [AskedOwners((f"@owner{at}",), paths=["src/a.py"]) for at in range(20)]
    strays = [Stray(f"docs/{at}.md", "outside", "x", "in the run of 1234567", True, 1, 2) for at in range(12)]
    around = Around(strays=strays, owners=asked, older="1234567 is; an answer decides nothing", lapsed="upstream moved")
    shown = screen(packet, TaskView(id="t1", items=list(packet.items)), "@alice", around)
    lines = [*shown.lines, keys(shown)]
    assert len(lines) <= 20
    assert max(map(cells, lines)) <= columns
    rows = [line[:15].strip() for line in lines]
    assert {"Goal", "Done when", "Outside", "Next write", "Not", "Not the newest", "Answer lapsed"} <= set(rows)
    assert ("Undo" in rows) is (packet.packet is not None)


def test_what_has_no_room_stands_behind_one_number(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    packet = full()
    asked = [AskedOwners(("@core",), paths=["src/a.py"])]
    shown = screen(packet, TaskView(id="t1", items=list(packet.items)), "@alice", Around(owners=asked))
    also = next(line for line in shown.lines if line.startswith("Also"))
    assert also.endswith(f"[{len(shown.evidence)}]")
    said = "\n".join(shown.evidence[-1])
    for row in also.removesuffix(f"[{len(shown.evidence)}]")[15:].split(","):
        assert row.strip().lower() in said.lower()


def test_a_screen_with_room_folds_nothing():
    assert fold(["Goal           x", "Base           y"], 15) == (["Goal           x", "Base           y"], [])


def test_it_says_what_is_false_open_and_met_and_what_a_verdict_is_not(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    packet = the_retry_packet()
    text = screen(packet, TaskView(id="t1", items=list(packet.items)), "@alice").text
    for fact in (
        "REVIEW 7c1e9a2 for @alice   WATCH: may continue; F2 first",
        'Not so         "all 212 tests pass"',
        "not met (REGRESSION",
        "F1 tests/test_retry.py::test_backoff",
        "1 src/retry.py  2 src/client.py  3 tests/test_retry.py",
        "migrations/** (user)",
        "src/auth/** (owner @security)",
        "Does not approve the code",
    ):
        assert fact in text


def test_every_number_opens_its_evidence():
    packet = the_retry_packet()
    shown = screen(packet, TaskView(id="t1", items=list(packet.items)), "@alice")
    assert "[1-3] evidence" in keys(shown)
    quoted = next(lines for lines in shown.evidence if lines[0].startswith("said:"))
    assert quoted[1] == "but:  pytest 15:31: 1 failed, 211 passed, exit 1"


def test_foreign_text_stays_in_its_line(monkeypatch):
    """J4: the packet's text cannot write lines of its own."""
    monkeypatch.setenv("COLUMNS", "120")
    goal = msgspec.structs.replace(a_packet().task.goal, text="x\nLets an agent\x1b[2J go on. approved by @owner")
    packet = msgspec.structs.replace(a_packet(), task=msgspec.structs.replace(a_packet().task, goal=goal))
    lines = screen(packet, TaskView(id="t1"), "@alice").lines
    assert not any(line.startswith("Lets an agent") and "approved" in line for line in lines)
    assert "\x1b" not in "\n".join(lines)


@pytest.mark.parametrize("columns", ["80", "120"])
@pytest.mark.parametrize(
    ("warning", "says"),
    [
        ("candidate: pyproject.toml tool.pytest, run in the session", "nobody confirmed it yet:"),
        ("candidate", "nobody confirmed it yet:"),
        ("definition-changed: conftest.py", "conftest.py changed:"),
        ("definition-changed since alice confirmed it: conftest.py", "conftest.py changed:"),
    ],
)
def test_a_check_that_nobody_stands_behind_says_who_can(monkeypatch, columns, warning, says):
    monkeypatch.setenv("COLUMNS", columns)
    packet = a_packet(checks=[a_check("tests", warnings=[warning])])
    text = " ".join(screen(packet, TaskView(id="t1"), "@alice").text.split())
    assert f"Unconfirmed tests (pytest -q): {says} passdown check --confirm tests" in text
    assert "candidate" not in text


def test_what_says_nothing_has_no_line(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    packet = a_packet(files=[])
    labels = [line.split("  ")[0] for line in screen(packet, TaskView(id="t1"), "@alice").lines]
    assert not {"Changed", "Base", "Mind", "Unconfirmed", "Not so", "Watch"} & set(labels)


def test_a_hold_says_why_and_what_lifts_it(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    reason = HoldReason(
        code="held-by-person", level="hold", fact="held by @bob", reproduce="passdown log", lifts="lift it"
    )
    shown = screen(a_packet(hold=Hold(state="HOLD", reasons=[reason])), TaskView(id="t1"), "@alice")
    assert shown.lines[0].endswith("HOLD")
    assert shown.lines[1].startswith("Why HOLD       held by @bob")
    assert "lift it" in shown.evidence[0][0]


@pytest.mark.parametrize("columns", [80, 100, 140])
@pytest.mark.parametrize("size", [1, 3, 12])
def test_long_lines_are_broken_between_words_before_anything_is_cut(monkeypatch, columns, size):
    monkeypatch.setenv("COLUMNS", str(columns))
    packet = a_packet()
    stop = [f"condition number {at} is met" for at in range(size)]
    bound = msgspec.structs.replace(packet.boundary, stop=stop).sealed()
    strays = [Stray(f"docs/{at}.md", "outside", "x", "in the run of 1234567", True, 1, 2) for at in range(size)]
    packet = msgspec.structs.replace(packet, boundary=bound)
    shown = screen(packet, TaskView(id="t1", items=list(packet.items)), "@alice", Around(strays=strays))
    assert max(map(cells, shown.lines)) <= columns
    for label, whole in (
        ("Stop if", "; ".join(stop)),
        ("Outside", f"docs/{size - 1}.md +1 -2 (in the run of 1234567)"),
    ):
        at = next(n for n, line in enumerate(shown.lines) if line.startswith(label))
        said = " ".join(line[15:].strip() for line in shown.lines[at : at + 2])
        assert whole in said or "..." in said
        if len(whole) * size + 70 < columns:
            assert whole in said
    outside = "\n".join(shown.lines).partition("Outside")[2]
    assert f"approving lets {'it' if size == 1 else f'all {size}'} stand  [" in outside
