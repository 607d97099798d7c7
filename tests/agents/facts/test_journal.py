"""What the pass keeps stays small however long a session is, and what it needs stays."""

from __future__ import annotations

import pytest

from passdown.agents.facts import journal
from passdown.agents.facts.journal import Journal, Said, is_document


def test_only_the_latest_outputs_are_kept_whole(story, monkeypatch) -> None:
    monkeypatch.setattr(journal, "HELD", 20_000)
    story.asks("go").runs("pytest -q", "x" * 900 + "\n12 passed in 0.10s\n").runs(
        "git push", "1a2b3c4..5d6e7f8  main -> main"
    )
    for number in range(40):
        story.runs(f"cat file{number}", "y" * 1000).runs(f"./tool {number}", "z" * 1000, 3)
    facts = story.says("All tests pass. Pushed to origin.").facts()
    assert [len(c.output_tail) for c in facts.commands if c.ok][2:4] == [0, 0]
    assert [len(c.output_tail) for c in facts.commands if not c.ok][:2] == [160, 160]
    assert {len(c.output_tail) for c in facts.commands[-10:]} == {600}
    assert [c.class_ for c in facts.claims] == ["SUPPORTED", "SUPPORTED"]


def test_only_the_latest_writes_keep_their_text(story, monkeypatch) -> None:
    monkeypatch.setattr(journal, "HELD", 2_000)
    story.asks("go").writes("src/a.py", added="def first(): ...")
    for number in range(30):
        story.writes(f"src/m{number}.py", added="x = 1\n" * 20)
    facts = story.says("- Added `first()`.\n- Updated `src/a.py`.").facts()
    assert [c.class_ for c in facts.claims] == ["UNSUPPORTED", "SUPPORTED"]
    assert len(facts.writes) == 31


def test_of_what_was_said_only_closing_words_are_kept() -> None:
    kept = Journal(asked=[0])
    for seq in range(1, 50, 2):
        kept.say(Said(seq, seq, None, f"Step {seq}.", seq == 7))
        kept.act()
    assert [said.text for said in kept.said] == ["Step 7.", "Step 49."]


@pytest.mark.parametrize(
    ("path", "document"),
    [
        ("README.md", True),
        ("docs/guide.rst", True),
        ("docs/notes.txt", True),
        ("LICENSE", True),
        ("CHANGELOG.txt", True),
        ("logo.svg", True),
        ("requirements.txt", False),
        ("CMakeLists.txt", False),
        ("data/prices.csv", False),
        ("tests/fixtures/page.md", False),
        ("tests/__snapshots__/a.svg", False),
        ("docs\\guide.md", True),
        ("src/a.py", False),
        ("Makefile", False),
    ],
)
def test_documents_are_what_no_test_reads(path: str, document: bool) -> None:
    assert is_document(path) is document
