"""CODEOWNERS by GitHub's rules: one list, the last line that matches counts, a bad line owns nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeowners import CodeOwners

from passdown.review.owner_rules import Parsed, Rule, Section

_SPACE = "\ue000"  # stands for an escaped space while a line is cut into words


def github_owners(lines: Sequence[str]) -> Parsed:
    """Comments are cut, also behind a rule; what GitHub does not understand is left out and told."""
    section = Section()
    parsed = Parsed([section])
    for number, line in enumerate(lines, start=1):
        words = _without_comment(line).replace("\\ ", _SPACE).split()
        if not words:
            continue
        problem = _problem(words)
        if problem:
            parsed.warnings.append((number, f"{problem}: this line owns nothing"))
        else:
            section.rules.append(_rule(words))
    return parsed


def _without_comment(line: str) -> str:
    """The rule of a line: a ``#`` at its start or after white space begins a comment."""
    return re.sub(r"(^|(?<!\\)\s)#.*$", "", line).strip()


def _problem(words: Sequence[str]) -> str:
    pattern = words[0]
    for mark, what in (("!", "`!`"), ("\\#", "`\\#`")):
        if pattern.startswith(mark):
            return f"{what} is not understood"
    if "[" in pattern or "]" in pattern:
        return "`[ ]` is not understood"
    bad = next((word for word in words[1:] if "@" not in word), None)
    return f"{bad.replace(_SPACE, ' ')!r} is no owner" if bad is not None else ""


def _rule(words: Sequence[str]) -> Rule:
    regex = CodeOwners(words[0]).paths[0][0]
    if _SPACE in words[0]:
        regex = re.compile(regex.pattern.replace(_SPACE, r"\ "))
    return Rule(words[0].replace(_SPACE, "\\ "), regex, tuple(words[1:]))
