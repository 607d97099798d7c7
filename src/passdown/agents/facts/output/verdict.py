# ruff: noqa: E501 - a pattern reads best on one line
"""What an output says of itself, for the cases in which no exit code speaks."""

from __future__ import annotations

import re

from passdown.agents.facts.output.stopped import could_not_run, ends
from passdown.model.session import Counts, SeenResult
from passdown.rules.patterns import lazy

_FAILED = lazy(
    r"^(?:"
    r"FAIL(?:\s|$)|\s*--- FAIL: |FAILED (?:\S+\.py|\()|=+ FAILURES =+|BUILD FAILED|Build FAILED|\*\* (?:BUILD|TEST) FAILED \*\*|FAILURE: Build failed|\[ERROR\] (?:COMPILATION|Failed to|Error: )|\[warn\] Code style issues|Diff in \S+:\d+:?$|\d+ files? would be reformatted|ERROR: .* Imports are incorrectly sorted|\s*(?:error|warning) \u2022 "
    r"|.*\berror TS\d+: |error(?:\[E\d+\])?: (?:could not compile|aborting|script \".*\" exited|Recipe|test failed)|error\[E\d+\]"
    r"|npm (?:ERR!|error) |.*ELIFECYCLE|g?make(?:\[\d+\])?: \*\*\* |.*Command failed with exit code [1-9]|\[[\w:.-]+\] ERROR task failed|mise ERROR"
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
    r"|Build complete!|\d+ files? inspected, no offenses|\[OK\] No errors|webpack .* compiled successfully|.*Build success in |No issues found!|\[100%\] Built target |.*NX +Successfully ran target"
    r"|\[SUCCESS\] Generated|Summary: 0 (?:error|issue)|Found 0 errors|.*no problems found|Your code has been rated at 10"
    r")",
    re.MULTILINE,
)
_GO_OK = lazy(r"^(?:ok\s+\S+\s+(?:[\d.]+s|\(cached\))|\?\s+\S+\s+\[no test files\])", re.MULTILINE)
_VERDICT_LINE = lazy(r"^[^\w\n]*RESULTS?: (FAIL(?:ED|URE)?|PASS(?:ED)?|ERROR)\b", re.MULTILINE)
_EMPTY = lazy(r"\s*(?:\(Bash completed with no output\)|\(no output\)|Shell cwd was reset to .*)?\s*", re.DOTALL)
_GAVE_UP = lazy(
    r"^(?:npm (?:ERR!|error) |.*ELIFECYCLE|g?make(?:\[\d+\])?: \*\*\* |error: script \".*\" exited|error: Recipe|.*Command failed with exit code|\[[\w:.-]+\] ERROR task failed|mise ERROR"
    r"|BUILD FAILED|FAILURE: Build failed|nox > Session .* failed|\s*[\w.-]+: FAIL code|rake aborted!|ERROR: .*: (?:commands|InvocationError)|task: Failed to run task|.* NX +(?:Ran target.*failed|Running target .* failed)| *Failed: +\S+#\w+)",
    re.MULTILINE,
)
_LAST_LINES = 1500
SILENT = {"go", "tsc", "vue-tsc", "tsgo", "gofmt", "goimports", "eslint", "oxlint", "flake8", "pyflakes", "shellcheck", "vulture", "pycodestyle",
          "py_compile", "compileall", "actionlint", "yamllint", "hadolint", "stylelint", "staticcheck"}  # fmt: skip


def stated(text: str) -> str | None:
    """``FAIL`` or ``PASS`` of a closing ``RESULT: ...`` line, None where there is none."""
    found = _VERDICT_LINE.findall(text)
    return "PASS" if found and found[-1].startswith("PASS") else ("FAIL" if found else None)


def is_empty(text: str) -> bool:
    """Whether the program printed nothing (the client's own words aside)."""
    return _EMPTY.fullmatch(text) is not None


def go_passed(text: str) -> bool:
    """Whether packages of Go are listed as ok."""
    return _GO_OK.search(text) is not None


def passes(text: str) -> int:
    """How many plain signs of success stand in ``text``."""
    return len(_PASSED.findall(text))


def verdict(text: str, numbers: Counts | None, *, alone: bool = True) -> SeenResult | None:
    """PASSED or FAILED where the output says so without doubt, else None; ``alone``: no other program printed in it."""
    said = stated(text)
    if said == "FAIL":
        return "FAILED"
    if numbers is not None:
        if numbers.failed or numbers.errors:
            return "FAILED"
        if numbers.passed:  # the tests passed; what ran beside them need not have
            return "FAILED" if alone and _GAVE_UP.search(text[-_LAST_LINES:]) else "PASSED"
    if could_not_run(text, numbers):
        return "ERROR"
    if _FAILED.search(ends(text)):
        return "FAILED"
    if _PASSED.search(text) or (_GO_OK.search(text) and _GO_OK.match(_last(text))):
        return "PASSED"
    return "PASSED" if said == "PASS" else None


def _last(text: str) -> str:
    lines = [
        line
        for line in text.split("\n")
        if line.strip() and not line.startswith(("Finished in", "[", "Shell cwd", "$ "))
    ]
    return lines[-1] if lines else ""
