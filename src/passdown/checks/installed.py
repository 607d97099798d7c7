"""What is installed where a check runs: names and versions, read from folders, nothing executed."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from passdown.checks.package_json import json_object
from passdown.rules.patterns import lazy

_PACKAGE = (".dist-info", ".egg-info", ".egg-link")
_HOOKS = ("sitecustomize.py", "usercustomize.py")
_NODE_LISTS = (
    "node_modules/.package-lock.json",
    "node_modules/.pnpm/lock.yaml",
    "node_modules/.yarn-state.yml",
    "node_modules/.yarn-integrity",
)
_DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_APART = frozenset({"site-packages", "dist-packages", "node_modules", "__pycache__", ".git"})
_MODULES = 1000
_VERSION = lazy(r"^version(?:_info)?\s*=\s*(\S+)", re.MULTILINE)


def python_prefix(interpreter: Path) -> Path | None:
    """The prefix that a Python at this path uses: its virtual environment's, else the installation's."""
    for path in (interpreter, interpreter.resolve()):
        if path.name.startswith("python") and path.parent.name in {"bin", "Scripts"}:
            return path.parent.parent
    return None


def python_version(prefix: Path) -> str:
    """``3.11.7`` as pyvenv.cfg says; else the minor versions that the prefix holds libraries of."""
    config = prefix / "pyvenv.cfg"
    if config.is_file():
        match = _VERSION.search(config.read_text(errors="replace"))
        if match:
            return match[1]
    return ", ".join(sorted(p.name.removeprefix("python") for p in (prefix / "lib").glob("python3*") if p.is_dir()))


def python_packages(prefix: Path) -> str:
    """Digest over names and versions installed under the prefix, path files and start-up hooks with their content."""
    return _digest(line for folder in _site_folders(prefix) for line in _packages(folder))


def packages(folder: Path) -> str:
    """As :func:`python_packages`, of one folder that Python imports from."""
    try:
        return _digest(_packages(folder))
    except OSError:
        return "unreadable"


def modules(folder: Path) -> str | None:
    """Digest over the Python files of a folder that is imported from, installed packages aside; None: too many."""
    found: list[str] = []
    for above, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if not f.endswith(_PACKAGE) and f not in _APART]
        paths = [Path(above, name) for name in names if name.endswith(".py")]
        if len(found) + len(paths) > _MODULES:
            return None
        found += [f"{path.relative_to(folder)} {_content(path)}" for path in paths]
    return _digest(iter(found))


def _content(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "unreadable"


def node_packages(root: Path) -> str | None:
    """Digest over node_modules: the package manager's own list, where it leads to, the versions that are asked for."""
    folder = root / "node_modules"
    found = [_content(root / name) for name in _NODE_LISTS if (root / name).is_file()]
    found += [f"-> {folder.resolve()}"] if folder.is_symlink() else []
    found += list(_asked_for(root)) if folder.is_dir() else []
    return _digest(iter(found)) if found else None


def _asked_for(root: Path) -> Iterator[str]:
    """Name and version of each package that package.json names; a link leads to the workspace's own."""
    asked = _object_of(root / "package.json")
    names = {name for key in _DEPENDENCIES if isinstance(listed := asked.get(key), dict) for name in listed}
    for name in sorted(names):
        folder = root / "node_modules" / name
        if not folder.is_symlink() and (folder / "package.json").is_file():
            yield f"{name} {_object_of(folder / 'package.json').get('version')}"


def _object_of(path: Path) -> dict[str, Any]:
    try:
        return json_object(path.read_bytes())
    except OSError:
        return {}


def composer_packages(root: Path) -> str | None:
    """Digest over composer's own list in vendor; None where there is none."""
    path = root / "vendor/composer/installed.json"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def user_packages() -> str | None:
    """As :func:`python_packages`, of the folders in the person's home that Python looks in first; None: no such."""
    folders = _site_folders(Path(os.path.expanduser("~/.local")))  # noqa: PTH111 - never raises
    return _digest(line for folder in folders for line in _packages(folder)) if folders else None


def _site_folders(prefix: Path) -> list[Path]:
    folders = [*(prefix / "lib").glob("python3*/site-packages"), *(prefix / "lib").glob("python3*/dist-packages")]
    return sorted(f for f in folders if f.is_dir())


def _packages(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_PACKAGE):
                yield entry.name
            elif (entry.name.endswith(".pth") or entry.name in _HOOKS) and entry.is_file():
                yield f"{entry.name} {hashlib.sha256(Path(entry.path).read_bytes()).hexdigest()}"


def _digest(lines: Iterator[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "surrogateescape")).hexdigest()
