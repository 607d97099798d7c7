"""Bad circumstances, through the real process: read-only folders, full disks, names that fit twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import msgspec
import pytest

from passdown.ledger import envelope, statement
from passdown.ledger.heads import clock_now
from passdown.store import open_ledger
from support.process import PASSDOWN, run
from support.repo import Repo

AT = "2026-11-30T10:00:00.000Z"
NOBODY = 65534


def one_line(result, *says):
    assert result.code in (2, 3), result
    assert len(result.err.splitlines()) <= 2, result.err
    assert result.err.startswith("passdown: ")
    assert "bug" not in result.err
    assert any(word in result.err for word in says), result.err


def twin(repo, task):
    """Seal a second packet whose digest begins with the same four digits as the first one's."""
    with_first = open_ledger(repo.home)
    (first,) = with_first.records(type="packet")
    clock = clock_now(repo.home, with_first._index, with_first.writer)
    body = msgspec.structs.replace(first.body, packet=None)
    subjects = {"tree": body.place.tree}
    for number in range(1_000_000):
        tried = msgspec.structs.replace(body, note=f"{number}")
        payload = statement.write(tried, subjects, task=task, at=AT, writer=with_first.writer, clock=clock)
        if envelope.statement_id(payload)[:4] == first.id[:4]:
            second = with_first.seal(tried, at=AT)
            with_first.close()
            return first.id, second
    raise AssertionError


TAKES_A_PACKET = (["show"], ["resume"], ["review"], ["rollback"], ["readback"], ["lift", "--because", "x"])


def test_a_prefix_that_names_two_packets_is_an_error_and_more_of_it_is_not(packed):
    task = packed.passdown("status", "--json").json()["task"]["id"]
    first, second = twin(packed, task)
    assert first[:4] == second[:4]
    for name, *rest in TAKES_A_PACKET:
        result = packed.passdown(name, first[:4], *rest).check(2)
        assert "names 2" in result.err
        assert "more" in result.err
        assert all(digest[:8] in result.err for digest in (first, second))
    for digest in (first, second):
        packed.passdown("show", digest[:8]).check()


@pytest.fixture
def ordinary(worked):
    """The worktree where an ordinary user can reach it, and how to run Passdown as one."""
    public = Path(tempfile.mkdtemp(prefix="passdown-test-")).resolve()
    try:
        public.chmod(0o755)
        shutil.copytree(worked.root, public / "repo", symlinks=True)
        home = public / "home"
        home.mkdir()
        prefix: list[str] = []
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(public)], check=True)
            prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all", "--"]
            if shutil.which("setpriv") is None or run([*prefix, PASSDOWN, "--version"], public).code != 0:
                pytest.skip("root, and Passdown cannot be run here as another user")

        def passdown(*args):
            env = {"HOME": str(home), "TMPDIR": str(home), "CLAUDE_CONFIG_DIR": None, "CODEX_HOME": None}
            return run([*prefix, PASSDOWN, *args], public / "repo", {**env, "GIT_CONFIG_GLOBAL": None})

        yield Repo(public / "repo"), passdown
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", str(public)], check=True)
        shutil.rmtree(public)


def lock(repo):
    subprocess.run(["chmod", "-R", "a-w", str(repo.path(".git"))], check=True)


def contents(repo):
    files = [path for path in repo.path(".git").rglob("*") if path.is_file()]
    return {path: path.read_bytes() for path in files}


READS = [["status"], ["session", "--list"], ["check", "--list"], ["pack", "--dry-run", "--goal", "x"], ["log"]]
WRITES = [["pack", "--goal", "x"], ["start", "x"], ["check", "--", "true"], ["rescue"]]


@pytest.mark.parametrize("used", [False, True], ids=["never used", "used"])
def test_a_git_folder_that_an_ordinary_user_can_not_write(ordinary, used):
    """Reading works; writing is one line; nothing is half-written."""
    repo, passdown = ordinary
    if used:
        passdown("pack", "--goal", "x", "--no-check").check()
    lock(repo)
    before = contents(repo)
    for args in READS:
        assert passdown(*args).check().out, args
    if used:
        assert passdown("show").check().out.startswith("HANDOFF")
        assert passdown("review").check().out.startswith("REVIEW")
        one_line(passdown("review", "--approve"), "ermission", "read-only", "cannot write")
        one_line(passdown("resume", "--no-check"), "ermission", "read-only", "cannot write")
    for args in WRITES:
        one_line(passdown(*args), "ermission", "read-only", "cannot write")
    assert contents(repo) == before


def test_what_could_not_be_read_is_never_judged_as_held(ordinary):
    repo, passdown = ordinary
    passdown("start", "x", "--allow", "src/**").check()
    passdown("verify").check()
    hidden = repo.path("docs-unread.md")
    hidden.write_text("outside\n")
    subprocess.run(["chmod", "000", str(hidden)], check=True)
    if os.geteuid() == 0:
        subprocess.run(["chown", f"{NOBODY}:{NOBODY}", str(hidden)], check=True)
    told = passdown("verify").check(3)
    assert "not seen: docs-unread.md" in told.out


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 8 MB; without the right to mount one, a skip."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no right to mount a small disk: the limit on files below is tested alone")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(disk, leave):
    """A file over all the room but ``leave`` KB."""
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    (disk / "ballast").write_bytes(b"\0" * max(free - leave * 1024, 0))


@pytest.mark.parametrize("leave", [0, 4, 16, 40, 80, 160, 320])
def test_a_disk_that_fills_up_in_mid_write_loses_nothing_that_was_sealed(small_disk, leave):
    repo = (
        Repo.create(small_disk / "repo").write("README.md", "# Sample\n").write("src/a.py", "a = 1\n").commit("Begin")
    )
    first = repo.passdown("pack", "--goal", "one", "--no-check", "--json").check().json()["packet"]
    repo.write("src/a.py", "a = 2\n")
    fill(small_disk, leave)
    result = repo.passdown("pack", "--goal", "two", "--no-check", env={"TMPDIR": str(small_disk)})
    if result.code != 0:
        one_line(result, "full", "No space", "room", "cannot")
    sealed = repo.passdown("log", "--json").check().json()
    assert first in [event["id"] for event in sealed], "it can still be read while the disk is full"
    (small_disk / "ballast").unlink()
    assert repo.passdown("log", "--verify").check().out.startswith("The record holds")
    assert repo.passdown("show", first[:10], "--json").check().json()["task"]["goal"]["text"] == "one"
    assert repo.passdown("pack", "--goal", "three", "--no-check", "--json").check().json()["packet"]
    assert repo.passdown("rollback", first[:10]).check().out.count("proven") == 1
    assert repo.read("src/a.py") == "a = 1\n"


@pytest.mark.parametrize("blocks", [0, 1, 4, 16, 64])
def test_a_limit_on_files_in_mid_write_is_one_line_and_loses_nothing(packed, blocks):
    first = packed.passdown("show", "--json").check().json()["packet"]
    packed.write("src/client.py", "def call():\n    return 3\n")
    result = run(["sh", "-c", f'ulimit -f {blocks}; exec "{PASSDOWN}" pack --no-check'], packed.root)
    if result.code != 0:
        one_line(result, "too large", "limit", "cannot", "full", "failed")
    assert packed.passdown("log", "--verify").check().out.startswith("The record holds")
    assert packed.passdown("show", first[:10]).check()
    packed.passdown("pack", "--no-check").check()
