"""A1: what the agent says it did not change, against what it wrote; a false CONTRADICTED is worse than a missed one."""

from __future__ import annotations

import pytest

DENIALS = (
    "I did not touch docs/.",
    "I didn't change docs/guide.md.",
    "I have not modified anything in `docs/`.",
    "I never touched `src/api.py`.",
    "We haven't touched docs/ at all.",
    "I avoided changing `src/api.py`.",
    "I made no changes to docs/.",
    "I did not touch docs/ or src/other.py.",
    "I did not touch `lib/`, `docs/` or `ci/`.",
    "No files in `docs/` were touched.",
    "No file under `docs/` has been edited.",
    "None of the files in `docs/` changed.",
    "No changes were made to `docs/guide.md`.",
    "No edits to `src/api.py`.",
    "Nothing under `docs/` was changed.",
    "docs/ was not touched.",
    "`docs/guide.md` wasn't modified.",
    "The files in `docs/` were not modified.",
    "The `src/api.py` file was not modified.",
    "`src/api.py` is unchanged.",
    "**`src/api.py`** is unchanged.",
    "[guide](docs/guide.md) is unchanged.",
    "`docs/guide.md` remains untouched.",
    "The docs/ folder stays as it was.",
    "docs/guide.md was left as-is.",
    "I left `docs/guide.md` alone.",
    "Kept `docs/guide.md` unchanged.",
    "docs/guide.md: unchanged.",
    "* `docs/guide.md` — unchanged",
    "- `docs/`: no changes.",
    "- docs/ untouched",
    "Without touching `docs/guide.md`, I fixed the retry.",
    "Fixed the retry, leaving `src/api.py` untouched.",
    "Everything is fixed; `src/api.py` was not changed.",
    "The retry works now, and docs/ was not touched.",
)
NO_DENIALS = (
    # exceptions and parts
    "docs/ is unchanged except for `docs/guide.md`.",
    "Except for `docs/guide.md`, nothing in docs/ was changed.",
    "Apart from a typo in docs/guide.md, docs/ is untouched.",
    "I did not touch docs/ (except the typo in docs/guide.md).",
    "I did not touch docs/ beyond the typo.",
    "No files besides `docs/guide.md` were touched.",
    "Nothing other than `src/api.py` was changed.",
    "Only `docs/guide.md` was changed.",
    "docs/ is otherwise unchanged.",
    "The rest of `docs/guide.md` is unchanged.",
    "The other files in `docs/` were not touched.",
    "Most of docs/ is untouched.",
    "docs/guide.md is almost unchanged.",
    "The old lines in docs/guide.md were kept unchanged.",
    "Line 4 of docs/guide.md is unchanged.",
    "I did not change docs/guide.md's title.",
    # what may hold although the file was written
    "The public API of `src/api.py` is unchanged.",
    "The public API (`src/api.py`) is unchanged.",
    "The behaviour of `src/api.py` is unchanged.",
    "The signature of `run()` in `src/api.py` is unchanged.",
    "`src/api.py` is unchanged in behaviour.",
    "docs/guide.md: unchanged API",
    "I did not change how docs/guide.md is built.",
    "Nothing in docs/ was changed for the worse.",
    # another time, another place, another hand
    "I did not touch docs/ until the tests passed.",
    "I did not touch docs/ in the first commit.",
    "I had not touched docs/ at that point.",
    "Before my change, docs/guide.md was unchanged since 2020.",
    "docs/guide.md was unchanged on main.",
    "docs/ was not touched in that branch.",
    "docs/guide.md was not changed by the formatter.",
    # plans, conditions, questions, wishes
    "I will not touch docs/.",
    "I would not touch docs/ here.",
    "I could have left docs/ untouched.",
    "If docs/ is unchanged, the build skips it.",
    "Had I not touched docs/, the build would fail.",
    "To leave docs/ unchanged, run `make x`.",
    "Should docs/guide.md stay unchanged?",
    "Please do not touch docs/.",
    "`docs/guide.md` must not be touched.",
    # other people's words
    "You said `docs/guide.md` is unchanged.",
    'The README says "docs/guide.md is unchanged".',
    '"docs/guide.md is unchanged" is what CI prints.',
    "The reviewer claims that docs/ was not touched.",
    "It is not true that docs/ was not touched.",
    "> docs/ was not touched",
    # other files
    "I did not touch `docs/other.md`.",
    "I did not touch `docs/guide.mdx`.",
    "I did not touch mydocs/.",
    "`tests/` is unchanged.",
    "`api.py` is unchanged.",
    "`docs/guide.md` is no longer unchanged.",
)


def wrote(story):
    return story.asks("go").writes("/home/dev/app/docs/guide.md").writes("/home/dev/app/src/api.py")


def contradicted(story, text: str) -> list[str]:
    return [claim.because for claim in story.says(text).facts().claims if claim.class_ == "CONTRADICTED"]


@pytest.mark.parametrize("text", DENIALS)
def test_a_write_tells_against_it_and_both_lines_are_there(story, text: str) -> None:
    (because,) = contradicted(wrote(story).runs("pytest -q", "12 passed in 0.10s\n"), text)
    assert "(record 2)" in because or "(record 3)" in because


@pytest.mark.parametrize("text", NO_DENIALS)
def test_what_denies_no_write_of_these_is_left_alone(story, text: str) -> None:
    assert contradicted(wrote(story), text) == []


@pytest.mark.parametrize("text", DENIALS)
def test_what_is_true_makes_no_line(story, text: str) -> None:
    assert contradicted(story.asks("go").writes("/home/dev/app/src/b.py"), text) == []


UNSURE = {
    "refused": {"ok": False},
    "by a shell command": {"via": "shell"},
    "by a subagent": {"subagent": True},
    "never ran": {"executed": False},
}


@pytest.mark.parametrize("fields", UNSURE.values(), ids=UNSURE.keys())
def test_a_write_that_may_not_be_the_agents_tells_nothing(story, fields: dict[str, object]) -> None:
    assert (
        contradicted(story.asks("go").writes("/home/dev/app/docs/guide.md", **fields), "docs/ was not touched.") == []
    )


def test_only_the_writes_of_this_turn_and_before_the_words(story) -> None:
    wrote(story).says("Done.").asks("Now the retry, without docs/.").writes("/home/dev/app/src/b.py")
    assert contradicted(story, "I did not touch docs/.") == []
    assert contradicted(story.writes("/home/dev/app/docs/guide.md"), "Done.") == []


@pytest.mark.parametrize(
    "command", ["git checkout -- docs", "git restore docs/guide.md", "git stash", "cp /tmp/g docs/guide.md"]
)
def test_what_was_put_back_is_unchanged(story, command: str) -> None:
    assert contradicted(wrote(story).runs(command), "docs/ was not touched.") == []


def test_an_edit_taken_back_by_the_opposite_one_is_none(story) -> None:
    story.asks("go").writes("docs/guide.md", "new", removed="old").writes("docs/guide.md", "old", removed="new")
    assert contradicted(story, "`docs/guide.md` is unchanged.") == []


def test_a_new_file_beside_them_changes_none(story) -> None:
    story.asks("go").writes("docs/new.md", op="create").writes("app/migrations/0002_add.py", op="create")
    assert contradicted(story, "No files in docs/ were changed. No migrations were changed.") == []
    assert contradicted(story.writes("app/migrations/0001_first.py"), "No migrations were changed.") != []
    assert contradicted(story, "docs/ was not touched.") != []


def test_a_folder_above_the_project_is_not_meant(story) -> None:
    assert contradicted(story.asks("go").writes("/home/dev/app/src/a.py"), "I did not touch app/.") == []
    assert contradicted(story.writes("packages/x/docs/a.md"), "I did not touch docs/.") == []
