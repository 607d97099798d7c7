"""Our one line in git's hooks: put in after the first line of what is there, taken out again without a trace."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from pathlib import Path

from msgspec import Struct

from passdown.guard import hook_files
from passdown.workspace.place import Place, config_at, user_git

NAMES = ("pre-commit", "pre-push")
MARK = "# passdown's guard"
_ALONE = f"{MARK} made this file"
_AT = "p=$(git rev-parse --path-format=absolute --git-common-dir)/passdown/guard/git-hook.sh; "
_LINES = {
    "pre-commit": '[ ! -f "$p" ] || sh "$p" pre-commit </dev/null || exit 1 ',
    # What is pushed stands on standard input, which whatever comes after reads too.
    "pre-push": (
        't=$p.$$; if [ -f "$p" ] && [ ! -t 0 ] && cat 2>/dev/null >"$t"; '
        'then sh "$p" pre-push <"$t"; s=$?; exec <"$t"; rm -f "$t"; [ $s -eq 0 ] || exit 1; '
        'elif [ -f "$p" ]; then sh "$p" pre-push </dev/null || exit 1; fi '
    ),
}
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh")
_SCRIPT = """\
#!/bin/sh
# Passdown's guard in git's hooks. $1 names the hook.
p={interpreter}
# 3 refuses; whatever else goes wrong must not stop anybody's commit.
[ -x "$p" ] && "$p" -I -X utf8 \\
    -c "from passdown.cli.git_hook import main; import sys; sys.exit(main(sys.argv))" "$@" && exit 0
s=$?
if [ $s -eq 3 ]; then exit 1; fi
echo "passdown: $1 was NOT judged: $p or its Passdown is gone ($s). A person repairs it: passdown doctor --fix" >&2
exit 0
"""


class GitHook(Struct, frozen=True):
    """One hook: its file, and why our line cannot stand in it ("" where it does or can)."""

    name: str
    path: Path
    ours: bool
    fault: str = ""


def folder(place: Place) -> Path:
    """Where git looks for hooks here, ``core.hooksPath`` heeded."""
    said = config_at(user_git(place)).get("core.hookspath")
    return place.root / Path(said).expanduser() if said else place.common_dir / "hooks"


def look(place: Place) -> list[GitHook]:
    """The hooks as they are."""
    at = folder(place)
    return [_look(place, name, at / name) for name in NAMES]


def _look(place: Place, name: str, path: Path) -> GitHook:
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        fault = "" if not _tracked_folder(place, path) else "core.hooksPath names a folder that is part of the work"
        return GitHook(name, path, ours=False, fault=fault)
    except IsADirectoryError:
        return GitHook(name, path, ours=False, fault="it is a folder")
    if MARK.encode() in text:
        off = "" if os.access(path, os.X_OK) else "it is not executable, so git passes it over"
        return GitHook(name, path, ours=True, fault=off)
    if _tracked_folder(place, path):
        return GitHook(name, path, ours=False, fault="core.hooksPath names a folder that is part of the work")
    first = text.partition(b"\n")[0].decode("utf-8", "replace")
    shell = first.startswith("#!") and first.split()[-1].rpartition("/")[2] in _SHELLS
    return GitHook(name, path, ours=False, fault="" if shell else "it is no shell script")


def _tracked_folder(place: Place, path: Path) -> bool:
    """Whether the hooks' folder lies among the files that are committed (husky keeps its own beside an ignore file)."""
    inside = path.parent.is_relative_to(place.root) and not path.parent.is_relative_to(place.common_dir)
    return inside and not (path.parent / ".gitignore").exists()


def alone(hook: GitHook) -> bool:
    """Whether nothing but our line stands in it, or nothing at all."""
    try:
        lines = hook.path.read_bytes().splitlines()
    except FileNotFoundError:
        return True
    return all(line == b"#!/bin/sh" or MARK.encode() in line for line in lines)


def install(place: Place) -> list[GitHook]:
    """Have our line in each hook where it can stand; the hooks as they are then."""
    hook_files.put(hook_files.folder(place.home) / "git-hook.sh", script().encode(), mode=0o755)
    for hook in look(place):
        if hook.ours:
            _renew(hook)
        elif not hook.fault:
            _add(hook)
    return look(place)


def script() -> str:
    """The program that our line runs."""
    return _SCRIPT.format(interpreter=shlex.quote(sys.executable))


def _line(hook: GitHook, mark: str) -> str:
    return f"{_AT}{_LINES[hook.name]}{mark}\n"


def _add(hook: GitHook) -> None:
    if not hook.path.exists():
        hook_files.put(hook.path, f"#!/bin/sh\n{_line(hook, _ALONE)}".encode(), mode=0o755)
        return
    line = _line(hook, MARK).encode()
    first, _, rest = hook.path.read_bytes().partition(b"\n")
    hook_files.put(hook.path.resolve(), first + b"\n" + line + rest, mode=stat.S_IMODE(hook.path.stat().st_mode))


def _renew(hook: GitHook) -> None:
    """Have our line as this version writes it; what stands beside it stays."""
    lines = hook.path.read_bytes().splitlines(keepends=True)
    marks = [_ALONE if line.rstrip().endswith(_ALONE.encode()) else MARK for line in lines]
    kept = [
        _line(hook, mark).encode() if MARK.encode() in line else line for line, mark in zip(lines, marks, strict=True)
    ]
    if kept != lines:
        hook_files.put(hook.path.resolve(), b"".join(kept), mode=stat.S_IMODE(hook.path.stat().st_mode))


def remove(place: Place) -> list[Path]:
    """Take our line out everywhere; the hooks that were touched. One that held nothing else goes."""
    touched = []
    for hook in look(place):
        if not hook.ours:
            continue
        lines = hook.path.read_bytes().splitlines(keepends=True)
        kept = b"".join(line for line in lines if MARK.encode() not in line)
        if kept == b"#!/bin/sh\n" and any(line.rstrip().endswith(_ALONE.encode()) for line in lines):
            hook.path.unlink()
        else:
            hook_files.put(hook.path.resolve(), kept, mode=stat.S_IMODE(hook.path.stat().st_mode))
        touched.append(hook.path)
    (hook_files.folder(place.home) / "git-hook.sh").unlink(missing_ok=True)
    return touched
