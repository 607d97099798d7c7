"""For a deterministic check and any edits: VERIFIED implies that running it again passes (A22)."""

from __future__ import annotations

import itertools
import os
import shutil

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.checks.run import run_check
from support.desk import Desk
from support.repo import Repo

PATHS = ("src/a", "src/b", "src/sub/c", "docs/d", "new/e", ".gitignore", "run.sh")
TEXTS = ("good\n", "bad!\n", "", "good\nbad!\n", "exit 0\n", "*\n")
DECLARED = '[checks.tests]\nrun = "sh run.sh"\ninputs = ["src/**"]\n'
WHOLE = '[checks.tests]\nrun = "sh run.sh"\n'
SCRIPT = "grep -q good src/a && ! grep -q bad src/* && test ! -e src/sub/c -o -s src/sub/c\n"

write = st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(TEXTS), st.booleans())
delete = st.tuples(st.just("delete"), st.sampled_from(PATHS))
link = st.tuples(st.just("link"), st.sampled_from(PATHS[:4]), st.sampled_from(PATHS[:4]))
git = st.tuples(st.just("git"), st.sampled_from(("commit", "stash", "switch", "assume", "rm-cached")))
check = st.tuples(st.just("check"), st.booleans())
moves = st.lists(st.one_of(write, delete, link, git, check, check), min_size=1, max_size=7)
numbers = itertools.count()


def quietly(path, text):
    """Write with the old times, as an editor or a hostile process might."""
    old = path.stat() if path.is_file() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    path.write_text(text)
    if old is not None:
        os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))


def apply(desk, move):
    repo = desk.repo
    kind, *more = move
    if kind == "check":
        definition = desk.find("tests").definition
        desk.record(run_check(desk.place, definition, now=desk.now(), isolated=more[0]))
    elif kind == "write":
        path, text, quiet = more
        if quiet:
            quietly(repo.path(path), text)
        else:
            if repo.path(path).is_symlink():
                repo.delete(path)
            repo.write(path, text)
    elif kind == "delete" and os.path.lexists(repo.path(more[0])):
        repo.delete(more[0])
    elif kind == "link" and not os.path.lexists(repo.path(more[0])):
        repo.link(more[0], os.path.relpath(repo.path(more[1]), repo.path(more[0]).parent))
    elif kind == "git":
        commands = {
            "commit": lambda: repo.commit("Some"),
            "stash": lambda: repo.run("git", "stash", "-u", "-q"),
            "switch": lambda: repo.run("git", "switch", "-q", "-c", f"b{next(numbers)}"),
            "assume": lambda: repo.run("git", "update-index", "--assume-unchanged", "src/a"),
            "rm-cached": lambda: repo.run("git", "rm", "-q", "--cached", "src/a"),
        }
        commands[more[0]]()


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(moves=moves, declared=st.booleans())
def test_verified_implies_that_a_rerun_passes(tmp_path, moves, declared):
    root = tmp_path / f"repo{next(numbers)}"
    repo = Repo.create(root).write("run.sh", SCRIPT).write("src/a", "good\n").write("docs/d", "x\n")
    repo.write("passdown.toml", DECLARED if declared else WHOLE).commit("Begin")
    desk = Desk(repo)
    try:
        desk.check()
        for move in moves:
            apply(desk, move)
            stands = desk.stand()
            if stands.class_ == "VERIFIED":
                again = run_check(desk.place, desk.find("tests").definition, now=desk.now())
                assert again.result == "PASSED", (moves, stands)
    finally:
        shutil.rmtree(root)
