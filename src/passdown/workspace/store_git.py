"""The bare repository of our own: ``<home>/store.git``."""

from __future__ import annotations

from pathlib import Path


def ensure_store(home: Path, object_format: str) -> Path:
    """The store's path; built beside it and renamed into place where there is none yet."""
    raise NotImplementedError
