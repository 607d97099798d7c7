"""``pack --write FILE``: a marked block of a file in the repository, for people without Passdown."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.rules.marked_block import is_note, marked, renewed
from passdown.workspace.own_block import FILE_LIMIT, remember, remembered

if TYPE_CHECKING:
    from passdown.model.packet import Packet
    from passdown.workspace.place import Place


_NOTHING = "nothing was written"


def target(place: Place, name: str) -> Path:
    """The file that NAME means; PassdownError where it is not a plain file of this repository's worktree."""
    here = Path(os.path.abspath(name))  # noqa: PTH100 - links are looked at below
    real = Path(os.path.realpath(here))
    if place.root not in real.parents:
        where = f", a link to {real}," if here.is_symlink() else ""
        raise PassdownError(f"{name}{where} is not in {place.root}", f"name a file of this repository; {_NOTHING}")
    if any(part.casefold() == ".git" for part in real.relative_to(place.root).parts):
        raise PassdownError(f"{name} belongs to git", f"name a file beside it; {_NOTHING}")
    if not is_note(real.name):
        raise PassdownError(f"{name} is no note for people", f"a .md or .txt file that no agent obeys; {_NOTHING}")
    if not real.parent.is_dir():
        raise PassdownError(f"no such folder: {real.parent}", f"make it first; {_NOTHING}")
    if real.exists() and not real.is_file():
        raise PassdownError(f"{name} is no file", f"name a text file; {_NOTHING}")
    return real


def write(place: Place, file: Path, packet: Packet) -> bool:
    """Put the packet's block there, all else as it is; whether anything changed. Snapshots leave the block out."""
    from passdown.packet.markdown import markdown

    name = file.relative_to(place.root).as_posix()
    data = _read(file, name)
    last = remembered(place, name).decode("utf-8", "surrogateescape")
    text, block = renewed(data.decode("utf-8", "surrogateescape"), marked(markdown(packet)), name=name, before=last)
    after = text.encode("utf-8", "surrogateescape")
    remember(place, name, block.encode("utf-8", "surrogateescape"))
    if after == data:
        return False
    _replace(place, file, data, after)
    return True


def _read(file: Path, name: str) -> bytes:
    try:
        with file.open("rb") as stream:
            data = stream.read(FILE_LIMIT + 1)
    except FileNotFoundError:
        return b""
    if len(data) > FILE_LIMIT or b"\0" in data:
        raise PassdownError(f"{name} is no text file of up to 4 MB", f"name another; {_NOTHING}")
    return data


def _replace(place: Place, file: Path, before: bytes, after: bytes) -> None:
    """In one step and with the same mode; a file that changed meanwhile stays."""
    new = place.home / f"block.{os.getpid()}"
    try:
        new.write_bytes(after)
        if file.exists():
            new.chmod(stat.S_IMODE(file.stat().st_mode))
        if (file.read_bytes() if file.exists() else b"") != before:
            raise PassdownError(f"{file.name} changed just now", f"run it again; {_NOTHING}")
        try:
            new.replace(file)
        except OSError:  # the record lies on another disk
            beside = file.with_name(f".{file.name}.{os.getpid()}")
            beside.write_bytes(after)
            beside.chmod(stat.S_IMODE(new.stat().st_mode))
            beside.replace(file)
    finally:
        new.unlink(missing_ok=True)
