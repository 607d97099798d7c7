# ruff: noqa: E501 - a pattern reads best on one line
"""An output as a person reads it: no colours, no carriage returns, no names of tasks before each line."""

from __future__ import annotations

import re

from passdown.rules.patterns import lazy

_ANSI = lazy(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[=>78cDEHMNOZ]")
_PREFIX = lazy(r"^\[(?!warn|error|info|ok\b)[a-z][\w:./-]*\] (?=\S)", re.MULTILINE)
_TASK = lazy(
    r"^(?:(?:@[\w.-]+/)?[\w./-]+(?::| )(?:tests?|spec|lint|build|types?|typecheck|type-check|check|e2e|unit|ci|format|verify)(?:[:-][\w-]+)*[:$]"
    r"|[\w.-]+-\d+ +\|) ?"
)
_HALF = 2
_TRAILING = lazy(r"[ \t\f\v]+$", re.MULTILINE)
_BLANK = lazy(r"\n{3,}")


def clean(text: str) -> str:
    """Text without terminal colours, carriage returns and the task names that runners put before each line."""
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if " \n" in text or "\t\n" in text or text.endswith((" ", "\t")):
        text = _TRAILING.sub("", text)
    if "\n\n\n" in text:
        text = _BLANK.sub("\n\n", text)
    if "[" in text:
        text = _PREFIX.sub("", text)
    return _without_tasks(text) if ": " in text or " | " in text else text


def _without_tasks(text: str) -> str:
    """Without ``web:test: `` (turbo), ``packages/web test: `` (pnpm), ``web-1  | `` (compose) where most lines begin so."""
    lines = text.split("\n")
    named = [found[0] if (found := _TASK.match(line)) else "" for line in lines]
    said = sum(1 for line in lines if line.strip())
    if sum(map(bool, named)) * _HALF < said:
        return text
    return "\n".join(line[len(name) :] for line, name in zip(lines, named, strict=True))
