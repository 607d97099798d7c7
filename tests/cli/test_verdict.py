"""What a verdict binds to, and when it lapses."""

from __future__ import annotations

import subprocess

import pytest

WHOLE = {"COLUMNS": None}


@pytest.fixture
def approved(packed):
    packed.passdown("review", "--approve").check()
    return packed


def verdict(repo):
    return repo.passdown("show", "--json").check().json()["verdict"]


def lapse_screens(repo, words):
    for verb in ("show", "status", "review"):
        out = repo.passdown(verb, env={"COLUMNS": "120"}).check().out
        assert "lapsed" in out, verb
        assert words in out, verb


def test_it_stands_while_nothing_moved(approved):
    assert verdict(approved)["answer"] == "approve"
    assert "lapsed" not in approved.passdown("review").check().out


def upstream(repo, path, content="theirs\n"):
    """Another commit on main that the branch then has as its base."""
    repo.git("stash", "-q", "-u")
    repo.switch("main").write(path, content).commit("Upstream").switch("retry")
    repo.git("rebase", "-q", "main")
    repo.git("stash", "pop", "-q")


def test_a_file_inside_that_changes_upstream_lapses_it(approved):
    """The screen names the path."""
    upstream(approved, "tests/test_retry.py", "def test_backoff():\n    assert 1\n")
    assert verdict(approved) is None
    lapse_screens(approved, "tests/test_retry.py")


def test_a_file_outside_that_changes_upstream_does_not(approved):
    upstream(approved, "docs/guide.md")
    assert verdict(approved)["answer"] == "approve"


def test_other_owners_of_its_paths_lapse_it(approved):
    upstream(approved, "CODEOWNERS", "src/client.py @bob\n")
    assert verdict(approved) is None
    lapse_screens(approved, "src/client.py belongs to @bob")


@pytest.mark.parametrize("text", ["docs/ @bob\n", "# a comment\n", "migrations/ @dba\n"])
def test_owners_of_other_paths_do_not(approved, text):
    upstream(approved, "CODEOWNERS", text)
    assert verdict(approved)["answer"] == "approve"


def test_a_run_that_rewrites_codeowners_changes_nobody_s_verdict(approved):
    """J4: owners are the base's."""
    approved.write("CODEOWNERS", "* @agent\n")
    assert verdict(approved)["answer"] == "approve"


def test_a_new_packet_has_no_verdict(approved):
    approved.write("src/client.py", "def call():\n    return 3\n")
    approved.passdown("pack", "--no-check").check()
    assert verdict(approved) is None
    assert "not answered" in approved.passdown("status").check().out


def test_in_team_mode_a_lapsed_verdict_holds(worked):
    worked.git("stash", "-q", "-u")
    worked.switch("main").write("passdown.toml", 'mode = "team"\nresume_owner = "@alice"\n[git]\nbase = "main"\n')
    worked.commit("Team").switch("retry").git("rebase", "-q", "main")
    worked.git("stash", "pop", "-q")
    worked.passdown("pack", "--no-check").check()
    codes = [
        r["code"] for r in worked.passdown("show", "--json").check().json()["hold"]["reasons"] if r["level"] == "hold"
    ]
    assert "review-missing" in codes
    worked.passdown("review", "--approve").check()
    upstream(worked, "CODEOWNERS", "src/client.py @bob\n")
    reasons = worked.passdown("resume", "--no-check", "--json").check(1).json()["hold"]["reasons"]
    assert any(r["code"] == "review-mismatch" and "src/client.py" in r["fact"] for r in reasons)


def test_it_is_signed_with_the_reviewer_s_ssh_key(packed, scratch_home):
    key = scratch_home / ".ssh/id_ed25519"
    key.parent.mkdir(mode=0o700)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "alice", "-f", str(key)], check=True)
    packed.passdown("review", "--approve").check()
    assert verdict(packed)["signed"] is True
    assert ", signed" in packed.passdown("show", env={"COLUMNS": "120"}).check().out
    assert packed.passdown("log", "--verify").check().out.startswith("The record holds")


def test_without_a_key_it_is_unsigned_and_says_so(packed):
    packed.passdown("review", "--approve").check()
    assert verdict(packed)["signed"] is False
    assert "unsigned, this clone" in packed.passdown("show", env={"COLUMNS": "120"}).check().out


@pytest.mark.parametrize("home", ["empty", "unset", "not there", "not writable"])
def test_the_first_approve_works_in_an_empty_home(packed, tmp_path, home):
    """No key, no identity, no settings: the answer is recorded all the same."""
    empty = tmp_path / "empty"
    empty.mkdir(mode=0o555 if home == "not writable" else 0o755)
    where = {"unset": None, "not there": str(tmp_path / "none")}.get(home, str(empty))
    gone = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_CONFIG_GLOBAL"]
    gone += ["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "USER", "LOGNAME"]
    env = {**dict.fromkeys(gone), "HOME": where}
    answer = packed.passdown("review", "--approve", "--json", env=env).check().json()
    assert answer["verdict"]["answer"] == "approve"
    packed.passdown("resume", "--no-check", env=env).check()
    assert list(empty.iterdir()) == []
