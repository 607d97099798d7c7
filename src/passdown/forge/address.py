"""Where a remote's repository lives on GitHub, and where its API answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.rules.patterns import lazy
from passdown.workspace.place import scrub_url

_SCP = lazy(r"(?:[^/@:]+@)?(?P<host>[^/:@]+):(?P<path>(?!//)[^:]+)")
_NAME = lazy(r"[A-Za-z0-9._-]+")
_OTHERS = ("gitlab.com", "bitbucket.org", "codeberg.org", "sr.ht", "dev.azure.com")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Repository(Struct, frozen=True):
    """``host`` as people name it; ``api`` and ``graphql``: addresses without a slash at their end."""

    host: str
    owner: str
    name: str
    api: str
    graphql: str

    @property
    def full(self) -> str:
        """``owner/name``."""
        return f"{self.owner}/{self.name}"


def repository_at(address: str, environ: Mapping[str, str]) -> Repository:
    """The repository of a remote's address; ``GITHUB_API_URL`` counts where it names the same host.

    A token goes where the API is: an address on another host is no place for it. PassdownError where it is no GitHub.
    """
    scheme, host, path = _parts(address)
    names = path.strip("/").removesuffix(".git").split("/")
    if len(names) != 2 or not all(_NAME.fullmatch(name) and name.strip(".") for name in names):  # noqa: PLR2004 - owner, name
        raise PassdownError(f"{scrub_url(address)} names no OWNER/NAME on GitHub", "git remote -v lists the remotes")
    if _bare(host) in _OTHERS:
        raise PassdownError(
            f"{scrub_url(address)} is not on GitHub",
            "the text for any forge: passdown show --markdown",
        )
    api = _api(scheme, host, environ.get("GITHUB_API_URL", ""))
    graphql = f"{api.removesuffix('/v3')}/graphql" if api.endswith("/api/v3") else f"{api}/graphql"
    return Repository(host, names[0], names[1], api, graphql)


def _parts(address: str) -> tuple[str, str, str]:
    """``(scheme, host with a port where that is HTTP's, path)``."""
    if "://" in address:
        parts = urlsplit(address)
        host = (parts.hostname or "").lower()
        if parts.scheme in ("http", "https") and parts.port is not None:
            host = f"{host}:{parts.port}"
        scheme = parts.scheme
        path = parts.path
    else:
        found = _SCP.fullmatch(address)
        if found is None:
            raise PassdownError(f"{scrub_url(address)} is on this machine, not on GitHub", "passdown show --markdown")
        scheme, host, path = "ssh", found["host"].lower(), found["path"]
    return scheme, {"ssh.github.com": "github.com", "www.github.com": "github.com"}.get(host, host), path


def _api(scheme: str, host: str, said: str) -> str:
    if said:
        parts = urlsplit(said.rstrip("/"))
        if not _same(parts, host):
            raise PassdownError(
                f"GITHUB_API_URL names {parts.hostname or said!r}, the remote is on {host}",
                "the token goes to the remote's own host alone: unset one of them",
            )
        return said.rstrip("/")
    if host == "github.com" or host.endswith(".ghe.com"):
        return f"https://api.{host}"
    plain = scheme == "http" and _bare(host) in _LOOPBACK
    return f"{'http' if plain else 'https'}://{host}/api/v3"


def _same(parts: SplitResult, host: str) -> bool:
    """Whether an API's address belongs to that host and would not carry a token in the clear."""
    named = (parts.hostname or "").lower()
    secure = parts.scheme == "https" or (parts.scheme == "http" and named in _LOOPBACK)
    return secure and named in (_bare(host), f"api.{_bare(host)}")


def _bare(host: str) -> str:
    """The host without its port."""
    return re.sub(r":\d+$", "", host)
