"""What a run or a range changed, gathered commit by commit, staged and in sum, and judged by the one engine."""

from __future__ import annotations

import pytest

from passdown.errors import PassdownError
from passdown.guard.judge_work import judge_work
from passdown.guard.lineage import Start, Upstream
from passdown.guard.work import between, since
from passdown.model.boundary import Boundary, Budget, Entry
from passdown.workspace import reflog
from passdown.workspace.control import control_parts
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take
from support.repo import Repo


def boundary(*allow, deny=(), **budget):
    return Boundary(
        version=1,
        source="hand",
        allow=[Entry(id=f"B{i}", path=path, because="test") for i, path in enumerate(allow, 1)],
        deny=[Entry(id=f"N{i}", path=path, because="test") for i, path in enumerate(deny, 1)],
        budget=Budget(**budget),
    )


INSIDE = boundary("src/**")


def begin(repo):
    place = find_place(repo.root)
    return Start(take(place).tree, place.head, reflog.moves(place), known(repo), control_parts(place))


def known(repo, *prefixes):
    tips = repo.git(
        "for-each-ref", "--format=%(objectname) %(refname)", *prefixes or ("refs/heads/main", "refs/remotes")
    )
    return sorted({line.split()[0] for line in tips.splitlines() if not line.endswith("/HEAD")})


def outside(repo, start, bound=INSIDE):
    place = find_place(repo.root)
    upstream = Upstream(remote=known(repo, "refs/remotes"), local=known(repo, "refs/heads/main"))
    work = since(place, start, take(place), upstream)
    judgement = judge_work(place, bound, work)
    return [violation.path for violation in judgement.violations], judgement


@pytest.fixture
def work(repo):
    return (
        repo.write("src/a.py", "a\n").write("docs/d.md", "d\n").write("lib/l.py", "l\n").commit("Files").branch("work")
    )


def theirs(repo):
    """The base branch, checked out beside: where somebody else works."""
    path = repo.root.parent / "theirs"
    repo.git("worktree", "add", "-q", path, "main")
    return Repo(path.resolve(), repo._clock)


def test_nothing_changed_holds(work):
    assert outside(work, begin(work))[0] == []


@pytest.mark.parametrize(
    ("change", "paths"),
    [
        (lambda r: r.write("src/a.py", "b\n"), []),
        (lambda r: r.write("src/new.py", "b\n"), []),
        (lambda r: r.write("docs/d.md", "x\n"), ["docs/d.md"]),
        (lambda r: r.write("untracked.txt", "x\n"), ["untracked.txt"]),
        (lambda r: r.delete("docs/d.md"), ["docs/d.md"]),
        (lambda r: r.executable("lib/l.py"), ["lib/l.py"]),
        (lambda r: r.delete("docs/d.md").link("docs/d.md", "../src/a.py"), ["docs/d.md"]),
        (lambda r: r.link("src/out", "../lib"), ["src/out"]),
        (lambda r: r.link("src/away", "/etc"), ["src/away"]),
        (lambda r: r.write("src/A.py", "x\n"), ["src/A.py"]),
        (lambda r: r.git("mv", "lib/l.py", "src/l.py"), ["lib/l.py"]),
        (lambda r: r.write("docs/café 设计\t.md", "x\n"), ["docs/café 设计\t.md"]),
    ],
    ids=[
        "edit",
        "new",
        "edit-out",
        "untracked",
        "delete",
        "mode",
        "type",
        "escape",
        "absolute",
        "case",
        "rename",
        "odd",
    ],
)
@pytest.mark.parametrize("committed", [False, True])
def test_every_kind_of_change_is_seen_however_it_was_written(work, change, paths, committed):
    """L2, L3, D8: index, worktree and commits are judged together; a rename counts at both ends."""
    start = begin(work)
    change(work)
    if committed:
        work.commit("Work")
    found, _ = outside(work, start)
    assert sorted(set(found)) == paths


def test_bytes_that_are_not_utf8(work):
    start = begin(work)
    work.write(b"docs/\xff\xfe.md", "x\n")
    assert outside(work, start)[0] == ["docs/\udcff\udcfe.md"]


def test_an_outside_change_that_a_later_commit_took_back_is_told_with_its_commit(work):
    start = begin(work)
    work.write("docs/d.md", "x\n").commit("Stray").write("docs/d.md", "d\n").commit("Take it back")
    paths, judgement = outside(work, start)
    assert paths == ["docs/d.md"]
    assert "Stray" in judgement.violations[0].because


def test_what_is_only_staged_is_judged(work):
    """The index counts too: a commit would carry it."""
    start = begin(work)
    work.write("docs/d.md", "x\n").stage()
    work.write("docs/d.md", "d\n")
    paths, judgement = outside(work, start)
    assert paths == ["docs/d.md"]
    assert "(staged)" in judgement.violations[0].because


def test_a_staged_self_revert_is_told(work):
    """D6: old content staged over the fix that the worktree holds."""
    start = begin(work)
    work.write("src/a.py", "fixed\n").commit("Fix")
    work.git("checkout", start.head, "--", "src/a.py")
    work.write("src/a.py", "fixed\n")
    _, judgement = outside(work, start)
    assert any("self-revert staged: src/a.py" in note for note in judgement.notes)


def test_files_that_a_merge_from_the_base_brings_are_no_touches(work):
    """H7."""
    start = begin(work)
    work.write("src/a.py", "b\n").commit("Inside")
    theirs(work).write("docs/d.md", "theirs\n").write("new/t.py", "theirs\n").commit("Theirs")
    work.git("merge", "-q", "--no-edit", "main")
    paths, judgement = outside(work, start)
    assert paths == []
    assert any("not counted as this work" in note for note in judgement.notes)


def test_what_a_merge_itself_changes_is_a_touch(work):
    """H7: an evil merge."""
    start = begin(work)
    theirs(work).write("docs/d.md", "theirs\n").commit("Theirs")
    work.git("merge", "-q", "--no-commit", "--no-ff", "main")
    work.write("docs/d.md", "mine\n").write("lib/l.py", "mine\n").commit("Merge")
    assert sorted(set(outside(work, start)[0])) == ["docs/d.md", "lib/l.py"]


def test_an_edit_after_the_merge_to_a_file_that_it_brought_is_a_touch(work):
    start = begin(work)
    theirs(work).write("docs/d.md", "theirs\n").commit("Theirs")
    work.git("merge", "-q", "--no-edit", "main")
    work.write("docs/d.md", "mine\n")
    assert outside(work, start)[0] == ["docs/d.md"]


def test_a_side_branch_of_this_work_does_not_hide_its_commits(work):
    """E3: merging one's own branch is no way round the boundary."""
    start = begin(work)
    work.branch("side").write("docs/d.md", "x\n").commit("Stray").switch("work")
    work.write("src/a.py", "b\n").commit("Inside")
    work.git("merge", "-q", "--no-edit", "side")
    assert outside(work, start)[0] == ["docs/d.md"]


BACK = "git reset -q --hard HEAD~"
HIDING = {
    "branch": "git branch -f main HEAD",
    "remote-ref": "git update-ref refs/remotes/origin/main HEAD",
    "ff": "git switch -q main; git merge -q work; git switch -q work",
    "main": f"{BACK}; git switch -q main; git cherry-pick work@{{1}}; git switch -q work; git merge -q main",
    "older": f"{BACK}; git switch -q -c old HEAD~; git cherry-pick work@{{1}}; git switch -q work; git merge -q old",
    "orphan": f"{BACK}; git switch -q --orphan o; echo x > docs.md; git add docs.md; git commit -qm o;"
    " git switch -q work; git merge -q --allow-unrelated-histories o",
}


@pytest.mark.parametrize(
    ("hide", "remote"),
    [*((hide, remote) for hide in HIDING.values() for remote in (False, True)), ("git push -q origin HEAD:main", True)],
)
def test_a_run_cannot_call_its_own_commits_somebody_else_s(work, hide, remote):
    """E11: the refs that say what the base branch has are the run's to move."""
    if remote:
        work.remote()
        work.git("push", "-q", "origin", "main")
    work.write("src/a.py", "b\n").commit("Inside")
    start = begin(work)
    work.write("docs/d.md", "x\n").commit("Stray")
    work.run("sh", "-ec", hide, env={"GIT_MERGE_AUTOEDIT": "no"}).check()
    assert set(outside(work, start)[0]) & {"docs/d.md", "docs.md"}


def test_a_merge_that_drops_what_the_base_changed_is_a_touch(work):
    """`merge -s ours` leaves no trace in its own diff."""
    start = begin(work)
    theirs(work).write("docs/d.md", "theirs\n").commit("Theirs")
    work.git("merge", "-q", "--no-edit", "-s", "ours", "main")
    assert outside(work, start)[0] == ["docs/d.md"]


@pytest.mark.parametrize(
    ("script", "part"),
    [
        ("printf '#!/bin/sh\n' > .git/hooks/pre-commit", ".git/hooks"),
        ("git config core.fsmonitor evil", ".git/config core.fsmonitor"),
        ("echo x >> .git/info/exclude", ".git/info"),
        ("git reflog expire --expire=now --all", ".git/logs/HEAD"),
    ],
)
def test_git_s_own_files_are_outside_whatever_the_boundary_says(work, script, part):
    """E11: no tree shows them."""
    start = begin(work)
    work.run("sh", "-ec", script).check()
    assert outside(work, start, boundary("**"))[0] == [part]


def test_what_branches_write_in_the_settings_is_no_touch(work):
    work.remote()
    start = begin(work)
    work.git("push", "-q", "-u", "origin", "work")
    work.git("switch", "-q", "-c", "other")
    work.git("switch", "-q", "work")
    assert outside(work, start)[0] == []


def test_a_rebase_onto_the_base_does_not_count_the_base_s_commits(work):
    """H1, C15."""
    start = begin(work)
    work.write("src/a.py", "b\n").commit("Inside")
    theirs(work).write("docs/d.md", "theirs\n").commit("Theirs")
    work.git("rebase", "-q", "main")
    paths, _ = outside(work, start)
    assert paths == []


def test_what_was_dirty_before_is_no_touch(work):
    """D2, D9."""
    work.write("docs/d.md", "somebody's\n")
    start = begin(work)
    work.write("src/a.py", "b\n")
    assert outside(work, start)[0] == []
    work.write("docs/d.md", "agent's\n")
    assert outside(work, start)[0] == ["docs/d.md"]


def test_deny_wins(work):
    start = begin(work)
    work.write("src/auth/token.py", "x\n")
    paths, judgement = outside(work, start, boundary("src/**", deny=["src/auth/**"]))
    assert (paths, judgement.violations[0].rule) == (["src/auth/token.py"], "N1")


def test_limits_bound_the_whole_work_and_not_each_commit(work):
    start = begin(work)
    for name in ("b", "c"):
        work.write(f"src/{name}.py", "x\n").commit(name)
    _, judgement = outside(work, start, boundary("src/**", files=1))
    assert [violation.rule for violation in judgement.violations] == ["budget-files"]


def test_no_commit_yet(make_repo):
    repo = make_repo().write("src/a.py", "a\n")
    start = begin(repo)
    repo.write("docs/d.md", "x\n")
    assert outside(repo, start)[0] == ["docs/d.md"]
    repo.commit("First")
    assert "docs/d.md" in outside(repo, start)[0]


def test_a_linked_worktree_judges_its_own(work):
    """F2, F3."""
    other = work.worktree("other")
    start = begin(other)
    work.write("docs/d.md", "x\n").commit("Elsewhere")
    assert outside(other, start)[0] == []
    other.write("docs/d.md", "y\n")
    assert outside(other, start)[0] == ["docs/d.md"]


def judged_range(repo, base, head, bound=INSIDE):
    place = find_place(repo.root)
    work = between(place, repo.git("rev-parse", base), repo.git("rev-parse", head))
    return [violation.path for violation in judge_work(place, bound, work).violations]


def test_a_range_is_judged_by_its_own_trees_and_not_by_the_worktree(work):
    """A22."""
    work.write("src/a.py", "b\n").commit("Inside")
    work.write("docs/d.md", "dirty\n")
    assert judged_range(work, "main", "work") == []
    work.commit("Outside").switch("main")
    assert judged_range(work, "main", "work") == ["docs/d.md"]


def test_a_range_leaves_out_what_a_merge_from_the_base_brings(work):
    """H7."""
    work.write("src/a.py", "b\n").commit("Inside")
    theirs(work).write("docs/d.md", "theirs\n").commit("Theirs")
    work.git("merge", "-q", "--no-edit", "main")
    assert judged_range(work, "main", "work") == []


def test_a_range_shows_a_commit_that_was_taken_back(work):
    work.write("docs/d.md", "x\n").commit("Stray")
    work.git("revert", "--no-edit", "HEAD")
    assert set(judged_range(work, "main", "work")) == {"docs/d.md"}


def test_unrelated_histories_can_not_be_decided(work):
    work.git("checkout", "-q", "--orphan", "other")
    work.commit("Other root")
    with pytest.raises(PassdownError) as error:
        judged_range(work, "main", "other")
    assert error.value.code == 3
