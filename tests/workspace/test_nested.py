"""Repositories inside the worktree: content is content, whoever's git it belongs to."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from passdown.workspace.diff import list_tree, read_path, tree_diff
from passdown.workspace.place import find_place
from passdown.workspace.rescue import rescue, restore
from passdown.workspace.snapshot import Snapshot, take
from support.repo import Repo


def snap(repo: Repo) -> Snapshot:
    """A snapshot, and the same from nothing."""
    place = find_place(repo.root)
    snapshot = take(place)
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == snapshot
    return snapshot


def within(repo: Repo, path: str) -> Repo:
    """A repository made in a folder that is there."""
    repo.git("init", "-q", path)
    return Repo(repo.path(path))


def paths(repo: Repo, snapshot: Snapshot) -> set[str]:
    return set(list_tree(find_place(repo.root), snapshot.tree))


def test_content_heads_and_undoing(repo: Repo) -> None:
    before = snap(repo)
    inner = repo.nested("lib/inner").write("x", "x\n").write(".gitignore", "*.o\n").write("y.o", "o")
    unborn = snap(repo)
    assert unborn.nested == {"lib/inner": ""}
    assert paths(repo, unborn) == {"README.md", "lib/inner/x", "lib/inner/.gitignore"} | {"lib/inner/y.o"}
    inner.commit("Inner")
    born = snap(repo)
    assert born.nested == {"lib/inner": inner.head}
    assert paths(repo, born) == {"README.md", "lib/inner/x", "lib/inner/.gitignore"}
    inner.write("z", "z\n")
    assert snap(repo).tree != born.tree
    shutil.rmtree(repo.path("lib"))
    assert snap(repo) == before


def test_the_outer_ignore_rules_do_not_reach_inside(repo: Repo) -> None:
    repo.write(".gitignore", "*.tmp\n").commit()
    repo.nested("inner").write("a.tmp", "x\n").commit("Inner")
    assert "inner/a.tmp" in paths(repo, snap(repo))


def test_an_ignored_repository_is_left_aside(repo: Repo) -> None:
    repo.write(".gitignore", "/inner/\n").commit()
    before = snap(repo)
    repo.nested("inner").write("a", "x\n").commit("Inner")
    assert snap(repo) == before


def test_a_repository_made_around_tracked_files(repo: Repo) -> None:
    repo.write("vendor/a.c", "a\n").write(".gitignore", "*.h\n").commit()
    before = snap(repo)
    inner = within(repo, "vendor")
    repo.write("vendor/new.h", "h\n")
    found = snap(repo)
    assert paths(repo, found) == paths(repo, before) | {"vendor/new.h"}
    assert found.nested == {"vendor": ""}
    assert found.commit_tree is not None
    inner.commit("Inner")
    shutil.rmtree(repo.path("vendor/.git"))
    repo.delete("vendor/new.h")
    assert snap(repo) == before


def test_repositories_in_repositories(repo: Repo) -> None:
    one = repo.nested("one").write("x", "1\n")
    two = one.nested("two").write("x", "2\n").commit("Two")
    found = snap(repo)
    assert found.nested == {"one": "", "one/two": two.head}
    two.write("x", "3\n")
    assert snap(repo).tree != found.tree


def test_another_object_format_inside(repo: Repo) -> None:
    inner = Repo.create(repo.path("inner"), object_format="sha256").write(".gitignore", "kept\n").write("kept", "k\n")
    inner.git("add", "-f", "kept")
    inner.commit("Inner")
    found = snap(repo)
    assert "inner/kept" in paths(repo, found)
    assert found.nested == {"inner": inner.head}


@pytest.mark.parametrize(
    "setting", ["core.fsmonitor", "core.pager", "core.sshCommand", "core.hooksPath", "filter.x.clean"]
)
def test_no_command_of_a_repository_runs(repo: Repo, setting: str) -> None:
    """An agent can write any configuration: nothing that it names is run."""
    inner = repo.nested("inner").write("x", "x\n").write(".gitattributes", "* filter=x\n").commit("Inner")
    mark = repo.root.parent / "ran"
    script = repo.root.parent / "evil"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    script.chmod(0o755)
    for target in (repo, inner):
        target.git("config", setting, str(script))
    repo.write(".gitattributes", "* filter=x\n").write("inner/x", "y\n")
    place = find_place(repo.root)
    snapshot = rescue(place)
    tree_diff(place, place.head or "", snapshot.tree, counts=True)
    repo.write("inner/x", "z\n")
    restore(place, snapshot.tree)
    assert not mark.exists()


def test_restoring_leaves_a_nested_git_dir_alone(repo: Repo) -> None:
    inner = repo.nested("inner").write("x", "x\n").commit("Inner")
    goal = rescue(find_place(repo.root))
    head = inner.head
    inner.write("x", "changed\n").commit("More").write("new", "n\n")
    assert restore(find_place(repo.root), goal.tree) == []
    assert inner.head != head
    assert inner.read("x") == "x\n"
    assert not inner.path("new").exists()


def test_a_git_dir_can_not_be_written_by_restoring(repo: Repo) -> None:
    """A plain `.git` folder is content; where it is a repository by now, nothing is put into it."""
    repo.write("sub/.git/hooks/post-checkout", "#!/bin/sh\n").write("sub/.git/config", "[core]\n\tfsmonitor = evil\n")
    goal = rescue(find_place(repo.root))
    assert "sub/.git/config" in paths(repo, goal)
    shutil.rmtree(repo.path("sub/.git"))
    inner = within(repo, "sub")
    config = inner.read(".git/config")
    assert restore(find_place(repo.root), goal.tree) != []
    assert inner.read(".git/config") == config


def test_odd_names_are_given_back(repo: Repo) -> None:
    repo.write("a/.GIT/x", "1\n").write("b/.git/y", "2\n").write("c/.git", "3\n").link("d/.gitmodules", "x")
    repo.write(b"e/\x01.git/z", "4\n").write("f/git~1", "5\n").write(b"g/\x01plain", "6\n")
    place = find_place(repo.root)
    found = snap(repo)
    assert paths(repo, found) - {"README.md"} == {
        "a/.GIT/x",
        "b/.git/y",
        "c/.git",
        "d/.gitmodules",
        "e/\x01.git/z",
        "f/git~1",
        "g/\x01plain",
    }
    assert read_path(place, found.tree, "b/.git/y") == b"2\n"
    assert read_path(place, found.tree, "d/.gitmodules") == b"x"
    assert {"a/.GIT/x", "b/.git/y", "c/.git"} <= set(found.hidden)
    assert rescue(place).tree == found.tree
    for name in "abcdefg":
        shutil.rmtree(repo.path(name))
    assert restore(place, found.tree) == []
    assert repo.read("b/.git/y") == "2\n"
    assert repo.path("d/.gitmodules").is_symlink()


@pytest.mark.parametrize("name", [b"\x01.git", b"\x01.gitmodules", b"\x01\x01.GIT"])
@pytest.mark.parametrize("earlier", [False, True])
def test_a_tracked_name_like_ours_for_a_refused_one_is_given_back(repo: Repo, name: bytes, earlier: bool) -> None:
    if earlier:
        snap(repo)
    path = b"e/" + name
    repo.write(path, "4\n").commit()
    found = snap(repo)
    assert paths(repo, found) - {"README.md"} == {path.decode()}
    assert read_path(find_place(repo.root), found.tree, path.decode()) == b"4\n"


def test_sockets_and_pipes_are_noted(repo: Repo) -> None:
    before = snap(repo)
    os.mkfifo(repo.path("pipe"))
    found = snap(repo)
    assert found.tree == before.tree
    assert found.complete
    assert found.notes == ["neither file nor link, left out: pipe"]
    repo.path("README.md").unlink()
    os.mkfifo(repo.path("README.md"))
    assert paths(repo, snap(repo)) == set()


def test_unmerged_entries(repo: Repo) -> None:
    repo.branch("other").write("README.md", "theirs\n").commit()
    repo.switch("main").write("README.md", "ours\n").commit()
    repo.git("merge", "-q", "other", code=1)
    found = snap(repo)
    assert found.commit_tree is None
    assert b"<<<<<<<" in (read_path(find_place(repo.root), found.tree, "README.md") or b"")
    assert found.complete


def test_tracked_but_ignored_is_content_and_stays_so(repo: Repo) -> None:
    repo.write(".gitignore", "*.gen\nout/\n").write("a.gen", "1\n").write("out/b", "1\n").write("out/c", "1\n")
    repo.git("add", "-f", "a.gen", "out/b")
    repo.commit("Generated")
    found = snap(repo)
    assert paths(repo, found) == {"README.md", ".gitignore", "a.gen", "out/b"}
    repo.git("rm", "-q", "--cached", "a.gen")
    assert paths(repo, snap(repo)) == {"README.md", ".gitignore", "out/b"}
    repo.git("add", "-f", "a.gen", "out/c")
    assert paths(repo, snap(repo)) == {"README.md", ".gitignore", "a.gen", "out/b", "out/c"}
    repo.delete("a.gen")
    assert paths(repo, snap(repo)) == {"README.md", ".gitignore", "out/b", "out/c"}
    repo.write("a.gen", "2\n")
    assert paths(repo, snap(repo)) == {"README.md", ".gitignore", "a.gen", "out/b", "out/c"}


def test_too_many_untracked_files_degrade_to_a_note(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """K4."""
    monkeypatch.setattr("passdown.workspace.walk.MOST_UNTRACKED", 50)
    for number in range(60):
        repo.write(f"many/{number}", "x")
    repo.append("README.md", "more\n")
    found = snap(repo)
    assert not found.complete
    assert paths(repo, found) == {"README.md"}
    assert read_path(find_place(repo.root), found.tree, "README.md") == b"# Sample\nmore\n"
    shutil.rmtree(repo.path("many"))
    assert snap(repo).complete


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux")
def test_names_of_every_kind(repo: Repo) -> None:
    """L2."""
    names = [
        "caf\u00e9".encode(),
        "cafe\u0301".encode(),
        "设计".encode(),
        b"tab\t",
        b"new\nline",
        b'"quote"',
        b"space ",
        b"-dash",
        b"\xff\xfe",
        b":(glob)*",
        b"*",
        b"a\\b",
    ]
    for name in names:
        repo.write(name, "x\n").write(b"in/" + name + b"/y", "y\n")
    found = snap(repo)
    wanted = {os.fsdecode(name) for name in names} | {os.fsdecode(b"in/" + name + b"/y") for name in names}
    assert paths(repo, found) - {"README.md"} == wanted
    changes = tree_diff(find_place(repo.root), "", found.tree, counts=True)
    assert {change.path for change in changes} - {"README.md"} == wanted
    assert {change.added for change in changes} == {1}
