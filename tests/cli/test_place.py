"""Where a packet does not fit the place: each HOLD names the command that leads there (F2-F4, F10, C15)."""

from __future__ import annotations

import re
import shlex
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from support.process import PASSDOWN, run
from support.repo import Repo


@pytest.fixture
def packed(make_repo: Callable[..., Repo]) -> Repo:
    repo = make_repo("repo").write("src/a.py", "".join(f"line {n}\n" for n in range(40))).write("b.py", "b\n")
    repo.commit("Begin").branch("retry").replace("src/a.py", "line 20", "line twenty")
    repo.passdown("pack", "--goal", "make it work", "--no-check").check()
    return repo


def name_of(repo: Repo) -> str:
    return str(repo.passdown("show", "--json").check().json()["packet"])[:7]


def lifts(repo: Repo, name: str) -> str:
    """The first way that the screen of the HOLD names."""
    said = repo.passdown("resume", name, "--no-check", env={"COLUMNS": "400"}).check(1).out
    return next(line.removeprefix("Lift   ") for line in said.splitlines() if line.startswith("Lift"))


def follow(repo: Repo, way: str) -> Repo:
    """Type the command in a shell, `passdown resume` after it, and go where it leads."""
    script = f"{way.replace('passdown ', PASSDOWN + ' ', 1)} >&2 && {PASSDOWN} resume --no-check >&2 && pwd"
    done = run(["sh", "-c", script], repo.root)
    assert done.code == 0, f"{way}\n{done.out}{done.err}"
    return Repo(Path(done.out.splitlines()[-1]))


def switched(repo: Repo) -> Repo:
    repo.commit("Save").passdown("pack", "--no-check").check()
    return repo.switch("main")


def renamed(repo: Repo) -> Repo:
    switched(repo).git("branch", "-m", "retry", "other")
    return repo


def detached(repo: Repo) -> Repo:
    switched(repo).git("switch", "-q", "--detach")
    return repo


def sealed_detached(repo: Repo) -> Repo:
    repo.commit("Save").git("switch", "-q", "--detach")
    repo.write("b.py", "c\n").passdown("pack", "--goal", "more", "--no-check").check()
    repo.commit("Saved").git("switch", "-q", "main")
    return repo


def another_worktree(repo: Repo) -> Repo:
    return repo.worktree("with space", "spaced")


def deleted_worktree(repo: Repo) -> Repo:
    side = repo.worktree("side")
    side.write("src/a.py", "x\n").passdown("pack", "--goal", "other", "--no-check").check()
    repo.git("worktree", "remove", "--force", side.root)
    return repo


def rebasing(repo: Repo) -> Repo:
    switched(repo).replace("src/a.py", "line 20\n", "line XX\n").commit("Theirs").switch("retry")
    repo.git("rebase", "-q", "main", code=1)
    return repo


def bisecting(repo: Repo) -> Repo:
    repo.commit("One").write("b.py", "c\n").commit("Two").passdown("pack", "--no-check").check()
    repo.git("bisect", "start", "HEAD", "HEAD~2")
    return repo


def merging_elsewhere(repo: Repo) -> Repo:
    switched(repo).replace("src/a.py", "line 20\n", "line XX\n").commit("Theirs")
    repo.git("merge", "-q", "retry", code=1)
    return repo


def branch_held(repo: Repo) -> Repo:
    switched(repo).git("worktree", "add", "-q", repo.root.parent / "of it", "retry")
    return repo


PLACES = [
    *(switched, renamed, detached, sealed_detached, another_worktree, deleted_worktree),
    *(rebasing, bisecting, merging_elsewhere, branch_held),
]


@pytest.mark.parametrize("go", PLACES, ids=lambda go: go.__name__)
def test_the_command_that_the_screen_names_leads_there(packed: Repo, go: Callable[[Repo], Repo]):
    here = go(packed)
    events = here.passdown("log", name_of_newest(here)).check().out
    name = re.findall(r"([0-9a-f]{7})  packed", events)[-1]
    if go is sealed_detached:  # the commit came after: nothing but the sealed HEAD is known
        assert lifts(here, name).startswith("git switch --detach ")
        return
    follow(here, lifts(here, name).partition(", or")[0])


def name_of_newest(repo: Repo) -> str:
    folder = repo.path(".git")
    store = folder if folder.is_dir() else Path(folder.read_text().split()[1]).parents[1]
    with sqlite3.connect(store / "passdown/index.db") as index:
        return str(index.execute("select id from statements where type = 'packet' order by rowid desc").fetchone()[0])


@pytest.mark.parametrize("left", [False, True], ids=["empty", "with a file"])
def test_a_leftover_folder_is_not_taken_for_the_project_around_it(packed: Repo, left: bool):
    """F2."""
    packed.git("worktree", "add", "-q", "-b", "one", packed.path(".trees/one"))
    inner = Repo(packed.path(".trees/one"))
    inner.write("src/a.py", "x\n").passdown("pack", "--goal", "other", "--no-check").check()
    for path in ("src/a.py", "b.py", ".git"):
        inner.delete(path)
    inner.path("src").rmdir()
    if left:
        inner.write("build.log", "x\n")
    for name in ([], [name_of(packed)]):
        result = inner.passdown("resume", *name).check(2)
        assert "has lost its .git" in result.err
    way = result.err.splitlines()[-1].strip()
    script = way.replace("passdown ", f"{PASSDOWN} ") + " --no-check"
    done = run(["sh", "-c", script], inner.root)
    assert done.code == 0, done.out + done.err
    assert inner.read("src/a.py") == "x\n"
    assert inner.git("branch", "--show-current") == "one"
    inner.passdown("resume", "--no-check").check()


def test_a_submodule_names_the_project_around_it(packed: Repo, make_repo: Callable[..., Repo]):
    """F10."""
    sub = packed.submodule(make_repo("lib").write("lib.py", "x\n").commit(), "vendor/lib")
    said = sub.passdown("resume").check(2).err
    assert f"cd {shlex.quote(str(packed.root))}" in said


@pytest.fixture
def upstream(packed: Repo) -> Repo:
    """The branch with its work committed and pushed, and a base branch that can go on."""
    packed.commit("Work").remote()
    packed.git("branch", "-q", "--set-upstream-to=origin/main")
    packed.passdown("pack", "--no-check").check()
    return packed


def on_main(repo: Repo, *changes: tuple[str, str, str]) -> None:
    repo.switch("main")
    for path, old, new in changes:
        repo.replace(path, old, new).commit(f"Change {path}")
    repo.git("push", "-q", "origin", "main")
    repo.switch("retry")


def base_reason(repo: Repo) -> dict[str, str] | None:
    hold = repo.passdown("show", "--json").check().json()["hold"]
    return next((reason for reason in hold["reasons"] if reason["code"] == "base-drift"), None)


def test_conflicts_are_those_of_a_real_merge(upstream: Repo):
    """C15: commits are counted, hunks of one file that do not meet do not hold, those that do are named by line."""
    assert base_reason(upstream) is None
    on_main(upstream, ("src/a.py", "line 3\n", "line three\n"), ("b.py", "b\n", "B\n"))
    reason = base_reason(upstream)
    assert reason is not None
    assert reason["level"] == "watch"
    assert "2 new commits, touching src/a.py" in reason["fact"]
    assert len(upstream.git(*reason["reproduce"].split()[1:]).splitlines()) == 2
    on_main(upstream, ("src/a.py", "line 20\n", "line XX\n"))
    reason = base_reason(upstream)
    assert reason is not None
    by = upstream.git("rev-parse", "main")[:9]
    assert (reason["level"], reason["fact"]) == ("hold", f"the base changed the same lines: src/a.py:21 (last by {by})")
    upstream.passdown("resume", "--no-check").check(1)
    upstream.git(*reason["lifts"].partition(",")[0].split()[1:], code=1)
    upstream.git("checkout", "-q", "--ours", "src/a.py")
    upstream.commit("Merge main").passdown("pack", "--no-check").check()
    assert base_reason(upstream) is None
    upstream.passdown("resume", "--no-check").check()


def test_a_lifted_conflict_holds_again_when_the_base_changes_the_lines_anew(upstream: Repo):
    on_main(upstream, ("src/a.py", "line 20\n", "line XX\n"))
    upstream.passdown("lift", "--because", "mine stays").check()
    on_main(upstream, ("b.py", "b\n", "B\n"))
    assert base_reason(upstream) is None
    on_main(upstream, ("src/a.py", "line XX\n", "line YY\n"))
    assert (base_reason(upstream) or {})["level"] == "hold"


def test_in_the_midst_of_a_merge_the_way_is_to_end_it(upstream: Repo):
    on_main(upstream, ("src/a.py", "line 20\n", "line XX\n"))
    upstream.git("merge", "-q", "main", code=1)
    hold = upstream.passdown("resume", "--no-check", "--json").check(1).json()["hold"]
    told = {reason["code"]: reason for reason in hold["reasons"]}
    assert "in the midst of a merge" in told["tree-drift"]["fact"]
    assert told["base-drift"]["lifts"] == "git merge --continue, or git merge --abort, then passdown pack"


@pytest.mark.parametrize("way", ["git push -u origin retry", "git push"])
def test_the_push_that_is_named_works_and_is_seen(packed: Repo, way: str):
    packed.commit("Work").remote().git("update-ref", "-d", "refs/heads/retry")
    packed.git("update-ref", "-d", "refs/remotes/origin/retry")
    if way == "git push":
        packed.git("branch", "-q", "--set-upstream-to=origin/main")
        packed.git("config", "branch.retry.merge", "refs/heads/retry")
    packed.passdown("pack", "--no-check").check()
    named = [r["lifts"] for r in shown(packed) if r["code"] == "not-on-remote"]
    assert named == [way]
    packed.git(*way.split()[1:])
    assert "not-on-remote" not in [reason["code"] for reason in shown(packed)]


def shown(repo: Repo) -> list[dict[str, str]]:
    return repo.passdown("show", "--json").check().json()["hold"]["reasons"]


def test_what_was_merged_or_rebased_onto_is_no_drift(upstream: Repo):
    on_main(upstream, ("b.py", "b\n", "B\n"))
    assert base_reason(upstream) is not None
    upstream.git("merge", "-q", "--no-edit", "origin/main")
    assert base_reason(upstream) is None


@pytest.mark.parametrize(
    ("ours", "theirs", "conflict"),
    [
        ("delete", "line 20", True),
        ("new file", "same new file", False),
        ("new file", "other new file", True),
        ("mode", "line 3", False),
    ],
)
def test_other_kinds_of_conflict(upstream: Repo, ours: str, theirs: str, conflict: bool):
    if ours == "delete":
        upstream.delete("src/a.py")
    elif ours == "mode":
        upstream.executable("src/a.py")
    else:
        upstream.write("new.py", "x = 1\n")
    upstream.commit("Ours")
    upstream.switch("main")
    if "new" in theirs:
        upstream.write("new.py", "x = 1\n" if "same" in theirs else "y = 2\n").commit()
    else:
        upstream.replace("src/a.py", f"{theirs}\n", "theirs\n").commit()
    upstream.git("push", "-q", "origin", "main")
    upstream.switch("retry").passdown("pack", "--no-check").check()
    reason = base_reason(upstream)
    assert reason is not None
    assert (reason["level"] == "hold") is conflict, reason["fact"]
