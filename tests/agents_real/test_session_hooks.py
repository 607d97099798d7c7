"""What the real clients tell as a session begins, is compacted and ends; and what it is told in return."""

from __future__ import annotations

import json
import shlex

import pytest

from passdown.agents.claude import hooks as claude_hooks
from passdown.agents.codex import hooks as codex_hooks
from passdown.guard import hook_files
from passdown.store import open_ledger
from support.clients import Claude
from support.model import Call, Model, Say
from support.process import PASSDOWN
from support.story import CLAIM, GOAL, half_done, play, waiting

pytestmark = pytest.mark.agents

BRIEF = "Before the first edit: `passdown readback"


def options(agent, project):
    """The hooks of one run, trusted for it."""
    home = project.root / ".git" / "passdown"
    home.mkdir(exist_ok=True)
    hook_files.install(home)
    program = hook_files.program(home)
    if isinstance(agent, Claude):
        return claude_hooks.one_run(program)
    return [*codex_hooks.one_run(program), "--dangerously-bypass-hook-trust"]


def facts(project, kind):
    return [fact.data for fact in open_ledger(project.root / ".git" / "passdown").facts(kind=kind)]


def run(agent, script, prompt, *more, resume=None, tokens=1000):
    """The text of each request that the model got."""
    with Model(script, tokens=tokens) as model:
        agent.run(model, prompt, *more, resume=resume).check()
    return [json.dumps(request, ensure_ascii=False) for request in model.requests if request.get("tools", True)]


def test_a_session_in_a_resumed_worktree_is_told_the_brief_once_a_start(agent, project):
    """C5."""
    play(agent, half_done(agent.calls()))
    project.passdown("pack", "--no-check").check()
    waiting = run(agent, [[Say("Nothing to do.")]], "what is here?", *options(agent, project))
    assert BRIEF not in waiting[0]
    assert waiting[0].count("waits here and was not resumed") == 1
    project.passdown("resume", "--no-check").check()
    first = run(agent, [[Say("Read it.")], [Say("Done.")]], "go on", *options(agent, project))
    assert first[0].count(BRIEF) == 1
    assert "F1 test_prices.py::test_all_off" in first[0]
    session = project.passdown("session", "--list", "--json").check().json()[0]["session"]
    again = run(agent, [[Say("Read it again.")]], "go on", *options(agent, project), resume=session)
    assert BRIEF in again[0]
    told = [(fact["event"], fact["word"]) for fact in facts(project, "told") if fact["packet"]]
    assert told == [("SessionStart", "startup"), ("SessionStart", "resume")], "once a start of the client"


def test_resume_with_hands_the_brief_over_once(agent, project):
    play(agent, half_done(agent.calls()))
    project.passdown("pack", "--no-check").check()
    rest = {"claude": "-p --permission-mode acceptEdits", "codex": "exec --json --dangerously-bypass-hook-trust"}
    name = "claude" if isinstance(agent, Claude) else "codex"
    with Model([[Say("Read it.")]]) as model:
        agent.through(model, [PASSDOWN, "resume", "--no-check", "--with", f"{agent.program} {rest[name]}"]).check()
    assert json.dumps(model.requests[0]).count(BRIEF) == 1


def test_after_a_compaction_of_a_first_run_the_persons_words_and_the_failures_come_back(agent, project):
    script = [*half_done(agent.calls())[:3], [Say("It fails so far.")]]
    run(agent, script, GOAL, *options(agent, project))
    session = project.passdown("session", "--list", "--json").check().json()[0]["session"]
    if isinstance(agent, Claude):
        run(agent, [[Say("summary of the work")]], "/compact", *options(agent, project), resume=session)
        after = run(agent, [[Say("Going on.")]], "go on", *options(agent, project), resume=session)[-1]
    else:
        limit = ("-c", "model_auto_compact_token_limit=200000")
        script = [[agent.calls().shell("true")], [Say("summary of the work")], [Say("Going on.")], [Say("Done.")]]
        after = run(agent, script, "go on", *options(agent, project), *limit, resume=session, tokens=300_000)[-1]
    assert "after this compaction" in after
    told = after[after.index("after this compaction") :]
    assert json.dumps(f'Goal (user): "{GOAL}"')[1:-1].replace("\\", "") in told.replace("\\", "")
    assert "docs/guide.md" in told
    assert "Fails: `pytest -q`" in told


def test_another_branch_is_told_one_line_and_may_write(agent, project):
    play(agent, half_done(agent.calls()))
    project.passdown("pack", "--no-check").check()
    project.passdown("resume", "--no-check").check()
    project.git("checkout", "-q", "-b", "unrelated")
    script = [[agent.calls().write("docs/other.md", "# Other\n")], [Say("Done.")]]
    told = run(agent, script, "write docs/other.md", *options(agent, project))
    assert told[0].count("Passdown: the task") == 1
    assert "nothing is blocked here" in told[0]
    assert BRIEF not in told[0]
    assert project.read("docs/other.md") == "# Other\n"


def test_a_subagent_is_told_the_boundary(claude, project):
    hooks = options(claude, project)
    project.passdown("start", "mend prices", "--allow", "prices.py", "--deny", "docs/**").check()
    sent = {"description": "write", "prompt": "write it", "subagent_type": "general-purpose"}
    script = [[Call("Agent", {**sent, "run_in_background": False})], [Say("Could not.")], [Say("Done.")]]
    told = run(claude, script, "go", *hooks)
    assert 'Goal: \\"mend prices\\"' in told[0]
    assert "this run may write prices.py; not docs/**" in told[1]


def test_what_a_client_cannot_take_whole_is_pointed_to(agent, project):
    allowed = [f"packages/{'long-name-' * 6}{number}/**" for number in range(160)]
    play(agent, half_done(agent.calls()))
    project.passdown("pack", "--no-check").check()
    project.passdown("boundary", "set", *allowed).check()
    project.passdown("resume", "--no-check").check()
    told = run(agent, [[Say("Read it.")]], "go on", *options(agent, project))[0]
    assert "--brief` prints all of it" in told
    assert "F1 test_prices.py::test_all_off" in told
    assert "tokens truncated" not in told
    assert "chars truncated" not in told
    assert shlex.quote(GOAL)[1:10] in told


def test_nobody_is_asked_for_notes_where_nobody_waits(agent, project):
    project.passdown("start", "mend prices", "--allow", "**").check()
    script = [[agent.calls().write("docs/other.md", "# Other\n")], [Say(CLAIM)]]
    told = run(agent, script, "go", *options(agent, project))
    assert len(told) == 2


def test_each_event_is_a_fact_and_the_worktree_is_kept_at_both_ends(agent, project):
    hooks = options(agent, project)
    project.passdown("start", "mend prices", "--allow", "**").check()
    run(agent, [[agent.calls().write("docs/other.md", "# Other\n")], [Say(CLAIM)]], "go", *hooks)
    assert [fact["event"] for fact in facts(project, "session")] == ["SessionStart", "Stop", "SessionEnd"]
    begun, ended = facts(project, "snapshot")
    assert begun["event"] == "SessionStart"
    assert "docs/other.md" not in tree(project, begun)
    assert "docs/other.md" in tree(project, ended)


def tree(project, snapshot):
    store = project.root / ".git" / "passdown" / "store.git"
    return project.git("--git-dir", str(store), "ls-tree", "-r", "--name-only", snapshot["tree"])


def test_a_killed_client_is_found_offered_and_drafted_with_its_remains(agent, make_agent, project, tmp_path):
    """C13."""
    hooks = options(agent, project)
    project.passdown("start", "mend prices", "--allow", "**").check()
    script = [[agent.calls().write("half.py", "def f(:\n")], *waiting(agent.calls(), tmp_path)]
    with Model(script) as model, agent.begin(model, GOAL, *hooks) as running:
        running.until(tmp_path / "started")
        assert "Unpacked" not in project.passdown("status").check().out, "it is at work"
        running.kill()
        running.ended()
    said = project.passdown("status").check().out
    assert [line for line in said.splitlines() if line.startswith("Unpacked")]
    other = make_agent("codex" if isinstance(agent, Claude) else "claude")
    told = run(other, [[Say("I see.")]], "what is here?", *options(other, project))
    assert told[0].count("ended here without a packet") == 1
    done = project.passdown("resume", "--no-check").check()
    assert done.err.count("Drafted ") == 1
    assert "half.py:1 does not parse" in done.out
    packet = project.passdown("show", "--json").check().json()
    assert packet["run"]["end"]["reason"] in ("crashed", "truncated")
    notes = "\n".join(packet["notes"])
    assert "drafted: the session ended without a packet" in notes
    if isinstance(agent, Claude):  # Codex's commands end with its terminal
        assert f"still runs: {f'touch {tmp_path}'[:40]}" in notes, "a long command is cut"
        assert "last command: touch" in notes
    (tmp_path / "go").touch()


def test_a_run_is_asked_for_notes_once_and_leaves_them_without_a_question(agent, project):
    project.git("checkout", "-q", "main")
    project.write("passdown.toml", 'version = 1\n[guard]\nask_notes = "always"\n').commit("Ask in scripts too")
    project.git("checkout", "-q", "-B", "discount")
    hooks = options(agent, project)
    project.passdown("start", "mend prices", "--allow", "**").check()
    calls = agent.calls()
    note = calls.shell("passdown note dead-end 'patching the clock' --because 'read-only'")
    script = [[calls.write("docs/other.md", "# Other\n")], [Say(CLAIM)], [note], [Say("Noted.")], [Say("Never said.")]]
    with Model(script) as model:
        agent.run(model, "go", *hooks).check()
    said = [json.dumps(request) for request in model.requests if request.get("tools", True)]
    assert ["left no note" in request for request in said] == [False, False, True, True]
    assert len(model.left) == 1, "asked once, then left alone"
    (end,) = project.passdown("pack", "--no-check", "--json").check().json()["dead_ends"]
    assert end["error"] == "read-only"


def test_installed_and_handed_over_at_once_it_is_still_told_once(agent, project):
    play(agent, half_done(agent.calls()))
    project.passdown("pack", "--no-check").check()
    project.passdown("init").check()
    project.passdown("resume", "--no-check").check()
    twice = options(agent, project)
    first = run(agent, [[Say("Read it.")]], "go on", *twice)
    assert first[0].count(BRIEF) == 1


def test_after_a_compaction_of_a_resumed_run_boundary_and_failures_come_back(claude, project):
    play(claude, half_done(claude.calls()))
    project.passdown("pack", "--no-check").check()
    project.passdown("resume", "--no-check").check()
    hooks = options(claude, project)
    run(claude, [[Say("Read it.")]], "go on, but leave README.md alone", *hooks)
    session = project.passdown("session", "--list", "--json").check().json()[0]["session"]
    run(claude, [[Say("summary of the work")]], "/compact", *hooks, resume=session)
    after = run(claude, [[Say("Going on.")]], "go on", *hooks, resume=session)[-1]
    told = [fact["word"] for fact in facts(project, "told") if fact["packet"]]
    assert told == ["startup", "resume", "compact", "resume"]
    assert "F1 test_prices.py::test_all_off" in after
    assert 'Last request (user): \\"go on, but leave README.md alone\\"' in after


def test_a_second_session_beside_a_live_run_is_told_whose_it_is(claude, make_agent, project, tmp_path):
    play(claude, half_done(claude.calls()))
    project.passdown("pack", "--no-check").check()
    hooks = options(claude, project)
    project.passdown("resume", "--no-check").check()
    shell = waiting(claude.calls(), tmp_path)[1:]
    with Model(shell) as model, claude.begin(model, "go on", *hooks) as running:
        running.until(tmp_path / "started")
        other = make_agent("codex")
        told = run(other, [[Say("I see.")]], "what is here?", *options(other, project))
        (tmp_path / "go").touch()
        running.ended().check()
    assert BRIEF in json.dumps(model.requests[0])
    assert "this session is not that run" in told[0]
    assert BRIEF not in told[0]
