"""The programs and installed sets that a check uses: of its command, and of the scripts and files that it leads to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from passdown.checks import installed
from passdown.checks.program import Program, find, interpreter
from passdown.checks.scripts import Found, follow
from passdown.checks.shims import behind, choice
from passdown.checks.tools import TOOLS
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition
from passdown.rules import command
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program as name_of
from passdown.rules.shell_words import unwrap

_NAMES = frozenset(name for tool in TOOLS for name in tool.names) | {"ruby", "php", "perl", "java", "deno"}
_WORD = lazy(r"(?<![\w./-])[A-Za-z][\w.-]*")
_REMARK = lazy(r"(?m)^\s*#.*$")
_SYSTEM = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/games")
_MANY = 500
"""Of folders with more programs nobody says that each belongs to the person."""
_VENVS = (".venv", "venv")
_MAKE_THEM = {"uv", "poetry", "pdm", "hatch", "tox", "nox", "pipenv", "rye", "pixi", "direnv"}
"""Programs that make a virtual environment themselves, or find it."""
_MADE = {"tox": ".tox", "nox": ".nox", "hatch": ".hatch", "pixi": ".pixi/envs", "direnv": ".direnv"}
_ELSEWHERE = {
    "poetry": (".cache/pypoetry/virtualenvs", "{name}-*-py*"),
    "pipenv": (".local/share/virtualenvs", "{folder}-*"),
    "hatch": (".local/share/hatch/env/virtual", "{name}/*/*"),
}
_NODE = {"npm", "npx", "pnpm", "yarn", "bun", "bunx", "node", "jest", "vitest", "mocha", "eslint", "tsc"}
_HOPS = 5
_ACTIVE = ("VIRTUAL_ENV", "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT")


def typed(view: TreeView, definition: CheckDefinition, env: Mapping[str, str]) -> list[Program]:
    """The programs of the command line itself, wrappers and what they wrap, each once."""
    root = view.place.root
    words = [layer[0] for said in command.programs(definition.run) for layer in (said, unwrap(said)) if layer]
    programs = (find(word, root, env.get("PATH")) for word in dict.fromkeys(words))
    return [program for program in programs if program is not None]


def programs(view: TreeView, definition: CheckDefinition, env: Mapping[str, str]) -> dict[str, str]:
    """Fingerprint parts: each program with its digest, and what is installed where it runs."""
    found, root = follow(view, definition.run), view.place.root
    parts: dict[str, str] = {}
    prefixes: set[Path] = set()
    for program in [*typed(view, definition, env), *_reached(view, definition, found, env)]:
        parts[f"program {program.name}"] = f"{shown(program.path, root)} {program.digest}"
        runs = list(_behind(program, root, env))
        if runs[1:]:
            said = ", ".join(f"{shown(run.path, root)} {run.digest}" for run in runs[1:])
            parts[f"interpreter of {program.name}"] = said
        prefixes |= {prefix for run in runs if (prefix := installed.python_prefix(run.path)) is not None}
        chosen = choice(program.path, root, env)
        if chosen is not None:
            parts[f"versions behind {program.name}"] = chosen
    prefixes |= environments(view, definition, env)
    for prefix in sorted(prefixes):
        parts[f"python of {shown(prefix, root)}"] = installed.python_version(prefix)
        parts[f"packages of {shown(prefix, root)}"] = installed.python_packages(prefix)
    return parts | _lists(root, found, python=bool(prefixes))


def environments(view: TreeView, definition: CheckDefinition, env: Mapping[str, str]) -> set[Path]:
    """The virtual environments that the check's managers (uv, poetry, tox ...) use, as far as they are there."""
    found, root = follow(view, definition.run), view.place.root
    text = "\n".join(found.words)
    managers = _MAKE_THEM & {*map(name_of, (word for word, _ in found.calls)), *_WORD.findall("\n".join(found.bodies))}
    if not managers and "venv" not in text:
        return set()
    folders = {folder for _, folder in found.calls} | {""}
    wanted = [root / folder / name for folder in folders for name in _VENVS]
    wanted += [path for manager in managers & _MADE.keys() for path in _below(root / _MADE[manager])]
    wanted += [path for manager in managers & _ELSEWHERE.keys() for path in _of_home(manager, root, env)]
    wanted += [Path(env[name]) for name in _ACTIVE if managers and env.get(name)]
    return {path for path in wanted if (path / "pyvenv.cfg").is_file() or (path / "conda-meta").is_dir()}


def _reached(view: TreeView, definition: CheckDefinition, found: Found, env: Mapping[str, str]) -> Iterator[Program]:
    """Programs of package scripts and of other folders, and the tools that followed files name."""
    root, search = view.place.root, env.get("PATH")
    known = {layer[0] for said in command.programs(definition.run) for layer in (said, unwrap(said)) if layer}
    for word, folder in sorted(found.calls):
        if word not in known or folder:
            program = find(word, root / folder, search)
            if program is not None and program.name not in known:
                known.add(program.name)
                yield program
    named = _NAMES & set(_WORD.findall("\n".join(found.bodies)))
    own = _own_programs(search, root) & set(_WORD.findall("\n".join(map(_said, found.bodies))))
    for name in sorted((named | own) - known):
        program = find(name, root, search)
        if program is not None:
            yield program


def _said(body: str) -> str:
    """A script without its comments."""
    return _REMARK.sub("", body)


def _own_programs(search: str | None, root: Path) -> set[str]:
    """Programs that the system did not bring and no Python environment holds: those of other folders of PATH."""
    found: set[str] = set()
    for place in (search or os.defpath).split(os.pathsep):
        folder = root / place
        if str(folder) in _SYSTEM or (folder.parent / "pyvenv.cfg").is_file():
            continue
        try:
            names = os.listdir(folder)  # noqa: PTH208 - names alone
        except OSError:
            continue
        found.update(names if len(names) < _MANY else ())
    return found


def _behind(program: Program, root: Path, env: Mapping[str, str]) -> Iterator[Program]:
    """The program, what its shim starts, the interpreter of that, and so on."""
    current: Program | None = program
    for _ in range(_HOPS):
        if current is None:
            return
        yield current
        other = behind(current.path, root, env)
        current = find(str(other), root, None) if other else interpreter(current, root, env.get("PATH"))


def _lists(root: Path, found: Found, *, python: bool) -> dict[str, str]:
    """What package managers wrote down of their own folders: in the root, and where JavaScript's tools run."""
    digests: list[tuple[str, str | None]] = [
        ("node_modules", installed.node_packages(root)),
        ("vendor", installed.composer_packages(root)),
        ("the user's own site", installed.user_packages() if python else None),
    ]
    folders = {folder for word, folder in found.calls if folder and name_of(word) in _NODE}
    digests += [(f"{folder}/node_modules", installed.node_packages(root / folder)) for folder in sorted(folders)]
    return {f"packages of {name}": digest for name, digest in digests if digest is not None}


def _below(folder: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(folder)]
    except OSError:
        return []


def _of_home(manager: str, root: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """Where poetry, pipenv and hatch keep a project's environment in the person's home, by the project's name."""
    place, pattern = _ELSEWHERE[manager]
    name = re.sub(r"[^\w-]+", "-", root.name)
    folder = Path(env.get("HOME", "/"), place)
    if folder.is_dir():
        yield from folder.glob(pattern.format(name=name, folder=root.name))


def shown(path: Path, root: Path) -> str:
    """``./`` and the repository path, else the whole; a folder that is a link for one session alone is seen through."""
    if path.is_relative_to(root) and path != root:
        return f"./{path.relative_to(root)}"
    real = path.parent.resolve()
    return str(path if real == path.parent or real.is_relative_to(root) else real / path.name)
