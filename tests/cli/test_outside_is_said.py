"""What lies outside is said where a task is closed."""

from __future__ import annotations


def test_completed_is_refused_while_verify_does_not_hold(project):
    project.passdown("start", "tidy", "--allow", "src/**", "--check", "ok").check()
    project.write("src/ok", "").write("docs/guide.md", "changed\n")
    project.passdown("check", "ok")
    project.passdown("verify").check(1)
    assert "docs/guide.md was modified outside the boundary" in project.passdown("outcome", "completed").check(1).out
    project.passdown("outcome", "completed", "--anyway", "--because", "agreed").check()
