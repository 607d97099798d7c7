"""What somebody did to the files after `init` stops the giving back of none of the others, and is named in one line."""

from __future__ import annotations

import json

import pytest

CLAUDE, HOOKS, MCP, CODEX = ".claude/settings.local.json", ".codex/hooks.json", ".mcp.json", ".codex/config.toml"
FILES = (CLAUDE, HOOKS, MCP, CODEX)


def to_folder(path):
    path.unlink()
    path.mkdir()


def with_other_line_ends(path):
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def said(text):
    return lambda path: path.write_text(text)


LEFT = {
    "no JSON any more": (CLAUDE, lambda path: path.write_bytes(path.read_bytes() + b"oops")),
    "a list that names us": (CLAUDE, said('["passdown/guard/hook.sh"]')),
    "objects in objects": (HOOKS, lambda path: path.write_text('{"passdown/guard/hook.sh":' * 5000)),
    "a folder": (CLAUDE, to_folder),
}
CLEANED = {
    "other line ends": lambda root: [with_other_line_ends(root / path) for path in FILES],
    "servers in a list": lambda root: (root / MCP).write_text('{"mcpServers": ["passdown"]}'),
    "our table indented": lambda root: (root / CODEX).write_text("  [mcp_servers.passdown]\n  command = 'x'\n"),
    "our table in a comment": lambda root: (root / CODEX).write_text("# [mcp_servers.passdown] was here\n"),
    "hooks that are none": lambda root: (root / HOOKS).write_text('{"hooks": null, "a": "passdown/guard/hook.sh"}'),
    "a hook of git's that is a folder": lambda root: to_folder(root / ".git/hooks/pre-commit"),
}


@pytest.mark.parametrize("case", LEFT)
def test_what_cannot_be_read_is_named_and_stays_for_another_time(repo, case):
    path, change = LEFT[case]
    repo.passdown("init", "--mcp").check()
    change(repo.path(path))
    told = repo.passdown("init", "--undo", "--json").check(2).json()["undone"]
    assert {each["path"]: bool(each["fault"]) for each in told} == {name: name == path for name in FILES}
    assert [name for name in FILES if name != path and repo.path(name).exists()] == []
    again = repo.passdown("init", "--undo").check(2)
    assert f"{path} " in again.out
    assert "Next   mend what is named" in again.out


@pytest.mark.parametrize("case", CLEANED)
def test_everything_that_can_be_read_is_undone(repo, case):
    repo.passdown("init", "--mcp").check()
    CLEANED[case](repo.root)
    repo.passdown("init", "--undo").check()
    assert repo.passdown("init", "--undo").check().out.startswith("NOTHING TO UNDO")
    assert not [name for name in FILES if repo.path(name).exists() and b'hook.sh" "$@"' in repo.path(name).read_bytes()]


ONE_LINE = {
    'mcp_servers = { other = { command = "x" } }\n': "takes no further server",
    "mcp_servers = 1\n": "a shape that Passdown does not know",
}


@pytest.mark.parametrize("text", ONE_LINE)
def test_no_settings_are_written_that_the_client_could_not_read(repo, text):
    repo.write(CODEX, text)
    assert ONE_LINE[text] in repo.passdown("init", "--mcp").check(2).err
    assert repo.read(CODEX) == text
    assert not repo.path(CLAUDE).exists()


def test_settings_of_endless_depth_stop_it_in_one_line(repo):
    repo.write(CLAUDE, '{"a":' * 5000 + "1" + "}" * 5000)
    done = repo.passdown("init").check(2)
    assert CLAUDE in done.err
    assert len(done.err.splitlines()) == 2
    assert json.loads(repo.passdown("init", "--json").check(2).out)["error"]["code"] == 2
