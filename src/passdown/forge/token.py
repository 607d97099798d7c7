"""The token that GitHub is asked with: from the environment, else from ``gh``. It is never shown and never recorded."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from passdown.errors import PassdownError
from passdown.forge.address import Repository

_SECONDS = 15.0
_NAMED = ("GITHUB_API_URL", "GITHUB_SERVER_URL", "GH_HOST")


def find_token(repository: Repository, environ: Mapping[str, str], root: Path) -> str:
    """As ``gh`` chooses it: a token for github.com goes to no other host unless the environment names that host.

    ``root``: the worktree; a program inside it is not run.
    """
    names = ["GH_TOKEN", "GITHUB_TOKEN"] if _for(repository.host, environ) else []
    if not _cloud(repository.host):
        names = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", *names]
    found = next((environ[name].strip() for name in names if environ.get(name, "").strip()), None)
    token = found or _of_gh(repository.host, root)
    if not token:
        wanted = "GITHUB_TOKEN" if _cloud(repository.host) else "GH_ENTERPRISE_TOKEN"
        raise PassdownError(
            f"no token for {repository.host}", f"gh auth login --hostname {repository.host}, or set {wanted}"
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise PassdownError(f"the token for {repository.host} holds characters that no token has", "set it anew")
    return token


def _cloud(host: str) -> bool:
    return host == "github.com" or host.endswith(".ghe.com")


def _for(host: str, environ: Mapping[str, str]) -> bool:
    named = [environ.get(name, "") for name in _NAMED]
    hosts = {urlsplit(one).netloc.lower() if "://" in one else one.lower() for one in named}
    return _cloud(host) or host in hosts


def _of_gh(host: str, root: Path) -> str:
    """What ``gh auth token`` says; "" where there is no gh, or it knows none."""
    program = shutil.which("gh")
    if program is None or Path(program).resolve().is_relative_to(root):
        return ""
    argv = [str(Path(program).absolute()), "auth", "token", "--hostname", host]
    try:
        ran = subprocess.run(argv, cwd="/", capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
