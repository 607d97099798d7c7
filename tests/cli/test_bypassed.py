"""Denied, then changed by another way (E2): a person reads it wherever they would look."""

from __future__ import annotations

import pytest

from passdown.cli.bypasses import denied
from support.guarded import Guarded

WORDS = "denied, then changed by another way"


def touch(where, path="README.md", call="c1"):
    return {"where": where, "path": path, "call": call}


@pytest.mark.parametrize(
    ("touches", "paths"),
    [
        ([touch("outside-blocked")], {"README.md"}),
        ([touch("would-outside-blocked")], set()),
        ([touch("inside")], set()),
        ([touch("asked")], {"README.md"}),
        ([touch("asked"), touch("outside-landed")], set()),  # the person said yes
        ([touch("asked"), touch("outside-landed", call="c2")], {"README.md"}),
        ([touch("asked"), touch("outside-landed"), touch("outside-blocked", call="c3")], {"README.md"}),
        ([touch("outside-blocked", "a\nb")], {"a\\x0ab"}),
    ],
)
def test_what_was_refused(touches, paths):
    assert denied(touches) == paths


@pytest.fixture
def bypassed(repo, sessions):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    repo.passdown("init").check()
    guarded = Guarded(repo)
    session = sessions.claude(repo.root)
    session.user("mend a").edit("src/a.py", "a = 1", "a = 2").bash("make", output="done").say("Done.").save()
    guarded.write("README.md", session_id=session.session)
    repo.write("src/a.py", "a = 2\n").write("README.md", "slipped\n")
    assert b"recorded as a bypass" in guarded.after("Bash", {"command": "make"}, session_id=session.session).stdout
    return guarded


def test_log_status_verify_packet_and_review_say_it(bypassed):
    repo = bypassed.repo
    told = " ".join(repo.passdown("log").out.split())
    assert f"README.md: {WORDS} (Bash)" in told
    assert ("bypass", "README.md") in [(e["type"], e["text"][:9]) for e in repo.passdown("log", "--json").json()]
    assert f"Outside    README.md: {WORDS}" in repo.passdown("status").out
    assert repo.passdown("status", "--json").json()["bypassed"] == ["README.md"]
    assert f"README.md: {WORDS}" in repo.passdown("verify").out
    assert repo.passdown("verify", "--json").json()["bypassed"] == ["README.md"]
    packed = repo.passdown("pack", "--no-check")
    assert f"{WORDS}: README.md" in packed.out
    files = {f["path"]: f["bypassed"] for f in repo.passdown("show", "--json").json()["files"]}
    assert (files["README.md"], files["src/a.py"]) == (True, False)
    assert WORDS in repo.passdown("show", "--markdown").out
    review = repo.passdown("review", env={"COLUMNS": "140"}).out
    assert f"README.md +1 -1 ({WORDS}; " in review


def test_what_was_taken_back_is_history(bypassed):
    repo = bypassed.repo
    repo.write("README.md", "hello\n")
    assert WORDS in repo.passdown("log").out
    assert WORDS not in repo.passdown("status").out
    assert WORDS not in repo.passdown("verify").out
