"""Words in the repository itself: handoff notes (only said), and what its rules forbid."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator

from passdown.packet.sources import Told
from passdown.rules.marked_block import without
from passdown.rules.patterns import lazy

NOTES = ("HANDOFF.md", "TODO.md", "claude-progress.txt", "feature_list.json")
INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md")
NESTED = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
SETTINGS = (".claude/settings.json", ".claude/settings.local.json")
PER_FILE = 12
MOST_FEATURES = 200
RULE_FILES = 50
LONGEST_NOTE = 256 * 1024
LONGEST_LINE = 300
"""Characters."""
_BULLET = lazy(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$")
_HEADING = lazy(r"^\s*(?:#|```|---|===|\|)")
_FORBIDS = lazy(
    r"\b(?:do\s+not|don['\u2019]t|never|must\s+not)\s+(?:ever\s+)?(?:touch|edit|modify|change|delete|remove|rewrite|write\s+to)\b",
    re.IGNORECASE,
)
_QUOTED = lazy(r"`([^`\s]+)`")
_WORD = lazy(r"[\w.*/-]*[\w*/]")
_DENY = lazy(r"^(?:Edit|Write|MultiEdit|NotebookEdit)\((.+)\)$")

Read = Callable[[str], str]
"""The text of a file of the tree, "" where there is none."""


def nothing(_name: str) -> str:
    """No file is there."""
    return ""


def notes(read: Read, before: Read = nothing, named: Collection[str] = ()) -> Iterator[Told]:
    """Lines of handoff files that are not there ``before`` the task, in their words, with file and line (B19).

    Of a file that the person's own request names every line is told.
    """
    for name in NOTES:
        old = set() if name in named else {told.text for told in lines_of(name, before(name))}
        yield from [told for told in lines_of(name, read(name)) if told.text not in old][:PER_FILE]


def older(read: Read, before: Read, named: Collection[str] = ()) -> list[str]:
    """Handoff files that say nothing that they did not say before the task."""
    said = {told.source.rpartition(":")[0] for told in notes(read, before, named)}
    return [name for name in NOTES if name not in said and any(lines_of(name, read(name)))]


def lines_of(name: str, text: str) -> list[Told]:
    """The entries of one note: bullets where it has any, else its lines; of a list of features each with its state."""
    text = text[:LONGEST_NOTE]
    if name.endswith(".json"):
        return list(_features(name, text))
    lines = enumerate(without(text).splitlines(), 1)
    found = [(n, line) for n, line in lines if line.strip() and not _HEADING.match(line)]
    bullets = [(n, match[1]) for n, line in found if (match := _BULLET.match(line))]
    return [Told(line.strip()[:LONGEST_LINE], f"{name}:{number}") for number, line in bullets or found]


def _features(name: str, text: str) -> Iterator[Told]:
    """A feature list says of each feature whether it passes."""
    try:
        listed = json.loads(text) if text else []
    except (ValueError, RecursionError):
        return
    entries = listed.get("features", []) if isinstance(listed, dict) else listed
    shown = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    for entry in shown[:MOST_FEATURES]:
        what = str(entry.get("description") or entry.get("name") or entry.get("feature") or "")
        if what:
            line = text[: max(text.find(what), 0)].count("\n") + 1
            passes = entry.get("passes")
            state = "no state given" if not isinstance(passes, bool) else "passes" if passes else "does not pass"
            yield Told(f"{what[:LONGEST_LINE]}: {state}", f"{name}:{line}")


def rules(read: Read, paths: Collection[str]) -> Iterator[Told]:
    """What instruction files and permission settings forbid, with the places that they name.

    A file in a folder speaks of that folder first: what it names is looked for there, then from the root.
    """
    deeper = (path for path in paths if path.rpartition("/")[2] in NESTED and path not in INSTRUCTIONS)
    nested = sorted(deeper, key=lambda path: (path.count("/"), path))[:RULE_FILES]
    for name in (*INSTRUCTIONS, *nested):
        folder = name.rpartition("/")[0] if name in nested else ""
        for number, line in enumerate(read(name)[:LONGEST_NOTE].splitlines(), 1):
            forbids = _FORBIDS.search(line)
            places = _places(line[forbids.end() :], _below(folder, paths)) if forbids else ()
            if places:
                yield Told(
                    line.strip().lstrip("-*# ")[:LONGEST_LINE],
                    f"{name}:{number}",
                    tuple(_from_root(place, folder, paths) for place in places),
                )
    for name in SETTINGS:
        yield from _denied(name, read(name))


def _below(folder: str, paths: Collection[str]) -> Collection[str]:
    """The paths as a file in that folder would name them, beside those from the root."""
    below = f"{folder}/"
    return {*paths, *(path.removeprefix(below) for path in paths if path.startswith(below))} if folder else paths


def _from_root(place: str, folder: str, paths: Collection[str]) -> str:
    """A place that a nested file names, as the root names it."""
    bare = place.removeprefix("./")
    if not folder or place.startswith("/"):
        return place
    stem = bare.partition("*")[0].rstrip("/")
    here = f"{folder}/{stem}".rstrip("/")
    inside = any(path == here or path.startswith(f"{here}/") for path in paths)
    elsewhere = any(path == stem or path.startswith(f"{stem}/") for path in paths)
    return bare if elsewhere and not inside else f"/{folder}/{bare}"


def _places(words: str, paths: Collection[str]) -> tuple[str, ...]:
    """Places named after "do not touch": in backticks, else words that look like a path or are one in this tree."""
    quoted = _QUOTED.findall(words)
    if quoted:
        return tuple(quoted)
    folders = {part for path in paths for part in path.split("/")[:-1]}
    found = (word.rstrip(".") for word in _WORD.findall(words))
    return tuple(w for w in found if ("/" in w.strip("/") and len(w) > 2) or w.strip("/") in folders or w in paths)  # noqa: PLR2004


def _denied(name: str, text: str) -> Iterator[Told]:
    try:
        settings = json.loads(text) if text else {}
    except ValueError:
        return
    permissions = settings.get("permissions") if isinstance(settings, dict) else None
    listed = permissions.get("deny") if isinstance(permissions, dict) else None
    for rule in listed if isinstance(listed, list) else []:
        found = _DENY.match(str(rule))
        if found and not found[1].startswith(("//", "~")):
            yield Told(str(rule), name, (found[1].removeprefix("./").removeprefix("/"),))
