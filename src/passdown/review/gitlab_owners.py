"""CODEOWNERS by GitLab's rules: sections, each judged alone, with default owners and a number of approvals.

https://docs.gitlab.com/user/project/codeowners/reference/ and /advanced/ say them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from passdown.review.owner_rules import Parsed, Rule, Section
from passdown.rules.patterns import lazy

_SECTION = lazy(r"(?P<optional>\^)?\[(?P<name>[^\]]+)\](?:\[(?P<approvals>[^\]]*)\])?(?P<owners>(?:\s+\S+)*)\s*")
_SPACE = "\ue000"  # stands for an escaped space while a line is cut into words
_NEVER = r"(?!)"


def has_sections(lines: Iterable[str]) -> bool:
    """Whether a line is a section's heading."""
    return any(_SECTION.fullmatch(line.strip()) is not None for line in lines)


def gitlab_owners(lines: Sequence[str]) -> Parsed:
    """Sections of one name are one, whatever their case. What stands in none is a section without a name."""
    parsed = Parsed()
    here, default = _section(parsed, ""), ()  # type: Section, tuple[str, ...]
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        heading = _SECTION.fullmatch(line)
        if heading is None:
            here.rules += _rules(line, default, parsed, number)
            continue
        here = _heading(parsed, heading, number)
        default = tuple(_owners(heading["owners"].split(), parsed, number))
    return parsed


def _heading(parsed: Parsed, heading: re.Match[str], number: int) -> Section:
    """The section that begins, or goes on; it is optional where each of its headings says so."""
    known = len(parsed.sections)
    section = _section(parsed, heading["name"].strip())
    optional, asked = heading["optional"] is not None, heading["approvals"]
    section.optional = optional and (section.optional or len(parsed.sections) > known)
    count = int(asked) if asked is not None and asked.isascii() and asked.isdigit() else 0
    if asked is not None and count < 1:
        parsed.warnings.append((number, f"[{asked}] is no number of approvals: one is asked for"))
    section.approvals = max(section.approvals, count)
    return section


def _section(parsed: Parsed, name: str) -> Section:
    found = next((one for one in parsed.sections if one.name.casefold() == name.casefold()), None)
    if found is None:
        found = Section(name)
        parsed.sections.append(found)
    return found


def _rules(line: str, default: tuple[str, ...], parsed: Parsed, number: int) -> Iterator[Rule]:
    """The rule of a line; without owners of its own it has the section's."""
    words = line.replace("\\ ", _SPACE).split()
    pattern, spares = words[0].removeprefix("!"), words[0].startswith("!")
    if not pattern:
        parsed.warnings.append((number, "`!` names nothing: this line owns nothing"))
        return
    regex = _regex(pattern)
    if regex is None:
        parsed.warnings.append((number, "neither a section nor a path that can match: this line owns nothing"))
        return
    owners = () if spares else tuple(_owners(words[1:], parsed, number)) or default
    yield Rule(_gitignore(pattern), re.compile(regex), owners, spares)


def _owners(words: Sequence[str], parsed: Parsed, number: int) -> Iterator[str]:
    """Those words that name somebody, behind a ``#`` too, as GitLab reads them; of others each line is told once."""
    comment = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
    bad = next((word for word in words[:comment] if "@" not in word), None)
    if bad is not None:
        parsed.warnings.append((number, f"{bad.replace(_SPACE, ' ')!r} is no owner and left out"))
    yield from dict.fromkeys(word for word in words if "@" in word and not word.startswith("#"))


def _gitignore(pattern: str) -> str:
    """The same in gitignore syntax, where a path with a slash inside is bound to the top."""
    plain = pattern.replace(_SPACE, "\\ ")
    return plain if plain.startswith("/") or "/" not in plain.rstrip("/") else f"**/{plain}"


def _regex(pattern: str) -> str | None:
    """A path of the repository against the whole pattern; without ``/`` in front it may lie anywhere. None: never."""
    bare = pattern.removeprefix("\\") if pattern.startswith("\\#") else pattern
    whole = bare if bare.startswith("/") else f"/**/{bare}"
    parts = [*(f"{whole}**/*" if whole.endswith("/") else whole).split("/")][1:]
    found = [_part(part, last=at == len(parts) - 1) for at, part in enumerate(parts)]
    return rf"\A{''.join(found)}\Z" if _NEVER not in found else None


def _part(part: str, *, last: bool) -> str:
    if part == "**" and not last:
        return r"(?:[^/]+/)*"
    told = _glob(part)
    return told if told == _NEVER or last else f"{told}/"


def _glob(part: str) -> str:
    """One name of a path: ``*``, ``?``, ``[a-z]``, ``[!a]`` and escapes, as fnmatch reads them; nothing matches a /."""
    told, at = "", 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            told = told if told.endswith("[^/]*") else told + "[^/]*"
        elif char == "?":
            told += "[^/]"
        elif char == "[":
            end = part.find("]", at + 1 + (part[at : at + 1] in {"!", "^"}))
            if end < 0:
                return _NEVER
            told += _class(part[at:end])
            at = end + 1
        else:
            if char == "\\" and at < len(part):
                char, at = part[at], at + 1
            told += r"\ " if char == _SPACE else re.escape(char)
    return told


def _class(inside: str) -> str:
    negated = inside[:1] in {"!", "^"}
    body = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside[1:] if negated else inside)
    try:
        re.compile(f"[{body}]")
    except re.error:
        return _NEVER
    return f"(?!/)[{'^' if negated else ''}{body}]"
