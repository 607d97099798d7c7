"""A frozen copy of a tree to run a check on, in the worktree's place where the system allows that."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from msgspec import Struct

from passdown.checks.fingerprint import ignored_inputs
from passdown.checks.process import WARDEN, Mounts
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition, Isolated
from passdown.rules.match import Matcher
from passdown.workspace.diff import read_blob
from passdown.workspace.place import Place, find_place
from passdown.workspace.unpack import lenders, unpack

DEPENDENCIES = frozenset({
    "node_modules", ".venv", "venv", "vendor", ".bundle", "bower_components", ".yarn", "Pods", "deps", ".tox", ".nox",
})  # fmt: skip
"""Folders that package managers fill; bound read-only where git ignores them."""
_SETTINGS = (".env", ".env.local", ".env.test", ".envrc")
_PREFIX = "copy-"
_LINK, _GITLINK, _PROGRAM = "120000", "160000", "100755"


class Copy(Struct, frozen=True):
    """A tree written out.

    ``how``: ``mounted``: to the check it stands at the worktree's own path, and the worktree nowhere; ``beside``: in a
    folder of its own, and absolute paths still lead to the worktree. ``links``: from there to dependency folders.
    """

    place: Place
    how: Isolated
    mounts: Mounts | None
    links: tuple[tuple[Path, Path], ...] = ()

    @contextmanager
    def linked(self) -> Iterator[None]:
        """While the check runs: links to the dependency folders, where they could not be bound."""
        for link, target in self.links:
            link.symlink_to(target)
        try:
            yield
        finally:
            for link, _ in self.links:
                link.unlink(missing_ok=True)


@contextmanager
def copy_of(
    view: TreeView, commit: str | None, definition: CheckDefinition, base: TreeView | None = None
) -> Iterator[Copy]:
    """``view``'s tree written out for one run of the check; gone afterwards.

    ``base``: what the check protects is as it is there.
    """
    place = view.place
    how: Isolated = "mounted" if _can_mount() else "beside"
    folder = _folder(place, how)
    try:
        unpack(place, view.tree, commit, folder)
        if base is not None:
            restore(view, base, definition, folder)
        for path in ignored_inputs(view, definition):
            _bring(place.root / path, folder / path)
        for name in _SETTINGS:
            if name not in view and (place.root / name).is_file():
                _bring(place.root / name, folder / name)
        bound = [(place.root / path, folder / path) for path in _dependencies(view)]
        copy = find_place(folder)
        if how == "mounted":
            bound += _lent(place, folder)
            for source, target in bound:
                if source.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
            yield Copy(copy, how, Mounts(str(folder), str(place.root), [(str(a), str(b)) for a, b in bound]))
        else:
            yield Copy(copy, how, None, tuple((target, source) for source, target in bound))
    finally:
        remove(folder)


def unlike(view: TreeView, base: TreeView, definition: CheckDefinition) -> list[str]:
    """What the check protects and that is not as the base has it, sorted."""
    wanted = Matcher.compile(definition.protect)
    paths = (path for path in view.entries.keys() | base.entries.keys() if wanted.matches(path) is not None)
    return sorted(path for path in paths if view.entries.get(path) != base.entries.get(path))


def restore(view: TreeView, base: TreeView, definition: CheckDefinition, folder: Path) -> None:
    """Put what the check protects into ``folder`` as the base has it."""
    for path in unlike(view, base, definition):
        target = folder / path
        if target.is_symlink() or target.exists():
            target.unlink()
        mode, blob = base.entries.get(path, ("", ""))
        if not blob or mode == _GITLINK:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        content = read_blob(base.place, blob)
        if mode == _LINK:
            target.symlink_to(os.fsdecode(content))
        else:
            target.write_bytes(content)
            target.chmod(0o755 if mode == _PROGRAM else 0o644)


def _lent(place: Place, folder: Path) -> list[tuple[Path, Path]]:
    """The borrowed objects once more, inside the copy: their own place is out of sight there."""
    lent = [(source, folder / ".git/lent" / str(number)) for number, source in enumerate(lenders(place))]
    listed = folder / ".git/lent.txt"
    listed.write_text("".join(f"../lent/{target.name}\n" for _, target in lent))
    return [*lent, (listed, folder / ".git/objects/info/alternates")]


def _can_mount() -> bool:
    """Whether a process of ours may have mounts of its own; asked by trying."""
    if sys.platform != "linux":
        return False
    asked = subprocess.run([*WARDEN], stdin=subprocess.DEVNULL, check=False)
    return asked.returncode == 0


def _folder(place: Place, how: Isolated) -> Path:
    """A new private folder; beside the worktree's parents, whose configuration tools would find from inside."""
    if how == "beside":
        return Path(tempfile.mkdtemp(prefix="passdown-copy-")).resolve()
    place.home.mkdir(parents=True, exist_ok=True)
    for old in place.home.glob(f"{_PREFIX}*"):
        if not Path(f"/proc/{old.name.split('-')[1]}").exists():  # its process was killed
            remove(old)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place.home))


def _bring(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target, follow_symlinks=False)


def _dependencies(view: TreeView) -> list[str]:
    """Dependency folders on the disk that the tree does not hold, beside each manifest and at the root."""
    root = view.place.root
    manifests = ("package.json", "pyproject.toml", "setup.py", "composer.json", "Gemfile", "Podfile", "mix.exs")
    folders = {""} | {path.rpartition("/")[0] for name in manifests for path in view.by_name.get(name, ())}
    held = view.once("folders", lambda: frozenset(_above(view.entries)))
    found = {f"{folder}/{name}".lstrip("/") for folder in folders for name in DEPENDENCIES}
    found |= {
        entry.name for entry in os.scandir(root) if entry.is_dir() and (Path(entry.path) / "pyvenv.cfg").is_file()
    }
    return sorted(path for path in found if path not in held and path not in view and (root / path).is_dir())


def _above(paths: Iterable[str]) -> Iterator[str]:
    return (str(folder) for path in paths for folder in PurePosixPath(path).parents)


def remove(folder: Path) -> None:
    """Delete it all, what a check made unwritable too."""
    for inner, names, _ in os.walk(folder):
        for name in names:
            path = Path(inner, name)
            if not path.is_symlink() and not os.access(path, os.W_OK | os.X_OK):
                path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
