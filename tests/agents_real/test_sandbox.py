"""The real clients confined: they work inside, and what their own tools and their shell write outside never lands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.model import Model, Say
from support.process import PASSDOWN
from support.world import need_bubblewrap

pytestmark = pytest.mark.agents


def test_a_client_works_inside_and_nothing_lands_outside(agent, project):
    need_bubblewrap()
    project.write("src/a.py", "a = 1\n").commit("start")
    project.passdown("start", "mend a", "--allow", "src/**").check()
    calls = agent.calls()
    script = [
        [calls.write("src/b.py", "b = 2\n")],
        [calls.write("evil.txt", "x")],
        [
            calls.shell(
                "echo x > conftest.py; echo x > $HOME/planted; echo x > src/c.py; git add src; git commit -qm Work"
            )
        ],
        [Say("Done.")],
    ]
    argv = [PASSDOWN, "sandbox", "--keep-env", "SCRIPTED_API_KEY", "--"]
    with Model(script) as model:
        agent.through(model, [*argv, str(agent.program), *agent.arguments("go", resume=None)]).check()
    assert project.read("src/b.py") == "b = 2\n"
    assert project.read("src/c.py") == "x\n"
    assert project.git("log", "-1", "--format=%s") == "Work"
    assert project.read("conftest.py") == ""
    assert not project.path("evil.txt").exists()
    assert not Path(os.environ["HOME"], "planted").exists()
    session = project.passdown("session", "--json").check().json()
    assert session["writes"], session
