"""The guard in the real clients, by the tools and in the circumstances that are not the usual ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from passdown.agents.claude import hooks as claude_hooks
from passdown.agents.codex import hooks as codex_hooks
from passdown.guard import hook_files
from support import file_server
from support.clients import CODE_MODE, Claude
from support.guarded import Guarded, boundary
from support.model import Call, Custom, Model, Say

pytestmark = pytest.mark.agents

NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "code", "id": "c1", "metadata": {}, "source": ["x = 1"], "outputs": []}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


@pytest.fixture
def guarded(project):
    project.write("src/a.py", "a = 1\n").write("README.md", "hello\n")
    project.write("out.ipynb", NOTEBOOK).write("src/in.ipynb", NOTEBOOK).commit("start")
    branch = project.git("branch", "--show-current").strip()
    return Guarded(project, boundary(["src/**"], ["src/gen/**"]), branch=branch)


def hooks(agent, guarded):
    program = hook_files.program(guarded.home)
    if isinstance(agent, Claude):
        return claude_hooks.one_run(program)
    return [*codex_hooks.one_run(program), "--dangerously-bypass-hook-trust"]


def test_a_tool_of_an_mcp_server_writes_inside_and_not_outside(agent, guarded, tmp_path):
    server, root = [sys.executable, file_server.__file__], guarded.root

    def wrote(path):
        given = {"path": f"{root}/{path}", "content": "x\n"}
        if isinstance(agent, Claude):
            return Call("mcp__files__write_file", given)
        if agent.name == CODE_MODE:
            return Custom("exec", f"text(JSON.stringify(await tools.mcp__files__write_file({json.dumps(given)})));")
        return Call("write_file", given, namespace="mcp__files")

    if isinstance(agent, Claude):
        config = tmp_path / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"files": {"command": server[0], "args": server[1:]}}}))
        more = ["--mcp-config", str(config), "--allowedTools", "mcp__files__write_file"]
        first = [[Call("ToolSearch", {"query": "select:mcp__files__write_file", "max_results": 1})]]
    else:
        more = ["-c", f"mcp_servers.files.command={json.dumps(server[0])}"]
        more += ["-c", f"mcp_servers.files.args={json.dumps(server[1:])}"]
        more += ["-c", 'mcp_servers.files.default_tools_approval_mode="approve"']
        first = []
    script = [*first, [wrote("evil.txt")], [wrote("src/new.py")], [Say("Done.")]]
    with Model(script) as model:
        agent.run(model, "go", *hooks(agent, guarded), *more).check()
    assert not model.left
    assert "evil.txt is outside what this run may write" in str(model.requests[-1])
    assert not guarded.repo.path("evil.txt").exists()
    assert guarded.repo.path("src/new.py").exists()


def test_a_notebook_is_a_file_like_any(claude, guarded):
    calls = claude.calls()

    def cell(path):
        given = {"notebook_path": f"{guarded.root}/{path}", "cell_id": "c1", "new_source": "x = 2"}
        return Call("NotebookEdit", {**given, "edit_mode": "replace"})

    script = [[calls.read("out.ipynb")], [cell("out.ipynb")], [calls.read("src/in.ipynb")], [cell("src/in.ipynb")]]
    with Model([*script, [Say("Done.")]]) as model:
        claude.run(model, "go", *hooks(claude, guarded)).check()
    assert "out.ipynb is outside what this run may write" in str(model.requests[-1])
    assert guarded.repo.read("out.ipynb") == NOTEBOOK
    assert "x = 2" in guarded.repo.read("src/in.ipynb")


def test_in_plan_mode_nothing_lands_and_nothing_hangs(claude, guarded):
    calls = claude.calls()
    script = [[calls.write("evil.txt", "x")], [calls.shell("echo x > README.md")], [Say("A plan.")]]
    with Model(script) as model:
        claude.run(model, "go", *hooks(claude, guarded), "--permission-mode", "plan").check()
    assert "evil.txt is outside what this run may write" in str(model.requests[-1])
    assert not guarded.repo.path("evil.txt").exists()
    assert guarded.repo.read("README.md") == "hello\n"


def moved(guarded, _):
    """The environment that Passdown was installed in is somewhere else now."""
    text = guarded.wrapper.read_text()
    guarded.wrapper.write_text(re.sub(r"(?m)^by /\S+ ", "by /nowhere/python ", text, count=1))
    _slow(guarded, "/nowhere/python")


def uninstalled(guarded, tmp_path):
    """Its interpreter is there and Passdown is not."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    _slow(guarded, str(tmp_path / "venv/bin/python"))


def _slow(guarded, program):
    rules = json.loads(guarded.rules.read_text())
    for each in rules["branches"].values():
        each["slow"] = program
    guarded.rules.write_text(json.dumps(rules))


@pytest.mark.parametrize("how", [moved, uninstalled], ids=lambda how: how.__name__)
def test_where_passdown_is_gone_edits_are_judged_and_nobody_is_locked_out(agent, guarded, tmp_path, how):
    how(guarded, tmp_path)
    calls = agent.calls()
    script = [
        [calls.write("evil.txt", "x")],
        [calls.write("src/new.py", "x = 1")],
        [calls.shell("echo x > src/by_shell.py")],
        [Say("Done.")],
    ]
    with Model(script) as model:
        agent.run(model, "go", *hooks(agent, guarded)).check()
    assert not guarded.repo.path("evil.txt").exists()
    assert guarded.repo.path("src/new.py").exists()
    assert guarded.repo.path("src/by_shell.py").exists()
    assert "evil.txt is outside what this run may write" in str(model.requests[-1])
    assert "unread" in {fact.data.get("rule") for fact in guarded.facts()}, "the packet says that nobody read it"


def test_where_the_guards_own_files_are_gone_each_call_is_refused_with_the_repair(agent, guarded):
    for copy in Path(guarded.home, "guard").glob("hook_*"):
        copy.rename(copy.with_name("gone"))
    calls = agent.calls()
    with Model([[calls.write("src/new.py", "x = 1")], [Say("Done.")]]) as model:
        agent.run(model, "go", *hooks(agent, guarded)).check()
    assert not guarded.repo.path("src/new.py").exists()
    assert "a boundary is armed and the guard cannot run" in str(model.requests[-1])
    assert "passdown doctor --fix" in str(model.requests[-1])
