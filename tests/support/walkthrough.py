"""One run of each kind of handoff, as an agent leaves it: what a reviewer's first screen is read for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from support.repo import Repo
from support.sessions import Sessions

POLICY = '[checks.tests]\nrun = "python3 -m unittest -q"\nkind = "test"\nacceptance = true\n'


FIRST = 20
LABEL = 15
GOAL, UNVERIFIED, NEXT, UNDO = "the goal", "what is not verified", "what may be touched next", "what undoes it"
_GOAL, _NEXT, _UNDO = ("Goal",), ("Next write",), ("Undo",)
_HEAD = """# A walk through the first screen

One packet of each kind of handoff, and what its reviewer sees first: `passdown review` at 100 columns. Within twenty
lines it says what was asked for, what nobody has verified, what the next run may touch, and what undoes that. Made from
real runs by `make walkthrough`; a test asks each screen the four questions, at 80 columns as well.

A number in brackets opens what is behind a line. The letters of the answer, and what each does: [the loop by
hand](guide.md); the same as a page: [the pages](web.md)."""


@dataclass(frozen=True)
class Scene:
    """A run of one kind. ``asked``: each question, the rows that answer it, words of which one stands there;
    ``said``: the answers as a reader puts them."""

    template: str
    title: str
    what: str
    lay: Callable[[Repo, Sessions], None]
    asked: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    said: Mapping[str, str]


def _project(repo: Repo) -> Repo:
    """A small project with owners, a declared check and a branch for the work."""
    repo.write("passdown.toml", POLICY).write(".github/CODEOWNERS", "* @alice\n/billing/auth.py @security\n")
    repo.write("billing/__init__.py").write("billing/auth.py", "def token():\n    return 'demo'\n")
    repo.write("billing/retry.py", "CAP = 60\n\n\ndef wait(asked):\n    return 1\n")
    repo.write("billing/client.py", "from billing.retry import wait\n\n\ndef call(asked):\n    return wait(asked)\n")
    repo.write("billing/invoice.py", "from billing.client import call\n\n\ndef send():\n    return call('3')\n")
    repo.write("docs/guide.md", "# Guide\n\nHow to call the service.\n").write(
        "docs/errors.md", "# Errors\n\nNone yet.\n"
    )
    repo.write("migrations/0001.sql", "CREATE TABLE invoice (id INTEGER);\n")
    repo.write("tests/__init__.py").write("tests/test_retry.py", _TEST)
    return repo.commit("Call the billing service").branch("retry")


_TEST = """import unittest

from billing.retry import wait


class Retry(unittest.TestCase):
    def test_it_waits(self):
        self.assertGreater(wait("1"), 0)

    def test_backoff(self):
        self.assertEqual(wait("3"), 1)
"""
_RED = """F.
======================================================================
FAIL: test_backoff (tests.test_retry.Retry.test_backoff)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "tests/test_retry.py", line 11, in test_backoff
    self.assertEqual(wait("3"), 3)
AssertionError: '3' != 3

----------------------------------------------------------------------
Ran 2 tests in 0.000s

FAILED (failures=1)
"""


def _failing_test(repo: Repo, sessions: Sessions) -> None:
    _project(repo)
    session = sessions.claude(repo.root, branch="retry")
    session.user("use the server's Retry-After in wait(), test_backoff must pass; don't touch migrations")
    session.edit("tests/test_retry.py", 'wait("3"), 1)', 'wait("3"), 3)')
    session.edit("billing/retry.py", "return 1", "return min(asked, CAP) if asked else 1")
    session.edit("billing/retry.py", "min(asked, CAP)", "asked")
    session.bash("python3 -m unittest -q", exit=1, output=_RED)
    session.say("Retry-After is used now and all tests pass.", final=False).quota().save()


def _refactor(repo: Repo, sessions: Sessions) -> None:
    _project(repo)
    session = sessions.claude(repo.root, branch="retry")
    session.user("Rename wait() to delay() everywhere; the public name call() stays. Leave billing/auth.py alone.")
    session.edit("billing/retry.py", "def wait(", "def delay(")
    session.edit("billing/client.py", "import wait", "import delay").edit(
        "billing/client.py", "wait(asked)", "delay(asked)"
    )
    session.say("retry.py and client.py are done. Next I rename it in the tests.", final=False).interrupt().save()


def _docs(repo: Repo, sessions: Sessions) -> None:
    _project(repo)
    session = sessions.claude(repo.root, branch="retry")
    session.user("Document the retry rules in docs/guide.md and list the errors in docs/errors.md. Docs only.")
    session.edit("docs/guide.md", "How to call", "`billing retry --cap 60` sets the cap.\n\nHow to call")
    session.edit("docs/errors.md", "None yet.", "429: the service is busy, see guide.md.")
    session.say("The guide is done. errors.md still lacks 503 and the timeouts.", final=False).quota().save()


def _review(repo: Repo, sessions: Sessions) -> None:
    _project(repo)
    session = sessions.claude(repo.root, branch="retry")
    session.user(
        "Address the review comments:\n1. cap the wait at 60 s in billing/retry.py\n"
        "2. name the constant in docs/guide.md\n3. send() must not swallow errors"
    )
    session.edit("billing/retry.py", "return 1", "return min(int(asked), CAP)")
    session.bash("python3 -m unittest -q", exit=0, output="Ran 2 tests in 0.000s\n\nOK")
    session.say("Addressed all review comments.", final=False).quota().save()


def _general(repo: Repo, sessions: Sessions) -> None:
    _project(repo)
    session = sessions.claude(repo.root, branch="retry")
    session.user("Add a summary of sent invoices to billing/invoice.py, one line each. Do not touch migrations.")
    session.edit(
        "billing/invoice.py", "def send", "def summary(rows):\n    return [str(row) for row in rows]\n\n\ndef send"
    )
    session.write("billing/report.py", "from billing.invoice import summary\n\nprint(summary([]))\n")
    session.say("summary() is there; the report prints it.").save()


SCENES = (
    Scene(
        "failing-test",
        "A failing test",
        "An agent used up its quota with a test red, and said that all pass.",
        _failing_test,
        (
            (GOAL, _GOAL, ("test_backoff must pass; don't touch migrations",)),
            (UNVERIFIED, ("Done when", "Not so", "Open"), ("not met (1 failed", "all tests pass", "F1 test_backoff")),
            (NEXT, (*_NEXT, "Not"), ("1 billing/retry.py  2 tests/test_retry.py", "migrations/** (user)")),
            (UNDO, _UNDO, ("passdown rollback ",)),
        ),
        {
            GOAL: "Retry-After in `wait()`, `test_backoff` green, migrations untouched; in the user's words.",
            UNVERIFIED: 'the suite: F1 fails on this code, "all tests pass" is not so, an expected value changed.',
            NEXT: "entries 1 and 2 and one new file; not migrations, not what @security owns, nothing else.",
            UNDO: "`passdown rollback` with this packet's digits: back to exactly this, later work kept.",
        },
    ),
    Scene(
        "incomplete-refactor",
        "A refactoring that stopped half way",
        "A person interrupted a rename: two files are done, the tests still use the old name.",
        _refactor,
        (
            (GOAL, _GOAL, ("Rename wait() to delay() everywhere",)),
            (UNVERIFIED, ("Done when", "Only said", "Watch"), ("never ran here", "are done", "stopped in the middle")),
            (NEXT, (*_NEXT, "Not"), ("1 billing/client.py  2 billing/retry.py", "billing/auth.py (user)")),
            (UNDO, _UNDO, ("passdown rollback ",)),
        ),
        {
            GOAL: "the rename everywhere, `call()` as it was, auth.py left alone.",
            UNVERIFIED: 'everything: the suite never ran here, "are done" is only said, and it stopped in the middle.',
            NEXT: "the two files and their test, up to four new ones; not auth.py, by the user's own word.",
            UNDO: "`passdown rollback`, as above.",
        },
    ),
    Scene(
        "paused-docs",
        "A documentation update that paused",
        "One page is finished, the other half; no code was to change.",
        _docs,
        (
            (GOAL, _GOAL, ("Document the retry rules",)),
            (
                UNVERIFIED,
                ("Done when", "Only said", "Watch"),
                ("never ran here", "The guide is done", "stopped in the middle"),
            ),
            (NEXT, (*_NEXT, "Not"), ("1 docs/errors.md  2 docs/guide.md", "anything else")),
            (UNDO, _UNDO, ("passdown rollback ",)),
        ),
        {
            GOAL: "two pages, docs only.",
            UNVERIFIED: '"the guide is done" is only said; the suite never ran here; it stopped in the middle.',
            NEXT: "the two pages and two new ones; code is *anything else*, so it is closed.",
            UNDO: "`passdown rollback`, as above.",
        },
    ),
    Scene(
        "review-fixes",
        "Review fixes, partly applied",
        "Three comments were to be answered; one was, and all were said to be.",
        _review,
        (
            (GOAL, _GOAL, ("Address the review comments",)),
            (
                UNVERIFIED,
                ("Done when", "Asked for", "Only said"),
                ("in the session only", "2 not addressed: A2, A3", "Addressed all"),
            ),
            (NEXT, (*_NEXT, "Not"), ("1 billing/retry.py", "anything else")),
            (UNDO, _UNDO, ("passdown rollback ",)),
        ),
        {
            GOAL: "the three comments, one by one.",
            UNVERIFIED: 'A2 and A3 have no change that speaks of them, "addressed all" is only said, the tests passed '
            "in the session alone.",
            NEXT: "the file that comment 1 is about and its test. What A2 and A3 need is added by `--narrow +PATH`.",
            UNDO: "`passdown rollback`, as above.",
        },
    ),
    Scene(
        "general",
        "Anything else",
        "A small feature, finished by its agent's account; no kind fits, so no kind is named.",
        _general,
        (
            (GOAL, _GOAL, ("Add a summary of sent invoices",)),
            (UNVERIFIED, ("Done when",), ("never ran here",)),
            (NEXT, (*_NEXT, "Not"), ("1 billing/invoice.py  2 billing/report.py", "migrations/** (user)")),
            (UNDO, _UNDO, ("passdown rollback ",)),
        ),
        {
            GOAL: "a summary in invoice.py, migrations untouched.",
            UNVERIFIED: "that it is done: the suite never ran here.",
            NEXT: "the two files of the work and two new ones; not migrations, not what @security owns.",
            UNDO: "`passdown rollback`, as above.",
        },
    ),
)


def screen_of(scene: Scene, repo: Repo, sessions: Sessions, columns: int = 100) -> str:
    """Lay it, pack it, and what `passdown review` shows of it."""
    scene.lay(repo, sessions)
    env = {"COLUMNS": str(columns)}
    repo.passdown("pack", "--no-check", env=env).check()
    return repo.passdown("review", env=env).check().out.rstrip()


def answers(scene: Scene, screen: str) -> dict[str, list[str]]:
    """By question the lines among the first twenty that answer it."""
    lines = screen.splitlines()[:FIRST]
    return {
        question: [line for line in _rows(lines, labels) if any(word in line for word in words)]
        for question, labels, words in scene.asked
    }


def _rows(lines: list[str], labels: tuple[str, ...]) -> list[str]:
    """Each row with one of these labels as one line."""
    rows: list[str] = []
    for line in lines:
        if line[:LABEL].strip() or not rows:
            rows.append(line)
        else:
            rows[-1] += f" {line.strip()}"
    return [row for row in rows if row[:LABEL].strip() in labels]


def document(screens: Mapping[str, str]) -> str:
    """docs/walkthrough.md: each screen, and where it answers the four questions."""
    parts = [_HEAD]
    for scene in SCENES:
        screen = screens[scene.template]
        parts.append(f"## {scene.title}\n\n{scene.what}\n\n```text\n{screen}\n```")
        found = answers(scene, screen)
        parts.append("\n".join(f"- **{question}**: {scene.said[question]}" for question in found))
    return "\n\n".join(parts) + "\n"


def steady(text: str) -> str:
    """Without what differs from run to run: digests and clock times."""
    return re.sub(r"\b[0-9a-f]{7}\b", "0000000", re.sub(r"\b\d\d:\d\d\b", "00:00", text))
