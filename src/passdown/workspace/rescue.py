"""Keep the present state before anything could destroy it, and put a kept state back."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.workspace.diff import Change, read_blob, tree_diff
from passdown.workspace.nested import repository_in
from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot, keep, take

# An ignored file, or a link instead of a folder: left alone, and the comparison at the end names the path.
_IN_THE_WAY = {errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENOTEMPTY, errno.ELOOP, errno.EACCES, errno.EPERM}

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def rescue(place: Place) -> Snapshot:
    """Snapshot the worktree and keep it in store.git."""
    snapshot = take(place)
    keep(place, snapshot.tree)
    return snapshot


def restore(place: Place, tree: str) -> list[str]:
    """Make the worktree's content the tree's; the paths that still differ ([]: proven equal).

    Rescues first. HEAD, index, branches, stash and ignored files stay as they are, and so does the git dir of a
    nested repository. Nothing is written or deleted through a symlink.
    """
    present = rescue(place)
    changes = tree_diff(place, present.tree, tree)
    going = [change for change in changes if not change.new_blob or change.status == "type"]
    coming = [change for change in changes if change.new_blob]
    for change in sorted(going, key=lambda change: change.path, reverse=True):
        _delete(place, change.path)
    for change in coming:
        try:
            _write(place, change)
        except OSError as error:
            if error.errno not in _IN_THE_WAY:
                raise PassdownError(f"cannot restore {change.path}: {error.strerror}", code=EXIT_UNDECIDED) from error
    return [change.path for change in tree_diff(place, take(place).tree, tree)]


@contextmanager
def _folder(place: Place, path: str, *, create: bool) -> Iterator[tuple[int, str]]:
    """``(descriptor of the path's folder, last component)``; no component of it is a symlink."""
    *folders, name = path.split("/")
    at = os.open(place.root, _FOLDER)
    try:
        for folder in folders:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(folder, dir_fd=at)
            inner = os.open(folder, _FOLDER, dir_fd=at)
            os.close(at)
            at = inner
        yield at, name
    finally:
        os.close(at)


def _delete(place: Place, path: str) -> None:
    """Delete one file or link, then the folders that this leaves empty."""
    if _guarded(place, path):
        return
    try:
        with _folder(place, path, create=False) as (at, name):
            os.unlink(name, dir_fd=at)
        while "/" in path:
            path = path.rpartition("/")[0]
            with _folder(place, path, create=False) as (at, name):
                os.rmdir(name, dir_fd=at)
    except OSError:
        return  # gone already, not empty, or not ours: the comparison at the end tells


def _write(place: Place, change: Change) -> None:
    if _guarded(place, change.path):
        return
    with _folder(place, change.path, create=True) as (at, name):
        if change.status == "mode":
            _set_mode(at, name, change.new_mode)
            return
        if not change.old_blob and _there(at, name):
            raise FileExistsError(errno.EEXIST, "an ignored file is in the way", change.path)
        temporary = f".passdown-{token_hex(8)}"
        content = read_blob(place, change.new_blob)
        try:
            if change.new_mode == "120000":
                os.symlink(content, os.fsencode(temporary), dir_fd=at)
            else:
                mode = 0o777 if change.new_mode == "100755" else 0o666
                handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode, dir_fd=at)
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
            os.rename(temporary, name, src_dir_fd=at, dst_dir_fd=at)
        except OSError:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=at)
            raise


def _there(at: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _set_mode(at: int, name: str, mode: str) -> None:
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
    try:
        now = os.fstat(handle).st_mode & 0o777
        readers = (now & 0o444) >> 2
        os.fchmod(handle, now | readers if mode == "100755" else now & ~0o111)
    finally:
        os.close(handle)


def _guarded(place: Place, path: str) -> bool:
    """Is the path inside a git dir that is in use? Nothing is put there, whatever a tree says."""
    parts = path.split("/")
    for depth, part in enumerate(parts):
        if part == ".git" and repository_in(os.fsencode(place.root.joinpath(*parts[:depth]))) is not None:
            return True
    return False
