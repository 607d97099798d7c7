"""After a tool call: what changed outside is told once, kept as a patch and recorded, whoever wrote it."""

from __future__ import annotations

import fcntl
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from passdown.guard import hook_files
from support.guarded import Guarded, boundary, decision


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").write(".gitignore", "*.log\n").commit("start")
    made = Guarded(repo, boundary(["src/a.py"], ["src/gen/**"], new=1))
    told(made)  # the first look remembers
    return made


def told(guarded, command="make"):
    done = guarded.after("Bash", {"command": command})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else None


@pytest.mark.parametrize(
    ("path", "outside"),
    [
        ("src/a.py", False),
        ("src/new.py", False),  # beside an allowed file
        ("x.log", False),  # ignored
        ("README.md", True),
        ("src/gen/x.py", True),
        ("deep/er/x.py", True),
        (".claude/settings.json", True),
        ("caf\u00e9 x.md", True),
    ],
)
def test_whatever_wrote_it(guarded, path, outside):
    guarded.repo.write(path, "changed\n")
    assert (told(guarded) is not None) is outside


def test_it_is_told_once_kept_as_a_patch_and_recorded(guarded):
    guarded.repo.write("README.md", "changed\n").write("new.txt", "x\n")
    said = told(guarded)
    assert said.startswith(
        "Passdown: changed outside what this run may write: modified README.md, added new.txt "
        "(outside: not listed in the boundary). Undo: git apply -R .git/passdown/guard/outside/"
    )
    assert told(guarded) is None
    assert [f.data["path"] for f in guarded.facts() if f.data.get("where") == "outside-landed"] == [
        "README.md",
        "new.txt",
    ]
    guarded.repo.git("apply", "-R", said.rpartition("apply -R ")[2].rstrip("."))
    assert guarded.repo.git("status", "--porcelain") == ""
    assert told(guarded) is None, "undoing is no touch"


def test_changed_again_is_told_again(guarded):
    guarded.repo.write("README.md", "one\n")
    assert told(guarded)
    guarded.repo.write("README.md", "two\n")
    assert told(guarded)


@pytest.mark.parametrize("looked", [True, False])
def test_what_a_pull_brings_is_no_touch_but_an_own_commit_is(repo, looked):  # H7
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    other = repo.clone("other")
    repo.git("remote", "add", "origin", other.root)
    repo.git("fetch", "-q", "origin")
    guarded = Guarded(repo)
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    if looked:
        assert told(guarded) is None
    other.write("docs/other.md", "theirs\n").commit("theirs")
    repo.git("pull", "-q", "origin", "main")
    repo.write("src/a.py", "a = 2\n").commit("inside")
    assert told(guarded) is None
    repo.write("README.md", "mine\n").commit("mine")
    assert "README.md" in told(guarded)


def test_what_is_no_base_brings_a_touch(guarded):
    repo = guarded.repo
    repo.git("switch", "-q", "-c", "side")
    repo.write("docs/other.md", "ours\n").commit("ours")
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--ff-only", "side")
    assert "docs/other.md" in told(guarded)


def test_a_new_file_beside_may_then_be_edited(guarded):
    guarded.repo.write("src/new.py", "x\n")
    told(guarded)
    assert guarded.write("src/new.py").stdout == b""
    refused = guarded.write("src/second.py")
    assert decision(refused) == "deny"
    assert b"as many new files as it allows are there: 1" in refused.stdout


def test_new_files_are_counted_over_all_looks(guarded):
    guarded.repo.write("src/new.py", "x\n")
    assert told(guarded) is None
    guarded.repo.write("src/other.py", "x\n")
    assert "added src/other.py (new: 2 new files beside the allowed ones, the budget is 1)" in told(guarded)
    guarded.repo.delete("src/other.py")
    assert told(guarded) is None


def test_what_tools_leave_behind_is_told_where_git_holds_it(guarded):
    cache = "src/gen/__pycache__/a.pyc"
    guarded.repo.write(cache, "x\n").write(".pytest_cache/v/x", "x\n").write("x/__pycache__/b.pyc", "x\n")
    assert told(guarded) is None
    guarded.repo.git("add", "-f", cache)
    guarded.repo.write(cache, "y\n")
    assert f"added {cache}" in told(guarded)


def test_without_a_boundary_and_without_the_package_it_is_silent(guarded):
    guarded.repo.write("README.md", "changed\n")
    rules = json.loads(guarded.rules.read_text())
    rules["branches"]["/main"]["slow"] = "/nowhere/python"
    guarded.rules.write_text(json.dumps(rules))
    assert told(guarded) is None
    assert guarded.facts()[-1].data["rule"] == "unread"
    guarded.rules.unlink()
    assert told(guarded) is None


def test_denied_and_then_changed_all_the_same_is_a_bypass(guarded):  # E2
    guarded.write("README.md", session_id="s1")
    guarded.repo.write("README.md", "changed\n").write("other.txt", "x\n")
    done = guarded.after("Bash", {"command": "make"}, session_id="s1")
    assert b"README.md had been denied: recorded as a bypass." in done.stdout
    bypasses = [fact for fact in guarded.facts() if fact.kind == "bypass"]
    assert [(fact.data["path"], fact.task) for fact in bypasses] == [("README.md", "t1")]


def test_a_new_file_stays_the_runs_own_when_the_rules_are_written_again(guarded):
    guarded.repo.write("src/new.py", "x\n")
    told(guarded)
    fresh = json.loads(guarded.rules.read_text())
    fresh["branches"]["/main"]["made"] = []
    hook_files.write_rules(guarded.rules, fresh)
    assert decision(guarded.write("src/new.py")) is None
    fresh["branches"]["/main"] |= {"boundary": "another", "made": []}
    hook_files.write_rules(guarded.rules, fresh)
    assert decision(guarded.write("src/new.py")) == "deny"


def test_many_at_once_lose_no_line_and_do_not_queue(guarded):
    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda n: guarded.write("README.md", session_id=f"many-{n}"), range(40)))
    assert {decision(each) for each in answers} == {"deny"}
    assert len({fact.data["session"] for fact in guarded.facts() if fact.kind == "touch"}) == 40
    guarded.repo.write("README.md", "changed\n")
    with ThreadPoolExecutor(12) as pool:
        looks = list(pool.map(lambda _: guarded.after("Bash", {"command": "x"}), range(12)))
    assert {each.returncode for each in looks} == {0}
    assert sum(b"README.md" in each.stdout for each in looks) == 1


def test_a_look_that_waits_already_sees_for_the_others(guarded):
    guarded.repo.write("README.md", "changed\n")
    seen = guarded.home / "guard" / "seen"
    with (seen / "main.next").open("w") as waiting:
        fcntl.flock(waiting, fcntl.LOCK_EX)
        assert told(guarded) is None
    assert "README.md" in told(guarded)
