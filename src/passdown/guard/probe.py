"""Whether a guard layer refuses, proven: a scratch repository with a boundary that allows nothing, and a canary."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from passdown.guard import git_hooks, hook_files
from passdown.guard.compiled import Arming, compiled, for_worktree
from passdown.model.boundary import Boundary
from passdown.workspace.git import Git

_SECONDS = 20
_CANARY = "canary.txt"


class Probed(Struct, frozen=True):
    """What the canary met: ``refused`` or not, in ``seconds``, and what was said instead of a refusal."""

    refused: bool
    seconds: float
    said: str = ""


@contextmanager
def scratch() -> Iterator[Path]:
    """A repository of its own, guarded, in a folder that goes away; the repository's root."""
    with tempfile.TemporaryDirectory(prefix="passdown-doctor-") as folder:
        root = Path(folder).resolve() / "probe"
        root.mkdir()
        Git(root).run("init", "-q", "--initial-branch=probe", "--template=")
        home = root / ".git" / "passdown"
        (home / "journal").mkdir(parents=True)
        hook_files.install(home)
        nothing = Boundary(version=1, source="hand").sealed()
        arming = Arming(boundary=nothing, task="probe", mode="enforce", until=time.time() + 3600)
        git_dir = root / ".git"
        hook_files.write_rules(hook_files.rules_file(home, git_dir, git_dir), for_worktree({"probe": compiled(arming)}))
        yield root


def probe_command(argv: Sequence[str], root: Path) -> Probed:
    """Run a hook's command as a client does, with a write of the canary."""
    payload = {
        "session_id": "probe",
        "cwd": str(root),
        "hook_event_name": "PreToolUse",
        "permission_mode": "bypassPermissions",
        "tool_name": "Write",
        "tool_use_id": "probe",
        "tool_input": {"file_path": str(root / _CANARY), "content": "canary"},
    }
    done, seconds = _run(argv, root, json.dumps(payload).encode())
    if done is None:
        return Probed(refused=False, seconds=seconds, said="no answer in time")
    refused = done.returncode == 2 or b'"permissionDecision":"deny"' in done.stdout  # noqa: PLR2004 - a hook's denial
    return Probed(refused, seconds, "" if refused else _first(done.stderr) or f"exit {done.returncode}, nothing said")


def probe_session(argv: Sequence[str], root: Path) -> Probed:
    """Tell the hook that a session starts; ``said``: what it has to complain of."""
    payload = {"session_id": "probe", "cwd": str(root), "hook_event_name": "SessionStart", "source": "startup"}
    done, seconds = _run(argv, root, json.dumps(payload).encode())
    if done is None:
        return Probed(refused=False, seconds=seconds, said="no answer in time")
    fault = "" if done.returncode == 0 else f"exit {done.returncode}"
    return Probed(refused=False, seconds=seconds, said=_first(done.stderr) or fault)


def probe_pre_commit(line_of: Path, root: Path) -> Probed:
    """Commit the canary with the hook as it stands in ``line_of``, run in the scratch repository."""
    script = hook_files.folder(root / ".git" / "passdown") / "git-hook.sh"
    hook_files.put(script, git_hooks.script().encode(), mode=0o755)
    ours = [line for line in line_of.read_text("utf-8", "replace").splitlines() if git_hooks.MARK in line]
    hook_files.put(root / ".git" / "hooks" / "pre-commit", "\n".join(["#!/bin/sh", *ours, ""]).encode(), mode=0o755)
    (root / _CANARY).write_text("canary\n")
    who = ("-c", "user.name=probe", "-c", "user.email=probe@localhost", "-c", "commit.gpgsign=false")
    hooks = ("-c", f"core.hooksPath={root / '.git' / 'hooks'}")
    _run(("git", *who, "commit", "-q", "--allow-empty", "--no-verify", "-m", "start"), root)
    _run(("git", "add", _CANARY), root)
    done, seconds = _run(("git", *who, *hooks, "commit", "-q", "-m", "canary"), root)
    if done is None:
        return Probed(refused=False, seconds=seconds, said="no answer in time")
    refused = done.returncode != 0 and b"outside what this run may write" in done.stderr
    return Probed(refused, seconds, "" if refused else _first(done.stderr) or "the commit went through")


def _run(argv: Sequence[str], root: Path, said: bytes = b"") -> tuple[subprocess.CompletedProcess[bytes] | None, float]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    began = time.monotonic()
    try:
        done = subprocess.run(argv, cwd=root, env=env, input=said, capture_output=True, timeout=_SECONDS, check=False)
    except (subprocess.TimeoutExpired, OSError) as error:
        failed = None if isinstance(error, subprocess.TimeoutExpired) else error
        if failed is None:
            return None, time.monotonic() - began
        done = subprocess.CompletedProcess(list(argv), 127, b"", str(failed).encode())
    return done, time.monotonic() - began


def _first(text: bytes) -> str:
    return (text.decode("utf-8", "replace").strip().splitlines() or [""])[0][:160]
