"""Work found again after every kind of rewrite, in every layout, never another one's; what undid it (H1, H2, H7)."""

from __future__ import annotations

import pytest

from passdown.workspace import lineage
from passdown.workspace.lineage import Work
from passdown.workspace.place import find_place

BASE = "".join(f"line {n}\n" for n in range(40))


def begin(make_repo, layout):
    """The repository that the work is done in, over a base of its own, and its main worktree."""
    repo = make_repo(object_format="sha256") if layout == "sha256" else make_repo()
    repo.write("src/a.py", BASE).write("src/b.py", BASE).write("docs/x.md", "hello\n").commit("Base")
    if layout == "linked worktree":
        return repo, repo.worktree("work-tree", "work")
    return repo, repo.branch("work")


def do_work(work, layout):
    """Two files changed and one made; the work as it was sealed. In one commit, in three, or not committed yet."""
    over = work.head
    work.replace("src/a.py", "line 5\n", "line five\nand a half of it\n")
    if layout == "three commits":
        work.commit("Five")
    work.replace("src/b.py", "line 30\n", "line thirty\n")
    if layout == "three commits":
        work.commit("Thirty")
    work.write("src/new.py", "def found():\n    return 'again'\n")
    committed = layout != "not committed"
    if committed:
        work.commit("The work")
    tree = work.git("write-tree") if committed else work.stage().git("write-tree")
    before = work.git("rev-parse", f"{over}^{{tree}}")
    return Work("w", before, tree, over, work.head if committed else None)


def theirs(repo, *, conflict=False):
    """Somebody else's commit on main, elsewhere in the same files or on the same lines."""
    on_main = repo.git("branch", "--show-current") == "main"
    if not on_main:
        repo.switch("main")
    repo.replace("src/a.py", "line 5\n" if conflict else "line 20\n", "line THEIRS\n").commit("Theirs")
    return repo


def finish(work):
    """What was not committed is."""
    if work.git("status", "--porcelain"):
        work.commit("The work")
    return work


def untouched(_repo, work):
    return finish(work).head


def amend(_repo, work):
    finish(work).git("commit", "-q", "--amend", "-m", "Another subject")
    return work.head


def amend_more(_repo, work):
    finish(work).write("docs/x.md", "hello\nand more\n").stage().git("commit", "-q", "--amend", "--no-edit")
    return work.head


def rebase(repo, work):
    finish(work)
    theirs(_main(repo, work))
    _work(repo, work).git("rebase", "-q", "main")
    return work.head


def rebase_with_a_conflict(repo, work):
    finish(work)
    theirs(_main(repo, work), conflict=True)
    work = _work(repo, work)
    work.run("git", "rebase", "-q", "main")
    text = work.read("src/a.py")
    if "<<<<<<<" in text:
        start, end = text.index("<<<<<<<"), text.index(">>>>>>>")
        resolved = text[:start] + "line THEIRS\nline five\nand a half of it\n" + text[text.index("\n", end) + 1 :]
        work.write("src/a.py", resolved).stage()
        work.git("-c", "core.editor=true", "rebase", "--continue")
    return work.head


def squash(repo, work):
    finish(work)
    main = theirs(_main(repo, work))
    main.git("merge", "-q", "--squash", "work")
    main.commit("Retry billing (#12)")
    return main.head


def squash_without_others(repo, work):
    finish(work)
    main = _main(repo, work)
    main.git("merge", "-q", "--squash", "work")
    main.commit("Retry billing")
    return main.head


def merge(repo, work):
    finish(work)
    main = theirs(_main(repo, work))
    main.git("merge", "-q", "--no-ff", "-m", "Merge", "work")
    return main.head


def fast_forward(repo, work):
    finish(work)
    main = _main(repo, work)
    main.git("merge", "-q", "--ff-only", "work")
    return main.commit("After").head


def cherry_pick(repo, work):
    finish(work)
    main = theirs(_main(repo, work))
    main.git("cherry-pick", "--allow-empty", "main..work")
    return main.head


def filter_authors(_repo, work):
    finish(work)
    command = "GIT_COMMITTER_EMAIL=other@example.com; GIT_AUTHOR_EMAIL=other@example.com"
    env = {"FILTER_BRANCH_SQUELCH_WARNING": "1"}
    work.git("filter-branch", "-f", "--env-filter", command, "work", env=env)
    return work.head


def filter_a_path(_repo, work):
    finish(work)
    env = {"FILTER_BRANCH_SQUELCH_WARNING": "1"}
    work.git("filter-branch", "-f", "--index-filter", "git rm -q --cached --ignore-unmatch docs/x.md", "work", env=env)
    return work.head


def rename_the_branch(_repo, work):
    finish(work).git("branch", "-m", "work", "elsewhere")
    return work.head


def delete_the_branch(repo, work):
    head = squash(repo, work)
    if work.root == repo.root:
        repo.git("branch", "-D", "work")
    return head


def _main(repo, work):
    return repo.switch("main") if work.root == repo.root else repo


def _work(repo, work):
    return work.switch("work") if work.root == repo.root else work


REWRITES = {
    untouched: {"commit", "tree"},
    amend: {"tree"},
    amend_more: {"patch-id", "files"},
    rebase: {"patch-id", "files"},
    rebase_with_a_conflict: {"files"},
    squash: {"patch-id"},
    squash_without_others: {"tree", "patch-id"},
    merge: {"commit", "tree", "patch-id"},
    fast_forward: {"commit", "tree"},
    cherry_pick: {"patch-id", "files"},
    filter_authors: {"tree"},
    filter_a_path: {"patch-id", "files"},
    rename_the_branch: {"commit", "tree"},
    delete_the_branch: {"patch-id"},
}
LAYOUTS = ("one commit", "three commits", "not committed", "linked worktree", "sha256")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rewrite", REWRITES, ids=lambda rewrite: rewrite.__name__)
def test_work_is_found_again_and_says_by_which_rule(make_repo, rewrite, layout):
    repo, work = begin(make_repo, layout)
    sealed = do_work(work, layout)
    tip = rewrite(repo, work)
    other = Work("other", sealed.before, sealed.before, sealed.over)  # a task that changed nothing is nowhere
    found = lineage.find(find_place(repo.root), [sealed, other], [tip])
    assert found.keys() == {"w"}
    assert found["w"].rule in REWRITES[rewrite], found
    assert found["w"].undone is None


@pytest.mark.parametrize("layout", LAYOUTS)
def test_work_that_nobody_took_is_nowhere(make_repo, layout):
    repo, work = begin(make_repo, layout)
    sealed = do_work(work, layout)
    finish(work)
    main = theirs(_main(repo, work))
    assert lineage.find(find_place(repo.root), [sealed], [main.head]) == {}


def revert_each(main, commits):
    for commit in commits:
        main.git("revert", "--no-edit", commit)


def revert_without_a_word(main, commits):
    revert_each(main, commits)
    main.git("reset", "-q", "--soft", f"HEAD~{len(commits)}")
    main.commit("Go back")


def rewrite_the_lines(main, _commits):
    main.write("src/a.py", BASE).write("src/b.py", BASE).delete("src/new.py").commit("Start over")


@pytest.mark.parametrize(
    ("how", "told"),
    [(revert_each, "git revert"), (revert_without_a_word, "git revert"), (rewrite_the_lines, "git revert")],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_what_took_it_back_is_noticed(make_repo, how, told):
    repo, work = begin(make_repo, "one commit")
    sealed = do_work(work, "one commit")
    main = theirs(_main(repo, work)) if how is not rewrite_the_lines else _main(repo, work)
    main.git("cherry-pick", "main..work")
    how(main, [main.head])
    found = lineage.find(find_place(repo.root), [sealed], [main.head])
    assert found["w"].undone is not None
    assert (found["w"].undone.how, found["w"].undone.commit) == (told, main.head)


def test_a_revert_that_was_reverted_took_nothing_back(make_repo):
    repo, work = begin(make_repo, "one commit")
    sealed = do_work(work, "one commit")
    main = theirs(_main(repo, work))
    main.git("cherry-pick", "main..work")
    main.git("revert", "--no-edit", "HEAD")
    main.git("revert", "--no-edit", "HEAD")
    assert lineage.find(find_place(repo.root), [sealed], [main.head])["w"].undone is None


def test_hunks_that_later_work_removed_are_noticed_and_one_that_is_left_is_not(make_repo):
    repo, work = begin(make_repo, "one commit")
    sealed = do_work(work, "one commit")
    main = _main(repo, work)
    main.git("merge", "-q", "--ff-only", "work")
    main.replace("src/a.py", "line five\nand a half of it\n", "line V\n").replace("src/b.py", "line thirty\n", "XXX\n")
    main.commit("Roman")
    place = find_place(repo.root)
    assert lineage.find(place, [sealed], [main.head])["w"].undone is None
    main.write("src/new.py", "pass\n").commit("And the last")
    undone = lineage.find(find_place(repo.root), [sealed], [main.head])["w"].undone
    assert (undone.how, undone.commit) == ("hunks removed", main.head)


def test_a_commit_that_only_claims_to_revert_takes_nothing_back(make_repo):
    repo, work = begin(make_repo, "one commit")
    sealed = do_work(work, "one commit")
    main = _main(repo, work)
    main.git("merge", "-q", "--ff-only", "work")
    main.write("docs/x.md", "else\n").commit(f"Docs\n\nThis reverts commit {main.head}.")
    assert lineage.find(find_place(repo.root), [sealed], [main.head])["w"].undone is None


@pytest.mark.parametrize("alike", ["the same file", "nearly the same lines", "exactly the same"])
def test_two_works_alike_are_never_taken_for_each_other(make_repo, alike):
    """One of the two landed, by a rebase with other lines around it."""
    repo, _ = begin(make_repo, "one commit")
    repo.switch("main")
    text = {
        "the same file": ("line ten\nis mine\n", "line twenty\nis mine too\n"),
        "nearly the same lines": ("line ten\nis mine\nand a third\n", "line ten\nis mine\nand a fourth\n"),
        "exactly the same": ("line ten\n", "line ten\n"),
    }[alike]
    works = []
    olds = ("line 10\n", "line 20\n" if alike == "the same file" else "line 10\n")
    for name, old, new in zip("ab", olds, text, strict=True):
        repo.branch(name, "main").replace("src/a.py", old, new).commit(name)
        over = repo.git("rev-parse", "main")
        works.append(
            Work(name, repo.git("rev-parse", f"{over}^{{tree}}"), repo.git("rev-parse", "HEAD^{tree}"), over, repo.head)
        )
    repo.switch("main").replace("src/b.py", "line 1\n", "line one\n").commit("Theirs")
    repo.git("cherry-pick", "a")
    found = lineage.find(find_place(repo.root), works, [repo.head])
    assert found.keys() == ({"a"} if alike != "exactly the same" else set())


@pytest.mark.parametrize("name", ["café.py", "tab\there.py", 'quo"te.py', "new\nline.py", "设计.py", " lead.py"])
def test_paths_of_every_kind(make_repo, name):
    repo, work = begin(make_repo, "one commit")
    over = work.head
    work.write(name, "one line of it\n").commit("The work")
    sealed = Work("w", work.git("rev-parse", f"{over}^{{tree}}"), work.git("rev-parse", "HEAD^{tree}"), over, work.head)
    main = theirs(_main(repo, work))
    main.git("cherry-pick", "main..work")
    assert lineage.find(find_place(repo.root), [sealed], [main.head])["w"].rule == "patch-id"
    main.write(name, "gone\n").commit("Other")
    assert lineage.find(find_place(repo.root), [sealed], [main.head])["w"].undone.how == "hunks removed"


@pytest.mark.parametrize("content", [b"\0\1\2binary", b"", b"-- a line that looks like a header\n++ and another\n"])
def test_contents_of_every_kind(make_repo, content):
    repo, work = begin(make_repo, "one commit")
    over = work.head
    work.write("src/odd.bin", content).commit("The work")
    sealed = Work("w", work.git("rev-parse", f"{over}^{{tree}}"), work.git("rev-parse", "HEAD^{tree}"), over, work.head)
    main = theirs(_main(repo, work))
    main.git("cherry-pick", "main..work")
    assert lineage.find(find_place(repo.root), [sealed], [main.head])["w"].rule == "patch-id"
    main.git("revert", "--no-edit", "HEAD")
    assert lineage.find(find_place(repo.root), [sealed], [main.head])["w"].undone.how == "git revert"


def test_trees_that_are_not_here_are_found_by_id_alone(make_repo):
    repo, work = begin(make_repo, "one commit")
    sealed = do_work(work, "one commit")
    gone = Work("gone", "0" * 39 + "1", "0" * 39 + "2", sealed.over)
    assert lineage.find(find_place(repo.root), [sealed, gone], [work.head]).keys() == {"w"}
