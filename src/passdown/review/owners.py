"""Who owns a path: CODEOWNERS as it stands at the base revision, in GitHub's and GitLab's places."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from codeowners import CodeOwners
from msgspec import Struct, field

from passdown.rules.patterns import lazy
from passdown.workspace import diff
from passdown.workspace.place import Place

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_LIMIT = 3 * 1024 * 1024  # both forges ignore a larger file
_SECTION = lazy(r"^\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>(?:\s+\S+)*)\s*$")


class Owners(Struct, frozen=True):
    """The owners at one revision. ``source`` None: no file; ``warnings``: one line for each that was not understood."""

    source: str | None = None
    digest: str | None = None
    rules: CodeOwners | None = None
    warnings: list[str] = field(default_factory=list)

    def of(self, path: str) -> tuple[str, ...]:
        """Owners of one path: its last matching line, in each GitLab section; () where nobody owns it."""
        if self.rules is None:
            return ()
        found: dict[str | None, list[str]] = {}
        for owners, _, _, section in self.rules.matching_lines(path):
            found.setdefault(section, [name for _, name in owners])
        return tuple(dict.fromkeys(name for names in found.values() for name in names))

    def of_all(self, paths: Iterable[str]) -> list[str]:
        """Owners of any of the paths, sorted."""
        return sorted({owner for path in paths for owner in self.of(path)})


def load_owners(place: Place, revision: str | None) -> Owners:
    """CODEOWNERS of ``revision`` (a commit; None: nothing is owned)."""
    if revision is None:
        return Owners()
    found = diff.read_paths(place, revision, PLACES)
    return next((parse_owners(path, raw) for path, raw in found.items() if raw is not None), Owners())


def parse_owners(source: str, raw: bytes) -> Owners:
    """The owners that a file's bytes name; a bad line is left out and told, as the forges do."""
    digest = hashlib.sha256(raw).hexdigest()
    if len(raw) > _LIMIT:
        return Owners(source, digest, None, [f"{source}: larger than 3 MB, so no forge reads it: nobody is an owner"])
    lines, warnings = _readable(source, raw.decode("utf-8", "replace").splitlines())
    return Owners(source, digest, CodeOwners("\n".join(lines)), warnings)


def _readable(source: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Lines that the library understands: comments cut, a section's default owners written out."""
    kept: list[str] = []
    warnings: list[str] = []
    default = ""
    for number, line in enumerate(lines, start=1):
        rule = _without_comment(line)
        section = _SECTION.match(rule)
        if section is not None:
            default = section["owners"].strip()
            kept.append(f"[{section['name'].strip().lower()}]")
            continue
        if not rule:
            continue
        if default and len(rule.replace("\\ ", "_").split()) == 1:
            rule = f"{rule} {default}"
        problem = _problem(rule)
        if problem:
            warnings.append(f"{source}:{number}: {problem}: this line owns nothing")
        else:
            kept.append(rule)
    return kept, warnings


def _without_comment(line: str) -> str:
    """The rule of a line: a ``#`` at its start or after white space begins a comment."""
    return re.sub(r"(^|(?<!\\)\s)#.*$", "", line).strip()


def _problem(rule: str) -> str:
    words = rule.replace("\\ ", "_").split()
    if words[0].startswith("!"):
        return "`!` is not understood"
    bad = next((word for word in words[1:] if "@" not in word), None)
    if bad is not None:
        return f"{bad!r} is no owner"
    try:
        CodeOwners(rule)
    except (ValueError, re.error) as error:
        return str(error)
    return ""


def others(owners: Owners, mine: Sequence[str], touched: Iterable[str]) -> list[tuple[str, str]]:
    """``(pattern, owner)`` of what belongs to others than ``mine``, for the proposal's denials.

    Where CODEOWNERS names nobody of ``mine``, whoever owns the ``touched`` files stands in. A pattern over
    the whole tree, or one that a later line opens for ``mine``, is no denial: deny would win over both.
    """
    if owners.rules is None:
        return []
    rules = [(pattern, [name for _, name in names]) for _, pattern, names, _, _ in reversed(owners.rules.paths)]
    known = {name for _, names in rules for name in names}
    own = known & set(mine) or set(owners.of_all(touched))
    found = []
    for at, (pattern, names) in enumerate(rules):
        opened = any(own & set(later) and _within(inner, pattern) for inner, later in rules[at + 1 :])
        if names and not own & set(names) and not opened and pattern.strip("/*"):
            found.append((pattern, ", ".join(names)))
    return found


def _within(inner: str, outer: str) -> bool:
    return inner.strip("/").startswith(outer.strip("/").rstrip("*").rstrip("/"))
