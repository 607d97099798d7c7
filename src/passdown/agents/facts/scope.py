"""Whether a check ran over the whole project or over a named part of it."""

from __future__ import annotations

import re

from passdown.agents.facts.scripts import operands
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import Words, program

_SELECT = {
    "-k", "-m", "--lf", "--last-failed", "--ff", "-t", "--testNamePattern", "--grep", "-g", "-run", "--run",
    "--tests", "--filter", "--test-path-pattern", "--testPathPattern", "-Dtest", "--only", "--deselect",
    "--ignore", "-R", "--example", "-e", "--test", "--lib", "--bin", "--doc", "--package", "-p", "--stepwise",
    "--changed", "--onlyChanged", "-only-testing", "--maxfail",
}  # fmt: skip
_VALUED = {
    "-n",
    "--tb",
    "--cov",
    "-c",
    "--config",
    "-o",
    "--timeout",
    "-p",
    "-j",
    "--reporter",
    "-r",
    "--durations",
    "-W",
    "-count",
    "--project",
}
_FILE = lazy(r"\.(?:py|[cm]?[jt]sx?|go|rs|rb|php|java|kt|cs|swift|exs?|bats|csproj|vue|c|cpp)(?:$|:)|::")
_ROOTS = {
    ".",
    "./",
    "./...",
    "tests",
    "tests/",
    "test",
    "test/",
    "src",
    "src/",
    "all",
    "...",
    "spec",
    "spec/",
    "./tests",
    "./src",
}
_BY_NAME = {
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "make",
    "just",
    "mise",
    "task",
    "tox",
    "nox",
    "rake",
    "composer",
    "gradle",
    "gradlew",
    "turbo",
}


def is_whole(words: Words) -> bool:
    """No file, test name or part is picked: ``pytest``, ``go test ./...``, ``npm test``."""
    if not words:
        return False
    tool = program(words[0])
    if any(w.split("=")[0] in _SELECT for w in words[1:]):
        return tool in {"pytest", "py.test"} and _marks_only(words)
    rest = operands(words, _VALUED)
    if tool in _BY_NAME:
        return not any(_FILE.search(w) for w in rest) and not any(
            re.search(r":(?!ci$|all$)\w", w) for w in rest if tool != "gradlew"
        )
    return all(w in _ROOTS or (not _FILE.search(w) and "/" not in w) for w in rest)


def _marks_only(words: Words) -> bool:
    """``pytest -m "not slow"`` leaves most in; ``-k name`` does not. ``-p`` names a plugin."""
    picked = {w.split("=")[0] for w in words[1:]} & _SELECT
    return picked <= {"-p", "--maxfail"} or (
        picked <= {"-m", "-p", "--maxfail"} and any(w.startswith("not ") for w in words)
    )
