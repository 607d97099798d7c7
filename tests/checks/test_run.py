"""The runner: what comes out of a check, whatever it does to us."""

from __future__ import annotations

import io
import os
import resource
import secrets
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime

import pytest

from passdown.checks import process
from passdown.checks.run import adhoc, run_check
from passdown.errors import PassdownError
from passdown.model.evidence import CheckDefinition
from passdown.rules.redact import Redactor
from passdown.workspace.place import find_place
from support.kernel import command_lines
from support.process import TIMEOUT, until

NOW = datetime(2026, 3, 1, 10, tzinfo=UTC)
LONG = f"4711.{secrets.randbelow(10**9):09}"
"""Seconds that nobody else's test sleeps: other runs of this suite may go on beside it."""


@pytest.fixture(autouse=True)
def short_grace(monkeypatch):
    monkeypatch.setattr(process, "GRACE", 0.5)


@pytest.fixture
def check(repo):
    """Runs a command in the repository."""
    repo.write("src/a.txt", "one\n").write("src/b.txt", "two\n").write(".gitignore", "out/\n").commit()

    def run(command, **definition):
        how = {name: definition.pop(name) for name in ("live", "isolated") if name in definition}
        command = long(command) if isinstance(command, str) else [long(word) for word in command]
        found = CheckDefinition(name="tests", run=command, kind=definition.pop("kind", "test"), **definition)
        return run_check(find_place(repo.root), found, now=NOW, **how)

    return run


def long(text: str) -> str:
    return text.replace("LONG", LONG)


def alive(mark: str) -> list[str]:
    """Processes whose command line holds the mark."""
    lines = {pid: line.replace(b"\0", b" ").decode(errors="replace") for pid, line in command_lines().items()}
    return [line for pid, line in lines.items() if long(mark) in line and pid != os.getpid()]


def test_a_pass_is_bound_to_what_it_ran_on(check, repo):
    evidence = check("cat src/a.txt")
    assert (evidence.result, evidence.exit, evidence.signal) == ("PASSED", 0, None)
    assert evidence.started == "2026-03-01T10:00:00.000Z"
    assert evidence.tree_before == evidence.tree_after
    assert evidence.commit == repo.head
    assert (evidence.branch, evidence.observed_by, evidence.cwd) == ("main", "runner", ".")
    assert evidence.argv == ["/bin/sh", "-c", "cat src/a.txt"]
    assert (evidence.tail, evidence.output_bytes) == ("one", 4)
    assert evidence.inputs.files == 4
    assert evidence.warnings == []


def test_nothing_is_left_in_the_worktree(check, repo):
    (repo.path("test_x.py")).write_text("def test_x():\n    assert True\n")
    evidence = check([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"])
    assert evidence.result == "PASSED"
    assert repo.git("status", "--short") == "?? test_x.py"


@pytest.mark.parametrize(
    ("run", "result", "exit_code", "signal"),
    [
        ("exit 3", "FAILED", 3, None),
        ("kill -9 $$", "ERROR", None, 9),
        ("sh -c 'kill -15 $$'; exit $?", "ERROR", 143, 15),
        ("no-such-program", "ERROR", 127, None),
        (["no-such-program"], "ERROR", None, None),
        (["src/a.txt"], "ERROR", None, None),
        ("./src", "ERROR", 126, None),
        (["sh", "-c", "exit 130"], "FAILED", 130, None),
    ],
)
def test_endings(check, run, result, exit_code, signal):
    evidence = check(run)
    assert (evidence.result, evidence.exit, evidence.signal) == (result, exit_code, signal)


@pytest.mark.parametrize("code", [2, 3, 4, 5])
def test_pytest_says_by_its_code_that_it_ran_no_test(check, tmp_path, monkeypatch, code):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/pytest").write_text(f"#!/bin/sh\nexit {code}\n")
    (tmp_path / "bin/pytest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert check("pytest -q").result == ("NOT RUN" if code == 5 else "ERROR")


def test_real_pytest_output_is_read(check, repo):
    repo.write("test_x.py", "def test_good():\n    pass\n\ndef test_bad():\n    assert 3 == 5\n")
    evidence = check([sys.executable, "-m", "pytest", "-q"])
    assert evidence.result == "FAILED"
    assert evidence.tests == {"failed": 1, "passed": 1}
    assert evidence.failing == ["test_x.py::test_bad"]
    assert evidence.first_errors == {"test_x.py::test_bad": "assert 3 == 5"}
    assert evidence.error_line == "assert 3 == 5"


def test_a_syntax_error_in_the_tests_is_an_error(check, repo):
    repo.write("test_x.py", "def test_good(:\n")
    assert check([sys.executable, "-m", "pytest", "-q"]).result == "ERROR"


def test_variables_that_would_sway_it_are_taken_out(check, monkeypatch):
    for name in ("PYTEST_ADDOPTS", "MAKEFLAGS", "PYTHONOPTIMIZE", "GIT_DIR", "GIT_INDEX_FILE", "BASH_ENV"):
        monkeypatch.setenv(name, "/nowhere" if name != "PYTHONOPTIMIZE" else "1")
    monkeypatch.setenv("KEPT", "yes")
    evidence = check("env | grep -E '^(PYTEST_ADDOPTS|MAKEFLAGS|PYTHONOPTIMIZE|GIT_DIR|GIT_INDEX_FILE|BASH_ENV|KEPT)='")
    assert evidence.tail == "KEPT=yes"
    assert check("echo $PYTEST_ADDOPTS", env=["PYTEST_ADDOPTS"]).tail == "/nowhere"


def test_an_edit_within_the_second_is_not_tested_as_the_code_before(check, repo):
    """Python takes compiled code for current by size and whole seconds."""
    repo.write("mod.py", "x = 1\n").write("run.py", "import mod, sys\nsys.exit(mod.x != 1)\n")
    old = repo.path("mod.py").stat()
    repo.run(sys.executable, "-c", "import mod")
    repo.write("mod.py", "x = 2\n")
    os.utime(repo.path("mod.py"), ns=(old.st_atime_ns, old.st_mtime_ns))
    assert check([sys.executable, "run.py"]).result == "FAILED"


# inputs that move


@pytest.mark.parametrize(
    ("run", "paths"),
    [
        ("echo x >> src/a.txt", ["src/a.txt"]),
        ("rm src/a.txt", ["src/a.txt"]),
        ("chmod +x src/a.txt", ["src/a.txt"]),
        ("touch new.txt", ["new.txt"]),
        ("cp src/a.txt k; echo x > src/a.txt; cat k > src/a.txt; rm k", ["src/a.txt"]),
        ("cp -p src/a.txt out; echo x > src/a.txt; cp -p out src/a.txt; rm out", ["src/a.txt"]),
        ("mv src/a.txt k; cp k src/a.txt; rm k", ["src/a.txt"]),
        ("mv src away; mkdir src; echo bad > src/a.txt; rm -r src; mv away src", ["src"]),
        ("rm -rf src README.md .gitignore", [".gitignore", "README.md", "src/a.txt", "src/b.txt"]),
        ("git checkout -q -b other; echo x > src/b.txt; git commit -qam x", ["src/b.txt"]),
    ],
)
def test_inputs_that_changed_while_it_ran(check, run, paths):
    evidence = check(run)
    assert evidence.result == "UNSTABLE"
    assert evidence.changed_inputs == paths
    assert evidence.exit == 0


def test_somebody_elses_edit_meanwhile(check, repo, tmp_path):
    started, edited = tmp_path / "started", tmp_path / "edited"

    def edit():
        while not started.exists():
            time.sleep(0.02)
        repo.write("src/b.txt", "bad\n")
        repo.write("src/b.txt", "two\n")
        edited.touch()

    thread = threading.Thread(target=edit)
    thread.start()
    evidence = check(f"touch '{started}'; until test -e '{edited}'; do sleep 0.02; done; sleep 0.1")
    thread.join()
    assert (evidence.result, evidence.changed_inputs) == ("UNSTABLE", ["src/b.txt"])
    assert "put-back: src/b.txt was written and put back while it ran" in evidence.warnings


@pytest.mark.parametrize("run", ["touch new; rm new", "touch src/new; mv src/new out", "mkdir src/x; rmdir src/x"])
def test_what_came_and_went_while_it_ran(check, run):
    """Who made it cannot be told: a helper of the check, or somebody who helps it pass."""
    evidence = check(f"mkdir -p out; {run}")
    assert evidence.result == "UNSTABLE"
    assert any(w.endswith(" was made and removed while it ran") for w in evidence.warnings)
    assert check(f"mkdir -p out; {run}", isolated=True).result == "PASSED", "nobody else writes in a copy"


@pytest.mark.parametrize(
    "run",
    [
        "mkdir -p out; echo x > out/log",
        "mkdir -p src/__pycache__; echo x > src/__pycache__/a.pyc",
        "echo x > .coverage",
        "cat src/a.txt > /dev/null",
        "touch out.tmp; rm out.tmp",
        "mkdir -p out; touch out/new; rm out/new",
        "mkdir out && rmdir out",
        "mkdir -p src/.pytest_cache; rmdir src/.pytest_cache",
        "mkdir targetXy4aQ1; mv targetXy4aQ1 out",
        "mkdir .benchmarks; rmdir .benchmarks",
        "echo '<testsuite><testcase name=\"a\"/></testsuite>' > report.xml",
    ],
)
def test_what_a_check_may_write(check, run):
    assert check(run, report="report.xml" if "report" in run else None).result == "PASSED"


def test_under_declared_inputs_the_rest_may_move(check):
    assert check("echo x > other.txt", inputs=["src/**"]).result == "PASSED"
    assert check("echo x > src/other.txt", inputs=["src/**"]).changed_inputs == ["src/other.txt"]


def test_a_worktree_that_is_gone_afterwards(check, repo):
    evidence = check('rm -rf "$PWD"')
    assert evidence.result == "UNSTABLE"
    assert evidence.tree_after != evidence.tree_before
    assert "src/a.txt" in evidence.changed_inputs
    with pytest.raises(PassdownError):
        find_place(repo.root)


# abuse


def test_time_out_ends_the_whole_family(check):
    evidence = check("setsid sh -c 'trap \"\" TERM; sleep LONG' & trap '' TERM; sleep LONG; sleep LONG", timeout=0.5)
    assert evidence.result == "ERROR"
    assert "error: ended by its time-out" in evidence.warnings
    assert alive("sleep LONG") == []


@pytest.mark.parametrize(
    "run",
    [
        "sleep LONG & exit 0",
        "setsid sleep LONG & exit 0",
        "nohup setsid sh -c 'sleep LONG & sleep LONG' >/dev/null 2>&1 & exit 0",
        "env -i setsid /bin/sleep LONG & exit 0",
    ],
)
def test_a_daemon_is_ended_and_named(check, run):
    evidence = check(run)
    assert evidence.result == "PASSED"
    assert any(w.startswith("left-running: ") and long("sleep LONG") in w for w in evidence.warnings)
    assert alive("sleep LONG") == []


def test_a_daemon_that_nothing_ties_to_us_is_found(check):
    code = (
        "import os\nread, write = os.pipe()\nif os.fork() == 0:\n os.setsid()\n"
        " if os.fork() == 0: os.execvp('sleep', ['sleep', 'LONG'])\n os._exit(0)\n"
        "os.close(write)\nos.read(read, 1)  # until it is a sleep and no copy of us"
    )
    evidence = check([sys.executable, "-c", code])
    assert any(long("sleep LONG") in w for w in evidence.warnings)
    assert alive("sleep LONG") == []


@pytest.mark.parametrize("run", ["kill -9 $PPID; sleep 30", "kill -9 0"])
def test_a_check_that_kills_who_runs_it(check, run):
    evidence = check(run)
    assert evidence.result == "ERROR"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_check_does_not_outlive_us(repo, number):
    script = repo.root.parent / "runs.py"
    script.write_text(
        long(
            "import os\nfrom pathlib import Path\nfrom passdown.checks.output import Output\n"
            "from passdown.checks.process import run\n"
            "command = ['sh', '-c', 'echo $$ > ../begun; setsid sleep LONG & sleep LONG']\n"
            "run(command, Path.cwd(), os.environ, Output())\n"
        )
    )
    with subprocess.Popen([sys.executable, script], cwd=repo.root, stderr=subprocess.DEVNULL) as process_:
        try:
            until(lambda: alive("sleep LONG").count(f"sleep {LONG} ") == 2)
            process_.send_signal(number)
            assert process_.wait(TIMEOUT) != 0
        finally:
            process_.kill()
    until(lambda: alive("sleep LONG") == [])


def test_ten_million_lines_in_flat_memory(check):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    evidence = check("yes 'a line of output' | head -10000000", kind="other")
    assert evidence.output_bytes == 10_000_000 * 17
    assert len(evidence.tail.splitlines()) == 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000


def test_one_huge_line_and_bytes_that_are_no_text(check):
    evidence = check(
        "head -c 30000000 /dev/zero | tr '\\0' x; head -c 300000 /dev/urandom; echo; echo end", kind="other"
    )
    assert evidence.tail.splitlines()[-1] == "end"
    assert len(evidence.tail.encode()) <= 8192
    assert all(c.isprintable() or c in "\n\t" for c in evidence.tail)


def test_escape_codes_are_stripped(check):
    evidence = check(r"printf '\033[31mred\033[0m \033]0;title\007 10%%\r20%%\r100%%\nback\010 \033[2J\n'")
    assert evidence.tail == "100%\nback"


def test_both_streams_in_their_order_and_live(check):
    live = io.BytesIO()
    evidence = check("echo 1; echo 2 >&2; echo 3; echo 4 >&2", live=live)
    assert evidence.tail.split() == ["1", "2", "3", "4"]
    assert live.getvalue() == b"1\n2\n3\n4\n"


def test_output_comes_while_it_runs(check, tmp_path):
    class Answering(io.BytesIO):
        def write(self, data):
            heard.touch()
            return super().write(data)

    heard = tmp_path / "heard"
    assert check(f"echo 1; until test -e '{heard}'; do sleep 0.02; done; echo 2", live=Answering()).tail == "1\n2"


def test_a_screen_that_went_away_does_not_matter(check):
    class Gone(io.BytesIO):
        def write(self, _):
            raise BrokenPipeError

    assert check("echo 1; echo 2", live=Gone()).tail == "1\n2"


@pytest.mark.parametrize(
    ("run", "result"),
    [
        ("exec >&- 2>&-; sleep 0.3; exit 0", "PASSED"),
        ("exec >&- 2>&-; sleep 0.3; exit 1", "FAILED"),
        ("read line && exit 1; exit 0", "PASSED"),
        ("echo x > /dev/tty", "FAILED"),
        ("test -t 0 || test -t 1", "FAILED"),
    ],
)
def test_no_input_no_terminal(check, run, result):
    assert check(run).result == result


def test_secrets_do_not_reach_the_record(check):
    token = "ghp_" + "a1B2" * 9
    evidence = check(f"echo token={token}; echo {token} >&2; false")
    assert token not in str(evidence)
    place_free = Redactor(["corp-[0-9]+"])
    assert place_free.text("corp-17") != "corp-17"


def test_an_ad_hoc_command(repo):
    definition = adhoc(["echo", "a b"])
    assert (definition.name, definition.source) == ("echo 'a b'", "adhoc")
    repo.write("sub/x", "")
    evidence = run_check(find_place(repo.root), adhoc(["pwd"]), now=NOW, cwd="sub")
    assert (evidence.tail, evidence.cwd) == (str(repo.path("sub")), "sub")
