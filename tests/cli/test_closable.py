"""`passdown outcome completed` is pointed to where nothing is left, by each verb once, and nowhere else."""

from __future__ import annotations

import pytest

WIDE = {"COLUMNS": "140"}
WHAT = "passdown outcome completed"


@pytest.fixture
def done(project):
    """The only acceptance check passes on this code, inside the boundary."""
    project.passdown("start", "tidy", "--allow", "src/**", "--check", "ok").check()
    project.write("src/ok", "")
    assert project.passdown("check", "ok").check().out.count(WHAT) == 1
    return project


def said(repo, *verb):
    return repo.passdown(*verb, env=WIDE).out.count(WHAT)


def test_verify_and_check_say_it_once(done):
    assert said(done, "verify") == said(done, "verify", "--checks") == said(done, "check") == 1


@pytest.mark.parametrize("why", ["outside", "stale", "failing", "held", "no check"])
def test_neither_says_it_where_it_is_not_so(done, why):
    if why == "outside":
        done.write("docs/guide.md", "x\n")
        done.passdown("check", "ok")
    elif why == "stale":
        done.write("src/retry.py", "WAIT = 4\n")
    elif why == "failing":
        done.delete("src/ok")
        done.passdown("check", "ok")
    elif why == "held":
        done.passdown("hold", "--because", "wait").check()
    else:
        done.passdown("outcome", "abandoned", "--because", "x").check()
        done.passdown("start", "other", "--allow", "src/**").check()
        done.write("passdown.toml", '[git]\nbase = "main"\n')
    assert said(done, "verify") == 0
    if why in ("outside", "failing", "held"):
        assert said(done, "check", "ok") == 0


def test_pack_status_show_and_review_say_it_once(done):
    assert said(done, "pack", "--no-check") == 1
    done.passdown("review", "--approve").check()
    assert said(done, "status") == said(done, "show") == said(done, "review") == said(done, "review", "--approve") == 1
    done.passdown("outcome", "completed").check()


def test_verify_does_not_run_again_what_passes_on_this_code(done):
    before = len(done.passdown("log", "--check", "ok", "--json").check().json())
    out = done.passdown("verify", "--checks").check().out
    assert "on this code: not run again" in out
    answer = done.passdown("verify", "--checks", "--json").check().json()
    assert [(one["check"], one["result"]) for one in answer["checks"]] == [("ok", "PASSED")]
    assert len(done.passdown("log", "--check", "ok", "--json").check().json()) == before
    done.write("src/retry.py", "WAIT = 4\n")
    done.passdown("verify", "--checks").check()
    assert len(done.passdown("log", "--check", "ok", "--json").check().json()) == before + 1


@pytest.fixture
def finished(project):
    """A run whose tests pass, packed: nothing is left for another run."""
    text = '[git]\nbase = "main"\n[checks.ok]\nrun = "test -f src/ok"\nkind = "test"\nacceptance = true\n'
    project.switch("main").write("passdown.toml", text).commit("Tests").switch("retry").git("merge", "-q", "main")
    project.write("src/ok", "")
    project.passdown("check", "ok").check()
    project.passdown("pack", "--goal", "make src/ok", "--no-check").check()
    return project


@pytest.mark.parametrize("verb", [["pack", "--no-check"], ["status"], ["show"], ["review"], ["resume", "--no-check"]])
def test_where_nothing_is_left_the_way_on_is_the_outcome(finished, verb):
    assert said(finished, *verb) == 1
    finished.passdown("outcome", "completed").check()


@pytest.mark.parametrize(("script", "code", "holds"), [("exit 1\n", 1, False), ("exit 0 # now\n", 3, None)])
def test_a_check_that_runs_otherwise_than_the_base_has_it_decides_no_pass(project, script, code, holds):
    """It is run: a failure is one, a pass is not."""
    text = '[git]\nbase = "main"\n[checks.t]\nrun = "sh t.sh"\nacceptance = true\n'
    project.switch("main").write("passdown.toml", text).write("t.sh", "exit 0\n").commit("Check").switch("retry")
    project.git("merge", "-q", "main")
    project.passdown("start", "tidy", "--allow", "t.sh").check()
    project.passdown("verify", "--checks").check()
    project.write("t.sh", script)
    answer = project.passdown("verify", "--checks", "--json").check(code).json()
    assert answer["holds"] is holds
    assert any("nobody stands behind that" in note for note in answer["notes"])
