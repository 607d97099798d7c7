"""A world outside: a repository with an armed boundary, a home with keys, another worktree, a process, sockets."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from passdown.sandbox import bubblewrap, landlock
from support import warm
from support.process import PASSDOWN, TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Done = subprocess.CompletedProcess[str]

SECRET = "LEAKED-0123456789"
GOT_OUT = "got-out"
ORDINARY = 61234
NOTHING: dict[str, str] = {}
SOURCE = Path(__file__).parents[2] / "src"
FREE = ("repo/lib/", "repo/src/", "repo/.git/", "home/.claude/", "home/.codex/")
"""Where new names may come."""
MAY_CHANGE = ("repo/lib/", "repo/src/a.py", "repo/.git/", "home/.claude", "home/.codex")
STAYS = (
    *("repo/lib/secret.py", "repo/lib/closed", "repo/lib/far/off/denied.py", "repo/lib/twin.py"),
    *(
        f"repo/.git/{name}"
        for name in (
            *("config", "commondir", "hooks", "info", "modules", "worktrees", "passdown/store.git"),
            "objects/pack/pack-",
        )
    ),
    *(
        "home/.claude/settings",
        "home/.claude/hooks",
        "home/.claude/commands",
        "home/.codex/config.toml",
        "home/.codex/hooks",
    ),
)
INSIDE = ("repo", "repo/.git", "home/.claude", "home/.codex")
STAYING = (".git", "passdown")


@dataclass
class World:
    """Everything below ``root``, owned by ``uid``."""

    root: Path
    uid: int
    python: list[str]
    env: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    sockets: list[socket.socket] = field(default_factory=list)

    @property
    def repo(self) -> Path:
        return self.root / "repo"

    def run(self, *argv: str, cwd: Path | None = None, **options) -> Done:
        """As the world's user, with its environment."""
        who = {} if self.uid == os.getuid() else {"user": self.uid, "group": self.uid, "extra_groups": []}
        return subprocess.run(
            argv,
            cwd=cwd or self.repo,
            env=self.env | options.pop("env", {}),
            stdin=options.pop("stdin", subprocess.DEVNULL),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            check=False,
            **who,
            **options,
        )

    def passdown(self, *args: str, cwd: Path | None = None, **options) -> Done:
        """Passdown as the world's user; forked from a warm process of that user where nothing else is asked for."""
        if "stdin" not in options:
            given = warm.Given([PASSDOWN, *args], cwd or self.repo, self._names(options.get("env", {})))
            if warm.usable(given.argv, given.env, self._start):
                return self._forked(given)
        return self.run(*self.python, "-m", "passdown.cli.main", *args, cwd=cwd, **options)

    def sandbox(self, script: str, *options: str, env: Mapping[str, str] = NOTHING) -> Done:
        """The script confined, with a file and a folder from outside as descriptors 7 and 8."""
        outside = self.root / "out"
        words = ["sandbox", *options, "--", "sh", "-c", script]
        names = self._names(env)
        if warm.usable([PASSDOWN, *words], names, self._start):
            opened = [os.open(outside / "file", os.O_RDWR), os.open(outside, os.O_RDONLY)]
            try:
                return self._forked(warm.Given([PASSDOWN, *words], self.repo, names, dict(enumerate(opened, 7))))
            finally:
                for each in opened:
                    os.close(each)
        given = f'exec 7<>{outside}/file 8<{outside}; exec "$@"'
        argv = [*self.python, "-m", "passdown.cli.main", *words]
        return self.run("sh", "-c", given, "sh", *argv, env=env)

    def _names(self, changes: Mapping[str, str]) -> dict[str, str]:
        """Its environment, as ``python`` has it."""
        return {**self.env, **dict([self.python[1].split("=", 1)]), **changes}

    @property
    def _start(self) -> warm.Start:
        return warm.Start.of(self.python[-1], self._names({}), self.uid)

    def _forked(self, given: warm.Given) -> Done:
        code, out, err = warm.call(given, None, TIMEOUT, self._start)
        return subprocess.CompletedProcess(given.argv, code, *(text.decode(errors="replace") for text in (out, err)))

    def seen(self) -> dict[str, tuple[object, ...]]:
        """Path -> what it is, of everything that must stay as it is; new names where none may come included."""
        found: dict[str, tuple[object, ...]] = {}
        for folder, folders, files in os.walk(self.root):
            for name in folders + files:
                path = Path(folder, name)
                label = str(path.relative_to(self.root))
                if (
                    not label.startswith(STAYS)
                    and label.startswith((*MAY_CHANGE, *FREE))
                    and label not in ("repo/src/b.py", "repo/src/deep", "repo/src/deep/c.py")
                ):
                    continue
                found[label] = _what(path)
        return found

    def restore(self) -> None:
        """What may change as it was at first; the folders that the record knows by their inode stay."""
        for name in INSIDE:
            place, kept = self.root / name, self.pristine / name
            for each in list(place.iterdir()):
                if each.name not in STAYING:
                    _remove(each)
            for each in kept.iterdir():
                if each.name not in STAYING:
                    _copy(each, place / each.name)
        (self.repo / "lib/twin.py").unlink()
        os.link(self.root / "out/twin.py", self.repo / "lib/twin.py")

    @property
    def pristine(self) -> Path:
        return self.root.parent / "pristine"

    def heard(self) -> bool:
        """Whether somebody connected to a socket outside."""
        for each in self.sockets:
            with contextlib.suppress(BlockingIOError):
                each.accept()
                return True
        return False


def _what(path: Path) -> tuple[object, ...]:
    seen = path.lstat()
    content = ""
    if stat.S_ISREG(seen.st_mode):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    elif stat.S_ISLNK(seen.st_mode):
        content = str(path.readlink())
    time_of = seen.st_mtime_ns if stat.S_ISREG(seen.st_mode) else 0
    return (seen.st_mode, seen.st_uid, seen.st_nlink if stat.S_ISREG(seen.st_mode) else 0, time_of, content)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _copy(path: Path, to: Path) -> None:
    """As ``cp -a``, in this process: the world is made anew for hundreds of tests."""
    what = path.lstat()
    if stat.S_ISDIR(what.st_mode):
        to.mkdir()
        for each in path.iterdir():
            _copy(each, to / each.name)
    elif stat.S_ISLNK(what.st_mode):
        to.symlink_to(path.readlink())
    else:
        shutil.copyfile(path, to)
    os.chown(to, what.st_uid, what.st_gid, follow_symlinks=False)
    shutil.copystat(path, to, follow_symlinks=False)


def need_bubblewrap() -> None:
    """Skip with the reason and the remedy where this machine cannot confine."""
    support = bubblewrap.support()
    if support.fault:
        pytest.skip(f"{support.fault}: {support.remedy}")
    if not landlock.support():
        pytest.skip("this kernel has no Landlock")


def users() -> list[str]:
    """Who runs the tests, and an ordinary user besides where that can be."""
    return ["root", "ordinary"] if os.getuid() == 0 else ["ordinary"]


def _python(uid: int) -> list[str] | None:
    """An interpreter that this user can run with Passdown in it."""
    packages = [path for path in sys.path if path.endswith("site-packages")]
    path = os.pathsep.join([str(SOURCE), *packages])
    who = {} if uid == os.getuid() else {"user": uid, "group": uid, "extra_groups": []}
    for program in (sys.executable, "/usr/bin/python3"):
        argv = ["env", f"PYTHONPATH={path}", program]
        with contextlib.suppress(OSError):
            tried = subprocess.run(
                [*argv, "-m", "passdown.cli.main", "--version"], cwd="/", capture_output=True, check=False, **who
            )
            if tried.returncode == 0:
                return argv
    return None


@contextlib.contextmanager
def made_for(user: str) -> Iterator[World]:
    """A world of this user, gone afterwards; skipped where none can be."""
    need_bubblewrap()
    uid = ORDINARY if os.getuid() == 0 and user == "ordinary" else os.getuid()
    python = _python(uid)
    if python is None:
        pytest.skip("no Python that an ordinary user can run has Passdown's packages: install python3 system-wide")
    top = Path(tempfile.mkdtemp(prefix="passdown-world-"))
    top.chmod(0o755)
    world = None
    try:
        world = _fill(top / "world", uid, python)
        yield world
    finally:
        if world is not None:
            world.process.kill()
            world.process.wait()
            for each in world.sockets:
                each.close()
        shutil.rmtree(top, ignore_errors=True)


def _fill(root: Path, uid: int, python: list[str]) -> World:
    home = root / "home"
    env = {
        "HOME": str(home),
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "OUT": str(root / "out"),
        "OTHER": str(root / "other"),
        "PY": "/usr/bin/python3" if Path("/usr/bin/python3").exists() else python[-1],
        "AGENT": str(root / "agent/sock"),
        "WATCHED": str(home / ".local/watch/sock"),
        "ABSTRACT": f"{root.parent.name}-{uid}",
        "SSH_AUTH_SOCK": str(root / "agent/sock"),
        "GOT_OUT": GOT_OUT,
        "GITHUB_TOKEN": SECRET,
        "DATABASE_URL": f"postgres://app:{SECRET}@localhost/db",
        "ANTHROPIC_API_KEY": "the-agents-own",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "a@example.test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    for path, content in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    for folder in ("home/.claude/projects", "repo/lib/empty", "agent", "home/.local/watch"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    os.link(root / "out/twin.py", root / "repo/lib/twin.py")
    (root / "repo/lib/out").symlink_to("../../out")
    _give(root, uid)
    world = World(root, uid, python, env)
    _repository(world)
    world.process = _outside(world)
    env["OUTSIDE_PID"] = str(world.process.pid)
    for address in (env["SSH_AUTH_SOCK"], env["WATCHED"], "\0" + env["ABSTRACT"]):
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(address)
        listening.listen()
        listening.setblocking(False)
        world.sockets.append(listening)
    _give(root, uid)
    subprocess.run(["cp", "-a", root, world.pristine], check=True)
    return world


FILES = {
    "repo/README.md": "# Sample\n",
    "repo/src/a.py": "a\n",
    "repo/src/b.py": "b\n",
    "repo/src/deep/c.py": "c\n",
    "repo/lib/ok.py": "ok\n",
    "repo/lib/secret.py": "s\n",
    "repo/lib/closed/c.py": "c\n",
    "repo/lib/far/off/denied.py": "d\n",
    "repo/lib/far/off/fine.py": "f\n",
    "repo/migrations/1.sql": "m\n",
    "out/file": "f\n",
    "out/twin.py": "t\n",
    "home/.ssh/id_ed25519": SECRET,
    "home/.netrc": SECRET,
    "home/.aws/credentials": SECRET,
    "home/.config/gh/hosts.yml": SECRET,
    "home/.bashrc": "",
    "home/.gitconfig": "",
    "home/.cache/wheel": "",
    "home/.claude.json": "{}",
    "home/.codex/config.toml": "",
}
BOUNDARY = [
    "--allow",
    "src/a.py",
    "--allow",
    "lib/**",
    "--deny",
    "lib/secret.py",
    "--deny",
    "lib/closed/",
    "--deny",
    "denied.py",
]


def _repository(world: World) -> None:
    for args in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["commit", "-q", "-m", "Begin"],
        ["commit", "-q", "-m", "Go on", "--allow-empty"],
        ["worktree", "add", "-q", "-b", "other", str(world.root / "other")],
    ):
        done = world.run("git", *args)
        assert done.returncode == 0, done.stderr
    world.run("git", "repack", "-q", "-a", "-d")
    module = world.repo / ".git/modules/sub/hooks"
    module.mkdir(parents=True)
    (module.parent / "config").write_text("[core]\n")
    _give(module.parent.parent, world.uid)
    done = world.passdown("start", "Do it", *BOUNDARY)
    assert done.returncode == 0, done.stderr
    assert world.passdown("status").returncode == 0


def _outside(world: World) -> subprocess.Popen[bytes]:
    who = {} if world.uid == os.getuid() else {"user": world.uid, "group": world.uid, "extra_groups": []}
    return subprocess.Popen(["sleep", "1000"], cwd=world.root / "out", env={"KEY": SECRET}, **who)


def _give(top: Path, uid: int) -> None:
    for path in (top, *top.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)
