"""Edits by others while a check runs; what is put back before the end counts too."""

from __future__ import annotations

import os
import shutil

from support.situations.edits import quiet
from support.situations.work import Situation, Work

WAITS = '[checks.tests]\nrun = "touch ../begun && sh ../wait.sh && grep -q good src/state.txt && sh ../judge.sh"\n'


def there_and_back(make, undo):
    """``make`` before the check looks, ``undo`` after it looked and before it ends."""

    def act(work: Work) -> object:
        make(work)
        return undo

    return act


def good(work: Work) -> None:
    work.repo.write("src/state.txt", "good\n")


def back(work: Work) -> None:
    work.bad()


def quietly_good(work: Work) -> None:
    quiet(work, "good")


def quietly_back(work: Work) -> None:
    quiet(work, "bad\n")


def replaced(work: Work) -> None:
    work.repo.path("src/state.txt").rename(work.tmp / "kept")
    good(work)


def put_back(work: Work) -> None:
    (work.tmp / "kept").replace(work.repo.path("src/state.txt"))


def linked(work: Work) -> None:
    (work.tmp / "good").write_text("good\n")
    work.repo.path("src/state.txt").rename(work.tmp / "kept")
    work.repo.link("src/state.txt", str(work.tmp / "good"))


def folder_replaced(work: Work) -> None:
    work.repo.path("src").rename(work.tmp / "kept-src")
    work.repo.write("src/state.txt", "good\n")


def folder_put_back(work: Work) -> None:
    shutil.rmtree(work.repo.path("src"))
    (work.tmp / "kept-src").rename(work.repo.path("src"))


def folder_linked(work: Work) -> None:
    (work.tmp / "good-src").mkdir()
    (work.tmp / "good-src/state.txt").write_text("good\n")
    work.repo.path("src").rename(work.tmp / "kept-src")
    work.repo.link("src", str(work.tmp / "good-src"))


def folder_unlinked(work: Work) -> None:
    work.repo.path("src").unlink()
    (work.tmp / "kept-src").rename(work.repo.path("src"))


def deleted(work: Work) -> None:
    work.repo.delete("src/state.txt")
    good(work)


def hard_linked(work: Work) -> None:
    os.link(work.repo.path("src/state.txt"), work.tmp / "hard")
    (work.tmp / "hard").write_text("good\n")


def hard_back(work: Work) -> None:
    (work.tmp / "hard").write_text("bad\n")


def checked_out(work: Work) -> None:
    work.repo.git("checkout", "-q", "good", "--", "src/state.txt")


def checked_back(work: Work) -> None:
    work.repo.git("checkout", "-q", "HEAD", "--", "src/state.txt")


def switched(work: Work) -> None:
    work.repo.git("checkout", "-q", "good")


def switched_back(work: Work) -> None:
    work.repo.git("checkout", "-q", "main")


def stays(_: Work) -> None:
    """Left as it is."""


def extra(path: str):
    def make(work: Work) -> None:
        good(work)
        work.repo.write(path, "x\n")

    def undo(work: Work) -> None:
        back(work)
        work.repo.delete(path)

    return make, undo


MEANWHILE = [
    Situation(f"W-{name}", there_and_back(make, undo), "during", WAITS)
    for name, (make, undo) in {
        "written-and-back": (good, back),
        "written-and-left": (good, stays),
        "quietly-and-back": (quietly_good, quietly_back),
        "replaced-and-back": (replaced, put_back),
        "linked-and-back": (linked, put_back),
        "folder-replaced-and-back": (folder_replaced, folder_put_back),
        "folder-linked-and-back": (folder_linked, folder_unlinked),
        "deleted-and-back": (deleted, back),
        "through-a-hard-link": (hard_linked, hard_back),
        "git-checkout-path": (checked_out, checked_back),
        "git-checkout-branch": (switched, switched_back),
        "beside-a-new-file": extra("conftest.py"),
        "beside-a-new-folder": extra("new/conftest.py"),
    }.items()
]
"""The state is bad when it begins and when it ends; in between it is good."""

FLAGS = '[checks.tests]\nrun = "touch ../begun && sh ../wait.sh && test -e {path} && sh ../judge.sh"\n'


def flag(path: str):
    def make(work: Work) -> None:
        work.repo.write(path, "x\n")

    def undo(work: Work) -> None:
        top = work.repo.path(path.partition("/")[0])
        shutil.rmtree(top) if top.is_dir() and top.name not in {"src", "docs"} else work.repo.delete(path)

    return there_and_back(make, undo)


MEANWHILE += [
    Situation(f"W-passing-{path.replace('/', '-')}", flag(path), "during", FLAGS.format(path=path))
    for path in ("flag", "src/flag", "conftest.py", "sitecustomize.py", "docs/deep/flag", "extra/.gitignore")
]
"""A file that is there while the check looks, and neither before nor after."""
