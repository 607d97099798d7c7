"""Every way to lay out a repository works: F2, F9, F10, H4."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from passdown.errors import PassdownError
from passdown.workspace import diff, history
from passdown.workspace.diff import list_tree
from passdown.workspace.place import find_place, scrub_url
from passdown.workspace.rescue import rescue, restore
from passdown.workspace.snapshot import take
from support.repo import Repo


def plain(tmp: Path) -> Path:
    return Repo.create(tmp / "r").write("a", "a\n").commit().root


def no_commit(tmp: Path) -> Path:
    return Repo.create(tmp / "r").write("a", "a\n").root


def staged_only(tmp: Path) -> Path:
    return Repo.create(tmp / "r").write("a", "a\n").stage().root


def empty(tmp: Path) -> Path:
    return Repo.create(tmp / "r").root


def sha256(tmp: Path) -> Path:
    return Repo.create(tmp / "r", object_format="sha256").write("a", "a\n").commit().root


def sha256_without_commit(tmp: Path) -> Path:
    return Repo.create(tmp / "r", object_format="sha256").write("a", "a\n").root


def linked(tmp: Path) -> Path:
    return Repo.create(tmp / "r").write("a", "a\n").commit().worktree("linked").root


def linked_relative(tmp: Path) -> Path:
    root = Repo.create(tmp / "r").write("a", "a\n").commit().worktree("linked").root
    pointer = (root / ".git").read_text().removeprefix("gitdir: ").strip()
    (root / ".git").write_text(f"gitdir: {os.path.relpath(pointer, root)}\n")
    (Path(pointer) / "gitdir").write_text(os.path.relpath(root / ".git", pointer) + "\n")
    return root


def bare_with_worktrees(tmp: Path) -> Path:
    source = Repo.create(tmp / "source").write("a", "a\n").commit()
    source.run("git", "clone", "-q", "--bare", ".", str(tmp / "project/.bare")).check()
    (tmp / "project/.git").write_text("gitdir: ./.bare\n")
    bare = Repo((tmp / "project").resolve())
    bare.git("worktree", "add", "-q", "tree", "main")
    return bare.root / "tree"


def separate_git_dir(tmp: Path) -> Path:
    repo = Repo.create(tmp / "r").write("a", "a\n").commit()
    repo.git("init", "-q", f"--separate-git-dir={tmp / 'elsewhere'}")
    return repo.root


def submodule(tmp: Path) -> Path:
    other = Repo.create(tmp / "other").write("a", "a\n").commit()
    return Repo.create(tmp / "r").write("x").commit().submodule(other, "sub").root


def superproject(tmp: Path) -> Path:
    other = Repo.create(tmp / "other").write("x", "a\n").commit()
    repo = Repo.create(tmp / "r").write("a", "a\n").commit()
    repo.submodule(other, "sub")
    return repo.root


def detached(tmp: Path) -> Path:
    repo = Repo.create(tmp / "r").write("a", "a\n").commit()
    return repo.switch(repo.head).root


def shallow(tmp: Path) -> Path:
    source = Repo.create(tmp / "s").write("a", "a\n").commit().write("a", "b\n").commit()
    source.run("git", "clone", "-q", "--depth=1", f"file://{source.root}", str(tmp / "r")).check()
    return (tmp / "r").resolve()


def partial(tmp: Path) -> Path:
    source = Repo.create(tmp / "s").write("a", "a\n").commit().write("a", "b\n").commit()
    source.git("config", "uploadpack.allowFilter", "true")
    source.run("git", "clone", "-q", "--filter=blob:none", f"file://{source.root}", str(tmp / "r")).check()
    return (tmp / "r").resolve()


def borrowed_objects(tmp: Path) -> Path:
    source = Repo.create(tmp / "s").write("a", "a\n").commit()
    source.run("git", "clone", "-q", "--shared", str(source.root), str(tmp / "r")).check()
    return (tmp / "r").resolve()


def sparse(tmp: Path) -> Path:
    repo = Repo.create(tmp / "r").write("a", "a\n").write("in/x", "x\n").write("out/y", "y\n").commit()
    repo.git("sparse-checkout", "set", "in")
    return repo.root


def sparse_index(tmp: Path) -> Path:
    repo = Repo.create(tmp / "r").write("a", "a\n").write("in/x", "x\n").write("out/y", "y\n").commit()
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
    return repo.root


def split_index(tmp: Path) -> Path:
    repo = Repo.create(tmp / "r").write("a", "a\n").commit()
    repo.git("update-index", "--split-index")
    return repo.root


def colon_in_the_path(tmp: Path) -> Path:
    return Repo.create(tmp / 'r:"x\\y\nz').write("a", "a\n").commit().root


def alternates_with_spaces(tmp: Path) -> Path:
    return Repo.create(tmp / "a b $HOME '").write("a", "a\n").commit().root


def newer_index(tmp: Path) -> Path:
    repo = Repo.create(tmp / "r").write("a", "a\n").commit()
    repo.git("update-index", "--index-version", "4")
    return repo.root


LAYOUTS: list[Callable[[Path], Path]] = [
    plain,
    no_commit,
    staged_only,
    empty,
    sha256,
    sha256_without_commit,
    linked,
    linked_relative,
    bare_with_worktrees,
    separate_git_dir,
    submodule,
    superproject,
    detached,
    shallow,
    partial,
    borrowed_objects,
    sparse,
    sparse_index,
    split_index,
    colon_in_the_path,
    alternates_with_spaces,
    newer_index,
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_every_layout_can_be_snapped_kept_compared_and_restored(tmp_path: Path, layout: Callable[[Path], Path]) -> None:
    repo = Repo(layout(tmp_path))
    place = find_place(repo.root)
    assert place.root == repo.root
    first = rescue(place)
    assert take(place) == first
    assert first.complete
    if place.head is not None and layout is not superproject:
        assert diff.tree_diff(place, place.head, first.tree) == []
        assert history.commit_tree_of(place, place.head) == first.tree == first.commit_tree
    repo.write("new/file", "new\n").write("a", "changed\n")
    second = take(place)
    changed = {change.path for change in diff.tree_diff(place, first.tree, second.tree)}
    assert changed == {"new/file", "a"}
    assert diff.patch(place, first.tree, second.tree)
    assert restore(place, first.tree) == []
    assert take(place).tree == first.tree


def test_a_folder_without_a_repository_is_named(tmp_path: Path) -> None:
    with pytest.raises(PassdownError, match="no git repository here"):
        find_place(tmp_path)
    with pytest.raises(PassdownError, match="no such folder"):
        find_place(tmp_path / "none")
    (tmp_path / "file").write_text("x")
    with pytest.raises(PassdownError, match="no such folder"):
        find_place(tmp_path / "file")


def test_a_bare_repository_has_no_worktree(tmp_path: Path) -> None:
    bare = Repo.create(tmp_path / "bare.git", bare=True)
    with pytest.raises(PassdownError, match="no worktree here"):
        find_place(bare.root)


def test_inside_the_git_dir_is_no_worktree(repo: Repo) -> None:
    with pytest.raises(PassdownError):
        find_place(repo.root / ".git")


def test_a_worktree_that_is_set_elsewhere_is_named(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    repo.git("config", "core.worktree", str(tmp_path / "elsewhere"))
    with pytest.raises(PassdownError, match=r"core\.worktree of this repository is .*elsewhere") as caught:
        find_place(repo.root)
    assert "bare" not in caught.value.message
    repo.git("config", "core.worktree", str(repo.root))
    assert find_place(repo.root).root == repo.root


def test_a_folder_below_the_top_has_the_same_place(repo: Repo) -> None:
    repo.write("src/deep/a.py", "x\n")
    assert find_place(repo.path("src/deep")) == find_place(repo.root)


def test_a_leftover_worktree_folder_belongs_to_the_repository_around_it(repo: Repo) -> None:
    """F2."""
    inner = repo.path("trees/one")
    inner.parent.mkdir()
    repo.git("worktree", "add", "-q", "-b", "one", inner)
    assert find_place(inner).root == inner
    (inner / ".git").unlink()
    assert find_place(inner).root == repo.root


def test_worktrees_of_one_repository_have_places_of_their_own(repo: Repo) -> None:
    other = repo.worktree("other")
    one, two = find_place(repo.root), find_place(other.root)
    assert one.common_dir == two.common_dir
    assert one.worktree_id != two.worktree_id
    assert (one.branch, two.branch) == ("main", "other")
    other.write("x", "only there\n")
    assert take(one).tree != take(two).tree


def test_a_worktree_inside_is_left_out_and_listed(repo: Repo) -> None:
    """H4."""
    before = take(find_place(repo.root))
    repo.git("worktree", "add", "-q", "-b", "one", repo.path("trees/one"))
    found = take(find_place(repo.root))
    assert found.tree == before.tree
    assert found.worktrees == ["trees/one"]
    assert found.nested == {}
    repo.write("trees/one/x", "x")
    assert take(find_place(repo.root)).tree == before.tree


POINTERS = {
    "the main git dir": "echo gitdir: $PWD/.git > new/.git",
    "a link to it": "ln -s ../.git new/.git",
    "another worktree's git dir": "git worktree add -q -b o ../o && cp ../o/.git new/.git",
    "a git dir without a way back": "mkdir -p .git/worktrees/f; echo ref: refs/heads/q > .git/worktrees/f/HEAD;"
    " echo ../.. > .git/worktrees/f/commondir; echo gitdir: $PWD/.git/worktrees/f > new/.git",
    "a git dir elsewhere that shares ours": "mkdir x; echo ref: refs/heads/q > x/HEAD; echo $PWD/.git > x/commondir;"
    " echo $PWD/new/.git > x/gitdir; echo gitdir: $PWD/x > new/.git",
}


@pytest.mark.parametrize("pointer", POINTERS.values(), ids=POINTERS)
def test_a_folder_that_only_points_at_our_git_dir_is_content(repo: Repo, pointer: str) -> None:
    """A written `.git` hides no conftest.py beside it."""
    repo.write("new/conftest.py", "evil\n")
    subprocess.run(["sh", "-ec", pointer], cwd=repo.root, check=True)
    place = find_place(repo.root)
    found = take(place)
    assert found.worktrees == []
    assert {"new/conftest.py", "new/.git"} <= set(list_tree(place, found.tree))
    repo.write("new/conftest.py", "worse\n")
    assert take(place).tree != found.tree


def test_worktrees_inside_are_known_when_the_repository_was_made_with_relative_paths(repo: Repo) -> None:
    repo.git("worktree", "add", "-q", "-b", "one", repo.path("trees/one"))
    repo.write("trees/one/.git", "gitdir: ../../.git/worktrees/one\n")
    repo.write(".git/worktrees/one/gitdir", "../../../trees/one/.git\n")
    assert take(find_place(repo.root)).worktrees == ["trees/one"]


def test_a_submodule_is_seen_by_its_content_and_by_its_head(tmp_path: Path) -> None:
    """F10."""
    root = superproject(tmp_path)
    repo, sub = Repo(root), Repo(root / "sub")
    repo.commit("Add sub")
    place = find_place(root)
    first = take(place)
    assert first.nested == {"sub": sub.head}
    assert first.commit_tree == repo.git("rev-parse", "HEAD^{tree}")
    assert diff.read_path(place, first.tree, "sub/x") == b"a\n"
    sub.write("x", "dirty\n")
    dirty = take(place)
    assert dirty.tree != first.tree
    assert dirty.commit_tree == first.commit_tree
    sub.commit("Move")
    moved = take(place)
    assert moved.tree == dirty.tree
    assert moved.nested == {"sub": sub.head}
    repo.commit("Bump")
    assert take(find_place(root)).commit_tree == moved.commit_tree == repo.git("rev-parse", "HEAD^{tree}")
    assert find_place(root / "sub").root == root / "sub"


def test_the_folder_of_a_symlink_is_the_real_one(repo: Repo, tmp_path: Path) -> None:
    """L3."""
    (tmp_path / "alias").symlink_to(repo.root)
    assert find_place(tmp_path / "alias") == find_place(repo.root)


@pytest.mark.skipif(os.geteuid() != 0, reason="another owner needs root")
def test_another_owners_repository(repo: Repo) -> None:
    repo.run("chown", "-R", "65534", ".").check()
    place = find_place(repo.root)
    assert diff.tree_diff(place, place.head or "", take(place).tree) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="dropping rights needs root")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_may_not_be_read_is_named_and_never_passed_over(repo: Repo, what: str) -> None:
    repo.write("d/secret", "s\n").write("d/open", "o\n").commit()
    target = repo.path("d/secret" if what == "file" else "d")
    target.chmod(0)
    repo.run("chmod", "a+rx", str(repo.root.parent)).check()
    repo.run("chown", "-R", "65534", ".").check()
    program = (
        "import os, shutil, sys; from pathlib import Path;"  # shutil: nobody may not be able to read it any more
        "from passdown.workspace.place import find_place; from passdown.workspace.snapshot import take;"
        "os.setgid(65534); os.setuid(65534);"
        "s = take(find_place(Path(sys.argv[1]))); assert s == take(find_place(Path(sys.argv[1])));"
        "print(s.complete, *s.unseen)"
    )
    for folder in repo.root.parents:
        if str(folder) not in {"/", "/tmp"}:
            folder.chmod(folder.stat().st_mode | 0o055)
    done = subprocess.run([sys.executable, "-c", program, repo.root], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["False", "d/secret" if what == "file" else "d"], done.stderr


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:p@host/a/b.git", "https://host/a/b.git"),
        ("https://ghp_token@github.com/a/b", "https://github.com/a/b"),
        ("ssh://git@host:22/a", "ssh://host:22/a"),
        ("git@github.com:a/b.git", "github.com:a/b.git"),
        ("https://host/a?token=x#y", "https://host/a"),
        ("/srv/git/a@b.git", "/srv/git/a@b.git"),
        ("../a", "../a"),
    ],
)
def test_a_remotes_address_is_shown_without_its_secrets(url: str, shown: str) -> None:
    """J3."""
    assert scrub_url(url) == shown
