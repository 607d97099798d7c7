"""Files that a tool's settings name and run before any test: set-up files, presets, plugins."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator

from passdown.checks.tree import TreeView
from passdown.rules.patterns import lazy

_KEYS = (
    r"setupFiles|setupFilesAfterEnv|setupTestFrameworkScriptFile|globalSetup|globalTeardown|testEnvironment|testRunner"
    r"|runner|reporters?|transform|resolver|preset|presets|require|extends|bootstrap|plugins|plugin|loader|file|spec"
    r"|snapshotSerializers|environment|workspace|projects|yarnPath|path|custom_conf|init-script|apply from"
)
_NAMED = lazy(rf"""["']?(?:{_KEYS})["']?\s*[:=]\s*(\[[^\]]*\]|\{{[^}}]*\}}|["'][^"'\n]*["']|[^\s,;>]+)""")
_IMPORTED = lazy(r"""(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*)["'](\.[^"'\n]+)["']""")
_TEXT = lazy(r"""["']([^"'\n]+)["']|([^\s,\[\]{}"'<>]+)""")
_PLUGINS = lazy(r"^pytest_plugins\s*(?::[^=\n]*)?=\s*(\[[^\]]*\]|\([^)]*\)|[\"'][^\"'\n]+[\"'])", re.MULTILINE)
_OPTION = lazy(r"(?:^|[\s\"'=\[,])-p[\s=\"',]*([A-Za-z_][\w.]*)")
_ENTRY = lazy(
    r"^\[(?:project\.entry-points\.[\"']?pytest11[\"']?|options\.entry_points)\]\s*\n((?:(?!\[).*\n?)*)", re.MULTILINE
)
_MODULE = lazy(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z_]\w*")
_ENDINGS = ("", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json", ".tsx", ".jsx", "/index.js", "/index.ts")
_SCANNED = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json", ".jsonc", ".yml", ".yaml", ".xml", ".dist", ".rc")
_HOPS = 3


def named_files(view: TreeView, paths: Iterable[str]) -> set[str]:
    """Repository files that these settings name or import, and what those import in turn."""
    found: set[str] = set()
    seen = set(paths)
    edge = {path for path in seen if _scanned(path)}
    for _ in range(_HOPS):
        view.load(edge)
        named = {other for path in edge for other in _named_by(view, path) if other in view}
        edge = named - seen
        seen |= edge
        found |= edge
    return found


def named_unheld(view: TreeView, paths: Iterable[str]) -> set[str]:
    """Files on the disk, in no tree and no node_modules, that these settings name or import; outside ones absolute."""
    root = view.place.root
    named = {other for path in paths if _scanned(path) for other in _named_by(view, path) if other not in view}
    plausible = (path for path in named if "node_modules" not in path.split("/") and posixpath.basename(path))
    found = (path for path in plausible if os.path.isfile(root / path))  # noqa: PTH113 - never raises
    return {os.path.normpath(root / path) if path.startswith("../") else path for path in found}


def pytest_plugins(view: TreeView, paths: Iterable[str], options: str) -> set[str]:
    """Modules of the repository that pytest loads as plugins: named by a conftest, ``-p``, or an entry point."""
    texts = [view.text(path) for path in paths if path.endswith("conftest.py")]
    modules = {name for text in texts for found in _PLUGINS.findall(text) for name in _MODULE.findall(found)}
    settings = [view.text(name) for name in ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")]
    modules |= {name for text in (*settings, options) for name in _OPTION.findall(text)}
    modules |= {name for text in settings for block in _ENTRY.findall(text) for name in _MODULE.findall(block)}
    return {path for module in modules for path in _module_files(module) if path in view}


def _module_files(module: str) -> Iterator[str]:
    name = module.replace(".", "/")
    for folder in ("", "src/", "tests/"):
        yield f"{folder}{name}.py"
        yield f"{folder}{name}/__init__.py"


def _scanned(path: str) -> bool:
    return path.endswith(_SCANNED) or posixpath.basename(path).startswith(".")


def _named_by(view: TreeView, path: str) -> Iterator[str]:
    text, folder = view.text(path), posixpath.dirname(path)
    names = set(_IMPORTED.findall(text))
    for value in _NAMED.findall(text):
        names |= {quoted or bare for quoted, bare in _TEXT.findall(value)}
    for name in names:
        plain = name.replace("<rootDir>/", "").removeprefix("./")
        if not plain or plain.startswith(("/", "http")) or len(plain) > 200:  # noqa: PLR2004 - a path
            continue
        for start in {folder, ""}:
            at = posixpath.normpath(posixpath.join(start, plain))
            yield from (f"{at}{ending}" for ending in _ENDINGS)
