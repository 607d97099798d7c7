"""Trees listed once, and listed by what differs from another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from passdown.checks.tree import TreeView
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take
from support.repo import Repo


def nothing(_: Repo) -> None:
    """The worktree as it is committed."""


def removed(repo: Repo) -> None:
    repo.path("gone").unlink()


def link_to_file(repo: Repo) -> None:
    repo.path("link").unlink()
    repo.write("link", "now a file\n")


def file_to_folder(repo: Repo) -> None:
    repo.path("gone").unlink()
    repo.write("gone/inner", "1\n")


def mode(repo: Repo) -> None:
    repo.path("a").chmod(0o755)


def refused_name(repo: Repo) -> None:
    repo.write("e/.git/z", "q\n")


def repository_inside(repo: Repo) -> None:
    repo.git("init", "-q", "sub")
    repo.write("sub/f", "1\n")


def line_endings(repo: Repo) -> None:
    repo.write(".gitattributes", "* text=auto\n").write("crlf", "b\r\n")


@pytest.mark.parametrize(
    "edit", [nothing, removed, link_to_file, file_to_folder, mode, refused_name, repository_inside, line_endings]
)
def test_a_tree_listed_beside_another_is_as_listed_alone(repo: Repo, edit: Callable[[Repo], None]) -> None:
    repo.write("a", "a\n").write("b/c", "x\n").link("link", "a").write("gone", "1\n").write("crlf", "a\r\n").commit()
    edit(repo)
    place = find_place(repo.root)
    found = take(place)
    view = TreeView(place, found.tree)
    for tree in (place.head or "", found.commit_tree or "", found.tree, ""):
        assert view.at(tree).entries == TreeView(place, tree).entries
