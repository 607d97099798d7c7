# ruff: noqa: E501 - a pattern reads best on one line
"""What an output says of itself, for the cases in which no exit code speaks."""

from __future__ import annotations

import re

from passdown.model.session import Counts, SeenResult
from passdown.rules.patterns import lazy

_FAILED = lazy(
    r"^(?:"
    r"FAIL(?:\s|$)|\s*--- FAIL: |FAILED (?:\S+\.py|\()|=+ FAILURES =+|BUILD FAILED|Build FAILED|FAILURE: Build failed|\[ERROR\] (?:COMPILATION|Failed to)"
    r"|.*\berror TS\d+: |error(?:\[E\d+\])?: (?:could not compile|aborting|script \".*\" exited|Recipe|test failed)|error\[E\d+\]"
    r"|npm (?:ERR!|error) |.*ELIFECYCLE|g?make(?:\[\d+\])?: \*\*\* |Command failed with exit code|\[[\w:.-]+\] ERROR task failed|mise ERROR"
    r"|\S+\.(?:go|c|cc|cpp|h|rs|java|kt|swift|cs|ts|tsx|vue)[:(]\d+[:,]\d+\)?: (?:error|undefined|cannot|undeclared|expected|missing|fatal)"
    r"|\S+\.go:\d+:\d+: .*\((?:\w+)\)$|# [\w./-]+ \[build failed\]"
    r"|\S+\.\w+:\d+(?::\d+)? error |Summary: [1-9]\d* (?:error|issue)|error: Process completed|Test Suites?: \d+ failed|\u2716 \d+ problems? \([1-9]\d* error"
    r"|.*(?<!No )(?<!no )(?<!0 )\d*[1-9] (?:failed|failing)\b(?!.*expected)"
    r")",
    re.MULTILINE,
)
_PASSED = lazy(
    r"^(?:"
    r"All checks passed!|0 issues\.|Success: no issues found|BUILD SUCCESSFUL|Build succeeded|\*\* (?:BUILD|TEST) SUCCEEDED \*\*"
    r"|(?:\[INFO\] )?BUILD SUCCESS\b|0 errors, \d+ warnings?|\s*0 [Ee]rror\(s\)|.*0 error\(s\)|All matched files use Prettier|\d+ files? (?:would be left unchanged|already formatted)"
    r"|.*\u2713 built in |.*Compiled successfully|\s*Finished [`\w].*(?:profile|target|in )|Checked \d+ files? in .*(?:No fixes applied|no fixes applied)"
    r"|Build complete!|\d+ files? inspected, no offenses|\[OK\] No errors|webpack .* compiled successfully|Build success in "
    r"|\[SUCCESS\] Generated|Summary: 0 (?:error|issue)|Found 0 errors|.*no problems found|Your code has been rated at 10"
    r")",
    re.MULTILINE,
)
_GO_OK = lazy(r"^(?:ok\s+\S+\s+(?:[\d.]+s|\(cached\))|\?\s+\S+\s+\[no test files\])", re.MULTILINE)
_ERROR = lazy(
    r"(?:^|: )(?:command not found|not found$)|command not found: |: command not found|is not recognized as (?:an internal|the name)"
    r"|npm (?:ERR!|error) Missing script|[Ee]rror: (?:Script|script) not found|[Ee]rror: Missing script|ERR_PNPM_NO_SCRIPT|Couldn't find a (?:script|package\.json)"
    r"|Could not read package\.json|No module named ['\"]?(?:pytest|unittest|mypy|ruff|pylint|flake8|tox|nox|coverage|black)\b"
    r"|error: (?:unrecognized arguments|no such (?:command|subcommand)|unexpected argument|unknown option)|^[Uu]nknown (?:command|option)"
    r"|ERROR: file or directory not found|No rule to make target|could not find `Cargo\.toml`|go: go\.mod file not found|cannot find main module"
    r"|go: (?:no such tool|cannot find)|no Go files in|MSB1003|MSB1009|^usage: |^Usage: |can't open file '|no such file or directory: |Unknown target"
    r"|Command timed out after|[Tt]imed out after \d+|no tests ran\b|Interrupted: \d+ errors? during collection|Justfile does not contain recipe"
    r"|cd: .*: No such file or directory|npm (?:ERR!|error) (?:code ENOENT|enoent)|exited? with signal|Permission denied$|error: unknown command|no tasks? named|no task .* found",
    re.MULTILINE,
)
_VERDICT_LINE = lazy(r"^\W*RESULTS?: (FAIL(?:ED|URE)?|PASS(?:ED)?|ERROR)\b", re.MULTILINE)
_EMPTY = lazy(r"\s*(?:\(Bash completed with no output\)|\(no output\)|Shell cwd was reset to .*)?\s*", re.DOTALL)
_HEAD, _TAIL = 4000, 12_000
SILENT = {"go", "tsc", "vue-tsc", "tsgo", "gofmt", "goimports", "eslint", "oxlint", "flake8", "pyflakes", "shellcheck", "vulture", "pycodestyle",
          "py_compile", "compileall", "actionlint", "yamllint", "hadolint", "stylelint", "staticcheck"}  # fmt: skip


def stated(text: str) -> str | None:
    """``FAIL`` or ``PASS`` of a closing ``RESULT: ...`` line, None where there is none."""
    found = _VERDICT_LINE.findall(text)
    return "PASS" if found and found[-1].startswith("PASS") else ("FAIL" if found else None)


def could_not_run(text: str, numbers: Counts | None) -> bool:
    """Whether it says that nothing was checked: no such command, wrong folder, wrong usage, out of time."""
    ran = numbers is not None and bool(numbers.passed or numbers.failed)
    return not ran and _ERROR.search(_ends(text)) is not None


def is_empty(text: str) -> bool:
    """Whether the program printed nothing (the client's own words aside)."""
    return _EMPTY.fullmatch(text) is not None


def passes(text: str) -> int:
    """How many plain signs of success stand in ``text``."""
    return len(_PASSED.findall(text))


def verdict(text: str, numbers: Counts | None) -> SeenResult | None:
    """PASSED or FAILED where the output says so without doubt, else None."""
    said = stated(text)
    if said == "FAIL":
        return "FAILED"
    if numbers is not None:
        if numbers.failed or numbers.errors:
            return "FAILED"
        if numbers.passed:
            return "PASSED"
    if could_not_run(text, numbers):
        return "ERROR"
    if _FAILED.search(_ends(text)):
        return "FAILED"
    if _PASSED.search(text) or (_GO_OK.search(text) and _GO_OK.match(_last(text))):
        return "PASSED"
    return "PASSED" if said == "PASS" else None


def _ends(text: str) -> str:
    """The beginning and the end: what could not run says so first, what failed says so last."""
    return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"


def _last(text: str) -> str:
    lines = [
        line for line in text.split("\n") if line.strip() and not line.startswith(("Finished in", "[", "Shell cwd"))
    ]
    return lines[-1] if lines else ""
