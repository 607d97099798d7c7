"""Each way around the boundary, really gone: which layer meets it first; whatever landed, the judgement finds."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from guard.bypasses import WAYS, Way
from support.guarded import Guarded, decision
from support.process import PASSDOWN, TIMEOUT

SEES = {"before": 0, "after": 1, "verify": 2, "unseen": 3}


@pytest.fixture
def guarded(repo):
    repo.write("README.md", "old\n").write("migrations/1.sql", "create;\n").write("src/a.py", "a = 1\n")
    repo.write("src/secret/key.py", "key = 1\n").write(".gitignore", "*.log\n").write("CODEOWNERS", "* @alice\n")
    repo.write(".github/workflows/ci.yml", "run: tests\n").commit("first")
    repo.write("README.md", "hello\n").write("src/a.py", "a = 2\n").commit("second")
    guarded = Guarded(repo)
    repo.passdown("start", "mend a", "--allow", "src/**", "--deny", "src/secret/**").check()
    return guarded


def go(guarded, line):
    """Run the line as an agent's shell would, whatever the hook said."""
    env = {**os.environ, "CLAUDECODE": "1", "PATH": f"{Path(PASSDOWN).parent}:{os.environ['PATH']}"}
    subprocess.run(["bash", "-c", line], cwd=guarded.root, env=env, capture_output=True, timeout=TIMEOUT, check=False)


def met_first(guarded, way: Way):
    refused = decision(guarded.ask("Bash", {"command": way.line})) == "deny"
    go(guarded, way.line)
    looked = guarded.after("Bash", {"command": way.line})
    told = bool(looked.stdout) or looked.returncode == 2
    judged = guarded.repo.passdown("verify", "--json")
    found = judged.code != 0 or json.loads(judged.out)["violations"]
    seen = {"before": refused, "after": told, "verify": bool(found), "unseen": True}
    return next(layer for layer in SEES if seen[layer]), bool(found)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_who_meets_it_first(guarded, way):
    first, found = met_first(guarded, way)
    assert first == way.first
    assert found is way.lands
