# ruff: noqa: E501 - a pattern reads best on one line
"""One small reader of arguments a tool: whether this call of it is a check, and of which kind."""

from __future__ import annotations

import re
from itertools import pairwise

from passdown.agents.facts.scripts import Reader, first_operand, operands, script_kind, strongest
from passdown.model.session import CheckKind
from passdown.rules.shell_words import Words, program


def always(kind: CheckKind) -> Reader:
    """Every call of the tool is a check."""
    return lambda _words: kind


def verb(table: dict[str, CheckKind], valued: str = "") -> Reader:
    """Kind by the first word that is no option: ``cargo test``, ``go vet``."""
    taking = set(valued.split())

    def read(words: Words) -> CheckKind | None:
        verb = first_operand(words, taking)
        return table.get(verb) if verb else None

    return read


def flag(kind: CheckKind, *flags: str) -> Reader:
    """A formatter is a check only with one of ``flags``."""
    return lambda words: kind if any(w in flags or w.split("=")[0] in flags for w in words[1:]) else None


def targets(valued: str = "", verbs: frozenset[str] = frozenset()) -> Reader:
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


def tsc(words: Words) -> CheckKind | None:
    """The compiler checks types; ``-b`` builds."""
    return (
        None
        if "--watch" in words or "-w" in words
        else ("types" if "--noEmit" in words or "-b" not in words else "build")
    )


def ruff(words: Words) -> CheckKind | None:
    """``check`` lints; ``format`` only with --check."""
    verb = first_operand(words)
    if verb == "format":
        return "lint" if "--check" in words or "--diff" in words else None
    return "lint" if verb == "check" else None


def biome(words: Words) -> CheckKind | None:
    """``lint``, ``check`` and ``ci`` lint; ``format`` where it writes nothing."""
    verb = first_operand(words)
    writes = any(w in {"--write", "--apply", "--fix", "--apply-unsafe"} for w in words)
    if verb in {"lint", "check", "ci"}:
        return "lint"
    return "lint" if verb == "format" and not writes else None


def gradle(words: Words) -> CheckKind | None:
    """The strongest kind among the tasks."""
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


def maven(words: Words) -> CheckKind | None:
    """The phase decides; -DskipTests leaves a build."""
    goals = operands(words, {"-f", "-pl", "-P", "--file", "--projects"})
    skipped = any(w.startswith(("-DskipTests", "-Dmaven.test.skip")) for w in words)
    if any(g in {"test", "verify", "integration-test", "install", "surefire:test", "failsafe:verify"} for g in goals):
        return "build" if skipped else "test"
    if any("checkstyle" in g or "spotless:check" in g or "spotbugs" in g for g in goals):
        return "lint"
    return "build" if any(g in {"compile", "test-compile", "package"} for g in goals) else None


def dotnet(words: Words) -> CheckKind | None:
    """Verbs; asking for a property is no build."""
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


def cmake(words: Words) -> CheckKind | None:
    """Only ``--build`` builds; its target may be the tests."""
    if "--build" not in words:
        return None
    return "test" if {"test", "check", "RUN_TESTS"} & set(_values(words, "--target", "-t")) else "build"


def xcodebuild(words: Words) -> CheckKind | None:
    """Actions; a bare scheme builds."""
    if "test" in words or "test-without-building" in words:
        return "test"
    return "build" if "build" in words or "archive" in words or ("-scheme" in words and "-list" not in words) else None


def mix(words: Words) -> CheckKind | None:
    """Verbs; ``format`` only with --check-formatted."""
    verb = first_operand(words) or ""
    if verb == "format":
        return "lint" if "--check-formatted" in words else None
    table: dict[str, CheckKind] = {"test": "test", "credo": "lint", "dialyzer": "types", "compile": "build"}
    return table.get(verb)


def pre_commit(words: Words) -> CheckKind | None:
    """``run`` lints."""
    return (
        "lint"
        if first_operand(words) == "run" or (program(words[0]) == "prek" and first_operand(words) == "run")
        else None
    )


def bin_rails(words: Words) -> CheckKind | None:
    """``test`` and its parts."""
    verb = first_operand(words) or ""
    return "test" if verb.startswith("test") or verb == "spec" else None


def manage_py(words: Words) -> CheckKind | None:
    """Django: ``test``, ``check``."""
    return "test" if first_operand(words) == "test" else ("other" if first_operand(words) == "check" else None)


def gofmt(words: Words) -> CheckKind | None:
    """Lists or shows differences, writes nothing."""
    return "lint" if "-l" in words or "-d" in words else None


def docs_builder(words: Words) -> CheckKind | None:
    """Every verb but those that serve or scaffold builds."""
    return (
        "build" if first_operand(words) not in {"serve", "init", "new", "gh-deploy", "download", "template"} else None
    )


def tox(words: Words) -> CheckKind | None:
    """The environment or session decides by its name."""
    names = " ".join(words[1:])
    kind = (
        script_kind(re.sub(r".*(?:-e|-s|--session|-t)[= ]?([\w-]+).*", r"\1", names))
        if "-e" in names or "-s" in names
        else None
    )
    return kind or "test"


_CARGO: dict[str, CheckKind] = {
    "test": "test", "t": "test", "nextest": "test", "clippy": "lint", "check": "types", "c": "types", "build": "build", "b": "build",
    "doc": "build", "deny": "lint", "audit": "lint", "llvm-cov": "test", "tarpaulin": "test", "miri": "test", "bench": "test",
}  # fmt: skip


def cargo(words: Words) -> CheckKind | None:
    """Verbs; ``fmt`` only with --check."""
    words = tuple(w for w in words if not w.startswith("+"))
    if first_operand(words) == "fmt":
        return "lint" if "--check" in words else None
    if "--no-run" in words:
        return "build"
    return verb(_CARGO, "--manifest-path -p --package")(words)


def _values(words: Words, *names: str) -> list[str]:
    """The values of an option: ``-t test``, ``--target=test,lint``."""
    found = [after for word, after in pairwise(words) if word in names]
    found += [word.partition("=")[2] for word in words if word.partition("=")[0] in names and "=" in word]
    return [part for value in found for part in value.split(",")]


def unless(reader: Reader, *words_of_another_kind: str) -> Reader:
    """As ``reader`` says, but where the tool was asked to list, print or prepare."""
    return lambda words: None if any(w in words_of_another_kind for w in words[1:]) else reader(words)


def expression(pattern: str) -> Reader:
    """A language's own call, given to its interpreter by ``-e``."""
    return lambda words: "test" if re.search(pattern, " ".join(words[1:])) else None


def node_tests(words: Words) -> CheckKind | None:
    """``node --test``."""
    return "test" if any(w in {"--test", "--test-only"} for w in words[1:]) else None


def ruby(words: Words) -> CheckKind | None:
    """``ruby -Itest test/x_test.rb``."""
    return (
        "test"
        if re.search(r"(?:^|/)(?:test_\w+|\w+_(?:test|spec))\.rb$", first_operand(words, {"-I", "-r"}) or "")
        else None
    )


def go(words: Words) -> CheckKind | None:
    """Verbs; ``test -c`` only builds, ``test -list`` only names."""
    table: dict[str, CheckKind] = {"test": "test", "vet": "lint", "build": "build"}
    kind = verb(table, "-C")(words)
    if kind == "test" and "-c" in words:
        return "build"
    return None if kind == "test" and any(w.startswith(("-list", "--list")) for w in words) else kind


def deno(words: Words) -> CheckKind | None:
    """Verbs and the project's tasks; ``fmt`` only with --check."""
    rest = operands(words, {"-c", "--config"})
    if rest[:1] == ["fmt"]:
        return "lint" if "--check" in words else None
    if rest[:1] == ["task"]:
        return script_kind(rest[1]) if rest[1:] else None
    table: dict[str, CheckKind] = {"test": "test", "lint": "lint", "check": "types"}
    return table.get(rest[0]) if rest else None


def nx(words: Words) -> CheckKind | None:
    """``nx test web``, ``nx run web:test``, ``nx affected -t test lint``."""
    rest = operands(words)
    if rest[:1] in (["affected"], ["run-many"]):
        return strongest([k for v in _values(words, "-t", "--target", "--targets") if (k := script_kind(v))])
    name = rest[1] if rest[:1] == ["run"] and rest[1:] else rest[0] if rest else ""
    return script_kind(name.rpartition(":")[2])


def composer(words: Words) -> CheckKind | None:
    """The project's own scripts; of composer's verbs only ``validate``."""
    rest = operands(words, {"-d", "--working-dir"})
    if rest[:1] in (["run"], ["run-script"]):
        rest = rest[1:]
    if not rest or rest[0] in {"install", "update", "require", "remove", "outdated", "show", "audit", "create-project"}:
        return None
    return script_kind(rest[0])


def hatch(words: Words) -> CheckKind | None:
    """``test``, ``build``, ``fmt --check``, ``run env:script``."""
    rest = operands(words, {"-e", "--env"})
    if rest[:1] == ["run"]:
        return script_kind(rest[1].rpartition(":")[2]) if rest[1:] else None
    if rest[:1] == ["fmt"]:
        return "lint" if "--check" in words or "-l" in words else None
    table: dict[str, CheckKind] = {"test": "test", "build": "build"}
    return table.get(rest[0]) if rest else None


def dart(words: Words) -> CheckKind | None:
    """Verbs; ``format`` only where it would fail."""
    rest = operands(words)
    if rest[:1] == ["format"]:
        return "lint" if "--set-exit-if-changed" in words else None
    table: dict[str, CheckKind] = {"test": "test", "analyze": "lint"}
    return table.get(rest[1] if rest[:1] == ["run"] and rest[1:] else rest[0]) if rest else None


def zig(words: Words) -> CheckKind | None:
    """``test``, ``build test``, ``fmt --check``."""
    rest = operands(words)
    if rest[:1] == ["fmt"]:
        return "lint" if "--check" in words else None
    if rest[:1] == ["build"]:
        return "test" if "test" in rest else "build"
    return "test" if rest[:1] == ["test"] else None


def mill(words: Words) -> CheckKind | None:
    """``mill foo.test``, ``mill __.compile``: the last part of a task's name says what it does."""
    tasks = {word.rsplit(".", 1)[-1] for word in words[1:]}
    if any(word == "test" or ".test" in word for word in words[1:]):
        return "test"
    return "build" if tasks & {"compile", "assembly", "jar"} else None
