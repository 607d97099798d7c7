"""A linked worktree inside the worktree is left out of what is judged, and named."""

from __future__ import annotations


def test_verify_names_it(project):
    project.passdown("start", "tidy", "--allow", "src/**").check()
    project.git("worktree", "add", "-q", "-b", "other", project.root / "wt")
    assert "not seen: wt/ is another worktree of this repository" in project.passdown("verify").check().out
    project.git("worktree", "remove", "wt")
    assert "not seen" not in project.passdown("verify").check().out
