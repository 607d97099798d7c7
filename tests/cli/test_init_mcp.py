"""`passdown init --mcp`: our server in the clients' project files beside what is there, and out again byte for byte."""

from __future__ import annotations

import json
import tomllib

import pytest

CLAUDE, CODEX = ".mcp.json", ".codex/config.toml"
BEFORE = {
    "nothing": (None, None),
    "others": (
        '{\n    "mcpServers": {"db": {"command": "db"}}\n}\n',
        'model = "x"\n\n[mcp_servers.db]\ncommand = "db"\n',
    ),
    "no end of line": ('{"mcpServers":{}}', 'model = "x"'),
    "empty": ("", ""),
    "other keys": ('{"a": "é"}\n', "# mine\n[tui]\ntheme = 'é'\n"),
}


@pytest.fixture(params=BEFORE)
def before(request, repo):
    for path, content in zip((CLAUDE, CODEX), BEFORE[request.param], strict=True):
        if content is not None:
            repo.write(path, content)
    return [repo.path(path).read_bytes() if repo.path(path).exists() else None for path in (CLAUDE, CODEX)]


def servers(repo):
    return [
        json.loads(repo.read(CLAUDE))["mcpServers"],
        tomllib.loads(repo.read(CODEX))["mcp_servers"],
    ]


def test_it_stands_beside_what_is_there_and_goes_without_a_trace(repo, before):
    repo.passdown("init").check()
    assert [repo.path(path).exists() for path in (CLAUDE, CODEX)] == [each is not None for each in before], "unasked"
    repo.passdown("init", "--mcp").check()
    for found in servers(repo):
        assert found["passdown"]["args"] == ["mcp"]
    again = repo.passdown("init", "--mcp", "--json").check().json()
    assert again["files"] == []
    repo.passdown("init", "--undo").check()
    assert [repo.path(p).read_bytes() if repo.path(p).exists() else None for p in (CLAUDE, CODEX)] == before
    assert repo.path(".codex").exists() is (before[1] is not None)


def test_what_was_added_since_stays(repo, before):
    repo.passdown("init", "--mcp").check()
    settings = json.loads(repo.read(CLAUDE))
    settings["mcpServers"]["later"] = {"command": "later"}
    repo.write(CLAUDE, json.dumps(settings))
    repo.append(CODEX, '\n[mcp_servers.later]\ncommand = "later"\n')
    repo.passdown("init", "--undo").check()
    for found in servers(repo):
        assert "passdown" not in found
        assert found["later"] == {"command": "later"}
    assert ("db" in servers(repo)[1]) is (before[1] is not None and b"db" in before[1])


@pytest.mark.parametrize(("path", "content"), [(CLAUDE, "{"), (CLAUDE, '{"mcpServers": []}'), (CODEX, "[[")])
def test_a_file_that_cannot_be_read_is_left_and_named(repo, path, content):
    repo.write(path, content)
    assert path in repo.passdown("init", "--mcp").check(2).err
    assert repo.read(path) == content
    assert not repo.path(".claude").exists()
