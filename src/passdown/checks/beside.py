"""Files outside the repository that a check names itself, and plugins that it finds without naming them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from passdown.checks import installed
from passdown.checks.fingerprint import disk_entry
from passdown.checks.scripts import follow
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition
from passdown.rules.patterns import lazy

_SYSTEM = ("/usr/", "/etc/", "/opt/", "/nix/", "/lib", "/bin/", "/sbin/", "/dev/", "/proc/", "/System/", "/Library/")
_SEPARATED = lazy(r"[\s:=,;]+")
_PLUGINS = lazy(r"^\[pytest11\]\s*\n((?:(?!\[).*\n?)*)", re.MULTILINE)
_TARGET = lazy(r"=\s*([\w.]+)")
_INFO = (".egg-info", ".dist-info")
_DECLARING = ("pyproject.toml", "setup.cfg", "setup.py")


def named_outside(view: TreeView, definition: CheckDefinition, *, system: bool = False) -> list[str]:
    """Scripts, build files and settings outside the repository that the command leads to, and folders that it works in.

    ``system``: also those that an installation brought.
    """
    root, found = view.place.root, follow(view, definition.run)
    programs = {os.path.normpath(os.path.join(folder, word)) for word, folder in found.calls}  # noqa: PTH118 - no such file
    names = {path for path in found.unheld if path.startswith(("../", "/")) and path not in programs}
    paths = {os.path.normpath(root / name) for name in names}
    files = {path for path in paths if os.path.isfile(path)}  # noqa: PTH113 - never raises
    folders = {os.path.normpath(root / folder) for _, folder in found.calls if folder.startswith(("..", "/"))}
    inside = f"{root}/"
    outside = {path for path in files | folders if not f"{path}/".startswith(inside)}
    return sorted(path for path in outside if system or not path.startswith(_SYSTEM))


def named_in_values(names: Iterable[str], env: Mapping[str, str], root: Path) -> Iterator[tuple[str, str]]:
    """Fingerprint parts of what variables name: a file to load first, a folder to import from."""
    words = {word for name in names for word in _SEPARATED.split(env[name]) if "/" in word}
    for word in sorted(words):
        path = root / word
        if os.path.realpath(path).startswith(f"{root}/"):
            continue
        if os.path.isfile(path):  # noqa: PTH113 - never raises
            yield f"file {word}", disk_entry(path)[1]
        elif os.path.isdir(path):  # noqa: PTH112 - never raises
            yield f"packages of {word}", installed.packages(path)
            if (code := None if path.resolve().is_relative_to("/usr") else installed.modules(path)) is not None:
                yield f"modules of {word}", code


def plugins(view: TreeView) -> list[str]:
    """Metadata of the root, held by no tree, that brings pytest a plugin which the project itself does not declare."""
    try:
        with os.scandir(view.place.root) as entries:
            names = [f"{entry.name}/entry_points.txt" for entry in entries if entry.name.endswith(_INFO)]
    except OSError:
        return []
    declared = "\n".join(view.text(name) for name in _DECLARING)
    unheld = [name for name in names if name not in view]
    return [name for name in unheld if any(t not in declared for t in _targets(view.place.root / name))]


def _targets(path: Path) -> list[str]:
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return []
    return [target for block in _PLUGINS.findall(text) for target in _TARGET.findall(block)]
