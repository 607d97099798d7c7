# ruff: noqa: E501 - a pattern reads best on one line
"""What an output says where nothing was checked: no such command, wrong folder, wrong usage, out of time."""

from __future__ import annotations

import re

from passdown.model.session import Counts
from passdown.rules.patterns import lazy

_ERROR = lazy(
    # the shell and make; only their form is told, since their words follow the locale
    r"(?:^|: )(?:[Cc]ommand not found|not found$)|command not found: |is not recognized as (?:an internal|the name)|^(?:[-/\w]*sh: .*)?cd: [^:\n]+: \S"
    r"|\*\*\* \[.*\] \D+ 12[67]$|Permission denied$"
    # JavaScript
    r"|npm (?:ERR!|error) Missing script|[Ee]rror: (?:Script|script) not found|[Ee]rror: Missing script|ERR_PNPM_(?:NO_SCRIPT|NO_IMPORTER_MANIFEST|RECURSIVE_EXEC_FIRST_FAIL.*ENOENT)|Couldn't find a (?:script|package\.json)"
    r"|Could not read package\.json|npm (?:ERR!|error) (?:code ENOENT|enoent)|^\W*(?:Error: )?No (?:test files|tests|test modules) (?:found|were found)|did not match any test files|could not determine executable to run"
    r"|error TS(?:5057|5058|5083|6053|18003):|No files matching (?:the pattern|')|couldn't find an eslint\.config|No projects matched the filters|Could not find task"
    # Python
    r"|No module named ['\"]?(?:pytest|unittest|mypy|ruff|pylint|flake8|tox|nox|coverage|black)\b|ERROR: file or directory not found|can't open file '|: can't read file '"
    r"|no tests ran\b|Interrupted: \d+ errors? during collection|Failed to lint .*: No such file|could not find python interpreter|error: Failed to spawn:|Command not found: "
    # Go, Rust, JVM, .NET, Ruby, PHP, C, Swift, Elixir
    r"|go: (?:go\.mod file not found|no such tool|cannot find)|cannot find main module|does not contain main module|no Go files in|^stat .*: directory not found$|could not find `Cargo\.toml`"
    r"|there is no POM in this directory|does not contain a Gradle build|Task '.*' not found in|MSB1003|MSB1009|Could not locate Gemfile|No Rakefile found|Don't know how to build task"
    r"|^Cannot open file \"|^Could not open input file: |^Test file \".*\" not found|Failed to change working directory|^\*\*\*No test configuration file found|Could not find Package\.swift|\(Mix\) Could not find"
    # usage, tasks, time, containers
    r"|error: (?:unrecognized arguments|no such (?:command|subcommand)|unexpected argument|unknown option)|^[Uu]nknown (?:command|option)|error: unknown command|The command is terminated due to an error: unknown|^usage: |^Usage: "
    r"|No rule to make target|no such file or directory: |Unknown target|[Jj]ustfile does not contain recipe|[Nn]o justfile found|no tasks? named|no task .* found"
    r"|Command timed out after|[Tt]imed out after \d+|exited? with signal|Cannot connect to the Docker daemon|No such container|no such service|service \".*\" is not running",
    re.MULTILINE,
)
_MAKE = lazy(r"^g?make(?:\[\d+\])?: \*\*\* (?!\[)\S", re.MULTILINE)
_GO_RAN = lazy(r"^ok\s+\S+\s|^\s*--- FAIL: ", re.MULTILINE)
_NO_TEST = lazy(
    r"^\W*(?:Error: )?No (?:test files?|tests|test modules) (?:found|were found|executed|ran|to run|matched)|^Ran 0 tests\b|^no tests ran\b|No test is available in|^running 0 tests$|^collected 0 items",
    re.MULTILINE | re.IGNORECASE,
)
_GO_NONE = lazy(r"\[no test(?:s to run| files)\]$", re.MULTILINE)
_GO_SOME = lazy(r"^(?:ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?:\s+coverage: .*)?|\s*--- (?:PASS|FAIL): .*)$", re.MULTILINE)
_HEAD, _TAIL = 4000, 12_000


def could_not_run(text: str, numbers: Counts | None) -> bool:
    """Whether it says that nothing was checked."""
    ran = numbers is not None and bool(numbers.passed or numbers.failed)
    if ran or _GO_RAN.search(text):
        return False
    shown = ends(text)
    stopped = "*** " in shown and "*** [" not in shown and _MAKE.search(shown) is not None
    return stopped or _ERROR.search(shown) is not None


def nothing_ran(text: str, numbers: Counts | None) -> bool:
    """Whether a test runner that ended with 0 says that it ran no test: a pattern that met none, all skipped."""
    if numbers is not None and {numbers.passed, numbers.failed, numbers.skipped} != {None}:
        return not (numbers.passed or numbers.failed or numbers.errors)
    if _GO_NONE.search(text):
        return _GO_SOME.search(text) is None
    return _NO_TEST.search(text) is not None


def ends(text: str) -> str:
    """The beginning and the end: what could not run says so first, what failed says so last."""
    return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
