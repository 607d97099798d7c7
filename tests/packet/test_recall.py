"""What a session is told by its client's hook, within the client's limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from passdown.model.boundary import Entry
from passdown.model.session import Prohibition, Request, SeenCheck
from passdown.packet import recall
from support.facts import Told
from support.packets import the_retry_packet

NOW = "2026-11-30T16:00:00Z"


def facts(**changes):
    return replace(Told(Path("/repo")).facts(), **changes)


def wide(count, text="packages/{}/**"):
    packet = the_retry_packet()
    allow = [Entry(id=f"B{n}", path=text.format(n), because="given") for n in range(count)]
    return replace(packet, boundary=replace(packet.boundary, allow=allow))


@pytest.mark.parametrize(
    "packet", [the_retry_packet(), wide(300), wide(2000), wide(200, "設計/設計設計設計設計設計設計/{}/**")]
)
def test_no_client_cuts_it(packet):
    for text in (recall.handed(packet, NOW), recall.again(packet, None, NOW, team=True)):
        assert len(text.encode()) <= 10_000
        lines = text.splitlines()
        assert lines[0].startswith("Handoff ")
        assert any(line.startswith("Goal (user)") for line in lines)


def test_what_was_left_out_is_pointed_to():
    assert "prints all of it" not in recall.handed(wide(300), NOW)
    assert "`passdown show 7c1e9a2 --brief` prints all of it" in recall.handed(wide(2000), NOW)


def test_after_a_compaction_goal_prohibitions_boundary_and_failures_stand_again():
    packet = the_retry_packet()
    text = recall.again(packet, None, NOW, team=False)
    kinds = ("Goal (user)", "F1 ", "Write: ", "Not: ")
    assert [kind for kind in kinds if not any(line.startswith(kind) for line in text.splitlines())] == []
    assert "readback" not in text
    assert "readback" in recall.again(packet, None, NOW, team=True)
    assert "Continue at step" not in text


def said(*texts, **more):
    requests = [Request(at=NOW, text=text, record=n) for n, text in enumerate(texts)]
    return facts(requests=requests, **more)


def check(command, result, record, **more):
    return SeenCheck(
        at=NOW, command=command, kind="test", result=result, masked=False, counts=None, failing=more.pop("failing", []),
        edits_after=False, record=record, **more,
    )  # fmt: skip


def test_a_first_run_is_told_the_persons_own_words_and_what_fails_now():
    checks = [
        check("pytest -q", "PASSED", 1),
        check("mypy src", "FAILED", 2),
        check("mypy  src", "PASSED", 3),
        check("pytest -q", "FAILED", 4, failing=["t.py::a"], first_errors={"t.py::a": 'said "no`"'}),
    ]
    forbidden = [Prohibition(text="never touch the schema", paths=[]), Prohibition(text="gone", paths=[], lifted="ok")]
    text = recall.first_run(said("mend it", "go on", "quickly", checks=checks, prohibitions=forbidden), NOW)
    lines = text.splitlines()
    assert lines[0] == recall.AGAIN
    assert 'Goal (user): "mend it"' in lines
    assert 'Last request (user): "quickly"' in lines
    assert 'The user said: "never touch the schema"' in lines
    assert not any("gone" in line for line in lines)
    (fails,) = [line for line in lines if line.startswith("Fails: ")]
    assert fails.startswith("Fails: `pytest -q`")
    assert fails.endswith(': t.py::a  "said \\"no`\\""')


def test_there_is_nothing_to_tell_of_an_empty_session():
    assert recall.first_run(facts(), NOW) == ""


def test_a_prohibition_that_stands_in_the_goal_is_told_once():
    forbidden = [Prohibition(text="don't touch docs", paths=["docs"])]
    text = recall.first_run(said("mend it; don't touch docs", prohibitions=forbidden), NOW)
    assert text.count("don't touch docs") == 1
