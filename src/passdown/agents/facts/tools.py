# ruff: noqa: E501 - a pattern reads best on one line
"""Which programs are checks, and of which kind."""

from __future__ import annotations

import re

from passdown.agents.facts.readers import (
    always,
    bin_rails,
    biome,
    cargo,
    cmake,
    docs_builder,
    dotnet,
    flag,
    gofmt,
    gradle,
    manage_py,
    maven,
    mix,
    pre_commit,
    ruff,
    targets,
    tox,
    tsc,
    verb,
    xcodebuild,
)
from passdown.agents.facts.scripts import Reader, first_operand, operands, script_kind
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy
from passdown.rules.shell import calls
from passdown.rules.shell_words import Words, program, unwrap

_ASKING = {
    "--help", "-h", "--version", "-V", "--collect-only", "--co", "--list", "--list-tests", "--listTests", "--fixtures",
    "--markers", "--showConfig", "--show-config", "--print-config", "--init", "--dry-run", "--list-files", "--show-files",
}  # fmt: skip
_PYTHON = lazy(r"python[\d.]*$")
_SHELLS = {"bash", "sh", "zsh"}
_SCRIPT_VALUED = {"--filter", "-F", "-C", "--dir", "--prefix", "-w", "--workspace", "--cwd", "-c", "--config"}
_SCRIPT_VERBS = {"run", "run-script", "workspace", "workspaces", "foreach", "rum", "urn"}
_PACKAGE_VERBS = {
    "install", "i", "ci", "add", "remove", "rm", "uninstall", "update", "up", "upgrade", "link", "pack", "publish", "init",
    "create", "exec", "dlx", "x", "view", "info", "ls", "list", "why", "outdated", "audit", "config", "set", "cache", "login", "version",
}  # fmt: skip


def _package_script(words: Words) -> CheckKind | None:
    rest = operands(words, _SCRIPT_VALUED)
    tool = program(words[0])
    if tool == "bun" and rest[:1] == ["test"]:
        return "test"
    if tool == "bun" and rest[:1] == ["build"]:
        return "build"
    explicit = False
    while rest and rest[0] in _SCRIPT_VERBS:
        if rest[0] == "workspace":
            rest = rest[1:]
        rest, explicit = rest[1:], True
    if not rest:
        return None
    if rest[0] in _PACKAGE_VERBS and not explicit:
        return None
    if tool in {"npm", "bun"} and not explicit and rest[0] not in {"test", "t", "tst"}:
        return None
    if rest[0] in {"t", "tst"}:
        return "test"
    if not explicit and len(rest) > 1 and program(rest[0]) in TOOLS:
        return check_kind(tuple(rest))
    return script_kind(rest[0]) or (check_kind(words_of(rest)) if not explicit else None)


def words_of(rest: list[str]) -> Words:
    """A list of words as the words of a command."""
    return tuple(rest)


_GO: dict[str, CheckKind] = {"test": "test", "vet": "lint", "build": "build"}
TOOLS: dict[str, Reader] = {
    "pytest": always("test"),
    "py.test": always("test"),
    "unittest": always("test"),
    "nose2": always("test"),
    "doctest": always("test"),
    "trial": always("test"),
    "stestr": verb({"run": "test"}),
    "ward": always("test"),
    "behave": always("test"),
    "robot": always("test"),
    "tox": tox,
    "nox": tox,
    "hatch": targets(verbs=frozenset({"run", "test", "build", "fmt"})),
    "ruff": ruff,
    "flake8": always("lint"),
    "pylint": always("lint"),
    "pycodestyle": always("lint"),
    "pydocstyle": always("lint"),
    "bandit": always("lint"),
    "lint-imports": always("lint"),
    "vulture": always("lint"),
    "codespell": always("lint"),
    "yamllint": always("lint"),
    "shellcheck": always("lint"),
    "hadolint": always("lint"),
    "actionlint": always("lint"),
    "markdownlint": always("lint"),
    "markdownlint-cli2": always("lint"),
    "black": flag("lint", "--check"),
    "isort": flag("lint", "--check", "--check-only", "-c"),
    "mypy": always("types"),
    "dmypy": verb({"run": "types", "check": "types"}),
    "pyright": always("types"),
    "basedpyright": always("types"),
    "ty": verb({"check": "types"}),
    "pyre": verb({"check": "types"}),
    "pyrefly": verb({"check": "types"}),
    "compileall": always("build"),
    "py_compile": always("build"),
    "build": always("build"),
    "pre-commit": pre_commit,
    "prek": pre_commit,
    "lefthook": verb({"run": "lint"}),
    "lint-staged": always("lint"),
    "npm": _package_script,
    "pnpm": _package_script,
    "yarn": _package_script,
    "bun": _package_script,
    "deno": verb({"test": "test", "lint": "lint", "check": "types"}),
    "turbo": targets(verbs=frozenset({"run"})),
    "nx": targets(verbs=frozenset({"run", "affected", "run-many"})),
    "node": lambda words: "test" if any(w in {"--test", "--test-only"} for w in words[1:]) else None,
    "vitest": lambda words: None if first_operand(words) in {"watch", "dev", "init", "list"} else "test",
    "jest": lambda words: None if "--watch" in words or "--watchAll" in words else "test",
    "mocha": always("test"),
    "ava": always("test"),
    "tap": always("test"),
    "karma": verb({"start": "test"}),
    "c8": lambda words: check_kind(words[1:]),
    "nyc": lambda words: check_kind(words[1:]),
    "playwright": verb({"test": "test"}),
    "cypress": verb({"run": "test"}),
    "bats": always("test"),
    "eslint": always("lint"),
    "oxlint": always("lint"),
    "standard": always("lint"),
    "xo": always("lint"),
    "stylelint": always("lint"),
    "prettier": flag("lint", "--check", "-c", "--list-different", "-l"),
    "biome": biome,
    "@biomejs/biome": biome,
    "tsc": tsc,
    "vue-tsc": tsc,
    "tsgo": tsc,
    "svelte-check": always("types"),
    "astro": verb({"check": "types", "build": "build"}),
    "vite": verb({"build": "build"}),
    "next": verb({"build": "build", "lint": "lint"}),
    "nuxt": verb({"build": "build", "typecheck": "types"}),
    "ng": verb({"test": "test", "build": "build", "lint": "lint"}),
    "webpack": always("build"),
    "rollup": always("build"),
    "tsup": always("build"),
    "go": verb(_GO, "-C"),
    "gotestsum": always("test"),
    "ginkgo": always("test"),
    "gofmt": gofmt,
    "goimports": gofmt,
    "golangci-lint": verb({"run": "lint"}),
    "staticcheck": always("lint"),
    "cargo": cargo,
    "rustc": always("build"),
    "gradle": gradle,
    "gradlew": gradle,
    "mvn": maven,
    "mvnw": maven,
    "sbt": targets(),
    "ant": targets(),
    "bazel": verb({"test": "test", "build": "build"}),
    "bazelisk": verb({"test": "test", "build": "build"}),
    "buck2": verb({"test": "test", "build": "build"}),
    "pants": verb({"test": "test", "lint": "lint", "check": "types"}),
    "dotnet": dotnet,
    "msbuild": always("build"),
    "rspec": always("test"),
    "rake": targets("-f"),
    "rails": bin_rails,
    "rubocop": always("lint"),
    "standardrb": always("lint"),
    "srb": verb({"tc": "types"}),
    "phpunit": always("test"),
    "pest": always("test"),
    "phpstan": always("types"),
    "psalm": always("types"),
    "phpcs": always("lint"),
    "php-cs-fixer": flag("lint", "--dry-run", "--diff"),
    "pint": flag("lint", "--test"),
    "artisan": verb({"test": "test"}),
    "composer": targets(verbs=frozenset({"run", "run-script", "validate"})),
    "manage.py": manage_py,
    "ctest": always("test"),
    "cmake": cmake,
    "ninja": lambda words: "test" if "test" in words else "build",
    "meson": verb({"test": "test", "compile": "build"}),
    "make": targets("-C -f -j -l"),
    "gmake": targets("-C -f -j -l"),
    "just": targets("-f -d --justfile --working-directory"),
    "mise": targets(verbs=frozenset({"run", "r", "tasks"})),
    "task": targets("-t -d"),
    "invoke": targets(),
    "inv": targets(),
    "poe": targets(),
    "swift": verb({"test": "test", "build": "build"}),
    "swiftlint": always("lint"),
    "xcodebuild": xcodebuild,
    "flutter": verb({"test": "test", "analyze": "lint", "build": "build"}),
    "dart": verb({"test": "test", "analyze": "lint"}),
    "mix": mix,
    "zig": verb({"test": "test", "build": "build"}),
    "stack": verb({"test": "test", "build": "build"}),
    "cabal": verb({"test": "test", "build": "build"}),
    "lein": verb({"test": "test"}),
    "terraform": verb({"validate": "other"}),
    "helm": verb({"lint": "lint"}),
    "buf": verb({"lint": "lint", "build": "build"}),
    "docfx": docs_builder,
    "mkdocs": verb({"build": "build"}),
    "sphinx-build": always("build"),
    "zensical": verb({"build": "build"}),
    "mdbook": verb({"test": "test", "build": "build"}),
    "hugo": lambda words: "build" if first_operand(words) is None else None,
}


def check_kind(words: Words) -> CheckKind | None:
    """Kind of the check that these words run, wrappers looked through; None: no check."""
    bare = unwrap(words)
    if not bare:
        return None
    name = program(bare[0])
    reader = TOOLS.get(name) or _other_reader(name, bare)
    if reader is None or not _ASKING.isdisjoint(bare[1:]):
        return None
    return reader(bare)


def _other_reader(name: str, words: Words) -> Reader | None:
    """Scripts: of Python, of a shell, or called by their path."""
    if name.startswith("python") and _PYTHON.match(name):
        return _python_script
    return _script_file if name in _SHELLS or name != words[0] or "." in name else None


def _python_script(words: Words) -> CheckKind | None:
    script = first_operand(words, {"-W", "-X"})
    if "-c" in words or not script or not script.endswith(".py"):
        return None
    if program(script) == "manage.py":
        return manage_py(words[words.index(script) :])
    name = program(script)
    if re.match(r"(?:run_?tests?|test_\w+|\w+_tests?|runtests)\.py$", name):
        return "test"
    return None


def _script_file(words: Words) -> CheckKind | None:
    """``./scripts/test.sh``, ``bash run-tests.sh``: a script whose whole name is a check's."""
    target = words[1] if program(words[0]) in _SHELLS and len(words) > 1 else words[0]
    name = program(target)
    stem = re.sub(r"\.(?:sh|bash|ps1|js|mjs|ts)$", "", name)
    if "/" not in target and stem == name:
        return None
    if not re.match(
        r"(?:run[-_])?(?:all[-_])?(?:tests?|checks?|lint|typecheck|ci|verify|build|unit[-_]tests?|e2e)(?:[-_.](?:all|local|unit|ci))?$",
        stem,
    ):
        return None
    return script_kind(re.sub(r"^run[-_]", "", stem))


_LENIENT = lazy(
    r"--exit-zero|--issues-exit-code[= ]0|--ignore-errors|--exit-code[= ]0|--no-error-on-\w+|--continue-on-error"
)


def lenient(words: Words) -> bool:
    """Whether the tool was told to end with 0 whatever it finds (``pylint --exit-zero``, ``make -i``)."""
    bare = unwrap(words)
    return _LENIENT.search(" ".join(bare[1:])) is not None or (program(bare[0]) in {"make", "gmake"} and "-i" in bare)


_MENDING = lazy(r"(?<![\w-])(?:--fix|--write|--apply|-w|--unsafe-fixes|--auto-?correct(?:-all)?|-[aA])(?![\w-])")


def mends(line: str, kind: CheckKind) -> bool:
    """Whether a command line runs a fixer of that kind (``npm run lint:fix``, ``eslint --fix``, ``cargo fmt``)."""
    if kind not in {"lint", "types", "other"}:
        return False
    for call in calls(line):
        words = unwrap(call.words)
        if not words:
            continue
        rest = " ".join(words[1:])
        formatter = program(words[0]) in {"black", "isort", "prettier", "gofmt", "goimports", "rustfmt"} or words[
            1:2
        ] in {("fmt",), ("format",)}
        if formatter or (
            program(words[0]) in TOOLS
            and (_MENDING.search(rest) or re.search(r"(?:^|[\s:_-])(?:fix|fmt|format)(?:$|[\s:_-])", rest))
        ):
            return True
    return False
