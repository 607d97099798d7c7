"""Facts go out with ids, sentences come back: what cites nothing is dropped, all of it stays only said."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passdown.model.packet import Packet
from passdown.packet.narration import LONGEST, SENTENCES, asked, facts, narrated, sentences
from support.any_packet import SAID, packets
from support.packets import the_retry_packet

PACKET = the_retry_packet()


def answer(*told: tuple[str, list[str]]) -> str:
    return json.dumps({"sentences": [{"text": text, "cites": cites} for text, cites in told]})


def test_the_facts_have_the_packets_own_ids() -> None:
    known = facts(PACKET)
    assert known["F1"].startswith("open failure: tests/test_retry.py::test_backoff AssertionError: 3 != 5")
    assert known["D1"] == "settled decision by user: cap 60 s, not configurable"
    assert known["C1"].startswith("said, not so: all 212 tests pass")
    assert {"G1", "G2", "E1", "K1", "X1", "U1", "N1", "N2"} <= known.keys()
    prompt = asked(known)
    assert all(json.loads(line)["id"] in known for line in prompt.partition("Facts:\n")[2].splitlines())


def test_a_sentence_without_a_known_id_goes_an_unknown_id_too() -> None:
    told = sentences(answer(("It failed.", ["F1", "Z9"]), ("All is well.", []), ("Done.", ["f1"])), facts(PACKET))
    assert [(one.text, one.cites) for one in told] == [("It failed.", ["F1"])]


@pytest.mark.parametrize(
    "text", ["", "{", "All is well.", "[]", '{"sentences": 3}', '{"sentences": [{"text": "a"}, 3]}', "null"]
)
def test_another_shape_is_no_narration(text: str) -> None:
    assert sentences(text, facts(PACKET)) is None


def test_a_fenced_answer_is_read() -> None:
    assert sentences(f"```json\n{answer(('It failed.', ['F1']))}\n```", facts(PACKET))


@settings(deadline=None)
@given(packets(), st.lists(st.tuples(SAID, st.lists(st.sampled_from(["G1", "F1", "Z9", "K1"])))))
def test_whatever_is_told_only_claims_are_added(packet: Packet, said: list[tuple[str, list[str]]]) -> None:
    known = facts(packet)
    told = sentences(answer(*said), known)
    assert told is not None
    assert len(told) <= SENTENCES
    after = narrated(packet, told, "claude")
    new = after.outcomes[len(packet.outcomes) :]
    assert after.outcomes[: len(packet.outcomes)] == packet.outcomes
    assert all(o.class_ == "CLAIMED" and o.source == "narrated by claude" for o in new)
    assert all(o.evidence and set(o.evidence) <= known.keys() for o in new)
    assert all(o.text.isprintable() and len(o.text) <= LONGEST for o in new)
