# ruff: noqa: E501 - a pattern reads best on one line
"""Which programs are checks, and of which kind."""

from __future__ import annotations

import re

from passdown.agents.facts.readers import manage_py
from passdown.agents.facts.scripts import Reader, first_operand, operands, script_kind
from passdown.agents.facts.tool_table import TABLE
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy
from passdown.rules.shell import calls
from passdown.rules.shell_words import Words, program, unwrap

_ASKING = {
    "--help", "-h", "--version", "-V", "--collect-only", "--co", "--list", "--list-tests", "--listTests", "--fixtures",
    "--markers", "--showConfig", "--show-config", "--print-config", "--init", "--dry-run", "--list-files", "--show-files",
}  # fmt: skip
_DRY = {"php-cs-fixer", "clang-format"}  # their check is to change nothing
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
    if tool == "bun" and rest[:1] in (["test"], ["build"]):
        return "test" if rest[0] == "test" else "build"
    if tool == "bun" and rest and program(rest[0]) in TOOLS:
        return check_kind(words[words.index(rest[0]) :])
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
    called = words[words.index(rest[0]) :]
    if not explicit and len(called) > 1 and program(rest[0]) in TOOLS:
        return check_kind(called)
    return script_kind(rest[0]) or (check_kind(called) if not explicit else None)


TOOLS: dict[str, Reader] = {
    **TABLE,
    "npm": _package_script,
    "pnpm": _package_script,
    "yarn": _package_script,
    "bun": _package_script,
    "c8": lambda words: check_kind(words[1:]),
    "nyc": lambda words: check_kind(words[1:]),
}
_OF_PROJECTS = {"pdm", "pixi", "rye", "pipenv", "poetry", "uv"}  # they run a project's own scripts by name


def check_kind(words: Words) -> CheckKind | None:
    """Kind of the check that these words run, wrappers looked through; None: no check."""
    bare = unwrap(words)
    if not bare:
        return None
    name = program(bare[0])
    if bare is not words and name == bare[0] and program(words[0]) in _OF_PROJECTS and name not in TOOLS:
        return script_kind(name)
    if "node_modules/" in bare[0]:
        name = re.sub(r"\.[cm]?js$", "", name)
    reader = TOOLS.get(name) or _other_reader(name, bare)
    asks = _ASKING - {"--dry-run"} if name in _DRY else _ASKING
    if reader is None or not asks.isdisjoint(bare[1:]):
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
