"""Every way to change content behind git's back that is known to us is seen, and seen to be undone."""

# ruff: noqa: E501 - a shell program reads best on one line

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take

if TYPE_CHECKING:
    from support.repo import Repo

# name, what hides the change, what undoes it
TRICKS = {
    "assume-unchanged": (
        "git update-index --assume-unchanged a.py; echo h > a.py",
        "git update-index --no-assume-unchanged a.py; git checkout -q -- a.py",
    ),
    "skip-worktree": (
        "git update-index --skip-worktree a.py; echo h > a.py",
        "git update-index --no-skip-worktree a.py; git checkout -q -- a.py",
    ),
    "skip-worktree and deleted": (
        "git update-index --skip-worktree a.py; rm a.py",
        "git update-index --no-skip-worktree a.py; git checkout -q -- a.py",
    ),
    "info/exclude": ("echo evil.py >> .git/info/exclude; echo x > evil.py", ": > .git/info/exclude; rm evil.py"),
    "core.excludesFile": (
        'git config core.excludesFile "$PWD/.git/x"; echo evil.py > .git/x; echo x > evil.py',
        "git config --unset core.excludesFile; rm evil.py .git/x",
    ),
    "checkStat minimal with the mtime put back": (
        "git config core.checkStat minimal; git config core.trustctime false; S=$(stat -c %y a.py); printf 'y = 1\\n' > a.py; touch -d \"$S\" a.py",
        "git config --unset core.checkStat; git config --unset core.trustctime; printf 'x = 1\\n' > a.py",
    ),
    "core.ignoreStat": (
        "git config core.ignoreStat true; echo h > a.py",
        "git config --unset core.ignoreStat; printf 'x = 1\\n' > a.py",
    ),
    "core.fileMode": (
        "git config core.fileMode false; chmod +x a.py",
        "git config core.fileMode true; chmod -x a.py",
    ),
    "core.symlinks": (
        "git config core.symlinks false; rm a.py; ln -s /etc/passwd a.py",
        "git config --unset core.symlinks; rm a.py; printf 'x = 1\\n' > a.py",
    ),
    "clean filter": (
        "echo '*.py filter=x' > .git/info/attributes; git config filter.x.clean 'printf \"x = 1\\n\"'; echo other > a.py",
        "rm .git/info/attributes; git config --remove-section filter.x; printf 'x = 1\\n' > a.py",
    ),
    "text in info/attributes": (
        "echo '* text' > .git/info/attributes; printf 'x = 1\\r\\n' > a.py",
        "rm .git/info/attributes; printf 'x = 1\\n' > a.py",
    ),
    "tracked text=auto": ("printf 'x = 1\\r\\n' > auto.txt", "printf 'x = 1\\n' > auto.txt"),
    "ident": ("printf '$Id: evil$\\n' > ident.txt", "printf '$Id$\\n' > ident.txt"),
    "working-tree-encoding": ("printf 'a\\0b\\0' > wide.txt", "rm wide.txt"),
    "core.autocrlf": (
        "git config core.autocrlf true; printf 'x = 1\\r\\n' > a.py",
        "git config --unset core.autocrlf; printf 'x = 1\\n' > a.py",
    ),
    "nested repository": (
        "git init -q nested; cd nested; echo 1 > x; git add x; git commit -qm n",
        "rm -rf nested",
    ),
    "nested repository without a commit": ("git init -q nested; echo 1 > nested/x", "rm -rf nested"),
    "dirty nested repository": ("echo dirty >> inner/x", "git -C inner checkout -q -- x"),
    "untracked file of a nested repository": ("echo new > inner/new", "rm inner/new"),
    "symlink swapped in": ("rm a.py; ln -s /etc/passwd a.py", "rm a.py; git checkout -q -- a.py"),
    "folder swapped for a symlink": (
        'mv src /tmp/$$-src; cp -r /tmp/$$-src "$PWD/../src"; ln -s ../src src; rm -rf /tmp/$$-src',
        "rm src; mv ../src src",
    ),
    "mode": ("chmod +x a.py", "chmod -x a.py"),
    "self-ignoring .gitignore": (
        "mkdir -p tests; printf '*\\n' > tests/.gitignore; echo evil > tests/conftest.py",
        "rm tests/.gitignore tests/conftest.py; rmdir tests 2>/dev/null || :",
    ),
    "self-ignoring .gitignore among tracked files": (
        "printf '*\\n' > src/.gitignore; echo evil > src/conftest.py",
        "rm src/.gitignore src/conftest.py",
    ),
    "untracked .gitignore hides a folder": (
        "printf 'deep/\\n.gitignore\\n' > src/.gitignore; mkdir src/deep; echo evil > src/deep/conftest.py",
        "rm -r src/.gitignore src/deep",
    ),
    ".GIT folder": ("mkdir src/.GIT; echo x > src/.GIT/conftest.py", "rm -r src/.GIT"),
    "plain .git folder": ("mkdir src/.git; echo x > src/.git/conftest.py", "rm -r src/.git"),
    "plain .git folder alone": ("mkdir -p p/.git; echo x > p/.git/conftest.py", "rm -r p"),
    "plain .git file": ("echo x > src/.git", "rm src/.git"),
    "git~1": ("mkdir git~1; echo x > git~1/x", "rm -r git~1"),
    "link named .gitmodules": ("ln -s a.py src/.gitmodules", "rm src/.gitmodules"),
    "backslash": ("echo x > 'a\\b'", "rm 'a\\b'"),
    "split index": ("git update-index --split-index; echo h > a.py", "git checkout -q -- a.py"),
    "untracked cache": ("git update-index --untracked-cache; echo h > new", "rm new"),
    "sparse checkout switched on by hand": (
        "git config core.sparseCheckout true; mkdir -p .git/info; echo /b.py > .git/info/sparse-checkout; echo h > a.py",
        "git config --unset core.sparseCheckout; rm .git/info/sparse-checkout; printf 'x = 1\\n' > a.py",
    ),
    "replace ref": (
        "B=$(echo h | git hash-object -w --stdin); git replace $(git rev-parse HEAD:a.py) $B; echo h > a.py",
        "git replace -d $(git rev-parse HEAD:a.py) >/dev/null; printf 'x = 1\\n' > a.py",
    ),
    "removed from the index and ignored": (
        "git rm -q --cached a.py; echo /a.py >> .gitignore",
        "git checkout -q HEAD -- .gitignore a.py",
    ),
}


@pytest.fixture
def varied(repo: Repo) -> Repo:
    repo.write("a.py", "x = 1\n").write("b.py", "b\n").write("src/m.py", "m\n").write(".gitignore", "*.log\n/inner/y\n")
    repo.write(".gitattributes", "auto.txt text=auto\nident.txt ident\nwide.txt working-tree-encoding=UTF-16LE text\n")
    repo.write("auto.txt", "x = 1\n").write("ident.txt", "$Id$\n").commit("Fill")
    repo.nested("inner").write("x", "x\n").commit("Inner")
    return repo


@pytest.mark.parametrize("trick", TRICKS)
def test_every_trick_is_seen_and_its_undoing_too(varied: Repo, trick: str) -> None:
    do, undo = TRICKS[trick]
    place = find_place(varied.root)
    before = take(place)
    varied.run("sh", "-ec", do).check()
    during = take(place)
    assert during.tree != before.tree
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == during
    varied.run("sh", "-ec", undo).check()
    after = take(place)
    assert after.tree == before.tree
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == after


@pytest.mark.parametrize("aged", [False, True])
def test_a_write_within_the_second_that_looks_like_none(varied: Repo, aged: bool) -> None:
    place = find_place(varied.root)
    path = varied.path("a.py")
    if aged:
        os.utime(path, (1_600_000_000, 1_600_000_000))
    seen = path.stat()
    trees = {}
    for count in range(40):
        content = f"x = {count % 10}\n"
        path.write_text(content)
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        trees.setdefault(content, set()).add(take(place).tree)
    assert len(trees) == 10
    assert all(len(found) == 1 for found in trees.values())
    assert len(set().union(*trees.values())) == 10


CACHES = {
    "pytest": ".pytest_cache/README.md",
    "mypy": ".mypy_cache/3.11/a.json",
    "ruff": ".ruff_cache/0.1/x",
    "venv": "env/lib/x.py",
    "unknown tool": ".toolcache/x",
}


@pytest.mark.parametrize("tool", CACHES)
def test_caches_that_ignore_themselves_do_not_change_a_snapshot(varied: Repo, tool: str) -> None:
    place = find_place(varied.root)
    before = take(place)
    path = CACHES[tool]
    folder = path.split("/")[0]
    varied.write(f"{folder}/.gitignore", "*\n").write(path, "cache")
    varied.write(f"{folder}/{'pyvenv.cfg' if tool == 'venv' else 'CACHEDIR.TAG'}", "mark")
    assert take(place) == before
    varied.write(path, "other")
    assert take(place) == before
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == before


def test_a_cache_that_loses_its_mark_is_content(varied: Repo) -> None:
    place = find_place(varied.root)
    before = take(place)
    varied.write("env/.gitignore", "*\n").write("env/pyvenv.cfg", "mark").write("env/lib/x.py", "x")
    assert take(place) == before
    varied.delete("env/pyvenv.cfg")
    found = take(place)
    assert found.tree != before.tree
    assert "env/lib/x.py" in found.hidden


def test_what_a_loose_gitignore_hides_depends_on_its_content(varied: Repo) -> None:
    place = find_place(varied.root)
    varied.write(".venv/.gitignore", "*\n").write(".venv/pyvenv.cfg", "mark").write(".venv/lib/x.py", "x")
    before = take(place)
    varied.write(".venv/.gitignore", "lib\n")
    shown = take(place)
    assert shown.tree != before.tree
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == shown
