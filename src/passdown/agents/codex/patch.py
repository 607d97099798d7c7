"""Patches: which files they touch, from their own text or from what Codex says it changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from passdown.agents.codex.records import Change
from passdown.agents.stream import MOST_ADDED
from passdown.agents.wire import begins, text_of
from passdown.model.session import Op
from passdown.rules.patterns import lazy

BEGIN = "*** Begin Patch"
_LINE = lazy(r"[ \t]*\*\*\* (Add File|Update File|Delete File|Move to): [ \t]*(\S.*)")
_IN_SHELL = lazy(r"(?:\A|[\s;&|(/])(?:apply_patch|applypatch|--codex-run-as-apply-patch)(?:\s|\Z)")
_CD = lazy(r"""\A\s*cd\s+(?:"([^"]+)"|'([^']+)'|(\S+?))\s*(?:&&|;|\n)""")
_SHOWN = frozenset(" @")
_OPS: dict[str, Op] = {"Add File": "create", "Update File": "modify", "Delete File": "delete"}
_KINDS: dict[str, Op] = {"add": "create", "update": "modify", "delete": "delete"}


class Touched(NamedTuple):
    """One file of a patch; ``to`` is its new name."""

    path: str
    op: Op
    to: str | None = None
    added: str = ""
    around: str = ""
    removed: str = ""


def in_text(patch: str) -> list[Touched]:
    """List the files that a patch's text names."""
    sections: list[tuple[str, str, list[str]]] = []
    for line in patch.split("\n"):
        head = _LINE.fullmatch(line) if "*** " in line else None
        if head is not None:
            sections.append((head[1], head[2].rstrip(" \t\r"), []))
        elif sections:
            sections[-1][2].append(line)
    found: list[Touched] = []
    for kind, path, lines in sections:
        if kind != "Move to":
            found.append(Touched(path, _OPS[kind], None, *_parts(lines)))
        elif found and found[-1].op == "modify":
            found[-1] = Touched(found[-1].path, "rename", path, *_parts(lines))
    return found


def _parts(lines: list[str]) -> tuple[str, str, str]:
    """Join the lines of hunks that are put in, those that are only shown, those that are taken out."""
    added: list[str] = []
    around: list[str] = []
    removed: list[str] = []
    for line in lines:
        mark = line[:1]
        if mark == "+":
            if line[:4] != "+++ ":
                added.append(line[1:])
        elif mark == "-":
            if line[:4] != "--- ":
                removed.append(line[1:])
        elif mark in _SHOWN:
            around.append(line[1:])
    return _joined(added), _joined(around), _joined(removed)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines)[:MOST_ADDED]


def in_shell(command: str) -> str | None:
    """Return the patch that a shell command hands to apply_patch; Codex applies it itself."""
    start = command.find(BEGIN)
    return command[start:] if start >= 0 and _IN_SHELL.search(command[:start]) else None


def folder_of(command: str, cwd: str | None) -> str | None:
    """Return the folder in which a shell command's patch applies, after a leading ``cd``."""
    found = _CD.match(command)
    if found is None:
        return cwd
    folder = next(part for part in found.groups() if part)
    return folder if folder.startswith("/") or cwd is None else f"{cwd}/{folder}"


def confirmed(changes: dict[str, Change]) -> Iterator[Touched]:
    """Yield the files of a patch_apply_end or FileChange."""
    for path, change in changes.items():
        kind = change.type or (
            "add" if change.add is not None else "delete" if begins(change.delete, b"{") else "update"
        )
        moved = change.move_path or (change.update.move_path if change.update else None)
        diff = text_of(change.unified_diff) or (text_of(change.update.unified_diff) if change.update else "")
        whole = text_of(change.content) or (change.add.content if change.add else "")
        added, around, removed = _parts(diff.split("\n"))
        added = added if diff else whole[:MOST_ADDED] if kind == "add" else ""
        yield Touched(path, "rename" if moved else _KINDS.get(kind, "modify"), moved, added, around, removed)
