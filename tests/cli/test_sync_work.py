"""The work travels: `sync --with-work` here, `resume PACKET --worktree DIR` in another clone, byte for byte."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

import pytest

from passdown.errors import PassdownError
from passdown.workspace import travel
from passdown.workspace.place import find_place
from support.process import PASSDOWN, run
from support.repo import Repo

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
WORK = "refs/passdown/work/"


@pytest.fixture
def hub(make_repo: Callable[..., Repo]) -> Repo:
    return make_repo("hub.git", bare=True)


@pytest.fixture
def alice(make_repo: Callable[..., Repo], hub: Repo) -> Repo:
    """A branch with a commit that was never pushed, and every kind of change beside it."""
    repo = make_repo("alice").write("src/a.py", "x = 1\n").write("gone", "x\n").write("run.sh", "x\n")
    repo.write(".gitattributes", "*.txt text eol=crlf\n").write("lines.txt", "a\r\nb\r\n").write(".gitignore", "*.o\n")
    repo.commit("Begin")
    repo.git("remote", "add", "origin", hub.root)
    repo.git("push", "-q", "-u", "origin", "main")
    repo.branch("retry").write("src/a.py", "x = 2\n").commit("Not pushed")
    repo.write("src/a.py", "x = 3\n").delete("gone").executable("run.sh").write("lines.txt", "a\nb\r\n")
    repo.write("new/deep/file", "new\n").write("empty").link("link", "new/deep/file").link("dangling", "/nowhere")
    repo.write(b"b\xff/\xe9", "bytes\n").write("note.log", "untracked\n").write("x.o", "ignored\n")
    return repo


@pytest.fixture
def bob(alice: Repo, hub: Repo) -> Repo:
    assert alice.git("rev-parse", "origin/main")
    return hub.clone("bob")


def pack(repo: Repo) -> str:
    return str(repo.passdown("pack", "--goal", "make it work", "--no-check", "--json").check().json()["packet"])


@pytest.fixture
def sent(alice: Repo, bob: Repo) -> str:
    packet = pack(alice)
    assert alice.passdown("sync", "--with-work", "--yes", "--json").check().json()["work"] == [packet]
    bob.passdown("sync").check()
    return packet


def content(repo: Repo) -> dict[bytes, tuple[str, bytes]]:
    """Path to kind and bytes of everything but the git folder and what is ignored."""
    found = {}
    for path in repo.root.rglob("*"):
        inner = path.relative_to(repo.root)
        if ".git" in inner.parts or path.suffix == ".o" or (path.is_dir() and not path.is_symlink()):
            continue
        kind = "executable" if path.lstat().st_mode & 0o111 else "file"
        link = path.is_symlink()
        found[os.fsencode(inner)] = ("link", os.fsencode(path.readlink())) if link else (kind, path.read_bytes())
    return found


def works(hub: Repo) -> list[str]:
    return hub.git("for-each-ref", "--format=%(refname)", WORK).replace(WORK, "").split()


def test_another_clone_goes_on_byte_for_byte(alice: Repo, bob: Repo, sent: str):
    bob.git("config", "--global", "core.excludesFile", str(bob.root.parent / "excludes"))
    (bob.root.parent / "excludes").write_text("*.log\n")
    before = bob.git("for-each-ref", "refs/remotes", "refs/tags"), bob.git("status", "--porcelain")
    document = bob.passdown("resume", sent[:8], "--worktree", "../there", "--no-check", "--json").check().json()
    there = Repo(bob.root.parent / "there")
    assert content(there) == content(alice)
    assert (document["armed"], document["drift"]) == (True, [])
    assert there.git("symbolic-ref", "--short", "HEAD") == "retry"
    assert there.git("rev-parse", "HEAD") == alice.git("rev-parse", "HEAD")
    assert there.git("diff", "--cached", "--name-only") == ""
    assert (bob.git("for-each-ref", "refs/remotes", "refs/tags"), bob.git("status", "--porcelain")) == before
    there.passdown("resume", "--no-check").check()
    there.write("src/a.py", "x = 4\n")
    there.passdown("verify", "--json")
    again = there.passdown("pack", "--no-check", "--json").check().json()
    assert [file["path"] for file in again["files"]] == ["src/a.py"], "the run began with what was sealed"
    there.git("fsck", "--strict")
    assert bob.passdown("log", "--verify").check()


def test_the_same_packet_gives_the_same_commit_and_is_sent_once(alice: Repo, hub: Repo, sent: str):
    first = hub.git("rev-parse", WORK + sent)
    assert alice.passdown("sync", "--with-work", "--json").check().json()["work"] == []
    hub.git("update-ref", "-d", WORK + sent)
    alice.passdown("sync", "--with-work").check()
    assert hub.git("rev-parse", WORK + sent) == first
    assert hub.git("rev-parse", f"{WORK}{sent}^") == alice.git("rev-parse", "HEAD")


def test_a_person_agrees_once_for_a_remote(alice: Repo, hub: Repo):
    pack(alice)
    assert "nobody agreed yet" in alice.passdown("sync", "--with-work").check(2).err
    assert "a person" in alice.passdown("sync", "--with-work", "--yes", env={"CLAUDECODE": "1"}).check(2).err
    assert "nothing was sent" in alice.passdown_at_terminal("sync", "--with-work", keys="n\n").check(2).out
    assert works(hub) == []
    assert "can read it" in alice.passdown_at_terminal("sync", "--with-work", keys="y\n").check().out
    assert len(works(hub)) == 1
    alice.write("src/a.py", "x = 9\n")
    pack(alice)
    alice.passdown("sync", "--with-work").check()
    assert len(works(hub)) == 2


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("notes.md", f"a\nb {SECRET}\n", "notes.md:2: github"),
        (".env.local", f"API_TOKEN={SECRET}\n", ".env.local:1"),
        ("key.pem", "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END", "key.pem:1"),
        ("wide.txt", f"\ufeff{SECRET}\n", "wide.txt:1"),
    ],
)
def test_a_secret_stops_it_with_path_and_line(alice: Repo, hub: Repo, path: str, text: str, said: str):
    alice.write(path, text.encode("utf-16") if path == "wide.txt" else text)
    pack(alice)
    result = alice.passdown("sync", "--with-work", "--yes").check(1)
    assert said in result.err
    assert SECRET not in result.out + result.err
    assert works(hub) == []
    assert (
        "a person"
        in alice.passdown("sync", "--with-work", "--allow-secret", path, env={"CI_X": "1", "CODEX_CI": "1"})
        .check(2)
        .err
    )
    alice.passdown("sync", "--with-work", "--yes", "--allow-secret", path).check()
    assert len(works(hub)) == 1


def test_a_secret_in_a_commit_that_was_never_pushed(alice: Repo, hub: Repo):
    alice.write("conf.py", f"K = '{SECRET}'\n").commit("Add it").write("conf.py", "K = ''\n").commit("Take it out")
    pack(alice)
    assert "conf.py:1" in alice.passdown("sync", "--with-work", "--yes").check(1).err
    assert works(hub) == []


def test_what_the_remote_has_is_not_scanned_again(alice: Repo):
    alice.write("known.py", f"K = '{SECRET}'\n").commit("Known").git("push", "-q", "origin", "retry")
    alice.write("other.py", "x\n")
    pack(alice)
    alice.passdown("sync", "--with-work", "--yes").check()


def test_pruning_takes_away_what_has_ended(alice: Repo, hub: Repo, sent: str):
    alice.write("src/a.py", "x = 7\n")
    newer = pack(alice)
    said = alice.passdown("sync", "--with-work").check().out
    assert "passdown sync --prune" in said
    assert alice.passdown("sync", "--prune", "--json").check().json()["pruned"] == [sent]
    assert works(hub) == [newer]
    alice.passdown("outcome", "abandoned", "--because", "x").check()
    alice.passdown("sync", "--prune").check()
    assert works(hub) == []


def test_agents_settings_that_come_with_it_are_named(alice: Repo, bob: Repo):
    alice.write(".claude/settings.json", '{"hooks": {}}').write("sub/.mcp.json", "{}")
    packet = pack(alice)
    alice.passdown("sync", "--with-work", "--yes").check()
    bob.passdown("sync").check()
    told = bob.passdown("resume", packet[:8], "--worktree", "../there", "--no-check").out
    for path in (".claude/settings.json", "sub/.mcp.json"):
        assert f"{path} came with it and decides what an agent runs" in told
    assert "src/a.py came with it" not in told


def test_where_the_worktree_cannot_be_made(alice: Repo, bob: Repo, sent: str):
    bob.write("../full/file", "x")
    assert "is not empty" in bob.passdown("resume", sent[:8], "--worktree", "../full").check(2).err
    assert "is a file" in bob.passdown("resume", sent[:8], "--worktree", "../full/file").check(2).err
    assert "which packet" in bob.passdown("resume", "--worktree", "../there").check(2).err
    assert f"cd {alice.root}" in alice.passdown("resume", sent[:8], "--worktree", "../there").check(2).err
    bob.git("branch", "retry", "main")
    told = bob.passdown("resume", sent[:8], "--worktree", "../there").check(2).err
    (fix,) = [line.strip() for line in told.splitlines() if "git branch -f" in line]
    bob.git(*fix.partition(";")[0].split()[1:])
    bob.passdown("resume", sent[:8], "--worktree", "../there", "--no-check").check()
    assert "is in this clone" in bob.passdown("resume", sent[:8], "--worktree", "../more").check(2).err


def test_two_packets_of_one_worktree_live_side_by_side(alice: Repo, bob: Repo, sent: str):
    alice.commit("Save").branch("other", "main").write("src/a.py", "x = 8\n")
    other = pack(alice)
    alice.passdown("sync", "--with-work").check()
    bob.passdown("sync").check()
    for name, folder in ((sent, "one"), (other, "two")):
        bob.passdown("resume", name, "--worktree", f"../{folder}", "--no-check").check()
    one, two = (Repo(bob.root.parent / folder) for folder in ("one", "two"))
    for repo, line in ((one, "x = 3\n"), (two, "x = 8\n"), (one, "x = 3\n")):
        document = repo.passdown("resume", "--no-check", "--json").check().json()
        assert (document["drift"], repo.read("src/a.py")) == ([], line)
    assert f"cd {two.root}" in one.passdown("resume", other[:8], "--no-check", env={"COLUMNS": "400"}).check(1).out


def test_there_and_back_again(alice: Repo, bob: Repo, sent: str):
    """The other clone packs on; here everything still answers, and its work comes back into this worktree."""
    bob.passdown("resume", sent[:8], "--worktree", "../there", "--no-check").check()
    there = Repo(bob.root.parent / "there")
    there.write("src/a.py", "x = 5\n").write("bobs.py", "new\n")
    newer = str(there.passdown("pack", "--no-check", "--json").check().json()["packet"])
    there.passdown("sync", "--with-work", "--yes").check()
    alice.passdown("sync").check()
    for verb in (["status"], ["show"], ["show", "--brief"], ["log"], ["pack", "--dry-run"], ["rescue"]):
        alice.passdown(*verb).check()
    hold = alice.passdown("resume", "--no-check", "--json").check(1).json()
    assert "content-missing" in {reason["code"] for reason in hold["hold"]["reasons"]}
    told = alice.passdown("resume", newer[:8], "--worktree", "../x").check(2).err
    assert f"passdown rollback {newer[:7]}" in told
    alice.passdown("rollback", newer[:7]).check()
    assert content(alice) == content(there)
    alice.passdown("resume", "--no-check").check()
    alice.write("src/a.py", "x = 6\n")
    mine = alice.passdown("pack", "--no-check", "--json").check().json()
    assert [file["path"] for file in mine["files"]] == ["src/a.py"]


def test_a_branch_of_the_same_name_elsewhere(bob: Repo, sent: str):
    bob.branch("retry").write("mine", "x\n").commit("Mine").switch("main")
    told = bob.passdown("resume", sent[:8], "--worktree", "../there").check(2).err
    assert "git branch -m retry retry-mine" in told
    bob.git("branch", "-m", "retry", "retry-mine")
    bob.passdown("resume", sent[:8], "--worktree", "../there", "--no-check").check()


def test_work_that_was_not_sent_or_is_another(alice: Repo, bob: Repo, hub: Repo):
    packet = pack(alice)
    alice.passdown("sync").check()
    bob.passdown("sync").check()
    assert "passdown sync --with-work" in bob.passdown("resume", packet[:8], "--worktree", "../there").check(3).err
    hub.git("update-ref", WORK + packet, "main")
    assert "other work" in bob.passdown("resume", packet[:8], "--worktree", "../there").check(3).err
    assert not (bob.root.parent / "there").exists()
    assert "retry" not in bob.git("branch", "--list")


def test_a_deleted_worktree_comes_back_in_its_own_clone(alice: Repo):
    side = alice.worktree("side").write("side.py", "x = 1\n")
    packet = pack(side)
    kept = content(side)
    alice.git("worktree", "remove", "--force", side.root)
    alice.passdown("resume", packet[:8], "--worktree", "../again", "--no-check").check()
    assert content(Repo(alice.root.parent / "again")) == kept


def test_nested_repositories_come_as_files(alice: Repo, bob: Repo, make_repo: Callable[..., Repo]):
    lib = make_repo("lib").write("lib.py", "x\n").commit()
    alice.submodule(lib, "vendor/lib")
    alice.commit("Add a submodule")
    alice.write("vendor/lib/lib.py", "changed\n")
    packet = pack(alice)
    alice.passdown("sync", "--with-work", "--yes").check()
    bob.passdown("sync").check()
    said = bob.passdown("resume", packet[:8], "--worktree", "../there", "--no-check").out
    assert "vendor/lib was a repository of its own" in said
    assert (bob.root.parent / "there/vendor/lib/lib.py").read_text() == "changed\n"


@pytest.mark.parametrize("name", [".git", ".GIT", "git~1", ".."])
def test_no_name_is_written_that_reaches_a_git_folder(repo: Repo, name: str):
    blob = repo.git("hash-object", "-w", "README.md")
    tree = made(repo, f"100644 blob {blob}\tconfig\n")
    with pytest.raises(PassdownError, match="cannot write out"):
        travel.readable(find_place(repo.root), made(repo, f"040000 tree {tree}\t{name}\n"))


def made(repo: Repo, lines: str) -> str:
    """A tree that git's own commands would not write into a worktree."""
    told = subprocess.run(["git", "mktree"], cwd=repo.root, input=lines.encode(), capture_output=True, check=True)
    return told.stdout.decode().strip()


@pytest.fixture
def both_on_main(make_repo: Callable[..., Repo], hub: Repo) -> tuple[Repo, Repo]:
    """Two clones that stand on main at one commit; the first has work."""
    first = make_repo("first").write("a.py", "x = 1\n").commit()
    first.git("remote", "add", "origin", hub.root)
    first.git("push", "-q", "-u", "origin", "main")
    second = hub.clone("second")
    first.write("a.py", "x = 2\n")
    return first, second


def test_a_clone_on_the_same_branch_is_led_there_and_the_first_one_back(both_on_main: tuple[Repo, Repo]):
    first, second = both_on_main
    packet = pack(first)
    first.passdown("sync", "--with-work", "--yes").check()
    wide = {"COLUMNS": "400"}
    told = second.passdown("sync", env=wide).check().out
    (way,) = [line.removeprefix("Next").strip() for line in told.splitlines() if line.startswith("Next")]
    assert way in second.passdown("status", env=wide).check().out
    assert second.passdown("status", "--json").check().json()["next"] == way
    for verb in ("resume", "show", "review"):
        assert way in second.passdown(verb).check(2).err
    assert second.passdown("resume", packet[:8], "--no-check", env=wide).check(1).out.count("--worktree") == 1
    assert "git switch --detach" in second.passdown("resume", packet[:8], "--worktree", "../x").check(2).err
    assert not (second.root.parent / "x").exists()
    typed = way.replace("passdown ", PASSDOWN + " ", 1)
    assert run(["sh", "-c", typed], second.root).code == 0
    there = Repo(second.root.parent / f"second-{packet[:7]}")
    assert f"cd {there.root}" in second.passdown("status", env=wide).check().out
    there.write("a.py", "x = 3\n")
    newer = pack(there)
    there.passdown("sync", "--with-work", "--yes").check()
    assert "Next     passdown resume" in first.passdown("sync").check().out
    assert f"Lift   passdown rollback {newer[:7]}" in first.passdown("resume", "--no-check").check(1).out
    first.passdown("rollback", newer[:7]).check()
    assert first.read("a.py") == "x = 3\n"
    first.passdown("resume", "--no-check").check()
