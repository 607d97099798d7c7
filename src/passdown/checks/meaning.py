"""What a check's definition stands on in one tree: the files it leads to and the settings of its tools."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from passdown.checks.named_files import named_files, named_unheld, pytest_plugins
from passdown.checks.package_json import package
from passdown.checks.scripts import Found, follow
from passdown.checks.tools import STAND_INS, Tool, mentioned
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition

DECLARATION = "declaration"
_DATA = (".json", ".jsonc", ".yml", ".yaml", ".toml", ".xml", ".ini", ".cfg", ".md", ".txt", ".html", ".css", ".snap")
_PROGRAMS = (".py", ".js", ".cjs", ".mjs", ".ts", ".mts", ".ini", ".mk")
_MEANING = ("run", "inputs", "report", "env", "ttl", "inputs_ignored", "protect")


def meaning(view: TreeView, definition: CheckDefinition) -> tuple[Mapping[str, str], frozenset[str]]:
    """``(parts, paths)``: the declaration and each indirection with its digest, and its inputs.

    These are the files among the parts and what its scripts import from beside them, whatever is declared.
    """
    found = follow(view, definition.run)
    tools = list(mentioned("\n".join(found.words)))
    names, own = _names(tools), _settings(view, tools)
    paths = found.files | own | view.once(("named", frozenset(own)), lambda: named_files(view, own))
    if "pytest" in names or "tox" in names:
        paths |= pytest_plugins(view, own, "\n".join(found.words))
    parts = {DECLARATION: _digest(_declaration(definition))}
    parts |= {path: " ".join(view.entries[path]) for path in paths}
    parts |= {name: _digest(text) for name, text in found.texts.items()}
    parts |= _tables(view, tools)
    parts |= _keys(view, tools, found)
    return parts, frozenset(paths | found.imported)


def digest_of(parts: Mapping[str, str]) -> str:
    """Sha256 hex over all parts."""
    return _digest(json.dumps(sorted(parts.items())))


def unheld_code(view: TreeView, definition: CheckDefinition) -> set[str]:
    """Programs that the tools' settings name and that git ignores."""
    return {path for path in _unheld(view, definition) if not path.endswith(_DATA) and not path.startswith("/")}


def unheld_data(view: TreeView, definition: CheckDefinition) -> list[str]:
    """Further settings that they name so, such as those that a framework makes anew."""
    return sorted(p for p in _unheld(view, definition) if p.endswith(_DATA) and not p.startswith("/"))


def unheld_outside(view: TreeView, definition: CheckDefinition) -> set[str]:
    """What they name outside the repository, as whole paths."""
    return {path for path in _unheld(view, definition) if path.startswith("/")}


def settings_texts(view: TreeView, definition: CheckDefinition) -> list[str]:
    """The command, what it leads to, and the programs among its tools' settings."""
    words = follow(view, definition.run).words
    return [*words, *(view.text(path) for path in sorted(_own(view, definition)) if path.endswith(_PROGRAMS))]


def _unheld(view: TreeView, definition: CheckDefinition) -> set[str]:
    own = _own(view, definition)
    return view.once(("unheld", frozenset(own)), lambda: named_unheld(view, own))


def _own(view: TreeView, definition: CheckDefinition) -> set[str]:
    return _settings(view, list(mentioned("\n".join(follow(view, definition.run).words))))


def _settings(view: TreeView, tools: Sequence[Tool]) -> set[str]:
    return view.once(("configuration", _names(tools)), lambda: set(_configuration(view, tools)))


def _names(tools: Sequence[Tool]) -> tuple[str, ...]:
    return tuple(sorted(name for tool in tools for name in tool.names))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _declaration(definition: CheckDefinition) -> str:
    said = [[name, getattr(definition, name)] for name in _MEANING]
    return json.dumps([*said, *([["report_format", definition.report_format]] if definition.report_format else [])])


def _configuration(view: TreeView, tools: Sequence[Tool]) -> Iterator[str]:
    """Files of the tree that configure the tools, and modules that would stand in for them."""
    patterns = sorted({pattern for tool in tools for pattern in tool.files})
    if patterns:
        wanted = re.compile("|".join(f"(?:{p})" for p in patterns if "/" not in p))
        for name, paths in view.by_name.items():
            if wanted.fullmatch(name):
                yield from paths
    deep = [re.compile(f"(?:.*/)?{p}") for p in patterns if "/" in p]
    if deep:
        yield from (path for path in view.entries if any(p.fullmatch(path) for p in deep))
    for module in {module for tool in tools for module in tool.modules}:
        for folder in ("", "src/"):
            for path in (f"{folder}{module}.py", f"{folder}{module}/__init__.py", f"{folder}{module}/__main__.py"):
                if path in view:
                    yield path
    if any(tool.modules for tool in tools):
        yield from (p for m in STAND_INS for p in (f"{m}.py", f"{m}/__init__.py") if p in view)


def _tables(view: TreeView, tools: Sequence[Tool]) -> dict[str, str]:
    """The tools' tables of each pyproject.toml; one that does not parse counts whole."""
    names = {table for tool in tools for table in tool.tables}
    parts: dict[str, str] = {}
    for path in view.by_name.get("pyproject.toml", ()) if names else ():
        try:
            tables = tomllib.loads(view.text(path)).get("tool", {})
        except tomllib.TOMLDecodeError:
            parts[path] = view.entries[path][1]
            continue
        held = ((name, _table(tables, name)) for name in sorted(names))
        parts |= {f"{path} tool.{name}": _digest(_canonical(table)) for name, table in held if table is not None}
    return parts


def _table(tables: Mapping[str, Any], name: str) -> Any:
    """``b`` of ``a`` for ``a.b``; None where there is none."""
    first, _, rest = name.partition(".")
    inner = tables.get(first)
    return _table(inner, rest) if rest and isinstance(inner, Mapping) else None if rest else inner


def _keys(view: TreeView, tools: Sequence[Tool], found: Found) -> dict[str, str]:
    """The tools' keys of each package.json."""
    if not any(tool.keys for tool in tools) and not found.texts:
        return {}
    wanted = {key for tool in tools for key in tool.keys}
    parts: dict[str, str] = {}
    view.load(view.by_name.get("package.json", ()))
    for path in view.by_name.get("package.json", ()):
        value = package(view, path.rpartition("/")[0])
        parts |= {f"{path} {key}": _digest(_canonical(value[key])) for key in sorted(wanted & value.keys())}
    return parts


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
