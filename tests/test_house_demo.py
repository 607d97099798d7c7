"""The demo is the first thing that a newcomer runs: it holds, leaves nothing behind, and README.md shows it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from passdown.cli.verbs import VERBS
from support.process import run

ROOT = Path(__file__).resolve().parent.parent


def test_the_demo_holds_and_leaves_nothing(tmp_path):
    done = run([sys.executable, ROOT / "demo" / "run.py"], tmp_path, {"TMPDIR": str(tmp_path)}).check()
    assert re.search(r"The demo holds: \d+ steps", done.out)
    assert list(tmp_path.iterdir()) == []


def test_the_readme_shows_the_demo():
    steps = re.findall(r"^\$ (.+)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    source = (ROOT / "demo" / "run.py").read_text()
    assert len(steps) >= 8
    assert [step for step in steps if step not in source and not step.startswith("passdown readback ")] == []


def test_every_command_of_the_documents_exists():
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    text = "\n".join(re.sub(r"<!-- demo: begin.*demo: end -->", "", d.read_text(), flags=re.DOTALL) for d in documents)
    assert set(re.findall(r"(?:^|`)passdown ([a-z]+)", text, re.MULTILINE)) <= {*VERBS, "help"}
