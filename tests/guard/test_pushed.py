"""What leaves a clone without being HEAD's: refused as it is pushed, and found afterwards where a remote has it."""

from __future__ import annotations

import stat

import pytest

from passdown.guard import git_hooks
from passdown.workspace.place import find_place
from support.guarded import Guarded
from support.process import run

TREE = (
    "GIT_INDEX_FILE=../i git read-tree HEAD; GIT_INDEX_FILE=../i git update-index --cacheinfo "
    "100644,$(echo bye | git hash-object -w --stdin),README.md; T=$(GIT_INDEX_FILE=../i git write-tree); "
)
MADE = TREE + "C=$(git commit-tree -p HEAD -m x $T); "
COMMITTED = "echo bye > README.md; git commit -qanm x; C=$(git rev-parse HEAD); git reset -q --hard HEAD~1; "
WAYS = {
    "no worktree made it": MADE + "git push -q {n} origin $C:refs/heads/main",
    "under another name": MADE + "git push -q {n} origin $C:refs/heads/other",
    "a chain of two": MADE + "C=$(git commit-tree -p $C -m y $T); git push -q {n} origin $C:refs/heads/other",
    "committed, pushed, taken back": COMMITTED + "git push -q {n} origin $C:refs/heads/main",
    "amended after": "echo bye > README.md; git commit -qanm x; git push -q {n} origin main; "
    "git checkout -q HEAD~1 -- README.md; git commit -qnm y --amend --allow-empty",
}
BY_ADDRESS = {
    "by address": MADE + "git push -q {n} ../remote.git $C:refs/heads/other",
    "by a tag": MADE + "git tag -am t v1 $C; git push -q {n} origin v1",
}


@pytest.fixture
def repo(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    run(["git", "init", "-q", "--bare", repo.root.parent / "remote.git"], repo.root).check()
    repo.git("remote", "add", "origin", "../remote.git")
    repo.git("push", "-q", "-u", "origin", "main")
    Guarded(repo)
    git_hooks.install(find_place(repo.root))
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    return repo


def shell(repo, line):
    return run(["bash", "-ec", line], repo.root)


def at_remote(repo):
    return repo.git("ls-remote", "origin", "refs/heads/*")


@pytest.mark.parametrize("way", WAYS | BY_ADDRESS)
def test_it_is_refused_as_it_is_pushed(repo, way):
    before = at_remote(repo)
    done = shell(repo, (WAYS | BY_ADDRESS)[way].format(n=""))
    assert done.code != 0
    assert "commits to be pushed reach outside" in done.err
    assert "modified README.md" in done.err
    assert at_remote(repo) == before


@pytest.mark.parametrize("way", WAYS)
def test_past_the_hook_it_is_found_where_the_remote_has_it(repo, way):
    shell(repo, WAYS[way].format(n="--no-verify")).check()
    found = repo.passdown("verify", "--json").check(1).json()["violations"]
    assert [each["path"] for each in found] == ["README.md"]
    assert "(pushed: commit " in found[0]["because"]


OTHER = "git switch -q -c other; echo x > x.md; git add x.md; git commit -qnm x"
OTHERS = {
    "a branch made before": (f"{OTHER}; git switch -q main", ""),
    "a branch made in another worktree": ("", f"git worktree add -q --detach ../w; cd ../w; {OTHER}"),
    "a branch that somebody else made": (
        f"git clone -q ../remote.git ../c; cd ../c; {OTHER}; git push -q origin other",
        "git fetch -q; git branch -q other origin/other",
    ),
    "a branch that a person worked on meanwhile": ("", f"{OTHER}; git switch -q main"),
    "this branch's own": ("", "echo 'a = 2' > src/a.py; git commit -qam x; git branch -f other"),
}


@pytest.mark.parametrize("way", OTHERS)
def test_what_others_made_is_pushed_and_holds(make_repo, way):
    before, after = OTHERS[way]
    repo = make_repo().write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    run(["git", "init", "-q", "--bare", repo.root.parent / "remote.git"], repo.root).check()
    repo.git("remote", "add", "origin", "../remote.git")
    repo.git("push", "-q", "-u", "origin", "main")
    shell(repo, before).check()
    Guarded(repo)
    git_hooks.install(find_place(repo.root))
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    shell(repo, after).check()
    shell(repo, "git push -q origin other main").check()
    assert repo.passdown("verify", "--json").check().json()["violations"] == []


def test_a_hook_that_was_there_still_reads_what_is_pushed(repo):
    hook = repo.root / ".git" / "hooks" / "pre-push"
    git_hooks.remove(find_place(repo.root))
    repo.write(".git/hooks/pre-push", "#!/bin/sh\nset -eu\ncat > ../told\n", mode=0o755)
    git_hooks.install(find_place(repo.root))
    assert hook.stat().st_mode & stat.S_IXUSR
    repo.write("src/a.py", "a = 2\n").commit("mine")
    repo.git("push", "-q", "origin", "main")
    head = repo.git("rev-parse", "HEAD")
    assert (repo.root.parent / "told").read_text().startswith(f"refs/heads/main {head} refs/heads/main ")
    assert not list((repo.root / ".git/passdown/guard").glob("git-hook.sh.*"))


@pytest.mark.parametrize("more", ["", "exit 0\n"])
def test_a_line_of_an_older_version_is_renewed(repo, more):
    git_hooks.remove(find_place(repo.root))
    repo.write(".git/hooks/pre-push", f"#!/bin/sh\n{more}", mode=0o755)
    git_hooks.install(find_place(repo.root))
    current = repo.read(".git/hooks/pre-push")
    repo.write(".git/hooks/pre-push", f"#!/bin/sh\nsh old pre-push || exit 1 {git_hooks.MARK}\n{more}")
    git_hooks.install(find_place(repo.root))
    assert repo.read(".git/hooks/pre-push") == current


def test_what_came_from_another_worktree_with_the_base_branch_is_named(repo):
    repo.passdown("outcome", "abandoned").check()
    repo.git("switch", "-q", "-c", "work")
    repo.passdown("start", "mend b", "--allow", "src/**").check()
    shell(repo, "git worktree add -q ../m main; cd ../m; echo bye > README.md; git commit -qanm x").check()
    repo.git("merge", "-q", "main")
    notes = repo.passdown("verify", "--json").check().json()["notes"]
    assert any("made in another worktree here, on no remote" in note and "README.md" in note for note in notes)
