"""Each layer of the guard in this repository: enforcing, advisory, dead or off, by a probe where one can be made."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from passdown.agents.codex.trust import hook_trust
from passdown.guard import git_hooks, hook_files, probe
from passdown.model.policy import GuardMode
from passdown.workspace.place import Place

State = Literal["enforcing", "advisory", "dead", "off"]
CLAUDE_FILES = (".claude/settings.local.json", ".claude/settings.json")
CODEX_FILE = ".codex/hooks.json"
_CI = (".github/workflows", ".gitlab-ci.yml", ".circleci", "azure-pipelines.yml", "Jenkinsfile")
_WORD_OF: dict[GuardMode, State] = {"enforce": "enforcing", "advise": "advisory", "observe": "advisory"}


class Layer(Struct, frozen=True):
    """One layer: its state, what was tried (``probe``), what it does not see (``holes``), how to mend it."""

    layer: str
    state: State
    probe: str
    fix: str = ""
    holes: str = ""


def layers(place: Place, mode: GuardMode, claude_home: Path) -> Iterator[Layer]:
    """All layers; ``claude_home``: the folder of the person's own settings of Claude Code."""
    with probe.scratch() as root:
        yield _claude(place, mode, root, claude_home)
        yield from _session("Claude Code session", CLAUDE_FILES, place, root)
        yield _codex(place, mode, root)
        yield from _session("Codex session", (CODEX_FILE,), place, root)
        yield from _git(place, mode, root)
    yield _ci(place)


def _claude(place: Place, mode: GuardMode, root: Path, home: Path) -> Layer:
    version = _version("claude")
    holes = "what Bash, MCP servers and background processes write is seen after the call, not before"
    commands = [(path, _command(place.root / path)) for path in CLAUDE_FILES]
    there = [(path, argv) for path, argv in commands if argv]
    if not there:
        fix = "passdown resume --with claude (one run), passdown init (every run)"
        return Layer("Claude Code hook", "off", f"not installed{version}", fix, holes)
    off = next((at for at in (home / "settings.json", *(place.root / p for p in CLAUDE_FILES)) if _disabled(at)), None)
    if off is not None:
        return Layer("Claude Code hook", "dead", f"{off} says disableAllHooks", f"take it out of {off}", holes)
    return _probed("Claude Code hook", mode, probe.probe_command(there[0][1], root), f"{there[0][0]}{version}", holes)


def _codex(place: Place, mode: GuardMode, root: Path) -> Layer:
    version = _version("codex")
    holes = "shell commands' writes are seen after the call; write_stdin and web tools never reach a hook"
    argv = _command(place.root / CODEX_FILE)
    if not argv:
        fix = "passdown resume --with codex (one run), passdown init (every run)"
        return Layer("Codex hook", "off", f"not installed{version}", fix, holes)
    found = _probed("Codex hook", mode, probe.probe_command(argv, root), f"{CODEX_FILE}{version}", holes)
    program = shutil.which("codex")
    if found.state == "dead":
        return found
    if program is None:
        said = f"{found.probe}; whether Codex trusts it cannot be told without codex"
        return Layer("Codex hook", "advisory", said, "in Codex: /hooks, trust those of Passdown", holes)
    trust = hook_trust(program, [], place.root, "passdown/guard/hook.sh")
    if trust in ("trusted", "managed"):
        return found
    said = {"unknown": "this Codex does not list it: is the project trusted?"}.get(trust, f"Codex has it as {trust}")
    return Layer("Codex hook", "dead", f"{CODEX_FILE}: {said}", "in Codex: /hooks, trust those of Passdown", holes)


def _session(name: str, files: Sequence[str], place: Place, root: Path) -> Iterator[Layer]:
    """The hooks at a session's events, where the others are installed: they tell, and refuse nothing."""
    installed = [place.root / path for path in files if _command(place.root / path)]
    if not installed:
        return
    argv = next((argv for path in installed if (argv := _command(path, "SessionStart"))), [])
    if not argv:
        yield Layer(name, "off", "not installed: an older init put none", "passdown init")
        return
    found = probe.probe_session(argv, root)
    if found.said:
        yield Layer(name, "dead", f"a session's start was not heard ({found.said})", "passdown doctor --fix")
    else:
        said = f"a session's start was heard in {found.seconds * 1000:.0f} ms: the brief, compactions, ends"
        yield Layer(name, "advisory", said)


def _git(place: Place, mode: GuardMode, root: Path) -> Iterator[Layer]:
    for hook in git_hooks.look(place):
        name = f"git {hook.name}"
        holes = "--no-verify passes it by" if hook.name == "pre-commit" else ""
        if not hook.ours:
            fix = f"mend it, then passdown init: {hook.fault}" if hook.fault else "passdown init"
            yield Layer(name, "off", f"not installed{': ' + hook.fault if hook.fault else ''}", fix, holes)
        elif hook.fault:
            yield Layer(name, "dead", hook.fault, f"chmod +x {hook.path}", holes)
        elif hook.name == "pre-commit":
            yield _probed(name, mode, probe.probe_pre_commit(hook.path, root), "a commit", holes)
        else:
            script = hook_files.folder(place.home) / "git-hook.sh"
            alive = script.is_file()
            yield Layer(
                name,
                _WORD_OF[mode] if alive else "dead",
                "its line and program are there" if alive else f"{script} is gone",
                "" if alive else "passdown doctor --fix",
                holes,
            )


def _ci(place: Place) -> Layer:
    files = [path for name in _CI for path in _files(place.root / name)]
    calls = next((path for path in files if "passdown verify" in path.read_text("utf-8", "replace")), None)
    if calls is None:
        return Layer("CI", "off", "no workflow runs `passdown verify`", "docs/ci.md: what CI can say, and what not yet")
    return Layer("CI", "advisory", f"{calls.relative_to(place.root)} runs it; make it a required check there")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return [each for each in sorted(path.glob("*")) if each.is_file()] if path.is_dir() else []


def _probed(name: str, mode: GuardMode, found: probe.Probed, where: str, holes: str) -> Layer:
    if not found.refused:
        return Layer(name, "dead", f"{where}: a canary got through ({found.said})", "passdown doctor --fix", holes)
    said = f"{where}: a canary was refused in {found.seconds * 1000:.0f} ms"
    return Layer(name, _WORD_OF[mode], said if mode == "enforce" else f"{said}; the policy says {mode}", "", holes)


def _command(path: Path, event: str = "PreToolUse") -> list[str]:
    """The command of our entry for an event in a settings file, [] where there is none."""
    try:
        hooks: Any = json.loads(path.read_bytes())["hooks"][event]
        found = [hook for group in hooks for hook in group["hooks"] if "passdown/guard/hook.sh" in json.dumps(hook)]
        hook = found[0]
        return [hook["command"], *hook["args"]] if "args" in hook else shlex.split(hook["command"])
    except (OSError, ValueError, LookupError, TypeError):
        return []


def _disabled(path: Path) -> bool:
    try:
        return json.loads(path.read_bytes()).get("disableAllHooks") is True
    except (OSError, ValueError, AttributeError):
        return False


def _version(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        return f"; {program} is not on PATH"
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return f"; {(done.stdout.decode('utf-8', 'replace').strip().splitlines() or ['no version'])[0][:60]}"
