"""What `passdown init` puts where, what was there before, and giving it back byte for byte."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct, field

from passdown.errors import PassdownError, in_a_line
from passdown.guard import hook_files, mcp_files, settings_files
from passdown.workspace.place import Place, user_git
from passdown.workspace.private import reading


class Put(Struct, frozen=True):
    """One file of the worktree: repository-relative, its bytes before (None: it was not there) and after."""

    path: str
    before: bytes | None
    after: bytes
    folders: list[str] = field(default_factory=list)


class Installed(Struct, frozen=True):
    """Everything that an installation wrote into the worktree."""

    files: list[Put] = field(default_factory=list)


class Undone(Struct, frozen=True):
    """What an undoing did with one file: ``restored`` as it was, ``cleaned`` of our entries, ``left`` alone.

    ``elsewhere``: it is not in this worktree as we wrote it, on these branches it is. ``fault``: why it could not be
    looked at, and is left for another time.
    """

    path: str
    how: str
    branches: list[str] = field(default_factory=list)
    fault: str = ""


def manifest(place: Place) -> Path:
    """Where the installation is remembered."""
    return hook_files.folder(place.home) / "installed.json"


def remembered(place: Place) -> Installed | None:
    """The installation that stands, None where there is none."""
    try:
        return msgspec.json.decode(manifest(place).read_bytes(), type=Installed)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def read(place: Place, path: str) -> bytes | None:
    """A file of the worktree; None where it is not there. PassdownError where it is no file."""
    try:
        return (place.root / path).read_bytes()
    except FileNotFoundError:
        return None
    except (IsADirectoryError, NotADirectoryError) as error:
        raise PassdownError(
            f"{path} is no file here: {error.strerror}", "mend it first; nothing was changed"
        ) from error


def install(place: Place, wanted: Iterable[tuple[str, bytes]]) -> list[Put]:
    """Write what differs, remember what was there first; the files that were written."""
    known = {put.path: put for put in (remembered(place) or Installed()).files}
    written = []
    for path, after in wanted:
        before = read(place, path)
        if before == after:
            continue
        missing = [str(folder) for folder in reversed(Path(path).parents) if not (place.root / folder).exists()]
        first = known.get(path)
        put = Put(path, before, after, missing) if first is None else Put(path, first.before, after, first.folders)
        known[path] = put
        hook_files.put(manifest(place), msgspec.json.encode(Installed(list(known.values()))))
        hook_files.put((place.root / path).resolve(), after, mode=_mode(place.root / path))
        written.append(put)
    return written


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def undo(place: Place) -> list[Undone]:
    """Give every file back; what somebody changed since loses our entries alone.

    What other branches hold stays remembered: undone there, it is given back there. So does what cannot be read now.
    """
    puts = (remembered(place) or Installed()).files
    done = [_undone(place, put) for put in reversed(puts)][::-1]  # a folder goes after what lies in it
    kept = [put for put, undone in zip(puts, done, strict=True) if undone.how == "elsewhere" or undone.fault]
    if kept:
        hook_files.put(manifest(place), msgspec.json.encode(Installed(kept)))
    else:
        manifest(place).unlink(missing_ok=True)
    return done


def _undone(place: Place, put: Put) -> Undone:
    try:
        how = _back(place, put)
    except (PassdownError, OSError) as error:  # the others are given back all the same
        return Undone(put.path, "left", fault=error.message if isinstance(error, PassdownError) else in_a_line(error))
    branches = _branches_with(place, put) if how == "left" else []
    return Undone(put.path, "elsewhere" if branches else how, branches)


def _branches_with(place: Place, put: Put) -> list[str]:
    """The other branches of this clone that hold the file as it was written."""
    told = os.fsdecode(user_git(place).run("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads"))
    tips = [line.partition(" ")[::2] for line in told.splitlines()]
    asked = "".join(f"{commit}:{put.path}\n" for commit, _ in tips)
    found = os.fsdecode(reading(place).run("cat-file", "--batch-check=%(objectname)", data=os.fsencode(asked)))
    wanted, names = blob_id(place, put.after), [name.removeprefix("refs/heads/") for _, name in tips]
    holds = [name for name, blob in zip(names, found.splitlines(), strict=True) if blob == wanted]
    return [name for name in holds if name != place.branch]


def _back(place: Place, put: Put) -> str:
    path, now = place.root / put.path, read(place, put.path)
    _sweep(path, put.after)
    if now is None:
        if put.before is None:
            _rmdirs(place, put)
        return "left"
    if now == put.after:
        kept: bytes | None = put.before
        how = "restored"
    elif put.path in (mcp_files.CLAUDE, mcp_files.CODEX) and mcp_files.present(now, put.path):
        kept, how = mcp_files.without(now, put.path), "cleaned"
    elif settings_files.present(now):
        kept, how = settings_files.without(now, put.path), "cleaned"
    else:
        return "left"
    if kept is None:
        path.unlink()
        _rmdirs(place, put)
    else:
        hook_files.put(path.resolve(), kept, mode=_mode(path))
    return how


def _sweep(path: Path, ours: bytes) -> None:
    """Take away what an installation that was killed had written aside."""
    for aside in path.parent.glob(f".{path.name}.????????"):
        if ours.startswith(aside.read_bytes()):
            aside.unlink()


def _rmdirs(place: Place, put: Put) -> None:
    for folder in reversed(put.folders):
        try:
            (place.root / folder).rmdir()
        except OSError:  # somebody put something into it
            break


def blob_id(place: Place, content: bytes) -> str:
    """The id that git gives the content."""
    made = hashlib.new(place.object_format)
    made.update(b"blob %d\0" % len(content) + content)
    return made.hexdigest()
