"""Configuration files as flat settings by dotted names; what nothing here reads is compared by its lines."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from passdown.checks.integrity.config_marked import xml_settings, yaml_settings
from passdown.rules.integrity.settings import Value
from passdown.rules.patterns import lazy

_INI = (".cfg", ".ini", ".coveragerc", ".flake8", ".pylintrc", "pylintrc")
_YAML = (".yml", ".yaml", ".neon", ".neon.dist", ".clang-tidy")
_XML = (".xml", ".xml.dist", ".csproj", ".fsproj", ".vbproj", ".props", ".targets")
_SCRIPTS = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")
_WHOLE = (".editorconfig", ".shellcheckrc", "sonar-project.properties")
"""Files all of whose sections configure tools."""
_OWN = (
    (lazy(r"vite[\w.-]*"), lazy(r"(?:.*\.)?test\..*")),
    (
        lazy(r".*\.(?:(?:cs|fs|vb)proj|props|targets)"),
        lazy(r".*\.(?:NoWarn|(?:Treat)?Warnings(?:Not)?AsErrors|WarningLevel|Nullable|Analysis\w+|EnableNETAnalyzers|"
             r"RunAnalyzers\w*|EnforceCodeStyleInBuild|IsTestProject|VSTest\w*|Threshold)"),
    ),
    (
        lazy(r"pom\.xml"),
        lazy(r".*\((?:[\w-]*(?:surefire|failsafe|jacoco|checkstyle|spotbugs|pmd|detekt|compiler|enforcer)[\w-]*)\).*|"
             r"project\.properties\..*"),
    ),
    (
        lazy(r"\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.yml|.*(?:workflows|\.circleci|\.buildkite)/.*"),
        lazy(r".*\.(?:run|script|command|args)"),
    ),
)  # fmt: skip
"""Of files that say more than what is checked: the settings that do."""
_MARK = lazy(r"^\s*(?:-\s*)?[\w.'\"-]+\s*:|^\s*-\s", re.MULTILINE)
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
    found = _settings(path, data)
    if found is None:
        return None
    for file, names in _OWN:
        if file.fullmatch(path) or file.fullmatch(path.rpartition("/")[2]):
            return {name: value for name, value in found.items() if names.fullmatch(name)}
    return found


def _settings(path: str, data: bytes) -> Mapping[str, Value] | None:
    name = path.rpartition("/")[2]
    text = data.decode("utf-8", "replace")
    try:
        if name.endswith(".toml"):
            return dict(_flat("", _of_tools(name, tomllib.loads(text)), 0))
        if name.endswith((*_INI, *_WHOLE)):
            return _ini(text, whole=name.endswith(_WHOLE))
        if name.endswith(_XML):
            return _numbered(xml_settings(text))
        if name.endswith(_YAML) or (name.startswith(".") and name.endswith("rc") and _MARK.match(text)):
            return _numbered(yaml_settings(text))
        if name.endswith(_SCRIPTS):
            from passdown.checks.integrity.config_scripts import script_settings  # noqa: PLC0415 - few need a grammar

            return _numbered(script_settings(path, data))
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
        targets = {key: value[key] for key in ("lib", "test", "profile") if key in value}
        package = value.get("package")
        own = {k: v for k, v in package.items() if k == "autotests"} if isinstance(package, dict) else {}
        return {"lints": value.get("lints") or shared or {}, **targets, **own}
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


def _numbered(pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """What stands several times under one name, each behind its number."""
    seen: Counter[str] = Counter()
    found: dict[str, Value] = {}
    for name, value in pairs:
        seen[name] += 1
        found[name if seen[name] == 1 else f"{seen[name]}.{name}"] = value
    return found


def _ini(text: str, *, whole: bool) -> dict[str, Value] | None:
    """The settings of the sections that configure tools (``whole``: of all); None where it does not parse."""
    import configparser  # noqa: PLC0415 - few commands need it

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(f"[all]\n{text}" if whole else text)
        named = [section for section in parser.sections() if whole or _SECTION.fullmatch(section)]
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
