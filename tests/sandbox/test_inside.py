"""What runs inside and works on the record: handed to the parent, recorded as an agent's, nothing else (B4)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tempfile
import uuid

import pytest

from passdown.cli.asked_inside import OPEN, rooted
from passdown.cli.inside import HANDED
from passdown.cli.main import cli
from passdown.guard import hook_files
from passdown.guard.hook import parent
from passdown.sandbox import SOCKET
from passdown.store import open_ledger
from support.kernel import command_lines
from support.process import PASSDOWN, run, until
from support.world import need_bubblewrap

PASSES = "test -f src/a.py && ! touch README.md && ! touch .git/config && touch src/a.log"


@pytest.fixture
def project(repo):
    need_bubblewrap()
    repo.write("src/a.py", "a\n").write("README.md", "# R\n")
    repo.write(".gitignore", "*.log\n").write("passdown.toml", f'[checks.tests]\nrun = "{PASSES}"\n').commit("start")
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    return repo


def inside(project, script, *options, **more):
    return project.passdown("sandbox", *options, "--", "sh", "-c", script.replace("passdown ", f"{PASSDOWN} "), **more)


def events(project):
    return project.passdown("log", "--json").check().json()


def test_every_verb_that_is_handed_out_names_options_that_exist():
    assert set(OPEN) == set(HANDED)
    for verb, names in OPEN.items():
        assert names <= {each.name for each in cli.get_command(None, verb).params}


@pytest.mark.parametrize("verb", ["note", "readback", "status", "show"])
def test_an_option_of_what_is_an_agents_is_open_inside_or_was_thought_about(verb):
    """It is open unless it writes a file, runs a program or is a person's: then name it here."""
    closed = {"note": set(), "readback": set(), "status": set(), "show": set()}
    assert {each.name for each in cli.get_command(None, verb).params} - OPEN[verb] == closed[verb]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["step", "x", "--path", "a.py"], ["step", "x", "--path", "src/a.py"]),
        (["x", "--path=../b", "--path", "/c"], ["x", "--path=src/../b", "--path", "/c"]),
        (["--path", "**/a.py"], ["--path", "**/a.py"]),
        (["--ask-widen", "a.py", "--because", "--path"], ["--ask-widen", "src/a.py", "--because", "--path"]),
    ],
)
def test_a_path_typed_in_a_folder_is_the_same_in_the_root(words, told):
    assert rooted(words, "src", ["--path", "--ask-widen"]) == told


def test_as_root_and_as_an_ordinary_user_a_note_is_recorded_outside(world):
    command = f"PYTHONPATH={world.python[1].partition('=')[2]} {world.python[-1]} -m passdown.cli.main"
    said = f"said by {world.uid}"
    done = world.sandbox(f"{command} note decision '{said}' && {command} status")
    assert "Noted" in done.stdout, done.stderr
    assert said in world.passdown("log", "--json").stdout


def test_what_is_recorded_from_inside_is_an_agents(project):
    project.passdown("pack", "--no-check").check()
    packet = project.passdown("show", "--json").check().json()["packet"]
    script = f"cd src; passdown note decision 'cap it' --path a.py && passdown readback {packet} --first src/a.py"
    done = inside(project, script)
    assert done.code == 0, done.err
    said = {each["type"]: each["text"] for each in events(project)}
    assert "cap it" in said["note"]
    assert "agent" in said["note"]
    assert "READ BACK" in done.out


def test_a_check_asked_for_runs_confined_and_counts_as_seen_alone(project):
    done = inside(project, "passdown check tests --json").check()
    (evidence,) = json.loads(done.out)
    assert (evidence["result"], evidence["observed_by"]) == ("PASSED", "agent-side"), evidence
    assert "README.md" in evidence["tail"]
    assert evidence["tree_before"] == evidence["tree_after"], "as the parent saw them"
    assert project.passdown("check", "--list", "--json").check().json()[0]["standing"]["class"] == "OBSERVED"


CLOSED = {
    "review --approve": "passdown review",
    "boundary allow migrations": "passdown boundary allow",
    "check --confirm tests": "passdown check --confirm",
    "check -- true": "passdown check -- CMD",
    "check --isolated tests": "passdown check --isolated",
    "verify --checks": "passdown verify --checks",
    "pack --goal mine": "passdown pack --goal",
    "pack /etc/passwd": "passdown pack",
    "pack --write /dev/null": "passdown pack --write",
    "rescue restore 1234": "passdown rescue restore 1234",
    "resume": "passdown resume",
    "off": "passdown off",
    "sandbox -- true": "a sandbox already",
}


def test_what_is_a_persons_is_refused_and_changes_nothing(project):
    before = len(events(project))
    done = inside(project, "; ".join(f"echo '# {words}' >&2; passdown {words}" for words in CLOSED))
    said = {part.partition("\n")[0]: part for part in done.err.split("# ")[1:]}
    assert [words for words, why in CLOSED.items() if why not in said[words]] == []
    assert len(events(project)) == before


def test_a_dead_parent_is_told_and_stops_nobody(project, tmp_path):
    dead = tmp_path / "dead"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as gone:
        gone.bind(str(dead))  # it stands there, and nobody listens any more
    around = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--tmpfs", "/run", "--bind", str(dead), SOCKET, "--"]
    done = run([*around, "sh", "-c", f"{PASSDOWN} note hello; echo went on"], project.root)
    assert "does not answer" in done.err
    assert "went on" in done.out


def test_killing_the_parent_ends_the_sandbox_and_leaves_the_record_whole(project):
    mark = uuid.uuid4().hex
    script = f"{PASSDOWN} note one; touch src/ready; while :; do sleep 0.1; : {mark}; done"
    argv = [PASSDOWN, "sandbox", "--", "sh", "-c", script]
    quiet = {"stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    with (
        tempfile.TemporaryDirectory() as scratch,  # what it cannot take away any more goes with this
        subprocess.Popen(argv, cwd=project.root, env={**os.environ, "TMPDIR": scratch}, **quiet) as process,
    ):
        until(project.path("src/ready").exists)
        process.send_signal(signal.SIGKILL)
    until(lambda: not any(mark.encode() in line for line in command_lines().values()))
    project.passdown("log", "--verify").check()
    assert "one" in str(events(project))


def payload(project, **more):
    fixed = {"session_id": "s1", "cwd": str(project.root), "tool_use_id": "c1", "permission_mode": "bypassPermissions"}
    return json.dumps(fixed | more)


def test_the_hook_inside_refuses_and_what_it_keeps_is_kept_outside(project):
    hook_files.install(project.root / ".git/passdown")
    project.passdown("boundary", "allow", "lib/*.py").check()
    (project.root / "lib").mkdir()
    project.write("lib/made.py", "x")
    before = payload(
        project, hook_event_name="PreToolUse", tool_name="Write", tool_input={"file_path": f"{project.root}/README.md"}
    )
    after = payload(project, hook_event_name="PostToolUse", tool_name="Bash", tool_input={"command": "make"})
    reset = payload(project, hook_event_name="PreToolUse", tool_name="Bash", tool_input={"command": "git reset --hard"})
    start = payload(project, hook_event_name="SessionStart", source="startup")
    script = (
        f"h() {{ sh {project.root}/.git/passdown/guard/hook.sh claude $1; }}; echo '{before}' | h; echo;"
        f" echo x > lib/made.txt; echo '{after}' | h after; echo; echo '{reset}' | h; echo; echo '{start}' | h session"
    )
    done = inside(project, script, "--quiet").check()
    said = done.out.splitlines()
    assert "README.md is outside what this run may write" in said[0]
    assert "lib/made.txt" in said[1], said
    assert "the task here" in done.out
    kept = list(open_ledger(project.root / ".git/passdown", "sha1").facts())
    touches = [(fact.data["where"], fact.data["path"]) for fact in kept if fact.kind == "touch"]
    assert touches == [("outside-blocked", "README.md"), ("outside-landed", "lib/made.txt")]
    assert {fact.data.get("observed_by") for fact in kept if fact.kind in ("touch", "session")} == {"agent-side"}
    assert "rescued" in {each["type"] for each in events(project)}


def test_the_hook_and_the_sandbox_mean_the_same_socket():
    assert parent.SOCKET == SOCKET
    assert set(parent.LINES) == {"touch", "heartbeat"}
