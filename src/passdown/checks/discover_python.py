"""Candidates of Python projects."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from passdown.checks.found import Candidate
from passdown.checks.project import Project
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

_RUNNERS = (
    ("uv.lock", "uv run "),
    ("poetry.lock", "poetry run "),
    ("pdm.lock", "pdm run "),
    ("Pipfile.lock", "pipenv run "),
)
_TEST_FILE = lazy(r"test_.*\.py|.*_test\.py")
_LOOKED_AT = 20


def python_candidates(project: Project) -> Iterator[Candidate]:
    """Pytest or unittest, tox and nox, ruff, mypy, pyright."""
    tables = _tables(project)
    sections = {name: _sections(project.text(name)) for name in ("setup.cfg", "tox.ini")}
    runner = _runner(project)
    yield from _tests(project, tables, sections, runner)
    if "tox.toml" in project or "tox" in tables or ("tox.ini" in project and _is_tox(sections["tox.ini"])):
        found = next((name for name in ("tox.ini", "tox.toml") if name in project), "pyproject.toml tool.tox")
        yield Candidate("test", "tox", found)
    if "noxfile.py" in project:
        yield Candidate("test", "nox", "noxfile.py")
    for kind, name, run, files in _TOOLS:
        where = _where(project, tables, name, files) or _section(sections, name)
        if where:
            yield Candidate(kind, runner + _whole(name, run, tables), where)


_TOOLS: tuple[tuple[CheckKind, str, str, tuple[str, ...]], ...] = (
    ("lint", "ruff", "ruff check .", ("ruff.toml", ".ruff.toml")),
    ("lint", "flake8", "flake8", (".flake8",)),
    ("lint", "pylint", "pylint --recursive=y .", (".pylintrc", "pylintrc")),
    ("types", "mypy", "mypy .", ("mypy.ini", ".mypy.ini")),
    ("types", "pyright", "pyright", ("pyrightconfig.json",)),
)


def _is_tox(sections: list[str]) -> bool:
    """Many a tox.ini holds only the settings of pytest or flake8."""
    return not sections or any(section == "tox" or section.startswith(("tox:", "testenv")) for section in sections)


def _whole(name: str, run: str, tables: dict[str, Any]) -> str:
    """Mypy alone where its settings name the files."""
    own = tables.get(name)
    named = isinstance(own, dict) and any(key in own for key in ("files", "packages", "modules"))
    return "mypy" if name == "mypy" and named else run


def _runner(project: Project) -> str:
    """The prefix of the project's own manager, else of the workspace it belongs to."""
    for one in (project, *project.above()):
        found = next((prefix for lock, prefix in _RUNNERS if lock in one), None)
        if found is not None:
            return found
    return ""


def _tests(
    project: Project, tables: dict[str, Any], sections: dict[str, list[str]], runner: str
) -> Iterator[Candidate]:
    view = project.view
    files = ("pytest.ini", ".pytest.ini", "pytest.toml", "conftest.py", "tests/conftest.py", "test/conftest.py")
    where = _where(project, tables, "pytest", files) or _section(sections, "tool:pytest", "pytest")
    names = sorted(name for name in view.by_name if _TEST_FILE.fullmatch(name))
    tests = sorted(path for name in names for path in project.files(name))
    if not where and not tests:
        return
    view.load(tests[:_LOOKED_AT])
    texts = [view.text(path) for path in tests[:_LOOKED_AT]]
    if not where and "manage.py" in project and "django" in project.text("manage.py"):
        yield Candidate("test", f"{runner}python manage.py test", "manage.py")
        return
    declared = "".join(project.text(name) for name in _REQUIREMENTS if name in project)
    plain = all(re.search(r"^(?:import|from) unittest", text, re.MULTILINE) for text in texts)
    if not where and texts and plain and "pytest" not in declared:
        yield Candidate("test", f"{runner}{_unittest(project, tests)}", _short(project, tests[0]))
        return
    yield Candidate("test", f"{runner}{_pytest(project, runner)} -q", where or _short(project, tests[0]))


_REQUIREMENTS = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "requirements-dev.txt",
    "requirements.txt",
    "dev-requirements.txt",
)


def _short(project: Project, path: str) -> str:
    return path[len(project.folder) + 1 :] if project.folder else path


def _unittest(project: Project, tests: list[str]) -> str:
    """Discovery finds packages from the top; a folder of tests that is none has to be named."""
    folder = posixpath.dirname(_short(project, tests[0])).split("/")[0]
    named = folder and f"{folder}/__init__.py" not in project
    return f"python -m unittest discover -s {folder}" if named else "python -m unittest"


def _pytest(project: Project, runner: str) -> str:
    """The environment in the worktree, where there is one and nothing else activates it."""
    for folder in (".venv", "venv"):
        if not runner and (project.view.place.root / project.path(folder) / "bin/pytest").is_file():
            return f"{folder}/bin/pytest"
    return "pytest"


def _sections(text: str) -> list[str]:
    return [name.strip() for name in re.findall(r"^\[([^\]]+)\]", text, re.MULTILINE)]


def _section(sections: dict[str, list[str]], *names: str) -> str:
    """Where a setup.cfg or tox.ini holds one of these sections; "" nowhere."""
    return next((f"{file} [{name}]" for file, found in sections.items() for name in names if name in found), "")


def _where(project: Project, tables: dict[str, Any], name: str, files: tuple[str, ...]) -> str:
    found = next((file for file in files if file in project), "")
    return found or (f"pyproject.toml tool.{name}" if name in tables else "")


def _tables(project: Project) -> dict[str, Any]:
    try:
        tool = tomllib.loads(project.text("pyproject.toml")).get("tool", {})
    except tomllib.TOMLDecodeError:
        return {}
    return tool if isinstance(tool, dict) else {}
