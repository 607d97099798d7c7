"""Edits by every route after a verified run: none of them may leave it verified."""

from __future__ import annotations

import mmap
import os
import socket
from pathlib import Path

from support.situations.work import DECLARED, Situation, Work


def quiet(work: Work, text: str = "bad!\n") -> None:
    """Same size, old times put back: what git's own stat cache may miss."""
    path = work.repo.path("src/state.txt")
    old = path.stat()
    path.write_text(text)
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))


def configured(*settings: tuple[str, str]):
    def act(work: Work) -> None:
        for name, value in settings:
            work.repo.git("config", name, value)
        quiet(work)

    return act


def index_bit(option: str):
    def act(work: Work) -> None:
        work.repo.git("update-index", option, "src/state.txt")
        work.bad()

    return act


def excluded(work: Work) -> None:
    work.repo.write(".git/info/exclude", "extra.py\n").write("extra.py", "x\n")


def excludes_file(work: Work) -> None:
    work.repo.write(".git/hide", "*.py\n").git("config", "core.excludesFile", str(work.repo.path(".git/hide")))
    work.repo.write("extra.py", "x\n")


def attributes(line: str, *settings: tuple[str, str]):
    def act(work: Work) -> None:
        for name, value in settings:
            work.repo.git("config", name, value)
        work.repo.write(".git/info/attributes", f"{line}\n")
        work.bad()

    return act


def crlf(work: Work) -> None:
    work.repo.write(".git/info/attributes", "* text=auto\n").write("src/state.txt", "good\r\n")


def nested(work: Work) -> None:
    work.repo.nested("vendor/lib").write("a.c", "int a;\n").commit("Inner")


def dirty_nested(work: Work) -> None:
    inner = work.repo.nested("vendor/lib").write("a.c", "int a;\n")
    inner.commit("Inner").write("a.c", "int b;\n")


def swap_link(work: Work) -> None:
    work.repo.write("elsewhere.txt", "good\n").delete("src/state.txt").link("src/state.txt", "../elsewhere.txt")


def link_outside(work: Work) -> None:
    (work.tmp / "outside.txt").write_text("good\n")
    work.repo.delete("src/state.txt").link("src/state.txt", str(work.tmp / "outside.txt"))


def swap_folder(work: Work) -> None:
    work.repo.path("src").rename(work.repo.path("old"))
    work.repo.write("other/state.txt", "bad\n").link("src", "other")


def hard_link(work: Work) -> None:
    os.link(work.repo.path("src/state.txt"), work.tmp / "hard")
    (work.tmp / "hard").write_text("bad\n")


def mapped(work: Work) -> None:
    with work.repo.path("src/state.txt").open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[:4] = b"bad!"


def moved_over(work: Work) -> None:
    (work.tmp / "new").write_text("bad\n")
    (work.tmp / "new").replace(work.repo.path("src/state.txt"))


def swapped(work: Work) -> None:
    one, other = work.repo.path("src/state.txt"), work.repo.path("docs/a.md")
    first, second = one.read_text(), other.read_text()
    one.write_text(second)
    other.write_text(first)


def patched(work: Work) -> None:
    patch = "--- a/src/state.txt\n+++ b/src/state.txt\n@@ -1 +1 @@\n-good\n+bad\n"
    (work.tmp / "p.patch").write_text(patch)
    work.repo.git("apply", str(work.tmp / "p.patch"))


def committed(work: Work) -> None:
    work.bad()
    work.repo.commit("Bad")


def amended(work: Work) -> None:
    work.bad()
    work.repo.git("commit", "-qa", "--amend", "-m", "Begin the work")


def merged(work: Work) -> None:
    work.repo.branch("other")
    committed(work)
    work.repo.switch("main").git("merge", "-q", "--no-ff", "-m", "Merge", "other")


def cherry_picked(work: Work) -> None:
    work.repo.branch("other")
    committed(work)
    commit = work.repo.head
    work.repo.switch("main").git("cherry-pick", commit)


def stashed(work: Work) -> None:
    work.bad()
    work.repo.git("stash")
    work.repo.git("stash", "pop")


def restored(work: Work) -> None:
    """D6: an older revision's file in the worktree and the index."""
    work.repo.branch("other")
    committed(work)
    work.repo.switch("main").git("checkout", "-q", "other", "--", "src/state.txt")


def hard_reset(work: Work) -> None:
    work.repo.branch("other")
    committed(work)
    bad = work.repo.head
    work.repo.switch("main").git("reset", "-q", "--hard", bad)


def read_tree(work: Work) -> None:
    work.repo.branch("other")
    committed(work)
    bad = work.repo.head
    work.repo.switch("main").git("read-tree", "-u", "--reset", bad)


def self_ignoring(work: Work) -> None:
    work.repo.write("extra/.gitignore", "*\n").write("extra/conftest.py", "x\n")


def self_ignoring_file(work: Work) -> None:
    work.repo.write("src/.gitignore", "*\n").write("src/more.txt", "x\n")


def sparse(work: Work) -> None:
    work.repo.git("sparse-checkout", "set", "docs")
    work.bad()


def socket_there(work: Work) -> None:
    work.repo.delete("src/state.txt")
    here = Path.cwd()
    os.chdir(work.repo.path("src"))
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("state.txt")
    finally:
        os.chdir(here)


def fifo_there(work: Work) -> None:
    work.repo.delete("src/state.txt")
    os.mkfifo(work.repo.path("src/state.txt"))


def folder_there(work: Work) -> None:
    work.repo.delete("src/state.txt").write("src/state.txt/inner", "good\n")


def submodule(work: Work) -> None:
    other = type(work.repo).create(work.tmp / "sub").write("a", "1\n").commit("Sub")
    work.repo.submodule(other, "libs/sub")


def env_index(work: Work) -> None:
    work.setenv("GIT_INDEX_FILE", str(work.tmp / "index"))
    work.bad()


def env_dir(work: Work) -> None:
    other = type(work.repo).create(work.tmp / "other-dir")
    work.setenv("GIT_DIR", str(other.path(".git")))
    work.bad()


def gitignored_later(work: Work) -> None:
    work.repo.write(".gitignore", "ignored/\nsrc/state.txt\n").git("rm", "-q", "--cached", "src/state.txt")
    work.bad()


def write(path: str | bytes, text: str = "x\n"):
    return lambda work: work.repo.write(path, text)


EDITS = [
    Situation("E-tracked", Work.bad),
    Situation("E-untracked", write("new.py")),
    Situation("E-deleted", lambda w: w.repo.delete("docs/a.md")),
    Situation("E-deleted-input", lambda w: w.repo.delete("src/state.txt")),
    Situation("E-mode", lambda w: w.repo.executable("docs/a.md")),
    Situation("E-mode-off", lambda w: w.repo.path("tool.sh").chmod(0o644)),
    Situation("E-link", swap_link),
    Situation("E-link-outside", link_outside),
    Situation("E-folder-link", swap_folder),
    Situation("E-hard-link", hard_link),
    Situation("E-mapped", mapped),
    Situation("E-moved-over", moved_over),
    Situation("E-swapped", swapped),
    Situation("E-same-size-and-time", quiet),
    Situation("E-appended-nul", lambda w: w.repo.append("docs/a.md", "\0")),
    Situation("E-truncated", lambda w: os.truncate(w.repo.path("src/state.txt"), 2)),
    Situation("E-empty-file", write("src/__init__.py", "")),
    Situation("E-odd-name", write(b"a\nb\xff.txt")),
    Situation("E-dash-name", write("-rf")),
    Situation("E-case", lambda w: w.repo.path("docs/a.md").rename(w.repo.path("docs/A.md"))),
    Situation("E-unicode-form", write("docs/cafe\u0301.md")),
    Situation("E-file-to-folder", folder_there),
    Situation("E-fifo", fifo_there),
    Situation("E-socket", socket_there),
    Situation("E-renamed", lambda w: w.repo.git("mv", "docs/a.md", "docs/b.md")),
    Situation("E-renamed-folder", lambda w: w.repo.path("docs").rename(w.repo.path("doc"))),
    Situation("E-line-ends", crlf),
    Situation("E-assume-unchanged", index_bit("--assume-unchanged")),
    Situation("E-skip-worktree", index_bit("--skip-worktree")),
    Situation("E-info-exclude", excluded),
    Situation("E-excludes-file", excludes_file),
    Situation("E-checkstat", configured(("core.checkStat", "minimal"), ("core.trustctime", "false"))),
    Situation("E-untracked-cache", configured(("core.untrackedCache", "true"))),
    Situation("E-fsmonitor", configured(("core.fsmonitor", "true"))),
    Situation("E-ignore-stat", configured(("core.ignoreStat", "true"))),
    Situation("E-filemode", lambda w: (w.repo.git("config", "core.fileMode", "false"), w.repo.executable("docs/a.md"))),
    Situation("E-clean-filter", attributes("*.txt filter=tidy", ("filter.tidy.clean", "echo good"))),
    Situation(
        "E-process-filter", attributes("*.txt filter=t", ("filter.t.process", "true"), ("filter.t.required", "0"))
    ),
    Situation("E-ident", attributes("*.txt ident")),
    Situation("E-encoding", attributes("*.txt working-tree-encoding=UTF-16")),
    Situation("E-self-ignoring-folder", self_ignoring),
    Situation("E-self-ignoring-file", self_ignoring_file),
    Situation("E-ignored-later", gitignored_later),
    Situation("E-gitignore", write(".gitignore", "ignored/\n*.pyc\n")),
    Situation("E-gitattributes", write(".gitattributes", "*.txt binary\n")),
    Situation("E-nested", nested),
    Situation("E-nested-dirty", dirty_nested),
    Situation("E-submodule", submodule),
    Situation("E-sparse", sparse),
    Situation("E-committed", committed),
    Situation("E-amended", amended),
    Situation("E-merged", merged),
    Situation("E-cherry-picked", cherry_picked),
    Situation("E-stash-popped", stashed),
    Situation("E-restored-D6", restored),
    Situation("E-hard-reset-D5", hard_reset),
    Situation("E-read-tree", read_tree),
    Situation("E-patched", patched),
    Situation("E-env-index", env_index),
    Situation("E-env-git-dir", env_dir),
    Situation("E-policy-edited", write("passdown.toml", '[checks.tests]\nrun = "true"\n')),
]

INPUTS = [
    Situation("I-input", Work.bad, policy=DECLARED),
    Situation("I-new-input", write("src/new.txt"), policy=DECLARED),
    Situation("I-deleted-input", lambda w: w.repo.delete("src/state.txt"), policy=DECLARED),
    Situation("I-mode", lambda w: w.repo.executable("src/state.txt"), policy=DECLARED),
    Situation("I-quiet", quiet, policy=DECLARED),
    Situation("I-lockfile", write("uv.lock"), policy=DECLARED),
    Situation("I-deep-lockfile", write("web/package-lock.json", "{}"), policy=DECLARED),
    Situation("I-go-mod", write("go.mod", "module x\n"), policy=DECLARED),
    Situation("I-pyproject", write("pyproject.toml", "[project]\n"), policy=DECLARED),
    Situation("I-package-json", write("package.json", "{}"), policy=DECLARED),
    Situation("I-setup-cfg", write("setup.cfg", "[metadata]\n"), policy=DECLARED),
    Situation("I-folder-link", swap_folder, policy=DECLARED),
    Situation("I-link", swap_link, policy=DECLARED),
]
