"""What `pack` seals is the worktree as its own checks left it, not as it was when the command began."""

from __future__ import annotations


def test_a_check_that_pack_runs_again_and_that_writes_is_in_what_is_sealed(repo):
    run = 'run = "date +%N >> made.txt"'
    repo.write("a.py", "a = 1\n").write("passdown.toml", f"version = 1\n[checks.tests]\n{run}\n").commit("start")
    repo.passdown("check", "tests")
    repo.write("a.py", "a = 2\n")
    before = repo.path("made.txt").read_text()
    packet = repo.passdown("pack", "--goal", "mend a", "--json").check().json()
    assert repo.path("made.txt").read_text() != before, "the check ran again"
    assert repo.passdown("pack", "--dry-run", "--json").check().json()["place"]["tree"] == packet["place"]["tree"]
