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
SETTINGS = (".claude/settings.json", ".claude/settings.local.json")
PER_FILE = 12
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


def notes(read: Read) -> Iterator[Told]:
    """Lines of handoff files, in their words, with file and line (case: nobody asked for them)."""
    for name in NOTES:
        text = read(name)
        if name.endswith(".json"):
            yield from _features(name, text)
            continue
        text = without(text)
        found = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip() and not _HEADING.match(line)]
        bullets = [(n, match[1]) for n, line in found if (match := _BULLET.match(line))]
        for number, line in (bullets or found)[:PER_FILE]:
            yield Told(line.strip(), f"{name}:{number}")


def _features(name: str, text: str) -> Iterator[Told]:
    """A feature list says of each feature whether it passes."""
    try:
        listed = json.loads(text) if text else []
    except ValueError:
        return
    entries = listed.get("features", []) if isinstance(listed, dict) else listed
    shown = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    for entry in shown[:PER_FILE]:
        what = str(entry.get("description") or entry.get("name") or entry.get("feature") or "")
        if what:
            line = text[: max(text.find(what), 0)].count("\n") + 1
            passes = entry.get("passes")
            state = "no state given" if not isinstance(passes, bool) else "passes" if passes else "does not pass"
            yield Told(f"{what}: {state}", f"{name}:{line}")


def rules(read: Read, paths: Collection[str]) -> Iterator[Told]:
    """What instruction files and permission settings forbid, with the places that they name."""
    for name in INSTRUCTIONS:
        for number, line in enumerate(read(name).splitlines(), 1):
            forbids = _FORBIDS.search(line)
            places = _places(line[forbids.end() :], paths) if forbids else ()
            if places:
                yield Told(line.strip().lstrip("-*# "), f"{name}:{number}", places)
    for name in SETTINGS:
        yield from _denied(name, read(name))


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
