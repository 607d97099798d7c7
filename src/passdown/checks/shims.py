"""What stands behind a version manager's shim: one small program for every version, chosen by files and variables."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from passdown.rules.patterns import lazy

_ENV = lazy(r"/(py|rb|nod|go|j|php|pl|r|cr|swift)env\b")
_FILES = {
    "py": ".python-version", "rb": ".ruby-version", "nod": ".node-version", "go": ".go-version", "j": ".java-version",
    "php": ".php-version", "pl": ".perl-version", "r": ".R-version", "cr": ".crystal-version",
    "swift": ".swift-version",
}  # fmt: skip
_PLUGIN = lazy(r"^# asdf-plugin: (\S+)", re.MULTILINE)
_MANAGERS = {"mise": ("mise.toml", ".mise.toml", ".tool-versions"), "volta-shim": ()}
_GLOBAL = (".config/mise/config.toml", ".tool-versions", ".volta/tools/user/platform.json")
_HEAD = 4096
_NUMBER = lazy(r"\d+")


def behind(shim: Path, root: Path, env: Mapping[str, str]) -> Path | None:
    """The program that pyenv's, rbenv's or asdf's shim starts in ``root``; None where it is none, or starts nothing."""
    if shim.parent.name != "shims":
        return None
    text, home = _head(shim), shim.parent.parent
    manager = _ENV.search(text)
    if manager:
        versions = _wanted(manager[1], root, env, home)
        return _first(path for v in versions for path in _installed(home / "versions", v, shim.name))
    plugin = _PLUGIN.search(text)
    if plugin is None:
        return None
    named = env.get(f"ASDF_{plugin[1].upper().replace('-', '_')}_VERSION")
    chosen = named.split() if named else _tool_versions(plugin[1], root, env)
    return _first(path for v in chosen for path in _installed(home / "installs" / plugin[1], v, shim.name))


def choice(shim: Path, root: Path, env: Mapping[str, str]) -> str | None:
    """Digest over what mise or volta choose a version by outside the repository; None where it is no shim of theirs."""
    manager = shim.resolve().name
    if manager not in _MANAGERS or manager == shim.name:
        return None
    paths = [folder / name for folder in root.parents for name in _MANAGERS[manager]]
    paths += [Path(env.get("HOME", "/"), name) for name in _GLOBAL]
    said = [f"{path} {_head(path)}" for path in paths if os.path.isfile(path)]  # noqa: PTH113 - never raises
    said += sorted(f"{name}={value}" for name, value in env.items() if re.fullmatch(r"MISE_\w+_VERSION", name))
    installs = shim.parent.parent / "installs"
    said += sorted(str(path) for path in installs.glob("*/*"))
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogateescape")).hexdigest()


def _wanted(manager: str, root: Path, env: Mapping[str, str], home: Path) -> list[str]:
    """The versions that the variable names, else the nearest file, else the one for everywhere."""
    named = env.get(f"{manager.upper()}ENV_VERSION")
    if named:
        return named.split(":")
    files = [*(folder / _FILES[manager] for folder in (root, *root.parents)), home / "version"]
    nearest = next((path for path in files if os.path.isfile(path)), None)  # noqa: PTH113 - never raises
    return _head(nearest).split() if nearest else []


def _tool_versions(plugin: str, root: Path, env: Mapping[str, str]) -> list[str]:
    for folder in (root, *root.parents, Path(env.get("HOME", "/"))):
        for line in _head(folder / ".tool-versions").splitlines():
            name, *versions = line.partition("#")[0].split() or [""]
            if name == plugin:
                return versions
    return []


def _installed(folder: Path, version: str, name: str) -> Iterator[Path]:
    """Exactly this version, else the newest that begins so (``3.12`` of 3.12.1 and 3.12.4)."""
    try:
        with os.scandir(folder) as entries:
            found = [e.name for e in entries if e.name == version or e.name.startswith(f"{version}.")]
    except OSError:
        return
    for entry in sorted(found, key=lambda entry: (entry == version, _numbers(entry)), reverse=True):
        path = folder / entry / "bin" / name
        if path.is_file():
            yield path


def _numbers(version: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(version)]


def _first(paths: Iterable[Path]) -> Path | None:
    return next(iter(paths), None)


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""
