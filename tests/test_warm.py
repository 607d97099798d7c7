"""A call forked from the warm server is a process as the installed script's: nothing but its start differs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import warm
from support.process import PASSDOWN, environment

pytestmark = pytest.mark.skipif(not warm.LINUX, reason="the warm server is for Linux")


def forked(repo, *args, env=None, stdin=b"", timeout=60.0):
    return warm.call([PASSDOWN, *args], repo.root, environment(env), stdin, timeout)


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
        forked(repo, "check", "--", "sh", "-c", "sleep 30", timeout=1.0)
    assert forked(repo, "--version")[0] == 0


def test_the_first_call_of_each_form_is_the_installed_script(monkeypatch):
    monkeypatch.setattr(warm, "COLD", False)
    env = {**warm.OWN}
    form = [PASSDOWN, "show", f"--{Path(__file__).stem}-{os.getpid()}=1"]
    assert not warm.usable(form, env)
    assert warm.usable(form, env)
    assert not warm.usable(form, {**env, "LC_ALL": "C"})
    assert not warm.usable([*form, "--other"], env)
