"""`pack --narrate` with the real clients: facts out, sentences that cite them in, the rest dropped."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.clients import Claude
from support.model import Call, Model, Say
from support.process import PASSDOWN

pytestmark = pytest.mark.agents

GOAL = "mend the discount"
ANSWER = {
    "sentences": [
        {"text": "The goal is to mend the discount.", "cites": ["G1"]},
        {"text": "All tests pass now.", "cites": ["Z9"]},
        {"text": "A file was changed.", "cites": ["Z8", "P1"]},
    ]
}


def narrated(client, project, model: Model):
    project.passdown("start", GOAL, "--allow", "prices.py").check()
    project.append("prices.py", "\n# more\n")
    name = "claude" if isinstance(client, Claude) else "codex"
    bin_ = client.scratch / "bin"
    bin_.mkdir(parents=True)
    (bin_ / name).symlink_to(client.program)
    os.environ["PATH"] = f"{bin_}:{os.environ['PATH']}"
    return client.through(model, [PASSDOWN, "pack", "--no-check", "--narrate", name])


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.environ["PATH"])


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_only_what_cites_a_fact_is_taken_and_only_as_said(make_agent, project, name: str) -> None:
    client = make_agent(name)
    turn = [Call("StructuredOutput", ANSWER)] if isinstance(client, Claude) else [Say(json.dumps(ANSWER))]
    before = transcripts()
    with Model([turn, [Say("Done.")]]) as model:
        ended = narrated(client, project, model).check()
    assert f"2 sentences of {name}, each only said." in ended.err
    packet = project.passdown("show", "--json").check().json()
    told = [(o["text"], o["class"], o["evidence"], o["source"]) for o in packet["outcomes"]]
    assert told == [
        ("The goal is to mend the discount.", "CLAIMED", ["G1"], f"narrated by {name}"),
        ("A file was changed.", "CLAIMED", ["P1"], f"narrated by {name}"),
    ]
    assert (
        f'Only said, narrated by {name}: "The goal is to mend the discount.".'
        in project.passdown("show", "--brief").out
    )
    asked = json.dumps(model.requests)
    assert GOAL in asked
    assert "file prices.py modified" in asked
    assert transcripts() == before


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_a_model_that_answers_something_else_leaves_the_packet_sealed(make_agent, project, name: str) -> None:
    client = make_agent(name)
    with Model([[Say("I would rather not.")]] * 8) as model:
        ended = narrated(client, project, model).check()
    assert ended.err.count("Not narrated: ") == 1
    assert project.passdown("show", "--json").check().json()["outcomes"] == []


def transcripts() -> list[str]:
    """The sessions that the clients keep."""
    homes = [Path(os.environ[name]) for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME")]
    return sorted(str(path) for home in homes for path in home.rglob("*.jsonl"))
