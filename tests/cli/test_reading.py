"""What only reads: nothing is created, and what is half-written does not stop it."""

from __future__ import annotations

import pytest

READING = [
    ["pack", "--dry-run"],
    ["check", "--list"],
    ["status"],
    ["session"],
    ["session", "--list"],
    ["show"],
    ["review"],
    ["log"],
    ["verify"],
    ["boundary"],
]
TORN = "[checks.ok\nrun ="


def everything(folder):
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.parametrize("args", READING, ids=" ".join)
def test_nothing_is_created_where_passdown_was_never_used(worked, tmp_path, args):
    """Not in the git folder, not in the worktree, and nothing is left where temporary files go."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    before = everything(worked.root)
    worked.passdown(*args, env={"TMPDIR": str(scratch)})
    assert everything(worked.root) == before
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("args", [["pack", "--dry-run"], ["check", "--list"]], ids=" ".join)
def test_a_dry_look_is_the_same_as_the_real_one(worked, args):
    dry = worked.passdown(*args, "--json").check().json()
    worked.passdown("rescue").check()
    lasting = worked.passdown(*args, "--json").check().json()
    if args[0] == "check":
        assert dry == lasting
    else:
        assert dry["place"] == lasting["place"]
        assert dry["files"] == lasting["files"]


@pytest.mark.parametrize("args", [["pack", "--json"], ["pack", "--dry-run", "--json"], ["rescue", "--json"]])
def test_a_half_written_policy_of_the_worktree_does_not_stop_capture(worked, args):
    """The base's policy stands; what the worktree proposes is left out, and said."""
    worked.write("passdown.toml", TORN)
    result = worked.passdown(*args).check()
    assert result.json()
    if args[0] == "pack":
        assert "passdown.toml:1" in result.err
        assert "ok" in [check["name"] for check in result.json()["checks"]]


@pytest.mark.parametrize("verb", ["status", "show", "resume", "review"])
def test_nor_does_it_stop_whoever_looks_at_the_packet(packed, verb):
    packed.write("passdown.toml", TORN)
    packed.passdown(verb).check()


@pytest.mark.parametrize("args", [["check"], ["check", "--list"], ["start", "x"]], ids=" ".join)
def test_but_who_asks_for_what_it_declares_is_told(project, args):
    project.write("passdown.toml", TORN)
    result = project.passdown(*args).check(2)
    assert "passdown.toml:1" in result.err
    assert len(result.err.splitlines()) <= 2


def test_a_mistake_in_the_base_stops_capture(project):
    project.write("passdown.toml", TORN).commit("Torn")
    project.git("branch", "-f", "main")
    assert "in the base" in project.passdown("pack").check(2).err
