"""A person's verbs refuse in an agent's process (E11, E14), which is known by its client's environment."""

from __future__ import annotations

import pytest

from passdown.cli.agent_process import CLIENTS, running_agent

HUMAN = [
    ["start", "goal"],
    ["boundary", "set", "src/**"],
    ["boundary", "allow", "src/**"],
    ["boundary", "deny", "src/**"],
    ["lift", "--because", "x"],
    ["hold", "--because", "x"],
    ["outcome", "completed"],
    ["review"],
    ["review", "--approve"],
    ["check", "--confirm", "tests"],
]
VARIABLES = [(client, name) for client, names in CLIENTS.items() for name in names]


@pytest.mark.parametrize(("client", "name"), VARIABLES)
def test_each_variable_tells_its_client(client, name):
    assert running_agent({name: "1"}) == client


@pytest.mark.parametrize("environ", [{}, {"CLAUDECODE": ""}, {"CODEX_HOME": "/x"}, {"ANTHROPIC_API_KEY": "x"}])
def test_a_person_s_settings_tell_nothing(environ):
    assert running_agent(environ) is None


@pytest.mark.parametrize("args", HUMAN, ids=" ".join)
def test_an_agent_is_refused_in_one_line_that_says_how_a_person_does_it(repo, args):
    result = repo.passdown(*args, env={"CLAUDECODE": "1"}).check(2)
    assert result.out == ""
    lines = result.err.splitlines()
    assert len(lines) == 2
    assert "a person's decision" in lines[0]
    assert "Claude Code" in lines[0]
    assert "a person types it" in lines[1]
    assert not repo.home.exists()


def test_the_refusal_is_json_too(repo):
    error = repo.passdown("review", "--approve", "--json", env={"CODEX_THREAD_ID": "1"}).check(2).json()["error"]
    assert error["code"] == 2
    assert "Codex" in error["message"]
