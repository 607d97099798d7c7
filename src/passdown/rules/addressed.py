"""Whether anything that was said or changed speaks of an item: only by its own words, never as a proof."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from passdown.rules.patterns import lazy

_WORD = lazy(r"[A-Za-z0-9\u00c0-\uffff][\w./-]*")
_CODE = lazy(r"`([^`]+)`")
_NAMED = lazy(r"[a-z][A-Z]|[_/]|\w\.\w|^[A-Z]{2,}\d*$|\d")
_NUMBERED = lazy(
    r"\b(?:items?|steps?|points?|tasks?|requirements?|numbers?|no\.?|features?)\s*#?(\d{1,3})\b|(?<!\w)#(\d{1,3})\b"
)
_PASSES = lazy(
    r"(?:the |all |check )*\0(?: check)?(?: still| now)*"
    r"(?: (?:passes|pass|succeeds|is green|are green|exits 0|runs clean))?"
)
_ENDING = lazy(r"(?:ing|ed|es|s|ies|er|ion)$")
_STOP = frozenset({
    "the", "and", "for", "with", "that", "this", "from", "into", "must", "should", "shall", "will", "when", "then",
    "than", "have", "has", "are", "was", "were", "been", "all", "any", "not", "only", "also", "each", "every", "make",
    "made", "add", "adds", "added", "adding", "use", "uses", "used", "using", "new", "now", "can", "could", "its",
    "their", "your", "our", "implement", "implements", "implemented", "support", "supports", "ensure", "ensures",
    "show", "shows", "shown", "user", "users", "able", "allow", "allows", "update", "updates", "updated", "fix",
    "fixes", "fixed", "remove", "removes", "removed", "create", "creates", "created", "test", "tests", "file", "files",
    "code",
})  # fmt: skip
_SHORTEST = 3
_SHARE = 0.6
_MANY = 6


_SENTENCE = lazy(r"(?<=[.!?])\s+|\n+")
_HEADING = lazy(r"^\s*(?:#+\s|\*\*[^*]+\*\*:?\s*$)|:\s*$")
_UNDONE = lazy(
    r"\b(?:not|no|nothing|never|cannot|without|skip\w*|omit\w*|defer\w*|left|leaving|remain\w*|to-?do|still|yet|next|will"
    r"|later|pending|unfinished|incomplete|outstanding|missing|could|should|would|might|plan\w*|blocked|haven't|need\w*)\b"
    r"|n['\u2019]t\b|\?\s*$",
    re.IGNORECASE,
)


def told_done(text: str) -> list[str]:
    """The sentences of closing words that tell of something done: no plan, no denial, nothing under such a heading."""
    found, undone = [], False
    for piece in _SENTENCE.split(text):
        if _HEADING.search(piece):
            undone = bool(_UNDONE.search(piece))
        elif piece.strip() and not undone and not _UNDONE.search(piece):
            found.append(" ".join(piece.split()))
    return found


class Mention(Struct, frozen=True):
    """One statement, to-do or changed path; ``said`` is how a reason names it."""

    text: str
    said: str


class Speaker(Struct, frozen=True):
    """What one item is told by: its distinctive words and names, and its number."""

    words: frozenset[str]
    names: frozenset[str]
    number: int | None = None


def speakers(texts: Sequence[str], numbers: Sequence[int | None]) -> list[Speaker]:
    """For each item the words that tell it from the others: what most of them share tells nothing."""
    words = [_words(text) for text in texts]
    count = Counter(word for each in words for word in each)
    most = max(1, len(texts) // 3) if len(texts) >= _MANY else len(texts)
    kept = [frozenset(w for w in each if count[w] <= most) for each in words]
    names = [frozenset(n for n in _names(text) if count[n] <= most) for text in texts]
    return [Speaker(*each) for each in zip(kept, names, numbers, strict=True)]


def mentioned(speaker: Speaker, mentions: Iterable[Mention]) -> str | None:
    """How the first mention that speaks of the item is named; None where none does."""
    for mention in mentions:
        if speaker.number is not None and speaker.number in _numbers(mention.text):
            return mention.said
        words = _words(mention.text)
        names = _names(mention.text)
        if speaker.names & (names | words):
            return mention.said
        shared = speaker.words & words
        if len(shared) >= min(2, len(speaker.words)) and shared and len(shared) >= _SHARE * len(speaker.words):
            return mention.said
    return None


def _numbers(text: str) -> set[int]:
    return {int(a or b) for a, b in _NUMBERED.findall(text)}


def _names(text: str) -> frozenset[str]:
    """Identifiers, paths and what stands in backticks; a path also by its last part."""
    found = set(_CODE.findall(text)) | {w.strip("./-") for w in _WORD.findall(text) if _NAMED.search(w.strip("./-"))}
    found |= {name.rpartition("/")[2] for name in found}
    return frozenset(name.casefold() for name in found if len(name) >= _SHORTEST and not name.isdigit())


def _words(text: str) -> frozenset[str]:
    """Lower-case words without their endings; no stop words."""
    plain = {word.strip("./-").casefold() for word in _WORD.findall(text)}
    plain |= {part for word in plain for part in re.split(r"[_./-]", word)}
    kept = (word for word in plain if word not in _STOP and len(word) >= _SHORTEST)
    return frozenset(_stem(_stem(word)) for word in kept)


def _stem(word: str) -> str:
    return _ENDING.sub("", word) if len(word) > 4 else word  # noqa: PLR2004 - short words stay


def asks_for_check(text: str, commands: Mapping[str, str]) -> str | None:
    """The check that is all an item asks for: its name or command, and that it passes; None where it asks for more.

    ``commands``: check's name -> its command.
    """
    plain = " ".join(text.split()).strip(" .")
    for name, run in commands.items():
        for called in (f"`{run}`", f"`{name}`", run, name):
            rest = plain.casefold().replace(called.casefold(), "\0", 1)
            if _PASSES.fullmatch(rest):
                return name
    return None
