"""Programs that a Python project declares itself: ``poetry run tests`` runs a function of one of its modules."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from passdown.checks.tree import TreeView, upwards

_TABLES = (("project", "scripts"), ("tool", "poetry", "scripts"), ("tool", "pdm", "scripts"))
_FOLDERS = ("", "src/")


def entry_files(view: TreeView, folder: str, name: str) -> list[str]:
    """The files of the tree that run as this program, by the pyproject.toml of the folder or of one above."""
    for above in upwards(folder):
        path = posixpath.join(above, "pyproject.toml")
        if path in view:
            declared = view.once(("scripts", path), lambda path=path: _declared(view.text(path)))  # type: ignore[misc]  # bound now
            if name in declared:
                return [file for file in _files(above, declared[name]) if file in view]
    return []


def _declared(text: str) -> dict[str, str]:
    """Program -> ``package.module`` or a file."""
    try:
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    found: dict[str, str] = {}
    for names in _TABLES:
        table: Any = value
        for name in names:
            table = table.get(name) if isinstance(table, Mapping) else None
        for name, said in table.items() if isinstance(table, Mapping) else ():
            target = (
                next((said[key] for key in ("reference", "call") if key in said), "")
                if isinstance(said, dict)
                else said
            )
            if isinstance(target, str):
                found[name] = target.partition(":")[0].strip()
    return found


def _files(folder: str, target: str) -> Iterator[str]:
    if "/" in target or target.endswith(".py"):
        yield posixpath.normpath(posixpath.join(folder, target))
        return
    module = target.replace(".", "/")
    for start in _FOLDERS:
        for end in (".py", "/__init__.py", "/__main__.py"):
            yield posixpath.join(folder, f"{start}{module}{end}")
