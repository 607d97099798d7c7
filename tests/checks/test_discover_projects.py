"""Whole sample projects: what is found, by name and command, and nothing that is no check of theirs."""

from __future__ import annotations

import json

import pytest

from passdown.checks.discover import candidates
from passdown.workspace.place import find_place


def package(name="x", **parts):
    return json.dumps({"name": name, **parts})


UNIT = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n"
TEST_SDK = '<Project><ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk" /></ItemGroup></Project>'
PLAIN_CS = '<Project Sdk="Microsoft.NET.Sdk"></Project>'

MAKEFILE = """CC := cc
FLAGS = a:b
.PHONY: test lint
test lint: build
\ttrue
build:
\ttrue
testing:
\ttrue
"""

PROJECTS = {
    "python library, src layout": (
        {
            "pyproject.toml": "[project]\nname='x'\n[tool.pytest.ini_options]\ntestpaths=['tests']\n[tool.ruff]\n"
            "[tool.mypy]\nfiles=['src']\n",
            "src/x/__init__.py": "",
            "tests/test_x.py": "def test(): pass\n",
            "uv.lock": "",
        },
        {"tests": "uv run pytest -q", "lint": "uv run ruff check .", "types": "uv run mypy"},
    ),
    "settings in setup.cfg": (
        {"setup.cfg": "[metadata]\nname=x\n[tool:pytest]\n[flake8]\n[mypy]\n", "setup.py": "", "x.py": ""},
        {"tests": "pytest -q", "lint": "flake8", "types": "mypy ."},
    ),
    "a tox.ini of pytest and flake8 alone is no tox": (
        {"tox.ini": "[pytest]\n[flake8]\n", "test_x.py": "def test(): pass\n"},
        {"tests": "pytest -q", "lint": "flake8"},
    ),
    "tox": ({"tox.ini": "[tox]\nenvlist=py\n[testenv]\ncommands=true\n"}, {"tests": "tox"}),
    "nox": ({"noxfile.py": "import nox\n"}, {"tests": "nox"}),
    "unittest package": (
        {"tests/__init__.py": "", "tests/test_x.py": UNIT, "x.py": ""},
        {"tests": "python -m unittest"},
    ),
    "unittest folder": ({"tests/test_x.py": UNIT}, {"tests": "python -m unittest discover -s tests"}),
    "django": (
        {"manage.py": "import django\n", "app/tests.py": "", "app/test_a.py": "from django.test import TestCase\n"},
        {"tests": "python manage.py test"},
    ),
    "python without tests": ({"pyproject.toml": "[project]\nname='x'\n", "x.py": ""}, {}),
    "python whose only tests are fixtures of others": (
        {"pyproject.toml": "[project]\nname='x'\n", "tests/fixtures/p/test_a.py": "", "examples/e/test_b.py": ""},
        {},
    ),
    "pyright": ({"pyrightconfig.json": "{}", "a.py": ""}, {"types": "pyright"}),
    "npm with vitest": (
        {
            "package.json": package(scripts={"test": "vitest run", "lint": "eslint .", "typecheck": "tsc --noEmit"}),
            "package-lock.json": "{}",
        },
        {"tests": "npm test", "lint": "npm run lint", "types": "npm run typecheck"},
    ),
    "scripts that never end or change files": (
        {
            "package.json": package(
                scripts={"test": "jest --watch", "lint": "eslint --fix .", "dev": "vite", "build": "tsc -w"},
                devDependencies={"jest": "30"},
            )
        },
        {"tests": "npx jest"},
    ),
    "watch switched off": ({"package.json": package(scripts={"test": "jest --watch=false"})}, {"tests": "npm test"}),
    "npm's placeholder": ({"package.json": package(scripts={"test": 'echo "Error: no test specified" && exit 1'})}, {}),
    "a library without scripts": ({"package.json": package(dependencies={"left-pad": "1"})}, {}),
    "pnpm by its field": (
        {"package.json": package(packageManager="pnpm@9.0.0", scripts={"test": "vitest run"})},
        {"tests": "pnpm test"},
    ),
    "bun": ({"package.json": package(scripts={"test": "bun test"}), "bun.lock": ""}, {"tests": "bun run test"}),
    "workspaces whose root tests all": (
        {
            "package.json": package(workspaces=["packages/*"], scripts={"test": "turbo run test"}),
            "pnpm-lock.yaml": "",
            "packages/a/package.json": package("a", scripts={"test": "vitest run"}),
        },
        {"tests": "pnpm test"},
    ),
    "workspaces that only their members test": (
        {
            "package.json": package(workspaces=["packages/*"], scripts={"prepare": "husky"}),
            "yarn.lock": "",
            "packages/a/package.json": package("a", scripts={"test": "jest"}),
            "packages/b/package.json": package("b", scripts={"test": "jest", "build": "tsc"}),
            "packages/b/node_modules/c/package.json": package("c", scripts={"test": "tap"}),
        },
        {
            "tests-packages-a": "cd packages/a && yarn test",
            "tests-packages-b": "cd packages/b && yarn test",
            "build-packages-b": "cd packages/b && yarn run build",
        },
    ),
    "a backend and a frontend": (
        {
            "README.md": "",
            "api/pyproject.toml": "[tool.pytest.ini_options]\n",
            "api/uv.lock": "",
            "api/tests/test_a.py": "def test(): pass\n",
            "web/package.json": package(scripts={"test": "vitest run"}),
            "web/package-lock.json": "{}",
        },
        {"tests-api": "cd api && uv run pytest -q", "tests-web": "cd web && npm test"},
    ),
    "python at the root, node below": (
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n",
            "tests/test_a.py": "def test(): pass\n",
            "frontend/package.json": package(scripts={"test": "jest"}),
            "libs/core/pyproject.toml": "[project]\nname='core'\n",
            "libs/core/tests/test_b.py": "def test(): pass\n",
        },
        {"tests": "pytest -q", "tests-frontend": "cd frontend && npm test"},
    ),
    "a folder with a space": (
        {"my app/package.json": package(scripts={"test": "jest"})},
        {"tests-my-app": "cd 'my app' && npm test"},
    ),
    "examples and templates are nobody's checks": (
        {
            "go.mod": "module x\n",
            "examples/web/package.json": package(scripts={"test": "jest"}),
            "templates/py/pyproject.toml": "[tool.pytest.ini_options]\n",
            "testdata/mod/go.mod": "module y\n",
            "vendor/lib/go.mod": "module z\n",
        },
        {"tests": "go test ./...", "lint": "go vet ./...", "build": "go build ./..."},
    ),
    "go modules side by side": (
        {"go.work": "use ./a\nuse ./b\n", "a/go.mod": "module a\n", "b/go.mod": "module b\n"},
        {
            "tests-a": "cd a && go test ./...",
            "tests-b": "cd b && go test ./...",
            "lint-a": "cd a && go vet ./...",
            "lint-b": "cd b && go vet ./...",
            "build-a": "cd a && go build ./...",
            "build-b": "cd b && go build ./...",
        },
    ),
    "cargo workspace": (
        {"Cargo.toml": "[workspace]\n", "crates/a/Cargo.toml": "[package]\n", "crates/b/Cargo.toml": "[package]\n"},
        {"tests": "cargo test", "build": "cargo build"},
    ),
    "nextest": (
        {"Cargo.toml": "", ".config/nextest.toml": ""},
        {"tests": "cargo nextest run", "build": "cargo build"},
    ),
    "make": (
        {"Makefile": MAKEFILE},
        {"tests": "make test", "lint": "make lint", "build": "make build"},
    ),
    "make without checks": ({"Makefile": "TEST = x\ntest-data := a\nall:\n\ttrue\ninstall:\n"}, {}),
    "just": (
        {"justfile": "set shell := ['sh']\nname := 'x'\n@test arg='x':\n  x\nlint: test\n  y\nserve:\n  z\n"},
        {"tests": "just test", "lint": "just lint"},
    ),
    "gradle, settings alone": (
        {"settings.gradle.kts": "", "gradlew": "", "app/build.gradle.kts": ""},
        {"tests": "./gradlew test"},
    ),
    "maven modules": ({"pom.xml": "", "mvnw": "", "core/pom.xml": ""}, {"tests": "./mvnw -q test"}),
    "dotnet solution": (
        {"App.sln": "", "src/App/App.csproj": PLAIN_CS, "tests/App.Tests/App.Tests.csproj": TEST_SDK},
        {"tests": "dotnet test"},
    ),
    "dotnet without tests": ({"App.sln": "", "src/App/App.csproj": PLAIN_CS}, {}),
    "rspec": ({".rspec": "", "Gemfile": ""}, {"tests": "bundle exec rspec"}),
    "minitest": (
        {"Gemfile": "", "Rakefile": "require 'rake/testtask'\nRake::TestTask.new\n", "test/x_test.rb": ""},
        {"tests": "bundle exec rake test"},
    ),
    "rails": ({"Gemfile": "", "bin/rails": "", "test/test_helper.rb": ""}, {"tests": "bin/rails test"}),
    "a Rakefile without tests": ({"Gemfile": "", "Rakefile": "task :deploy do\nend\n"}, {}),
    "phpunit": ({"phpunit.xml.dist": "", "composer.json": "{}"}, {"tests": "vendor/bin/phpunit"}),
    "pest": (
        {"phpunit.xml": "", "composer.json": '{"require-dev": {"pestphp/pest": "*"}}'},
        {"tests": "vendor/bin/pest"},
    ),
    "composer's script": (
        {"phpunit.xml": "", "composer.json": '{"scripts": {"test": ["@php vendor/bin/phpunit"]}}'},
        {"tests": "composer test"},
    ),
    "ctest": (
        {"CMakeLists.txt": "project(x)\nenable_testing()\nadd_test(NAME a COMMAND a)\n"},
        {"tests": "ctest --test-dir build"},
    ),
    "ctest by its preset": (
        {
            "CMakeLists.txt": "include(CTest)\n",
            "CMakePresets.json": '{"testPresets": [{"name": "base", "hidden": true}, {"name": "dev"}]}',
        },
        {"tests": "ctest --preset dev"},
    ),
    "cmake without tests": ({"CMakeLists.txt": "project(x)\n"}, {}),
    "prose alone": ({"README.md": "run `pytest`", "docs/a.md": ""}, {}),
    "broken files": (
        {"package.json": "{", "pyproject.toml": "[", "composer.json": "[]", "CMakePresets.json": "1"},
        {},
    ),
}


@pytest.mark.parametrize(("files", "expected"), PROJECTS.values(), ids=PROJECTS)
def test_projects(repo, files, expected):
    for path, text in files.items():
        repo.write(path, text)
    found = {c.name: c.run for c in candidates(find_place(repo.root))}
    assert found == expected


def test_a_candidate_of_a_folder_says_where_it_was_found(repo):
    repo.write("web/package.json", package(scripts={"test": "jest"}))
    (found,) = candidates(find_place(repo.root))
    assert (found.found_in, found.kind) == ("web/package.json scripts.test", "test")


def test_many_projects_do_not_flood(repo):
    for number in range(40):
        repo.write(f"packages/p{number:02}/package.json", package(scripts={"test": "jest"}))
    assert len(candidates(find_place(repo.root))) <= 12
