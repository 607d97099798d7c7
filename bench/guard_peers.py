"""The guard beside others that hold an agent to a boundary, interleaved in one run (``make bench-guard-peers``).

The others are installed by name and pinned version into a venv in a temporary folder, removed afterwards. Each is
armed in its own way on a copy of the same repository and asked about the same edits as a client's hook runs it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from measure import PASSDOWN, Case, budget, interleave, medians, process
from workload import workload

from passdown.guard import hook_files
from support.repo import Repo

ROUNDS, FILES = 21, 5_000
PINNED = ("prompire==0.10.0", "callusguard==0.5.0", "ai-agent-handoff==0.3.0", "agent-lease-mcp==0.2.0")
OURS = "passdown"
BRIEF = """\
goal: Mend it.
scope:
  - src/**
forbidden:
  - tests/**
tests_policy: immutable
acceptance:
  - cmd: "true"
    expect: exit 0
autonomy: ask
"""
RULES = "import sys; from callusguard.guard.runner import run; sys.exit(run())"


class Contender(NamedTuple):
    """One guard: what it holds, its hook, its judgement of the whole difference ([]: it has none), its variables."""

    name: str
    holds: str
    hook: list[str]
    verify: list[str]
    env: Mapping[str, str] = MappingProxyType({})
    root: Path = Path()


def install(folder: Path) -> Path:
    """A venv with the other tools; its folder of commands."""
    venv.create(folder, with_pip=True)
    process([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", *PINNED])
    return folder / "bin"


def original(folder: Path) -> Path:
    """A repository of 5,000 files in ``src`` and one outside."""
    repo = Repo.create(folder / "original").write("README.md", "hello\n")
    repo.git("config", "gc.auto", "0")
    repo.git("config", "maintenance.auto", "false")
    for n in range(FILES):
        repo.write(f"src/part{n % 100}/f{n}.py", f"x = {n}\n")
    return repo.commit("start").root.resolve()


def contenders(tools: Path, root: Path) -> list[Contender]:
    """All of them, armed; each in a copy of its own, with one file changed inside."""
    made = []
    for name, arm in (
        (OURS, _passdown),
        ("prompire", _prompire),
        ("callusguard, scope", _scope),
        ("callusguard, rules", _rules),
        ("agent-lease", _lease),
        ("ai-agent-handoff", _handoff),
    ):
        copy = root.parent / name.replace(", ", "-")
        shutil.copytree(root, copy, symlinks=True)
        one = arm(tools, copy)
        (copy / "src/part7/f7.py").write_text("x = 8\n")
        made.append(one._replace(name=name, root=copy))
    return made


def _passdown(_: Path, root: Path) -> Contender:
    process([PASSDOWN, "start", "mend it", "--allow", "src/**"], root)
    process([PASSDOWN, "init"], root)
    wrapper = str(hook_files.wrapper(root / ".git/passdown"))
    holds = "paths, denials, protected files, new files"
    return Contender("", holds, ["/bin/sh", wrapper, "claude"], [PASSDOWN, "verify"])


def _prompire(tools: Path, root: Path) -> Contender:
    (root / ".prompire").mkdir()
    (root / ".prompire/task.yaml").write_text(BRIEF)
    process([str(tools / "prompire"), "prepare", ".prompire/task.yaml"], root)
    (hook,) = tools.parent.glob("lib/python*/site-packages/hook_scope_guard.py")
    argv = [str(tools / "prompire"), "verify", ".prompire/task.yaml"]
    return Contender("", "paths of a brief", [str(tools / "python"), str(hook)], argv)


def _scope(tools: Path, root: Path) -> Contender:
    file, state = root.parent / "declared.json", str(root.parent / "wroteonly")
    file.write_text(json.dumps({"intent": "mend it", "modify": ["src/**"], "create": [], "delete": []}))
    env = {"WROTEONLY_DECLARATION": str(file), "WROTEONLY_STATE": state}
    command = str(tools / "wroteonly")
    process([command, "declare", "--run-id", "cli", "--modify", "src/**", "--root", "."], root, env)
    verify = [command, "verify", "--run-id", "cli", "--root", ".", "--keep"]
    return Contender("", "paths of a declaration", [command, "hook"], verify, env)


def _rules(tools: Path, _: Path) -> Contender:
    return Contender("", "patterns of commands, no paths", [str(tools / "python"), "-c", RULES], [])


def _lease(tools: Path, root: Path) -> Contender:
    hook, env = [str(tools / "agent-lease-guard")], {"AGENT_LEASE_DB": str(root.parent / "lease.db")}
    other = {**os.environ, **env, "AGENT_NAME": "other"}
    subprocess.run(hook, cwd=root, env=other, input=edit(root, "README.md"), check=True)
    return Contender("", "files that others have leased", hook, [], {**env, "AGENT_NAME": "me"})


def _handoff(tools: Path, _: Path) -> Contender:
    return Contender("", "names of secret files", [str(tools / "agent-guard")], [])


def edit(root: Path, path: str) -> bytes:
    """What a client puts on the hook's standard input before an edit."""
    given = {"file_path": str(root / path), "old_string": "x", "new_string": "y" * 4000}
    said = {"session_id": "s", "cwd": str(root), "permission_mode": "bypassPermissions", "tool_use_id": "call"}
    return json.dumps({**said, "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": given}).encode()


def asked(one: Contender, path: str) -> str:
    """What its hook says to an edit of the path; an end that no client knows ends the benchmark."""
    env = {**os.environ, **one.env}
    done = subprocess.run(one.hook, cwd=one.root, env=env, input=edit(one.root, path), capture_output=True, check=False)
    if done.returncode not in (0, 2):
        sys.exit(f"{one.name} -> {done.returncode}: {done.stderr.decode()}")
    denied = done.returncode == 2 or b'"deny"' in done.stdout
    return "denies" if denied else "asks" if b'"ask"' in done.stdout else "passes"


def judged(one: Contender) -> None:
    """Its judgement of the whole difference, which holds."""
    env = {**os.environ, **one.env}
    done = subprocess.run(one.verify, cwd=one.root, env=env, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{one.name} -> {done.returncode}: {(done.stdout + done.stderr).decode()}")


def main() -> int:
    """Measure and show one row a contender; 1 where ours is not the first of those that hold paths."""
    with workload(files=10), tempfile.TemporaryDirectory(prefix="passdown-bench-") as folder:
        tools = install(Path(folder).resolve() / "venv")
        every = contenders(tools, original(Path(folder).resolve()))
        outside = {one.name: asked(one, "README.md") for one in every}
        hooks = {one.name: Case(lambda one=one: asked(one, "src/part7/f7.py") and None) for one in every}
        taken = interleave(hooks, ROUNDS)
        whole = interleave({one.name: Case(lambda one=one: judged(one)) for one in every if one.verify}, ROUNDS // 3)
    print(f"\n{FILES:,} files; whole processes, interleaved, one machine, one run; medians\n")
    middle, verify = medians(taken), medians(whole)
    print(
        "| guard | holds | edit outside | hook ms | x of ours | verify ms | x of ours |\n|---|---|---|---|---|---|---|"
    )
    for one in every:
        told = f"{verify[one.name] * 1000:.0f} | {verify[one.name] / verify[OURS]:.2f}" if one.verify else " | "
        hook = f"{middle[one.name] * 1000:.0f} | {middle[one.name] / middle[OURS]:.2f}"
        print(f"| {one.name} | {one.holds} | {outside[one.name]} | {hook} | {told} |")
    print()
    fastest = min(seconds for name, seconds in middle.items() if name != OURS)
    quickest = min(seconds for name, seconds in verify.items() if name != OURS)
    kept = budget("our hook / the fastest other hook", middle[OURS] / fastest, 1.0)
    return 0 if budget("our verify / the fastest other", verify[OURS] / quickest, 1.0) and kept else 1


if __name__ == "__main__":
    sys.exit(main())
