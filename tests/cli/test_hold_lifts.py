"""Each HOLD's first command shows its fact, and the way that it names lifts it: typed as they stand on the screen."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.process import PASSDOWN, run
from support.repo import Repo

BOB = {
    "GIT_AUTHOR_NAME": "Bob",
    "GIT_AUTHOR_EMAIL": "bob@example.test",
    "GIT_COMMITTER_NAME": "Bob",
    "GIT_COMMITTER_EMAIL": "bob@example.test",
}


def unpacked_goal(repo: Repo) -> None:
    repo.git("switch", "-q", "-C", "fresh", "main", "--discard-changes")
    for session in Path(os.environ["CLAUDE_CONFIG_DIR"]).rglob("*.jsonl"):
        session.unlink()
    repo.write("src/retry.py", "WAIT = 9\n").passdown("pack", "--no-check").check()


def held(repo: Repo) -> None:
    repo.passdown("hold", "--because", "the design changes tomorrow").check()


def handed(repo: Repo) -> None:
    repo.passdown("review", "--reassign", "bob@example.test").check()


def rolled(repo: Repo) -> None:
    repo.passdown("review", "--rollback").check()


def misread(repo: Repo) -> None:
    repo.passdown("resume", "--no-check").check()
    for _ in range(2):
        repo.passdown("readback", repo.passdown("show", "--json").json()["packet"][:7], "--first", "nowhere.py")


def strayed(repo: Repo) -> None:
    repo.passdown("resume", "--no-check").check()
    repo.append("docs/guide.md", "x\n")


def asked(repo: Repo) -> None:
    repo.passdown("note", "question", "a queue of its own?", "--architecture").check()


def denied(repo: Repo) -> None:
    repo.append("migrations/0001.sql", "-- x\n")


def lost(repo: Repo) -> None:
    for ref in repo.path(".git/passdown/store.git/refs/passdown/tree").iterdir():
        ref.unlink()


def forged(repo: Repo) -> None:
    store = Repo(repo.path(".git/passdown/store.git"))
    tree = store.git("hash-object", "-t", "tree", "-w", "/dev/null")
    commit = store.git("commit-tree", tree, "-m", "x")
    store.git("update-ref", "refs/passdown-remote/origin/log/abc/2026q4", commit)


def weakened(repo: Repo) -> None:
    repo.delete("tests/test_retry.py")
    repo.passdown("pack", "--no-check").check()


CASES: dict[str, Callable[[Repo], None]] = {
    "goal-unknown": unpacked_goal,
    "held-by-person": held,
    "handed-over": handed,
    "rollback-pending": rolled,
    "readback-failed": misread,
    "boundary-violated": strayed,
    "architecture-question": asked,
    "tree-drift": denied,
    "content-missing": lost,
    "integrity-broken": forged,
    "tests-weakened": weakened,
}
SHOWS = {
    "goal-unknown": "goal",
    "held-by-person": "tomorrow",
    "handed-over": "bob@example.test",
    "rollback-pending": "roll",
    "readback-failed": "readback",
    "boundary-violated": "docs/guide.md",
    "architecture-question": "a queue of its own",
    "tree-drift": "migrations/0001.sql",
    "content-missing": "content",
    "integrity-broken": "no readable manifest",
    "tests-weakened": "test_retry",
}


def typed(repo: Repo, line: str) -> str:
    """What a person sees who types the line in a shell, as Bob where the task was handed to him."""
    words = re.sub(r"^passdown", PASSDOWN, line.replace('"..."', '"it is fine"').replace("+PATH", "+docs/guide.md"))
    words += " --approve" if line == "passdown review" else ""
    done = run(["sh", "-c", words], repo.root, BOB)
    assert done.code in (0, 1, 3), f"{line}\n{done.out}{done.err}"
    return done.out + done.err


def reasons(repo: Repo) -> dict[str, dict[str, str]]:
    hold = repo.passdown("resume", "--no-check", "--json").json()["hold"]
    return {reason["code"]: reason for reason in hold["reasons"] if reason["level"] == "hold"}


@pytest.mark.parametrize("code", CASES)
def test_the_fact_is_shown_and_the_way_lifts_it(packed: Repo, code: str):
    CASES[code](packed)
    found = reasons(packed)
    assert code in found, found
    reason = found[code]
    assert SHOWS[code].lower() in typed(packed, reason["reproduce"]).lower(), reason["reproduce"]
    ways = re.findall(r"(?:passdown|git) [^;,]*", reason["lifts"])
    assert ways, reason["lifts"]
    said = typed(packed, ways[0])
    assert code not in reasons(packed), f"{ways[0]!r} does not lift {code}:\n{said}"


@pytest.mark.parametrize(
    ("say", "code"), [(held, "held-by-person"), (handed, "handed-over"), (rolled, "rollback-pending")]
)
def test_what_is_said_anew_in_the_same_words_holds_again(packed: Repo, say: Callable[[Repo], None], code: str):
    say(packed)
    packed.passdown("lift", "--because", "go on").check()
    assert code not in reasons(packed)
    say(packed)
    assert code in reasons(packed)


def test_a_rollback_is_done_by_the_packet_that_was_asked_for(packed: Repo):
    first, before = packed.passdown("show", "--json").json()["packet"], packed.read("src/retry.py")
    packed.append("src/retry.py", "# more\n").passdown("pack", "--no-check").check()
    newest = packed.passdown("show", "--json").json()["packet"]
    packed.passdown("review", "--rollback", "--to", first).check()
    packed.passdown("rollback", newest).check()
    way = reasons(packed)["rollback-pending"]["lifts"]
    assert way == f"passdown rollback {first[:7]}"
    typed(packed, way)
    assert packed.read("src/retry.py") == before
    assert "rollback-pending" not in reasons(packed)


def test_what_was_taken_back_of_a_denied_path_does_not_hold(packed: Repo):
    packed.passdown("resume", "--no-check").check()
    denied(packed)
    packed.passdown("pack", "--no-check").check()
    assert "boundary-violated" in reasons(packed)
    packed.git("restore", "migrations")
    assert reasons(packed) == {}
