"""Candidates of Python projects."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from passdown.checks.found import Candidate
from passdown.checks.tree import TreeView
from passdown.rules.patterns import lazy

_RUNNERS = (
    ("uv.lock", "uv run "),
    ("poetry.lock", "poetry run "),
    ("pdm.lock", "pdm run "),
    ("Pipfile.lock", "pipenv run "),
)
_TEST_FILE = lazy(r"test_.*\.py|.*_test\.py")
_LOOKED_AT = 20


def python_candidates(view: TreeView) -> Iterator[Candidate]:
    """Pytest or unittest, tox and nox, ruff, mypy, pyright."""
    tables = _tables(view)
    runner = next((prefix for lock, prefix in _RUNNERS if lock in view), "")
    yield from _tests(view, tables, runner)
    if "tox.ini" in view or "tox" in tables:
        yield Candidate("test", "tox", "tox.ini" if "tox.ini" in view else "pyproject.toml tool.tox")
    if "noxfile.py" in view:
        yield Candidate("test", "nox", "noxfile.py")
    for name, command, files in (
        ("ruff", "ruff check .", ("ruff.toml", ".ruff.toml")),
        ("flake8", "flake8", (".flake8",)),
        ("pylint", "pylint --recursive=y .", (".pylintrc", "pylintrc")),
    ):
        where = _where(view, tables, name, files)
        if where:
            yield Candidate("lint", runner + command, where)
    for name, files in (("mypy", ("mypy.ini", ".mypy.ini")), ("pyright", ("pyrightconfig.json",))):
        where = _where(view, tables, name, files)
        if where:
            sole = name == "pyright" or "files" in tables.get(name, {})
            yield Candidate("types", f"{runner}{name}" if sole else f"{runner}{name} .", where)


def _tests(view: TreeView, tables: dict[str, Any], runner: str) -> Iterator[Candidate]:
    where = _where(view, tables, "pytest", ("pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py"))
    tests = sorted(path for name, paths in view.by_name.items() if _TEST_FILE.fullmatch(name) for path in paths)
    if not where and not tests:
        return
    view.load(tests[:_LOOKED_AT])
    texts = [view.text(path) for path in tests[:_LOOKED_AT]]
    project = view.text("pyproject.toml") + view.text("setup.cfg") + view.text("requirements-dev.txt")
    plain = all(re.search(r"^(?:import|from) unittest", text, re.MULTILINE) for text in texts)
    if not where and texts and plain and "pytest" not in project:
        yield Candidate("test", f"{runner}python -m unittest", tests[0])
        return
    yield Candidate("test", f"{runner}{_pytest(view, runner)} -q", where or tests[0])


def _pytest(view: TreeView, runner: str) -> str:
    """The environment in the worktree, where there is one and nothing else activates it."""
    for folder in (".venv", "venv"):
        if not runner and (view.place.root / folder / "bin/pytest").is_file():
            return f"{folder}/bin/pytest"
    return "pytest"


def _where(view: TreeView, tables: dict[str, Any], name: str, files: tuple[str, ...]) -> str:
    found = next((file for file in files if file in view), "")
    return found or (f"pyproject.toml tool.{name}" if name in tables else "")


def _tables(view: TreeView) -> dict[str, Any]:
    try:
        tool = tomllib.loads(view.text("pyproject.toml")).get("tool", {})
    except tomllib.TOMLDecodeError:
        return {}
    return tool if isinstance(tool, dict) else {}
