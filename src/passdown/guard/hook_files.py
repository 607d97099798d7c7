"""The guard's files under ``<common>/passdown/guard/``: the hook's copy, the ``sh`` wrapper, the compiled rules.

    guard/hook.sh              what agents' settings name; never moves, survives an upgrade and a moved environment
    guard/hook_<digest>/       a copy of :mod:`passdown.guard.hook`
    guard/program              the interpreter that has Passdown installed
    guard/rules/<worktree>.json

They run without the package: a moved environment or an uninstalled Passdown neither locks out nor opens silently.
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from passdown.guard import hook
from passdown.ledger.locks import exclusive

_SOURCE = Path(hook.__file__).parent
_WRAPPER = """\
#!/bin/sh
# Passdown's guard: what an agent's hook runs. $1 names the agent, standard input is the payload.
d=${{0%/*}}
m={module}
why="its interpreter or its files are gone"
by() {{
    [ -x "$1" ] && [ -d "$d/$m" ] || return
    p=$1
    shift
    "$p" -I -S -X utf8 -c \\
        "import sys; sys.path.insert(0, sys.argv[1]); from $m.answer import main; sys.exit(main(sys.argv))" "$d" "$@"
    s=$?
    if [ $s -eq 0 ] || [ $s -eq 2 ]; then exit $s; fi
    why="its own program failed"
}}
by {interpreter} "$@"
by "$(command -v python3)" "$@"
for r in "$d"/rules/*.json; do
    [ -f "$r" ] || exit 0
    echo "Passdown: a boundary is armed and the guard cannot run ($why). A person repairs it: passdown doctor --fix" >&2
    [ "$2" != session ] || exit 0
    exit 2
done
"""
_FIND = """\
w=passdown/guard/hook.sh
at() {
    g=$1/.git
    if [ -f "$g" ]; then
        IFS= read -r g <"$g"
        g=${g#gitdir: }
        case $g in /*) ;; *) g=$1/$g ;; esac
    fi
    if [ -f "$g/commondir" ]; then
        IFS= read -r c <"$g/commondir"
        case $c in /*) g=$c ;; *) g=$g/$c ;; esac
    fi
    [ -f "$g/$w" ]
}
for d in "$CLAUDE_PROJECT_DIR" "$PWD"; do
    while [ -n "$d" ]; do
        if at "$d"; then exec /bin/sh "$g/$w" "$@"; fi
        d=${d%/*}
    done
done
g=$(git rev-parse --git-common-dir 2>/dev/null)
[ ! -f "$g/$w" ] || exec /bin/sh "$g/$w" "$@"
"""


def folder(home: Path) -> Path:
    """Where the guard's files lie."""
    return home / "guard"


def wrapper(home: Path) -> Path:
    """The program that agents' settings name."""
    return folder(home) / "hook.sh"


def program(home: Path) -> list[str]:
    """What an agent's hook runs for one run, to be followed by the agent's name."""
    return ["/bin/sh", str(wrapper(home))]


def portable() -> list[str]:
    """The same for a settings file that is shared or may move: it finds the guard of the repository it runs in.

    Where a clone has no guard it says nothing and passes. It looks upwards itself, past nested repositories, from the
    folder it runs in and from the session's project, and asks no environment where git's folder is.
    """
    return ["/bin/sh", "-c", _FIND, "passdown"]


def interpreter() -> str:
    """The interpreter that outlives an environment: the one that a virtual environment was made from."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def install(home: Path) -> Path:
    """Have hook and wrapper of this version in place; the wrapper's path. What is there already stays untouched."""
    import hashlib  # noqa: PLC0415 - only here, in a module that every hook loads

    sources = sorted(_SOURCE.glob("*.py"))
    digest = hashlib.sha256(b"\0".join(each.read_bytes() for each in sources)).hexdigest()[:12]
    module = f"hook_{digest}"
    there = folder(home) / module
    if not there.is_dir():
        _copy(sources, there)
    program_file = folder(home) / "program"
    if not program_file.is_file() or program_file.read_bytes() != os.fsencode(sys.executable):
        put(program_file, os.fsencode(sys.executable))
    text = _WRAPPER.format(interpreter=shlex.quote(interpreter()), module=module)
    path = wrapper(home)
    if not path.is_file() or path.read_text() != text:
        put(path, text.encode(), mode=0o755)
        import shutil  # noqa: PLC0415 - every command loads this module, few write

        for old in folder(home).glob("hook_*"):
            if old.name != module and not old.name.endswith(".new"):
                shutil.rmtree(old, ignore_errors=True)
    return path


def _copy(sources: list[Path], there: Path) -> None:
    """A whole copy or none: made aside, then renamed; another process may be quicker."""
    import py_compile  # noqa: PLC0415 - only here, in a module that every hook loads
    import shutil  # noqa: PLC0415 - every command loads this module, few write
    import tempfile  # noqa: PLC0415 - every command loads this module, few write

    there.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f"{there.name}.", suffix=".new", dir=there.parent))
    try:
        for each in sources:
            shutil.copyfile(each, aside / each.name)
            py_compile.compile(str(aside / each.name), dfile=each.name, doraise=True)
        aside.chmod(0o755)
        aside.rename(there)
    except OSError:
        if not there.is_dir():
            raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def rules_file(home: Path, git_dir: Path, common_dir: Path) -> Path:
    """The rules of one worktree, under a name that the hook finds without hashing."""
    return folder(home) / "rules" / f"{'main' if git_dir == common_dir else git_dir.name}.json"


def write_rules(path: Path, rules: dict[str, Any]) -> None:
    """Put the rules in place in one step; what the boundary let appear so far stays listed while it is the same."""
    with _alone(path):
        for branch, kept in _branches(path).items():
            new = rules["branches"].get(branch)
            if new is not None and new["boundary"] == kept.get("boundary"):
                new["made"] = sorted({*new["made"], *kept.get("made", ())})
        _put_rules(path, rules)


def _put_rules(path: Path, rules: dict[str, Any]) -> None:
    import json  # noqa: PLC0415 - every command loads this module, few write

    put(path, json.dumps(rules, separators=(",", ":")).encode("ascii"))


def _branches(path: Path) -> dict[str, dict[str, Any]]:
    """The rules by branch that stand there; {} where none can be read."""
    import json  # noqa: PLC0415 - every command loads this module, few write

    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_bytes())["branches"]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _alone(path: Path) -> AbstractContextManager[bool]:
    """One writer of a worktree's rules at a time: a look must not put back what a person just changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return exclusive(path.parent.with_suffix(".lock"))


def add_made(path: Path, key: str, made: list[str]) -> None:
    """Note new files that the boundary let appear: from now on they may be changed."""
    import json  # noqa: PLC0415 - every command loads this module, few write

    with _alone(path):
        try:
            rules = json.loads(path.read_bytes())
            listed = rules["branches"][key]["made"]
        except (FileNotFoundError, KeyError):  # disarmed since
            return
        listed += [each for each in made if each not in listed]
        _put_rules(path, rules)


def remove_rules(path: Path) -> None:
    """Take the rules away; nothing binds there any more."""
    if path.exists():
        with _alone(path):
            path.unlink(missing_ok=True)


def put(path: Path, content: bytes, *, mode: int = 0o644) -> None:
    """Write a file whole or not at all."""
    import tempfile  # noqa: PLC0415 - every command loads this module, few write

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
