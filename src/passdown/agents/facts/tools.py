"""Which programs are checks, and of which kind: one small reader of arguments a tool."""

from __future__ import annotations

import re
from collections.abc import Callable

from passdown.model.session import CheckKind
from passdown.rules.shell import calls
from passdown.rules.shell_words import Words, program, unwrap

Reader = Callable[[Words], CheckKind | None]

_ASKING = {
    "--help", "-h", "--version", "-V", "--collect-only", "--co", "--list", "--list-tests", "--listTests", "--fixtures",
    "--markers", "--showConfig", "--show-config", "--print-config", "--init", "--dry-run", "--list-files", "--show-files",
}  # fmt: skip
_TEST = re.compile(
    r"tests?|spec|specs|e2e|unit|integration|smoke|coverage|vitest|jest|pytest|mocha|playwright|cypress|phpunit|tox|doctest|tck"
)
_LINT = re.compile(
    r"lint\w*|\w+lint|ruff|clippy|style|stylecheck|stylelint|checkstyle|rubocop|flake8|biome|shellcheck|vet|audit"
)
_TYPES = re.compile(r"types?|typecheck|typescript|tsc|mypy|pyright|typing|svelte")
_BUILD = re.compile(r"build|compile|bundle|package|docs?|site|wheel")
_OTHER = re.compile(r"check|checks|ci|verify|validate|validation|precommit|preflight|quality|qa")
_NOT = re.compile(
    r"watch|dev|serve|server|start|install|setup|clean|fix|fmt|format|update|open|ui|debug|deps|release|deploy|publish"
    r"|generate|gen|init|seed|fixtures?|data|down|up|logs?|record|new|create|list|help"
)
_FORMATTERS = re.compile(r"fmt|format|prettier|black|gofmt|style")


def script_kind(name: str) -> CheckKind | None:
    """Kind of a package script, make target or task by its name: ``test:unit``, ``typecheck``, ``check-format``."""
    parts = [p for p in re.split(r"[:_./\\-]+", re.sub(r"([a-z])([A-Z])", r"\1-\2", name).lower()) if p]
    if not parts:
        return None
    checks_format = any(_FORMATTERS.fullmatch(p) for p in parts) and any(
        p in {"check", "verify", "lint", "ci"} for p in parts
    )
    if checks_format:
        return "lint"
    if any(_NOT.fullmatch(p) for p in parts):
        return None
    pairs: tuple[tuple[re.Pattern[str], CheckKind], ...] = (
        (_TYPES, "types"),
        (_LINT, "lint"),
        (_TEST, "test"),
        (_BUILD, "build"),
    )
    for pattern, kind in (*pairs, (_OTHER, "other")):  # type: tuple[re.Pattern[str], CheckKind]
        if any(pattern.fullmatch(p) for p in parts):
            return kind
    return None


def _always(kind: CheckKind) -> Reader:
    return lambda words: kind


def _verb(table: dict[str, CheckKind], valued: str = "") -> Reader:
    """Kind by the first word that is no option: ``cargo test``, ``go vet``."""
    taking = set(valued.split())

    def read(words: Words) -> CheckKind | None:
        verb = first_operand(words, taking)
        return table.get(verb) if verb else None

    return read


def first_operand(words: Words, valued: set[str] | None = None) -> str | None:
    """The first word after the program that is no option (nor the value of one of ``valued``)."""
    rest = operands(words, valued)
    return rest[0] if rest else None


def operands(words: Words, valued: set[str] | None = None) -> list[str]:
    """The words after the program that are no options (nor values of the options in ``valued``)."""
    found, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word.startswith(("-", "+")) and len(word) > 1:
            skip = word in (valued or set())
        elif "=" not in word or "/" in word:
            found.append(word)
    return found


def _flag(kind: CheckKind, *flags: str) -> Reader:
    """A formatter is a check only with one of ``flags``."""
    return lambda words: kind if any(w in flags or w.split("=")[0] in flags for w in words[1:]) else None


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


def _targets(valued: str = "", verbs: frozenset[str] = frozenset()) -> Reader:
    """``make test lint``, ``just check``, ``mise run test``: the strongest kind among the targets."""
    taking = set(valued.split())

    def read(words: Words) -> CheckKind | None:
        rest = operands(words, taking)
        if verbs:
            if not rest or (rest[0] not in verbs and len(rest) > 1):
                return None
            rest = rest[1:2] if rest[0] in verbs else rest[:1]
        kinds = [k for k in (script_kind(r) for r in rest) if k]
        return strongest(kinds)

    return read


_ORDER: tuple[CheckKind, ...] = ("test", "types", "lint", "build", "other")


def strongest(kinds: list[CheckKind]) -> CheckKind | None:
    """The kind that says most about a change."""
    return min(kinds, key=_ORDER.index) if kinds else None


def _tsc(words: Words) -> CheckKind | None:
    return (
        None
        if "--watch" in words or "-w" in words
        else ("types" if "--noEmit" in words or "-b" not in words else "build")
    )


def _ruff(words: Words) -> CheckKind | None:
    verb = first_operand(words)
    if verb == "format":
        return "lint" if "--check" in words or "--diff" in words else None
    return "lint" if verb == "check" else None


def _biome(words: Words) -> CheckKind | None:
    verb = first_operand(words)
    writes = any(w in {"--write", "--apply", "--fix", "--apply-unsafe"} for w in words)
    if verb in {"lint", "check", "ci"}:
        return "lint"
    return "lint" if verb == "format" and not writes else None


def _gradle(words: Words) -> CheckKind | None:
    kinds: list[CheckKind] = []
    for task in operands(words, {"-p", "--tests", "-b", "-c", "--project-dir", "-x", "--exclude-task"}):
        name = task.rsplit(":", 1)[-1]
        if re.search(r"test", name, re.IGNORECASE) or name == "check":
            kinds.append("test")
        elif re.search(r"lint|checkstyle|detekt|spotlessCheck|pmd|spotbugs|ktlintCheck", name, re.IGNORECASE):
            kinds.append("lint")
        elif re.search(r"^(?:assemble|build|compile|jar|classes|bundle|package)", name):
            kinds.append("build")
    return strongest(kinds)


def _maven(words: Words) -> CheckKind | None:
    goals = operands(words, {"-f", "-pl", "-P", "--file", "--projects"})
    skipped = any(w.startswith(("-DskipTests", "-Dmaven.test.skip")) for w in words)
    if any(g in {"test", "verify", "integration-test", "install", "surefire:test", "failsafe:verify"} for g in goals):
        return "build" if skipped else "test"
    if any("checkstyle" in g or "spotless:check" in g or "spotbugs" in g for g in goals):
        return "lint"
    return "build" if any(g in {"compile", "test-compile", "package"} for g in goals) else None


def _dotnet(words: Words) -> CheckKind | None:
    verb = first_operand(words)
    if verb == "format":
        return "lint" if "--verify-no-changes" in words else None
    table: dict[str, CheckKind] = {
        "test": "test",
        "build": "build",
        "publish": "build",
        "vstest": "test",
        "msbuild": "build",
    }
    if any(w.startswith(("-getProperty", "-getItem", "--getProperty")) for w in words):
        return None
    return table.get(verb or "")


def _cmake(words: Words) -> CheckKind | None:
    return "build" if "--build" in words else None


def _xcodebuild(words: Words) -> CheckKind | None:
    if "test" in words or "test-without-building" in words:
        return "test"
    return "build" if "build" in words or "archive" in words or "-scheme" in words and "-list" not in words else None


def _mix(words: Words) -> CheckKind | None:
    verb = first_operand(words) or ""
    if verb == "format":
        return "lint" if "--check-formatted" in words else None
    table: dict[str, CheckKind] = {"test": "test", "credo": "lint", "dialyzer": "types", "compile": "build"}
    return table.get(verb)


def _pre_commit(words: Words) -> CheckKind | None:
    return (
        "lint"
        if first_operand(words) == "run" or program(words[0]) == "prek" and first_operand(words) == "run"
        else None
    )


def _bin_rails(words: Words) -> CheckKind | None:
    verb = first_operand(words) or ""
    return "test" if verb.startswith("test") or verb == "spec" else None


def _manage_py(words: Words) -> CheckKind | None:
    return "test" if first_operand(words) == "test" else ("other" if first_operand(words) == "check" else None)


def _gofmt(words: Words) -> CheckKind | None:
    return "lint" if "-l" in words or "-d" in words else None


def _docs_builder(words: Words) -> CheckKind | None:
    return (
        "build" if first_operand(words) not in {"serve", "init", "new", "gh-deploy", "download", "template"} else None
    )


def _tox(words: Words) -> CheckKind | None:
    names = " ".join(words[1:])
    kind = (
        script_kind(re.sub(r".*(?:-e|-s|--session|-t)[= ]?([\w-]+).*", r"\1", names))
        if "-e" in names or "-s" in names
        else None
    )
    return kind or "test"


_GO: dict[str, CheckKind] = {"test": "test", "vet": "lint", "build": "build"}
_CARGO: dict[str, CheckKind] = {
    "test": "test", "t": "test", "nextest": "test", "clippy": "lint", "check": "types", "c": "types", "build": "build", "b": "build",
    "doc": "build", "deny": "lint", "audit": "lint", "llvm-cov": "test", "tarpaulin": "test", "miri": "test", "bench": "test",
}  # fmt: skip


def _cargo(words: Words) -> CheckKind | None:
    if first_operand(words) == "fmt":
        return "lint" if "--check" in words else None
    return _verb(_CARGO, "--manifest-path -p --package")(words)


TOOLS: dict[str, Reader] = {
    "pytest": _always("test"),
    "py.test": _always("test"),
    "unittest": _always("test"),
    "nose2": _always("test"),
    "doctest": _always("test"),
    "trial": _always("test"),
    "stestr": _verb({"run": "test"}),
    "ward": _always("test"),
    "behave": _always("test"),
    "robot": _always("test"),
    "tox": _tox,
    "nox": _tox,
    "hatch": _targets(verbs=frozenset({"run", "test", "build", "fmt"})),
    "ruff": _ruff,
    "flake8": _always("lint"),
    "pylint": _always("lint"),
    "pycodestyle": _always("lint"),
    "pydocstyle": _always("lint"),
    "bandit": _always("lint"),
    "lint-imports": _always("lint"),
    "vulture": _always("lint"),
    "codespell": _always("lint"),
    "yamllint": _always("lint"),
    "shellcheck": _always("lint"),
    "hadolint": _always("lint"),
    "actionlint": _always("lint"),
    "markdownlint": _always("lint"),
    "markdownlint-cli2": _always("lint"),
    "black": _flag("lint", "--check", "--diff"),
    "isort": _flag("lint", "--check", "--check-only", "-c", "--diff"),
    "mypy": _always("types"),
    "dmypy": _verb({"run": "types", "check": "types"}),
    "pyright": _always("types"),
    "basedpyright": _always("types"),
    "ty": _verb({"check": "types"}),
    "pyre": _verb({"check": "types"}),
    "pyrefly": _verb({"check": "types"}),
    "compileall": _always("build"),
    "py_compile": _always("build"),
    "build": _always("build"),
    "pre-commit": _pre_commit,
    "prek": _pre_commit,
    "lefthook": _verb({"run": "lint"}),
    "lint-staged": _always("lint"),
    "npm": _package_script,
    "pnpm": _package_script,
    "yarn": _package_script,
    "bun": _package_script,
    "deno": _verb({"test": "test", "lint": "lint", "check": "types"}),
    "turbo": _targets(verbs=frozenset({"run"})),
    "nx": _targets(verbs=frozenset({"run", "affected", "run-many"})),
    "vitest": lambda words: None if first_operand(words) in {"watch", "dev", "init", "list"} else "test",
    "jest": lambda words: None if "--watch" in words or "--watchAll" in words else "test",
    "mocha": _always("test"),
    "ava": _always("test"),
    "tap": _always("test"),
    "karma": _verb({"start": "test"}),
    "c8": lambda words: check_kind(words[1:]),
    "nyc": lambda words: check_kind(words[1:]),
    "playwright": _verb({"test": "test"}),
    "cypress": _verb({"run": "test"}),
    "bats": _always("test"),
    "eslint": _always("lint"),
    "oxlint": _always("lint"),
    "standard": _always("lint"),
    "xo": _always("lint"),
    "stylelint": _always("lint"),
    "prettier": _flag("lint", "--check", "-c", "--list-different", "-l"),
    "biome": _biome,
    "@biomejs/biome": _biome,
    "tsc": _tsc,
    "vue-tsc": _tsc,
    "tsgo": _tsc,
    "svelte-check": _always("types"),
    "astro": _verb({"check": "types", "build": "build"}),
    "vite": _verb({"build": "build"}),
    "next": _verb({"build": "build", "lint": "lint"}),
    "nuxt": _verb({"build": "build", "typecheck": "types"}),
    "ng": _verb({"test": "test", "build": "build", "lint": "lint"}),
    "webpack": _always("build"),
    "rollup": _always("build"),
    "tsup": _always("build"),
    "go": _verb(_GO, "-C"),
    "gotestsum": _always("test"),
    "ginkgo": _always("test"),
    "gofmt": _gofmt,
    "goimports": _gofmt,
    "golangci-lint": _verb({"run": "lint"}),
    "staticcheck": _always("lint"),
    "cargo": _cargo,
    "rustc": _always("build"),
    "gradle": _gradle,
    "gradlew": _gradle,
    "mvn": _maven,
    "mvnw": _maven,
    "sbt": _targets(),
    "ant": _targets(),
    "bazel": _verb({"test": "test", "build": "build"}),
    "bazelisk": _verb({"test": "test", "build": "build"}),
    "buck2": _verb({"test": "test", "build": "build"}),
    "pants": _verb({"test": "test", "lint": "lint", "check": "types"}),
    "dotnet": _dotnet,
    "msbuild": _always("build"),
    "rspec": _always("test"),
    "rake": _targets("-f"),
    "rails": _bin_rails,
    "rubocop": _always("lint"),
    "standardrb": _always("lint"),
    "srb": _verb({"tc": "types"}),
    "phpunit": _always("test"),
    "pest": _always("test"),
    "phpstan": _always("types"),
    "psalm": _always("types"),
    "phpcs": _always("lint"),
    "php-cs-fixer": _flag("lint", "--dry-run", "--diff"),
    "pint": _flag("lint", "--test"),
    "artisan": _verb({"test": "test"}),
    "composer": _targets(verbs=frozenset({"run", "run-script", "validate"})),
    "manage.py": _manage_py,
    "ctest": _always("test"),
    "cmake": _cmake,
    "ninja": lambda words: "test" if "test" in words else "build",
    "meson": _verb({"test": "test", "compile": "build"}),
    "make": _targets("-C -f -j -l"),
    "gmake": _targets("-C -f -j -l"),
    "just": _targets("-f -d --justfile --working-directory"),
    "mise": _targets(verbs=frozenset({"run", "r", "tasks"})),
    "task": _targets("-t -d"),
    "invoke": _targets(),
    "inv": _targets(),
    "poe": _targets(),
    "swift": _verb({"test": "test", "build": "build"}),
    "swiftlint": _always("lint"),
    "xcodebuild": _xcodebuild,
    "flutter": _verb({"test": "test", "analyze": "lint", "build": "build"}),
    "dart": _verb({"test": "test", "analyze": "lint"}),
    "mix": _mix,
    "zig": _verb({"test": "test", "build": "build"}),
    "stack": _verb({"test": "test", "build": "build"}),
    "cabal": _verb({"test": "test", "build": "build"}),
    "lein": _verb({"test": "test"}),
    "terraform": _verb({"validate": "other"}),
    "helm": _verb({"lint": "lint"}),
    "buf": _verb({"lint": "lint", "build": "build"}),
    "docfx": _docs_builder,
    "mkdocs": _verb({"build": "build"}),
    "sphinx-build": _always("build"),
    "zensical": _verb({"build": "build"}),
    "mdbook": _verb({"test": "test", "build": "build"}),
    "hugo": lambda words: "build" if first_operand(words) is None else None,
}


def check_kind(words: Words) -> CheckKind | None:
    """Kind of the check that these words run, wrappers looked through; None: no check."""
    bare = unwrap(words)
    if not bare or any(w in _ASKING for w in bare[1:]):
        return None
    name = program(bare[0])
    reader = TOOLS.get(name)
    if reader is not None:
        return reader(bare)
    if name == "python" or re.match(r"python[\d.]*$", name):
        return _python_script(bare)
    return _script_file(bare)


def _python_script(words: Words) -> CheckKind | None:
    script = first_operand(words, {"-W", "-X"})
    if "-c" in words or not script or not script.endswith(".py"):
        return None
    if program(script) == "manage.py":
        return _manage_py(words[words.index(script) :])
    name = program(script)
    if re.match(r"(?:run_?tests?|test_\w+|\w+_tests?|runtests)\.py$", name):
        return "test"
    return None


def _script_file(words: Words) -> CheckKind | None:
    """``./scripts/test.sh``, ``bash run-tests.sh``: a script whose whole name is a check's."""
    target = words[1] if program(words[0]) in {"bash", "sh", "zsh"} and len(words) > 1 else words[0]
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


_MENDING = re.compile(r"(?<![\w-])(?:--fix|--write|--apply|-w|--unsafe-fixes|--auto-?correct(?:-all)?|-[aA])(?![\w-])")


def mends(line: str, kind: CheckKind) -> bool:
    """Whether a command line runs a fixer of that kind (``npm run lint:fix``, ``eslint --fix``, ``cargo fmt``)."""
    if kind not in {"lint", "types", "other"}:
        return False
    for call in calls(line):
        words = unwrap(call.words)
        if not words:
            continue
        rest = " ".join(words[1:])
        formatter = program(words[0]) in {"black", "isort", "prettier", "gofmt", "goimports", "rustfmt"} or words[1:2] in {("fmt",), ("format",)}
        if formatter or (program(words[0]) in TOOLS and (_MENDING.search(rest) or re.search(r"(?:^|[\s:_-])(?:fix|fmt|format)(?:$|[\s:_-])", rest))):
            return True
    return False
