"""Every test gets a home, an identity and agents' folders of its own; nothing of the real ones is read or written."""

from __future__ import annotations

import compileall
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from support import warm
from support.repo import Repo
from support.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REQUIRE_ALL = os.environ.get("PASSDOWN_REQUIRE_ALL") == "1"
GIT_CONFIG = """\
[init]
	defaultBranch = main
[gc]
	auto = 0
[maintenance]
	auto = false
[core]
	fsync = none
"""
SOURCE = Path(__file__).resolve().parents[1] / "src"

settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", settings.get_profile("random"), derandomize=True)
settings.load_profile("steady")
"""The same code, the same result, on a slow machine too; ``--hypothesis-profile=random`` looks further."""

SCRUBBED_PREFIXES = (
    "GIT_",
    "SSH_",
    "CLAUDE",
    "CODEX",
    "GEMINI",
    "CURSOR",
    "OPENCODE",
    "COPILOT",
    "AIDER",
    "ANTHROPIC_",
    "OPENAI_",
    "PASSDOWN_",
    "XDG_",
    "PYTEST_ADDOPTS",
    "AI_AGENT",
    "AGENT",
    "CI",
    "GITHUB_",
    "FORCE_COLOR",
    "NO_COLOR",
)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once: every process that a test starts would do it anew where none may write bytecode.

    Behind nohup or a shell's ``&`` we ignore signals, and all that we start would: by a handler we alone do.
    """
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(SOURCE, quiet=2)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """With ``-n auto`` more than there are processors: a test waits for the disk and for processes, a client longer."""
    processors = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 7)
    return processors * 2 if config.option.markexpr == "agents" else processors + 1


@pytest.fixture(scope="session", autouse=True)
def forms_seen_by_all(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Workers that run side by side start the installed script once for every form of call, not once each."""
    if hasattr(request.config, "workerinput"):
        warm.seen_by_all(tmp_path_factory.getbasetemp().parent / "forms")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """With PASSDOWN_REQUIRE_ALL=1 a skip is a failure: nothing may go untested unseen."""
    report = yield
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although PASSDOWN_REQUIRE_ALL=1: {item.nodeid}: {call.excinfo}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """A module that skips itself is a failure too."""
    report = yield
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped although PASSDOWN_REQUIRE_ALL=1: {collector.nodeid}"
    return report


@pytest.fixture(autouse=True)
def scratch_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scratch HOME (agents' folders below it), a git identity by environment, no agent and no terminal in sight."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(SCRUBBED_PREFIXES):
            monkeypatch.delenv(name)
    global_config = home / ".gitconfig"
    global_config.write_text(
        "[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[core]\n\tfsync = none\n"
    )
    values = {
        "HOME": home,
        "USER": "alice",
        "LOGNAME": "alice",
        "CLAUDE_CONFIG_DIR": home / ".claude",
        "CODEX_HOME": home / ".codex",
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_CACHE_HOME": home / ".cache",
        "XDG_DATA_HOME": home / ".local/share",
        "XDG_STATE_HOME": home / ".local/state",
        "XDG_RUNTIME_DIR": home / ".run",
        "GIT_AUTHOR_NAME": "Alice Test",
        "GIT_AUTHOR_EMAIL": "alice@example.test",
        "GIT_COMMITTER_NAME": "Alice Test",
        "GIT_COMMITTER_EMAIL": "alice@example.test",
        "GIT_CONFIG_GLOBAL": global_config,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # a sample project's pytest has no use for our plugins
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, str(value))
    return home


@pytest.fixture
def repo_like(scratch_home: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Repo]:
    """``repo_like("name", build)``: what ``build`` makes of a new repository, built once, copied for each test."""
    assert scratch_home.exists()  # it gives the identity

    def make(name: str, build: Callable[[Repo], object]) -> Repo:
        return Repo.like(tmp_path_factory.getbasetemp() / f"kept-{name}", tmp_path / "repo", build)

    return make


def _begun(repo: Repo) -> None:
    repo.write("README.md", "# Sample\n").commit("Begin")


@pytest.fixture
def repo(repo_like: Callable[..., Repo]) -> Repo:
    """A repository at ``tmp_path/repo`` on branch main with one commit (README.md)."""
    return repo_like("begun", _begun)


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[..., Repo]:
    """Empty repositories by name: ``make_repo("other", object_format="sha256")``."""

    def make(name: str = "repo", **options: str) -> Repo:
        return Repo.create(tmp_path / name, **options)

    return make


@pytest.fixture
def sessions(scratch_home: Path) -> Sessions:
    """Writes real-format agent sessions into the scratch agents' folders."""
    return Sessions(scratch_home / ".claude", scratch_home / ".codex")
