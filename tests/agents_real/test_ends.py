"""How real runs end when somebody stops them: never as finished."""

from __future__ import annotations

import pytest

from support.model import Model
from support.story import CLAIM, GOAL, session_of, waiting

pytestmark = pytest.mark.agents


@pytest.fixture
def stopped(agent, project, tmp_path, request):
    """The facts and the packet of a session whose client was stopped while a command ran."""
    with Model(waiting(agent.calls(), tmp_path)) as model, agent.begin(model, GOAL) as running:
        running.until(tmp_path / "started")
        getattr(running, request.param)()
        running.ended()
    facts = project.passdown("session", session_of(project), "--json").check().json()
    packet = project.passdown("pack", "--json", "--no-check").check().json()
    (tmp_path / "go").touch()  # the command may outlive its client
    return facts, packet


def holds_what_was_done(project, facts, packet):
    assert project.read("prices.py").endswith("price - percent\n")
    assert [one["path"] for one in facts["writes"]] == [str(project.path("prices.py"))]
    assert [one["text"] for one in facts["requests"]] == [GOAL]
    assert CLAIM not in [one["text"] for one in facts["claims"]]
    assert [file["path"] for file in packet["files"]] == ["prices.py"]
    assert [one["exit"] for one in facts["commands"]] in ([], [None])
    assert not [one for one in facts["commands"] if one["ok"] is not None]


@pytest.mark.parametrize("stopped", ["interrupt"], indirect=True)
def test_ctrl_c_is_an_interruption(stopped, project):
    facts, packet = stopped
    holds_what_was_done(project, facts, packet)
    assert facts["end"]["reason"] == packet["run"]["end"]["reason"] == "interrupted"
    assert packet["hold"]["state"] == "WATCH"
    assert [one["code"] for one in packet["hold"]["reasons"]] == ["interrupted-dirty"]


@pytest.mark.parametrize("stopped", ["kill"], indirect=True)
def test_a_client_killed_in_a_call_leaves_an_honest_end(stopped, project):
    """C13."""
    facts, packet = stopped
    holds_what_was_done(project, facts, packet)
    # A killed Claude leaves its own note of being at work behind; a Codex leaves nothing but a call without a result.
    assert facts["end"]["reason"] == packet["run"]["end"]["reason"]
    assert facts["end"]["reason"] == ("crashed" if facts["agent"] == "claude" else "truncated")
    assert [one["code"] for one in packet["hold"]["reasons"]] == ["interrupted-dirty"]


def test_while_it_works_the_packet_says_so_and_holds(agent, project, tmp_path):
    """A17."""
    with Model(waiting(agent.calls(), tmp_path)) as model, agent.begin(model, GOAL) as running:
        running.until(tmp_path / "started")
        packet = project.passdown("pack", "--json", "--no-check").check().json()
        (tmp_path / "go").touch()
        running.ended().check()
    assert packet["run"]["end"] == {
        "reason": "running",
        "because": f"process {running.process.pid} is at work on it",
        "resets": None,
    }
    assert [(one["code"], one["level"]) for one in packet["hold"]["reasons"]] == [("interrupted-dirty", "hold")]
    assert CLAIM not in [one["text"] for one in packet["outcomes"]]
    later = project.passdown("pack", "--json", "--no-check").check().json()
    assert later["run"]["end"]["reason"] == "finished"
    assert later["run"]["from"] == packet["run"]["through"]
