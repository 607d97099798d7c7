"""What a run or a range changed, gathered commit by commit, staged and in sum, and judged by the one engine."""

from __future__ import annotations

import pytest

from passdown.errors import PassdownError
from passdown.guard.judge_work import judge_work
from passdown.guard.work import Start, between, since
from passdown.model.boundary import Boundary, Budget, Entry
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take


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
    return Start(take(place).tree, place.head)


def outside(repo, start, bound=INSIDE, upstream=()):
    place = find_place(repo.root)
    work = since(place, start, take(place), upstream)
    judgement = judge_work(place, bound, work)
    return [violation.path for violation in judgement.violations], judgement


@pytest.fixture
def work(repo):
    return (
        repo.write("src/a.py", "a\n").write("docs/d.md", "d\n").write("lib/l.py", "l\n").commit("Files").branch("work")
    )


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
    work.switch("main").write("docs/d.md", "theirs\n").write("new/t.py", "theirs\n").commit("Theirs").switch("work")
    work.git("merge", "-q", "--no-edit", "main")
    paths, judgement = outside(work, start, upstream=[work.git("rev-parse", "main")])
    assert paths == []
    assert any("not counted as this work" in note for note in judgement.notes)


def test_what_a_merge_itself_changes_is_a_touch(work):
    """H7: an evil merge."""
    start = begin(work)
    work.switch("main").write("docs/d.md", "theirs\n").commit("Theirs").switch("work")
    work.git("merge", "-q", "--no-commit", "--no-ff", "main")
    work.write("docs/d.md", "mine\n").write("lib/l.py", "mine\n").commit("Merge")
    assert sorted(set(outside(work, start, upstream=[work.git("rev-parse", "main")])[0])) == ["docs/d.md", "lib/l.py"]


def test_an_edit_after_the_merge_to_a_file_that_it_brought_is_a_touch(work):
    start = begin(work)
    work.switch("main").write("docs/d.md", "theirs\n").commit("Theirs").switch("work")
    work.git("merge", "-q", "--no-edit", "main")
    work.write("docs/d.md", "mine\n")
    assert outside(work, start, upstream=[work.git("rev-parse", "main")])[0] == ["docs/d.md"]


def test_a_side_branch_of_this_work_does_not_hide_its_commits(work):
    """E3: merging one's own branch is no way round the boundary."""
    start = begin(work)
    work.branch("side").write("docs/d.md", "x\n").commit("Stray").switch("work")
    work.write("src/a.py", "b\n").commit("Inside")
    work.git("merge", "-q", "--no-edit", "side")
    assert outside(work, start)[0] == ["docs/d.md"]


def test_a_rebase_onto_the_base_does_not_count_the_base_s_commits(work):
    """H1, C15."""
    start = begin(work)
    work.write("src/a.py", "b\n").commit("Inside")
    work.switch("main").write("docs/d.md", "theirs\n").commit("Theirs").switch("work")
    work.git("rebase", "-q", "main")
    main = work.git("rev-parse", "main")
    paths, _ = outside(work, start, upstream=[main])
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
    work.switch("main").write("docs/d.md", "theirs\n").commit("Theirs").switch("work")
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
