"""What an answer makes of a boundary."""

from __future__ import annotations

import pytest

from passdown.errors import PassdownError
from passdown.model.boundary import Boundary, Budget, Entry
from passdown.review import narrow

OLD = Boundary(
    version=3,
    source="proposed",
    allow=[
        Entry(id="B1", path="src/retry.py", because="unfinished"),
        Entry(id="B2", path="src/client.py", because="unfinished"),
        Entry(id="B5", path="tests/**", because="failing"),
    ],
    deny=[Entry(id="N1", path="migrations/**", because="user")],
    budget=Budget(new=2),
).sealed()


@pytest.mark.parametrize(
    ("specs", "allowed", "denied"),
    [
        (["-3"], ["src/retry.py", "src/client.py"], ["migrations/**"]),
        (["-1", "-2"], ["tests/**"], ["migrations/**"]),
        (["-B5"], ["src/retry.py", "src/client.py"], ["migrations/**"]),
        (["-src/client.py"], ["src/retry.py", "tests/**"], ["migrations/**"]),
        (["-3", "+src/backoff.py"], ["src/retry.py", "src/client.py", "src/backoff.py"], ["migrations/**"]),
        (["-docs/**"], ["src/retry.py", "src/client.py", "tests/**"], ["migrations/**", "docs/**"]),
        (["+README.md"], ["src/retry.py", "src/client.py", "tests/**", "/README.md"], ["migrations/**"]),
        (["+a b.py"], ["src/retry.py", "src/client.py", "tests/**", "/a b.py"], ["migrations/**"]),
        (["+src/retry.py"], ["src/retry.py", "src/client.py", "tests/**"], ["migrations/**"]),
    ],
)
def test_numbers_drop_plus_adds_minus_denies(specs, allowed, denied):
    new = narrow.apply(OLD, specs, "review by @alice")
    assert [entry.path for entry in new.allow] == allowed
    assert [entry.path for entry in new.deny] == denied
    assert len({entry.id for entry in new.allow + new.deny}) == len(new.allow + new.deny)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("-9", "no entry 9"),
        ("-0", "no entry 0"),
        ("3", "not understood"),
        ("+", "not understood"),
        ("+../x", "pattern"),
    ],
)
def test_what_is_not_understood_is_one_clear_line(spec, says):
    with pytest.raises(PassdownError, match=says):
        narrow.apply(OLD, [spec], "x")


def test_what_plus_added_minus_drops_by_the_same_name():
    added = narrow.apply(OLD, ["+README.md"], "x")
    assert narrow.apply(added, ["-README.md"], "x").allow == OLD.allow


def test_ids_are_never_used_twice():
    """A dropped entry's id does not come back with another meaning."""
    dropped = narrow.apply(OLD, ["-1"], "x")
    assert narrow.apply(dropped, ["+src/new.py"], "x").allow[-1].id == "B6"


def test_a_version_only_goes_up_and_changes_the_digest():
    new = narrow.next_version(OLD, "reviewed")
    assert (new.version, new.source) == (4, "reviewed")
    assert new.digest != OLD.digest


@pytest.mark.parametrize(
    ("pattern", "opened"),
    [(".github/workflows/ci.yml", True), ("passdown.toml", True), ("src/a.py", False), (".github/**", False)],
)
def test_only_a_protected_path_named_by_a_person_is_opened(pattern, opened):
    """E11: a pattern that happens to cover the guard's own files does not open them."""
    assert bool(narrow.add(OLD, allow=[pattern], because="x").opened) is opened


def test_allow_only_keeps_ids_and_denials():
    new = narrow.allow_only(OLD, ["src/client.py", "lib/**"], "x")
    assert [(entry.id, entry.path) for entry in new.allow] == [("B2", "src/client.py"), ("B6", "lib/**")]
    assert new.deny == OLD.deny


def test_a_path_is_taken_from_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert narrow.repository_path(tmp_path.resolve(), "a.py") == "src/a.py"
    assert narrow.repository_path(tmp_path.resolve(), "../b.py") == "b.py"
    with pytest.raises(PassdownError, match="outside the worktree"):
        narrow.repository_path(tmp_path.resolve(), "../../b.py")


@pytest.mark.parametrize("path", ["migrations/0002.sql", "migrations/a/b.sql"])
def test_a_path_under_a_deny_is_added_only_with_the_deny_lifted(path):
    """Deny wins: saying "added" of what stays forbidden would be a lie."""
    with pytest.raises(PassdownError, match="N1 migrations/") as told:
        narrow.apply(OLD, [f"+{path}"], "owner")
    assert told.value.hint.endswith(f"--narrow -N1 +{path.removeprefix('/')}") or path in told.value.hint
    opened = narrow.apply(OLD, ["-N1", f"+{path}"], "owner")
    assert [entry.path for entry in opened.deny] == []
    assert f"/{path}" in [entry.path for entry in opened.allow] or path in [entry.path for entry in opened.allow]
