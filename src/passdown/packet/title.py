"""A task's short title: the first clause of its goal, in whole words."""

from __future__ import annotations

import re

from passdown.packet.text import cells, plain
from passdown.rules.patterns import lazy

ROOM = 32
_MARKUP = lazy(r"^\s*(?:#{1,6}\s+|[-*+>]\s+|\(?\w{1,2}[.)]\s+)")
_ASKED = lazy(
    r"^(?:(?:hi|hello|hey|ok|okay|so|now|then|first)\b[,!.]?\s+)?"
    r"(?:(?:please|kindly|can you|could you|would you|will you|i(?:'d| would) like (?:you )?to"
    r"|(?:i|we) (?:want|need) (?:you )?to"
    r"|we need to|let'?s|help me(?: to)?|your (?:task|job) is to)\b[,:]?\s+)*(?:please\s+)?",
    re.IGNORECASE,
)
_CLAUSE = lazy(
    r"[;!?\u2014]|\.(?=\s+[^a-z\s]|\s*$)|:(?=\s|$)|,(?=\s+(?:but|and|then|keep|do|don|never)\b)"
    r"|\s[-\u2013]\s|\s+(?:but|so that|because|without)\b"
)
_PATH = lazy(r"(?<!\S)(?:~|[A-Za-z]:)?[/\\](?:[^\s/\\]+[/\\])+([^\s/\\]+)")
_QUOTES = lazy(r"[\"`\u201c\u201d\u2018]|(?<!\w)['\u2019]|['\u2019](?!\w)")
_WEAK = frozenset(
    {"i", "i'd", "we", "you", "he", "she", "they", "just", "also", "e.g", "there", "there's"}
    | {"a", "all", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "if", "in", "into", "is", "it"}
    | {"its", "my", "of", "on", "onto", "or", "our", "so", "than", "that", "the", "their", "then", "this", "to"}
    | {"when", "with", "without", "your"}
)


def title_of(goal: str) -> str:
    """At most ``ROOM`` columns of the goal's first clause, no quotes; "" where it says nothing."""
    lines = (_MARKUP.sub("", line) for line in goal.splitlines())
    told = [line for line in lines if any(char.isalnum() for char in line)]
    line = next((line for line in told if len(line.split()) > 1), told[0] if told else "")
    asked = _ASKED.sub("", _PATH.sub(r"\1", _QUOTES.sub("", plain(line)).strip()), count=1)
    clauses = (clause.strip(" ,.:") for clause in _CLAUSE.split(asked))
    return short(next((clause for clause in clauses if any(char.isalnum() for char in clause)), ""))


def short(title: str, room: int = ROOM) -> str:
    """The title's first whole words that fit, none of them left hanging; one long word is cut."""
    words = plain(title).removesuffix("...").split()
    kept: list[str] = []
    for word in words:
        if cells(" ".join([*kept, word])) > room:
            break
        kept.append(word)
    if len(kept) < len(words):
        while len(kept) > 1 and kept[-1].lower().strip(",;:") in _WEAK:
            kept.pop()
    if not kept and words and room > 0:
        return _cut(words[0], room)
    return " ".join(kept).rstrip(",;:")


def _cut(word: str, room: int) -> str:
    """The beginning of a word that alone is too long."""
    kept = ""
    for char in word:
        if cells(kept + char) > room:
            break
        kept += char
    return kept
