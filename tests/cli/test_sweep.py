"""C12, C13: sessions that ended without a packet are told in one line, drafted once each, in their order."""

from __future__ import annotations

import subprocess
import time

import pytest

from passdown.packet.words import REASONS
from support.process import PASSDOWN

HOUR = 3600.0


@pytest.fixture
def project(repo):
    """Passdown is in use here: a task was opened."""
    repo.write("src/a.py", "a = 1\n").write("src/b.py", "b = 1\n").commit("start")
    repo.passdown("start", "mend both", "--allow", "src/**").check()
    return repo


def ended(sessions, repo, path, *, ago=0.0, prompt="mend it", **options):
    """A session that wrote one file, in the way that its end is told."""
    letter = path[0]
    work = sessions.claude(repo.root, start=time.time() - ago, step=0.001, **options)
    return work.user(prompt).edit(f"src/{path}", f"{letter} = 1", f"{letter} = 2")


def packets(repo):
    return [each for each in repo.passdown("log", "--json").check().json() if each["type"] == "packet"]


def test_a_quota_is_offered_by_status_and_drafted_by_resume(project, sessions):
    ended(sessions, project, "a.py").quota().save()
    said = project.passdown("status").check().out
    (line,) = [line for line in said.splitlines() if line.startswith("Unpacked")]
    assert REASONS["quota"] in line
    assert "resets" in line
    assert "passdown pack" in said
    done = project.passdown("resume", "--no-check").check()
    assert "Drafted " in done.err
    assert "Unpacked" not in project.passdown("status").check().out
    packet = project.passdown("show", "--json").check().json()
    assert packet["run"]["end"]["reason"] == "quota"
    assert "drafted: the session ended without a packet" in packet["notes"]
    assert [file["path"] for file in packet["files"]] == ["src/a.py"]


def test_several_are_drafted_once_each_in_their_order_and_each_keeps_its_files(project, sessions):
    ended(sessions, project, "a.py", prompt="mend a").quota().save()
    time.sleep(0.05)
    ended(sessions, project, "b.py", prompt="mend b").api_error().save()
    done = project.passdown("pack", "--no-check").check()
    assert done.err.count("Drafted ") == 1, "the newest is what was asked for"
    first, second = (project.passdown("show", each["id"], "--json").check().json() for each in packets(project))
    assert [first["run"]["end"]["reason"], second["run"]["end"]["reason"]] == ["quota", "api-error"]
    assert second["previous"] == first["packet"]
    assert "src/b.py" in [file["path"] for file in second["files"]]
    again = project.passdown("pack", "--no-check").check()
    assert "Nothing new" in again.err
    assert len(packets(project)) == 2


@pytest.mark.parametrize(
    ("options", "ago"),
    [
        ({"branch": "other"}, 0.0),
        ({}, 48 * HOUR),
    ],
)
def test_what_is_not_of_this_branch_or_older_than_passdown_here_is_left(project, sessions, options, ago):
    ended(sessions, project, "a.py", ago=ago, **options).quota().save()
    assert "Unpacked" not in project.passdown("status").check().out


def test_who_only_talked_is_left(project, sessions):
    sessions.claude(project.root, start=time.time(), step=0.001).user("what is this?").say("A thing.").quota().save()
    assert "Unpacked" not in project.passdown("status").check().out


def test_in_a_repository_that_never_saw_passdown_resume_packs_the_newest(repo, sessions):
    repo.write("src/a.py", "a = 1\n").commit("start")
    ended(sessions, repo, "a.py").quota().save()
    done = repo.passdown("resume", "--no-check").check()
    assert "Drafted " in done.err
    assert 'Goal (user): "mend it"' in done.out


def test_without_a_proof_of_its_end_a_session_may_be_at_work(project, sessions):
    ended(sessions, project, "a.py").save()
    assert "Unpacked" not in project.passdown("status").check().out


def test_a_session_that_changed_its_branch_belongs_to_where_it_ended(project, sessions):
    work = ended(sessions, project, "a.py", branch="main")
    work.branch = "other"
    work.say("On another branch now.").quota().save()
    assert "Unpacked" not in project.passdown("status").check().out
    project.git("checkout", "-q", "-b", "other")
    left = project.passdown("status", "--json").check().json()["unpacked"]
    assert [each["reason"] for each in left] == ["quota"]


def test_finished_and_committed_is_nothing_to_hand_over(project, sessions):
    ended(sessions, project, "a.py").say("Done.").save()
    (sessions.claude_home / "sessions").mkdir()  # this client says so while it lives
    assert "Unpacked" in project.passdown("status").check().out
    project.commit("Mend a")
    assert "Unpacked" not in project.passdown("status").check().out


def test_without_a_task_it_is_told_all_the_same(repo, sessions):
    repo.write("src/a.py", "a = 1\n").commit("start")
    repo.passdown("init").check()
    ended(sessions, repo, "a.py").quota().save()
    said = repo.passdown("status").check().out
    assert "Unpacked   claude" in said
    assert said.rstrip().endswith("passdown pack")


def test_commands_side_by_side_draft_it_once(project, sessions):
    ended(sessions, project, "a.py").quota().save()
    argv = [PASSDOWN, "resume", "--json", "--no-check"]
    running = [
        subprocess.Popen(argv, cwd=project.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)
    ]
    assert [each.wait() for each in running] == [0, 0, 0]
    assert len(packets(project)) == 1
