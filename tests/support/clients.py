"""The real Claude Code and Codex, pinned, run offline against a scripted model.

with Model(turns) as model:
    ended = claude.run(model, "fix it")            # to its end
    with claude.begin(model, "fix it") as running:
        running.until(repo.path("started"))        # a file that the script's shell call makes
        running.interrupt()

Clients see a clean environment: the test's scratch home, dummy keys, a loopback base URL, and, where ``unshare`` can
make one, a network without any way out.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support import own_network
from support.tool_calls import ClaudeCalls, CodeModeCalls, CodexCalls

if TYPE_CHECKING:
    from support.model import Model
    from support.tool_calls import Calls

FOLDER = Path(__file__).resolve().parents[2] / ".clients"
PINNED = {"@anthropic-ai/claude-code": "2.1.332", "@openai/codex": "0.171.0"}
DIRECT, CODE_MODE = "gpt-5.5", "gpt-6-astra"
TIMEOUT = 300.0
PASSED_ON = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LC_ALL",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
)
GIT = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_CONFIG_GLOBAL")


class MissingError(Exception):
    """The clients are not here and cannot be installed; the message says why."""


def install(folder: Path = FOLDER) -> Path:
    """Have the pinned clients in ``folder`` (PASSDOWN_CLIENTS names another); MissingError where that fails."""
    folder = Path(os.environ.get("PASSDOWN_CLIENTS") or folder)
    if _installed(folder):
        return folder
    if missing := [name for name in ("node", "npm") if shutil.which(name) is None]:
        raise MissingError(f"no {' and no '.join(missing)} on PATH to install the agents' clients with")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _installed(folder):
            _npm_install(folder)
    return folder


def _installed(folder: Path) -> bool:
    def version(package: str) -> str | None:
        try:
            document: dict[str, Any] = json.loads((folder / "node_modules" / package / "package.json").read_bytes())
        except (OSError, ValueError):
            return None
        return document.get("version")

    return all(version(package) == pinned for package, pinned in PINNED.items()) and bool(_programs(folder))


def _npm_install(folder: Path) -> None:
    wanted = [f"{package}@{version}" for package, version in PINNED.items()]
    argv = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--save-exact", *wanted]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    if not _installed(folder):
        raise MissingError(f"npm could not install {', '.join(wanted)}: {done.stderr.strip()[-500:]}")


def _programs(folder: Path) -> dict[str, Path]:
    """The clients' programs; Codex's own one, not the Node wrapper: a signal is to reach the client itself."""
    claude = folder / "node_modules/.bin/claude"
    codex = next(folder.glob("node_modules/@openai/codex-*/vendor/*/bin/codex"), None)
    return {"claude": claude, "codex": codex} if codex is not None and claude.exists() else {}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a client ended; negative codes are signals."""

    code: int
    out: str
    err: str

    def check(self, code: int = 0) -> Ended:
        """Fail with the whole output unless the exit code is ``code``."""
        assert self.code == code, f"exit {self.code}, not {code}\n--- out\n{self.out}\n--- err\n{self.err}"
        return self


@dataclass(frozen=True, slots=True)
class Running:
    """A client at work."""

    process: subprocess.Popen[bytes]
    scratch: Path

    def until(self, path: Path, seconds: float = TIMEOUT) -> None:
        """Wait for a file that the script makes the agent write."""
        deadline = time.monotonic() + seconds
        while not path.exists():
            assert self.process.poll() is None, f"the client ended: {self.ended()}"
            assert time.monotonic() < deadline, f"{path.name} was never made"
            time.sleep(0.02)

    def interrupt(self) -> None:
        """Ctrl-C, for this client alone."""
        self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End this client without a goodbye."""
        self.process.kill()

    def ended(self) -> Ended:
        """Wait for its end; it is killed where that takes too long."""
        try:
            code = self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        return Ended(code, *((self.scratch / name).read_text(errors="replace") for name in ("out", "err")))


@dataclass(kw_only=True)
class Client:
    """One client at work in ``root``; ``scratch`` is its folder for what is temporary."""

    program: Path
    root: Path
    scratch: Path

    def run(self, model: Model, prompt: str, *options: str, resume: str | None = None) -> Ended:
        """One prompt, to its end; ``resume`` is the session that it goes on with."""
        with self.begin(model, prompt, *options, resume=resume) as running:
            return running.ended()

    @contextmanager
    def begin(self, model: Model, prompt: str, *options: str, resume: str | None = None) -> Iterator[Running]:
        """One prompt; whatever happens, the client has ended afterwards."""
        argv = [str(self.program), *self.arguments(prompt, *options, resume=resume)]
        with self._begin(model, argv) as running:
            yield running

    def through(self, model: Model, argv: list[str]) -> Ended:
        """Another program that starts this client, in all that the client sees, to its end."""
        with self._begin(model, argv) as running:
            return running.ended()

    @contextmanager
    def _begin(self, model: Model, argv: list[str]) -> Iterator[Running]:
        self.scratch.mkdir(parents=True, exist_ok=True)
        with (self.scratch / "out").open("wb") as out, (self.scratch / "err").open("wb") as err:
            process = _start(argv, model, cwd=self.root, env=self._all_it_sees(model), stdout=out, stderr=err)
        try:
            yield Running(process, self.scratch)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()

    def _all_it_sees(self, model: Model) -> dict[str, str]:
        """The whole environment of the client."""
        kept = {name: os.environ[name] for name in (*PASSED_ON, *GIT)}
        own = {"TERM": "dumb", "TMPDIR": str(self.scratch), "PYTHONDONTWRITEBYTECODE": "1"}
        return {**kept, **own, **self.environment(model)}

    def environment(self, model: Model) -> dict[str, str]:
        """What this client needs besides: where its model is, and a dummy key."""
        raise NotImplementedError

    def arguments(self, prompt: str, *options: str, resume: str | None) -> list[str]:
        """The command line without the program."""
        raise NotImplementedError

    def calls(self) -> Calls:
        """The tools that this client offers."""
        raise NotImplementedError


@dataclass(kw_only=True)
class Claude(Client):
    """Claude Code without a terminal; edits and the shell are allowed."""

    def arguments(self, prompt: str, *options: str, resume: str | None) -> list[str]:
        allowed = ("--permission-mode", "acceptEdits", "--allowedTools", "Bash")
        again = ("--resume", resume) if resume else ()
        return ["-p", prompt, "--output-format", "json", *allowed, *again, *options]

    def calls(self) -> ClaudeCalls:
        return ClaudeCalls(self.root)

    def environment(self, model: Model) -> dict[str, str]:
        quiet = ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING")
        return {
            **dict.fromkeys((*quiet, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"), "1"),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "sk-ant-dummy-no-real-key",
        }


@dataclass(kw_only=True)
class Codex(Client):
    """Codex without a terminal; by the model's name it offers direct tools or code mode."""

    name: str = DIRECT

    def arguments(self, prompt: str, *options: str, resume: str | None) -> list[str]:
        again = ("resume", resume) if resume else ()
        return ["exec", "--json", *options, *again, prompt]

    def calls(self) -> CodexCalls:
        return CodexCalls() if self.name == DIRECT else CodeModeCalls()

    def environment(self, model: Model) -> dict[str, str]:
        config = Path(os.environ["CODEX_HOME"], "config.toml")
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(self._config(model))
        return {"SCRIPTED_API_KEY": "dummy"}

    def _config(self, model: Model) -> str:
        return f"""\
model = "{self.name}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{model.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."{self.root}"]
trust_level = "trusted"
"""


@dataclass(frozen=True, slots=True)
class Clients:
    """Both clients, installed in ``folder``."""

    folder: Path

    def claude(self, root: Path, scratch: Path) -> Claude:
        """Claude Code in the worktree ``root``."""
        return Claude(program=_programs(self.folder)["claude"], root=root, scratch=scratch)

    def codex(self, root: Path, scratch: Path, name: str = DIRECT) -> Codex:
        """Codex in the worktree ``root``."""
        return Codex(program=_programs(self.folder)["codex"], root=root, scratch=scratch, name=name)


# the network
@cache
def unshare() -> tuple[str, ...] | None:
    """The command that gives a program a network of its own, None where this machine has none."""
    for options in (["--net"], ["--map-root-user", "--net"]):
        argv = ("unshare", *options, "--")
        if shutil.which("unshare") is None:
            return None
        if subprocess.run([*argv, "true"], capture_output=True, check=False).returncode == 0:
            return argv
    return None


def _start(argv: list[str], model: Model, **options: Any) -> subprocess.Popen[bytes]:
    """Start a client; its network holds the model and nothing else where that is possible."""
    apart = unshare()
    if apart is None:
        return subprocess.Popen(argv, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wrapped = [*apart, sys.executable, own_network.__file__, str(theirs.fileno()), str(model.port), *argv]
        process = subprocess.Popen(
            wrapped, stdin=subprocess.DEVNULL, start_new_session=True, pass_fds=(theirs.fileno(),), **options
        )
        theirs.close()
        ours.settimeout(TIMEOUT)
        _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    assert descriptors, f"no network for the client: {process.wait(TIMEOUT)}"
    model.listen(socket.socket(fileno=descriptors[0]))
    return process
