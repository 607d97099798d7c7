"""Patches: which files they touch, from their own text or from what Codex says it changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from passdown.agents.codex.records import Change
from passdown.agents.stream import MOST_ADDED
from passdown.agents.wire import begins, text_of
from passdown.model.session import Op
from passdown.rules.patterns import lazy

_LINE = lazy(r"^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to): (.+?)[ \t\r]*$", re.MULTILINE)
_ADDED = lazy(r"^\+(?!\+\+ )(.*)$", re.MULTILINE)
_SHOWN = lazy(r"^[ @](.*)$", re.MULTILINE)
_REMOVED = lazy(r"^-(?!-- )(.*)$", re.MULTILINE)
_IN_SHELL = lazy(r"(?:\A|[\s;&|(/])(?:apply_patch|applypatch|--codex-run-as-apply-patch)(?:\s|\Z)")
_CD = lazy(r"""\A\s*cd\s+(?:"([^"]+)"|'([^']+)'|(\S+?))\s*(?:&&|;|\n)""")
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
    found: list[Touched] = []
    heads = list(_LINE.finditer(patch))
    ends = [head.start() for head in heads[1:]] + [len(patch)]
    for head, end in zip(heads, ends, strict=False):
        kind, path = head.groups()
        hunks = patch[head.end() : end]
        if kind != "Move to":
            found.append(Touched(path, _OPS[kind], None, *_parts(hunks)))
        elif found and found[-1].op == "modify":
            found[-1] = Touched(found[-1].path, "rename", path, *_parts(hunks))
    return found


def _parts(hunks: str) -> tuple[str, str, str]:
    """Join the lines of hunks that are put in, those that are only shown, those that are taken out."""
    return _joined(_ADDED, hunks), _joined(_SHOWN, hunks), _joined(_REMOVED, hunks)


def _joined(kind: re.Pattern[str], hunks: str) -> str:
    return "\n".join(kind.findall(hunks))[:MOST_ADDED]


def in_shell(command: str) -> str | None:
    """Return the patch that a shell command hands to apply_patch; Codex applies it itself."""
    start = command.find("*** Begin Patch")
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
        added, around, removed = _parts(diff)
        added = added if diff else whole[:MOST_ADDED] if kind == "add" else ""
        yield Touched(path, "rename" if moved else _KINDS.get(kind, "modify"), moved, added, around, removed)
