"""Notes of other tools and people, taken apart."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.errors import PassdownError
from passdown.packet.foreign_note import LONGEST, MOST, entries, shape_of

HANDOFF = """\
# Handoff

Some prose.

## Done
- parser rewritten
## Next steps
1. write the migration
- [ ] test it
- [x] read the docs
**Decisions:**
- use sqlite
Failed attempts:
* patched the clock
## Open questions
- may the API change?
```
- not read
```
<!-- passdown:begin -->
- ours
<!-- passdown:end -->
"""


def found(name: str, text: str, shape=None) -> list[tuple[str, str, int]]:
    return [(entry.kind, entry.text, entry.line) for entry in entries(name, text, shape)]


def test_headings_say_what_an_entry_is() -> None:
    assert found("HANDOFF.md", HANDOFF) == [
        ("assumption", "Some prose.", 3),
        ("assumption", "parser rewritten", 6),
        ("step", "write the migration", 8),
        ("step", "test it", 9),
        ("assumption", "read the docs", 10),
        ("decision", "use sqlite", 12),
        ("dead-end", "patched the clock", 14),
        ("question", "may the API change?", 16),
    ]


def test_a_to_do_list_is_steps_what_is_ticked_is_only_said() -> None:
    text = "Intro\n- one\n- [x] two\n- one\n## Done\n- three\n"
    assert found("TODO.md", text) == [("step", "one", 2), ("assumption", "two", 3), ("assumption", "three", 6)]
    assert found("notes.txt", text, "todo") == found("TODO.md", text)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Should we use sqlite?", "question"),
        ("**Question:** which cap", "question"),
        ("Open question: which cap", "question"),
        ("[ ] may the API change?", "question"),
        ('Does "retry" count? (see #3)', "step"),
        ("Decision: use sqlite", "decision"),
        ("**Decided** - use sqlite", "decision"),
        ("We decided to keep the format", "decision"),
        ("I chose sqlite over a file", "decision"),
        ("Decide on the cap", "step"),
        ("all tests pass", "assumption"),
        ("All 12 tests are green.", "assumption"),
        ("The build passes now", "assumption"),
        ("the parser is fixed", "assumption"),
        ("Implemented the retry", "assumption"),
        ("Fixed the parser", "assumption"),
        ("Done: the parser", "assumption"),
        ("Tests pass", "assumption"),
        ("Tried patching the clock, read-only", "dead-end"),
        ("Dead end: patching the clock", "dead-end"),
        ("make all tests pass", "step"),
        ("all tests must pass", "step"),
        ("The tests should pass on Windows too", "step"),
        ("the parser is not fixed", "step"),
        ("check that the build passes", "step"),
        ("Fix the parser", "step"),
        ("TODO: fix the parser", "step"),
        ("test it", "step"),
        ("implement the retry that was agreed", "step"),
        ("complete the migration", "step"),
        ("finish the docs", "step"),
        ("ask @dana", "step"),
    ],
)
def test_an_entry_below_next_steps_is_what_its_own_words_say(said: str, kind: str) -> None:
    assert [entry[0] for entry in found("HANDOFF.md", f"# Next steps\n- {said}\n")] == [kind]
    if not said.startswith("["):
        assert [entry[0] for entry in found("h.json", json.dumps({"next_steps": [f"{said}"]}))] in ([kind], [])
        assert [entry[0] for entry in found("TODO.md", f"- {said}\n")] == [kind]


@pytest.mark.parametrize(
    ("document", "kind", "text"),
    [
        ({"objective": {"summary": "make it pass"}}, "assumption", "make it pass"),
        ({"currentState": {"complete": ["parser rewritten"]}}, "assumption", "parser rewritten"),
        ({"currentState": {"blocked": ["the server is down"]}}, "step", "the server is down"),
        ({"nextAction": "write the migration"}, "step", "write the migration"),
        ({"next_steps": [{"text": "write the migration"}]}, "step", "write the migration"),
        ({"decisions": [{"decision": "use sqlite", "status": "active"}]}, "decision", "use sqlite"),
        ({"open_questions": [{"question": "may it change?"}]}, "question", "may it change?"),
        ({"failedAttempts": ["patched the clock"]}, "dead-end", "patched the clock"),
        ({"todos": [{"content": "write it down", "status": "completed"}]}, "assumption", "write it down"),
        ({"todos": [{"content": "write it down", "status": "pending"}]}, "step", "write it down"),
    ],
)
def test_json_of_other_tools_by_its_keys(document: dict, kind: str, text: str) -> None:
    assert (kind, text) in [entry[:2] for entry in found("handoff.json", json.dumps(document))]
    pretty = json.dumps(document, indent=1)
    assert found("handoff.json", pretty)[0][2] == pretty[: pretty.find(text)].count("\n") + 1


def test_features_that_pass_are_only_said_the_others_are_steps() -> None:
    text = '[{"description": "login", "passes": true},\n {"description": "logout", "passes": false}]'
    assert shape_of("x/feature_list.json") == "features"
    assert found("feature_list.json", text) == [
        ("assumption", "login: passes", 1),
        ("step", "logout: does not pass", 2),
    ]


@pytest.mark.parametrize(("name", "text"), [("a.md", ""), ("a.md", "# Title\n"), ("a.json", "{"), ("a.json", "{}")])
def test_what_says_nothing_is_refused(name: str, text: str) -> None:
    with pytest.raises(PassdownError):
        entries(name, text, None)


@given(st.text(), st.sampled_from(["a.md", "TODO.md", "a.json", "feature_list.json"]))
def test_any_text_is_taken_apart_or_refused(text: str, name: str) -> None:
    try:
        told = entries(name, text, None)
    except PassdownError:
        return
    assert 0 < len(told) <= MOST
    assert all(1 <= entry.line <= text.count("\n") + len(text.splitlines()) for entry in told)
    assert all(entry.text and len(entry.text) <= LONGEST + 30 for entry in told)
