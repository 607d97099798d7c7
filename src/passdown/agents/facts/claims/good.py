# ruff: noqa: E501 - a pattern reads best on one line
"""Whether a statement says of a kind of checks that they are good."""

from __future__ import annotations

import re

from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
GOOD_WORDS = (
    r"(?:(?<![\w-])(?:(?<!you )(?<!explicitly )pass(?:es|ed|ing)?\b(?! (?:an?|the|it|them|this|these|its|their|along|through|down)\b)|green|clean(?:ly)?|succeed(?:s|ed)?|successful(?:ly)?|without (?:errors?|issues|warnings|problems)|no (?:\w+ ){0,2}(?:errors?|issues|warnings|failures|problems|offen[cs]es|violations)"
    r"|zero (?:errors|failures|offen[cs]es|violations)|0 (?:offen[cs]es|violations|errors?|issues|warnings|failures|failed)|ok\b|exit(?:ed)?(?: with)?(?: code| status)? 0\b|all good|bestanden|bestehen|gr\u00fcn|fehlerfrei|erfolgreich|durch\b|passent|r\u00e9ussi\w*|au vert|pasan|pasaron|en verde|passano|superat[ie]|passam|passaram|passando|przechodz\w+|przesz\u0142y|slagen|geslaagd|\u043f\u0440\u043e\u0445\u043e\u0434\u044f\u0442|\u043f\u0440\u043e\u0448\u043b\u0438)"
    r"|\u901a\u8fc7|\u901a\u904e|\u5408\u683c|\u6210\u529f|\u901a\u308a|\u901a\u3063|\u30d1\u30b9|\ud1b5\uacfc|[\u2705\u2714\u2713])"
)
GOOD = lazy(GOOD_WORDS, _I)
KINDS: tuple[tuple[CheckKind, re.Pattern[str]], ...] = (
    ("test", lazy(r"\b(?:unit |integration |e2e |end-to-end |regression |existing |new )*(?:tests?\b|test[- ]?suites?|(?:whole|full|entire) suite\b|specs?\b(?! (?:review|complian\w+|conform\w+|docs?\b|document\w*|sheet|says|itself|requirements?|drafts?|changes?|updates?|approv\w+))(?!-)|pytest|jest|vitest|rspec|phpunit|ctest|testsuite|pruebas|testes|testy|test\u00f3w|\u0442\u0435\u0441\u0442\w*)|\u6d4b\u8bd5|\u6e2c\u8a66|\u30c6\u30b9\u30c8|\u5355\u6d4b|\ud14c\uc2a4\ud2b8", _I)),
    ("lint", lazy(r"\b(?:lint\w*|eslint|ruff|flake8|biome|clippy|golangci-lint|prettier|rubocop|shellcheck|rustfmt|gofmt|stylelint|pylint|ktlint|detekt|checkstyle|swiftlint|phpcs|actionlint|yamllint|tflint|luacheck|credo|hlint|analy[sz]er|format(?:ting)? check|style checks?)\b", _I)),
    ("types", lazy(r"\btype[- ]?check\w*|\b(?:types?(?= (?:check|pass|errors?\b|issues))|mypy|(?:based)?pyright|phpstan|psalm|tsc|typescript(?= (?:compil|check|pass|build))|typing)\b", _I)),
    ("build", lazy(r"\b(?:builds?\b|compil(?:es?|ed|ation|ing)\b|build[- ]?lauf|docfx)", _I)),
)  # fmt: skip
_EDITED = lazy(
    r"\b(?:added|wrote|written|created|updated|removed|deleted|refactored|implemented|extended|renamed|moved|introduced|migrated"
    r"|converted|ported|split|rewrote|rewritten|reworked|adjusted|adapted)\b",
    _I,
)
_AHEAD = lazy(r"(?:[^.;\u3002]|\.(?=\w)){0,60}")
_BEHIND = lazy(r"[^.;,\u3002]{0,30}")
_NONE_OF = lazy(r"\b(?:no|zero|0) (?:\w+ )?$", _I)
_HARM = lazy(r"[ -](?:failures?|errors?|warnings?|issues|problems)\b", _I)
_WISHED = lazy(r"\b(?:to|should|will|must|until|so that|make|ensure|so) (?:\w+ )?pass\b", _I)
_VAGUE = lazy(r"success|erfolgreich|\bok\b", _I)


def says_good(words: str, kind: re.Pattern[str]) -> bool:
    """Whether a word for checks of that kind stands near one that says they are good."""
    found = _nearest(words, kind)
    if found is None or _WISHED.search(found):
        return False
    if "compil" in found.lower() and kind.search("pytest"):
        return False
    return not (_EDITED.search(found) and _VAGUE.search(found))


def _nearest(words: str, kind: re.Pattern[str]) -> str | None:
    """The stretch from the one to the other; the first there is."""
    named = [match.span() for match in kind.finditer(words)]
    if not named:
        return None
    good = [match.span() for match in GOOD.finditer(words)]
    spans = [(start, _HARM.match(words, end)) for start, end in named if _NONE_OF.search(words[:start])]
    found = [(start, harm.end()) for start, harm in spans if harm]
    for start, end in named:
        for from_, to in good:
            if from_ >= end and _AHEAD.fullmatch(words, end, from_):
                found.append((start, to))
            elif start >= to and _BEHIND.fullmatch(words, to, start):
                found.append((from_, end))
    if not found:
        return None
    first, last = min(found)
    return words[first:last]
