from __future__ import annotations

import pytest

from passdown.packet.left_behind import LONGEST_LINE, PER_FILE, notes, older, rules

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


class TestOfThisTaskAlone:
    """B19: what an earlier task left is not taken for this one's."""

    def test_lines_that_stood_there_before_are_not_told(self) -> None:
        before = reader(TODO_md="- [ ] old\n", HANDOFF_md="- of task B\n")
        now = reader(TODO_md="- [ ] old\n- [ ] new\n", HANDOFF_md="- of task B\n")
        assert [(t.text, t.source) for t in notes(now, before)] == [("new", "TODO.md:2")]
        assert older(now, before) == ["HANDOFF.md"]

    def test_a_file_that_the_person_names_is_read_whole(self) -> None:
        now = reader(HANDOFF_md="- of task B\n")
        assert [t.text for t in notes(now, now, ["HANDOFF.md"])] == ["of task B"]
        assert older(now, now, ["HANDOFF.md"]) == []

    def test_a_feature_is_told_where_its_state_changed(self) -> None:
        one, two = (f'[{{"description": "login", "passes": {state}}}]' for state in ("false", "true"))
        told = notes(reader(feature_list_json=two), reader(feature_list_json=one))
        assert [t.text for t in told] == ["login: passes"]


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("Do not touch `api/`.", ("/pkg/api/",)),
        ("Never edit `api/*.py`", ("/pkg/api/*.py",)),
        ("Never edit x.py in api/v1", ("/pkg/api/v1",)),
        ("Do not touch `docs/`", ("docs/",)),
        ("Do not touch `/docs/`", ("/docs/",)),
        ("Do not touch `gone/`", ("/pkg/gone/",)),
    ],
)
@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md"])
def test_a_file_in_a_folder_speaks_of_that_folder_first(name: str, line: str, places: tuple[str, ...]) -> None:
    paths = [f"pkg/{name}", "pkg/api/v1/x.py", "pkg/api/y.py", "docs/a.md"]
    found = list(rules(lambda path: f"# Rules\n{line}\n" if path == f"pkg/{name}" else "", paths))
    assert [(told.source, told.paths) for told in found] == [(f"pkg/{name}:2", places)]


def test_huge_files_and_lines_are_capped() -> None:
    long = "- " + "x" * 10_000 + "\n"
    found = list(notes(reader(HANDOFF_md=long * 200)))
    assert len(found) == PER_FILE
    assert all(len(told.text) <= LONGEST_LINE for told in found)
    assert list(notes(reader(feature_list_json="[" * 100_000))) == []
