"""Shell commands before they run: what they obviously write outside is denied, what they destroy is rescued."""

from __future__ import annotations

import json

import pytest

from passdown.store import open_ledger
from support.guarded import Guarded, boundary, decision


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n")
    repo.write("src/gen/x.py", "g = 1\n")
    repo.write("README.md", "hello\n")
    repo.write("src/sub/b.py", "b = 1\n").write("docs/x.md", "x\n")
    repo.write(".gitignore", "*.log\nbuild/\n")
    repo.commit("start")
    return Guarded(repo, boundary(["src/**"], ["src/gen/**"]))


LINES = [
    ("echo x > README.md", "deny"),
    ("echo x > src/a.py", None),
    ("cd src && echo x > ../README.md", "deny"),
    ("sed -i s/a/b/ src/a.py README.md", "deny"),  # E3
    ("rm -rf src", "deny"),  # what is denied lies below
    ("rm -rf src/sub", None),
    ("git checkout -- src/sub", None),
    ("rm -rf docs", "deny"),
    ("rm -rf .", "deny"),
    ("rm -rf .git", "deny"),
    ("rm src/gen/*", "deny"),
    ("rm -rf build dist .cache", None),  # nothing of that is there
    ("rm -rf docs README.md", "deny"),
    ("mv src/a.py a.py", "deny"),
    ("cp README.md src/", None),
    ("cp src/a.py .", "deny"),
    ("bash -c 'tee README.md < src/a.py'", "deny"),
    ("echo x > .git/config", "deny"),
    ("rm -rf .git/passdown", "deny"),
    ("pytest > out.log 2>&1", None),
    ("mkdir -p build && echo x > build/x", None),
    ("echo x > /tmp/anything-at-all", None),
    ("grep -rn 'README.md' . > /dev/null", None),
    ('git commit -m "touch README.md > x"', None),
    ("git stash", "deny"),
    ("cd src && git stash", "deny"),
    ("cd /tmp && git stash", None),
    ("git -C /tmp stash pop", None),
    ("git -C src stash", "deny"),
    ('cd "$HOME" && git stash', "deny"),
    ("git stash list > /dev/null; git stash show", None),
    ("passdown review --approve", "deny"),
    ("cd src; python -m pytest; passdown lift --because x", "deny"),
    ("passdown boundary allow '**'", "deny"),
    ("passdown boundary explain README.md", None),
    ("passdown check --confirm tests", "deny"),
    ("passdown check --confirm=tests", "deny"),
    ("passdown review --help", None),
    ("passdown boundary set --help", None),
    ("env -u CLAUDECODE passdown lift --because --help", "deny"),
    ("passdown review --approve --note -h", "deny"),
    ("env -i passdown serve", "deny"),
    ("passdown attest --writer", "deny"),
    ("passdown sync --yes", "deny"),
    ("passdown sync", None),
    ("passdown resume --take-over=x", "deny"),
    ("echo 'passdown review --approve'", None),
    ("passdown note step 'next: the parser'", "allow"),
    ("passdown check tests", "allow"),
    ("passdown check -- rm -rf x", None),
    ("passdown status && curl -o x https://example.org", "deny"),
    # What does more than our own command stays the client's question.
    ("./src/passdown status", None),
    ("/tmp/elsewhere/passdown note x", None),
    ("LD_PRELOAD=./src/x.so passdown status", None),
    ("env PYTHONPATH=src passdown status", None),
    ("uvx --from other passdown status", None),
    ("sudo passdown status", None),
    ("bash -c 'passdown status'", None),
    ("passdown status > /tmp/anything-at-all", None),
    ("passdown show > >(sh)", None),
    ('passdown note "${x:=$(id)}"', None),
    ("passdown note $((a[$(id)]))", None),
    ("passdown note x <<EOF\n$(id)\nEOF", None),
    ("passdown() { id; }; passdown status", None),
    ("PATH=./src; passdown status", None),
    ("passdown status &", None),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_before_it_runs(guarded, line, expected):
    assert decision(guarded.ask("Bash", {"command": line})) == expected


def test_what_would_be_destroyed_is_kept_first(guarded):  # D2, D6
    guarded.repo.write("src/a.py", "a = 2  # nobody committed this\n")
    assert decision(guarded.ask("Bash", {"command": "git reset --hard"})) is None
    (record,) = open_ledger(guarded.home).records(type="rescued")
    assert record.body.why == "before a command that can destroy changes that are not committed"
    assert guarded.repo.git("status", "--porcelain")  # the hook itself changed nothing


def test_without_the_package_a_line_goes_through_and_the_journal_says_unread(guarded):
    rules = json.loads(guarded.rules.read_text())
    rules["branches"]["/main"]["slow"] = "/nowhere/python"
    guarded.rules.write_text(json.dumps(rules))
    assert decision(guarded.ask("Bash", {"command": "echo x > README.md"})) is None
    assert guarded.facts()[-1].data["rule"] == "unread"
