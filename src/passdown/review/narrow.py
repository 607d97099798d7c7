"""Changing a boundary: what an answer makes of it, and whether that is narrower."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from passdown.errors import PassdownError
from passdown.model.boundary import Boundary, Entry, Source
from passdown.model.paths import from_wire
from passdown.rules.match import Matcher, literal, single
from passdown.rules.patterns import lazy
from passdown.rules.protect import protected

_GLOB = lazy(r"[*?\[]")
_NUMBER = lazy(r"-(\d+)")


def repository_path(root: Path, path: str) -> str:
    """``path`` as typed in the current folder, as the repository names it; PassdownError where it lies outside."""
    full = Path(os.path.abspath(Path.cwd() / path))  # noqa: PTH100 -- resolve() would follow the last link
    parent = full.parent.resolve() / full.name
    if not parent.is_relative_to(root):
        raise PassdownError(f"{path} lies outside the worktree {root}", "name a path inside it")
    return parent.relative_to(root).as_posix()


def of_root(root: Path, pattern: str) -> str:
    """A pattern (behind ``+`` or ``-``) that names the worktree's own folder, as the repository names it.

    PassdownError where it names another place on this machine: it would match nothing.
    """
    sign = pattern[:1] if pattern[:1] in ("+", "-") else ""
    bare = pattern.removeprefix(sign)
    if bare.startswith(f"{root}/"):
        return sign + bare.removeprefix(str(root))
    first = Path("/", *Path(bare).parts[1:2])
    if bare.startswith("/") and first != Path("/") and first.exists() and not (root / first.name).exists():
        raise PassdownError(f"{bare} lies outside the worktree", "patterns are relative to the repository: src/**")
    return pattern


def next_version(boundary: Boundary, source: Source) -> Boundary:
    """The same boundary as the next version of that source, sealed."""
    return msgspec.structs.replace(boundary, version=boundary.version + 1, source=source).sealed()


def add(boundary: Boundary, *, allow: Sequence[str] = (), deny: Sequence[str] = (), because: str) -> Boundary:
    """With further patterns; one that stands there already is not repeated, and a file that is denied now is gone."""
    Matcher.compile(allow)
    denied = Matcher.compile(deny)
    kept = [entry for entry in boundary.allow if not _names_one_of(entry, denied)]
    return msgspec.structs.replace(
        boundary,
        allow=_with(kept, allow, "B", because, taken=boundary.allow),
        deny=_with(boundary.deny, deny, "N", because),
        opened=[*boundary.opened, *_opened(boundary, allow)],
    )


def _names_one_of(entry: Entry, denied: Matcher) -> bool:
    """Whether the entry names a single file that is denied."""
    path = single(from_wire(entry.path, entry.path_b64))
    return path is not None and denied.matches(path) is not None


def allow_only(boundary: Boundary, patterns: Sequence[str], because: str) -> Boundary:
    """Only these patterns allowed; entries that stay keep id and reason."""
    Matcher.compile(patterns)
    stays = [entry for entry in boundary.allow if entry.path in patterns]
    taken = boundary.allow
    added = _with(taken, patterns, "B", because)[len(taken) :]
    opened = [*(path for path in boundary.opened if path in patterns), *_opened(boundary, patterns)]
    return msgspec.structs.replace(boundary, allow=[*stays, *added], opened=opened)


def apply(boundary: Boundary, specs: Sequence[str], because: str) -> Boundary:
    """What ``--narrow`` means: ``-3`` or ``-B3`` drops an entry, ``-path`` denies a path, ``+path`` adds one.

    Numbers count the allow entries as the screen shows them. ``-N1`` lifts a deny; without that a path under it
    cannot be added, since deny wins.
    """
    allow = list(boundary.allow)
    dropped: list[Entry] = [entry for entry in boundary.deny if f"-{entry.id}" in specs]
    added: list[str] = []
    denied: list[str] = []
    for spec in specs:
        if spec.startswith("+") and spec[1:]:
            added.append(spec[1:] if _GLOB.search(spec) or spec.endswith("/") else literal(spec[1:].lstrip("/")))
        elif (number := _NUMBER.fullmatch(spec)) is not None:
            dropped.append(_numbered(allow, int(number[1])))
        elif spec in {f"-{entry.id}" for entry in boundary.deny}:
            continue
        elif spec.startswith("-") and spec[1:]:
            names = (spec[1:], literal(spec[1:].lstrip("/")))
            entry = next((e for e in allow if e.id == spec[1:] or e.path in names), None)
            if entry is None:
                denied.append(spec[1:])
            else:
                dropped.append(entry)
        else:
            raise PassdownError(
                f"not understood: {spec!r}", "-3 drops entry 3, +src/backoff.py adds a path, -docs/** denies one"
            )
    kept = msgspec.structs.replace(
        boundary,
        allow=[entry for entry in allow if entry not in dropped],
        deny=[entry for entry in boundary.deny if entry not in dropped],
    )
    _refuse_denied(kept, added)
    return add(kept, allow=added, deny=denied, because=because)


def _refuse_denied(boundary: Boundary, added: Sequence[str]) -> None:
    """PassdownError where a path that is to be added stays forbidden all the same."""
    matcher = Matcher.compile([entry.path for entry in boundary.deny])
    for path in added:
        found = matcher.matches(path.strip("/"))
        if found is not None:
            entry, named = boundary.deny[found], single(path) or path
            raise PassdownError(
                f"{named} stays forbidden: {entry.id} {single(entry.path) or entry.path} ({entry.because})",
                f"to lift that as well: passdown review --narrow -{entry.id} +{named}",
            )


def _numbered(allow: Sequence[Entry], number: int) -> Entry:
    if not 1 <= number <= len(allow):
        raise PassdownError(f"there is no entry {number}", f"the entries are numbered 1 to {len(allow)}")
    return allow[number - 1]


def _opened(boundary: Boundary, patterns: Sequence[str]) -> list[str]:
    """Those patterns that name one protected path: a person who types it, opens it."""
    plain = [pattern for pattern in patterns if not _GLOB.search(pattern) and pattern not in boundary.opened]
    return [pattern for pattern in plain if protected(pattern.strip("/")) is not None]


def _with(
    entries: Sequence[Entry], patterns: Sequence[str], letter: str, because: str, *, taken: Sequence[Entry] = ()
) -> list[Entry]:
    """``entries`` and the new patterns, numbered on; ids, those of ``taken`` too, are never used twice."""
    known = {entry.path for entry in entries}
    used = max((int(e.id[1:]) for e in (*entries, *taken) if e.id[1:].isdigit()), default=0)
    fresh = [pattern for pattern in dict.fromkeys(patterns) if pattern not in known]
    added = [Entry(id=f"{letter}{used + i}", path=p, because=because) for i, p in enumerate(fresh, 1)]
    return [*entries, *added]
