"""A check that the real client runs is seen by its hook, with no more than that client tells; the runner runs it."""

from __future__ import annotations

import pytest

from support.clients import Claude
from support.model import Model, Say
from support.story import OLD, RIGHT

pytestmark = pytest.mark.agents

POLICY = '[checks.tests]\nrun = "python3 -m pytest -q"\nkind = "test"\nacceptance = true\n'


def run(calls):
    return calls.shell("python3 -m pytest -q")


def test_the_agents_own_test_run_is_observed_and_pack_runs_it_again(agent, project):
    project.git("switch", "-q", "main")
    project.write("passdown.toml", POLICY).commit("Declare the tests")
    project.git("switch", "-q", "discount")
    project.git("merge", "-q", "--ff-only", "main")
    project.passdown("start", "mend prices", "--allow", "prices.py").check()
    project.passdown("init").check()
    project.git("config", "core.excludesFile", str(project.write("../ignore", ".claude/\n.codex/\n").path("../ignore")))
    calls = agent.calls()
    turns = [calls.read("prices.py"), run(calls), calls.edit("prices.py", OLD, RIGHT), run(calls)]
    options = () if isinstance(agent, Claude) else ("--dangerously-bypass-hook-trust",)
    with Model([*([turn] for turn in turns), [Say("Done.")]]) as model:
        agent.run(model, "mend it", *options).check()
    seen = [e for e in project.passdown("log", "--json").check().json() if e["type"] == "evidence"]
    results = [each["text"].split(",")[0].split()[1] for each in seen]
    told = ["FAILED", "PASSED"] if isinstance(agent, Claude) else ["INCONCLUSIVE", "INCONCLUSIVE"]
    assert results == told, "Codex tells its hook no exit code"
    (check,) = project.passdown("pack", "--no-check", "--json").check().json()["checks"]
    assert (check["result"], check["class"], check["observed_by"]) == ("PASSED", "OBSERVED", "hook")
    assert check["freshness"]["state"] in ("FRESH", "ENVIRONMENT-CHANGED")
    project.write("prices.py", project.path("prices.py").read_text() + "\n")
    (check,) = project.passdown("pack", "--json").check().json()["checks"]
    assert (check["class"], check["observed_by"]) == ("VERIFIED", "runner"), "it was queued: pack ran it"
