"""How a confined command starts, ends and is told what happens to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import uuid

import pytest

from support.kernel import command_lines
from support.process import TIMEOUT, until

CONTROLLING = "import fcntl,os,sys,termios; fcntl.ioctl(0,termios.TIOCSCTTY,0); os.execvp(sys.argv[1],sys.argv[1:])"
"""Make standard input the session's own terminal, as a shell's window does."""


@pytest.mark.parametrize(
    ("script", "code"),
    [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -15 $$", 143), ("no-such-command", 127)],
)
def test_its_exit_code_is_ours(world, script, code):
    assert world.sandbox(script).returncode == code


def test_a_command_that_is_not_there(world):
    done = world.passdown("sandbox", "--", "no-such-command", "x")
    assert done.returncode == 127
    assert "no-such-command: No such file" in done.stderr


def test_its_output_is_alone_on_standard_output_and_input_reaches_it(world):
    done = world.passdown("sandbox", "--", "sh", "-c", "cat README.md")
    assert done.stdout == "# Sample\n"
    with (world.repo / "README.md").open("rb") as given:
        assert world.passdown("sandbox", "--", "cat", stdin=given).stdout == "# Sample\n"


def test_options_after_the_command_are_its_own(world):
    done = world.passdown("sandbox", "--", "echo", "--json", "--ssh", "-h")
    assert done.stdout == "--json --ssh -h\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_reaches_it(world, number):
    script = "trap 'echo told; exit 5' TERM INT HUP USR1; echo ready; while :; do sleep 0.1; done"
    with _started(world, script) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.communicate(timeout=TIMEOUT)[0] == b"told\n"
        assert process.returncode == 5


@pytest.mark.parametrize(("keys", "code", "said"), [("\x03", 5, "told"), ("typed\n", 0, "got typed")])
def test_the_keys_of_a_terminal_reach_it(world, keys, code, said):
    script = "trap 'echo told; exit 5' INT; echo ready; read x; echo got $x"
    ours, theirs = os.openpty()
    argv = [*world.python, "-m", "passdown.cli.main", "sandbox", "--", "sh", "-c", script]
    who = {} if world.uid == os.getuid() else {"user": world.uid, "group": world.uid, "extra_groups": []}
    leader = [sys.executable, "-c", CONTROLLING, *argv] if not who else ["/usr/bin/python3", "-c", CONTROLLING, *argv]
    with subprocess.Popen(
        leader, cwd=world.repo, env=world.env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, **who
    ) as process:
        os.close(theirs)
        out = _until(ours, "ready")
        os.write(ours, keys.encode())
        out += _until(ours, said)
        assert process.wait(TIMEOUT) == code
    os.close(ours)
    assert said in out


def test_it_ends_with_us(world):
    mark = uuid.uuid4().hex
    script = f"echo ready; while :; do sleep 0.1; echo {mark} > lib/beat; done"
    with tempfile.TemporaryDirectory() as scratch:  # what it cannot take away any more goes with this
        os.chown(scratch, world.uid, -1)
        with _started(world, script, TMPDIR=scratch) as process:
            assert process.stdout.readline() == b"ready\n"
            until((world.repo / "lib/beat").exists)
            process.kill()
            process.wait(TIMEOUT)
        until(lambda: not any(mark.encode() in line for line in command_lines().values()))


def test_a_folder_as_standard_input_runs_nothing(world):
    folder = os.open(world.root / "out", os.O_RDONLY)
    done = world.passdown("sandbox", "--", "sh", "-c", "echo x > /proc/self/fd/0/file", stdin=folder)
    os.close(folder)
    assert done.returncode == 1
    assert "is a directory" in done.stderr  # the interpreter itself goes no further
    assert (world.root / "out/file").read_text() == "f\n"


def test_nothing_is_left_of_what_stood_for_missing_files(world):
    before = {*(world.root / "home").rglob("*"), *(world.repo / ".git").iterdir()}
    assert world.sandbox("test -e .git/commondir && test -e ~/.claude/settings.json").returncode == 0
    assert {*(world.root / "home").rglob("*"), *(world.repo / ".git").iterdir()} == before


def test_two_runs_share_what_stands_for_missing_files(world):
    wait = "until test -e lib/{}; do sleep 0.02; done; "
    first = _started(world, f"echo ready; {wait.format('second')}")
    with first:
        assert first.stdout.readline() == b"ready\n"
        plant = "echo x > .git/commondir; echo x > .git/config.worktree"
        with _started(world, f"touch lib/second; {wait.format('alone')}{plant}") as second:
            assert first.wait(TIMEOUT) == 0
            (world.repo / "lib/alone").touch()
            assert second.wait(TIMEOUT) != 0
    assert not {path.name for path in (world.repo / ".git").iterdir()} & {"commondir", "config.worktree"}


def test_what_a_killed_run_left_goes_with_the_next(world):
    left = world.repo / ".git/config.worktree"
    left.write_text("")
    os.utime(left, (1, 1))
    assert world.sandbox("true").returncode == 0
    assert not left.exists()


def test_asked_for_keys_are_there(world):
    script = 'cat ~/.ssh/id_ed25519 && test -S "$SSH_AUTH_SOCK" && echo "$GITHUB_TOKEN"; cat ~/.netrc'
    done = world.sandbox(script, "--ssh", "--keep-env", "GITHUB_TOKEN")
    assert done.stdout.count("LEAKED") == 2, done


def test_the_plan_as_json(world):
    done = world.passdown("sandbox", "--dry-run", "--json", "--", "true")
    plan = json.loads(done.stdout)
    kinds = {mount["path"].removeprefix(f"{world.root}/"): mount["kind"] for mount in plan["mounts"]}
    assert kinds["repo"] == "read-only"
    assert kinds["repo/lib"] == kinds["repo/lib/far"] == kinds["repo/lib/far/off"] == kinds["repo/.git"] == "writable"
    assert kinds["repo/lib/closed"] == kinds["repo/.git/config"] == kinds["repo/lib/twin.py"] == "read-only"
    assert plan["variables"]["dropped"] == ["DATABASE_URL", "GITHUB_TOKEN", "SSH_AUTH_SOCK"]
    assert "LEAKED" not in done.stdout
    assert "Writable" in world.passdown("sandbox", "--dry-run", "--", "touch", "lib/ran").stdout
    assert not (world.repo / "lib/ran").exists()


@pytest.mark.parametrize("advisory", [False, True])
def test_without_bubblewrap_it_goes_on_only_when_told(world, advisory):
    there = world.root / "bin"
    there.mkdir(exist_ok=True, mode=0o755)
    for name in ("git", "sh", "env", "cat"):
        if not (there / name).exists():
            (there / name).symlink_to(f"/usr/bin/{name}")
    options = ["--advisory"] if advisory else []
    script = "echo x > lib/ok.py; echo x > migrations/1.sql; echo done"
    done = world.passdown("sandbox", *options, "--", "sh", "-c", script, env={"PATH": str(there)})
    assert "bubblewrap is not installed" in done.stderr
    assert ("done" in done.stdout) == advisory
    if advisory:
        assert "ADVISORY" in done.stderr
        assert (world.repo / "lib/ok.py").read_text() == "x\n"
        assert (world.repo / "migrations/1.sql").read_text() == "m\n"  # Landlock alone still holds whole folders
    else:
        assert done.returncode == 3
        assert "apt-get install bubblewrap" in done.stderr


def test_without_an_armed_boundary_it_says_how_to_arm_one(world):
    world.run("git", "switch", "-q", "-c", "elsewhere")
    done = world.passdown("sandbox", "--", "true")
    assert done.returncode in (2, 3)
    assert "passdown " in done.stderr


def _until(terminal, word):
    """What is said up to this word, and to its end where it never comes."""
    out = ""
    while word not in out:
        try:
            out += os.read(terminal, 4096).decode()
        except OSError:
            break
    return out


def _started(world, script, **env):
    who = {} if world.uid == os.getuid() else {"user": world.uid, "group": world.uid, "extra_groups": []}
    return subprocess.Popen(
        [*world.python, "-m", "passdown.cli.main", "sandbox", "--", "sh", "-c", script],
        cwd=world.repo,
        env=world.env | env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        **who,
    )
