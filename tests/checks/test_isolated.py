"""``--isolated``: a frozen copy of what was seen; edits meanwhile reach neither the check nor its evidence."""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
from datetime import UTC, datetime

import pytest

from passdown.checks import copy
from passdown.checks.run import run_check
from passdown.model.evidence import CheckDefinition
from passdown.workspace.place import find_place
from support.desk import Desk
from support.kernel import command_lines

NOW = datetime(2026, 3, 1, 10, tzinfo=UTC)
LONG = f"4712.{secrets.randbelow(10**9):09}"
"""Seconds that nobody else sleeps: by them the other one finds what the check waits for, and ends it."""
POLICY = '[checks.tests]\nrun = "sh wait.sh && grep -q good src/state"\n'


@pytest.fixture(params=["mounted", "beside"])
def how(request, monkeypatch):
    if request.param == "beside":
        monkeypatch.setattr(copy, "_can_mount", lambda: False)
    elif not copy._can_mount():
        pytest.skip("no mounts of one's own on this system")
    return request.param


@pytest.fixture
def work(repo):
    repo.write("src/state", "good\n").write("run.sh", "true\n", mode=0o755).link("link", "src/state")
    repo.write(".gitignore", "ignored/\nnode_modules/\n.venv/\n.env\n").write("ignored/data", "1\n")
    repo.write("node_modules/pkg/index.js", "x\n").write(".venv/pyvenv.cfg", "").write(".env", "A=1\n")
    return repo.write("package.json", "{}").commit().write("untracked", "u\n")


def isolated(repo, run, **definition):
    found = CheckDefinition(name="tests", run=run, kind="test", **definition)
    return run_check(find_place(repo.root), found, now=NOW, isolated=True)


@pytest.mark.parametrize(
    ("run", "result"),
    [
        ("grep -q good src/state && test -x run.sh && test -L link && test -f untracked", "PASSED"),
        ("test ! -e ignored && test -f .env", "PASSED"),
        ("test -f node_modules/pkg/index.js && test -d .venv", "PASSED"),
        ("git status --short && git log -1 --format=%s && git ls-files --error-unmatch src/state", "PASSED"),
        ("false", "FAILED"),
        ("echo x >> src/state", "UNSTABLE"),
        ("echo x > left", "UNSTABLE"),
        ("rm -rf src", "UNSTABLE"),
        ("echo x > tmp; rm tmp", "PASSED"),
    ],
)
def test_what_a_check_finds_in_the_copy(work, how, run, result):
    before = (work.git("status", "--short"), work.git("for-each-ref"), work.read("src/state"))
    evidence = isolated(work, run)
    assert evidence.result == result, evidence
    assert evidence.isolated == how
    assert (work.git("status", "--short"), work.git("for-each-ref"), work.read("src/state")) == before
    assert work.path("node_modules/pkg/index.js").is_file()


def test_dependencies_are_read_only_and_the_copy_stands_in_the_worktrees_place(work):
    if not copy._can_mount():
        pytest.skip("no mounts of one's own on this system")
    evidence = isolated(work, ["sh", "-c", f"! touch node_modules/x 2>/dev/null && cd {work.root} && pwd && ls"])
    assert evidence.result == "PASSED"
    assert evidence.tail.splitlines()[0] == str(work.root)
    assert "ignored" not in evidence.tail
    assert not work.path("node_modules/x").exists()


def test_nothing_is_left_behind(work, how, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(copy.tempfile, "tempdir", None)
    isolated(work, "mkdir deep && chmod 0 deep")
    assert list((tmp_path / "tmp").glob("passdown-copy-*")) == []
    assert list(work.home.glob("copy-*")) == []
    (work.home / "copy-4194305-killed").mkdir()
    isolated(work, "true")
    assert how == "beside" or list(work.home.glob("copy-*")) == []


def test_an_evidence_of_a_copy_counts_like_any_other(work, how):
    work.write("passdown.toml", '[checks.tests]\nrun = "grep -q good src/state"\n').commit("Declare")
    desk = Desk(work)
    evidence = run_check(desk.place, desk.find("tests").definition, now=desk.now(), isolated=True)
    desk.record(evidence)
    assert (evidence.isolated, desk.stand().class_) == (how, "VERIFIED"), desk.stand()
    again = desk.check()
    assert (again.inputs, again.tree_before, again.definition.digest, again.environment.digest) == (
        evidence.inputs,
        evidence.tree_before,
        evidence.definition.digest,
        evidence.environment.digest,
    )


def begun() -> list[int]:
    """What the check waits for, once it is a process."""
    return [pid for pid, line in command_lines().items() if line == f"sleep\0{LONG}\0".encode()]


@pytest.mark.parametrize(("before", "meanwhile"), [("good\n", "bad\n"), ("bad\n", "good\n")])
@pytest.mark.parametrize("put_back", [True, False])
def test_edits_meanwhile(work, how, before, meanwhile, put_back):
    """A-B-A: never VERIFIED for a tree that the check would fail on."""
    work.write("passdown.toml", POLICY).write("wait.sh", f"sleep {LONG}\ntrue\n").commit("Declare")
    desk = Desk(work.write("src/state", before))
    desk.place  # noqa: B018 - its git runs before the thread does

    def edit():
        while not begun() and not ended.is_set():
            time.sleep(0.02)
        work.write("src/state", meanwhile)
        time.sleep(0.15)
        if put_back:
            work.write("src/state", before)
        for pid in begun():
            os.kill(pid, signal.SIGTERM)

    definition = desk.find("tests").definition
    ended = threading.Event()
    thread = threading.Thread(target=edit)
    thread.start()
    try:
        evidence = run_check(desk.place, definition, now=desk.now(), isolated=True)
    finally:
        ended.set()
        thread.join()
    desk.record(evidence)
    stands = desk.stand()
    if stands.class_ == "VERIFIED":
        assert work.read("src/state") == "good\n"
    if how == "mounted":
        assert evidence.result == ("PASSED" if before == "good\n" else "FAILED")
        assert (stands.class_ == "VERIFIED") == (before == "good\n" and put_back)
    else:
        assert evidence.result == "UNSTABLE"


@pytest.mark.usefixtures("how")
def test_an_ignored_input_comes_along(work):
    evidence = isolated(work, "grep -q 1 ignored/data", inputs_ignored=["ignored/**"])
    assert evidence.result == "PASSED"


@pytest.mark.usefixtures("how")
def test_a_report_is_read_from_the_copy(work):
    evidence = isolated(work, "echo '<testsuite><testcase name=\"a\"/></testsuite>' > r.xml", report="r.xml")
    assert (evidence.result, evidence.tests) == ("PASSED", {"passed": 1})
    assert not work.path("r.xml").exists()


@pytest.mark.usefixtures("how")
@pytest.mark.parametrize("layout", ["worktree", "sha256", "no commit"])
def test_other_layouts(repo, make_repo, layout):
    if layout == "worktree":
        other = repo.worktree("beside")
    elif layout == "sha256":
        other = make_repo("other", object_format="sha256").write("a", "x").commit()
    else:
        other = make_repo("empty")
    other.write("src/state", "good\n")
    assert isolated(other, "grep -q good src/state && git rev-parse --show-toplevel").result == "PASSED"


@pytest.mark.usefixtures("how")
def test_a_time_out_ends_it_too(work):
    evidence = isolated(work, "setsid sleep 600 & sleep 600", timeout=0.5)
    assert evidence.result == "ERROR"
    assert list(work.home.glob("copy-*")) == []
    assert work.root.is_dir()
