"""One small session of each era, made by hand in its real format, and every file of a corpus where one is at hand.

PASSDOWN_CORPUS=folder reads each transcript below it as well.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from passdown.agents.sessions import read_session, reader_of
from passdown.errors import PassdownError
from passdown.model.session import SessionFacts

FIXTURES = Path(__file__).parents[1] / "fixtures/sessions"
CORPUS = os.environ.get("PASSDOWN_CORPUS")

EXPECTED: dict[str, dict[str, Any]] = {
    "claude-1.0.119-old-results.jsonl": {
        "requests": ["the build is red, have a look", "/exit"],
        "commands": [("npm run build", None, False), ("npm run build", 0, True)],
        "writes": [("modify", "/home/dev/shop/src/cart.ts", True)],
        "todos": [("Fix the type", "completed"), ("Add a test", "pending")],
        "end": "finished",
    },
    "claude-2.1.37-rejection-and-compaction.jsonl": {
        "requests": [
            "Implement the following plan:\n\n# Round totals once\n\nDo not touch the price list.",
            "keep the old name, please",
            "only the unit tests",
        ],
        "commands": [("grep -rn Math.round src", None, False), ("npm test", 1, False)],
        "writes": [("modify", "/home/dev/shop/src/total.ts", True)],
        "compactions": 1,
        "subagents": 1,
        "end": "interrupted",
    },
    "claude-2.1.332-subagent/aaaaaaaa-0000-4000-8000-000000000303.jsonl": {
        "requests": ["write the two files"],
        "commands": [("sleep 2; echo up", 0, True)],
        "writes": [("create", "/home/dev/shop/a.txt", True), ("create", "/home/dev/shop/c.txt", True)],
        "subagents": 1,
        "end": "quota",
    },
    "codex-0.29-no-envelope.jsonl": {
        "requests": ["which tests fail?"],
        "commands": [("pytest -q", 1, False)],
        "end": "finished",
    },
    "codex-0.36-heredoc.jsonl": {
        "requests": ["add a doctor command", "stop here"],
        "commands": [("apply_patch", 0, True), ("pytest -q", 1, False)],
        "writes": [("create", "src/doctor.py", True), ("modify", "src/cli.py", True)],
        "todos": [("Write it", "in_progress"), ("Test it", "pending")],
        "end": "interrupted",
    },
    "codex-0.142-cut-short.jsonl": {
        "requests": ["make the build pass", "and hurry"],
        "commands": [("make build", 2, False), ("make build", None, None)],
        "writes": [("rename", "/home/dev/shop/a.py", True)],
        "compactions": 1,
        "end": "truncated",
    },
    "codex-0.171-code-mode.jsonl": {
        "requests": ["write it"],
        "commands": [("pytest -q", 1, False)],
        "writes": [("create", "/home/dev/shop/new.txt", True)],
        "end": "finished",
    },
}
EMPTY = {"writes": [], "todos": [], "compactions": 0, "subagents": 0}


def short(facts: SessionFacts) -> dict[str, Any]:
    """The facts that the readers alone decide; a write that was refused is none."""
    return {
        "requests": [one.text for one in facts.requests],
        "commands": [(one.command.split(" <<")[0], one.exit, one.ok) for one in facts.commands],
        "writes": [(one.op, one.path, one.ok) for one in facts.writes if one.ok is not False],
        "todos": [(one.text, one.status) for one in facts.todos],
        "compactions": facts.compactions,
        "subagents": facts.subagents,
        "end": facts.end.reason,
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_a_session_of_each_era(name: str) -> None:
    facts = read_session(FIXTURES / name)
    assert short(facts) == {**EMPTY, **EXPECTED[name]}
    assert facts.cwd == "/home/dev/shop"
    assert facts.input.bad_lines == 0
    assert facts.input.unknown == {}


def _transcripts() -> list[Path]:
    files = sorted(path for path in Path(CORPUS or FIXTURES).rglob("*.jsonl*") if path.is_file())
    return [path for path in files if _known(path)]


def _known(path: Path) -> bool:
    try:
        reader_of(path)
    except PassdownError:
        return False
    return True


@pytest.mark.parametrize("path", _transcripts(), ids=lambda path: path.name)
def test_every_transcript_at_hand_is_understood(path: Path) -> None:
    facts = read_session(path)
    assert facts.input.bad_lines == 0
    assert facts.input.unknown == {}
    assert facts.session
    assert facts.cwd
    assert all(request.text.strip() for request in facts.requests)
