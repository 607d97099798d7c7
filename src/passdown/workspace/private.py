"""The private git dir of one worktree: own settings, own index, own objects; the user's objects are only read."""

from __future__ import annotations

import atexit
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from passdown.errors import unwritable
from passdown.workspace.git import Git
from passdown.workspace.identity import own_id
from passdown.workspace.place import Place

_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = false
\tfilemode = true
\tsymlinks = true
\tignorecase = false
\tprecomposeunicode = false
\tprotectNTFS = false
\tprotectHFS = false
\tautocrlf = false
\tsafecrlf = false
\tcheckStat = default
\ttrustctime = true
\tignoreStat = false
\tpreloadIndex = true
\tuntrackedCache = false
\tfsmonitor = false
\tsparseCheckout = false
\tquotePath = false
\tbigFileThreshold = 512m
\tfsync = none
[index]
\tversion = 2
\tsparse = false
\tskipHash = false
[splitIndex]
\tmaxPercentChange = 100
[status]
\tsubmoduleSummary = false
[diff]
\tignoreSubmodules = all
\trenames = false
\texternal =
[pack]
\tthreads = 2
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
_FORMAT = "[extensions]\n\tobjectFormat = {name}\n"

# No attribute may change what is hashed; `macro` attributes such as `binary` only set these.
RAW_ATTRIBUTES = "* -text -ident !filter !working-tree-encoding !eol !crlf !diff !merge !export-subst\n"


class Private(Struct, frozen=True):
    """Paths and environments of one private dir. ``folder`` holds ``git/``, the state and the lock."""

    folder: Path
    root: Path
    user_objects: Path
    store: Path
    object_format: str
    shallow: Path
    beside: Path | None = None  # further objects that a view sees

    @property
    def git_dir(self) -> Path:
        """What GIT_DIR names."""
        return self.folder / "git"

    @property
    def index(self) -> Path:
        """The private index."""
        return self.git_dir / "index"

    @property
    def state(self) -> Path:
        """What the last snapshot left for the next."""
        return self.folder / "state"

    def writer(self) -> Git:
        """For what writes blobs: it sees no foreign object, so it writes all here and touches none there."""
        return Git(self.root, {"GIT_DIR": str(self.git_dir), "GIT_WORK_TREE": str(self.root)})

    def view(self) -> Git:
        """For what reads objects: ours, the user's and the store's."""
        foreign = [self.user_objects, self.store / "objects", *([self.beside] if self.beside else [])]
        variables = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": alternates([folder for folder in foreign if folder.is_dir()])}
        if self.shallow.exists():
            variables["GIT_SHALLOW_FILE"] = str(self.shallow)
        return self.writer().having(**variables)


def alternates(folders: list[Path]) -> str:
    """The value of GIT_ALTERNATE_OBJECT_DIRECTORIES; a path with a colon, quote or newline is quoted."""
    return ":".join(_quoted(str(folder)) for folder in folders)


def _quoted(path: str) -> str:
    if not any(c in path for c in ':"\n\\'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def private_at(place: Place) -> Private:
    """The worktree's private dir under ``home``; it need not be there yet."""
    return Private(
        folder=place.home / "worktrees" / own_id(place.git_dir),  # two may be known by one id, on branches of their own
        root=place.root,
        user_objects=place.common_dir / "objects",
        store=place.home / "store.git",
        object_format=place.object_format,
        shallow=place.common_dir / "shallow",
    )


def may_write(private: Private) -> bool:
    """Whether Passdown was used in this clone and its folder can be written."""
    home = private.store.parent
    nearest = next((folder for folder in (private.folder, private.folder.parent, home) if folder.exists()), None)
    return nearest is not None and os.access(nearest, os.W_OK | os.X_OK)


def ensure(private: Private) -> None:
    """Create the git dir where it is missing; no `git init`, so no templates and no hooks."""
    target = private.git_dir
    if (target / "HEAD").exists():
        return
    for folder in ("objects/info", "objects/pack", "refs/heads", "info"):
        (target / folder).mkdir(parents=True, exist_ok=True)
    sha1 = private.object_format == "sha1"
    config = _CONFIG.format(version=0 if sha1 else 1)
    (target / "config").write_text(config + ("" if sha1 else _FORMAT.format(name=private.object_format)))
    (target / "info/attributes").write_text(RAW_ATTRIBUTES)
    (target / "info/exclude").write_text("")
    (target / "HEAD").write_text("ref: refs/heads/none\n")  # last: its presence says that the rest is there


def wipe(private: Private) -> None:
    """Forget everything; the next snapshot starts from the worktree alone."""
    import shutil  # noqa: PLC0415 - few commands need it

    private.state.unlink(missing_ok=True)
    shutil.rmtree(private.folder / "commit", ignore_errors=True)
    if private.git_dir.exists():
        (private.git_dir / "HEAD").unlink(missing_ok=True)
        aside = private.folder / f"gone.{os.urandom(4).hex()}"
        private.git_dir.rename(aside)  # a killed process's git may still write into it, and keep it from going
        shutil.rmtree(aside, ignore_errors=True)
    for gone in private.folder.glob("gone.*"):
        shutil.rmtree(gone, ignore_errors=True)


@contextmanager
def locked(private: Private) -> Iterator[None]:
    """One process at a time in this private dir; what a killed one left half-written is removed."""
    try:
        private.folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(private.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise unwritable(private.folder, error) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        for name in ("git/index.lock", "git/graft.lock", "commit/index.lock"):
            (private.folder / name).unlink(missing_ok=True)
        yield
    finally:
        os.close(handle)


_scratch: dict[str, Path] = {}


def reading(place: Place) -> Git:
    """A view of all objects for commands that only read; writes nothing under ``home``."""
    private = private_at(place)
    if str(place.git_dir) in _scratch or not (private.git_dir / "HEAD").exists():
        private = scratch_at(place)
        ensure(private)
    return private.view()


def scratch_at(place: Place) -> Private:
    """A private dir that goes with this process; it sees the objects of the lasting one."""
    private = private_at(place)
    return replace(private, folder=_scratch_folder(place), beside=private.git_dir / "objects")


def _scratch_folder(place: Place) -> Path:
    folder = _scratch.get(str(place.git_dir))
    if folder is None or not folder.exists():
        import shutil  # noqa: PLC0415 - few commands need it
        import tempfile  # noqa: PLC0415 - few commands need it

        folder = Path(tempfile.mkdtemp(prefix="passdown-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        _scratch[str(place.git_dir)] = folder
    return folder
