"""Hashing what the private index cannot hold under its own name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from passdown.workspace.git import Git
from passdown.workspace.names import encode
from passdown.workspace.tracked import Entry

LINK_MODE, FILE_MODE, EXECUTABLE_MODE = b"120000", b"100644", b"100755"


def hash_odd(git: Git, root: bytes, paths: Mapping[bytes, str]) -> dict[bytes, Entry]:
    """Encoded path -> entry of files (f) and symlinks (l) with refused names; blobs are written."""
    files = [path for path, kind in paths.items() if kind == "f"]
    found = {}
    for path, blob in zip(files, hash_files(git, root, files), strict=True):
        executable = os.lstat(os.path.join(root, path)).st_mode & 0o100
        found[encode(path)] = (EXECUTABLE_MODE if executable else FILE_MODE, blob)
    for path, kind in paths.items():
        if kind == "l":
            blob = write_blob(git, os.readlink(os.path.join(root, path)))
            found[encode(path, link=True)] = (LINK_MODE, blob)
    return found


def hash_files(git: Git, root: bytes, paths: Iterable[bytes]) -> list[bytes]:
    """Blob ids of these regular files' bytes, in order; blobs are written."""
    data = b"".join(_quoted(os.path.join(root, path)) + b"\n" for path in paths)
    return git.run("hash-object", "-w", "--no-filters", "--stdin-paths", data=data).split() if data else []


def write_blob(git: Git, content: bytes) -> bytes:
    """The id of a blob with this content."""
    return git.run("hash-object", "-w", "--stdin", data=content).strip()


def _quoted(path: bytes) -> bytes:
    """As git reads a path on a line of its own: C-quoted, since it may hold a newline."""
    return b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
