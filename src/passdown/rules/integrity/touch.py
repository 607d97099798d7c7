"""Which changes to tests and settings a check's pass stands on, and what that makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from passdown.model.integrity import IntegrityChange
from passdown.model.packet import PacketCheck
from passdown.rules import command
from passdown.rules.integrity.kinds import EXISTING, OWN, WORST
from passdown.rules.patterns import lazy

TESTS = "tests-changed"
SETTINGS = "settings-loosened"
OWN_TESTS = "self-authored"
UNREAD = "tests-not-compared"
_KINDS = frozenset({"test", "other"})
_JS = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".snap", ".vue", ".svelte")
_READS: dict[str, tuple[str, ...]] = {
    "pytest": (".py", ".ambr"),
    "py.test": (".py", ".ambr"),
    "jest": _JS,
    "vitest": _JS,
    "mocha": _JS,
    "ava": _JS,
    "playwright": _JS,
    "go": (".go",),
    "gotestsum": (".go",),
    "cargo": (".rs", ".snap"),
    "mvn": (".java", ".kt", ".scala", ".groovy"),
    "mvnw": (".java", ".kt", ".scala", ".groovy"),
}
"""The test files that a runner reads; of any other program nobody knows."""
_CODE = lazy(r".+\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|scala|groovy|rb|php|cs|ambr|snap|vue|svelte)")
_TOOL = {
    "lint": lazy(r"(?i).*(?:ruff|eslint|flake8|pylint|biome|clippy|golangci|rubocop|checkstyle|lint|\.rules\.).*"),
    "types": lazy(r"(?i).*(?:mypy|pyright|tsconfig|types|strict).*"),
}


class Touch(Struct, frozen=True):
    """``reasons``: why a pass is not VERIFIED; ``warnings``: what a reader must know, the reasons among them.

    ``accepted``: who accepted all that the reasons speak of; None: not all of it, or there is nothing.
    """

    reasons: Sequence[str] = ()
    warnings: Sequence[str] = ()
    accepted: str | None = None


class Covered(Struct, frozen=True):
    """A check: its kind and command, and whether a path is among its inputs. ``passed``: tests that passed."""

    kind: str
    run: str | list[str]
    is_input: Callable[[str], bool]
    passed: int | None = None


def touch(entries: Iterable[IntegrityChange], check: Covered) -> Touch:
    """Existing tests that changed, settings that nobody accepted, tests of this task's own making."""
    mine = [e for e in entries if check.is_input(e.path)]
    reasons: list[str] = []
    tests = [e for e in mine if e.kind in (*EXISTING, *OWN) and _reads(check, e.path)]
    existing = [e for e in tests if e.kind in EXISTING]
    if existing and check.kind in _KINDS:
        reasons.append(f"{TESTS}: {counted(existing)}")
    loose = [e for e in mine if e.kind == "loosened" and e.accepted is None and _configures(check, e)]
    if loose:
        more = f" and {len(loose) - 1} more" if len(loose) > 1 else ""
        reasons.append(f"{SETTINGS}: {loose[0].path} {loose[0].test or loose[0].now}".rstrip() + more)
    own = [e for e in tests if e.kind == "new"]
    warnings = [*reasons]
    if own and check.kind in _KINDS:
        warnings.append(f"{OWN_TESTS}: {_own(own, check.passed)}")
    seen = [e.accepted for e in existing]
    whole = bool(seen) and not loose and all(seen)
    return Touch(reasons, warnings, ", ".join(sorted({by for by in seen if by})) if whole else None)


def counted(entries: Iterable[IntegrityChange]) -> str:
    """``2 tests weakened, 1 deleted``, the worst first."""
    numbers: Counter[str] = Counter()
    for entry in entries:
        numbers[entry.kind] += entry.count or 1
    one = {"expected": "expected value changed", "regenerated": "file of expected values written anew"}
    many = {"expected": "expected values changed", "regenerated": "files of expected values written anew"}
    found: list[str] = []
    for kind in WORST:
        if numbers[kind]:
            words = one if numbers[kind] == 1 else many
            unit = "" if found or kind in words else f"test{'' if numbers[kind] == 1 else 's'} "
            found.append(f"{numbers[kind]} {unit}{words.get(kind, kind)}")
    return ", ".join(found)


def _own(entries: Sequence[IntegrityChange], passed: int | None) -> str:
    """``211 existing pass, 6 new in this run``; how many existed is said only where it is known."""
    counts = [entry.count for entry in entries]
    if None in counts:
        return "new tests in this run"
    new = sum(count for count in counts if count is not None)
    if passed is None or passed < new:
        return f"{new} new in this run"
    return f"{passed - new} existing pass, {new} new in this run"


def _reads(check: Covered, path: str) -> bool:
    """Whether the check's runner reads this file, as far as its command tells."""
    judged = command.judged(check.run)
    known = [_READS.get(words[0].rpartition("/")[2]) for words in judged if words]
    if not known or None in known or not _CODE.fullmatch(path):
        return True
    suffixes = tuple(suffix for one in known if one for suffix in one)
    operands = [
        w.partition("::")[0].removeprefix("./").rstrip("/") for words in judged for w in words[1:] if _operand(w)
    ]
    return path.endswith(suffixes) and (not operands or any(path == o or path.startswith(f"{o}/") for o in operands))


def _operand(word: str) -> bool:
    return not word.startswith("-") and ("/" in word.strip("/") or word.endswith((".py", "/"))) and "..." not in word


def _configures(check: Covered, entry: IntegrityChange) -> bool:
    """Whether a loosened setting is one of what the check runs."""
    tool = next(
        (kind for kind, pattern in _TOOL.items() if pattern.fullmatch(f"{entry.path} {entry.test} {entry.now}")), "test"
    )
    return check.kind in (tool, "other")


def acceptable(check: PacketCheck) -> bool:
    """Whether it passed on exactly this code and no more stands against it than what a reviewer can accept."""
    return (
        check.result == "PASSED"
        and check.freshness.state == "FRESH"
        and bool(check.not_verified)
        and all(reason.startswith((f"{TESTS}:", f"{SETTINGS}:")) for reason in check.not_verified)
    )
