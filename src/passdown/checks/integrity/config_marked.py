"""Configuration in YAML and XML as flat settings: by indentation and by elements, as far as settings need it."""

from __future__ import annotations

from collections.abc import Iterator

from passdown.rules.integrity.settings import Value
from passdown.rules.patterns import lazy

_ENTRY = lazy(r"(?P<key>[\w.@/$*~-][\w .@/$*~-]*?|'[^']*'|\"[^\"]*\")\s*:(?:\s+(?P<value>.*))?")
_REMARK = lazy(r"(?:^|\s)#.*$")
_NAMES = frozenset({"id", "name", "uses", "repo", "module", "path"})
"""What a mapping in a list is called by."""
_TAG = lazy(r"(?s)<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|"
            r"<(?P<end>/?)(?P<name>[\w:.-]+)(?P<more>(?:\"[^\"]*\"|'[^']*'|"
            r"[^>\"'])*?)(?P<alone>/?)>|(?P<text>[^<]+)")  # fmt: skip
_ATTRIBUTE = lazy(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_CALLED = frozenset({"artifactId", "id"})
_LONGEST = 2_000_000


def yaml_settings(text: str) -> Iterator[tuple[str, Value]]:
    """Dotted name -> value; items of a list that are plain are one value."""
    trail: list[tuple[int, str]] = []
    lists: dict[str, list[str]] = {}
    for raw in text[:_LONGEST].splitlines():
        line = _REMARK.sub("", raw).rstrip()
        at = len(line) - len(line.lstrip())
        said = line.strip()
        if not said or said.startswith(("---", "%", "...")):
            continue
        item = False
        while said.startswith("- ") or said == "-":
            trail = [one for one in trail if one[0] < at]
            item, rest = True, said[1:].lstrip()
            at += len(said) - len(rest)
            said = rest
        trail = [one for one in trail if one[0] < at]
        entry = _ENTRY.fullmatch(said)
        if entry is None:
            if item and said:
                lists.setdefault(".".join(name for _, name in trail), []).append(said.strip("'\""))
            continue
        key, value = entry["key"].strip("'\""), (entry["value"] or "").strip()
        if item and key in _NAMES and value:
            trail.append((at - 1, value.strip("'\"").replace(".", "_")))
        trail.append((at, key))
        if value and value not in ("|", ">", "|-", ">-"):
            yield ".".join(name for _, name in trail), _scalar(value)
    yield from ((name, tuple(items)) for name, items in lists.items())


def xml_settings(text: str) -> Iterator[tuple[str, Value]]:
    """Dotted name of the elements -> text; attributes as elements in them. A ``plugin`` bears its ``artifactId``."""
    trail: list[str] = []
    for part in _TAG.finditer(text[:_LONGEST]):
        said = (part["text"] or part["data"] or "").strip()
        if said and trail:
            if trail[-1] in _CALLED and len(trail) > 1:
                trail[-2] = f"{trail[-2]}({said})"
            yield ".".join(trail), _scalar(said)
        if not part["name"]:
            continue
        if part["end"]:
            trail = trail[:-1]
            continue
        trail.append(part["name"])
        for name, one, other in _ATTRIBUTE.findall(part["more"] or ""):
            yield ".".join((*trail, name)), _scalar(one or other)
        if part["alone"]:
            trail = trail[:-1]


def _scalar(said: str) -> Value:
    """``[a, b]`` as a list, ``90%`` and ``0.8`` as numbers, ``true`` as that."""
    word = said.strip()
    if word.startswith("[") and word.endswith("]"):
        return tuple(one.strip().strip("'\"") for one in word[1:-1].split(",") if one.strip())
    word = word.strip("'\"")
    if word.lower() in ("true", "false", "yes", "no"):
        return word.lower() in ("true", "yes")
    try:
        return float(word.removesuffix("%"))
    except ValueError:
        return word
