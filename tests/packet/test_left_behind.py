from __future__ import annotations

import pytest

from passdown.packet.left_behind import notes, rules

PATHS = ["src/auth/token.py", "migrations/1.sql", "docs/a.md", "setup.cfg"]


def reader(**files: str):
    named = {
        name.replace("__", "/").replace("_md", ".md").replace("_json", ".json"): text for name, text in files.items()
    }
    return lambda path: named.get(path, "")


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("Never touch `src/auth/` or `docs`.", ("src/auth/", "docs")),
        ("- Do not modify migrations by hand", ("migrations",)),
        ("You must not edit setup.cfg.", ("setup.cfg",)),
        ("Don\u2019t ever delete src/auth/token.py", ("src/auth/token.py",)),
        ("Do not edit anything without a test", None),
        ("Never change the public API", None),
        ("We edit src/auth often", None),
    ],
)
def test_do_not_touch_lines_name_their_places(line: str, places: tuple[str, ...] | None) -> None:
    found = list(rules(reader(AGENTS_md=f"# Rules\n\n{line}\n"), PATHS))
    assert [(t.source, t.paths) for t in found] == ([("AGENTS.md:3", places)] if places else [])


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"permissions": []}', '{"permissions": {"deny": ["Read(.env)", "Edit(~/x)", "Bash(rm)", 3]}}'],
)
def test_settings_that_deny_no_writing_say_nothing(text: str) -> None:
    assert list(rules(lambda path: text if path == ".claude/settings.json" else "", PATHS)) == []


def test_bullets_stand_for_a_note_prose_where_there_are_none_and_our_own_block_is_left_out() -> None:
    text = "# Handoff\nIntro.\n- [x] done\n* next\n<!-- passdown:begin -->\n- ours\n<!-- passdown:end -->\n3. last\n"
    assert [(t.text, t.source) for t in notes(reader(HANDOFF_md=text))] == [
        ("done", "HANDOFF.md:3"),
        ("next", "HANDOFF.md:4"),
        ("last", "HANDOFF.md:8"),
    ]
    assert [t.text for t in notes(reader(TODO_md="First.\n\nSecond.\n"))] == ["First.", "Second."]


@pytest.mark.parametrize("text", ["{", "3", '"x"', '{"features": 3}', "[1, null]"])
def test_a_feature_list_of_another_shape_says_nothing(text: str) -> None:
    assert list(notes(lambda path: text if path == "feature_list.json" else "")) == []
