"""Python of the tree that a command runs: declared programs, ``-m module``, what a script imports."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from passdown.checks.tree import TreeView, upwards
from passdown.rules.counterparts import is_test
from passdown.rules.patterns import lazy

_TABLES = (("project", "scripts"), ("tool", "poetry", "scripts"), ("tool", "pdm", "scripts"))
_FOLDERS = ("", "src/")
_IMPORT = lazy(r"(?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w, \t]*)|import[ \t]+([\w., \t]+))")
_MOST = 200


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


def module_files(view: TreeView, folder: str, words: tuple[str, ...]) -> list[str]:
    """The file that ``python -m module`` runs, where the tree has it; tests are no part of the command."""
    names = [after.replace(".", "/") for option, after in pairwise(words) if option == "-m"][:1]
    paths = [posixpath.join(folder, f"{name}{end}") for name in names for end in ("/__main__.py", ".py")]
    return [path for path in paths if path in view and not is_test(path)]


def imported(view: TreeView, script: str, folder: str | None = None) -> set[str]:
    """Modules of the tree that a Python script imports from ``folder`` (default: its own), and they in turn."""
    found: set[str] = set()
    if not script.endswith(".py") or script not in view:
        return found
    start, waiting = posixpath.dirname(script) if folder is None else folder, [script]
    while waiting and len(found) < _MOST:
        path = waiting.pop()
        for module in _modules(view.text(path), posixpath.relpath(posixpath.dirname(path) or ".", start or ".")):
            name = posixpath.join(start, module)
            for file in (f"{name}.py", f"{name}/__init__.py"):
                if file in view and file not in found and file != script:
                    found.add(file)
                    waiting.append(file)
    return found


def _modules(text: str, package: str) -> Iterator[str]:
    """What a text imports, as paths; ``package``: the folder that its relative imports count from."""
    for module, names, plain in _IMPORT.findall(text):
        dot = "" if module.endswith(".") else "."
        within = [module, *(f"{module}{dot}{name.strip()}" for name in names.split(",") if name.strip())]
        for one in within if module else plain.split(","):
            words = one.split(" as ")[0].strip()
            dots = len(words) - len(words.lstrip("."))
            above = [package, *[".."] * (dots - 1)] if dots else []
            path = posixpath.normpath(posixpath.join(*above, words.lstrip(".").replace(".", "/").strip("/")))
            if path not in {".", ""} and not path.startswith(".."):
                yield path
