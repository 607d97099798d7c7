"""The home and the machine around it: agents' own state writable, keys and sockets hidden, the rest read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from passdown.agents.state import AgentState
from passdown.sandbox.plan import Mount, Placeholder

Look = Callable[[str], Literal["file", "folder"] | None]
"""What stands at an absolute path, links followed; None: nothing."""

SSH = (".ssh",)
SECRETS = (
    *(".gnupg", ".aws", ".azure", ".oci", ".docker", ".kube", ".minikube", ".password-store", ".mozilla"),
    *(".config/gh", ".config/glab-cli", ".config/hub", ".config/gcloud", ".config/op", ".config/sops", ".config/age"),
    *(".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/containers", ".config/doctl"),
    *(".config/rclone", ".config/heroku", ".config/git/credentials", ".local/share/keyrings", ".local/share/kwalletd"),
    *(".netrc", ".git-credentials", ".npmrc", ".yarnrc.yml", ".pypirc", ".gem/credentials", ".vault-token"),
    *(".cargo/credentials", ".cargo/credentials.toml", ".terraform.d/credentials.tfrc.json", ".terraformrc"),
    *(".m2/settings.xml", ".gradle/gradle.properties", ".pgpass", ".my.cnf", ".s3cfg", ".boto", ".databrickscfg"),
    *(".config/pip/pip.conf", ".pip/pip.conf", ".config/configstore", ".snowflake", ".fly", ".railway", ".huggingface"),
    *(".bash_history", ".zsh_history", ".python_history", ".psql_history", ".local/share/fish/fish_history"),
)
SOCKETS = "/run"
"""Agents of keys, the session bus, container daemons: a connection to them is not stopped by a read-only mount."""
_RUN_KEPT = ("/run/systemd/resolve", "/run/current-system", "/run/opengl-driver")
TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 - they are closed off, not used


def hidden(home: str, look: Look, *, ssh: bool) -> Iterator[Mount]:
    """What holds keys, tokens and histories in the home."""
    for name in (*SECRETS, *(() if ssh else SSH)):
        path = f"{home}/{name}"
        kind = look(path)
        if kind is not None:
            yield Mount(path, "hidden folder" if kind == "folder" else "hidden file")


def machine(kept: Sequence[str], look: Look) -> Iterator[Mount]:
    """Everything read-only, temporary folders private, sockets hidden; ``kept``: read-only even below those."""
    yield Mount("/", "read-only")
    for path in TEMPORARY:
        if look(path) == "folder":
            yield Mount(path, "scratch")
    if look(SOCKETS) == "folder":
        yield Mount(SOCKETS, "scratch")
    covered = (*TEMPORARY, SOCKETS)
    for path in (*kept, *_RUN_KEPT):
        if look(path) is not None and any(path.startswith(f"{each}/") for each in covered):
            yield Mount(path, "read-only")


class Home(Struct, frozen=True):
    """One home. ``is_ours``: whether a placeholder stands there already; ``program``: what is run, by its name."""

    path: str
    env: Mapping[str, str]
    look: Look
    is_ours: Callable[[Placeholder], bool] = lambda _: False
    program: str = ""


def agents_state(states: Sequence[AgentState], home: Home) -> tuple[list[Mount], list[Placeholder]]:
    """Each agent's own folder writable, what steers its later runs read-only or kept from being planted.

    The agent that is run gets its folder where it has none yet; it keeps what it writes there.
    """
    mounts: list[Mount] = []
    placeholders: list[Placeholder] = []
    for state in states:
        folder = state.at(home.env, home.path)
        wanted = {folder: None, **{f"{home.path}/{name}": text for name, text in state.beside.items()}}
        for path, content in wanted.items():
            if home.look(path) is None and state.program == home.program:
                placeholders.append(Placeholder(path, content))
                mounts.append(Mount(path, "writable"))
            elif home.look(path) is not None:
                mounts.append(Mount(path, "writable"))
        if Mount(folder, "writable") in mounts:
            closed, planted = _settings(state, folder, home)
            mounts += closed
            placeholders += planted
    return mounts, placeholders


def _settings(state: AgentState, folder: str, home: Home) -> tuple[list[Mount], list[Placeholder]]:
    mounts: list[Mount] = []
    placeholders: list[Placeholder] = []
    parts: dict[str, str | None] = {f"{folder}/{part}": None for part in state.parts}
    files = {f"{folder}/{name}": empty for name, empty in state.settings.items()}
    for path, empty in {**parts, **files}.items():
        missing = home.look(path) is None or home.is_ours(Placeholder(path, empty))
        planted = missing and (path in parts or empty is not None)
        if planted:
            placeholders.append(Placeholder(path, empty))
        if planted or not missing:
            mounts.append(Mount(path, "read-only"))
    return mounts, placeholders
