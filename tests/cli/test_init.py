"""init puts hooks beside what is there and takes them out byte for byte; what it writes counts against no run."""

from __future__ import annotations

import hashlib
import json

import pytest

from support.guarded import Guarded
from support.repo import Repo


@pytest.fixture
def project(repo):
    return repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")


def everything(root):
    """Each file below, its mode and digest, our own folder aside; and the folders."""
    left_out = {"passdown", "objects"}
    found = {}
    for path in sorted(root.rglob("*")):
        if not left_out & set(path.relative_to(root).parts):
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path.relative_to(root))] = (path.lstat().st_mode, hashlib.sha256(content).hexdigest())
    return found


SETTINGS = [
    None,
    "{}",
    "",
    '{\n    "permissions": {"deny": ["Read(.env)"]},\n    "env": {"A": "\u00e9"}\n}\n',
    '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./mine.sh"}]}]}}',
    '{\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}',
    '{"hooks": {}}\r\n',
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("team", [False, True])
def test_undo_gives_everything_back(project, settings, team):
    path = ".claude/settings.json" if team else ".claude/settings.local.json"
    if settings is not None:
        project.write(path, settings.encode(), mode=0o640)
        project.write(".codex/hooks.json", settings.encode())
    project.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n", mode=0o755)
    before = everything(project.root)
    options = ["--team"] if team else []
    project.passdown("init", *options).check()
    merged = json.loads((project.root / path).read_bytes())
    assert [group["matcher"][:5] for group in merged["hooks"]["PreToolUse"]][-1] == "^(Edi"
    if settings and "mine.sh" in settings:
        assert merged["hooks"]["PreToolUse"][0]["hooks"][0]["command"] == "./mine.sh"
    once = everything(project.root)
    project.passdown("init", *options).check()
    assert everything(project.root) == once, "twice is once"
    project.passdown("init", "--undo").check()
    assert everything(project.root) == before
    assert project.passdown("init", "--undo").check().out.startswith("NOTHING TO UNDO")


def test_what_was_changed_since_keeps_the_change(project):
    path = project.root / ".claude" / "settings.local.json"
    project.write(".claude/settings.local.json", '{"model": "a"}\n')
    project.passdown("init").check()
    settings = json.loads(path.read_bytes())
    path.write_text(json.dumps({**settings, "model": "b"}, indent=2) + "\n")
    said = project.passdown("init", "--undo").check().out
    assert "our entries alone went" in said
    assert json.loads(path.read_bytes()) == {"model": "b"}


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}'])
def test_settings_that_cannot_be_read_stop_it_before_anything_is_written(project, text):
    project.write(".codex/hooks.json", text)
    before = everything(project.root)
    done = project.passdown("init").check(2)
    assert ".codex/hooks.json" in done.err
    assert everything(project.root) == before


def test_dry_run_writes_nothing(project):
    before = everything(project.root)
    said = project.passdown("init", "--team", "--dry-run").check().out
    assert ".claude/settings.json" in said
    assert "passdown.toml" in said
    assert everything(project.root) == before
    assert not (project.root / ".git" / "passdown").exists()


def test_it_is_a_persons_and_counts_against_no_run(project):
    project.passdown("start", "mend a", "--allow", "src/**").check()
    assert project.passdown("init", env={"CLAUDECODE": "1"}).code == 2
    project.passdown("init").check()
    assert project.passdown("verify", "--json").check().json()["violations"] == []
    settings = project.root / ".claude" / "settings.local.json"
    settings.write_text(settings.read_text().replace("Bash", "Bush"))  # an agent loosens it
    found = project.passdown("verify", "--json").check(1).json()["violations"]
    assert [each["path"] for each in found] == [".claude/settings.local.json"]
    project.passdown("init").check()
    project.write(".git/hooks/pre-push", "#!/bin/sh\n", mode=0o755)
    found = project.passdown("verify", "--json").check(1).json()["violations"]
    assert [each["path"] for each in found] == [".git/hooks"]
    (project.root / ".git" / "hooks" / "pre-push").unlink()
    project.passdown("init").check()
    project.passdown("init", "--undo").check()
    assert project.passdown("verify", "--json").check().json()["violations"] == []


def test_the_installed_command_finds_the_guard_of_a_moved_repository(project):
    project.passdown("start", "mend a", "--allow", "src/**").check()
    project.passdown("init", "--team").check()
    settings = json.loads((project.root / ".claude" / "settings.json").read_bytes())
    hook = settings["hooks"]["PreToolUse"][0]["hooks"][0]
    assert str(project.root) not in json.dumps(settings)
    moved = Repo(project.root.rename(project.root.with_name("moved")))
    guarded = Guarded(moved)
    assert guarded.through([hook["command"], *hook["args"]], "README.md") == "deny"
    assert guarded.through([hook["command"], *hook["args"]], "src/a.py") is None
    moved.git("commit", "-q", "--allow-empty", "-m", "hooks moved along")


def test_undo_takes_away_what_a_killed_init_left_aside(project):
    before = everything(project.root)
    project.passdown("init").check()
    path = project.root / ".claude" / "settings.local.json"
    (path.parent / ".settings.local.json.k1ll3d_x").write_bytes(path.read_bytes()[:40])
    path.unlink()  # it had not come to that
    project.passdown("init", "--undo").check()
    assert everything(project.root) == before


def test_undo_on_another_branch_says_where_it_is_and_can_be_done_there(project):
    project.passdown("init", "--team").check()
    project.commit("With the guard")
    project.git("switch", "-q", "--orphan", "bare")
    project.write("x", "x").commit("Nothing of it")
    said = project.passdown("init", "--undo").check().out
    assert ".claude/settings.json        not on this branch; on main" in said
    assert said.rstrip().endswith("Next   git switch main && passdown init --undo")
    again = project.passdown("init", "--undo", "--json").check().json()["undone"]
    assert {row["how"] for row in again} == {"elsewhere"}
    assert {tuple(row["branches"]) for row in again} == {("main",)}
    project.git("switch", "-q", "main")
    assert project.passdown("init", "--undo").check().out.startswith("UNDONE")
    assert not project.path(".claude").exists()
    assert project.passdown("init", "--undo").check().out.startswith("NOTHING TO UNDO\n")


def packed(project: Repo) -> None:
    project.write("src/a.py", "a = 2\n")
    project.passdown("pack", "--goal", "make a two", "--no-check").check()
    project.passdown("review", "--narrow", "+src/a.py").check()


@pytest.mark.parametrize("then", [["init"], ["init", "--mcp"], ["init", "--team"]])
@pytest.mark.parametrize("resumed", [False, True])
def test_what_it_wrote_since_is_no_drift_until_somebody_changes_it(project: Repo, resumed: bool, then: list[str]):
    """Put in after the packet, before or in the midst of the run, and out again: nothing is told of it."""
    packed(project)
    if resumed:
        project.passdown("resume", "--no-check").check()
    for step in (then, ["init", "--undo"], then):
        project.passdown(*step).check()
        hold = project.passdown("status", "--json").check().json()["hold"]
        assert not [r["fact"] for r in hold["reasons"] if r["code"] in TOLD], step
    document = project.passdown("resume", "--no-check", "--json").check().json()
    assert not [row for row in document["drift"] if row["what"] in ("worktree", "settings")]
    project.passdown("init", "--undo").check()
    project.write(".claude/settings.local.json", '{"model": "b"}\n')
    reasons = project.passdown("status", "--json").check().json()["hold"]["reasons"]
    assert {reason["code"] for reason in reasons} & TOLD


TOLD = {"tree-drift", "control-surface-changed", "boundary-violated"}


def test_again_it_names_what_is_in_place(project: Repo):
    files = [".claude/settings.local.json", ".codex/hooks.json"]
    project.write(".git/hooks/pre-push", "#!/bin/sh\nexit 0\n", mode=0o755)
    first = project.passdown("init").check().out
    assert ("beside" in line_of(first, "pre-push"), "beside" in line_of(first, "pre-commit")) == (True, False)
    again = project.passdown("init").check().out
    assert again.startswith("IN PLACE ALREADY\n")
    assert all(name in again for name in [*files, "git pre-commit", "git pre-push"])
    assert project.passdown("init", "--dry-run", "--json").check().json()["in_place"] == files
    more = project.passdown("init", "--mcp", env={"COLUMNS": "400"}).check().out
    assert more.splitlines()[1].split()[0] == ".mcp.json"
    assert line_of(more, "In place already").endswith(", git pre-commit, git pre-push")


def line_of(text: str, name: str) -> str:
    return next(line for line in text.splitlines() if name in line)


def test_a_clone_with_the_teams_settings_gets_no_second_hook(project: Repo):
    project.passdown("init", "--team").check()
    project.commit("team")
    clone = project.clone("clone")
    clone.passdown("init").check()
    assert not clone.path(".claude/settings.local.json").exists()
    assert clone.git("status", "--porcelain") == ""
