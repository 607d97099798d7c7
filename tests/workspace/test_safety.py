"""Two at once, killed in the middle, a full or a read-only disk: the next snapshot is right or says why not."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from passdown.errors import PassdownError
from passdown.workspace.place import find_place
from passdown.workspace.rescue import rescue
from passdown.workspace.snapshot import kept, take
from support.process import TIMEOUT

if TYPE_CHECKING:
    from support.repo import Repo

PROGRAM = (
    "import sys; from pathlib import Path; from passdown.workspace.place import find_place;"
    "from passdown.workspace.rescue import rescue; from passdown.workspace.snapshot import take;"
    "place = find_place(Path(sys.argv[1]));"
    "[print((rescue if sys.argv[2] == 'rescue' else take)(place).tree, flush=True) for _ in range(int(sys.argv[3]))]"
)


def start(repo: Repo, what: str, times: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, repo.root, what, str(times)], stdout=subprocess.PIPE, text=True
    )


@pytest.fixture
def filled(repo: Repo) -> Repo:
    for number in range(200):
        repo.write(f"src/{number % 10}/{number}.py", f"x = {number}\n")
    return repo.commit("Fill")


def test_several_at_once(filled: Repo) -> None:
    place = find_place(filled.root)
    filled.write("new", "n\n")
    running = [start(filled, "rescue", 4) for _ in range(4)]
    outputs = [process.communicate(timeout=TIMEOUT)[0].split() for process in running]
    tree = take(place).tree
    assert outputs == [[tree] * 4] * 4
    assert kept(place, tree)


def test_killed_in_the_middle(filled: Repo) -> None:
    place = find_place(filled.root)
    chance = random.Random(7)
    for number in range(25):
        filled.write(f"src/{number % 10}/{number}.py", f"y = {chance.random()}\n")
        filled.write(f"added/{number}", "a\n")
        process = start(filled, "rescue", 50)
        time.sleep(0.1 + chance.random() * 0.15)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        found = take(place)
        if number % 5 == 0:
            shutil.rmtree(place.home / "worktrees")
            assert take(place) == found
            assert rescue(place) == found


def test_a_killed_process_s_git_still_writes_while_we_begin_anew(filled: Repo) -> None:
    """Its folder is never empty long enough to be removed."""
    place = find_place(filled.root)
    before = take(place)
    private = place.home / "worktrees" / place.worktree_id
    writing = f"cd {private}/git/objects && while :; do echo x > orphan.$((n=n+1)); done"
    orphan = subprocess.Popen(["sh", "-c", writing], stderr=subprocess.DEVNULL)
    try:
        for _ in range(5):
            (private / "state").write_bytes(b"garbage\n\0")
            assert take(place) == before
    finally:
        orphan.kill()
        orphan.wait()
    (private / "state").write_bytes(b"garbage\n\0")
    assert take(place) == before
    assert not list(private.glob("gone.*"))


@pytest.mark.parametrize("damage", ["index", "state", "objects", "HEAD", "config", "index.lock", "tracked"])
def test_a_damaged_private_dir_is_begun_again(filled: Repo, damage: str) -> None:
    place = find_place(filled.root)
    filled.write("new", "n\n")
    before = take(place)
    private = place.home / "worktrees" / place.worktree_id
    if damage in {"state", "tracked"}:
        (private / damage).write_bytes(b"garbage\n\0")
    elif damage == "objects":
        shutil.rmtree(private / "git/objects")
    elif damage == "index.lock":
        (private / "git/index.lock").write_bytes(b"")
    else:
        (private / "git" / damage).write_bytes(b"garbage")
    assert take(place) == before
    filled.write("other", "n\n").delete("new")
    after = take(place)
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == after
    assert rescue(place) == after


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize("how", ["read-only", "full"])
def test_where_nothing_can_be_written_one_line_says_so(filled: Repo, how: str) -> None:
    place = find_place(filled.root)
    filled.write("large", os.urandom(3_000_000))
    place.home.mkdir()
    program = (
        "mount -t tmpfs -o size=1m none .git/passdown" if how == "full" else "mount -t tmpfs -o ro none .git/passdown"
    )
    script = f'{program} && exec {sys.executable} -c "$1" . rescue 1'
    done = filled.run("unshare", "-m", "sh", "-c", script, "sh", PROGRAM)
    if "unshare" in done.err or "mount:" in done.err:
        pytest.skip("no mount namespace here")
    assert "PassdownError: cannot" in done.err or "PassdownError: git" in done.err, done.err
    assert ("Read-only" if how == "read-only" else "No space") in done.err or "unable to write" in done.err
    assert take(place).complete


def test_a_worktree_that_changes_all_the_time(filled: Repo) -> None:
    place = find_place(filled.root)
    script = "while :; do for i in 1 2 3 4 5 6 7 8; do echo $i > busy$i; rm -f busy$i; mkdir -p d; rm -rf d; done; done"
    noise = subprocess.Popen(["sh", "-c", script], cwd=filled.root, stdout=subprocess.PIPE)
    try:
        for _ in range(15):
            with contextlib.suppress(PassdownError):
                take(place)
    finally:
        noise.kill()
        noise.communicate()  # until the program that it had started ended too
    found = take(place)
    shutil.rmtree(place.home / "worktrees")
    assert take(place) == found
