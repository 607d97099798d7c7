"""B3: what was tried and failed the same way, or was taken back."""

from __future__ import annotations

import pytest

FAIL = "FAILED tests/test_a.py::test_x - assert {} == 2\n1 failed, 11 passed in 0.{}s\n"
AGAIN = [
    *("pytest", "pytest 2>&1 | tail -20", "pytest -x -q", "pytest tests/test_a.py::test_x"),
    *("PYTHONPATH=. pytest", "uv run pytest"),
]
COMMIT = "[main 1a2b3c4] try the cache\n"


@pytest.mark.parametrize("again", [*AGAIN, "cd /home/dev/app && pytest"])
def test_the_same_test_failed_the_same_way_after_an_edit(story, again: str) -> None:
    story.asks("go").runs("pytest", FAIL.format(1, 10), 1).writes("a.py").runs(again, FAIL.format(7, 12), 1)
    (end,) = story.facts().dead_ends
    assert (end.command, end.error, end.tries) == (again, "assert 7 == 2", 2)


@pytest.mark.parametrize(
    ("then", "tries"),
    [
        (lambda s: s.writes("a.py"), 2),
        (lambda s: s.runs("sed -i 's/a/b/' a.py"), 2),
        (lambda s: s.runs("cat a.py"), 0),
        (lambda s: s.writes("a.py", ok=False), 0),
    ],
)
def test_only_an_edit_between_makes_it_another_try(story, then, tries: int) -> None:
    story.asks("go").runs("pytest", FAIL.format(1, 10), 1)
    then(story).runs("pytest", FAIL.format(1, 10), 1)
    assert [end.tries for end in story.facts().dead_ends] == ([tries] if tries else [])


def test_another_test_or_another_error_is_progress(story) -> None:
    story.asks("go").runs("pytest", FAIL.format(1, 10), 1).writes("a.py")
    story.runs("pytest", "FAILED tests/test_b.py::test_y - KeyError: 'x'\n1 failed, 11 passed in 0.1s\n", 1).writes(
        "a.py"
    )
    story.runs("pytest", "FAILED tests/test_a.py::test_x - KeyError: 'x'\n1 failed, 11 passed in 0.1s\n", 1)
    assert story.facts().dead_ends == []


@pytest.mark.parametrize(
    ("runs", "undone"),
    [
        ([("git checkout -- src/a.py", "")], True),
        ([("git checkout src/a.py", "")], True),
        ([("git checkout .", "")], True),
        ([("git restore src/", "")], True),
        ([("git restore --staged src/a.py", "")], False),
        ([("git checkout -- src/b.py", "")], False),
        ([("git checkout main", "")], False),
        ([("git reset --hard", "")], True),
        ([("git commit -am x", COMMIT), ("git reset --hard HEAD~1", "HEAD is now at 9f8e7d6\n")], True),
        ([("git commit -am x", COMMIT), ("git reset --hard origin/main", "HEAD is now at 9f8e7d6\n")], False),
        ([("git commit -am x", COMMIT), ("git revert --no-edit HEAD", "[main 2b3c4d5] Revert x\n")], True),
        ([("git commit -am x", COMMIT), ("git revert --no-edit 1a2b3c4", "[main 2b3c4d5] Revert x\n")], True),
        ([("git revert --no-edit 7777777", "[main 2b3c4d5] Revert y\n")], False),
        ([("git stash", "Saved working directory\n")], True),
        ([("git stash", "Saved working directory\n"), ("git stash pop", "Dropped\n")], False),
        ([("git stash && go vet ./... ; git stash pop", "Dropped\n")], False),
        ([("git checkout --ours src/a.py", "")], False),
    ],
)
def test_an_approach_that_was_reverted(story, runs: list[tuple[str, str]], *, undone: bool) -> None:
    story.asks("go").writes("src/a.py")
    for command, output in runs:
        story.runs(command, output)
    assert [end.error for end in story.facts().dead_ends] == (
        ["edits of this session to src/a.py were undone"] if undone else []
    )


def test_an_edit_that_a_later_one_takes_back(story) -> None:
    story.asks("go").writes("a.py", "cache = True", removed="cache = False").runs("pytest", FAIL.format(1, 1), 1)
    story.writes("a.py", "cache = False", removed="cache = True")
    (end,) = story.facts().dead_ends
    assert (end.command, end.error) == ("edit of a.py", "the edit of record 2 was taken back")


def test_edits_of_one_file_that_are_taken_back_are_one(story) -> None:
    for name in "ab":
        story.asks("go").writes("a.py", f"{name} = True", removed=f"{name} = False")
    for name in "ab":
        story.writes("a.py", f"{name} = False", removed=f"{name} = True")
    assert [(end.command, end.tries) for end in story.facts().dead_ends] == [("edit of a.py", 2)]


def test_a_line_added_for_a_look_and_removed_is_none(story) -> None:
    story.asks("go").writes("a.py", "print(x)").writes("a.py", "", removed="print(x)")
    assert story.facts().dead_ends == []
