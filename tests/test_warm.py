"""A call forked from the warm server is a process as the installed script's: nothing but its start differs."""

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support import warm
from support.process import PASSDOWN, TIMEOUT, environment

pytestmark = pytest.mark.skipif(not warm.LINUX, reason="the warm server is for Linux")


def forked(repo, *args, env=None, stdin=b"", timeout=TIMEOUT):
    return warm.call(warm.Given([PASSDOWN, *args], repo.root, environment(env)), stdin, timeout)


def started(repo, *args, env=None, stdin=b""):
    done = subprocess.run(
        [PASSDOWN, *args], cwd=repo.root, env=environment(env), input=stdin, capture_output=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("args", "env"),
    [
        (["--version"], {}),
        (["status"], {}),
        (["status", "--json"], {"HOME": "/nowhere"}),
        (["nonsense"], {}),
        (["show", "abcdef0"], {}),
        (["show", "abcdef0", "--json"], {}),
        (["session", "\udce9"], {}),
        (["status"], {"GIT_DIR": "/nowhere", "PATH": "/nowhere"}),
    ],
)
def test_it_says_and_ends_the_same(repo, args, env):
    assert forked(repo, *args, env=env) == started(repo, *args, env=env)


SEEN = """import os, signal, sys
print([sorted(os.environb.items()), os.getcwd(), oct(os.umask(0)), sys.stdin.read()])
print([str(signal.getsignal(n)) for n in (2, 13, 15, 17)], sorted(os.listdir("/proc/self/fd")))
"""


def test_what_it_starts_sees_the_same(repo, tmp_path):
    look = tmp_path / "look.py"
    look.write_text(SEEN)
    repo.passdown("start", "Look around").check()
    answers = [
        call(repo, "check", "--", sys.executable, str(look), env={"ODD": "\udcff x"}, stdin=b"given")
        for call in (forked, started)
    ]
    told = [re.findall(rb"(?m)^.*\[.*\].*$", out + err) for _, out, err in answers]
    assert b"ODD" in b"".join(told[0]), answers
    ours, theirs = ([re.sub(rb"[0-9a-f]{8,}|\d{5,}", b"N", line) for line in lines] for lines in told)
    assert ours == theirs


def test_a_mask_goes_with_the_call(repo):
    old = os.umask(0o077)
    try:
        code, _, err = forked(repo, "start", "Keep it close")
    finally:
        os.umask(old)
    assert code == 0, err
    made = [path for path in (repo.root / ".git/passdown").rglob("*") if path.is_file()]
    assert made
    assert not [path for path in made if path.stat().st_mode & 0o077]


def test_a_call_that_takes_too_long_is_ended(repo):
    repo.passdown("start", "Wait").check()
    with pytest.raises(subprocess.TimeoutExpired):
        forked(repo, "check", "--", "sh", "-c", "sleep 3600", timeout=1.0)
    assert forked(repo, "--version")[0] == 0


TERMINAL = """import os, sys
print([os.isatty(n) for n in range(3)], os.getsid(0) == os.getppid(), os.getpgid(0) == os.getsid(0), flush=True)
print([os.readlink(f"/proc/self/fd/{n}") == os.ttyname(0) for n in range(3)], input(), flush=True)
"""


def test_at_a_terminal_it_is_alone_in_its_session(repo, tmp_path):
    look = tmp_path / "look.py"
    look.write_text(TERMINAL)
    repo.passdown("start", "Look around").check()
    words = ["check", "--", sys.executable, str(look)]
    answers = []
    for _ in range(3):  # whichever is the first of its form
        done = repo.passdown_at_terminal(*words, keys="typed\n")
        answers.append([line for line in done.out.splitlines() if "[" in line])
    assert answers[0], done.out
    assert answers[0] == answers[1] == answers[2]


def test_one_that_stays_at_its_terminal_is_ended(repo):
    ours, theirs = os.openpty()
    repo.passdown("start", "Wait").check()
    given = warm.Given([PASSDOWN, "check", "--", "sleep", "3600"], repo.root, environment({}), session=True)
    assert warm.at_terminal(given, theirs, bytes, 0.5) == (-signal.SIGKILL, b"")
    os.close(ours)


def test_descriptors_come_under_their_numbers(repo, tmp_path):
    read, write = os.pipe()
    (tmp_path / "file").write_text("given")
    with (tmp_path / "file").open("rb") as file:
        given = warm.Given([PASSDOWN, "--version"], repo.root, environment({}), {7: write, 8: file.fileno()})
        assert warm.call(given, None, TIMEOUT)[0] == 0
    os.close(write)
    assert select.select([read], [], [], TIMEOUT)[0]
    assert os.read(read, 1) == b""
    os.close(read)


def test_test_processes_share_what_they_have_seen(monkeypatch, tmp_path):
    monkeypatch.setattr(warm, "COLD", False)
    monkeypatch.setattr(warm, "_shared", [])
    warm.seen_by_all(tmp_path / "forms")
    for expected in (False, True):
        monkeypatch.setattr(warm, "_seen", set())
        assert warm.usable([PASSDOWN, "show", "--shared"], warm.OWN) == expected


def test_the_first_call_of_each_form_is_the_installed_script(monkeypatch):
    monkeypatch.setattr(warm, "COLD", False)
    env = {**warm.OWN}
    form = [PASSDOWN, "show", f"--{Path(__file__).stem}-{os.getpid()}=1"]
    assert not warm.usable(form, env)
    assert warm.usable(form, env)
    assert not warm.usable(form, {**env, "LC_ALL": "C"})
    assert not warm.usable([*form, "--other"], env)
