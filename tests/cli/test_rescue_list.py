"""What was rescued is listed, looked into and brought back."""

from __future__ import annotations


def test_list_show_restore(repo):
    repo.write("a.txt", "one\n").commit("start")
    repo.write("a.txt", "two\n").write("b.txt", "new\n")
    name = repo.passdown("rescue", "--because", "before lunch", "--json").check().json()["statement"]
    repo.git("checkout", "-q", "--", "a.txt")
    repo.path("b.txt").unlink()
    listed = repo.passdown("rescue", "list").check().out
    assert listed.startswith(name[:7])
    assert "before lunch" in listed
    shown = repo.passdown("rescue", "show", name[:7]).check().out
    assert "a.txt   differs" in shown
    assert "b.txt   only in the rescue" in shown
    repo.passdown("rescue", "restore", name[:7]).check()
    assert repo.path("a.txt").read_text() == "two\n"
    assert repo.path("b.txt").read_text() == "new\n"
    assert "exactly this" in repo.passdown("rescue", "show", name[:7]).check().out
    whys = [each["rescued"]["why"] for each in repo.passdown("rescue", "list", "--json").check().json()]
    assert whys == [f"before rollback to {name[:7]}", "before lunch"]


def test_nothing_and_no_such(repo):
    repo.write("a", "a").commit("start")
    assert repo.passdown("rescue", "list").check().out == "nothing was rescued in this worktree\n"
    assert "no rescue abcdef" in repo.passdown("rescue", "show", "abcdef").check(2).err
    assert "of a rescue's id" in repo.passdown("rescue", "show", "nosuch").check(2).err
    assert "--json comes after" in repo.passdown("rescue", "--json", "list").check(2).out
