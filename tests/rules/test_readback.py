from __future__ import annotations

import pytest

from passdown.model.boundary import Boundary, Entry
from passdown.model.packet import Item, Packet, Step
from passdown.rules.readback import ReadBack, expected, faults
from support.packets import a_packet


@pytest.fixture
def packet() -> Packet:
    return a_packet(
        items=[
            Item(id="F1", kind="failure", text="t::a", blocks="merge", paths=["tests/t.py", "src/client.py"]),
            Item(id="Q1", kind="question", text="cap?", blocks="merge"),
            Item(id="S1", kind="step", text="docs", blocks="merge"),
        ],
        boundary=Boundary(
            version=1,
            source="proposed",
            allow=[Entry(id="B1", path="src/client.py", because="x")],
            deny=[
                Entry(id="N1", path="migrations/**", because="user"),
                Entry(id="N2", path="src/auth/**", because="owner"),
            ],
        ),
        checklist=[Step(step="repair", check=None, if_not="", item="F1")],
    )


def test_what_is_expected_opens_the_gate(packet: Packet) -> None:
    said = expected(packet)
    assert (said.open, said.first, said.not_) == (["F1", "Q1"], "src/client.py", ["N1", "N2"])
    assert faults(packet, said) == []


@pytest.mark.parametrize(
    "said",
    [
        ReadBack(["q1,f1"], "./src/client.py", ["N2", "N1"]),
        ReadBack(["'F1', Q1"], '"src/client.py"', ["N1 N2"]),
        ReadBack(["F1", "Q1", "S1"], "src/client.py", ["n1,n2"]),
    ],
)
def test_order_case_and_quotes_do_not_matter(packet: Packet, said: ReadBack) -> None:
    assert faults(packet, said) == []


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (ReadBack(["F1"], "src/client.py", ["N1", "N2"]), "--open lacks Q1"),
        (ReadBack(["F1,Q1,F9"], "src/client.py", ["N1", "N2"]), "--open names F9"),
        (ReadBack(["F1,Q1"], "src/client.py", ["N1"]), "--not lacks N2"),
        (ReadBack(["F1,Q1"], "src/auth/x.py", ["N1", "N2"]), "--first src/auth/x.py is outside"),
        (ReadBack(["F1,Q1"], "", ["N1", "N2"]), "--first names no file"),
    ],
)
def test_the_missing_part_is_named(packet: Packet, said: ReadBack, names: str) -> None:
    assert len(faults(packet, said)) == 1
    assert faults(packet, said)[0].startswith(names)
