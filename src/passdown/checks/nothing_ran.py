"""What a tool prints where it ended with 0 and did nothing: no test met, no file found, a target that is up to date."""

from __future__ import annotations

import re

from passdown.model.session import CheckKind
from passdown.rules import command
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program

_M = re.MULTILINE
_NO_TESTS = lazy(
    r"^(?:no tests ran|\d+(?:/\d+)? tests? collected|(?:Ran|running) 0 tests?\b|\W*No tests? (?:files? )?found\b"
    r"|\?\s+\S+\s+\[no test files\]|testing: warning: no tests to run|=* ?no tests (?:ran|collected)"
    r"|No tests were found|No tests executed|No examples found|No test (?:cases )?matched|No tests ran\b"
    r"|No test (?:matches|is available)\b|(?:\[\w+\] )?(?:No tests to run|Tests are skipped)\."
    r"|There are no tests to run"
    r"|0 (?:examples|runs|tests|scenarios|features)\b|\s*0 passing\b|> Task :\S*[tT]est (?:NO-SOURCE|SKIPPED)$"
    r"|\[=+\] Running 0 tests|nox > Session \S+ (?:was )?skipped)",
    re.IGNORECASE | _M,
)
_TESTS = lazy(
    r"^(?:(?:Ran|running) [1-9]\d* tests?\b|ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests)"
    r"|(?:\[\w+\] )?Tests run: [1-9]|> Task :\S*[tT]est(?: (?:UP-TO-DATE|FROM-CACHE))?$"
    r"|nox > Session \S+ was successful|.*\b[1-9]\d* pass(?:ed|ing)?\b)",
    _M,
)
_NO_FILES = lazy(
    r"^(?:warning: No Python files found under|No source files found|No Python files are present"
    r"|.*\bno issues found in 0 source files|No files matching the pattern|Checked 0 files)",
    _M,
)
_UP_TO_DATE = lazy(
    r"g?make(?:\[\d+\])?: (?:\S+ is up to date|Nothing to be done for \S+)\."
    r"|task: Task .* is up to date|ninja: no work to do\."
)
_OF_MAKE = frozenset({"-n", "--dry-run", "--just-print", "--recon"})
_OF_GRADLE = frozenset({"-m", "--dry-run"})
_DRY = {
    "make": _OF_MAKE, "gmake": _OF_MAKE, "just": frozenset({"-n", "--dry-run"}), "task": frozenset({"-n", "--dry"}),
    "gradle": _OF_GRADLE, "gradlew": _OF_GRADLE,
}  # fmt: skip
_MAKE_SAYS = lazy(r"g?make(?:\[\d+\])?: \S.*[.\u3002]")
_CHANGES_DIRECTORY = lazy(r"g?make(?:\[\d+\])?: (?:Entering|Leaving) directory .*")


def nothing_ran(text: str, kind: CheckKind) -> bool:
    """Whether a check of this kind says so itself; a build that is up to date is built."""
    if kind != "build" and _only_up_to_date(text):
        return True
    if kind == "test":
        return _NO_TESTS.search(text) is not None and _TESTS.search(text) is None
    return kind in {"lint", "types"} and _NO_FILES.search(text) is not None


def not_started(text: str, run: str | list[str], kind: CheckKind) -> bool:
    """Whether a build tool only printed what it would do, or ``npm run --if-present`` found no such script.

    Of a script that it starts npm prints the name.
    """
    words = command.judged(run)
    if kind != "other" and words and all(_DRY.get(program(said[0]), frozenset()) & set(said) for said in words if said):
        return True
    maybe = any("--if-present" in said for said in words)
    quiet = any(word in {"-s", "--silent"} or word.startswith("--loglevel") for said in words for word in said)
    return maybe and not quiet and not any(line.startswith("> ") for line in text.splitlines())


def _only_up_to_date(text: str) -> bool:
    """Whether a build tool's word that there is nothing to do is all that was printed, in whatever language."""
    lines = [line for line in map(str.strip, text.splitlines()) if line and not _CHANGES_DIRECTORY.fullmatch(line)]
    if not lines:
        return False
    return all(_UP_TO_DATE.fullmatch(line) for line in lines) or (
        len(lines) == 1 and bool(_MAKE_SAYS.fullmatch(lines[0]))
    )
