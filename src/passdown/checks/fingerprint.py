"""The inputs of a check: which files of a tree it depends on, and what they hold."""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from passdown.checks.definition import Defined
from passdown.checks.tools import BY_PRODUCTS, CONFIGURATION, LOCKFILES
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition, Fingerprint, Tier
from passdown.rules.match import Matcher
from passdown.rules.patterns import lazy

_GLOB = lazy(r"[*?\[\\]")


class Inputs(Struct, frozen=True):
    """``files`` maps each input path to its mode and content id."""

    fingerprint: Fingerprint
    files: Mapping[str, tuple[str, str]]


def inputs(view: TreeView, defined: Defined) -> Inputs:
    """The check's inputs in this tree; ``inputs_ignored`` are read from the disk."""
    definition = defined.definition
    key = ("inputs", tuple(definition.inputs), definition.report, defined.paths, tuple(definition.inputs_ignored))
    return view.once(key, lambda: _inputs(view, defined))


def is_input(defined: Defined, path: str) -> bool:
    """Whether a file at this path is an input, there or not."""
    definition = defined.definition
    wanted = Matcher.compile(definition.inputs) if definition.inputs else None
    return path in defined.paths or (path != _report(definition) and _input(path, wanted))


def matched(view: TreeView, definition: CheckDefinition) -> bool:
    """Whether any file is one that ``inputs`` or ``inputs_ignored`` name: a misspelt folder would never be stale."""
    wanted = Matcher.compile(definition.inputs)
    return any(wanted.matches(path) is not None for path in view.entries) or any(ignored_inputs(view, definition))


def ignored_inputs(view: TreeView, definition: CheckDefinition) -> list[str]:
    """Paths of the ignored files that ``inputs_ignored`` makes inputs."""
    return [path for path, _ in _ignored(view, definition)]


def _inputs(view: TreeView, defined: Defined) -> Inputs:
    definition = defined.definition
    tier: Tier = "declared" if definition.inputs else "whole-tree"
    wanted = Matcher.compile(definition.inputs) if definition.inputs else None
    report = _report(definition)
    files = {
        path: entry
        for path, entry in view.entries.items()
        if path in defined.paths or (path != report and _input(path, wanted))
    }
    files |= {path: entry for path, entry in _ignored(view, definition) if path not in files}
    return Inputs(Fingerprint(digest=_digest(tier, files), files=len(files), tier=tier), files)


def _report(definition: CheckDefinition) -> str | None:
    """The report is what the check writes, no input of it."""
    return posixpath.normpath(definition.report) if definition.report else None


def compare(old: Inputs, new: Inputs) -> list[str]:
    """Input paths that differ, sorted."""
    return sorted(p for p in old.files.keys() | new.files.keys() if old.files.get(p) != new.files.get(p))


def _input(path: str, wanted: Matcher | None) -> bool:
    if wanted is None:
        return BY_PRODUCTS.search(path) is None
    name = path.rsplit("/", 1)[-1]
    return name in LOCKFILES or name in CONFIGURATION or wanted.matches(path) is not None


def _digest(tier: Tier, files: Mapping[str, tuple[str, str]]) -> str:
    digest = hashlib.sha256(f"{tier}\0".encode())
    for path in sorted(files):
        mode, blob = files[path]
        digest.update(f"{mode} {blob} {path}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _ignored(view: TreeView, definition: CheckDefinition) -> Iterator[tuple[str, tuple[str, str]]]:
    """Files on the disk that ``inputs_ignored`` names and the tree does not hold."""
    if not definition.inputs_ignored:
        return
    wanted = Matcher.compile(definition.inputs_ignored)
    root = view.place.root
    for start in sorted({_literal_folder(pattern) for pattern in definition.inputs_ignored}):
        for path in _walk(root, start):
            if path not in view.entries and wanted.matches(path) is not None:
                yield path, disk_entry(root / path)


def _literal_folder(pattern: str) -> str:
    """The deepest folder that all matches of the pattern lie in; "" where it can match anywhere."""
    parts = pattern.strip("/").split("/")
    if len(parts) == 1 and not pattern.startswith("/"):
        return ""
    fixed = []
    for part in parts:
        if _GLOB.search(part):
            break
        fixed.append(part)
    return "/".join(fixed)


def _walk(root: Path, start: str) -> Iterator[str]:
    top = root / start
    if start and (top.is_file() or top.is_symlink()):
        yield start
        return
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(f for f in folders if f != ".git")
        relative = os.path.relpath(folder, root)
        links = [f for f in folders if Path(folder, f).is_symlink()]
        yield from (posixpath.normpath(posixpath.join(relative, name)) for name in sorted([*names, *links]))


def disk_entry(path: Path) -> tuple[str, str]:
    """``(mode, sha256)`` of a file, link or anything else on the disk; ``("", "")`` where there is none."""
    try:
        if path.is_symlink():
            return "120000", hashlib.sha256(os.fsencode(path.readlink())).hexdigest()
        if not path.is_file():
            return ("special", "") if path.exists() else ("", "")
        with path.open("rb") as file:
            return ("100755" if os.access(path, os.X_OK) else "100644"), hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return "unreadable", str(error.errno)
