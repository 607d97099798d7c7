"""Running git: the only module that does, in an environment of ours that no repository can bend."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field

from passdown.errors import EXIT_UNDECIDED, PassdownError

OLDEST = (2, 30)

# Each line closes one way in which a repository, a user's setting or a caller's environment could make
# git run a program, reach the network, wait for a person, or write where we only read.
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "true",
    "GIT_ADVICE": "0",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
# To speak with a remote a person's own settings count, by file or environment: keys, proxies, who is asked for a
# password. The repository's do not: an agent can write them, and several of them name a program to run.
_TRANSPORT = {name: value for name, value in _ENVIRONMENT.items() if not name.startswith("GIT_CONFIG_")} | {
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
}
_OF_A_PERSON = (
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
    "GIT_SSL_",
    "GIT_HTTP_",
)
_PREFIX = (
    "git",
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.untrackedCache=false",
    "-c",
    f"core.attributesFile={os.devnull}",
    "-c",
    f"core.excludesFile={os.devnull}",
    "-c",
    "log.showSignature=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    # Another owner's repository (a container's bind mount) is read as data: nothing it configures can run.
    "-c",
    "safe.directory=*",
)


class GitError(PassdownError):
    """A git command that failed; the message ends with the first line that git wrote."""

    def __init__(self, command: str, status: int, stderr: bytes) -> None:
        lines = [line for line in stderr.decode("utf-8", "backslashreplace").splitlines() if line.strip()]
        said = next(
            (line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "no output"
        )
        super().__init__(f"git {command} failed ({status}): {said}", code=EXIT_UNDECIDED)
        self.status = status
        self.stderr = stderr


class Running(Struct, frozen=True):
    """A git process that was started; ``finish`` waits and returns its output."""

    process: subprocess.Popen[bytes]
    command: str

    def finish(self, data: bytes | None = None, *, allow: tuple[int, ...] = (0,)) -> bytes:
        """Its standard output; GitError where the exit status is not in ``allow``."""
        out, err = self.process.communicate(data)
        if self.process.returncode not in allow:
            raise GitError(self.command, self.process.returncode, err)
        return out


class Git(Struct, frozen=True):
    """One place to run git in: a folder and the GIT_* variables of that place.

    ``transport``: with the settings of the person, as a remote needs them, and in a session of its own: nobody can
    be asked at the terminal, and what it started can be ended with it.
    """

    cwd: Path | str
    variables: Mapping[str, str] = field(default_factory=dict)
    transport: bool = False

    def start(self, *args: str, stdin: bool = False) -> Running:
        """Start git; the caller finishes it."""
        kept = _OF_A_PERSON if self.transport else ()
        env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key.startswith(kept)}
        ours = _TRANSPORT if self.transport else _ENVIRONMENT
        try:
            process = subprocess.Popen(
                (*_PREFIX, *args),
                cwd=self.cwd,
                env=env | ours | dict(self.variables),
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=self.transport,
            )
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            if not os.path.isdir(self.cwd) or not os.access(self.cwd, os.X_OK):
                raise PassdownError(f"no such folder: {self.cwd}") from error
            raise PassdownError("git is not installed", "install git 2.30 or newer") from error
        return Running(process, args[0])

    def run(self, *args: str, data: bytes | None = None, allow: tuple[int, ...] = (0,)) -> bytes:
        """Standard output of one command; GitError where it fails."""
        return self.start(*args, stdin=data is not None).finish(data, allow=allow)

    def ok(self, *args: str) -> bool:
        """Whether the command ended with 0."""
        process = self.start(*args).process
        process.communicate()
        return process.returncode == 0

    def line(self, *args: str) -> str | None:
        """The command's one line; None where it failed or said nothing."""
        running = self.start(*args)
        out, _ = running.process.communicate()
        text = os.fsdecode(out.removesuffix(b"\n"))
        return text if running.process.returncode == 0 and text else None

    def having(self, **variables: str) -> Git:
        """The same place with other variables."""
        return Git(self.cwd, {**self.variables, **variables}, self.transport)

    def inside(self, cwd: Path | str) -> Git:
        """The same variables in another folder."""
        return Git(cwd, self.variables, self.transport)


def zsplit(data: bytes) -> list[bytes]:
    """The records of a ``-z`` listing."""
    return data.split(b"\0")[:-1] if data else []


def zjoin(records: Iterable[bytes]) -> bytes:
    """The input of a ``-z --stdin`` command."""
    held = list(records)
    return b"\0".join(held) + b"\0" if held else b""


def check_git() -> None:
    """PassdownError where git is missing or too old."""
    said = Git("/").run("version").decode("ascii", "replace")
    found = re.search(r"(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        raise PassdownError(f"git is too old: {said.strip()}", "install git 2.30 or newer")
