"""``passdown init``: the guard's hooks in place for every run, and out again without a trace."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passdown.agents.claude import hooks as claude_hooks
from passdown.agents.codex import hooks as codex_hooks
from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.output import plain, print_json, say
from passdown.cli.paint import screen_width
from passdown.errors import EXIT_BAD_INPUT, EXIT_HOLDS
from passdown.guard import arm, git_hooks, hook_files, installation, mcp_files, settings_files
from passdown.model.event import GuardInstalled
from passdown.packet.text import wrap
from passdown.workspace.control import control_changes, control_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from passdown.guard.git_hooks import GitHook
    from passdown.guard.installation import Undone
    from passdown.workspace.place import Place

    Hooks = Sequence[GitHook]

TEAM = """\
# Passdown's policy. It counts as soon as it is committed on the base branch. All keys: docs/passdown-toml.md
version = 1
mode = "team"

[guard]
mode = "observe" # counts what it would have denied; then "advise", then "enforce"
"""
_CODEX = ".codex/hooks.json"
_TEAM_SETTINGS = ".claude/settings.json"
_SAID = {
    ".claude": "Claude Code: tool calls, a session's events",
    _CODEX: "Codex, once you trusted it there: /hooks",
    mcp_files.CLAUDE: "Claude Code: the agent's tools; it asks you once",
    mcp_files.CODEX: "Codex: the agent's tools, in a trusted project",
    "pre-commit": "each commit is judged",
    "pre-push": "what is pushed is judged",
}


@click.command(epilog="Example:  passdown init --dry-run")
@click.option("--team", is_flag=True, help="For everybody: settings that are committed, and a passdown.toml.")
@click.option("--mcp", is_flag=True, help="The agent's tools too: passdown mcp in the clients' project files.")
@click.option("--dry-run", is_flag=True, help="Say what would be written; write nothing.")
@click.option("--undo", is_flag=True, help="Take everything out again.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("init")
def init(team: bool, mcp: bool, dry_run: bool, undo: bool, as_json: bool) -> int:
    """Put the guard into the agents' hooks and git's hooks of this repository.

    Nothing needs it: `passdown resume --with claude` guards one run and installs nothing. What is there stays;
    --undo gives every file back byte for byte.
    """
    context = Context()
    if undo:
        return _undo(context, as_json=as_json)
    wanted = _wanted(context.place, team=team) + (_servers(context.place) if mcp else [])
    there = {path for path, after in wanted if installation.read(context.place, path) == after}
    had = git_hooks.look(context.place)
    if dry_run:
        _tell([path for path, _ in wanted], there, (had, had), as_json=as_json, dry=True)
        return EXIT_HOLDS
    before = control_parts(context.place)
    hook_files.install(context.place.home)
    files = installation.install(context.place, wanted)
    hooks = git_hooks.install(context.place)
    _record(context, before, {put.path: installation.blob_id(context.place, put.after) for put in files})
    arm.refresh(context.place, context.tasks, context.policy, context.now)
    _tell([path for path, _ in wanted], there, (had, hooks), as_json=as_json)
    return EXIT_HOLDS


def _wanted(place: Place, *, team: bool) -> list[tuple[str, bytes]]:
    """``(path, content)`` of each file as it should be; PassdownError before anything is written."""
    program = hook_files.portable()
    shared = settings_files.present(installation.read(place, _TEAM_SETTINGS))  # a hook in both files would run twice
    claude = _TEAM_SETTINGS if team or shared else ".claude/settings.local.json"
    entries = {claude: claude_hooks.entries(program), _CODEX: codex_hooks.entries(program)}
    wanted = [
        (path, settings_files.merged(installation.read(place, path), events, path)) for path, events in entries.items()
    ]
    if team and installation.read(place, "passdown.toml") is None:
        wanted.append(("passdown.toml", TEAM.encode()))
    return wanted


def _servers(place: Place) -> list[tuple[str, bytes]]:
    """Our MCP server in the files where each client looks for a project's; found by its name where that is on PATH."""
    command = "passdown" if shutil.which("passdown") else str(Path(sys.argv[0]).absolute())
    files = (mcp_files.CLAUDE, mcp_files.CODEX)
    return [(path, mcp_files.merged(installation.read(place, path), path, command)) for path in files]


def _record(context: Context, before: dict[str, str], files: dict[str, str], *, undone: bool = False) -> None:
    after = control_parts(context.place)
    changed = control_changes(before, after)
    if not changed and not files:
        return
    body = GuardInstalled(
        worktree_id=context.place.worktree_id,
        by=context.me,
        undone=undone,
        before={name: before[name] for name in changed if name in before},
        after={name: after[name] for name in changed if name in after},
        files=files,
    )
    context.recorder.append(body, task=None, at=context.now)


def _tell(
    paths: Sequence[str], there: Collection[str], hooks: tuple[Hooks, Hooks], *, as_json: bool, dry: bool = False
) -> None:
    """What is new, one a line, and what was in place already; ``hooks``: git's before and after."""
    before, after = hooks
    new = [path for path in paths if path not in there]
    if as_json:
        told = [{"hook": hook.name, "path": str(hook.path), "ours": hook.ours, "fault": hook.fault} for hook in after]
        print_json({"dry_run": dry, "files": new, "in_place": [p for p in paths if p in there], "git_hooks": told})
        return
    had = {hook.name for hook in before if hook.ours}
    rows = [(path, _kind(path)) for path in new]
    rows += [(f"git {hook.name}", _hook(hook)) for hook in after if hook.name not in had and not _barred(hook)]
    kept = [(path, _kind(path)) for path in paths if path in there]
    kept += [(f"git {hook.name}", _hook(hook)) for hook in after if hook.name in had]
    say("IN PLACE ALREADY" if not rows else "WOULD WRITE" if dry else "INSTALLED")
    for name, what in [*(rows or kept), *((f"git {hook.name}", _hook(hook)) for hook in after if _barred(hook))]:
        say(f"  {name:<28} {plain(what)}")
    for line in (
        wrap("In place already   ", [name for name, _ in kept], screen_width(), between=", ") if rows and kept else ()
    ):
        say(line)
    if not dry:
        say("Prove it   passdown doctor          Undo   passdown init --undo")


def _barred(hook: GitHook) -> bool:
    return bool(hook.fault) and not hook.ours


def _kind(path: str) -> str:
    return next((text for start, text in _SAID.items() if path.startswith(start)), "the policy; commit it")


def _hook(hook: GitHook) -> str:
    """What git's hook does for us, and that what stands in it runs too."""
    if hook.fault:
        return hook.fault if hook.ours else f"not installed: {hook.fault}"
    return _SAID[hook.name] + ("" if git_hooks.alone(hook) else "; beside what is there")


def _undo(context: Context, *, as_json: bool) -> int:
    """Exit 2 where a file could not be looked at; the others are given back all the same."""
    before = control_parts(context.place)
    hooks = git_hooks.remove(context.place)
    files = installation.undo(context.place)
    for path in sorted(hook_files.folder(context.place.home).glob("rules/*.json")):
        hook_files.remove_rules(path)
    hook_files.wrapper(context.place.home).unlink(missing_ok=True)
    blobs = {each.path: _blob(context.place, each) for each in files}
    _record(context, before, blobs, undone=True)
    code = EXIT_BAD_INPUT if any(each.fault for each in files) else EXIT_HOLDS
    if as_json:
        rows = [{"path": e.path, "how": e.how, "branches": e.branches, "fault": e.fault or None} for e in files]
        print_json({"undone": rows, "git_hooks": [str(path) for path in hooks]})
        return code
    here = [each for each in files if each.how != "elsewhere"]
    say("UNDONE" if here or hooks else "NOTHING TO UNDO HERE" if files else "NOTHING TO UNDO")
    how = {"restored": "as it was", "cleaned": "changed since: our entries alone went"}
    for each in files:
        where = f"not on this branch; on {plain(', '.join(each.branches[:3]))}" if each.branches else "left alone"
        where += f": {plain(each.fault)}" if each.fault else ""
        say(f"  {each.path:<28} {how.get(each.how, where)}")
    for path in hooks:
        say(f"  {'git ' + path.name:<28} as it was")
    there = next((each.branches[0] for each in files if each.branches), None)
    if there is not None:
        say(f"Next   git switch {plain(there)} && passdown init --undo")
    elif code:
        say("Next   mend what is named, then again: passdown init --undo")
    return code


def _blob(place: Place, undone: Undone) -> str:
    now = installation.read(place, undone.path) if not undone.fault else None
    return installation.blob_id(place, now) if now is not None else ""
