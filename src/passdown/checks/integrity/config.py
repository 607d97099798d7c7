"""Configuration files as flat settings by dotted names; what no parser here reads is compared by its lines."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from passdown.rules.integrity.settings import Value
from passdown.rules.patterns import lazy

_INI = (".cfg", ".ini", ".coveragerc", ".flake8", ".pylintrc", "pylintrc")
_COMMENT = lazy(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = lazy(r",(\s*[}\]])")
_PACKAGE = frozenset({"scripts", "jest", "vitest", "mocha", "ava", "nyc", "c8", "eslintConfig", "tap"})
_SECTION = lazy(
    r"(?i)(?:tool:)?(?:pytest|coverage|flake8|pylint|mypy|pycodestyle|pydocstyle|testenv|run|report|master|main|messages"
    r"|format|basic|isort|nosetests|aliases).*"
)
_DEEP = 12


def settings(path: str, data: bytes) -> Mapping[str, Value] | None:
    """Dotted name -> value; None: not a format that is read, or it does not parse."""
    name = path.rpartition("/")[2]
    text = data.decode("utf-8", "replace")
    try:
        if name.endswith(".toml"):
            return dict(_flat("", _of_tools(name, tomllib.loads(text)), 0))
        if name.endswith(_INI):
            return _ini(text)
        if name.endswith((".json", ".jsonc", ".eslintrc", ".nycrc", ".mocharc", ".c8rc")):
            plain = _TRAILING.sub(r"\1", _COMMENT.sub(lambda m: m[1] or "", text))
            value = json.loads(plain)
            if not isinstance(value, dict):
                return None
            wanted = {k: v for k, v in value.items() if k in _PACKAGE} if name == "package.json" else value
            return dict(_flat("", wanted, 0))
    except (ValueError, AttributeError, RecursionError):
        return None
    return None


def _of_tools(name: str, value: dict[str, Any]) -> dict[str, Any]:
    """The parts of a project's file that configure tools."""
    if name == "pyproject.toml":
        tools = value.get("tool", {})
        return tools if isinstance(tools, dict) else {}
    if name == "Cargo.toml":
        workspace = value.get("workspace")
        shared = workspace.get("lints") if isinstance(workspace, dict) else None
        return {"lints": value.get("lints") or shared or {}}
    return value


def _flat(prefix: str, value: Any, depth: int) -> Iterator[tuple[str, Value]]:
    if isinstance(value, dict) and depth < _DEEP:
        for key, inner in value.items():
            yield from _flat(f"{prefix}.{key}" if prefix else str(key), inner, depth + 1)
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value) and depth < _DEEP:
        for at, inner in enumerate(value):
            name = inner.get("module", at) if isinstance(inner, dict) else at
            yield from _flat(f"{prefix}.{name if isinstance(name, str) else at}", inner, depth + 1)
    elif isinstance(value, list):
        yield prefix, tuple(one if isinstance(one, str) else json.dumps(one, default=str) for one in value)
    elif isinstance(value, bool) or value is None:
        yield prefix, value
    elif isinstance(value, int | float):
        yield prefix, float(value)
    else:
        yield prefix, str(value)


def _ini(text: str) -> dict[str, Value] | None:
    """The settings of the sections that configure tools; None where it does not parse."""
    import configparser  # noqa: PLC0415 - few commands need it

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
        named = [section for section in parser.sections() if _SECTION.fullmatch(section)]
        return {f"{name}.{key}": _typed(raw or "") for name in named for key, raw in parser.items(name)}
    except (AttributeError, configparser.Error):  # configparser loses its place in odd files
        return None


def _typed(raw: str) -> Value:
    word = raw.strip()
    if word.lower() in ("true", "false", "yes", "no"):
        return word.lower() in ("true", "yes")
    try:
        return float(word)
    except ValueError:
        return word
