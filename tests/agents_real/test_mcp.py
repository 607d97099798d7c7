"""Our MCP server in the real clients: each tool called once, no permission prompt, all recorded as the agent's."""

from __future__ import annotations

import json

import pytest

from passdown.agents.claude import hooks as claude_hooks
from passdown.agents.codex import hooks as codex_hooks
from passdown.guard import hook_files
from support.clients import CODE_MODE, Claude
from support.model import Call, Custom, Model, Say
from support.process import PASSDOWN
from support.story import half_done, play

pytestmark = pytest.mark.agents

NAME = "mcp__passdown"


def called(agent, tool, arguments):
    """A call of one of our tools, as each client's model makes it."""
    if isinstance(agent, Claude):
        return Call(f"{NAME}__{tool}", arguments)
    if agent.name == CODE_MODE:
        return Custom("exec", f"text(JSON.stringify(await tools.{NAME}__{tool}({json.dumps(arguments)})));")
    return Call(tool, arguments, namespace=NAME)


def options(agent, project, tmp_path):
    """The guard for one run, and the server beside it."""
    program = hook_files.program(project.root / ".git/passdown")
    if isinstance(agent, Claude):
        config = tmp_path / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"passdown": {"command": PASSDOWN, "args": ["mcp"]}}}))
        return [*claude_hooks.one_run(program), "--mcp-config", str(config)]
    server = [f"command={json.dumps(PASSDOWN)}", 'args=["mcp"]', "required=true"]  # waits until it is there
    server = [word for each in server for word in ("-c", f"mcp_servers.passdown.{each}")]
    return [*codex_hooks.one_run(program), "--dangerously-bypass-hook-trust", *server]


def test_each_tool_is_called_once_and_asks_nobody(agent, project, tmp_path):
    project.git("switch", "-q", "main")
    project.write("passdown.toml", '[checks.quick]\nrun = "test -f prices.py && echo it stands"\n').commit("Policy")
    project.git("switch", "-q", "discount")
    project.git("merge", "-q", "main")
    play(agent, half_done(agent.calls()))
    packet = project.passdown("pack", "--no-check", "--json").check().json()["packet"]
    hook_files.install(project.root / ".git/passdown")
    project.passdown("resume", "--no-check").check()
    asked = [
        ("status", {}),
        ("get_packet", {"packet": packet[:7]}),
        ("check_path", {"path": "docs/guide.md"}),
        ("run_check", {"name": "quick"}),
        ("note", {"kind": "step", "text": "round half up", "scope": ["prices.py"]}),
        ("ask_widen", {"path": "docs/guide.md", "because": "the guide shows prices"}),
        ("read_back", {"packet": packet[:7], "first": "prices.py", "open": ["F1"], "prohibited": ["N1"]}),
    ]
    search = {"query": "select:" + ",".join(f"{NAME}__{tool}" for tool, _ in asked), "max_results": 10}
    first = [[Call("ToolSearch", search)]] if isinstance(agent, Claude) else []
    script = [*first, *([called(agent, *one)] for one in asked), [Say("Done.")]]
    before = len(project.passdown("log", "--json").check().json())
    with Model(script) as model:
        agent.run(model, "go on", *options(agent, project, tmp_path)).check()
    assert not model.left
    said = json.dumps(model.requests[-1])
    for shown in ("make the discounts right", "Handoff", "N1", "it stands", "S1", "W1", "accepted"):
        assert shown in said, shown
    told = [(one["what"], one["text"]) for one in project.passdown("log", "--json").check().json()[before:]]
    assert [what for what, _ in told] == ["check", "step", "asks for", "read back"]
    assert all(text.endswith("(agent)") for what, text in told if what != "check")
    assert project.read("docs/guide.md") == "# Guide\n"
