"""A note of another tool or person, taken apart: what it says, as what, on which line. All of it is only said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.packet import left_behind
from passdown.packet.sources import Told
from passdown.rules.marked_block import without
from passdown.rules.patterns import lazy

Kind = Literal["step", "question", "decision", "dead-end", "assumption"]
Shape = Literal["handoff", "todo", "features"]
SHAPES: tuple[Shape, ...] = ("handoff", "todo", "features")
MOST = 100
LONGEST = left_behind.LONGEST_LINE
_HEADING = lazy(r"^\s*(?:#{1,6}\s+(.+?)\s*#*|\*\*(.+?)\*\*:?|([A-Z][\w /&-]{2,40}):)\s*$")
_ENTRY = lazy(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX])\]\s+)?(?P<text>.+)$")
_FENCE = lazy(r"^\s*(?:```|~~~)")
_MEANS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("assumption", lazy(r"\b(?:done|complete[d]?|finished|accomplish\w*|in.?progress|unverified)\b", re.IGNORECASE)),
    ("dead-end", lazy(r"fail|dead.?end|ruled.?out|did(?:n.t| not) work|tried|negative", re.IGNORECASE)),
    ("question", lazy(r"question|unclear|unknown", re.IGNORECASE)),
    ("decision", lazy(r"decision|decided|chosen", re.IGNORECASE)),
    (
        "step",
        lazy(r"next|to.?do|remaining|pending|left|action.?items?|blocked|outstanding|backlog|plan", re.IGNORECASE),
    ),
)
_LABEL = r"^\W{{0,4}}(?:{words})\b[*_\x60]{{0,3}}\s*(?:[:?]|[-\u2013\u2014]\s)"
_LABELLED: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("question", lazy(_LABEL.format(words="(?:open )?questions?|unclear|unknown|undecided|ask"), re.IGNORECASE)),
    ("decision", lazy(_LABEL.format(words="decisions?|decided|chosen|agreed"), re.IGNORECASE)),
    ("dead-end", lazy(_LABEL.format(words="dead.?ends?|ruled out|tried|did(?:n.t| not) work"), re.IGNORECASE)),
    ("assumption", lazy(_LABEL.format(words="done|finished|completed?|fixed|note|fyi|status"), re.IGNORECASE)),
    ("step", lazy(_LABEL.format(words="to.?do|next(?: step)?|remaining|left|blocked"), re.IGNORECASE)),
    ("decision", lazy(r"^\W{0,4}(?:we|i) (?:have )?(?:decided|chose|settled|agreed)\b", re.IGNORECASE)),
    ("dead-end", lazy(r"^\W{0,4}(?:(?:we|i) (?:have )?)?tried\b", re.IGNORECASE)),
)
_ENDS_WELL = r"(?:pass(?:es|ed|ing)?|green|done|fixed|finished|complete[d]?|implemented|works?|working|merged|resolved)"
_STATED = lazy(
    r"^\W{0,4}(?:"
    r"(?:fixed|finished|completed|implemented|added|updated|verified|refactored|resolved|merged|removed|created|wrote)\b"
    rf"|(?:all|both|every|the|our|\d+|unit|integration|tests?|build|lint\w*|ci|it|everything)\b.*\b{_ENDS_WELL}\b"
    rf"|.*\b(?:is|are|was|were|has been|have been|got) (?:now |all |already )?{_ENDS_WELL}\b"
    r"|[\u2705\u2714\u2713\u2611])",
    re.IGNORECASE,
)
_NOT_YET = lazy(
    r"\b(?:should|must|needs?|until|unless|once|when|if|not|never|fails?|failing|make|ensure|check|verify|so that"
    r"|before|after|still|almost|partly|half|only|remaining)\b|n't\b|n\u2019t\b",
    re.IGNORECASE,
)
_ASKED = lazy(r"\?\W{0,4}$")
_CHECKED = ("done", "completed", "complete", "passes")


class Entry(Struct, frozen=True):
    """One thing that the note says; ``line`` from 1."""

    kind: Kind
    text: str
    line: int


def entries(name: str, text: str, shape: Shape | None) -> list[Entry]:
    """What a note says, at most the first hundred things, each once; PassdownError where it says nothing."""
    shape = shape or shape_of(name)
    if shape == "features":
        found = [_feature(told) for told in left_behind.lines_of("feature_list.json", text)]
    elif name.endswith(".json"):
        found = list(_of_json(text, name))
    else:
        found = list(_of_markdown(without(text), todo=shape == "todo"))
    once: dict[tuple[str, str], Entry] = {}
    for entry in found:
        once.setdefault((entry.kind, entry.text.casefold()), entry)
    if not once:
        raise PassdownError(f"{name} says nothing that can be taken in", "bullets or lines of text, or JSON with texts")
    return list(once.values())[:MOST]


def shape_of(name: str) -> Shape:
    """By the file's name."""
    bare = name.rpartition("/")[2].casefold()
    return "features" if bare == "feature_list.json" else "todo" if re.search(r"to.?do|task", bare) else "handoff"


def _feature(told: Told) -> Entry:
    line = int(told.source.rpartition(":")[2])
    return Entry("assumption" if told.text.endswith(": passes") else "step", told.text, line)


def _of_markdown(text: str, *, todo: bool) -> Iterator[Entry]:
    """Entries below their headings; of prose each line. A ticked box is something said to be done."""
    usual: Kind = "step" if todo else "assumption"
    kind, fenced = usual, False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading:
            kind = _meant(next(filter(None, heading.groups())), usual)
        elif line.strip() and not fenced and not re.match(r"\s*(?:```|~~~|---|===|\||<!--|>)", line):
            entry = _ENTRY.match(line)
            said = entry["text"] if entry else line
            box = entry["box"] if entry else None
            as_: Kind = "assumption" if box and box in "xX" else _by_itself(said, "step" if box else kind)
            if entry or not todo:
                yield Entry(as_, said.strip()[:LONGEST], number)


def _meant(heading: str, usual: Kind) -> Kind:
    return next((kind for kind, pattern in _MEANS if pattern.search(heading)), usual)


def _by_itself(said: str, kind: Kind) -> Kind:
    """What an entry is, where its own words say more than the heading above it."""
    labelled = next((meant for meant, pattern in _LABELLED if pattern.search(said)), None)
    if labelled is not None:
        return labelled
    if _ASKED.search(said) and kind != "dead-end":
        return "question"
    stated = kind == "step" and _STATED.search(said) and not _NOT_YET.search(said)
    return "assumption" if stated else kind


def _of_json(text: str, name: str) -> Iterator[Entry]:
    """Texts under keys that say what they are (an objective, a state, decisions, next steps), wherever they lie."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PassdownError(f"{name} is no JSON: {error}", "nothing was taken in") from error
    for kind, said in _walk(value, "assumption"):
        encoded = json.dumps(said, ensure_ascii=False)[1:-1]
        at = max(text.find(encoded), text.find(json.dumps(said)[1:-1]), 0)
        yield Entry(kind, said[:LONGEST], text.count("\n", 0, at) + 1)


def _walk(value: Any, kind: Kind, depth: int = 0) -> Iterator[tuple[Kind, str]]:
    if depth > 12:  # noqa: PLR2004 - deeper than any note
        return
    if isinstance(value, str):
        if len(value.split()) > 1:
            said = " ".join(value.split())
            yield kind if kind == "assumption" else _by_itself(said, kind), said
    elif isinstance(value, list):
        for one in value:
            yield from _walk(one, kind, depth + 1)
    elif isinstance(value, dict):
        done = any(value.get(key) is True or value.get("status") == key for key in _CHECKED)
        for key, one in value.items():
            said = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", str(key))
            yield from _walk(one, "assumption" if done else _meant(said, kind), depth + 1)
