"""The hook where something around it is not as usual: it neither locks anybody out nor opens in silence."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from passdown.agents.claude import hooks as claude_hooks
from passdown.guard import hook_files
from passdown.model.paths import printable
from support.guarded import Guarded, boundary, decision
from support.repo import Repo


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    return Guarded(repo, boundary(["src/**"], ["src/gen/**"]))


def portable():
    """The command of a settings file."""
    hook = claude_hooks.entries(hook_files.portable())["PreToolUse"][0]["hooks"][0]
    return [hook["command"], *hook["args"]]


def asked(guarded, argv, path, *, cwd=None, env=None, session_cwd=None):
    """The decision over a write, with the hook's process in ``cwd`` and in that environment (None takes a name out)."""
    said = {"cwd": session_cwd or guarded.root, "tool_name": "Write", "tool_input": {"file_path": path}}
    around = {**os.environ, **(env or {})}
    around = {name: value for name, value in around.items() if value is not None}
    done = subprocess.run(
        argv, input=json.dumps(said).encode(), cwd=cwd or guarded.root, env=around, capture_output=True, check=False
    )
    return decision(done)


AROUND = {
    "no PATH": {"PATH": ""},
    "no HOME": {"HOME": None},
    "C": {"LANG": "C", "LC_ALL": "C"},
    "an old locale": {"LC_ALL": "en_US.ISO-8859-1"},
    "another git's": {"GIT_DIR": "/nowhere/.git", "GIT_WORK_TREE": "/nowhere", "GIT_COMMON_DIR": "/nowhere"},
    "python's": {"PYTHONPATH": "{bad}", "PYTHONSTARTUP": "{bad}/json.py", "PYTHONHOME": "{bad}", "PYTHONINSPECT": "1"},
    "the shell's": {"BASH_ENV": "{bad}/rc", "ENV": "{bad}/rc", "CDPATH": "/", "IFS": "/", "SHELLOPTS": "noexec"},
}


@pytest.mark.parametrize("name", AROUND)
@pytest.mark.parametrize("kind", ["one run", "settings"])
def test_no_environment_opens_or_locks(guarded, tmp_path, name, kind):
    bad = tmp_path / "bad"
    bad.mkdir()
    for module in ("json", "os", "sitecustomize", "_json", "fcntl"):
        (bad / f"{module}.py").write_text("raise SystemExit(0)\n")
    (bad / "rc").write_text("exit 0\n")
    env = {k: v and v.replace("{bad}", str(bad)) for k, v in AROUND[name].items()}
    argv = portable() if kind == "settings" else ["/bin/sh", str(guarded.wrapper), "claude"]
    assert asked(guarded, argv, f"{guarded.root}/README.md", env=env) == "deny"
    assert asked(guarded, argv, f"{guarded.root}/src/a.py", env=env) is None
    assert asked(guarded, argv, f"{guarded.root}/src/\u8bbe\u8ba1.py", env=env) is None


def test_a_session_that_went_elsewhere_is_bound_all_the_same(guarded, tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    nested = Repo.create(guarded.repo.root / "src" / "nested").write("x", "x").commit("own")
    guarded.repo.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    project = {"CLAUDE_PROJECT_DIR": guarded.root}
    for where in (away, nested.root, tmp_path / "other"):
        for argv in (portable(), ["/bin/sh", str(guarded.wrapper), "claude"]):
            given = {"cwd": where, "session_cwd": str(where), "env": project}
            assert asked(guarded, argv, f"{guarded.root}/README.md", **given) == "deny", (where, argv)
            assert asked(guarded, argv, f"{guarded.root}/src/a.py", **given) is None
            assert asked(guarded, argv, str(where / "x"), **given) is None
    # without a project the place where the write lands decides
    wrapper = ["/bin/sh", str(guarded.wrapper), "codex"]
    assert asked(guarded, wrapper, f"{guarded.root}/README.md", cwd=away, session_cwd=str(away)) == "deny"
    assert asked(guarded, wrapper, f"{guarded.root}/src/a.py", cwd=away, session_cwd=str(away)) is None


ROOTS = ["with space", "new\nline", "\u8bbe\u8ba1 caf\u00e9", "quote'\"$x`", "-dash", os.fsdecode(b"latin-\xe9")]


@pytest.mark.parametrize("name", ROOTS, ids=printable)
def test_any_name_of_the_repository(tmp_path, name):
    repo = Repo.create(tmp_path / name).write("src/a.py", "a = 1\n").commit("start")
    guarded = Guarded(repo, boundary(["src/**"]))
    plain = "surrogate" if not name.isprintable() and "\n" not in name else ""
    for argv in (portable(), ["/bin/sh", str(guarded.wrapper), "claude"]):
        inside = "src/a.py" if plain else f"{guarded.root}/src/a.py"
        outside = "README.md" if plain else f"{guarded.root}/README.md"
        said = json.dumps({"cwd": guarded.root, "tool_name": "Write", "tool_input": {}}, ensure_ascii=False)
        for path, expected in ((inside, None), (outside, "deny")):
            given = json.dumps({"file_path": path}, ensure_ascii=False)
            payload = said.replace('"tool_input": {}', f'"tool_input": {given}').encode("utf-8", "surrogateescape")
            done = subprocess.run(argv, input=payload, cwd=guarded.root, capture_output=True, check=False)
            assert decision(done) == expected


def linked(repo, tmp_path):
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    return tmp_path / "linked", "side"


def relative(repo, tmp_path):
    root, branch = linked(repo, tmp_path)
    git_dir = (root / ".git").read_text().removeprefix("gitdir: ").strip()
    (root / ".git").write_text(f"gitdir: {os.path.relpath(git_dir, root)}\n")
    return root, branch


def separate(repo, tmp_path):
    subprocess.run(["git", "init", "-q", "--separate-git-dir", str(tmp_path / "apart.git"), repo.root], check=True)
    return repo.root, "main"


def bare(repo, tmp_path):
    subprocess.run(["git", "clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare")], check=True)
    subprocess.run(
        ["git", "-C", str(tmp_path / "bare"), "worktree", "add", "-q", str(tmp_path / "of"), "-b", "side"], check=True
    )
    return tmp_path / "of", "side"


def submodule(repo, tmp_path):
    inner = Repo.create(tmp_path / "inner").write("src/a.py", "a\n").commit("inner")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    return repo.root / "sub", "main"


def symlinked(repo, tmp_path):
    (tmp_path / "door").symlink_to(repo.root)
    return tmp_path / "door", "main"


def moved(repo, tmp_path):
    shutil.move(repo.root, tmp_path / "moved")
    return tmp_path / "moved", "main"


def core_worktree(repo, _):
    repo.git("config", "core.worktree", str(repo.root))
    return repo.root, "main"


def unborn(repo, _):
    repo.git("checkout", "-q", "--orphan", "fresh")
    return repo.root, "fresh"


def sha256(_, tmp_path):
    other = Repo.create(tmp_path / "sha256", object_format="sha256").write("src/a.py", "a\n").commit("start")
    return other.root, "main"


LAYOUTS = [linked, relative, separate, bare, submodule, symlinked, moved, core_worktree, unborn, sha256]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.__name__)
def test_any_layout_of_the_repository(repo, tmp_path, layout):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    root, _ = layout(repo, tmp_path)
    place = Repo(root)
    place.passdown("start", "mend a", "--allow", "src/**").check()
    place.passdown("init").check()
    hook = json.loads((root / ".claude" / "settings.local.json").read_bytes())["hooks"]
    before, after = (hook[event][0]["hooks"][0] for event in ("PreToolUse", "PostToolUse"))

    def ask(entry, tool, given):
        said = {"session_id": "s", "cwd": str(root), "tool_name": tool, "tool_input": given}
        argv = [entry["command"], *entry["args"]]
        return subprocess.run(argv, input=json.dumps(said).encode(), cwd=root, capture_output=True, check=False)

    assert decision(ask(before, "Write", {"file_path": f"{root}/README.md"})) == "deny"
    assert decision(ask(before, "Write", {"file_path": f"{root}/src/a.py"})) is None
    assert decision(ask(before, "Bash", {"command": "echo x > README.md"})) == "deny"
    (Path(root) / "README.md").write_text("slipped past\n")
    told = ask(after, "Bash", {"command": "x"})
    assert b"README.md" in told.stdout, (told.stdout, told.stderr)
    place.git("add", "README.md")
    committed = subprocess.run(["git", "commit", "-qm", "x"], cwd=root, capture_output=True, check=False)
    if layout is not unborn:  # before the first commit there is nothing to compare with
        assert committed.returncode == 1, committed.stderr
        assert b"outside what this run may write" in committed.stderr
    place.passdown("init", "--undo").check()


@pytest.mark.parametrize(("told", "expected"), [("echo refs/heads/main", "deny"), ("exit 1", "deny"), ("exit 128", 2)])
def test_references_in_a_table(guarded, tmp_path, told, expected):
    """This git may not know such a repository: HEAD as one has it, and a git that tells the branch or none."""
    (guarded.repo.root / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text(f"#!/bin/sh\n{told}\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    said = {"cwd": guarded.root, "tool_name": "Write", "tool_input": {"file_path": f"{guarded.root}/README.md"}}
    done = subprocess.run(
        ["/bin/sh", guarded.wrapper, "claude"],
        input=json.dumps(said).encode(),
        env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode or decision(done)) == expected


# Passdown is gone, or half of it
def fake_venv(tmp_path, *, package):
    """An interpreter of its own whose Passdown is not there, or fails as it starts."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    if package:
        (site / "passdown" / "cli").mkdir(parents=True)
        (site / "passdown" / "__init__.py").write_text("")
        (site / "passdown" / "cli" / "__init__.py").write_text("")
        for module in ("shell_hook", "after_hook", "git_hook"):
            (site / "passdown" / "cli" / f"{module}.py").write_text(package)
    return str(tmp_path / "venv" / "bin" / "python")


GONE = {"uninstalled": "", "a package that it needs is gone": "import msgspec_that_is_not_there\n"}


@pytest.mark.parametrize("how", GONE)
def test_an_uninstalled_passdown_locks_nobody_out_and_says_unread(repo, tmp_path, how):
    repo.write("src/a.py", "a = 1\n").commit("start")
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    repo.passdown("init").check()
    guarded = Guarded(repo)
    gone = fake_venv(tmp_path, package=GONE[how])
    rules = json.loads(guarded.rules.read_text())
    for each in rules["branches"].values():
        each["slow"] = gone
    guarded.rules.write_text(json.dumps(rules))
    script = guarded.home / "guard" / "git-hook.sh"
    script.write_text(re.sub(r"(?m)^p=.*$", f"p={gone}", script.read_text()))
    assert decision(guarded.write("README.md")) == "deny"
    assert decision(guarded.write("src/a.py")) is None
    assert decision(guarded.ask("Bash", {"command": "echo x > README.md"})) is None
    assert guarded.facts()[-1].data["rule"] == "unread"
    assert guarded.after("Bash", {"command": "x"}).returncode == 0
    repo.write("README.md", "x\n").git("add", "README.md")
    done = subprocess.run(["git", "commit", "-qm", "x"], cwd=repo.root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"NOT judged" in done.stderr
    assert b"passdown doctor --fix" in done.stderr


def test_five_megabytes(guarded):
    content = "x = 'README.md > y'\n" * 270_000
    assert decision(guarded.ask("Write", {"file_path": f"{guarded.root}/src/a.py", "content": content})) is None
    assert decision(guarded.ask("Write", {"file_path": f"{guarded.root}/b.py", "content": content})) == "deny"
    assert decision(guarded.ask("Bash", {"command": f"cat > src/b.py <<'EOF'\n{content}EOF"})) is None
    assert decision(guarded.ask("Bash", {"command": f"cat > b.py <<'EOF'\n{content}EOF"})) == "deny"


def test_nothing_is_said_where_nothing_is_armed(guarded):
    guarded.rules.unlink()
    assert guarded.feed(b"{").returncode == 0
    assert guarded.feed(b"{").stderr == b""
