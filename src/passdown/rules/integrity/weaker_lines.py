"""Of two lines that assert: whether the later says less, by the words that each test library has for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passdown.rules.integrity.shapes import EXACT, NEAR, PARTIAL, TRUTHY
from passdown.rules.integrity.vocabulary import assertion
from passdown.rules.patterns import lazy

_SPOKEN = lazy(
    r"\.(?P<spec>to|not_to|to_not)\s+(?P<matcher>\w+)|(?P<infix>\bshould(?:Not)?[A-Z]\w*)|(?P<fluent>\.[Ss]hould\(\)\.\w+)"
    r"|\b(?:Assert|XCTAssert|Expect)\.?(?P<member>\w+)|\b(?:self\.|this->|::)?(?P<call>assert_?\w+|refute\w*|expectException)"
)
_ARGUMENTS = lazy(r"[(\s<]\s*(.*?)\)?;?$")
_BROAD = lazy(r"\\?\b(?:Exception|Throwable|StandardError|BaseException|Error|RuntimeException)\b(?!\w)")
_TESTED = lazy(r"^(?:run )?(?:\[\[?|test)\s+(.*)")
_EXACT = lazy(r"\s(?:=|==|-eq)\s")
_PART = lazy(r"\s(?:!=|=~|-ne|-gt|-lt|-ge|-le)\s")
_WORD = lazy(r"\w+")
_ALIKE = 0.3
_SHELL = (".sh", ".bash", ".bats", ".zsh")
_IGNORES = lazy(r"\|\|\s*(?:true|:)\s*$|^set \+e\b|^trap .*\bexit 0\b|^exit 0\b")
_CAUGHT = lazy(
    r"^(?:} ?)?(?:rescue|catch)\b.*\b(?:ExpectationNotMetError|Minitest::Assertion|AssertionFailedError|AssertionError|"
    r"ExpectationFailedException|XunitException|AssertFailedException|AssertionException)\b"
)
_MINDS = lazy(r"^exit [1-9]|^set -\w*e|^return [1-9]")


def weaker(path: str, lost: Sequence[str], got: Sequence[str]) -> tuple[str, str] | None:
    """``(was, now)`` of the first assertion in whose place stands one that says less."""
    left = list(got)
    for line in lost:
        strength = _strength(path, line)
        near = max(left, key=lambda other: _alike(line, other), default="")
        if strength is None or not near or _alike(line, near) < _ALIKE:
            continue
        left.remove(near)
        now = _strength(path, near)
        if now is not None and now < strength:
            return line, near
        if now == strength and "xception" in line + near and _broader(line, near):
            return line, near
    return None


def unheeded(path: str, gone: Sequence[str], came: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Lines by which a shell script fails no more, or that catch a failed assertion."""
    yield from (("", line) for line in came if _CAUGHT.search(line))
    if not path.endswith(_SHELL):
        return
    lost = [line for line in gone if _MINDS.search(line)]
    for line in came:
        if _IGNORES.search(line) and (not line.startswith("exit") or lost):
            yield (lost[0] if lost else ""), line
            return
    strict = [line for line in lost if line.startswith("set ")]
    if strict and not any(line.startswith("set -") and "e" in line.split()[1] for line in came):
        yield strict[0], ""


def asserts_in_shell(path: str, line: str) -> bool:
    """Whether a line of a shell script tests something by itself."""
    return path.endswith(_SHELL) and _TESTED.search(line) is not None


def _alike(one: str, other: str) -> float:
    a, b = set(_WORD.findall(one)), set(_WORD.findall(other))
    return len(a & b) / len(a | b) if a and b else 0.0


def _broader(old: str, new: str) -> bool:
    return _BROAD.search(new) is not None and _BROAD.search(old) is None


def _strength(path: str, line: str) -> float | None:
    """How much it pins down; None: no words that are known."""
    if path.endswith(_SHELL):
        tested = _TESTED.search(line)
        if tested is None:
            return None
        said = f" {tested[1]} "
        return EXACT if _EXACT.search(said) else PARTIAL if _PART.search(said) else TRUTHY
    found = _SPOKEN.search(line)
    if found is None:
        return None
    name = found["matcher"] or found["infix"] or found["fluent"] or found["member"] or found["call"] or ""
    name = name.replace(".Should().", "").replace(".should().", "")
    if name == "expectException":
        return NEAR
    op, strength = assertion(f"not_{name}" if found["spec"] in ("not_to", "to_not") else name)
    rest = line[found.end() :].strip()
    if op in ("unequal", "not-equal") and rest.startswith("null"):
        op, strength = "not-none", TRUTHY
    if op == "custom":
        return None
    more = 0.5 if op == "raises" and _ARGUMENTS.search(f" {rest}") and rest.strip("(); ") else 0.0
    return strength + more
