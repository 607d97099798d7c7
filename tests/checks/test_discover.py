"""Candidates: what a repository seems to have, with the right runner, and the file that says so."""

from __future__ import annotations

import json

import pytest

from passdown.checks.discover import candidates
from passdown.model.session import SeenCheck
from passdown.workspace.place import find_place
from support.plain_session import session_facts


def found(repo, facts=None):
    return {c.name: (c.run, c.found_in) for c in candidates(find_place(repo.root), facts)}


def package(**scripts):
    return json.dumps({"scripts": scripts})


TS = {"devDependencies": {"typescript": "5", "vitest": "3", "eslint": "9"}}

CASES = {
    "nothing": ({}, {}),
    "pytest by its table": (
        {"pyproject.toml": "[tool.pytest.ini_options]\n"},
        {"tests": ("pytest -q", "pyproject.toml tool.pytest")},
    ),
    "pytest by its tests": ({"tests/test_a.py": "def test(): pass\n"}, {"tests": ("pytest -q", "tests/test_a.py")}),
    "pytest under uv": ({"conftest.py": "", "uv.lock": ""}, {"tests": ("uv run pytest -q", "conftest.py")}),
    "pytest under poetry": ({"pytest.ini": "", "poetry.lock": ""}, {"tests": ("poetry run pytest -q", "pytest.ini")}),
    "unittest": (
        {"tests/test_a.py": "import unittest\n"},
        {"tests": ("python -m unittest discover -s tests", "tests/test_a.py")},
    ),
    "tox and nox": (
        {"tox.ini": "", "noxfile.py": ""},
        {"tests": ("tox", "tox.ini"), "tests-nox": ("nox", "noxfile.py")},
    ),
    "linters and types": (
        {"pyproject.toml": "[tool.ruff]\n[tool.mypy]\nfiles = ['src']\n", "pyrightconfig.json": "{}"},
        {
            "lint": ("ruff check .", "pyproject.toml tool.ruff"),
            "types": ("mypy", "pyproject.toml tool.mypy"),
            "types-pyright": ("pyright", "pyrightconfig.json"),
        },
    ),
    "mypy without files": ({"mypy.ini": ""}, {"types": ("mypy .", "mypy.ini")}),
    "npm": (
        {"package.json": package(test="jest", lint="eslint .", build="tsc", dev="vite", pretest="x")},
        {
            "tests": ("npm test", "package.json scripts.test"),
            "lint": ("npm run lint", "package.json scripts.lint"),
            "build": ("npm run build", "package.json scripts.build"),
        },
    ),
    "npm's placeholder": ({"package.json": package(test='echo "Error: no test specified" && exit 1')}, {}),
    "pnpm": (
        {"package.json": package(test="vitest run", typecheck="tsc"), "pnpm-lock.yaml": ""},
        {
            "tests": ("pnpm test", "package.json scripts.test"),
            "types": ("pnpm run typecheck", "package.json scripts.typecheck"),
        },
    ),
    "yarn by its field": (
        {"package.json": json.dumps({"packageManager": "yarn@4.1.0", "scripts": {"test": "jest"}})},
        {"tests": ("yarn test", "package.json scripts.test")},
    ),
    "bun": (
        {"package.json": package(test="bun test"), "bun.lock": ""},
        {"tests": ("bun run test", "package.json scripts.test")},
    ),
    "tools without scripts": (
        {"package.json": json.dumps(TS), "tsconfig.json": "{}"},
        {
            "tests": ("npx vitest run", "package.json vitest"),
            "lint": ("npx eslint .", "package.json eslint"),
            "types": ("npx tsc --noEmit", "package.json typescript"),
        },
    ),
    "a package.json that is none": ({"package.json": "[]"}, {}),
    "a broken package.json": ({"package.json": "{"}, {}),
    "go": (
        {"go.mod": "module x\n"},
        {
            "tests": ("go test ./...", "go.mod"),
            "lint": ("go vet ./...", "go.mod"),
            "build": ("go build ./...", "go.mod"),
        },
    ),
    "cargo": ({"Cargo.toml": ""}, {"tests": ("cargo test", "Cargo.toml"), "build": ("cargo build", "Cargo.toml")}),
    "nextest": (
        {"Cargo.toml": "", ".config/nextest.toml": ""},
        {"tests": ("cargo nextest run", "Cargo.toml"), "build": ("cargo build", "Cargo.toml")},
    ),
    "make": (
        {"Makefile": "CC := cc\ntest: build\n\tx\nlint:\n\tx\ncheck:\n\tx\nclean:\n\tx\n"},
        {
            "tests": ("make test", "Makefile test"),
            "lint": ("make lint", "Makefile lint"),
            "check": ("make check", "Makefile check"),
        },
    ),
    "just": ({"justfile": "test arg='x':\n  x\n"}, {"tests": ("just test", "justfile test")}),
    "gradle": ({"build.gradle.kts": "", "gradlew": ""}, {"tests": ("./gradlew test", "build.gradle.kts")}),
    "maven": ({"pom.xml": ""}, {"tests": ("mvn -q test", "pom.xml")}),
    "dotnet": ({"src/a.Tests.csproj": ""}, {"tests": ("dotnet test src/a.Tests.csproj", "src/a.Tests.csproj")}),
    "rspec": ({".rspec": "", "Gemfile": ""}, {"tests": ("bundle exec rspec", ".rspec")}),
    "phpunit": ({"phpunit.xml.dist": ""}, {"tests": ("vendor/bin/phpunit", "phpunit.xml.dist")}),
    "ctest": ({"CMakeLists.txt": "enable_testing()\n"}, {"tests": ("ctest --test-dir build", "CMakeLists.txt")}),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_candidates(repo, files, expected):
    for path, text in files.items():
        repo.write(path, text)
    assert found(repo) == expected


def test_the_worktrees_own_environment(repo):
    repo.write("conftest.py").write(".gitignore", ".venv/\n").write(".venv/bin/pytest", "", mode=0o755)
    assert found(repo) == {"tests": (".venv/bin/pytest -q", "conftest.py")}


def test_candidates_are_candidates(repo):
    repo.write("go.mod", "module x\n")
    assert [(c.kind, c.source) for c in candidates(find_place(repo.root))] == [
        ("test", "candidate"),
        ("lint", "candidate"),
        ("build", "candidate"),
    ]


def session(repo, *commands):
    checks = [
        SeenCheck(
            at=None,
            command=command,
            kind="test",
            result="PASSED",
            masked="|" in command,
            counts=None,
            failing=[],
            edits_after=False,
            cwd=str(repo.root),
        )
        for command in commands
    ]
    return session_facts(cwd=str(repo.root), checks=checks)


@pytest.mark.parametrize(
    ("commands", "run"),
    [
        (["pytest -x -q"], "pytest -x -q"),
        (["cd {root} && pytest -x 2>&1 | tail -5"], "pytest -x"),
        (["pytest -x", "pytest tests/test_a.py"], "pytest -x"),
        (["pytest tests/test_a.py::test_b"], "pytest -q"),
        (["cd web && npm test"], "pytest -q"),
        (["ruff check . && pytest"], "pytest -q"),
    ],
)
def test_the_sessions_whole_test_command_comes_first(repo, commands, run):
    repo.write("conftest.py")
    facts = session(repo, *(c.format(root=repo.root) for c in commands))
    assert found(repo, facts)["tests"][0] == run
