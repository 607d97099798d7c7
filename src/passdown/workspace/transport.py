"""Speaking with a git remote, from a git folder that lasts as long as the talk: bounded, and by a person's settings.

Of the repository's own settings the addresses and HTTP headers count, which name nothing to run.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.workspace.git import Git, GitError
from passdown.workspace.place import Place, scrub_url, user_git
from passdown.workspace.private import alternates
from passdown.workspace.refs import remote_name

SECONDS = 120.0
"""How long one talk may take; whoever sends the work itself allows more."""
_TRIES = 4
_PAUSE = 0.25
_BUSY = re.compile(rb"cannot lock ref|\.lock': File exists|failed to update ref|incorrect old value|reference already")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_FOLDER = "exchange-"
_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = true
\tfsync = committed,loose-object
[gc]
\tauto = 0
[maintenance]
\tauto = false
[http]
\tlowSpeedLimit = 1
\tlowSpeedTime = 30
"""
_RECEIVES = f"git -c core.hooksPath={os.devnull} -c core.alternateRefsCommand=true receive-pack"
"""On this machine the other side's hooks would run as this user, and who can write a folder can write its hooks."""
_FORMAT = "[extensions]\n\tobjectFormat = {name}\n"


class Remote(Struct, frozen=True):
    """``folder``: its place among our references; addresses as git takes them, which may hold a password."""

    name: str
    folder: str
    fetches: str
    pushes: str

    @property
    def shown(self) -> str:
        """The address as it may be shown and kept; both where sending has its own."""
        one, other = scrub_url(self.fetches), scrub_url(self.pushes)
        return one if one == other else f"{one}, sending to {other}"


def find_remote(place: Place, wanted: str | None) -> Remote:
    """The remote of that name or address; None: the branch's, else origin, else the only one."""
    name = wanted or remote_name(place)
    if name is None:
        several = sorted({key[7:-4] for key in place.settings if key.startswith("remote.") and key.endswith(".url")})
        hint = f"name one: {', '.join(several)}" if several else "git remote add origin ADDRESS, or name an address"
        raise PassdownError("no remote is known here" if not several else "no remote is the usual one here", hint)
    fetches = _addresses(place, f"remote.{name}.url")
    if fetches:
        pushes = _addresses(place, f"remote.{name}.pushurl") or fetches
        folder = name if _NAME.fullmatch(name) else f"at-{sha256(os.fsencode(name)).hexdigest()[:12]}"
        return Remote(name, folder, _whole(place, fetches[0]), _whole(place, pushes[0]))
    if "/" not in name and ":" not in name:
        raise PassdownError(f"no remote {name} here", "git remote -v lists them")
    address = _whole(place, name)
    return Remote(
        scrub_url(address), f"at-{sha256(os.fsencode(scrub_url(address))).hexdigest()[:12]}", address, address
    )


def _addresses(place: Place, key: str) -> list[str]:
    """All values of the setting, the first one first."""
    if key not in {name for name in place.settings if name.startswith("remote.")}:
        return []
    return os.fsdecode(user_git(place).run("config", "--get-all", key)).splitlines()


def _whole(place: Place, address: str) -> str:
    """A path counts from the worktree, as in git; anything else stays."""
    here = place.root / address
    return os.path.realpath(here) if _local(address) and here.exists() else address


def unused(place: Place) -> list[str]:
    """Settings of this repository that git itself would follow to reach a remote, and we do not."""
    names = ("core.sshcommand", "core.gitproxy", "core.askpass", "credential.", "http.", "url.", "protocol.", "ssh.")
    found = [key for key in place.settings if key.startswith(names) and not key.endswith(".extraheader")]
    return sorted({re.sub(r"\.[^.]*[@/].*\.", ".<address>.", key) for key in found})


class Talk(Struct, frozen=True):
    """An open folder for one remote: ``git`` sees the store's objects and ``lent`` ones, and knows ``refs``."""

    remote: Remote
    folder: Path
    git: Git
    until: float

    def run(self, *args: str, data: bytes | None = None, allow: tuple[int, ...] = (0,)) -> bytes:
        """One git command that reaches the remote: tried again where the other side was busy; GitError."""
        for attempt in range(_TRIES):
            out, err, status = self._once(args, data)
            if status in allow:
                return out
            if not _BUSY.search(err + out) or attempt == _TRIES - 1:
                raise GitError(args[0], status, self._clean(err))
            time.sleep(_PAUSE * 2**attempt * (1 + os.getpid() % 7 / 7))
        raise AssertionError

    def _once(self, args: Sequence[str], data: bytes | None) -> tuple[bytes, bytes, int]:
        process = self.git.start(*args, stdin=data is not None).process
        try:
            out, err = process.communicate(data, timeout=max(self.until - time.monotonic(), 1.0))
        except subprocess.TimeoutExpired as late:
            raise PassdownError(
                f"{self.remote.name} ({self.remote.shown}) does not answer: given up", "run it again later", 3
            ) from late
        finally:
            if process.poll() is None:
                _end(process)
        return out, err, process.returncode

    def _clean(self, said: bytes) -> bytes:
        """What git and the other side said, without what an address may hold."""
        text = os.fsdecode(said)
        for address in {self.remote.fetches, self.remote.pushes}:
            text = text.replace(address, scrub_url(address))
        words = re.sub(r"[a-z][a-z0-9+.-]*://[^\s'\"]+", lambda found: scrub_url(found[0]), text, flags=re.IGNORECASE)
        return os.fsencode(words)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and what it started: they have a session of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def talk(
    place: Place, store: Path, remote: Remote, refs: Mapping[str, str], *, seconds: float = SECONDS, apart: bool = False
) -> Iterator[Talk]:
    """A folder in which git speaks with ``remote``; gone afterwards. Hold the lock of the exchange.

    ``refs``: names to commits that both sides may have. It reads and fills the store; with ``apart`` it fills nothing
    but the folder, and reads the user's objects too.
    """
    for left in place.home.glob(f"{_FOLDER}*"):  # of a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER, dir=place.home))
    try:
        _furnish(place, folder, remote, refs)
        variables = {"GIT_DIR": str(folder)}
        if not apart:
            variables["GIT_OBJECT_DIRECTORY"] = str(store / "objects")
        else:
            variables["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = alternates(
                [place.common_dir / "objects", store / "objects"]
            )
            if (place.common_dir / "shallow").exists():
                variables["GIT_SHALLOW_FILE"] = str(place.common_dir / "shallow")
        yield Talk(remote, folder, Git(folder, variables, transport=True), time.monotonic() + seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _furnish(place: Place, folder: Path, remote: Remote, refs: Mapping[str, str]) -> None:
    for name in ("objects/info", "objects/pack", "refs"):
        (folder / name).mkdir(parents=True)
    sha1 = place.object_format == "sha1"
    config = _CONFIG.format(version=0 if sha1 else 1) + ("" if sha1 else _FORMAT.format(name=place.object_format))
    config += f'[remote "x"]\n\turl = {_quoted(remote.fetches)}\n\tpushurl = {_quoted(remote.pushes)}\n'
    if _local(remote.pushes):
        config += f"\treceivepack = {_quoted(_RECEIVES)}\n"
    for key, value in place.settings.items():
        address = key.removeprefix("http.").removesuffix(".extraheader")
        if key.startswith("http.") and key.endswith("extraheader"):
            section = f"[http {_quoted(address)}]" if key != "http.extraheader" else "[http]"
            config += f"{section}\n\textraHeader = {_quoted(value)}\n"
    opened = os.open(folder / "config", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(os.fsencode(config))
    lines = "".join(f"{commit} {name}\n" for name, commit in sorted(refs.items()))
    (folder / "packed-refs").write_text("# pack-refs with: sorted \n" + lines)
    (folder / "HEAD").write_text("ref: refs/heads/none\n")


def _local(address: str) -> bool:
    """Whether git would receive there by a process of this machine, as this user."""
    colon, slash = address.find(":"), address.find("/")
    return address.lower().startswith("file:") or colon < 0 or 0 <= slash < colon


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
