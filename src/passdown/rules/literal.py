"""A shell line that is one command of literal words, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

_SPACE, _ENDS = " \t", frozenset("\n;&|<>(){}")
_EXPANDS = frozenset("$`*?[~#!")
_ESCAPED = frozenset('$`"\\')


def literal_words(line: str) -> list[str] | None:
    """The words as the shell would pass them; None where it would do anything but pass them to one program."""
    words: list[str] = []
    word: str | None = None
    text, at = line.strip(), 0
    while at < len(text):
        char = text[at]
        if char in _SPACE:
            words += [word] if word is not None else []
            word, at = None, at + 1
            continue
        read = _piece(text, at, first=word is None)
        if read is None:
            return None
        word, at = (word or "") + read[0], read[1]
    words += [word] if word is not None else []
    return words or None


def _piece(text: str, at: int, *, first: bool) -> tuple[str, int] | None:
    """The next part of a word and where it ends; None where the shell would read more than letters in it."""
    char = text[at]
    if char == "'":
        end = text.find("'", at + 1)
        return (text[at + 1 : end], end + 1) if end > 0 else None
    if char == '"':
        return _double(text, at + 1)
    if char == "\\":
        return (text[at + 1], at + 2) if text[at + 1 : at + 2] not in ("", "\n") else None
    if char in _ENDS or char in _EXPANDS or (first and _assigns(text[at:])):
        return None
    return char, at + 1


def _double(text: str, at: int) -> tuple[str, int] | None:
    found = ""
    while at < len(text):
        char = text[at]
        if char == '"':
            return found, at + 1
        if char in "$`":
            return None
        if char == "\\" and text[at + 1 : at + 2] in _ESCAPED and at + 1 < len(text):
            at += 1
            char = text[at]
        found, at = found + char, at + 1
    return None


def _assigns(text: str) -> bool:
    """Whether the word begins as ``NAME=`` does."""
    name = "".join(takewhile(lambda char: char.isalnum() or char == "_", text))
    return bool(name) and not name[0].isdigit() and text[len(name) : len(name) + 1] == "="


def spoken(line: str, program: str, verbs: Sequence[str]) -> list[str] | None:
    """The words after ``program`` where the line is one literal command of it that begins with one of the verbs."""
    words = literal_words(line)
    if not words or words[0].rpartition("/")[2] != program or words[1:2] == [] or words[1] not in verbs:
        return None
    return words[1:]
