"""Whether one pattern matches everything that another one does."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.rules.match import Matcher
from passdown.rules.patterns import lazy

_GLOB = lazy(r"(?<!\\)[*?\[]")
_ESCAPED = lazy(r"\\(.)")
_ANY = "\x01"


def covers(wide: str, narrow: str) -> bool:
    """True only where it is certain: the same pattern, or ``narrow`` lies whole in what ``wide`` names."""
    return wide == narrow or _matches_all(Matcher.compile([wide]), wide, narrow)


def merged(entries: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """``(pattern, reasons)``: of patterns that cover one another the widest, at the place of the first of them."""
    matchers = {pattern: Matcher.compile([pattern]) for pattern, _ in entries}
    found: list[tuple[str, list[str]]] = []
    for pattern, because in entries:
        for at, (known, reasons) in enumerate(found):
            inside = known == pattern or _matches_all(matchers[known], known, pattern)
            if inside or _matches_all(matchers[pattern], pattern, known):
                told = reasons if because in reasons else [*reasons, because]
                found[at] = (known if inside else pattern, told)
                break
        else:
            found.append((pattern, [because]))
    return _again(found, matchers)


def _again(found: list[tuple[str, list[str]]], matchers: dict[str, Matcher]) -> list[tuple[str, list[str]]]:
    """A pattern that grew may cover a later one by now."""
    kept: list[tuple[str, list[str]]] = []
    for pattern, reasons in found:
        wide = next((i for i, (k, _) in enumerate(kept) if _matches_all(matchers[k], k, pattern)), None)
        if wide is None:
            kept.append((pattern, reasons))
        else:
            known, told = kept[wide]
            kept[wide] = (known, [*told, *(r for r in reasons if r not in told)])
    return kept


def _matches_all(matcher: Matcher, wide: str, narrow: str) -> bool:
    probes = _probes(narrow, folder=wide.endswith(("/", "/**")) and not _GLOB.search(wide.rstrip("*")))
    return bool(probes) and all(matcher.matches(probe) is not None for probe in probes)


def _probes(pattern: str, *, folder: bool) -> list[str]:
    """Paths such that whoever matches them all matches whatever the pattern does; [] where none can say so.

    ``folder``: the asking pattern names a plain folder, so a path at any depth in it speaks for all.
    """
    anchored = "/" in pattern.rstrip("/")
    below = pattern.endswith(("/", "/**"))
    body = pattern.removesuffix("**").strip("/") if pattern.endswith("/**") else pattern.strip("/")
    parts = body.split("/")
    plain = next((at for at, part in enumerate(parts) if _GLOB.search(part)), len(parts))
    if plain < len(parts) and not (folder and anchored and plain):
        return []
    path = _ESCAPED.sub(r"\1", "/".join(parts[:plain]))
    found = [f"{path}/{_ANY}"] if below or plain < len(parts) else [path, f"{path}/{_ANY}"]
    return found if anchored else [*found, *(f"{_ANY}/{probe}" for probe in found)]
