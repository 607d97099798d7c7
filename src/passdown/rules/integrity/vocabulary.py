"""What the names of assertions say in every test library: the operation, and how much it pins down."""

from __future__ import annotations

from passdown.rules.integrity.shapes import EXACT, NEAR, PARTIAL, TRIVIAL, TRUTHY
from passdown.rules.patterns import lazy

_FILLER = lazy(
    r"^(?:assert|require|verify|ensure|expect|should|check|that|to(?!do)|been|be(?!low|fore|tween)|is|has|have)(?=.)"
)
_TABLE = tuple(
    (lazy(pattern), op, strength)
    for pattern, op, strength in (
        (r"(?:.*almostequals?|approx.*|close(?:to)?|allclose|.*close|indelta.*|inepsilon.*|within.*)", "approx", NEAR),
        (r"ne|neq|differs?|differentfrom", "unequal", PARTIAL),
        (r"(?:.*exactly.*|elementsmatch|(?:multiset|items|count)equal|.*inorder\w*)", "equal", EXACT),
        (r"(?:match)?(?:inline|es|file|image|json|yaml|debug|compact)*(?:snapshot.*|screenshot)|golden.*", "equal", EXACT),
        (r"(?:.*called.*with|(?:any|last|nth)call.*|calls?|awaited.*with|nthreturned.*|.*returnedwith)", "called-with", EXACT),
        (r"(?:called|awaited)(?:once|twice|thrice|times|exactly).*|callcount|times|notcalled|nevercalled", "called-count", NEAR),
        (r"called|awaited|returned|interactions|receivedcall.*", "called", TRUTHY),
        (r"(?:did)?(?:raise|throw|reject|panic|warn|deprecated|log)\w*|error|error(?:is|as|contains)|.*throwablewith.*", "raises", NEAR),
        (r"noerror|success|resolves|doesnotthrow.*|nothrow.*", "no-error", EXACT),
        (r"match(?:es)?object|\w*containing|.*contains?subset|.*subset(?:of)?|like|.*partial.*|.*inanyorderpart", "partial", PARTIAL),
        (r"(?:.*(?:contain|include|match|regex|startswith|endswith|substring|hasitem|hasentry|haskey|hasproperty).*)"
         r"|in|oneof|anyof|property|members?|keys?|within|textcontent", "in", PARTIAL),
        (r"(?:less|below|atmost|before|older)\w*|lte?|le", "compare<", PARTIAL),
        (r"(?:greater|above|atleast|after|newer)\w*|gte?|ge", "compare>", PARTIAL),
        (r"positive\w*|negative\w*|between\w*", "compare", PARTIAL),
        (r"(?:size|count|len|length)\w*|lengthof|hassize|size", "size", PARTIAL),
        (r"an?|instance\w*|type\w*|exactlyinstanceof|kindof|assignable\w*|implements", "type", PARTIAL),
        (r"null|none|nil|undefined|nan", "none", EXACT),
        (r"true", "truthy", NEAR),
        (r"false", "falsy", NEAR),
        (r"truthy|ok|defined|exists?|visible|attached|inthedocument|present|present\w*|some|valid|notempty|.*exists",
         "truthy", TRUTHY),
        (r"falsy|falsey|zero|absent", "falsy", TRUTHY),
        (r"empty\w*", "empty", NEAR),
        (r".*(?:equal|equals|equalto|eq|eql|eqs|same|sameas|identical|identity|exactly|value|values|text|html|status\w*)",
         "equal", EXACT),
        (r"(?:deep|strict)*(?:be|is|equal\w*)|calledon|.*equal\w*|.*same\w*", "equal", EXACT),
        (r"fail|failnow|unreachable|todo", "fail", NEAR),
    )
)  # fmt: skip
_NEGATED = {
    "equal": ("unequal", PARTIAL),
    "none": ("not-none", TRUTHY),
    "in": ("not-in", PARTIAL),
    "truthy": ("falsy", TRUTHY),
    "falsy": ("truthy", TRUTHY),
    "empty": ("truthy", TRUTHY),
    "raises": ("no-error", PARTIAL),
    "no-error": ("raises", TRUTHY),
    "called": ("called-count", NEAR),
    "called-count": ("called", TRUTHY),
    "called-with": ("not-called-with", PARTIAL),
}
_OTHER = (("custom", NEAR),)


def assertion(name: str) -> tuple[str, int]:
    """``(op, strength)`` of an assertion by its name; one that no table knows is taken for a near one."""
    word = name.replace("_", "").lower()
    negated = False
    while True:
        found = _FILLER.match(word)
        if found is not None:
            word = word[found.end() :]
        elif word.startswith(("not", "doesnot", "isnot", "never")) and word not in (
            "notcalled",
            "notempty",
            "nevercalled",
        ):
            word = word.removeprefix("does").removeprefix("is").removeprefix("not").removeprefix("never")
            negated = not negated
        else:
            break
    if word in ("is", "be") or (not word and name.endswith(("IsNot", "is_not"))):
        return negation("equal", EXACT) if negated else ("equal", EXACT)
    if word in ("", "assert", "expect", "require", "verify", "check", "that", "to", "should"):
        return ("truthy", TRUTHY) if not negated else ("falsy", TRUTHY)
    op, strength = next(((op, s) for pattern, op, s in _TABLE if pattern.fullmatch(word)), _OTHER[0])
    return negation(op, strength) if negated else (op, strength)


def negation(op: str, strength: int) -> tuple[str, int]:
    """The opposite of an assertion."""
    return _NEGATED.get(op, (f"not-{op}", min(strength, PARTIAL)))


def operator(sign: str) -> tuple[str, int]:
    """``(op, strength)`` of a comparison."""
    if sign in ("==", "===", "is", "eql"):
        return "equal", EXACT
    if sign in ("!=", "!==", "is not", "isnot", "<>"):
        return "unequal", PARTIAL
    if sign in ("in", "not in", "notin", "instanceof"):
        return ("in" if sign == "in" else "not-in"), PARTIAL
    if sign in ("<", "<=", ">", ">="):
        return f"compare{sign}", PARTIAL
    return "truthy", TRUTHY


__all__ = ["EXACT", "NEAR", "PARTIAL", "TRIVIAL", "TRUTHY", "assertion", "negation", "operator"]
