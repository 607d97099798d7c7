"""Installed tools that are not what was installed: edited in the virtual environment or in node_modules.

An edited tool keeps its name and version, so the installed set says nothing of it. What a package manager wrote down
is held against the disk; who edits that as well is beyond what a local record can tell.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from passdown.checks.program import Program
from passdown.rules.patterns import lazy

_DISTRIBUTION = lazy(r"(.+?)-[^-]+\.dist-info")
_PYTEST_ENTRY = "[pytest11]"
_PYTHON = {"pytest", "py.test", "unittest", "python", "python3", "coverage", "tox", "nox"}
"""With any of these every installed package may take part."""
_MOST_FILES = 3000
_FEW = 20
_QUOTE = '"'
_CODE = (".py", ".pth", ".so", ".pyd", ".dylib", ".js")
"""Of a dependency only what runs counts: certificates and data are added to on many machines."""
_LOCKS = (".package-lock.json", ".modules.yaml", ".yarn-state.yml")
_SLACK = 2.0
"""Seconds that an installation may still write after its own list."""
_WRITTEN_LATER = 0.5
"""A share of files above which the folder was copied: then times tell nothing."""


def replaced(root: Path, programs: Iterable[Program], names: Iterable[str]) -> list[str]:
    """One line for each file that differs from what was installed. ``names``: the tools that take part."""
    wanted = {name.lower() for name in names}
    found = [line for prefix in _prefixes(root, programs) for line in _of_python(root, prefix, wanted)]
    return sorted({*found, *_of_node(root, wanted)})


def _prefixes(root: Path, programs: Iterable[Program]) -> set[Path]:
    """The virtual environments in the worktree that the programs come from, and its usual ones."""
    found = {program.path.parent.parent for program in programs}
    found |= {root / name for name in (".venv", "venv")}
    return {prefix for prefix in found if prefix.is_relative_to(root) and (prefix / "pyvenv.cfg").is_file()}


def _of_python(root: Path, prefix: Path, wanted: set[str]) -> Iterator[str]:
    tested = not wanted.isdisjoint(_PYTHON)
    for site in (prefix / "lib").glob("python3*/site-packages"):
        for entry in os.scandir(site):
            match = _DISTRIBUTION.fullmatch(entry.name)
            part = match is not None and _takes_part(Path(entry.path), match[1], wanted)
            found = _edited(site, Path(entry.path), whole=part) if match and (part or tested) else ()
            yield from (f"{_shown(path, root)} is not what was installed" for path in found)


def _takes_part(info: Path, name: str, wanted: set[str]) -> bool:
    """The tools themselves, and where pytest is one its plugins and what it is made of."""
    plain = re.sub(r"[-_.]+", "-", name).lower()
    if plain in wanted:
        return True
    if "pytest" not in wanted:
        return False
    return plain in {"pluggy", "iniconfig"} or _PYTEST_ENTRY in _text(info / "entry_points.txt")


def _edited(site: Path, info: Path, *, whole: bool) -> Iterator[Path]:
    """Files whose content is not what RECORD says; one without a digest there says nothing.

    ``whole``: every one of them is read, else code alone that was written after it was installed.
    """
    begun = _time(info / "RECORD")
    rows = [row for line in _text(info / "RECORD").splitlines()[:_MOST_FILES] if len(row := line.rsplit(",", 2)) > 1]
    said = [(f"{site}/{row[0].strip(_QUOTE)}", row[1][7:]) for row in rows if row[1].startswith("sha256=")]
    code = said if whole else [row for row in said if row[0].endswith(_CODE)]
    wanted = said if whole else [row for row in code if _time_of(row[0]) > begun]
    if not whole and _FEW < len(wanted) > _WRITTEN_LATER * len(code):
        return  # the folder was copied: its times tell nothing
    for name, digest in wanted:
        path = Path(os.path.normpath(name))
        found = _sha256(path)
        if found is not None and found != digest:
            yield path


def _sha256(path: Path) -> str | None:
    import base64  # noqa: PLC0415 - as above

    try:
        with path.open("rb") as file:
            raw = hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return None
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def _of_node(root: Path, wanted: set[str]) -> Iterator[str]:
    """Files of a tool's package, and its link in .bin, that were written after the installation ended."""
    modules = root / "node_modules"
    installed = max((_time(modules / name) for name in _LOCKS), default=0.0)
    if not installed:
        return
    for name in sorted(wanted):
        files = [path for package in (name, f"@{name}") for path in _files(modules / package)]
        later = [path for path in files if _time(path) > installed + _SLACK]
        if later and len(later) < _WRITTEN_LATER * len(files):
            yield from (f"{_shown(path, root)} was written after it was installed" for path in later[:5])
        link = modules / ".bin" / name
        if (
            link.is_file()
            and not link.is_symlink()
            and _time(link) > installed + _SLACK
            and not _all_later(modules, installed)
        ):
            yield f"{_shown(link, root)} was written after it was installed"


def _all_later(modules: Path, installed: float) -> bool:
    links = list((modules / ".bin").iterdir())
    later = [entry for entry in links if _time(entry) > installed + _SLACK]
    return len(links) > 1 and len(later) >= _WRITTEN_LATER * len(links)


def _files(folder: Path) -> Iterator[Path]:
    count = 0
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in {"node_modules", ".cache"}]
        for name in names:
            count += 1
            if count > _MOST_FILES:
                return
            yield Path(above, name)


def _time(path: Path) -> float:
    """When its content or its name was written, links not followed: a time that is put back moves the other one."""
    return _time_of(str(path))


def _time_of(path: str) -> float:
    try:
        found = os.lstat(path)
    except OSError:
        return 0.0
    return max(found.st_mtime, found.st_ctime)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
