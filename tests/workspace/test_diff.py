"""What differs, what a tree holds, and what history says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passdown.errors import PassdownError
from passdown.workspace import diff, history
from passdown.workspace.place import find_place
from passdown.workspace.refs import remote_name
from passdown.workspace.snapshot import take

if TYPE_CHECKING:
    from support.repo import Repo


def test_each_kind_of_change(repo: Repo) -> None:
    repo.write("same", "s\n").write("edit", "1\n2\n").write("gone", "g\n").write("mode", "m\n").write("kind", "k\n")
    repo.write("bin", b"\0\1").commit()
    repo.write("edit", "1\n3\n4\n").delete("gone").executable("mode").delete("kind").link("kind", "edit").write(
        "new", "n\n"
    )
    repo.write("bin", b"\0\2")
    place = find_place(repo.root)
    changes = diff.tree_diff(place, place.head or "", take(place).tree, counts=True)
    found = {c.path: (c.status, c.added, c.removed, c.old_mode, c.new_mode) for c in changes}
    assert found == {
        "edit": ("modified", 2, 1, "100644", "100644"),
        "gone": ("deleted", 0, 1, "100644", "000000"),
        "mode": ("mode", 0, 0, "100644", "100755"),
        "kind": ("type", 1, 1, "100644", "120000"),
        "new": ("added", 1, 0, "000000", "100644"),
        "bin": ("modified", None, None, "100644", "100644"),
    }
    new = next(c for c in changes if c.path == "new")
    assert (new.old_blob, diff.read_blob(place, new.new_blob)) == ("", b"n\n")
    assert {c.added for c in diff.tree_diff(place, place.head or "", take(place).tree)} == {None}


def test_a_rename_is_a_delete_and_a_create(repo: Repo) -> None:
    repo.write("a", "content\n" * 50).commit()
    repo.git("mv", "a", "b")
    place = find_place(repo.root)
    assert {(c.path, c.status) for c in diff.tree_diff(place, place.head or "", take(place).tree)} == {
        ("a", "deleted"),
        ("b", "added"),
    }


def test_reading_a_large_blob_in_part(repo: Repo) -> None:
    repo.write("large", b"x" * 3_000_000)
    place = find_place(repo.root)
    _, blob = diff.list_tree(place, take(place).tree)["large"]
    assert diff.read_blob(place, blob, 10) == b"x" * 10
    assert len(diff.read_blob(place, blob)) == 3_000_000
    assert diff.read_blob(place, blob, 0) == b""


@pytest.mark.parametrize("limit", [None, 10])
def test_what_is_not_here_is_said(repo: Repo, limit: int | None) -> None:
    place = find_place(repo.root)
    with pytest.raises(PassdownError, match="not in this clone"):
        diff.read_blob(place, "0" * 39 + "1", limit)
    with pytest.raises(PassdownError):
        diff.tree_diff(place, "", "0" * 39 + "1")
    assert diff.read_path(place, place.head or "", "none") is None
    assert diff.read_path(place, place.head or "", "README.md") == b"# Sample\n"


def test_a_patch_is_shown_without_foreign_programs(repo: Repo) -> None:
    repo.git("config", "diff.external", "false")
    repo.git("config", "color.ui", "always")
    repo.write(".gitattributes", "*.md diff=x\n").git("config", "diff.x.textconv", "false")
    place = find_place(repo.root)
    repo.append("README.md", "more\n").write(":(glob)*", "x\n")
    tree = take(place).tree
    assert b"\n+more\n" in diff.patch(place, place.head or "", tree)
    assert b"more" not in diff.patch(place, place.head or "", tree, [":(glob)*"])


def test_base_is_the_merge_base_with_the_base_branch(repo: Repo) -> None:
    start = repo.head
    repo.remote()
    repo.branch("work").write("a", "a\n").commit()
    place = find_place(repo.root)
    assert history.base(place, "main") == (start, "merge base with main")
    assert history.base(place, "origin/main") == (start, "merge base with origin/main")
    assert history.base(place, "none")[0] is None
    repo.git("branch", "-q", "--set-upstream-to=origin/main")
    assert history.base(find_place(repo.root), None) == (start, "merge base with origin/main")
    repo.git("branch", "-q", "--unset-upstream")
    repo.git("remote", "set-head", "origin", "main")
    assert history.base(find_place(repo.root), None) == (start, "merge base with origin/main")


def test_no_base_says_why(repo: Repo) -> None:
    place = find_place(repo.root)
    assert history.base(place, None) == (None, "no base branch, no upstream, no remote HEAD")
    assert history.base(place, "main") == (None, "on the base branch main")
    repo.branch("same")
    assert history.base(find_place(repo.root), "main") == (None, "HEAD has nothing over main")
    repo.git("checkout", "-q", "--orphan", "alone")
    assert history.base(find_place(repo.root), "main")[0] is None
    repo.commit("Alone")
    assert history.base(find_place(repo.root), "main") == (None, "no commit in common with main")


def test_history_between_commits(repo: Repo) -> None:
    first = repo.head
    second = repo.write("a", "a\n").commit("Two: ü\n\nbody").head
    repo.branch("side", first).write("b", "b\n").commit("Side")
    side = repo.head
    repo.switch("main").git("merge", "-q", "--no-edit", "side")
    place = find_place(repo.root)
    merge = repo.head
    assert history.parents(place, merge) == [second, side]
    assert history.parents(place, first) == []
    assert {c for c, _ in history.commits_between(place, first, merge)} == {merge, second, side}
    assert history.commits_between(place, first, second) == [(second, "Two: ü")]
    assert history.commits_between(place, second, second) == []
    assert {c for c, _ in history.commits_between(place, "", merge, first_parent=True)} == {merge, second, first}
    assert history.ahead_behind(place, second, side) == (1, 1)
    assert history.is_ancestor(place, first, merge)
    assert not history.is_ancestor(place, merge, first)
    assert not history.is_ancestor(place, "0" * 39 + "1", merge)
    assert history.merge_base(place, second, side) == first
    assert history.commit_tree_of(place, merge) == repo.git("rev-parse", "HEAD^{tree}")
    assert history.commit_tree_of(place, "0" * 39 + "1") is None


@pytest.mark.parametrize("name", ["main", "HEAD", "refs/heads/main", "v1", "HEAD~0"])
def test_names_of_commits(repo: Repo, name: str) -> None:
    repo.git("tag", "-a", "-m", "one", "v1")
    place = find_place(repo.root)
    assert history.resolve(place, name) == repo.head
    assert history.resolve(place, repo.head[:10]) == repo.head


@pytest.mark.parametrize("name", ["", "none", "--all", "-x", "HEAD:README.md", "0" * 40])
def test_names_of_nothing(repo: Repo, name: str) -> None:
    assert history.resolve(find_place(repo.root), name) is None


def test_head_at_an_instant(repo: Repo) -> None:
    one = repo.commit("one", at=1_700_000_000).head
    two = repo.commit("two", at=1_700_001_000).head
    place = find_place(repo.root)
    assert history.head_at(place, "2023-11-14T22:20:00Z") == one
    assert history.head_at(place, "2023-11-15T00:00:00+00:00") == two
    assert history.head_at(place, "2001-01-01T00:00:00Z") is None


def test_on_remote(repo: Repo) -> None:
    assert history.on_remote(find_place(repo.root), repo.head) is None
    repo.remote()
    assert history.on_remote(find_place(repo.root), repo.head) is True
    repo.commit("Local")
    assert history.on_remote(find_place(repo.root), repo.head) is False


def test_the_remote_of_a_branch(repo: Repo) -> None:
    def remote() -> str | None:
        return remote_name(find_place(repo.root))

    assert remote() is None
    repo.remote("one")
    assert remote() == "one"
    repo.remote("two")
    assert remote() is None
    repo.git("config", "branch.main.remote", "two")
    assert remote() == "two"
    repo.git("config", "--unset", "branch.main.remote")
    repo.remote("origin")
    assert remote() == "origin"


ODD = [b"plain", b":colon", b"tab\tin it", b"new\nline", b"\xff\xfe", b"0" * 40 + b" " + b"1" * 40 + b"\nx", b"1\t1\tx"]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("counts", [False, True])
def test_many_pairs_at_once_are_the_same_as_one_by_one(make_repo, object_format: str, *, counts: bool) -> None:
    repo = make_repo(object_format=object_format).write("begin", "b\n").commit()
    for number, name in enumerate(ODD):
        repo.write(name, f"{number}\n").write(b"last", b"\0" * number).commit(f"{number}")
    repo.commit("Nothing").executable(b":colon").delete(b"plain").link("link", "begin").commit("Other kinds")
    place = find_place(repo.root)
    found = history.commits(place, [repo.head])
    trees = history.trees_of(place, [c.id for c in found])
    assert [c.tree for c in found] == list(trees.values())
    pairs = [(trees[c.parents[0]] if c.parents else "", c.tree) for c in found]
    pairs += [(found[0].tree, found[-1].tree), (found[0].tree, ""), ("", ""), (found[0].tree, found[0].tree)]
    assert diff.tree_diffs(place, pairs, counts=counts) == [
        diff.tree_diff(place, old, new, counts=counts) for old, new in pairs
    ]
    assert diff.tree_diffs(place, []) == []


def test_a_tree_that_is_not_here_is_told(repo: Repo) -> None:
    place = find_place(repo.root)
    with pytest.raises(PassdownError) as error:
        diff.tree_diffs(place, [("", "1" * 40)])
    assert error.value.code == 3
    assert history.trees_of(place, ["1" * 40, repo.head]) == {repo.head: repo.git("rev-parse", "HEAD^{tree}")}


def test_many_blobs_at_once(repo: Repo) -> None:
    repo.write("a", "one\n").write("b", b"\0two\n\n").write("empty", "").commit()
    place = find_place(repo.root)
    blobs = [blob for _, blob in diff.list_tree(place, repo.head).values()]
    found = diff.read_blobs(place, [*blobs, "1" * 40, *blobs], 5)
    assert found == {blob: diff.read_blob(place, blob, 5) for blob in blobs}
    assert diff.read_blobs(place, [], 5) == {}


def test_commits_with_trees_parents_and_subjects(repo: Repo) -> None:
    start = repo.head
    repo.branch("side").write("s", "s\n").commit("Side \x01 subject\nwith two lines").switch("main")
    repo.write("m", "m\n").commit("Main")
    repo.git("merge", "-q", "--no-edit", "side")
    place = find_place(repo.root)
    found = history.commits(place, [repo.head], [start])
    assert found[0].subject == "Merge branch 'side'"
    assert {c.subject for c in found} == {"Merge branch 'side'", "Main", "Side \x01 subject with two lines"}
    assert list(found[0].parents) == history.parents(place, repo.head)
    assert {c.tree for c in found} == {history.commit_tree_of(place, c.id) for c in found}


@pytest.mark.parametrize("unrelated", [False, True])
def test_many_merge_bases_at_once(repo: Repo, *, unrelated: bool) -> None:
    """Side branches from several points, merged into each other, criss-cross aside."""
    tips = [repo.head]
    for number in range(4):
        repo.write("m", f"{number}\n").commit("Main")
        repo.branch(f"side{number}").write(f"s{number}", "s\n").commit("Side")
        tips += [repo.head, repo.git("rev-parse", "main")]
        repo.switch("main")
        if number % 2:
            repo.git("merge", "-q", "--no-edit", f"side{number}")
            tips.append(repo.head)
    if unrelated:
        repo.git("checkout", "-q", "--orphan", "other")
        tips.append(repo.commit("Other root").head)
    place = find_place(repo.root)
    pairs = [(a, b) for a in tips for b in tips]
    assert history.merge_bases(place, pairs) == [history.merge_base(place, a, b) for a, b in pairs]
    assert history.merge_bases(place, []) == []
