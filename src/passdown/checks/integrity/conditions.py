"""An expression that must hold, as assertions: the same rules for every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.checks.integrity.dialect import Call, Dialect
from passdown.checks.integrity.source import Source
from passdown.rules.integrity.shapes import NEAR, PARTIAL, TRIVIAL, TRUTHY, Assertion
from passdown.rules.integrity.vocabulary import assertion, negation, operator
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Node

_DEGREES = frozenset({"truthy", "falsy"})
NOTHING = frozenset({"None", "null", "nil", "undefined"})
_TRUE = frozenset({"True", "true", "Boolean . TRUE"})
_FALSE = frozenset({"False", "false", "Boolean . FALSE"})
_LITERAL = lazy(r"""(?s)[-+]?\d[\w.]*|".*"|True|False|true|false|None|null|nil|undefined|(?:\[|\{|\() ?(?:\]|\}|\))""")
_NUMBER = lazy(r"[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WILD = lazy(
    r"\bANY\b|\banything \(|\bexpect \. any\b|\bany[A-Z]?\w* \(|\bmock \. Anything\b|\bgomock \. Any\b"
    r"|\bobjectContaining\b|(?<!\S)/\^?\.[*+]\$?/(?!\S)"
)
_PREDICATES = {
    "isinstance": ("type", PARTIAL),
    "issubclass": ("type", PARTIAL),
    "all": ("in", PARTIAL),
    "any": ("in", PARTIAL),
    "isclose": ("approx", NEAR),
    "allclose": ("approx", NEAR),
    "DeepEqual": ("equal", 5),
    "equals": ("equal", 5),
    "Equal": ("equal", 5),
    "EqualFold": ("equal", 5),
    "HasPrefix": ("in", PARTIAL),
    "HasSuffix": ("in", PARTIAL),
    "Contains": ("in", PARTIAL),
    "contains": ("in", PARTIAL),
    "includes": ("in", PARTIAL),
    "startswith": ("in", PARTIAL),
    "endswith": ("in", PARTIAL),
    "startsWith": ("in", PARTIAL),
    "endsWith": ("in", PARTIAL),
    "starts_with": ("in", PARTIAL),
    "ends_with": ("in", PARTIAL),
    "match": ("in", PARTIAL),
    "search": ("in", PARTIAL),
    "fullmatch": ("in", PARTIAL),
    "Is": ("raises", NEAR),
    "As": ("raises", NEAR),
}
_SIZES = (". length", ". size ( )", ". len ( )", ". count ( )", ". length ( )")


def _sized(said: str) -> bool:
    """Whether it says how many there are."""
    return (said.startswith("len (") and said.count("(") == said.count(")")) or said.endswith(_SIZES)


class Stated(Struct, frozen=True):
    """The statement that asserts: how it is shown and where it stands."""

    text: str
    line: int


def goes_on(handler: str) -> bool:
    """Whether a handler of failures does nothing that could make the test fail after all."""
    said = f" {handler} "
    return not any(f" {word} " in said for word in _MINDS) and not any(
        word in said for word in ("assert", ". set (", ". append (")
    )


_MINDS = ("raise", "throw", "fail", "skip", "xfail", "return", "expect", "done", "reject", "should", "=", "push", "add")


def literal(said: str) -> bool:
    """Whether normalised text is a plain value."""
    return _LITERAL.fullmatch(said) is not None


def number(said: str) -> float | None:
    """The number that normalised text is."""
    said = said.replace(" ", "").replace("_", "")
    return float(said) if _NUMBER.fullmatch(said) else None


def made(stated: Stated, op: str, strength: int, subject: str, expected: str = "") -> Assertion:
    """An assertion; one that compares a thing with itself or a constant with a constant asserts nothing."""
    constant = literal(subject) and (not expected or literal(expected))
    if constant or (expected and subject == expected and op == "equal"):
        op, strength = "trivial", TRIVIAL
    return Assertion(
        key=f"{op}{strength if op in _DEGREES else ''} {subject} | {expected}",
        text=stated.text,
        op=op,
        strength=strength,
        subject=subject,
        expected=expected,
        bound=number(expected) if op.startswith("compare") else None,
        wild=len(_WILD.findall(expected)),
        line=stated.line,
    )


def bounded(found: Assertion, bound: float | None) -> Assertion:
    """The assertion with the tolerance that it allows."""
    return found if bound is None else replace(found, bound=bound, key=f"{found.key} ~ {bound}")


def condition(dialect: Dialect, source: Source, node: Node, stated: Stated, *, holds: bool = True) -> list[Assertion]:
    """What must be true (``holds`` False: must be false) for the test to pass."""
    return list(_condition(dialect, source, node, stated, holds))


def _condition(dialect: Dialect, source: Source, node: Node, stated: Stated, holds: bool) -> Iterator[Assertion]:
    parts = dialect.parts(source, node)
    if parts.kind == "not" and parts.left is not None:
        yield from _condition(dialect, source, parts.left, stated, not holds)
    elif parts.kind in ("and", "or") and parts.left is not None and parts.right is not None:
        both = [*_condition(dialect, source, parts.left, stated, holds)]
        both += _condition(dialect, source, parts.right, stated, holds)
        if (parts.kind == "and") == holds:
            yield from both
        else:
            yield _either(source, node, stated, both)
    elif parts.kind == "binary" and parts.left is not None and parts.right is not None:
        sides = source.said(parts.left), source.said(parts.right)
        elements = _elements(parts.left), _elements(parts.right)
        if parts.sign == "==" and holds and elements[0] and len(elements[0]) == len(elements[1]):
            for left, right in zip(*elements, strict=True):
                yield _binary(stated, (source.said(left), source.said(right)), "==", holds=True)
            return
        yield _binary(stated, sides, parts.sign, holds=holds)
    elif parts.kind == "call" and parts.call is not None:
        yield _predicate(source, node, parts.call, stated, holds=holds)
    else:
        said = source.said(node)
        op, strength = ("truthy", TRUTHY) if holds else ("falsy", TRUTHY)
        yield made(stated, op, strength, said)


def _elements(node: Node) -> list[Node]:
    """Of ``(a, b)`` in Python: ``(a, b) == (1, 2)`` says what two assertions say."""
    return [c for c in node.named_children if c.type != "comment"] if node.type == "tuple" else []


def _either(source: Source, node: Node, stated: Stated, both: list[Assertion]) -> Assertion:
    """One of several suffices: as much as the weakest, and less than each alone."""
    weakest = min(a.strength for a in both)
    return replace(made(stated, "either", min(weakest, PARTIAL), source.said(node)), strength=min(weakest, PARTIAL))


def _binary(stated: Stated, sides: tuple[str, str], sign: str, *, holds: bool) -> Assertion:
    left, right = sides
    if literal(left) and not literal(right) and sign not in ("in", "not in"):
        left, right, sign = right, left, sign.translate(str.maketrans("<>", "><"))
    op, strength = operator(sign)
    if not holds:
        op, strength = ("equal", 5) if op == "unequal" else negation(op, strength)
    if op in ("equal", "unequal"):
        return _compared(stated, op, strength, (left, right))
    if op.startswith("compare") and left.startswith(("abs (", "math . Abs (", "Math . abs (")):
        return bounded(made(stated, "approx", NEAR, left), number(right))
    if op.startswith("not-compare"):
        op = {"<": "compare>=", "<=": "compare>", ">": "compare<=", ">=": "compare<"}[sign]
    return made(stated, op, PARTIAL if "compare" in op else strength, left, right)


def _compared(stated: Stated, op: str, strength: int, sides: tuple[str, str]) -> Assertion:
    left, right = sides
    same = op == "equal"
    if right in NOTHING:
        return made(stated, "none" if same else "not-none", 5 if same else TRUTHY, left)
    if right in _TRUE | _FALSE and not literal(left):
        return made(stated, "truthy" if (right in _TRUE) == same else "falsy", TRUTHY, left)
    if "approx (" in right or "approx (" in left:
        return bounded(made(stated, "approx", NEAR, left, right), tolerance(right if "approx" in right else left))
    if same and _sized(left):
        return made(stated, "size", PARTIAL, left, right)
    return made(stated, op, strength, left, right)


def _predicate(source: Source, node: Node, call: Call, stated: Stated, *, holds: bool) -> Assertion:
    """``isinstance(x, T)``, ``text.startswith(y)``, ``reflect.DeepEqual(a, b)``; any other call is as true or not."""
    said = [source.said(argument) for argument in call.arguments]
    on = source.said(call.on) if call.on is not None else ""
    found = _PREDICATES.get(call.name)
    if found is None and call.name.startswith(("is_", "is", "has")) and call.on is not None:
        found = {"is_none": ("none", 5), "isEmpty": ("empty", NEAR), "is_empty": ("empty", NEAR)}.get(call.name)
    if found is None:
        return made(stated, "truthy" if holds else "falsy", TRUTHY, source.said(node))
    op, strength = found if holds else negation(*found)
    method = len(said) == 1 and on and call.name not in ("Is", "As")
    subject, expected = (on, said[0]) if method else (said[0] if said else on, " , ".join(said[1:]))
    return bounded(made(stated, op, strength, subject, expected), tolerance(expected) if op == "approx" else None)


def tolerance(said: str) -> float | None:
    """The largest tolerance that normalised arguments name: ``rel = 0.1``, ``delta : 0.5``, ``places = 3``."""
    found = [number(m[2]) for m in _TOLERANCE.finditer(said)]
    places = [10.0 ** -int(m[1]) for m in _PLACES.finditer(said)]
    return max([value for value in found if value is not None] + places, default=None)


_TOLERANCE = lazy(r"\b(rel|abs|delta|atol|rtol|rel_tol|abs_tol|tolerance|eps|epsilon)\s*[=:]\s*([-+\d.eE_]+)")
_PLACES = lazy(r"\b(?:places|decimal|decimals)\s*[=:]\s*(\d+)")


def spoken(dialect: Dialect, source: Source, found: Assertion, subject: Node, stated: Stated) -> list[Assertion]:
    """``expect(a === b).toBe(true)`` says that a equals b."""
    if found.op not in ("truthy", "falsy") or dialect.parts(source, subject).kind == "other":
        return [found]
    told = condition(dialect, source, subject, stated, holds=found.op == "truthy")
    return [found] if [a.op for a in told] in (["truthy"], ["falsy"]) else told


def named(
    source: Source, call: Call, stated: Stated, *, name: str | None = None, subject: str | None = None
) -> Assertion:
    """A call that asserts by its name; ``subject`` None: the first argument is it."""
    op, strength = assertion(name or call.name)
    said = [source.said(argument) for argument in call.arguments]
    if subject is None:
        subject, said = (said[0], said[1:]) if said else (source.said(call.on) if call.on is not None else "", [])
    expected = " , ".join(said)
    bound = None
    if op == "approx":
        bound = tolerance(expected)
        if bound is None and len(said) > 1:
            bound = number(said[1])
            bound = 10.0**-bound if bound is not None and "lose" in (name or call.name) else bound
    if op == "equal" and expected in _TRUE | _FALSE:
        return made(stated, "truthy" if expected in _TRUE else "falsy", NEAR, subject)
    if op == "equal" and (_sized(subject) or _sized(expected)) and len(said) == 1:
        op, strength = "size", PARTIAL
        if _sized(expected):
            subject, expected = expected, subject
    found = made(stated, op, strength, subject, expected)
    return bounded(found, bound)
