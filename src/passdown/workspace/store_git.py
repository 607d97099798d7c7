"""The bare repository of our own: ``<home>/store.git``."""

from __future__ import annotations

import os
import re
from pathlib import Path

from passdown.errors import unwritable
from passdown.workspace.git import Git

_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = true
\tfilemode = true
\tlogAllRefUpdates = false
\tprotectNTFS = false
\tprotectHFS = false
\tfsync = committed,loose-object
[gc]
\tauto = 0
[maintenance]
\tauto = false
[receive]
\tautogc = false
[fetch]
\tunpackLimit = 1
"""
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FORMAT = "[extensions]\n\tobjectFormat = {name}\n"


def ensure_store(home: Path, object_format: str) -> Path:
    """The store's path; built beside it and renamed into place where there is none yet.

    PassdownError where it cannot be written.
    """
    store = home / "store.git"
    if (store / "HEAD").exists():
        return store
    import shutil  # noqa: PLC0415 - few commands need it
    import tempfile  # noqa: PLC0415 - few commands need it

    try:
        home.mkdir(parents=True, exist_ok=True)
        built = Path(tempfile.mkdtemp(prefix="store-", dir=home))
        try:
            _build(built, object_format)
            os.rename(built, store)
        except OSError:
            shutil.rmtree(built, ignore_errors=True)
            if not (store / "HEAD").exists():  # else another process was first
                raise
    except OSError as error:
        raise unwritable(home, error) from error
    return store


def _build(folder: Path, object_format: str) -> None:
    """Written by hand: no template, so no hooks."""
    for name in ("objects/info", "objects/pack", "refs/heads", "info"):
        (folder / name).mkdir(parents=True)
    sha1 = object_format == "sha1"
    config = _CONFIG.format(version=0 if sha1 else 1)
    (folder / "config").write_text(config + ("" if sha1 else _FORMAT.format(name=object_format)))
    (folder / "HEAD").write_text("ref: refs/heads/none\n")


def plain_refs(store: Path, *folders: str) -> dict[str, str] | None:
    """Full name -> id of the references below these, read as the files that they are in a store of our making.

    None where one is not as git writes it, or where somebody had them packed: then git is asked.
    """
    found: dict[str, str] = {}
    try:
        for folder in folders:
            for at, _, names in os.walk(store / folder):
                for name in names:
                    if not name.endswith(".lock"):
                        path = Path(at, name)
                        found[str(path.relative_to(store))] = path.read_text("ascii").removesuffix("\n")
    except (OSError, ValueError):
        return None
    whole = all((store / name).exists() for name in ("HEAD", "objects", "refs"))
    if not whole or (store / "packed-refs").exists():
        return None
    return found if all(_ID.fullmatch(each) and each.strip("0") for each in found.values()) else None


# Files of the store that would make git see other parents, other objects or another folder than there are.
_AS_IT_IS = {
    "GIT_GRAFT_FILE": f"{os.devnull}/none",
    "GIT_SHALLOW_FILE": f"{os.devnull}/none",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.commitGraph",
    "GIT_CONFIG_VALUE_0": "false",
}


def store_git(store: Path) -> Git:
    """Git inside the store, seeing its own objects only."""
    return Git(store, {"GIT_DIR": str(store), "GIT_COMMON_DIR": str(store), **_AS_IT_IS})


def foreign_settings(store: Path) -> list[str]:
    """The lines of the store's configuration that Passdown never writes."""
    ours = {*_CONFIG.format(version=0).splitlines(), *_CONFIG.format(version=1).splitlines()}
    ours |= {line for name in ("sha1", "sha256") for line in _FORMAT.format(name=name).splitlines()}
    try:
        lines = (store / "config").read_bytes().decode("utf-8", "backslashreplace").splitlines()
    except OSError:
        return ["it cannot be read"]
    return [line.strip() for line in lines if line.strip() and line not in ours]
