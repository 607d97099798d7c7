"""Folders outside the repository that a person opens besides the boundary."""

from __future__ import annotations

import os
from collections.abc import Sequence

from passdown.errors import PassdownError
from passdown.sandbox import SOCKET
from passdown.sandbox.home import SECRETS, SSH, TEMPORARY
from passdown.sandbox.plan import Mount
from passdown.workspace.place import Place

_KERNELS = ("/dev", "/proc", "/sys", "/run", os.path.dirname(SOCKET))


def opened(paths: Sequence[str], place: Place, home: str) -> list[Mount]:
    """Each as a writable mount; PassdownError for one that would open what the sandbox is for."""
    return [Mount(_real(path, place, home), "writable") for path in paths]


def _real(path: str, place: Place, home: str) -> str:
    real = os.path.realpath(os.path.expanduser(path))
    if not os.path.isdir(real):
        raise PassdownError(f"--write {path}: no such folder", "make it first, or name one that is there")
    inside = [str(place.root), str(place.common_dir)]
    hidden = [f"{home}/{name}" for name in (*SECRETS, *SSH)]
    if any(_within(real, each) for each in inside):
        raise PassdownError(f"--write {path} lies in the repository", "the boundary decides there: passdown boundary")
    if any(_within(each, real) for each in (*inside, home, *TEMPORARY)) or real.count("/") < 2:  # noqa: PLR2004 - "/usr"
        raise PassdownError(f"--write {path} is too much: it would open what the sandbox closes", "name a folder in it")
    if any(_within(real, each) for each in (*hidden, *_KERNELS)):
        raise PassdownError(f"--write {path}: that is hidden inside", "name another folder")
    return real


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
