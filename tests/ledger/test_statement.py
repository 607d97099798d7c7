from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.ledger import statement
from passdown.ledger.statement import MAX_LAMPORT, Clock
from support.ledgers import AT, note


def written(**subjects: str) -> dict[str, object]:
    clock = Clock(lamport=3, seen={"w/2026q4": "c" * 40})
    return json.loads(statement.write(note("hello"), subjects, task="t", at=AT, writer="w", clock=clock))


def test_a_statement_is_an_in_toto_statement():
    said = written(tree="a" * 40, evidence="b" * 64)
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert said["predicateType"] == "https://passdown.dev/note/v1"
    assert said["subject"] == [
        {"name": "tree", "digest": {"gitTree": "a" * 40}},
        {"name": "evidence", "digest": {"sha256": "b" * 64}},
    ]
    assert said["predicate"]["clock"] == {"lamport": 3, "seen": {"w/2026q4": "c" * 40}}
    assert said["predicate"]["body"]["text"] == "hello"


def test_without_subjects_the_body_is_the_subject():
    (subject,) = written()["subject"]
    assert subject["name"] == "note"
    assert len(subject["digest"]["sha256"]) == 64


def test_unknown_fields_of_a_known_type_are_passed_over():
    raw = msgspec.json.encode({**msgspec.to_builtins(note("x")), "later": {"field": 1}})
    assert statement.body_of("note", raw) == note("x")


@pytest.mark.parametrize(("name", "raw"), [("no-such", b"{}"), ("note", b"{}"), ("note", b"\xff"), ("note", b"[")])
def test_a_type_or_shape_of_another_version_has_no_body(name: str, raw: bytes):
    assert statement.body_of(name, raw) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"_type":"x"}', b"\xff", b'{"a":' * 100_000])
def test_what_is_no_statement_is_none(data: bytes):
    assert statement.read(data) is None


@pytest.mark.parametrize(
    ("lamport", "seen", "holds"),
    [
        (1, [], True),
        (2, [], False),
        (0, [], False),
        (-1, [], False),
        (8, [7, 3], True),
        (9, [7, 3], False),
        (7, [7], False),
        (8, [7, None], None),
        (99, [7, None], None),
        (7, [7, None], False),
        (MAX_LAMPORT, [None], False),
        (MAX_LAMPORT, [MAX_LAMPORT - 1], False),
    ],
)
def test_a_clock_is_one_more_than_the_largest_seen(lamport: int, seen: list[int | None], holds: bool | None):
    assert statement.clock_holds(lamport, seen) is holds


@given(st.lists(st.integers(1, 2**50), max_size=6))
def test_only_one_clock_holds(seen: list[int]):
    right = 1 + max(seen, default=0)
    assert statement.clock_holds(right, list(seen)) is True
    assert statement.clock_holds(right + 1, list(seen)) is False
