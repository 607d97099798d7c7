"""Configuration of tests, linters, type checkers and coverage before and after: what lets more pass now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from passdown.rules.integrity.shapes import Finding
from passdown.rules.patterns import lazy

Value = str | float | bool | None | Sequence[str]
"""A setting: lists as their elements' texts."""

_AT_LEAST = lazy(r"(?i).*(?:fail[_-]?under|threshold[\w.]*\.(?:global\.)?(?:lines|branches|functions|statements)|"
                 r"coverage\.(?:lines|branches|functions|statements|minimum)|min[\w-]*coverage|"
                 r"check-coverage\.\w+|(?:^|\.)(?:target|minimum|WarningLevel)|parameters\.level)")  # fmt: skip
_AT_MOST = lazy(r"(?i).*(?:max[_-]?(?:complexity|args|line[\w-]*|warnings|branches|statements|returns|locals|"
    r"lines[\w-]*)|"
                r"retries|reruns|timeout|testTimeout|flaky[\w-]*|maxDiff\w+|maxFailures|"
                r"errorLevel|(?:^|\.)(?:max|threshold))")  # fmt: skip
_EXCEPT = lazy(
    r"(?i).*(?:(?:^|[._-])ignore[\w-]*(?:\..+)?|per[_-]file[_-]ignores\..+|(?:^|[._-])(?:extend-)?exclude[\w-]*|"
    r"(?:^|\.)omit|"
    r"(?:^|\.)disable(?:d)?(?:[_-]error[_-]code)?|\w*IgnorePatterns|norecursedirs|deselect|unfixable-not|"
    r"skip_?covered|"
    r"unselect|collect_ignore\w*|excludes?|ignores?|\w*\.?exclusions?|disabled_rules|NoWarn|WarningsNotAsErrors|"
    r"grepInvert|all\.disable)"
)
_ONLY = lazy(
    r"(?i).*(?:(?:^|[._-])(?:extend-)?select|(?:^|\.)enable(?:d)?(?:[_-]error[_-]code)?|testpaths|testMatch|"
    r"testRegex|"
    r"(?:^|\.)roots|python_(?:files|classes|functions)|(?:mypy|pyright|coverage[\w.]*|test|tsconfig)\.(?:files|"
    r"include|source)|"
    r"(?:^|\.)include)"
)
_STRICT = lazy(
    r"(?i).*(?:\bstrict\w*|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|xfail_strict|no(?:Implicit|"
    r"Unused|Unchecked|"
    r"FallthroughCases|PropertyAccess)\w*|exactOptional\w*|alwaysStrict|errorOn\w+|failOn\w+|fail_on\w+|forbidOnly|"
    r"branch|check-coverage|noEmitOnError|all_features|(?:Treat)?WarningsAsErrors|EnforceCodeStyleInBuild|"
    r"EnableNETAnalyzers|RunAnalyzers\w*|(?:^|\.)(?:Enabled|active))"
)
_LAX = lazy(
    r"(?i).*(?:allow\w*|ignore_(?:missing_imports|errors)|follow_imports_skip|skipLibCheck|passWithNoTests|"
    r"suppress\w*|"
    r"ignore_outcome|informational|testFailureIgnore|skipTests|maven\.test\.skip|ignoreFailures|dangerouslyIgnore\w*|continue-on-error|"
    r"implicit_reexport)"
)
_RULE = lazy(
    r"(?i).*(?:rules\.[\w@/.-]+|lints\.\w+\.[\w-]+(?:\.level)?|overrides\.\d+\.rules\.[\w@/.-]+|report\w+|[\w@/.-]+\.severity|"
    r"(?:.*\.)?typeCheckingMode|(?:linter|css|json)\.rules\.[\w./-]+|Nullable)"
)
_SEVERITY = {
    "off": 0, "0": 0, "none": 0, "allow": 0, "false": 0, "warn": 1, "1": 1, "warning": 1, "information": 1,
    "error": 2, "2": 2, "deny": 2, "forbid": 3, "true": 2, "silent": 0, "suggestion": 1, "info": 1, "basic": 1,
    "standard": 2, "recommended": 2, "strict": 3, "disable": 0, "enable": 2,
}  # fmt: skip
_BY_DEFAULT = lazy(r"autotests|(?:lib|test\.\d+|test)\.(?:test|doctest|harness)|.*\.(?:Enabled|active)|.*IsTestProject")
"""What is on where nothing says otherwise."""
_OPTIONS = lazy(r"(?i).*(?:addopts|scripts\.[\w:-]*(?:test|lint|check|type|cov)[\w:-]*|commands?|args|flags|.*\.run)")
_LOOSE_OPTION = lazy(
    r"(?:^|\s)(?:-k|(?<!python )(?<!python3 )-m|-t|--testNamePattern\S*|--grep\S*|--onlyChanged|--changed\S*|"
    r"--lf|--last-failed|--tag|--filter\S*|--deselect\S*|--ignore\S*|--no-cov\S*|--reruns?\S*|"
    r"-p no:\S+|--passWithNoTests|--no-strict\S*|"
    r"--testPathIgnorePatterns\S*|--exclude\S*|--skip\S*|--retry\S*|--retries\S*|--exit-zero|--allow\S*|"
    r"--ignore-\S+)(?=\s|$|=)"
    r"|(?:^|\n)\s*-\s+(?=\w)|\|\|\s*(?:true|:|exit 0|echo|printf)|;\s*(?:true|exit 0)\b|--max-warnings"
)
_STRICT_OPTION = lazy(
    r"(?:^|\s)(?:--strict\S*|-W\s*error\S*|-D\s*warnings|--cov-fail-under\S*|--max-warnings[= ]0|--forbid-only|"
    r"--fail\S*|--race|"
    r"-race|--check-coverage|--ci|--locked|--runInBand|-Werror|--error-on-warnings)(?=\s|$|=)"
)
_WARNINGS = lazy(r"(?i).*filterwarnings")
_LINE = lazy(
    r"continue-on-error:\s*true|allow_failure:\s*true|if:\s*(?:false|\$\{\{\s*false\s*\}\})|\|\|\s*(?:true|:|"
    r"exit 0|(?:echo|printf)\b.*)\s*$|success_codes\s*=|stages:\s*\[?\s*manual|^--tag\s+~|\bDISABLED\s+(?:TRUE|ON|1)\b|"
    r"\bexcludeTags\b|\bexcludeCategories\b|"
    r"--passWithNoTests|--exit-zero|set \+e\b|-DskipTests|-Dmaven\.test\.skip|testFailureIgnore>\s*true|"
    r"ignoreFailures\s*=\s*true|"
    r"\bpassWithNoTests:\s*true|\b(?:bail|forbidOnly|strict\w*|typecheck):\s*false|"
    r"['\"][\w@/-]+['\"]:\s*\[?['\"]?(?:off|warn|0|1)\b|"
    r"\bretries?:\s*[1-9]|(?:exclude|\w*[iI]gnore\w*(?:Patterns)?)\s*:\s*\[.*['\"]|\bexclude\s*\{|"
    r"^\s*-\s+(?:skip|exclude)\b|^\s*Enabled:\s*false"
)
_CONFTEST = lazy(
    r"def pytest_(?:collection_modifyitems|ignore_collect|runtest_\w+|pycollect_\w+|collect_file|collectstart|"
    r"deselected|"
    r"report_teststatus|pyfunc_call|exception_interact|sessionfinish)\b|^\s*collect_ignore(?:_glob)?\s*[+=]|"
    r"autouse\s*=\s*True"
)


def loosened(path: str, old: Mapping[str, Value], new: Mapping[str, Value]) -> Iterator[Finding]:
    """Settings by their dotted names: the ones that let more pass than before."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        rule = _rule(name, before, after) if before != after else ""
        if rule:
            yield Finding(path, "loosened", rule, name, _told(before, after), _told(after, before))


def by_lines(path: str) -> bool:
    """Whether its lines say what its settings do not."""
    return not path.endswith((".json", ".jsonc", ".toml", ".cfg", ".ini", "rc", ".editorconfig"))


def _rule(name: str, old: Value, new: Value) -> str:
    """The rule by which the setting was loosened; "": it was not."""
    if _WARNINGS.fullmatch(name):
        return "warnings" if _warnings(old, new) else ""
    if _OPTIONS.fullmatch(name):
        return "options" if _options(_text(old), _text(new)) else ""
    number = isinstance(old, int | float) and isinstance(new, int | float) and not isinstance(old, bool)
    if _AT_LEAST.fullmatch(name) and old is not None:
        return "threshold" if new is None or (number and float(new) < float(old)) else ""  # type: ignore[arg-type] # numbers
    if _AT_MOST.fullmatch(name) and number:
        return "limit" if float(new) > float(old) else ""  # type: ignore[arg-type] # numbers
    if _RULE.fullmatch(name) and _severity(old) is not None and _severity(new) is not None:
        return "rule" if _severity(new) < _severity(old) else ""  # type: ignore[operator] # both known
    if _RULE.fullmatch(name) and old is None and _severity(new) == 0:
        return "rule"
    if _EXCEPT.fullmatch(name) and _list(new):
        return "ignores" if Counter(_list(new)) - Counter(_list(old)) else ""
    if _ONLY.fullmatch(name) and _list(old):
        return "narrowed" if new is not None and Counter(_list(old)) - Counter(_list(new)) else ""
    return _switched(name, old, new)


def _switched(name: str, old: Value, new: Value) -> str:
    if (_STRICT.fullmatch(name) and _true(old) and not _true(new)) or (
        _BY_DEFAULT.fullmatch(name) and old is None and new is False
    ):
        return "strictness"
    return "strictness" if _LAX.fullmatch(name) and _true(new) and not _true(old) else ""


def _true(value: Value) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in ("true", "1", "yes", "error", "*"))


def _list(value: Value) -> list[str]:
    if value is None or isinstance(value, bool | int | float):
        return []
    return value.replace(",", " ").split() if isinstance(value, str) else list(value)


def _text(value: Value) -> str:
    return value if isinstance(value, str) else " ".join(_list(value))


def _severity(value: Value) -> int | None:
    first = (
        value if isinstance(value, str | int | float | bool) else (list(value) or [""])[0] if value is not None else ""
    )
    return _SEVERITY.get(str(first).removesuffix(".0").strip("\"'").lower())


def _options(old: str, new: str) -> bool:
    loose = Counter(m[0].strip() for m in _LOOSE_OPTION.finditer(new))
    loose -= Counter(m[0].strip() for m in _LOOSE_OPTION.finditer(old))
    strict = Counter(m[0].strip() for m in _STRICT_OPTION.finditer(old))
    strict -= Counter(m[0].strip() for m in _STRICT_OPTION.finditer(new))
    return bool(loose) or (bool(strict) and bool(new))


def _warnings(old: Value, new: Value) -> bool:
    before, after = _lines_of(old), _lines_of(new)
    lost = any(line.startswith("error") for line in before - after)
    return lost or any(line.startswith(("ignore", "default")) for line in after - before)


def _lines_of(value: Value) -> set[str]:
    lines = (
        value.splitlines()
        if isinstance(value, str)
        else list(value or [])
        if not isinstance(value, bool | int | float)
        else []
    )
    return {line.strip().strip("\"'") for line in lines if line.strip()}


def _told(value: Value, other: Value) -> str:
    """The value; of a list only what the other side lacks."""
    if value is None:
        return ""
    if isinstance(value, str | bool | int | float):
        return str(value)[:160]
    lacking = [item for item in value if item not in (_list(other))]
    return ", ".join(lacking)[:160]


def loosened_lines(path: str, old: str, new: str) -> Iterator[Finding]:
    """Configuration that is program or text: lines that came in and let more pass, tools that are run no more."""
    before, after = _lines(old), _lines(new)
    name = path.rpartition("/")[2]
    pattern = _CONFTEST if name == "conftest.py" else _ALL if name.endswith("ignore") else _LINE
    rule = "conftest" if name == "conftest.py" else "line"
    dashed = name.lower().endswith(("makefile", ".mk"))
    for line in after - before:
        unheeded = dashed and line.startswith("-") and line[1:].lstrip("@ ") in {was.lstrip("@ ") for was in before}
        if (pattern.search(line) or unheeded) and not line.lstrip().startswith(("#", "//", "*")):
            yield Finding(path, "loosened", rule, "", "", line[:160])
    if path.endswith((".yml", ".yaml")):
        yield from _run_no_more(path, old, new)


def _run_no_more(path: str, old: str, new: str) -> Iterator[Finding]:
    """Tools that check, and are gone without another in their place."""
    before, after = _tools(old), _tools(new)
    if before - after and not after - before and new:
        yield Finding(path, "loosened", "gone", ", ".join(sorted(before - after)), "", "run no more")


def _tools(text: str) -> set[str]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return {tool[0] for line in lines for tool in _TOOLS.finditer(line)}


_TOOLS = lazy(
    r"(?<![\w./-])(?:pytest|unittest|tox|nox|mypy|pyright|ruff|flake8|pylint|bandit|jest|vitest|mocha|playwright|cypress|"
    r"eslint|tsc|biome|stylelint|golangci-lint|staticcheck|gotestsum|clippy|nextest|phpunit|phpstan|psalm|rubocop|rspec|"
    r"shellcheck|checkstyle|spotbugs|detekt|ktlint|go (?:test|vet)|cargo (?:test|check)|mvn|gradlew?|"
    r"dotnet (?:test|build)|"
    r"make [\w-]+|just [\w-]+|task [\w-]+|npm (?:test|run [\w:-]+)|yarn [\w:-]+|pnpm [\w:-]+|"
    r"hatch|poe|invoke|bats)(?![\w-])"
)
_ALL = lazy(r"\S")


def _lines(text: str) -> Counter[str]:
    return Counter(line for raw in text.splitlines() if (line := " ".join(raw.split())))
