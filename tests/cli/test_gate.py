"""The gate: a run that must restate its packet writes nothing before, and nothing after a compaction."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from passdown.store import open_ledger

AGENT = {"CLAUDECODE": "1"}


class Run:
    """A worktree with the guard in place and a packet handed over, asked as the client asks."""

    def __init__(self, repo):
        self.repo = repo
        self.wrapper = str(repo.root / ".git/passdown/guard/hook.sh")

    def hook(self, *arguments, **payload):
        said = {"session_id": "s1", "permission_mode": "acceptEdits", "cwd": str(self.repo.root), **payload}
        argv = ["/bin/sh", self.wrapper, *arguments]
        return subprocess.run(argv, input=json.dumps(said).encode(), capture_output=True, check=False)

    def tool(self, name, agent="claude", **given):
        done = self.hook(agent, hook_event_name="PreToolUse", tool_name=name, tool_input=given, tool_use_id="c1")
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
        return said.get("permissionDecision"), said.get("permissionDecisionReason", said.get("additionalContext", ""))

    def write(self, path="src/retry.py", **more):
        return self.tool("Write", file_path=f"{self.repo.root}/{path}", content="x", **more)

    def shell(self, command, **more):
        return self.tool("Bash", command=command, **more)

    def readbacks(self):
        return [one for one in self.repo.passdown("log", "--json").check().json() if one["what"] == "read back"]


def command(text):
    """The command that a refusal names."""
    return re.search(r"`(passdown readback .*?)`", text)[1]


POLICY = '[git]\nbase = "main"\n[checks.ok]\nrun = "test -f src/ok"\nacceptance = true\n'


@pytest.fixture
def make_run(worked):
    def make(keys='readback = "required"\n', tables=""):
        worked.git("switch", "-q", "main")
        worked.write("passdown.toml", f"{keys}{tables}{POLICY}").commit("Policy")
        worked.git("switch", "-q", "retry")
        worked.git("rebase", "-q", "main")
        worked.passdown("init").check()
        worked.passdown("pack", "--no-check").check()
        worked.passdown("resume", "--no-check").check()
        return Run(worked)

    return make


@pytest.fixture
def run(make_run):
    return make_run()


def test_before_the_read_back_a_write_inside_is_refused_and_told_the_command(run):
    decision, text = run.write()
    assert decision == "deny"
    assert "\n" not in text
    words = command(text)
    assert run.shell(words)[0] == "allow"
    (heard,) = run.readbacks()
    assert heard["text"].endswith("(agent)")
    assert run.write()[0] is None
    done = run.repo.passdown(*words.split()[1:], env=AGENT).check()
    assert done.out.startswith("READ BACK")
    assert len(run.readbacks()) == 1, "the command finds what the hook recorded and records nothing twice"


def test_what_is_outside_stays_refused_as_outside(run):
    assert "is outside what this run may write" in run.write("docs/guide.md")[1]
    run.shell(command(run.write()[1]))
    assert "is outside what this run may write" in run.write("docs/guide.md")[1]


SHELL = {
    "echo x > src/retry.py": True,
    "sed -i s/1/2/ src/retry.py": True,
    "rm src/retry.py": True,
    "cat src/retry.py": False,
    "pytest -q > /tmp/out.txt": False,
    "git status": False,
    "echo 'x > src/retry.py'": False,
    "passdown show --brief": False,
}


@pytest.mark.parametrize("line", SHELL)
def test_a_shell_that_writes_inside_waits_too_and_reading_does_not(run, line):
    assert (run.shell(line)[0] == "deny") is SHELL[line]


def test_a_wrong_read_back_opens_nothing_and_two_are_a_hold_until_a_person_lifts(run):
    words = command(run.write()[1]).split()
    wrong = " ".join([*words[:3], "--first", "src/retry.py"])
    assert run.shell(wrong)[0] == "allow", "the command itself says what is missing"
    said = run.repo.passdown(*wrong.split()[1:], env=AGENT).check(1)
    assert "DOES NOT MATCH" in said.out
    assert "--open lacks F1" in said.out
    assert run.write()[0] == "deny"
    run.shell(wrong)
    assert run.repo.passdown(*wrong.split()[1:], env=AGENT).check(1).out.startswith("HOLD")
    assert len(run.readbacks()) == 2
    decision, text = run.write()
    assert decision == "deny"
    assert "a person runs: passdown lift" in text
    run.repo.passdown("lift", "--because", "read it to the agent").check()
    run.shell(" ".join(words))
    assert run.write()[0] is None


def test_after_a_compaction_it_is_asked_for_again(run):
    """B4."""
    run.shell(command(run.write()[1]))
    assert run.write()[0] is None
    event = {"claude": {"hook_event_name": "PreCompact", "trigger": "auto"}}["claude"]
    assert run.hook("claude", "session", **event).returncode == 0
    decision, text = run.write()
    assert decision == "deny"
    assert "the conversation was compacted" in text
    run.shell(command(text))
    assert run.write()[0] is None


@pytest.mark.parametrize("event", [{"hook_event_name": "SessionStart", "source": "clear"}])
def test_what_was_cleared_was_not_read(run, event):
    run.shell(command(run.write()[1]))
    run.hook("claude", "session", **event)
    assert run.write()[0] == "deny"


def test_what_lands_by_another_way_before_the_read_back_is_told_and_kept(run):
    def ran():
        said = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "python3 x.py"}}
        return run.hook("claude", "after", **said).stdout.decode()

    run.repo.write("src/retry.py", "WAIT = 9\n")
    said = json.loads(ran())["hookSpecificOutput"]["additionalContext"]
    assert "changed too early, and recorded: src/retry.py" in said
    assert "passdown readback" in said
    assert not ran(), "each change is told once"
    run.shell(command(run.write()[1]))
    run.repo.write("src/retry.py", "WAIT = 10\n")
    assert not ran()
    places = [fact.data["where"] for fact in open_ledger(run.repo.home).facts(kind="touch")]
    assert places == ["before-read-back", "not-read-back"]


def test_a_subagent_s_own_compaction_closes_nothing(run):
    run.shell(command(run.write()[1]))
    run.hook("claude", "session", hook_event_name="PreCompact", trigger="auto", agent_id="a1")
    assert run.write()[0] is None


TEAM = 'mode = "team"\nresume_owner = "@a"\n'
OWNED = '[review]\nrequired = false\n[hold]\nscope-widened = "watch"\n'


@pytest.mark.parametrize(
    ("keys", "tables", "refused"),
    [
        ("", "", False),
        ('readback = "advisory"\n', "", False),
        ('readback = "off"\n', "", False),
        ('readback = "required"\n', '[guard]\nmode = "observe"\n', False),
        (TEAM, OWNED, False),  # observes first
        (TEAM, OWNED + '[guard]\nmode = "enforce"\n', True),
        (TEAM + 'readback = "advisory"\n', OWNED + '[guard]\nmode = "enforce"\n', False),
    ],
)
def test_the_policy_decides(make_run, keys, tables, refused):
    run = make_run(keys, tables)
    assert (run.write()[0] == "deny") is refused


def test_a_question_noted_first_is_not_asked_for(run):
    words = command(run.write()[1])
    run.shell('passdown note question "may the API change?"')
    run.shell(words)
    assert run.write()[0] is None


def test_handing_over_again_asks_again(run):
    run.shell(command(run.write()[1]))
    assert run.write()[0] is None
    run.repo.passdown("resume", "--no-check").check()
    assert run.write()[0] == "deny"


def test_a_person_may_read_it_back(run):
    words = command(run.write()[1]).split()
    run.repo.passdown(*words[1:]).check()
    assert run.write()[0] is None
    assert not run.readbacks()[0]["text"].endswith("(agent)")


class Another(Run):
    """Another session in the same worktree."""

    def hook(self, *arguments, **payload):
        return super().hook(*arguments, **{"session_id": "s2", **payload})


@pytest.mark.parametrize("source", ["startup", "fork"])
def test_a_session_that_did_not_read_back_writes_nothing_because_another_did(run, source):
    run.shell(command(run.write()[1]))
    other = Another(run.repo)
    other.hook("claude", "session", hook_event_name="SessionStart", source=source)
    decision, text = other.write()
    assert decision == "deny"
    assert run.write()[0] is None, "what the one must say costs the other nothing"
    other.shell(command(text))
    assert other.write()[0] is None
    assert run.write()[0] is None


def test_who_read_back_by_the_command_itself_is_known_by_its_client_s_name(run):
    words = command(run.write()[1]).split()
    run.repo.passdown(*words[1:], env={**AGENT, "CLAUDE_CODE_SESSION_ID": "s1"}).check()
    assert run.write()[0] is None
    assert Another(run.repo).write()[0] == "deny"


def test_a_subagent_writes_by_what_its_session_read(run):
    run.shell(command(run.write()[1]))
    given = {"file_path": f"{run.repo.root}/src/retry.py", "content": "x"}
    done = run.hook("claude", hook_event_name="PreToolUse", tool_name="Write", tool_input=given, agent_id="a7")
    assert done.stdout == b""
