from __future__ import annotations

import pytest

from passdown.model.boundary import Boundary, Entry
from passdown.model.packet import FileChange, Item, Packet, Step
from passdown.rules.match import literal
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


SOURCE, TEST = "inventory/parse.py", "tests/test_parse.py"


def first(*, paths: list[str], allow: list[str], changed: tuple[str, ...] = (), **item) -> str:
    """Where a failing check sends the next run."""
    files = [
        FileChange(
            path=path, status="modified", added=1, removed=0, by=["tool"], inside=None, in_goal=path != "NOTES.md"
        )
        for path in changed
    ]
    failure = Item(id="F1", kind="failure", text="x", blocks="merge", paths=paths, **{"check": "tests", **item})
    entries = [Entry(id=f"B{n}", path=literal(path), because="x") for n, path in enumerate(allow, 1)]
    return expected(
        a_packet(
            files=files,
            items=[failure],
            boundary=Boundary(version=1, source="proposed", allow=entries),
            checklist=[Step(step="x", check=None, if_not="", item="F1")],
        )
    ).first


@pytest.mark.parametrize(
    ("given", "begins"),
    [
        ({"paths": [TEST, SOURCE], "allow": [TEST, SOURCE]}, SOURCE),
        ({"paths": [TEST], "allow": ["NOTES.md", TEST, SOURCE]}, SOURCE),
        (
            {"paths": [TEST], "allow": [TEST, "inventory/rows.py"], "changed": ("inventory/rows.py",)},
            "inventory/rows.py",
        ),
        ({"paths": [TEST], "allow": ["NOTES.md", TEST], "changed": ("NOTES.md",)}, TEST),
        ({"paths": [TEST], "allow": [TEST], "changed": (SOURCE,)}, TEST),
        ({"paths": [TEST], "allow": [TEST, SOURCE], "changed": (SOURCE,), "check": None}, TEST),
        ({"paths": [], "allow": ["a [1].py"]}, "a [1].py"),
        ({"paths": ["cap_test.go"], "allow": ["cap.go", "cap_test.go"]}, "cap.go"),
        ({"paths": ["src/slug.test.ts"], "allow": ["src/slug.test.ts", "src/slug.ts"]}, "src/slug.ts"),
    ],
)
def test_a_failing_test_sends_the_next_run_to_the_code_not_into_the_test(given, begins: str) -> None:
    assert first(**given) == begins


def test_a_pattern_is_no_path_to_begin_with() -> None:
    everything = Boundary(version=1, source="hand", allow=[Entry(id="B1", path="**", because="x")])
    assert expected(a_packet(boundary=everything)).first == ""
