"""One active run in a worktree: a lease while its agent lives, and never a moment longer."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import pytest

from support.kernel import command_line, ended
from support.process import PASSDOWN, until
from support.repo import Repo

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def clients(tmp_path):
    """Programs of the clients' names that live until they are ended; what they are asked first they do not know."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("claude", "codex"):
        program = folder / name
        program.write_text(
            '#!/bin/sh\ncase " $* " in *" --version "* | *" app-server "*) exit ;; esac\nexec sleep 3600\n'
        )
        program.chmod(0o755)
    return folder


@pytest.fixture
def start(clients):
    """Start a run by ``resume --with``; it has become the client on return. Whatever lives is ended."""
    running = []

    def begin(repo, client="claude", *options):
        argv = [PASSDOWN, "resume", "--no-check", "--with", str(clients / client), *options]
        with (clients / f"out{len(running)}").open("wb") as out:
            process = subprocess.Popen(argv, cwd=repo.root, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
        running.append(process)
        until(lambda: b"sleep" in command_line(process.pid) or process.poll() is not None)
        return process

    yield begin
    for process in running:
        if process.poll() is None:
            process.kill()
        process.wait()


def again(repo, *options, env=None):
    return repo.passdown("resume", "--no-check", *options, env=env)


def test_while_its_agent_lives_another_is_told_who_and_since_when(packed, start, clients):
    first = start(packed)
    second = again(packed, "--with", str(clients / "codex")).check(1)
    assert second.out.startswith(f"TAKEN   claude (process {first.pid}) works here since ")
    assert "--take-over" in second.out
    assert first.poll() is None


def test_a_killed_agent_holds_nothing(packed, start):
    first = start(packed)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert b"sleep" in command_line(start(packed, "codex").pid)


def test_an_agent_that_nobody_waited_for_holds_nothing(packed, start):
    """A process that ended and still has its number is no live one."""
    first = start(packed)
    os.kill(first.pid, signal.SIGKILL)  # not waited for: it stays as a zombie
    until(lambda: ended(first.pid))
    again(packed, "--json").check()
    assert b"sleep" in command_line(start(packed, "codex").pid)


def test_a_number_that_is_used_again_is_another_process(packed, start):
    first = start(packed)
    (path,) = (packed.root / ".git/passdown/lease").glob("*.json")
    lease = json.loads(path.read_text())
    path.write_text(json.dumps({**lease, "start": str(int(lease["start"]) - 1)}))
    assert b"sleep" in command_line(start(packed, "codex").pid)
    assert first.poll() is None


def test_the_same_packet_renews_it_for_a_person(packed, start):
    first = start(packed)
    assert again(packed, "--json").check().json()["armed"] is True
    (path,) = (packed.root / ".git/passdown/lease").glob("*.json")
    assert json.loads(path.read_text())["pid"] == first.pid


def test_another_agent_s_resume_of_the_same_packet_is_another_run(packed, start):
    start(packed)
    answer = again(packed, "--json", env=AGENT).check(1).json()
    assert answer["armed"] is False
    assert answer["lease"]["agent"] == "claude"


def test_taking_over_is_explicit_recorded_and_a_person_s(packed, start, clients):
    first = start(packed)
    assert "a person's decision" in again(packed, "--take-over", env=AGENT).check(2).err
    over = start(packed, "codex", "--take-over")
    assert b"sleep" in command_line(over.pid)
    assert first.poll() is None, "nobody's process is ended"
    told = again(packed, "--with", str(clients / "claude")).check(1).out
    assert f"codex (process {over.pid})" in told
    assert "took over" in packed.passdown("log", env={"COLUMNS": None}).check().out


def test_two_worktrees_and_two_clones_hold_apart(packed, start, tmp_path):
    start(packed)
    packed.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    other = Repo(tmp_path / "other")
    other.passdown("start", "another goal", "--allow", "src/**").check()
    other.passdown("pack", "--no-check").check()
    assert b"sleep" in command_line(start(other, "codex").pid)
    packed.git("clone", "-q", str(packed.root), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.passdown("start", "another goal", "--allow", "src/**").check()
    clone.passdown("pack", "--no-check").check()
    assert b"sleep" in command_line(start(clone, "codex").pid)


class TestSessions:
    """What the agents' hooks make of it: the first session keeps it, one that was taken over writes no more."""

    @pytest.fixture
    def asked(self, packed, tmp_path):
        """Ask as a session of a client of its own, which lives on."""
        packed.passdown("init").check()
        packed.passdown("pack", "--no-check").check()
        hook, agents = packed.root / ".git/passdown/guard/hook.sh", {}

        def ask(session, path="src/retry.py"):
            if session not in agents:
                (tmp_path / f"agent-{session}").symlink_to("/bin/sh")
                script = f'while read -r file; do /bin/sh {hook} claude <"$file" >"$file.out"; echo; done'
                argv = [str(tmp_path / f"agent-{session}"), "-c", script]
                agents[session] = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            payload = {"session_id": session, "hook_event_name": "PreToolUse", "cwd": str(packed.root)}
            given = {"file_path": str(packed.path(path)), "content": "x"}
            file = tmp_path / "payload"
            file.write_text(json.dumps({**payload, "tool_name": "Write", "tool_input": given}))
            agents[session].stdin.write(f"{file}\n".encode())
            agents[session].stdin.flush()
            agents[session].stdout.readline()
            said = (tmp_path / "payload.out").read_bytes()
            return json.loads(said)["hookSpecificOutput"]["permissionDecisionReason"] if said else ""

        yield ask
        for process in agents.values():
            process.communicate()

    def test_the_first_session_after_a_plain_resume_holds_it(self, packed, asked):
        again(packed).check()
        assert asked("one") == ""
        (path,) = (packed.root / ".git/passdown/lease").glob("*.json")
        lease = json.loads(path.read_text())
        assert lease["session"] == "one"
        assert lease["pid"] > 0
        assert asked("two") == "", "unrelated work is not blocked"
        assert json.loads(path.read_text())["session"] == "one"

    def test_a_session_that_was_taken_over_writes_no_more(self, packed, asked, start):
        again(packed).check()
        asked("one")
        start(packed, "codex", "--take-over")
        assert "codex took the worktree over" in asked("one")
        assert asked("another") == ""
