"""Repository paths: ``str`` inside (``os.fsdecode``: surrogates for bytes that are not UTF-8), clean on the wire."""

from __future__ import annotations

import base64
import os


def printable(path: str) -> str:
    r"""The path as one line of plain text: what is not UTF-8 or a control character stands as ``\xNN``."""
    raw = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else "".join(f"\\x{b:02x}" for b in c.encode()) for c in raw)


def to_wire(path: str) -> tuple[str, str | None]:
    """``(path, path_b64)``: the second is set only where the first cannot carry the bytes."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raw = os.fsencode(path)
        return raw.decode("utf-8", "backslashreplace"), base64.b64encode(raw).decode("ascii")
    return path, None


def from_wire(path: str, path_b64: str | None = None) -> str:
    """The inverse of :func:`to_wire`."""
    return os.fsdecode(base64.b64decode(path_b64)) if path_b64 else path
