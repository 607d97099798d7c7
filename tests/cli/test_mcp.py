"""The agent's tools over MCP: the same record as the command line's, as the agent, and no human verb among them."""

from __future__ import annotations

import subprocess
import sys

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from support.process import PASSDOWN

TOOLS = {"get_packet", "read_back", "note", "ask_widen", "check_path", "run_check", "status"}


@pytest.fixture
def served(repo):
    """A task with a packet, and what ``passdown mcp`` answers there: one session for all the calls of a test."""
    repo.write("src/a.py", "a = 1\n").write(
        "passdown.toml", '[checks.ok]\nrun = "test -f src/a.py"\nacceptance = true\n'
    )
    repo.commit("start")
    repo.passdown("start", "mend a", "--allow", "src/**", "--deny", "docs/**", "--check", "ok").check()
    repo.passdown("note", "question", "may the API change?").check()
    repo.passdown("pack", "--no-check").check()

    def call(*calls):
        return anyio.run(conversation, repo.root, calls)

    return call


async def conversation(root, calls):
    server = StdioServerParameters(command=PASSDOWN, args=["mcp"], cwd=str(root))
    async with stdio_client(server) as (reads, writes), ClientSession(reads, writes) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        return tools, [await session.call_tool(name, arguments) for name, arguments in calls]


def test_each_tool_answers_in_its_shape_and_records_as_the_agent(repo, served):
    name = repo.passdown("show", "--json").check().json()["packet"]
    tools, answers = served(
        ("status", {}),
        ("get_packet", {}),
        ("check_path", {"path": "docs/guide.md"}),
        ("run_check", {"name": "ok"}),
        ("note", {"kind": "decision", "text": "--keep it", "over": "dropping it", "scope": ["src/a.py"]}),
        ("ask_widen", {"path": "docs/guide.md", "because": "F1 needs it"}),
        ("read_back", {"packet": name[:7], "first": "src/a.py", "open": ["Q1"], "prohibited": ["N1"]}),
    )
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.description and "\n" not in tool.description and tool.output_schema for tool in tools)
    assert [answer.is_error for answer in answers] == [False] * 7
    status, packet, path, check, note, widen, back = (answer.structured_content for answer in answers)
    assert (status["goal"], status["armed"]) == ("mend a", True)
    assert (packet["packet"], [item["id"] for item in packet["items"]]) == (name, ["Q1"])
    assert packet["brief"].startswith(f"Handoff {name[:7]}")
    assert (path["inside"], path["rule"]) == (False, "N1")
    assert [(one["check"], one["result"]) for one in check["checks"]] == [("ok", "PASSED")]
    assert (note["kind"], note["item"], note["settled"]) == ("decision", "D1", False)
    assert (widen["kind"], widen["item"]) == ("ask-widen", "W1")
    assert (back["accepted"], back["faults"]) == (True, [])
    told = {one["what"]: one["text"] for one in repo.passdown("log", "--json").check().json()}
    assert told["decision"] == '"--keep it" src/a.py over dropping it (agent)'
    assert told["read back"].endswith("(agent)")
    assert told["asks for"].endswith("(agent)")


WRONG = {
    "no packet": (("get_packet", {"packet": "ffff"}), "no packet ffff in this clone"),
    "no check": (("run_check", {"name": "nope"}), "nope"),
    "a command is no check": (("run_check", {"name": "touch planted"}), "run_check: name"),
    "an option is no check": (("run_check", {"name": "--confirm=x"}), "run_check: name"),
    "no question": (("note", {"kind": "answer", "text": "yes", "item": "Q9"}), "no open item 'Q9'"),
    "no kind": (("note", {"kind": "order", "text": "x"}), "note: kind"),
    "no path": (("check_path", {}), "check_path: path"),
    "no tool": (("outcome", {"outcome": "completed"}), "outcome"),
    "no reason": (("ask_widen", {"path": "docs/a", "because": ""}), "--ask-widen needs a reason"),
}


def test_what_is_wrong_is_one_line(repo, served):
    _, answers = served(*(call for call, _ in WRONG.values()))
    for (name, (_, says)), answer in zip(WRONG.items(), answers, strict=True):
        (content,) = answer.content
        assert answer.is_error, name
        assert says in content.text, name
        assert "\n" not in content.text, name
    assert not repo.path("planted").exists()


def test_two_tries_that_do_not_match_are_a_hold_here_too(repo, served):
    name = repo.passdown("show", "--json").check().json()["packet"]
    wrong = ("read_back", {"packet": name, "first": "docs/a.md"})
    _, (first, second) = served(wrong, wrong)
    assert first.structured_content["accepted"] is False
    assert "--open lacks Q1" in first.structured_content["faults"]
    assert second.structured_content["hold"]["state"] == "HOLD"


def test_without_the_extra_one_line_says_how(repo):
    """The package alone, as `pip install passdown` leaves it."""
    script = (
        "import sys; sys.modules['mcp'] = None; sys.modules['mcp.server'] = None;"
        "from passdown.cli.main import main; sys.argv = ['passdown', 'mcp']; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=repo.root, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "passdown[mcp]"' in done.stderr
    assert len(done.stderr.splitlines()) <= 2
