"""The control surface: what decides which commands run and which rules hold."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from passdown.workspace.git import Git, GitError, zsplit
from passdown.workspace.place import Place

# Names of parts are what a person reads; git's parts start with ".git/".
_WORKTREE = (
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".github/workflows",
    ".github/CODEOWNERS",
    ".gitlab-ci.yml",
    ".gitlab/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    ".mcp.json",
    "passdown.toml",
)
_LEFT_OUT = frozenset({"worktrees", "projects", "todos", "shell-snapshots", "logs", "sessions", "tmp"})
_WRITTEN_BY_GC = ("info", "refs")
_MOST_FILES = 1000
_LARGEST = 1 << 20


def control_parts(place: Place) -> dict[str, str]:
    """Name -> digest of each part that is there (git config, hooks, agents' settings, CODEOWNERS, policy...)."""
    parts: dict[str, str] = {}
    for name, path in _git_parts(place):
        if name in {".git/config", ".git/config.worktree"} and path.is_file():
            _add_settings(parts, name, path)
        else:
            _add(parts, name, path)
    for name in _WORKTREE:
        _add(parts, name, place.root / name)
    hooks = _hooks_path(place)
    if hooks is not None:
        _add(parts, f"core.hooksPath {hooks}", hooks)
    return parts


def control_digest(parts: Mapping[str, str]) -> str:
    """One digest over all parts."""
    listing = "\n".join(f"{digest} {name}" for name, digest in sorted(parts.items()))
    return hashlib.sha256(listing.encode("utf-8", "surrogateescape")).hexdigest()


def control_changes(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """Names of the parts that appeared, changed or went."""
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _git_parts(place: Place) -> Iterator[tuple[str, Path]]:
    common = place.common_dir
    yield ".git/config", common / "config"
    yield ".git/config.worktree", place.git_dir / "config.worktree"
    yield ".git/info", common / "info"
    yield ".git/hooks", common / "hooks"
    yield ".git/objects/info/alternates", common / "objects/info/alternates"
    if place.git_dir != common:
        yield ".git/info of this worktree", place.git_dir / "info"
    for module in _modules(common / "modules"):
        for part in ("config", "hooks", "info"):
            yield f".git/{module.relative_to(common)}/{part}", module / part


def _modules(folder: Path) -> Iterator[Path]:
    """Git dirs of submodules; their names may hold slashes."""
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir()):
        if (entry / "HEAD").exists():
            yield entry
            yield from _modules(entry / "modules")
        elif entry.is_dir() and not entry.is_symlink():
            yield from _modules(entry)


def _hooks_path(place: Place) -> Path | None:
    """The folder that core.hooksPath names, read from the file as text: precise enough to see a change of it."""
    try:
        text = (place.common_dir / "config").read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key.strip().lower() == "hookspath":
            return place.root / os.path.expanduser(value.strip().strip('"'))
    return None


def _add_settings(parts: dict[str, str], name: str, path: Path) -> None:
    """One part for each key of a settings file, so that a change can be named.

    What `git push -u`, `git switch -c` or `git branch` write (``branch.*``) steers no command and is left out.
    """
    try:
        listed = Git(path.parent).run("config", "-z", "--list", "--no-includes", "--file", str(path))
    except GitError:
        _add(parts, name, path)  # no settings file that git can read: its bytes
        return
    for record in zsplit(listed):
        key, _, value = os.fsdecode(record).partition("\n")
        if not key.startswith("branch."):
            part = f"{name} {key}"
            parts[part] = hashlib.sha256(
                f"{parts.get(part, '')}\n{value}".encode("utf-8", "surrogateescape")
            ).hexdigest()


def _add(parts: dict[str, str], name: str, path: Path) -> None:
    digest = _digest(path)
    if digest is not None:
        parts[name] = digest


def _digest(path: Path) -> str | None:
    """Digest of a file or of all files of a folder, with their modes; symlinks by their target's name."""
    total = hashlib.sha256()
    found = False
    for count, (name, at) in enumerate(_files(path)):
        found = True
        if count >= _MOST_FILES:
            break
        total.update(os.fsencode(name) + b"\0" + _content(at) + b"\0")
    return total.hexdigest() if found else None


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    if path.is_symlink() or path.is_file():
        yield "", path
        return
    for folder, folders, files in os.walk(path):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT and name not in links)
        for name in sorted(files + links):
            at = Path(folder, name)
            if not name.endswith(".sample") and at.parts[-2:] != _WRITTEN_BY_GC:
                yield str(at.relative_to(path)), at


def _content(path: Path) -> bytes:
    try:
        seen = path.lstat()
        if stat.S_ISLNK(seen.st_mode):
            return b"link " + os.fsencode(os.readlink(path))
        if not stat.S_ISREG(seen.st_mode):
            return b"no file"
        mode = b"x" if seen.st_mode & 0o111 else b"-"
        with path.open("rb") as file:
            return mode + hashlib.sha256(file.read(_LARGEST)).digest() + str(seen.st_size).encode()
    except OSError as error:
        return b"unreadable " + str(error.errno).encode()
