"""Of the large statements a part is read: every measure and cause is as with the whole of it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import fields

from passdown.model.evidence import Evidence
from passdown.model.packet import Packet
from passdown.rules.learn.misses import counted
from passdown.rules.measures.account import accounts
from passdown.rules.measures.parts import PARTS
from passdown.rules.measures.report import measure
from passdown.rules.measures.runs import resumed_runs
from passdown.rules.measures.trail import trails
from passdown.rules.measures.window import Only, Window
from support.any_packet import packets
from support.bench import histories
from support.packets import evidence

NOW, history = histories.NOW, histories.history

ALL = Window(None, NOW.timestamp())


def in_parts(records: list) -> list:
    """As the ledger gives them where parts are asked for."""
    return [
        msgspec.structs.replace(record, body=msgspec.json.decode(msgspec.json.encode(record.body), type=PARTS[name]))
        if (name := {Packet: "packet", Evidence: "evidence"}.get(type(record.body))) is not None
        else record
        for record in records
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_part_measures_as_the_whole(seed: int):
    made = history(80, seed)
    found = []
    for records in (made.records, in_parts(made.records)):
        told = trails(records, made.touches)
        runs = resumed_runs(told)
        now = NOW.timestamp()
        found.append((measure(accounts(told), ALL, Only(), now), accounts(told), counted(told, runs)))
    assert found[0] == found[1]


def part_of(part: object, whole: object) -> bool:
    if isinstance(part, list):
        return len(part) == len(whole) and all(part_of(*pair) for pair in zip(part, whole, strict=True))
    if isinstance(part, msgspec.Struct):
        return all(part_of(getattr(part, each.name), getattr(whole, each.name)) for each in fields(part))
    return part == whole


@given(packets())
@settings(max_examples=60, deadline=None)
def test_every_field_of_a_packet_says_what_the_whole_one_says(whole: Packet):
    if not isinstance(whole.task.id, str):
        whole = msgspec.structs.replace(whole, task=whole.task.id)
    assert part_of(msgspec.json.decode(msgspec.json.encode(whole), type=PARTS["packet"]), whole)


def test_evidence_too():
    whole = evidence("tests", "PASSED")
    assert part_of(msgspec.json.decode(msgspec.json.encode(whole), type=PARTS["evidence"]), whole)
