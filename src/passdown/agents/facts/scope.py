"""Whether a check ran over the whole project or over a named part of it."""

from __future__ import annotations

import re

from passdown.agents.facts.scripts import operands, script_kind
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import Words, program

_SELECT = {
    "-k", "-m", "--lf", "--last-failed", "--ff", "-t", "--testNamePattern", "--grep", "-g", "-run",
    "--tests", "--filter", "--test-path-pattern", "--testPathPattern", "--testPathPatterns", "-Dtest", "-Dit.test",
    "--only", "--deselect", "--ignore", "-R", "-L", "--example", "-e", "--test", "--lib", "--bin", "--doc", "--package",
    "-p", "--stepwise", "--changed", "--onlyChanged", "--changedSince", "--findRelatedTests", "--related",
    "-only-testing",
    "--maxfail", "--shard", "--splits", "-pl", "--projects", "--workspace", "-w", "--scope", "-E",
    "--test-name-pattern",
}  # fmt: skip
_VALUED = {
    "-n", "--tb", "--cov", "-c", "--config", "-o", "--timeout", "-timeout", "-p", "-j", "--reporter", "-r",
    "--durations", "-W", "-count", "--project", "--require", "--import", "-s", "--test-dir", "--format", "--features",
    "-x", "--build-dir", "--cov-report", "--junitxml", "--env", "--testTimeout", "--maxWorkers", "-C", "--prefix",
}  # fmt: skip
_FILE = lazy(r"\.(?:py|[cm]?[jt]sx?|go|rs|rb|php|java|kt|cs|swift|exs?|bats|csproj|vue|c|cpp|dart)(?:$|:)|::")
_ROOTS = {
    *(".", "./", "./...", "...", "//...", "all"),
    *("tests", "tests/", "test", "test/", "src", "src/", "spec", "spec/", "./tests", "./test", "./src", "discover"),
}
_BY_NAME = {
    *("npm", "pnpm", "yarn", "bun", "make", "gmake", "just", "mise", "task", "rake", "composer", "gradle", "gradlew"),
    *("turbo", "hatch", "poe"),
}
# Runners that take any further word for a filter: ``jest cart``, ``cargo test adds``, ``unittest tests.test_a``.
_FILTERING = {
    *("jest", "vitest", "mocha", "ava", "playwright", "cypress", "unittest", "rspec", "phpunit", "pest", "deno", "mix"),
    *("cargo", "cross", "rails", "manage.py", "swift", "flutter", "dart", "node", "tsx", "nextest"),
}
_VERBS = {"test", "t", "run", "nextest", "discover", "spec", "ci", "artisan", "test:all"}
_GLOB = lazy(r"(?:^|/)\*[^/]*$")
_ARGUMENTS = lazy(r"(?:\w*(?:TEST|ARGS|FILTER|PATTERN|SUITE|PKG|PACKAGE)\w*|T|K)=.", re.IGNORECASE)
_PART = lazy(
    r":(?!ci$|all$)\w|(?:^|[-_:.])(?:unit|integration|e2e|smoke|fast|quick|slow|func\w*|acceptance)(?:$|[-_:.])"
)


def is_whole(words: Words) -> bool:
    """No file, test name or part is picked: ``pytest``, ``go test ./...``, ``npm test``."""
    if not words:
        return False
    tool = program(words[0])
    if tool.startswith("python") and program(words[-1 if len(words) == 1 else 1]) == "manage.py":
        words, tool = words[1:], "manage.py"
    if tool in {"tox", "nox"}:
        return _whole_environment(words)
    if _selects(tool, words):
        return False
    rest = operands(words, _VALUED)
    if tool in _BY_NAME:
        return _whole_by_name(tool, words, rest)
    if tool == "nx":
        return rest[:1] == ["run-many"]
    if tool in {"go", "gotestsum", "richgo"}:
        return any(w.endswith("...") for w in rest if w in _ROOTS) or (tool == "gotestsum" and not rest)
    if tool in _FILTERING:
        return all(w in _ROOTS or w in _VERBS or _GLOB.search(w) for w in rest)
    return all(w in _ROOTS or (not _FILE.search(w) and "/" not in w) for w in rest)


def picks(words: Words) -> bool:
    """A file or a test's name is picked; a part by its script (``test:integration``) is none."""
    return _selects(program(words[0]), words) or any(_FILE.search(word) for word in operands(words, _VALUED))


def selects(words: Words) -> bool:
    """An option picks tests: ``-k``, ``-run``."""
    return _selects(program(words[0]), words)


def _selects(tool: str, words: Words) -> bool:
    picked = {w.split("=")[0] for w in words[1:]} & _SELECT
    if tool in {"node", "tsx"}:
        picked -= {"--test", "--import", "-e"}
    if tool == "jest" and "-o" in words:
        return True
    if tool == "vitest" and any(w.split("=")[0] == "--project" for w in words):
        return True
    if tool in {"cargo", "cross"}:
        picked -= {"--workspace"}
    if tool in {"make", "gmake"}:
        picked -= {"-w", "-k", "-e", "-t", "-R"}
    if tool in {"mvn", "mvnw"}:
        picked -= {"-e", "-t"}
    return bool(picked) and not (tool in {"pytest", "py.test"} and _marks_only(words))


def _whole_by_name(tool: str, words: Words, rest: list[str]) -> bool:
    """A script or target: what follows it is handed on, and picks."""
    if any(_FILE.search(w) or _ARGUMENTS.match(w) for w in (*rest, *words[1:]) if not w.startswith("-")):
        return False
    if tool in {"gradle", "gradlew"}:
        return not any(_PART.match(w) for w in rest)
    if any(_PART.search(w) for w in rest):
        return False
    names = [w for w in rest if w not in {"run", "run-script", "exec", "tests", "test"}]
    return all(script_kind(w) is not None or w in {"check", "tst", "t"} for w in names)


def _whole_environment(words: Words) -> bool:
    """One Python of several still runs every test: ``tox -e py311``, ``nox -s tests-3.11``."""
    named = re.findall(r"(?:^| )(?:-e|-s|--session|--sessions)[= ]?(\S+)", " ".join(words[1:]))
    asked = [name for group in named for name in group.split(",")]
    if " -- " in " ".join(words) and _FILE.search(" ".join(words)):
        return False
    return all(re.fullmatch(r"py(?:py)?[\d.]*|tests?(?:-[\d.]+)?|ALL", name) for name in asked)


def _marks_only(words: Words) -> bool:
    """``pytest -m "not slow"`` leaves most in; ``-k name`` does not. ``-p`` names a plugin."""
    picked = {w.split("=")[0] for w in words[1:]} & _SELECT
    return picked <= {"-p", "--maxfail"} or (
        picked <= {"-m", "-p", "--maxfail"} and any(w.startswith("not ") for w in words)
    )
