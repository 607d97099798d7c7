"""The variables that the command gets: none that holds or leads to a key."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from passdown.rules.patterns import lazy
from passdown.rules.redact import Redactor

_SECRET = lazy(
    r"(?i)token|secret|passw(or)?d|passphrase|credential|api_?key|access_?key|private_?key|auth(_|$)|(^|_)(pat|pwd|pass)$"
)
_AGENTS = frozenset({"SSH_AUTH_SOCK", "SSH_AGENT_PID"})
_LEADS = lazy(
    r"(GPG_AGENT_INFO|DBUS_(SESSION|SYSTEM)_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR"
    r"|(GIT|SSH|SUDO)_ASKPASS|(DOCKER|CONTAINER)_HOST|KUBECONFIG|TMUX(_TMPDIR)?|STY|GNOME_KEYRING_CONTROL|PULSE_SERVER"
    r"|VSCODE_(IPC|GIT)_\w+)"
)
_HARMLESS = frozenset({"PWD", "OLDPWD", "SSH_TTY", "XDG_SESSION_ID"})
_PLACES = {
    "TMPDIR": "/tmp",  # noqa: S108 - the private one
    "TMP": "/tmp",  # noqa: S108 - same
    "TEMP": "/tmp",  # noqa: S108 - same
}
CACHE = "/tmp/.cache"  # noqa: S108 - same
PRIVATE = {
    "XDG_CACHE_HOME": CACHE,
    "npm_config_cache": f"{CACHE}/npm",
    "GRADLE_USER_HOME": f"{CACHE}/gradle",
}
"""Where tools keep what they can make again, and what they cannot start without."""
_HOMES = {"XDG_CACHE_HOME": ".cache", "npm_config_cache": ".npm", "GRADLE_USER_HOME": ".gradle"}
_NAMED = (
    *("GOCACHE", "PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_CACHE_DIR", "YARN_CACHE_FOLDER", "YARN_GLOBAL_FOLDER"),
    *("CCACHE_DIR", "SCCACHE_DIR", "MYPY_CACHE_DIR", "RUFF_CACHE_DIR", "PRE_COMMIT_HOME", "TURBO_CACHE_DIR"),
    *("PYTHONPYCACHEPREFIX", "DENO_DIR", "BUNDLE_USER_CACHE", "COMPOSER_CACHE_DIR", "NX_CACHE_DIRECTORY"),
)
"""The same, where the person's own variable names a place."""


class Variables(Struct, frozen=True):
    """What is given, and the names of what is not; ``keys``: the agents' own, which they cannot work without."""

    given: dict[str, str]
    dropped: list[str]
    keys: list[str]


def variables(
    env: Mapping[str, str], keys: Collection[str], keep: Collection[str], *, ssh: bool, opened: Sequence[str] = ()
) -> Variables:
    """The environment without what holds a secret by its name or value, unless ``keep`` names it.

    ``opened``: folders that are writable besides; a cache that lies there stays where it is.
    """
    redactor = Redactor((), b"")
    given, dropped = {}, []
    for name, value in env.items():
        if name in keep or name in keys or (ssh and name in _AGENTS) or not _telling(name, value, redactor):
            given[name] = value
        else:
            dropped.append(name)
    given |= {name: place for name, place in _PLACES.items() if name in given} | private(given, opened)
    return Variables(given, sorted(dropped), sorted(name for name in keys if given.get(name)))


def private(env: Mapping[str, str], opened: Sequence[str]) -> dict[str, str]:
    """The variables that name caches, each pointed to a private folder unless it lies in an ``opened`` one."""
    home = env.get("HOME", "")
    places = {name: env.get(name) or f"{home}/{usual}" for name, usual in _HOMES.items()}
    places |= {name: env[name] for name in _NAMED if env.get(name)}
    return {
        name: PRIVATE.get(name, f"{CACHE}/{name.lower()}")
        for name, place in places.items()
        if not any(f"{os.path.realpath(place)}/".startswith(f"{folder}/") for folder in opened)
    }


def _telling(name: str, value: str, redactor: Redactor) -> bool:
    if name in _AGENTS or _LEADS.fullmatch(name):
        return True
    if name in _HARMLESS or not value:
        return False
    return _SECRET.search(name) is not None or redactor.text(value) != value
