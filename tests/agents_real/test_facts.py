"""The facts of real sessions: what `passdown session` and `passdown pack` draw from each client's own records."""

from __future__ import annotations

from typing import Any

import pytest

from support.model import Call, Model, Say
from support.story import CLAIM, GOAL, RIGHT, WRONG, half_done, mended, play, session_of
from support.tool_calls import added, patch, updated

pytestmark = pytest.mark.agents

FAILING = "test_prices.py::test_all_off"


def relative(project, path: str) -> str:
    return path.removeprefix(f"{project.root}/")


def writes(project, facts: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(relative(project, one["path"]), one["op"], one["ok"]) for one in facts["writes"]]


def files(packet: dict[str, Any]) -> dict[str, tuple[str, list[str]]]:
    return {one["path"]: (one["status"], one["by"]) for one in packet["files"]}


def facts_of(project) -> dict[str, Any]:
    return project.passdown("session", "--json").check().json()


def packed(project) -> dict[str, Any]:
    return project.passdown("pack", "--json", "--no-check").check().json()


def test_a_session_tells_what_was_asked_done_seen_and_wrongly_claimed(agent, project):
    """A1."""
    play(agent, half_done(agent.calls()))
    claude = type(agent).__name__ == "Claude"
    (found,) = project.passdown("session", "--list", "--json").check().json()
    facts = facts_of(project)
    assert (found["agent"], found["session"]) == (facts["agent"], facts["session"])
    assert (facts["agent"], facts["client_version"]) == (("claude", "2.1.332") if claude else ("codex", "0.171.0"))
    assert (facts["cwd"], facts["branch"], facts["end"]["reason"]) == (str(project.root), "discount", "finished")
    assert [one["text"] for one in facts["requests"]] == [GOAL]
    assert writes(project, facts) == [("prices.py", "modify", True), ("docs/discounts.md", "create", True)]
    assert {one["via"] for one in facts["writes"]} == {"tool" if claude else "patch"}
    assert [relative(project, path) for path in facts["reads"]] == ["prices.py"]
    ran = [(one["command"], one["exit"], one["ok"], one["cwd"]) for one in facts["commands"]]
    read = [] if claude else [("cat prices.py", 0, True, str(project.root))]
    assert ran == [*read, ("pytest -q", 1, False, str(project.root))]
    (check,) = facts["checks"]
    assert (check["command"], check["kind"], check["result"], check["exit"]) == ("pytest -q", "test", "FAILED", 1)
    assert check["counts"] == {"passed": 3, "failed": 1, "skipped": None, "errors": None}
    assert (check["failing"], check["edits_after"], check["masked"]) == ([FAILING], True, False)
    assert check["first_errors"] == {FAILING: "assert -50 == 0"}
    (claim,) = facts["claims"]
    assert (claim["text"], claim["class"], claim["check"]) == (CLAIM, "CONTRADICTED", "pytest -q")
    assert "FAILED (3 passed, 1 failed), exit 1" in claim["because"]
    assert [one["paths"] for one in facts["prohibitions"]] == [["docs/guide.md"]]
    assert (facts["compactions"], facts["subagents"], facts["dead_ends"]) == (0, 0, [])
    assert (facts["input"]["bad_lines"], facts["input"]["unknown"]) == (0, {})


def test_a_packet_and_the_resumed_session_after_it(agent, project):
    """A session that is packed again goes on after what the packet before covered."""
    play(agent, half_done(agent.calls()))
    session, first = session_of(project), packed(project)
    tool = "tool" if first["run"]["agent"] == "claude" else "patch"
    assert (first["task"]["goal"]["text"], first["task"]["goal"]["source"]) == (GOAL, "user")
    assert (first["run"]["session"], first["run"]["from"], first["run"]["end"]["reason"]) == (session, -1, "finished")
    assert files(first) == {"docs/discounts.md": ("added", [tool]), "prices.py": ("modified", [tool])}
    assert first["place"]["start"] == first["place"]["head"] == project.head
    assert [(one["text"], one["class"]) for one in first["outcomes"]] == [(CLAIM, "CONTRADICTED")]
    assert [(one["id"], one["kind"], one["text"]) for one in first["items"]] == [("F1", "failure", FAILING)]
    assert [one["path"] for one in first["boundary"]["deny"]] == ["docs/guide.md"]
    assert first["hold"]["state"] == "WATCH"

    play(agent, mended(agent.calls()), "Use whole cents", resume=session)
    facts, second = facts_of(project), packed(project)
    assert [one["text"] for one in facts["requests"]] == [GOAL, "Use whole cents"]
    assert session_of(project) == session
    assert (second["previous"], second["task"]["id"]) == (first["packet"], first["task"]["id"])
    assert second["run"]["from"] == first["run"]["through"] < second["run"]["through"]
    assert second["run"]["through"] == facts["input"]["records"] - 1
    assert files(second) == {"prices.py": ("modified", [tool])}
    assert (second["task"]["goal"]["text"], second["task"]["last_request"]) == (GOAL, "Use whole cents")
    assert [(one["text"], one["class"]) for one in second["outcomes"]] == [(CLAIM, "OBSERVED")]
    assert (second["items"], [one["id"] for one in second["closed"]]) == ([], ["F1"])
    (check,) = second["checks"]
    assert (check["result"], check["class"], check["tests"], check["observed_by"]) == (
        *("PASSED", "OBSERVED"),
        *({"passed": 4}, "transcript"),
    )


def test_nothing_new_since_the_packet_is_no_second_run(agent, project):
    play(agent, half_done(agent.calls()))
    first, again = packed(project), packed(project)
    assert again["packet"] == first["packet"], "nothing is sealed twice"


def test_compaction_is_counted_and_no_request(claude, project):
    calls = claude.calls()
    play(claude, [[calls.read("prices.py")], [Say("Read.")]])
    session = session_of(project)
    play(claude, [[Say("<summary>prices.py was read.</summary>")]], "/compact", resume=session)
    facts = facts_of(project)
    assert (facts["session"], facts["compactions"], facts["end"]["reason"]) == (session, 1, "finished")
    play(claude, [[calls.edit("prices.py", "    return price\n", RIGHT)], [Say("Done.")]], "go on", resume=session)
    packet = packed(project)
    assert (packet["run"]["compactions"], packet["task"]["goal"]["text"]) == (1, GOAL)
    assert packet["task"]["last_request"] is None
    assert files(packet) == {"prices.py": ("modified", ["tool"])}


def test_a_subagent_s_write_counts_and_its_commands_are_its_own(claude, project):
    calls = claude.calls()
    task = {"description": "Guide", "prompt": "SUBTASK: write docs/sub.md", "subagent_type": "general-purpose"}
    script = [[Call("Agent", {**task, "run_in_background": False})], [Say("The subagent wrote docs/sub.md.")]]
    side = {"SUBTASK": [[calls.write("docs/sub.md", "# Sub\n"), calls.shell("false")], [Say("All 9 tests pass.")]]}
    with Model(script, side=side) as model:
        claude.run(model, "write a guide").check()
    assert not model.left
    facts = facts_of(project)
    assert [(relative(project, one["path"]), one["subagent"]) for one in facts["writes"]] == [("docs/sub.md", True)]
    assert (facts["subagents"], facts["commands"], facts["requests"][0]["text"]) == (1, [], "write a guide")
    assert not [one for one in facts["claims"] if "9 tests" in one["text"]]
    assert files(packed(project)) == {"docs/sub.md": ("added", ["subagent"])}


def test_one_patch_over_many_files_and_one_inside_a_shell_command(codex, project):
    calls = codex.calls()
    whole = calls.patch(
        added("docs/a.md", "# A\n"),
        updated("prices.py", "    return price", RIGHT.rstrip()),
        "*** Delete File: docs/guide.md",
        "*** Update File: README.md\n*** Move to: docs/readme.md\n@@\n-# Sample\n+# Prices",
    )
    heredoc = calls.shell(f"apply_patch <<'EOF'\n{patch(added('docs/b.md', '# B'))}\nEOF")
    play(codex, [[whole], [heredoc], [Say("Done.")]], "tidy the docs")
    facts, packet = facts_of(project), packed(project)
    assert sorted(writes(project, facts)) == [
        ("README.md", "rename", True),
        ("docs/a.md", "create", True),
        ("docs/b.md", "create", True),
        ("docs/guide.md", "delete", True),
        ("prices.py", "modify", True),
    ]
    assert [relative(project, one["to"]) for one in facts["writes"] if one["to"]] == ["docs/readme.md"]
    assert {path: status for path, (status, _) in files(packet).items()} == {
        "README.md": "deleted",
        "docs/a.md": "added",
        "docs/b.md": "added",
        "docs/guide.md": "deleted",
        "docs/readme.md": "added",
        "prices.py": "modified",
    }
    assert {tuple(by) for _, by in files(packet).values()} == {("patch",)}


def test_codex_s_own_compaction_is_counted_and_its_summary_claims_nothing(make_agent, project):
    codex = make_agent("codex in code mode")  # direct tools: the summary is asked for without tools and takes no turn
    script = [[Say("First."), codex.calls().shell("echo one")], [Say("Summary: all 9 tests pass.")], [Say("Done.")]]
    with Model(script, tokens=300_000) as model:
        codex.run(model, GOAL, "-c", "model_auto_compact_token_limit=200000").check()
    facts = facts_of(project)
    assert (facts["compactions"], [one["command"] for one in facts["commands"]]) == (1, ["echo one"])
    assert facts["claims"] == []


def test_a_claim_after_a_later_edit_is_only_said(claude, project):
    calls = claude.calls()
    script = [*half_done(calls)[:3], [calls.edit("prices.py", WRONG, RIGHT)], [Say(CLAIM)]]
    play(claude, script)
    (claim,) = facts_of(project)["claims"]
    assert claim["class"] == "UNSUPPORTED"
    assert claim["because"].startswith("not run again: `pytest -q` FAILED")
