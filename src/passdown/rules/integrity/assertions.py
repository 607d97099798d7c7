"""Assertions of a test before and after: which of them say less than they did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from passdown.model.integrity import IntegrityKind as Kind
from passdown.rules.integrity.shapes import NEAR, PARTIAL, Assertion
from passdown.rules.patterns import lazy

_WORD = lazy(r"\w+|\".*?\"")
_BROAD = lazy(
    r"(?:\( |\w+ \. )*(?:Exception|BaseException|Throwable|Error|StandardError)(?: \. class)?(?: , (?:\(|=>|"
    r"async).*| \))*"
)
_LITERAL = lazy(r"(?s)[-+]?\d[\w. ]*|\".*\"|True|False|true|false|None|null|nil|[\[{(].*[\]})]")
_EMPTY = frozenset({"[ ]", "{ }", "( )", '""', "0", "0.0", "set ( )", "list ( )", "dict ( )"})
_LENIENT = lazy(r"ruthy|alsy|Defined|\bok\b|\bassert ?\(|\bexist")
_NOTHING = lazy(r"mpty|\bof \( \)$|\bnew \w+ \[ \]$")
_HEAD = lazy(r"^\w+(?= [.\[])")
_REACH = ("", "conditional", "floating", "swallowed", "unreachable")
_REACHED = {
    "conditional": "counts only under a condition",
    "floating": "is not waited for",
    "swallowed": "its failure is caught",
    "unreachable": "is never reached",
}
_ALIKE = 3.0
_DEFAULT = 1e-6


class Difference(Struct, frozen=True):
    """What became of one assertion; ``removed``: nothing stands in its place."""

    kind: Kind
    rule: str
    was: str
    now: str
    line: int | None
    subject: str = ""


class Around(Struct, frozen=True):
    """What surrounds two readings of one test.

    ``spare``: assertions that stand in helpers that it calls now. ``elsewhere``: keys of assertions that other tests
    got. ``rewritten``: most of its other statements are not what they were. ``gone``: words that the code lost.
    ``rerun``: it runs over more rows than before. ``keys``: of all assertions that it has now. ``kept``: its other
    statements are what they were.
    """

    spare: int = 0
    elsewhere: frozenset[str] = frozenset()
    rewritten: bool = False
    gone: frozenset[str] = frozenset()
    rerun: bool = False
    kept: bool = True
    keys: frozenset[str] = frozenset()


class Compared(Struct, frozen=True):
    """All differences; ``added`` are assertions that no old one became, ``same`` whether nothing else differs."""

    differences: Sequence[Difference]
    added: Sequence[Assertion]
    same: bool


def compare(old: Sequence[Assertion], new: Sequence[Assertion], around: Around) -> Compared:
    """Equal ones first, then those that are alike, then what stands alone."""
    found: list[Difference] = []
    known = {a.key for a in old}
    before, after = [], [*_once([b for b in new if b.key in known]), *(b for b in new if b.key not in known)]
    for a in _once(old):
        twin = next((b for b in after if b.key == a.key), None)
        if twin is None:
            before.append(a)
            continue
        after.remove(twin)
        if _REACH.index(twin.reach) > _REACH.index(a.reach) and not (around.rerun and twin.reach == "conditional"):
            found.append(Difference("weakened", twin.reach, a.text, _reached(twin), twin.line))
    changed = bool(before)
    pairs, before, after = _paired(before, after)
    found += [_difference(a, b) for a, b in pairs]
    came = [*after, *(b for _, b in pairs)]
    found += _removed(before, list(after), around, came)
    return Compared(found, after, not changed and not found)


def _once(asserts: Sequence[Assertion]) -> list[Assertion]:
    """What is said twice at once is said once."""
    return list({(a.key, a.at): a for a in reversed(asserts)}.values())[::-1]


def loose_key(assertion: Assertion) -> str:
    """What it says of whatever the variable is called that it looks at."""
    return _HEAD.sub("_", assertion.subject) + f" {assertion.op} {assertion.expected}"


def _reached(assertion: Assertion) -> str:
    return f"{assertion.text}   ({_REACHED.get(assertion.reach, '')})"


def _paired(
    before: list[Assertion], after: list[Assertion]
) -> tuple[list[tuple[Assertion, Assertion]], list[Assertion], list[Assertion]]:
    """Each old assertion with the new one that is most like it; what stays alone."""
    scored = [(_alike(a, b), i, j) for i, a in enumerate(before) for j, b in enumerate(after)]
    pairs: dict[int, int] = {}
    for score, i, j in sorted(scored, key=lambda s: (-s[0], s[1], s[2])):
        if score >= _ALIKE and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return (
        [(before[i], after[j]) for i, j in sorted(pairs.items())],
        [a for i, a in enumerate(before) if i not in pairs],
        [b for j, b in enumerate(after) if j not in pairs.values()],
    )


def _alike(a: Assertion, b: Assertion) -> float:
    same = 4.0 if a.subject == b.subject else 3.0 * _overlap(a.subject, b.subject)
    one, other = f" {a.subject} ", f" {b.subject} "
    if len(a.subject) > 1 and len(b.subject) > 1 and (one in other or other in one):
        same = max(same, _ALIKE)
    return same + (3.0 if a.expected and a.expected == b.expected else 0.0) + (0.5 if a.op == b.op else 0.0)


def _overlap(one: str, other: str) -> float:
    a, b = set(_WORD.findall(one)), set(_WORD.findall(other))
    return len(a & b) / max(len(a), len(b)) if a and b else 0.0


def _difference(a: Assertion, b: Assertion) -> Difference:
    kind, rule = judged(a, b)
    return Difference(kind, rule, a.text, b.text, b.line)


def judged(a: Assertion, b: Assertion) -> tuple[Kind, str]:
    """What it means that ``a`` became ``b``."""
    if b.op == "raises" and a.op not in ("raises", "no-error", "truthy", "not-none") and b.strength >= NEAR:
        return "expected", "error"
    weaker = _weaker(a, b)
    if weaker:
        return "weakened", weaker
    if a.op != b.op:
        opposite = {("truthy", "falsy"), ("falsy", "truthy"), ("in", "not-in"), ("not-in", "in")}
        return ("expected", "inverted") if (a.op, b.op) in opposite else ("changed", "assertion")
    if a.expected != b.expected and _LITERAL.fullmatch(a.expected) and a.subject == b.subject:
        return "expected", "value"
    if a.op == "raises" and a.expected != b.expected:
        return "expected", "value"
    return "changed", "assertion"


def _weaker(a: Assertion, b: Assertion) -> str:
    """The rule by which ``b`` says less; "": it does not."""
    if b.op == "trivial":
        return "trivial" if a.op != "trivial" else ""
    if b.reach == "unreachable" and a.reach != b.reach:
        return b.reach
    if b.wild > a.wild:
        return "wildcard"
    if a.op == b.op == "raises" and _broader(a.expected, b.expected):
        return "broader"
    if a.op == b.op and _looser(a, b):
        return "tolerance" if a.op == "approx" else "bound"
    return "weaker" if b.strength < a.strength and not _as_good(a, b) else ""


def _as_good(a: Assertion, b: Assertion) -> bool:
    """Helpers say what they say; that a thing is empty can be said in many ways."""
    if "custom" in (a.op, b.op) or "no-error" in (a.op, b.op) or (a.op == "none" and b.op in ("truthy", "falsy")):
        return True
    if a.op in ("truthy", "falsy"):  # nothing says less than that, but to be lenient about it
        lenient = b.op in ("not-none", "either") or (
            b.op in ("truthy", "falsy") and _LENIENT.search(b.text) is not None
        )
        return not lenient
    nothing = a.expected in _EMPTY or a.op == "empty" or _NOTHING.search(a.expected) is not None
    other = b.op == "unequal" or b.op.startswith(("not-", "compare>"))  # that it is anything but nothing
    return nothing and not other and (b.op in ("falsy", "empty") or b.expected in _EMPTY)


def _broader(old: str, new: str) -> bool:
    if old == new or not old:
        return False
    if not new or (_BROAD.fullmatch(new) is not None and _BROAD.fullmatch(old) is None):
        return True
    return new.startswith("(") and set(_WORD.findall(old)) < set(_WORD.findall(new))


def _looser(a: Assertion, b: Assertion) -> bool:
    """A larger tolerance, or a limit that lets more pass."""
    if a.op == "approx":
        return (b.bound if b.bound is not None else _DEFAULT) > (a.bound if a.bound is not None else _DEFAULT)
    if a.bound is None or b.bound is None or a.subject != b.subject:
        return False
    return b.bound > a.bound if "<" in a.op else b.bound < a.bound if ">" in a.op else False


def _removed(
    before: Sequence[Assertion], after: list[Assertion], around: Around, came: Sequence[Assertion]
) -> Iterator[Difference]:
    """Old assertions that nothing is like: another one as strong may stand in their place."""
    spare = around.spare
    for a in sorted(before, key=lambda a: -a.strength):
        if not a.strength:
            continue
        least = min(a.strength, PARTIAL) if a.op in ("truthy", "falsy") else a.strength
        instead = next((b for b in sorted(after, key=lambda b: b.strength) if b.strength >= least), None)
        excuse = _excuse(a, around, came)
        if instead is not None:
            after.remove(instead)
            yield Difference("changed", "restructured", a.text, instead.text, a.line)
        elif excuse:
            yield Difference("changed", excuse, a.text, "", a.line)
        elif spare > 0:
            spare -= 1
            yield Difference("changed", "moved-to-helper", a.text, "", a.line)
        else:
            yield Difference("weakened", "removed", a.text, "", a.line, a.subject)


def _excuse(a: Assertion, around: Around, came: Sequence[Assertion]) -> str:
    """Why a missing assertion is no weaker test; "" where nothing says so."""
    strongest = max((b.strength for b in came), default=0)
    if loose_key(a) in around.elsewhere:
        return "moved"
    if around.rerun and a.key in around.keys:
        return "folded"
    if any(b.subject == a.subject and b.strength > a.strength and not b.reach for b in came):
        return "subsumed"
    if around.gone & set(_WORD.findall(a.key)):
        return "subject-gone"
    if a.op == "fail" and (strongest or not around.kept):
        return "restructured"
    if a.op in ("none", "no-error") and not around.kept:
        return "setup"
    return "rewritten" if (around.rewritten or around.rerun) and strongest >= min(a.strength, NEAR) else ""
