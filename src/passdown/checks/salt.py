"""The salt under which this clone hashes the values of environment variables: they cannot be guessed from a record."""

from __future__ import annotations

import os
from pathlib import Path

from passdown.workspace.place import Place

NAME = "salt"
_BYTES = 32


def read_salt(place: Place) -> bytes:
    """This clone's salt; empty where nothing was recorded yet."""
    path = _path(place)
    return path.read_bytes() if path.is_file() else b""


def make_salt(place: Place) -> bytes:
    """This clone's salt, made on first use."""
    path = _path(place)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        fresh = path.with_name(f"{NAME}.{os.getpid()}")
        fresh.touch(0o600)
        fresh.write_bytes(os.urandom(_BYTES))
        try:
            os.link(fresh, path)  # whoever comes second keeps the first one's
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_bytes()


def _path(place: Place) -> Path:
    return place.home / NAME
