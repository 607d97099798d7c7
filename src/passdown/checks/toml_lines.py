"""On which line of a TOML text a key stands: the parser of the standard library does not tell."""

from __future__ import annotations

from passdown.rules.patterns import lazy

_HEADER = lazy(r"^\s*\[(\[)?\s*([^\]]+?)\s*\]")
_KEY = lazy(r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = lazy(r""""([^"]*)"|'([^']*)'|([\w-]+)""")


def line_of(text: str, path: tuple[str, ...]) -> int:
    """The one-based line that says ``path``, or the closest key above it; 1 where nothing does.

    Keys inside inline tables and arrays count with the line of their own key.
    """
    best, depth = 1, 0
    for number, key in _keys(text):
        shared = _shared(key, path)
        if shared == len(key) and shared > depth:
            best, depth = number, shared
        elif shared > depth and shared == len(path):  # [checks.tests] says "checks" too
            return number
    return best


def _shared(key: tuple[str, ...], path: tuple[str, ...]) -> int:
    count = 0
    for one, other in zip(key, path, strict=False):
        if one != other:
            break
        count += 1
    return count


def _keys(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """Every header and key with its line, texts over several lines skipped."""
    found: list[tuple[int, tuple[str, ...]]] = []
    table: tuple[str, ...] = ()
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        if fence:
            fence = "" if fence in line else fence
            continue
        header, key = _HEADER.match(line), _KEY.match(line)
        if key:
            found.append((number, (*table, *_parts(key[1]))))
            fence = next((f for f in ('"""', "'''") if line.count(f) == 1), "")
        elif header:
            table = _parts(header[2])
            found.append((number, table))
    return found


def _parts(key: str) -> tuple[str, ...]:
    return tuple(a or b or c for a, b, c in _PART.findall(key))
