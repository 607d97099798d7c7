"""The guard in git's hooks, with real commits and pushes, beside the hooks that were there."""

from __future__ import annotations

import subprocess

import pytest

from passdown.guard import git_hooks
from passdown.workspace.place import find_place
from support.guarded import Guarded


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").write("src/gen/x.py", "x\n").commit("start")
    guarded = Guarded(repo)
    repo.passdown("start", "mend a", "--allow", "src/**", "--deny", "src/gen/**").check()
    git_hooks.install(find_place(repo.root))
    return guarded


def spawn(repo, *argv):
    return subprocess.run(argv, cwd=repo.root, capture_output=True, text=True, check=False)


def commit(repo, *options):
    """``git commit``: None where it went through, else what was said."""
    done = spawn(repo, "git", "commit", "-q", "-m", "x", *options)
    return None if done.returncode == 0 else done.stderr


def test_inside_goes_through_and_outside_is_refused(guarded):
    repo = guarded.repo
    repo.write("src/a.py", "a = 2\n")
    assert commit(repo, "-a") is None
    repo.write("README.md", "changed\n").git("add", "-A")  # a sweep
    said = commit(repo)
    assert said.splitlines()[0] == "passdown: this commit reaches outside what this run may write:"
    assert "modified README.md   outside: not listed in the boundary" in said
    assert "git restore --staged" in said


def test_what_the_index_alone_holds_is_seen(guarded):  # a stale index, update-index, rm --cached
    repo = guarded.repo
    repo.git("rm", "-q", "--cached", "README.md")
    assert "deleted README.md" in commit(repo)
    repo.git("reset", "-q")
    blob = repo.git("hash-object", "-w", "--stdin", env={})
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},sneaked.txt")
    assert "added sneaked.txt" in commit(repo)


def test_a_commit_of_named_paths_is_judged_by_its_own_index(guarded):
    repo = guarded.repo
    repo.write("src/a.py", "a = 2\n").write("README.md", "changed\n")
    repo.git("add", "README.md")
    assert commit(repo, "--only", "src/a.py") is None
    assert "README.md" in commit(repo, "--only", "README.md")


def test_a_merge_a_rebase_and_a_cherry_pick_are_left_alone(guarded):  # H7
    repo = guarded.repo
    repo.git("switch", "-q", "-c", "other", "HEAD")
    repo.write("docs/theirs.md", "x\n").commit("theirs")
    repo.git("switch", "-q", "main")
    repo.write("src/a.py", "a = 2\n")
    assert commit(repo, "-a") is None
    repo.git("merge", "-q", "--no-edit", "other")
    repo.git("cherry-pick", "--allow-empty", "--keep-redundant-commits", "other")
    repo.git("rebase", "-q", "other")


def test_on_another_branch_and_when_off_it_sleeps(guarded):
    repo = guarded.repo
    repo.git("switch", "-q", "-c", "side")
    repo.write("README.md", "side\n")
    assert commit(repo, "-a") is None
    repo.git("switch", "-q", "main")
    repo.passdown("off", "--for", "10m").check()
    repo.write("README.md", "by a person\n")
    assert commit(repo, "-a") is None


def test_a_push_looks_at_what_no_verify_let_in(guarded, tmp_path):
    repo = guarded.repo
    repo.git("init", "-q", "--bare", str(tmp_path / "hub.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "hub.git"))
    repo.write("README.md", "changed\n")
    assert commit(repo, "-a", "--no-verify") is None
    done = spawn(repo, "git", "push", "-q", "origin", "main")
    assert done.returncode != 0
    assert "modified README.md" in done.stderr
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("push", "-q", "origin", "main")


def test_the_first_push_of_a_long_history_is_judged_by_what_was_made_here(guarded):  # E13
    repo = guarded.repo
    stream = "".join(
        f"commit refs/heads/long\ncommitter A <a@b> {n + 1} +0000\ndata 1\nx\nM 100644 inline f{n % 7}\ndata 1\nx\n"
        for n in range(25_000)
    )
    subprocess.run(["git", "fast-import", "--quiet"], input=stream.encode(), cwd=repo.root, check=True)
    repo.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "long")
    done = spawn(repo, "sh", guarded.home / "guard" / "git-hook.sh", "pre-push")
    assert (done.returncode, done.stderr) == (0, "")


EXISTING = {
    "a plain script": "#!/bin/sh\necho ran > ran\n",
    "bash with options": "#!/usr/bin/env bash\nset -euo pipefail\necho ran > ran\n",
    "exec at its end": "#!/bin/sh\nexec sh -c 'echo ran > ran'\n",
}


@pytest.mark.parametrize("name", EXISTING)
def test_a_hook_that_is_there_still_runs_and_comes_back_byte_for_byte(guarded, name):
    repo = guarded.repo
    place = find_place(repo.root)
    git_hooks.remove(place)
    assert not (repo.root / ".git/hooks/pre-commit").exists()
    repo.write(".git/hooks/pre-commit", EXISTING[name], mode=0o755)
    git_hooks.install(place)
    git_hooks.install(place)
    repo.write("src/a.py", "a = 3\n")
    assert commit(repo, "src/a.py") is None
    assert (repo.root / "ran").exists()
    repo.write("README.md", "x\n")
    assert "README.md" in commit(repo, "README.md")
    git_hooks.remove(place)
    assert (repo.root / ".git/hooks/pre-commit").read_text() == EXISTING[name]
    assert not (repo.root / ".git/hooks/pre-push").exists()


def test_husky_keeps_working(guarded):
    repo = guarded.repo
    repo.write(".husky/_/.gitignore", "*\n").write(".husky/_/h", 'sh ".husky/$(basename "$0")"\n')
    repo.write(".husky/_/pre-commit", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n', mode=0o755)
    repo.write(".husky/pre-commit", "echo ran > ran\n").git("config", "core.hooksPath", ".husky/_")
    place = find_place(repo.root)
    assert [hook.ours for hook in git_hooks.install(place)] == [True, True]
    repo.write("src/a.py", "a = 3\n")
    assert commit(repo, "src/a.py") is None
    assert (repo.root / "ran").exists()
    repo.write("README.md", "x\n")
    assert "README.md" in commit(repo, "README.md")


@pytest.mark.parametrize(
    ("text", "fault"), [("#!/usr/bin/python3\n", "no shell script"), ("\x7fELF", "no shell script")]
)
def test_a_hook_that_no_line_fits_into_is_left_and_said(guarded, text, fault):
    repo = guarded.repo
    place = find_place(repo.root)
    git_hooks.remove(place)
    repo.write(".git/hooks/pre-commit", text, mode=0o755)
    assert fault in git_hooks.install(place)[0].fault
    assert (repo.root / ".git/hooks/pre-commit").read_text() == text


def test_a_committed_hooks_folder_is_never_written(guarded):
    repo = guarded.repo
    repo.write("tools/hooks/pre-commit", "#!/bin/sh\n", mode=0o755).git("config", "core.hooksPath", "tools/hooks")
    faults = [hook.fault for hook in git_hooks.install(find_place(repo.root))]
    assert faults == ["core.hooksPath names a folder that is part of the work"] * 2


def test_a_guard_that_cannot_run_says_so_and_lets_git_go_on(guarded):
    repo = guarded.repo
    script = guarded.home / "guard" / "git-hook.sh"
    text = script.read_text()
    script.write_text(text.replace("p=", "p=/nowhere"))
    repo.write("README.md", "x\n")
    done = spawn(repo, "git", "commit", "-qam", "x")
    assert done.returncode == 0
    assert "was NOT judged" in done.stderr
    script.unlink()
    repo.write("README.md", "y\n")
    assert commit(repo, "-a") is None


def test_what_init_wrote_is_no_touch_for_any_layer(repo):
    repo.write("src/a.py", "a = 1\n").commit("start")
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    repo.passdown("init").check()
    guarded = Guarded(repo)
    assert guarded.after("Bash", {"command": "x"}).stdout == b""
    repo.git("add", "-A", "-f")
    repo.git("commit", "-qm", "with the settings")
    assert repo.passdown("verify").code == 0
    repo.write(".claude/settings.local.json", "{}\n")
    assert b".claude/settings.local.json" in guarded.after("Bash", {"command": "x"}).stdout
    repo.git("add", "-A")
    repo.git("commit", "-qm", "without them", code=1)
    assert repo.passdown("verify").code == 1
