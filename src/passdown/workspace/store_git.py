"""The bare repository of our own: ``<home>/store.git``."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from passdown.errors import EXIT_UNDECIDED, PassdownError
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
_FORMAT = "[extensions]\n\tobjectFormat = {name}\n"


def ensure_store(home: Path, object_format: str) -> Path:
    """The store's path; built beside it and renamed into place where there is none yet.

    PassdownError where it cannot be written.
    """
    store = home / "store.git"
    if (store / "HEAD").exists():
        return store
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
        raise PassdownError(f"cannot write {home}: {error.strerror}", code=EXIT_UNDECIDED) from error
    return store


def _build(folder: Path, object_format: str) -> None:
    """Written by hand: no template, so no hooks."""
    for name in ("objects/info", "objects/pack", "refs/heads", "info"):
        (folder / name).mkdir(parents=True)
    sha1 = object_format == "sha1"
    config = _CONFIG.format(version=0 if sha1 else 1)
    (folder / "config").write_text(config + ("" if sha1 else _FORMAT.format(name=object_format)))
    (folder / "HEAD").write_text("ref: refs/heads/none\n")


def store_git(store: Path) -> Git:
    """Git inside the store, seeing its own objects only."""
    return Git(store, {"GIT_DIR": str(store)})
