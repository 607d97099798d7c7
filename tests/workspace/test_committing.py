"""The commit tree is what `git add -A` and `git commit` would make of the worktree; no filter driver runs for it."""

# ruff: noqa: E501 - a shell program reads best on one line

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING

import pytest

from passdown.workspace.diff import read_path
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take

if TYPE_CHECKING:
    from pathlib import Path

    from support.repo import Repo

WORKTREES = {
    "plain": "",
    "text=auto": "echo '* text=auto' > .gitattributes; printf 'a\\r\\nb\\r\\n' > crlf; printf 'a\\n' > lf; printf '\\0\\r\\n' > bin",
    "text=auto, CRLF in the index": (
        "printf 'a\\r\\n' > crlf; git add crlf; git commit -qm crlf; echo '* text=auto' > .gitattributes; printf 'b\\r\\n' >> crlf"
    ),
    "eol": "echo '*.bat eol=crlf' > .gitattributes; printf 'a\\r\\n' > x.bat; printf 'a\\n' > y.bat",
    "binary macro": "printf '* text\\n*.dat binary\\n' > .gitattributes; printf 'a\\r\\n' > x.dat; printf 'a\\r\\n' > x.txt",
    "old crlf attribute": "echo '*.txt crlf' > .gitattributes; printf 'a\\r\\n' > x.txt",
    "ident": "echo '*.c ident' > .gitattributes; printf '$Id: 1234 $\\n' > x.c",
    "working-tree-encoding": (
        "echo '*.w text working-tree-encoding=UTF-16LE' > .gitattributes; printf 'a\\0\\n\\0' > x.w"
    ),
    "autocrlf": "git config core.autocrlf true; printf 'a\\r\\n' > x",
    "autocrlf input": "git config core.autocrlf input; printf 'a\\r\\n' > x",
    "autocrlf of the person": "git config --global core.autocrlf input; printf 'a\\r\\n' > x",
    "info/attributes": "echo '* text' > .git/info/attributes; printf 'a\\r\\n' > x",
    "attributes in a folder": "mkdir d; echo '* text' > d/.gitattributes; printf 'a\\r\\n' > d/x; printf 'a\\r\\n' > x",
    "nested repository": "git init -q n; echo x > n/x; git -C n add x; git -C n commit -qm n; echo dirty > n/x",
    "info/exclude": "echo secret > .git/info/exclude; echo x > secret; echo y > seen",
    "core.excludesFile": 'echo secret > .git/mine; git config core.excludesFile "$PWD/.git/mine"; echo x > secret',
    "excludes of the person": "mkdir -p ~/.config/git; echo secret > ~/.config/git/ignore; echo x > secret",
    "self-ignoring .gitignore": "mkdir t; echo '*' > t/.gitignore; echo x > t/conftest.py",
    "links and modes": "ln -s README.md l; echo x > x; chmod +x x; rm README.md",
    "all at once": (
        "printf '* text=auto\\n*.c ident\\n' > .gitattributes; printf '$Id: 1 $\\r\\n' > x.c; git init -q n; echo x > n/x;"
        "git -C n add x; git -C n commit -qm n; mkdir t; echo '*' > t/.gitignore; printf 'x\\r\\n' > t/y; echo z > .git/info/exclude; echo > z"
    ),
}


def committed(repo: Repo, index: Path) -> str:
    """The tree that git itself would commit."""
    shutil.copyfile(repo.root / ".git/index", index)
    env = {"GIT_INDEX_FILE": str(index)}
    repo.git("-c", "advice.addEmbeddedRepo=false", "-c", "core.safecrlf=false", "add", "-A", env=env)
    return repo.git("write-tree", env=env)


@pytest.mark.parametrize("name", WORKTREES)
def test_as_git_would_commit_it(repo: Repo, tmp_path: Path, name: str) -> None:
    place = find_place(repo.root)
    take(place)
    repo.run("sh", "-ec", WORKTREES[name]).check()
    place = find_place(repo.root)
    remembered = take(place)
    assert remembered.commit_tree == committed(repo, tmp_path / "index")
    repo.write("later", "one\r\n").write("x", "two\r\n")
    later = take(place)
    assert later.commit_tree == committed(repo, tmp_path / "index")
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == later
    repo.commit("All")
    assert take(find_place(repo.root)).commit_tree == repo.git("rev-parse", "HEAD^{tree}")


def test_only_what_differs_from_the_raw_bytes_differs(repo: Repo) -> None:
    repo.write("x", "x\n").executable("x").write("caf\u00e9", "y").link("l", "x")
    snapshot = take(find_place(repo.root))
    assert snapshot.commit_tree == snapshot.tree


def test_lfs_pointers_are_computed_without_running_lfs(repo: Repo) -> None:
    repo.git("config", "filter.lfs.clean", "false")
    repo.git("config", "filter.lfs.required", "true")
    content = b"\0large" * 1000
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(content).hexdigest()}\nsize {len(content)}\n"
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    repo.write("a.bin", content).write("pointer.bin", pointer).write("empty.bin", "")
    place = find_place(repo.root)
    snapshot = take(place)
    assert snapshot.commit_tree is not None
    assert read_path(place, snapshot.tree, "a.bin") == content
    assert read_path(place, snapshot.commit_tree, "a.bin") == pointer.encode()
    assert read_path(place, snapshot.commit_tree, "pointer.bin") == pointer.encode()
    assert read_path(place, snapshot.commit_tree, "empty.bin") == b""


def test_sparse_files_count_as_the_index_has_them(repo: Repo) -> None:
    repo.write("in/x", "x\n").write("out/y", "y\n").write("out/z", "z\n").commit()
    whole = take(find_place(repo.root))
    repo.git("sparse-checkout", "set", "in")
    sparse = take(find_place(repo.root))
    assert (sparse.tree, sparse.commit_tree) == (whole.tree, whole.commit_tree)
    assert sparse.complete
    assert sparse.notes == ["sparse checkout: 2 files taken as the index has it"]
    repo.write("out/y", "changed\n")
    assert take(find_place(repo.root)).tree != whole.tree
    repo.path("out/y").unlink()
    repo.path("in/x").unlink()
    deleted = take(find_place(repo.root))
    assert read_path(find_place(repo.root), deleted.tree, "in/x") is None
    assert read_path(find_place(repo.root), deleted.tree, "out/y") == b"y\n"
    repo.write("in/x", "x\n").git("sparse-checkout", "disable")
    assert take(find_place(repo.root)).tree == whole.tree
