"""Which places the person's words close as a whole: "don't touch migrations" does, "keep client.py's API" does not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passdown.rules.patterns import lazy

_CLAUSE = lazy(
    r"[;\n!?\u2014]|\.(?=\s|$)|,?\s+\bbut\b|,\s*(?=(?:and\s+)?(?:keep|make|add|use|fix|leave|don|do not|never)\b)"
)
_ACT = (
    r"(?:touch|chang|modif|edit|alter|delet|remov|rewrit|renam|overwrit|mov|refactor|reformat|revert|reset|mess|writ|make\s+(?:any\s+)?(?:changes|edits|modifications)\s+(?:to|in|under)\b)"
    r"\w*"
)
_BEFORE = lazy(
    rf"\b(?:do\s+not|don['\u2019]?t|never|must\s+not|mustn['\u2019]?t|not\s+to)(?:,?\s+i\s+repeat\b[^.;]{{0,12}},)?\s+(?:(?!make\b)\w+\s+)?{_ACT}"
    rf"|\bwithout\s+{_ACT}|\bhands\s+off"
    rf"|\b(?:avoid|refrain\s+from)\s+{_ACT}|\bnot\s+allowed\s+to\s+{_ACT}|\byou\s+did(?:n['\u2019]t|\s+not)\s+{_ACT}"
    r"|\b(?:steer|stay)\s+clear\s+of|\b(?:nothing|none|no\s+files?)\b(?=.*\bbe\s+\w+ed\b)"
    r"|\bstay\s+(?:away\s+from|out\s+of)|\bno\s+(?:changes|edits)\s+(?:to|in)|\bleave\b|\bkeep\b",
    re.IGNORECASE,
)
_WHOLE = lazy(
    r"\b(?:alone|untouched|unchanged|unmodified|intact|as[- ]?(?:it|they)?\s*(?:is|are)"
    r"|off[- ]limits|frozen|read[- ]only"
    r"|(?:must|should|may|can)(?:\s*not|n['\u2019]t)\s+be\s+\w+)\b",
    re.IGNORECASE,
)
_FREES = lazy(
    r"\b(?:is|are|it['\u2019]?s)\s+(?:(?:now|also|still)\s+)?(?:fine|ok(?:ay)?|allowed|free|open)\b|\b(?:can|may)\s+(?:be\s+)?(?:chang|edit|modif|touch)\w*"
    r"|\bfair\s+game\b|\bfeel\s+free\b",
    re.IGNORECASE,
)
_NEGATION = lazy(
    r"\b(?:nichts?|nie(?:mals)?|keine?\w?|finger|lass\w*|ohne|pas|rien|jamais|sans|laiss\w*|no|nada|nunca|sin|deja\w*|non|senza|n\u00e3o|sem|niet|blijf"
    r"|nie|\u043d\u0435)\b|[\u4e0d\u52ff\u522b\u7981\ub9c8\ub9d0]|\u306a",
    re.IGNORECASE,
)
_COMMA = lazy(r",\s+")
_LEAVE = lazy(r"\b(?:leave|keep)\b", re.IGNORECASE)
_PART = lazy(r"\b(?:of|in|from|inside|within|for)\s+(?:the\s+)?[`'\"]?$", re.IGNORECASE)
_ALL_OF = lazy(
    r"\b(?:clear|out|away|anything|everything|nothing|none|any\s+(?:files?|code)|(?:the\s+)?(?:files?|code|contents?)|(?:changes|edits|modifications)|all)\s+(?:of|in|from|inside|within)\s+"
    r"(?:the\s+)?[`'\"]?$",
    re.IGNORECASE,
)
_EXCEPT = lazy(
    r"\b(?:outside|except|besides|other\s+than|apart\s+from|beyond|fuera\s+de|en\s+dehors\s+de|sauf|salvo|excepto|au\u00dfer(?:halb)?(?:\s+(?:von|in))?)"
    r"\s+(?:of\s+)?(?:for\s+)?(?:in\s+)?(?:the\s+)?[`'\"]?$|\u9664\u4e86?\s*[`'\"]?$",
    re.IGNORECASE,
)
_EXCEPT_BEHIND = lazy(r"[`'\"]?\s*(?:\u4ee5\u5916|\u4e4b\u5916)")
_ONLY = lazy(
    r"\bonly\s+(?:ever\s+)?(?:touch|change|modify|edit|work|write)\b|\b(?:restrict|limit|confine)\s+(?:yourself|(?:your|all|any|the)\s+(?:changes|edits|work))\s+to\b|\bnur\b|\b(?:solo|s\u00f3lo|solamente|\u00fanicamente|seulement)\b"
    r"|\b(?:touche|modifie|change)\w*\s+que\b|\u53ea(?:\u80fd|\u51c6|\u9700|\u8981)?(?:\u4fee\u6539|\u6539|\u52a8|\u7f16\u8f91)|\u3060\u3051",
    re.IGNORECASE,
)
_NOTHING_BUT = lazy(
    r"\b(?:anything|nothing|everything|any\s+(?:other\s+)?(?:files?|code)|(?:all|the)\s+other\s+files?)(?:\s+else)?\s+"
    r"(?:but|except|outside|besides|other\s+than|apart\s+from|beyond)\b",
    re.IGNORECASE,
)
_IN_CASE = lazy(r"\b(?:if|unless|when|where|after|once|until)\b", re.IGNORECASE)
_OTHER_ACT = lazy(r"\b(?:do\s+not|don['\u2019]?t|never|must\s+not|mustn['\u2019]?t|not\s+to)\b", re.IGNORECASE)
_WRAPPED = lazy(r"[ \t]*\n[ \t]*(?=[^\s\-*+#\d])")
_AND = lazy(r"^(?:and|but|also|please)\s+", re.IGNORECASE)
_KEPT = lazy(
    r"\b(?:api|interface|signature|behaviou?r|public|compatib\w*|semantics|names?|format|schema|defaults?"
    r"|as\s+(?:it|they)\s+(?:is|are)|as[- ]is|alone|untouched|unchanged|intact|same)\b",
    re.IGNORECASE,
)
_POSSESSIVE = lazy(r"[`'\"]?['\u2019]s\b")


def closed(text: str, places: Sequence[str]) -> list[tuple[str, str]]:
    """``(place, clause)`` for each of the named places that may not be written at all, with the words that say so."""
    clauses = _clauses(text)
    known = [clause for clause in clauses if _BEFORE.search(clause) or _WHOLE.search(clause)]
    found = []
    for place in places:
        clause = next((c for c in known if _closes(c, place)), None)
        if clause is None and not known and not _OTHER_ACT.search(text):
            clause = _foreign(text, place)
        if clause is not None:
            found.append((place, clause))
    return found


def _foreign(text: str, place: str) -> str | None:
    """In another language than English, where the reader of the session saw a prohibition: the part with the place."""
    parts = _by_comma(text)
    denied = [part for part in parts if _NEGATION.search(part)] or [text]
    part = next((one for one in denied if place.lower() in one.lower()), None)
    return None if part is None or _partly(part, place) or _ONLY.search(part) else part


def _clauses(text: str) -> list[str]:
    """Its clauses; what one frees (``web/x.json is fine to edit, the rest is off limits``) stands apart."""
    found = [clause.strip(" ,") for clause in _CLAUSE.split(text) if clause and clause.strip(" ,")]
    return [part for clause in found for part in (_COMMA.split(clause) if _FREES.search(clause) else [clause])]


def _by_comma(text: str) -> list[str]:
    """The parts between commas, each with words of its own: a mere list of places goes with what is before it."""
    found: list[str] = []
    for part in _COMMA.split(text):
        words = [word for word in part.split() if not set(word) & set("/.`*") and len(word) > 3]  # noqa: PLR2004 - und, and
        if found and not words:
            found[-1] = f"{found[-1]}, {part}"
        else:
            found.append(part)
    return found


def confines(text: str) -> bool:
    """Whether the words leave nothing open but what they name: ``only change X``."""
    return _ONLY.search(text) is not None


def left_open(text: str, places: Sequence[str]) -> list[tuple[str, str]]:
    """``(place, clause)`` for each named place that the words leave open while they close all others."""
    clauses = [part for clause in _clauses(text) for part in _by_comma(clause)]
    whole = [*(c for c in clauses if _ONLY.search(c)), *([text] if _NOTHING_BUT.search(text) else [])]
    sure = [" ".join(clause.split()) for clause in whole if not _IN_CASE.search(clause)]
    found = []
    for place in places:
        clause = next((c for c in sure if place.lower() in c.lower() and not _closes(c, place)), None)
        if clause is not None:
            found.append((place, clause))
    return found


def conditions(text: str) -> list[str]:
    """The clauses that forbid a change or want something kept, in one line each: a run stops before it breaks one."""
    clauses = (clause.strip(" ,") for clause in _CLAUSE.split(_WRAPPED.sub(" ", text)) if clause)
    return [" ".join(_AND.sub("", clause).split()) for clause in clauses if _conditional(clause)]


def _conditional(clause: str) -> bool:
    forbids = _BEFORE.search(clause)
    if forbids is None:
        return _WHOLE.search(clause) is not None or confines(clause)
    return _LEAVE.fullmatch(forbids[0]) is None or _KEPT.search(clause, forbids.end()) is not None


def _closes(clause: str, place: str) -> bool:
    at = clause.lower().find(place.lower())
    if at < 0 or _partly(clause, place):
        return False
    forbids = _BEFORE.search(clause)
    if forbids is not None and forbids.end() <= at and not _LEAVE.fullmatch(forbids[0]):
        return True
    return _WHOLE.search(clause) is not None


def _partly(clause: str, place: str) -> bool:
    """Whether the words speak of something in the place, or of everything but it."""
    at = clause.lower().find(place.lower())
    before, behind = clause[:at], clause[at + len(place) :]
    if _POSSESSIVE.match(behind) or _EXCEPT.search(before) or _EXCEPT_BEHIND.match(behind):
        return True
    return _PART.search(before) is not None and _ALL_OF.search(before) is None
