"""Settings outside the repository that say what a check in it means: a run may write there, no snapshot holds them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from passdown.checks.tools import Tool
from passdown.checks.tree import TreeView
from passdown.rules.patterns import lazy


class Outside(Struct, frozen=True):
    """``tools`` read ``home`` (below the person's home) and ``above`` (in each folder above the repository).

    It counts where ``sways`` is found in it, and where the tree's root holds none of ``unless``.
    """

    tools: tuple[str, ...]
    home: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    sways: re.Pattern[str] | None = None
    unless: tuple[str, ...] = ()


_CARGO = lazy(
    r"^\s*(?:target\.\S+\.)?(?:build\.)?(?:runner|rustc(?:-wrapper|-workspace-wrapper)?)\s*=|^\s*rustflags\s*=.*--cfg",
    re.MULTILINE,
)
_RUFF = ("ruff.toml", ".ruff.toml", "pyproject.toml")
_MYPY = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
OUTSIDE = (
    Outside(("rspec", "rake", "rails"), (".rspec", ".config/rspec/options"), sways=lazy(r"\S")),
    Outside(
        ("go", "gotestsum"),
        (".config/go/env",),
        sways=lazy(r"^GOFLAGS=.*-(?:run|exec|skip|overlay|toolexec)\b", re.MULTILINE),
    ),
    Outside(
        ("cargo", "nextest"),
        (".cargo/config.toml", ".cargo/config"),
        (".cargo/config.toml", ".cargo/config"),
        sways=_CARGO,
    ),
    Outside(("mvn", "mvnw"), (".m2/settings.xml", ".mavenrc"), sways=lazy(r"skipTests|maven\.test\.|surefire\.")),
    Outside(
        ("gradle", "gradlew"),
        (".gradle/gradle.properties", ".gradle/init.gradle", ".gradle/init.gradle.kts", ".gradle/init.d"),
        sways=lazy(r"enabled\s*=\s*false|onlyIf|ignoreFailures|excludeTest|\btest\b|Test\b"),
    ),
    Outside(("dotnet",), above=("Directory.Build.props", "Directory.Build.targets"), sways=lazy(r"\S")),
    Outside(("tox",), (".config/tox/config.ini",), sways=lazy(r"\S")),
    Outside(
        ("mypy",),
        (".config/mypy/config", ".mypy.ini"),
        sways=lazy(r"ignore_errors|exclude|follow_imports"),
        unless=_MYPY,
    ),
    Outside(("ruff",), (".config/ruff/ruff.toml", ".config/ruff/pyproject.toml"), sways=lazy(r"\S"), unless=_RUFF),
    Outside(("go", "gotestsum"), above=("go.work",), sways=lazy(r"\S"), unless=("go.work",)),
    Outside(
        ("mvn", "mvnw"), above=("pom.xml", ".mvn/maven.config"), sways=lazy(r"skipTests|maven\.test\.|Failure[Ii]gnore")
    ),
    Outside(("prove", "perl"), (".proverc",), sways=lazy(r"\S")),
    Outside(("bazel", "bazelisk"), (".bazelrc",), sways=lazy(r"^\s*(?:test|build|common)\b.*--test_", re.MULTILINE)),
    Outside(
        ("jest", "mocha", "ava", "tsc", "vitest", "babel"),
        above=("babel.config.js", "babel.config.cjs", "babel.config.json"),
        sways=lazy(r"\S"),
        unless=("package.json",),
    ),
    Outside(
        ("mise", "rtx"),
        (".config/mise/config.toml",),
        ("mise.toml", ".mise.toml"),
        sways=lazy(r"^\s*\[(?:tasks|env)", re.MULTILINE),
    ),
    Outside(("python", "python3", "pytest", "unittest", "tox", "nox"), sways=None),
)
_LARGEST = 1 << 20
_MOVED = ((".cargo/", "CARGO_HOME"), (".gradle/", "GRADLE_USER_HOME"), (".config/", "XDG_CONFIG_HOME"))
_HOOK = "usercustomize.py"


def outside(view: TreeView, tools: Iterable[Tool]) -> list[str]:
    """The paths of such settings that are there and sway one of the tools."""
    names = {name for tool in tools for name in tool.names}
    found = [path for one in OUTSIDE if not names.isdisjoint(one.tools) for path in _of(view, one)]
    if not names.isdisjoint(OUTSIDE[-1].tools):
        found += _user_sites(_HOOK)
    return sorted({str(path) for path in found})


def _of(view: TreeView, one: Outside) -> Iterator[Path]:
    if one.sways is None or any(name in view for name in one.unless):
        return
    root = view.place.root
    paths = [_moved(name) for name in one.home] + [folder / name for folder in root.parents for name in one.above]
    for path in paths:
        if not path.is_relative_to(root) and one.sways.search(_text(path)):
            yield path


def _moved(name: str) -> Path:
    """Where the tool looks in the home, or in the folder that a variable names in its place."""
    for start, variable in _MOVED:
        if name.startswith(start) and os.environ.get(variable):
            return Path(os.environ[variable], name[len(start) :])
    return Path(os.path.expanduser("~"), name)  # noqa: PTH111 - never raises


def _text(path: Path) -> str:
    """A file's beginning; of a folder that of its files."""
    try:
        if path.is_dir():
            return "\n".join(_text(inner) for inner in sorted(path.iterdir()) if inner.is_file())
        return path.read_text("utf-8", "replace")[:_LARGEST] if path.is_file() else ""
    except OSError:
        return ""


def _user_sites(name: str) -> Iterator[Path]:
    """Where Python imports from before the installation's own packages."""
    library = Path(os.path.expanduser("~/.local/lib"))  # noqa: PTH111 - never raises
    try:
        yield from (path for path in library.glob(f"python3*/site-packages/{name}") if path.is_file())
    except OSError:
        return
