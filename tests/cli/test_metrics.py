"""The measures of a real handoff, told by the command that people type."""

from __future__ import annotations

import csv
import io
import time

import pytest

from passdown.cli.web_desk import RepositoryDesk
from passdown.model.event import Closed, Resumed
from passdown.store import open_ledger
from support.packets import a_packet

FIRST = ("resumed-tasks-completed", "reopened-scope-incidents", "unnecessary-file-touches", "rollback-rate")


def numbers(repo, *options):
    document = repo.passdown("metrics", "--json", *options).check().json()
    return {metric["name"]: metric for metric in document["metrics"]}


def test_where_nothing_was_resumed_nothing_is_measured(packed):
    out = packed.passdown("metrics").check().out
    assert "no resumed run yet" in out
    for name in FIRST:
        metric = numbers(packed)[name]
        assert (metric["measured"], metric["value"], metric["denominator"]) == (False, None, 0)


def test_it_creates_nothing(project):
    project.passdown("metrics").check()
    assert not project.home.exists()


@pytest.fixture
def strayed(packed, sessions):
    """A resumed run that fixed one file, wrote outside, put one back and changed the spaces of another."""
    packed.passdown("boundary", "allow", "src/").check()
    packed.passdown("resume", "--json").check()
    session = sessions.codex(packed.root, branch="retry", start=time.time()).user("go on")
    session.edit("src/client.py", "return 2", "return 3").write("README.md", "outside\n")
    session.edit("src/retry.py", "WAIT = 5", "WAIT  =  5")
    session.edit("docs/guide.md", "Guide", "Guides").edit("docs/guide.md", "Guides", "Guide").say("done").save()
    packed.passdown("pack", "--no-check", "--json").check()
    return packed


def test_one_resumed_run_is_counted_with_what_it_did(strayed):
    found = numbers(strayed)
    assert found["reopened-scope-incidents"]["numerator"] == 1
    assert found["reopened-scope-incidents"]["parts"]["landed"] == 1
    assert found["unnecessary-file-touches"]["parts"] == {"outside": 1, "as before": 1, "white space": 1}
    assert found["unnecessary-file-touches"]["denominator"] == 4
    assert found["rollback-rate"]["left_out"] == {"too young": 1}
    assert found["rollback-rate"]["measured"] is False


def test_the_screen_says_what_of_how_many_and_what_is_not_measured(strayed):
    out = strayed.passdown("metrics").check().out
    assert "1 resumed run, 0 tasks ended" in out
    assert "reopened scope" in out
    assert "1 / 1" in out
    assert "not measured: resumed tasks completed (no task with a resumed run has ended yet)" in out
    assert "too young" in strayed.passdown("metrics", "--missing").check().out


def test_the_table_of_a_spreadsheet_has_every_measure(strayed):
    rows = list(csv.DictReader(io.StringIO(strayed.passdown("metrics", "--csv").check().out)))
    assert [row["name"] for row in rows][:4] == list(FIRST)
    assert rows[1]["value"] == "1.0"


@pytest.mark.parametrize(("option", "counts"), [("codex", 1), ("claude", 0)])
def test_measures_of_one_agent(strayed, option, counts):
    assert numbers(strayed, "--agent", option)["reopened-scope-incidents"]["denominator"] == counts


@pytest.mark.parametrize("span", ["soon", "0d", "-3d", "1h", "9999999d"])
def test_a_window_that_is_none_is_one_line(project, span):
    assert "not a stretch of time" in project.passdown("metrics", "--window", span).check(2).err


def test_ending_the_task_measures_it(strayed):
    strayed.passdown("outcome", "abandoned", "--because", "enough").check()
    metric = numbers(strayed)["resumed-tasks-completed"]
    assert (metric["numerator"], metric["denominator"], metric["value"]) == (0, 1, 0.0)


def committed_run(packed, sessions):
    """A resumed run on the branch `retry` that committed what it did."""
    packed.commit("First half")
    packed.passdown("pack", "--no-check").check()
    packed.passdown("boundary", "allow", "src/").check()
    packed.passdown("resume", "--json").check()
    session = sessions.codex(packed.root, branch="retry", start=time.time()).user("go on")
    session.edit("src/client.py", "return 2", "return 30303").write("src/ok", "yes\n").say("done").save()
    packed.passdown("check", "ok").check()
    packed.passdown("pack", "--no-check", "--json").check()
    packed.commit("Second half")
    return packed


def test_a_merge_with_every_check_passing_completes_the_task_unasked(packed, sessions):
    repo = committed_run(packed, sessions)
    assert numbers(repo)["resumed-tasks-completed"]["denominator"] == 0
    repo.switch("main").git("merge", "-q", "--squash", "retry")
    repo.commit("Retry (#7)").switch("retry")
    metric = numbers(repo)["resumed-tasks-completed"]
    assert (metric["numerator"], metric["denominator"]) == (1, 1)


def test_a_revert_on_the_base_branch_rolls_it_back(packed, sessions):
    repo = committed_run(packed, sessions)
    repo.switch("main").git("merge", "-q", "--squash", "retry")
    repo.commit("Retry (#7)").git("revert", "--no-edit", "HEAD")
    metric = numbers(repo.switch("retry"))["resumed-tasks-completed"]
    assert (metric["numerator"], metric["denominator"]) == (0, 1)


def test_a_branch_deleted_without_a_merge_is_abandoned(packed, sessions):
    repo = committed_run(packed, sessions)
    repo.switch("main").branch("else").git("branch", "-q", "-D", "retry")
    metric = numbers(repo)["resumed-tasks-completed"]
    assert (metric["numerator"], metric["denominator"]) == (0, 1)


def test_tasks_that_another_clone_invents_are_shown_apart(strayed, make_repo):
    before = numbers(strayed)
    hub = make_repo("hub.git", bare=True)
    strayed.git("remote", "add", "origin", hub.root)
    strayed.git("push", "-q", "origin", "main")
    mallory = hub.clone("mallory")
    ledger = open_ledger(mallory.home)
    at = strayed.passdown("metrics", "--json").json()["window"]["end"]
    packet = ledger.seal(a_packet(task="invented"), at=at)
    boundary = a_packet().boundary
    resumed = Resumed(
        task="invented", packet=packet, run="r", boundary=boundary, worktree_id="w", branch="main", tree="", head=None
    )
    ledger.append(resumed, task="invented", at=at)
    closed = Closed(task="invented", outcome="completed", because="", by="m", acceptance={"tests": "VERIFIED"})
    ledger.append(closed, task="invented", at=at)
    ledger.close()
    mallory.passdown("sync").check()
    strayed.passdown("sync").check()
    assert numbers(strayed) == before
    assert strayed.passdown("metrics", "--json").json()["tasks_of_others"] == 1
    assert "1 told by other clones alone" in strayed.passdown("metrics").out
    listed = strayed.passdown("metrics", "--missing").out
    assert "told by another clone alone, and not believed: 1" in listed
    assert "passdown attest --writer" in listed


@pytest.mark.parametrize("resumed", [False, True])
def test_what_is_not_measured_is_no_nothing_left_out(request, packed, resumed):
    repo = request.getfixturevalue("strayed") if resumed else packed
    out = repo.passdown("metrics", "--missing").check().out
    assert "Nothing is left out" not in out
    told = repo.passdown("metrics", "--missing", "--json").json()["not_measured"]
    assert told == [m["name"] for m in repo.passdown("metrics", "--json").json()["metrics"] if not m["measured"]]
    assert out.count("not measured: ") == len(told) > 0


def test_the_page_s_second_look_sees_what_came_meanwhile(strayed, monkeypatch):
    monkeypatch.chdir(strayed.root)
    desk = RepositoryDesk()
    first = desk.numbers("30d")
    assert desk.numbers("30d").measured.now == first.measured.now
    assert first.measured.ended == 0
    strayed.passdown("outcome", "abandoned", "--because", "enough").check()
    assert desk.numbers("30d").measured.ended == 1
    strayed.branch("elsewhere").write("more.txt", "x\n").commit("More")
    assert desk.numbers("all").measured.ended == 1


def reword(repo):
    repo.git("commit", "-q", "--amend", "-m", "Other words")


def rebase(repo):
    repo.switch("main").write("docs/more.md", "more\n").commit("Theirs").switch("retry").git("rebase", "-q", "main")


def change_authors(repo):
    command = "GIT_AUTHOR_EMAIL=other@example.com; GIT_COMMITTER_EMAIL=other@example.com"
    env = {"FILTER_BRANCH_SQUELCH_WARNING": "1"}
    repo.git("filter-branch", "-f", "--env-filter", command, "main..retry", env=env)


def rename_the_branch(repo):
    repo.git("branch", "-m", "retry", "renamed")
    repo.git("branch", "retry")


REWRITES = [None, reword, rebase, change_authors, rename_the_branch]


def squash(repo):
    repo.git("merge", "-q", "--squash", "retry")
    repo.commit("Retry (#7)")


def cherry_pick(repo):
    repo.git("cherry-pick", "main..retry")


def merge(repo):
    repo.git("merge", "-q", "--no-ff", "-m", "Merge", "retry")


@pytest.mark.torture
@pytest.mark.parametrize("lands", [squash, cherry_pick, merge], ids=lambda lands: lands.__name__)
@pytest.mark.parametrize("rewrite", REWRITES, ids=lambda rewrite: getattr(rewrite, "__name__", "as it was"))
def test_the_truth_is_counted_after_every_rewrite(packed, sessions, rewrite, lands):
    """One run, completed by its merge, nothing undone; then taken back."""
    repo = committed_run(packed, sessions)
    if rewrite is not None:
        rewrite(repo)
    lands(repo.switch("main"))
    found = numbers(repo.switch("retry"))
    assert (found["resumed-tasks-completed"]["numerator"], found["resumed-tasks-completed"]["denominator"]) == (1, 1)
    options = ("-m", "1") if lands is merge else ()
    commits = ("HEAD",) if lands is not cherry_pick else ("HEAD", "HEAD~1")
    for commit in [repo.switch("main").git("rev-parse", each) for each in commits]:
        repo.git("revert", "--no-edit", *options, commit)
    found = numbers(repo.switch("retry"))
    assert (found["resumed-tasks-completed"]["numerator"], found["resumed-tasks-completed"]["denominator"]) == (0, 1)
