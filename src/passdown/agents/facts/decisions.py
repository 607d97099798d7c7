# ruff: noqa: E501 - a pattern reads best on one line
"""The person's own choices, verbatim: precise rather than many."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.units import units
from passdown.agents.stream import Choice, Prompt
from passdown.model.session import SeenDecision
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
_CHOICE = tuple(
    lazy(pattern, _I)
    for pattern in (
        r"\blet['\u2019]?s (?:go with|use|stick (?:with|to)|keep|do option|take(?! an? | another ))\b|\b(?:go|going) with (?:option |approach |#)?\S+|\bstick (?:with|to)\b",
        r"(?:^|[,;:.!]\s*|\b(?:please|and|but|just|should|let['\u2019]?s)\s+)use\b[^.;]{1,80}\b(?:instead of|rather than)\b|\buse\b[^.;,]{1,40}, not\b|\binstead of\b[^.;]{1,60}\b(?:use|do|make|put)\b|\b(?:i|we)(?:['\u2019]d)? (?:prefer|rather)\b|\bprefer\b[^.;]{1,60}\b(?:over|to|instead)\b",
        r"\b(?:i|we)(?:['\u2019]ve)? (?:decided|chose|choose|settled)\b|\b(?:^|[,;]\s*|\b(?:ok(?:ay)?|yes|yeah|go(?:ing)? with|choose|pick|take|prefer|want|do|implement|like)\s+(?:the )?)(?:option|approach|variant) (?:\d|[a-d])\b(?!\s*(?:[:)]|or\b|vs\b))",
        r"\bwe(?:['\u2019]ll| will| shall)\b (?:use|go with|keep|stay with|stick (?:with|to))\b|^\W*(?:let['\u2019]?s )?(?:skip|defer|postpone|leave out) [^.;]{1,60}\b(?:for now|until later|till later)\b",
        r"\b(?:nimm|verwende|benutze|nutze)\b[^.;]{1,60}\b(?:statt|anstatt|anstelle|nicht)\b|\bwir nehmen\b|\blass uns\b[^.;]{1,60}\b(?:nehmen|verwenden|machen)\b|\bich bevorzuge\b|\bje pr\u00e9f\u00e8re\b|\bprefiero\b|\bpreferisco\b|\bprefiro\b",
        r"\b(?:utilise[sz]?|usa|usar|usemos)\b[^.;]{1,60}\b(?:plut\u00f4t que|au lieu de|en lugar de|en vez de)\b",
        r"\u3067\u306f\u306a\u304f.{1,30}(?:\u4f7f|\u63a1\u7528|\u306b\u3057\u3066)",
        r"(?:\u7528|\u91c7\u7528|\u9009).{1,40}(?:\u800c\u4e0d\u662f|\u4e0d\u8981\u7528)|(?:\u5c31|\u6211\u4eec)(?:\u7528|\u91c7\u7528|\u9009)",
    )
)
_PICK = lazy(r"^\W*(?:option |approach |variant |number |#|\()?(?:[1-9]|[a-d])\W*(?:please|pls|then)?\W*$", _I)
_OPTIONS = lazy(r"^\s*(?:\*\*)?(?:option |approach |variant )?(?:[1-9]|[A-Da-d])[.):]\s", re.MULTILINE | _I)
_ANSWER = lazy(
    r"^\W*(?:(?:yes|ok|no)\W+)?(?:the (?:first|second|third|last|former|latter)(?: one| option| approach)?|both|neither)\b",
    _I,
)
_SHORT = 160
_QUESTION = lazy(r"[?\uff1f][\"'\u201d\u2019)*]*\s*$")
_LOG = lazy(r"^\W*[\w./-]+\.\w+:\d+:")
_TEMPLATE = lazy(r"^#{1,4} |<[a-z][\w-]*>|^Implement the following plan:", re.MULTILINE)
_UNSURE = lazy(
    r"\b(?:don['\u2019]?t know|not sure|wouldn['\u2019]?t|maybe|perhaps|i thought|confirm|whether|if we)\b", _I
)
_LONGEST = 240
_LONG = 1500


def from_choice(event: Choice) -> list[SeenDecision]:
    """What the person answered when the client asked; a question in return decides nothing."""
    if all(_QUESTION.search(unit.text) for unit in units(event.answer)):
        return []
    return [SeenDecision(text=event.answer, at=event.at, record=event.record, question=event.question)]


def from_prompt(event: Prompt, asked: str | None) -> list[SeenDecision]:
    """Choices in a request's own words; ``asked``: the agent's last words before it, which a bare ``2`` answers."""
    if len(event.text) > _LONG and _TEMPLATE.search(event.text):
        return []
    words = event.text.strip()
    picks = _PICK.match(words) is not None
    if asked and picks and words[-1:].isalpha() and _goes_on(words, asked):
        return []
    if asked and (picks or _answers(words)):
        question = _last_question(asked)
        if question or (picks and _OPTIONS.search(asked)):
            return [SeenDecision(text=words, at=event.at, record=event.record, question=question)]
    return [
        SeenDecision(text=unit.text, at=event.at, record=event.record)
        for unit in units(event.text)
        if len(unit.text) <= _LONGEST
        and not _QUESTION.search(unit.text)
        and not _LOG.match(unit.text)
        and not _UNSURE.search(unit.text)
        and any(p.search(unit.text) for p in _CHOICE)
    ]


def _goes_on(words: str, asked: str) -> bool:
    """The letter of a menu's ``[C] Continue``: the next step, and no choice between two ways."""
    letter = re.escape(words.strip(" .()[]#").upper())
    return (
        re.search(
            rf"(?<!\w)\W?{letter}[\])*.: -]{{1,5}}\s*(?:Continue|Continuer|Continuar|Weiter|Next|Proceed|Suivant|\u7ee7\u7eed)",
            asked,
        )
        is not None
    )


def _answers(words: str) -> bool:
    """A short choice of what the question offers; a bare yes decides little."""
    return len(words) <= _SHORT and not _QUESTION.search(words) and _ANSWER.match(words) is not None


def _last_question(text: str) -> str | None:
    questions = [u.text for u in units(text) if _QUESTION.search(u.text)]
    return questions[-1] if questions else None
