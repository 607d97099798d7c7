"""The reviewer: name, SSH key, and how sure it is that a person is there. Nothing here ever asks without a terminal."""

from __future__ import annotations

import base64
import os
import sys
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from passdown.ledger import sshsig
from passdown.model.packet import Presence
from passdown.workspace.git import Git, GitError
from passdown.workspace.place import Place, config_at

_NAMES = ("id_ed25519_sk", "id_ecdsa_sk", "id_ed25519", "id_ecdsa", "id_rsa")
UNSIGNED = "unsigned, this clone"


class PersonSignature(Struct, frozen=True):
    """An armoured SSHSIG over a statement's PAE and the fingerprint (``SHA256:...``) of the key that made it."""

    fingerprint: str
    armoured: str

    def encoded(self) -> str:
        """The signature as an envelope carries it (base64)."""
        return base64.b64encode(self.armoured.encode("ascii")).decode("ascii")


class PersonKey(Struct, frozen=True):
    """A key to sign with: ``public`` is "type base64"; ``path`` its file, None where only the agent holds it."""

    public: str
    fingerprint: str
    because: str
    path: Path | None = None


class PersonSigner(Protocol):
    """Signs a statement's PAE with a person's key; gives None where that cannot be done (``because`` says why)."""

    because: str

    def sign(self, pae: bytes) -> PersonSignature | None:
        """The signature, or None; never hangs."""
        ...


class Signer:
    """The signer at a place. Without a usable key it signs nothing and ``because`` says so."""

    def __init__(self, key: PersonKey | None, because: str) -> None:
        self.key = key
        self.because = because

    def sign(self, pae: bytes) -> PersonSignature | None:
        """The signature, or None with the reason in ``because``."""
        if self.key is None:
            return None
        import tempfile  # noqa: PLC0415 - few commands need it

        with tempfile.TemporaryDirectory(prefix="passdown-") as folder:
            path = self.key.path
            if path is None:
                path = Path(folder) / "key.pub"
                path.write_text(f"{self.key.public}\n")
            ran = sshsig.sign(path, pae, asks=at_terminal())
        if ran.problem:
            self.because = f"{UNSIGNED}: {ran.problem}"
            return None
        return PersonSignature(self.key.fingerprint, ran.out.decode("ascii"))


def find_signer(place: Place) -> Signer:
    """The person's key: git's user.signingkey (gpg.format ssh), else the agent's only key, else ~/.ssh."""
    settings = settings_of(place)
    configured = settings.get("user.signingkey", "")
    if settings.get("gpg.format") == "ssh" and configured:
        key = _configured(configured)
        return Signer(key, key.because if key else f"{UNSIGNED}: user.signingkey cannot be read: {configured}")
    held = sshsig.agent_keys()
    if len(held) == 1:
        key = _known(held[0], "the only key in the SSH agent")
        if key:
            return Signer(key, key.because)
    for name in _NAMES:
        path = Path.home() / ".ssh" / name
        key = _in_file(path, f"~/.ssh/{name}") if os.path.isfile(path) else None  # noqa: PTH113 - never raises
        if key:
            return Signer(key, key.because)
    return Signer(None, f"{UNSIGNED}: no SSH key")


def _configured(value: str) -> PersonKey | None:
    if value.startswith("key::") or sshsig.is_public(value):
        return _known(value.removeprefix("key::"), "user.signingkey")
    return _in_file(Path(value).expanduser(), "user.signingkey")


def _in_file(path: Path, because: str) -> PersonKey | None:
    """The key in a file: its public half beside it or in it, else what ssh-keygen reads from an open private key."""
    public = path if path.suffix == ".pub" else path.with_name(f"{path.name}.pub")
    try:
        lines = [line for line in public.read_text("utf-8", "replace").splitlines() if sshsig.is_public(line)]
    except OSError:
        ran = sshsig.run("ssh-keygen", "-y", "-f", str(path))
        lines = [] if ran.problem else ran.out.decode("utf-8", "replace").splitlines()
    return _known(lines[0], because, path) if lines else None


def _known(line: str, because: str, path: Path | None = None) -> PersonKey | None:
    found = sshsig.fingerprint(line)
    return PersonKey(" ".join(line.split()[:2]), found, because, path) if found else None


def at_terminal() -> bool:
    """Whether a person can be asked: a terminal on stdin and stderr."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def presence(key: PersonKey | None) -> Presence:
    """How sure it is that a person decides here: a hardware key, a terminal on stdin and stderr, or unproven."""
    if key is not None and key.public.startswith("sk-"):
        return "fido"
    return "terminal" if at_terminal() else "unproven"


def identity(place: Place) -> tuple[str, str]:
    """``(name, "@handle or email")`` of the person, as git would name them; ``("", "")`` where it could not."""
    settings = settings_of(place)
    name = os.environ.get("GIT_AUTHOR_NAME") or settings.get("user.name", "")
    mail = os.environ.get("GIT_AUTHOR_EMAIL") or settings.get("user.email", "")
    handle = settings.get("github.user", "")
    return name, f"@{handle}" if handle else mail


def settings_of(place: Place) -> dict[str, str]:
    """The person's and the repository's git settings as data; the repository's stand above."""
    named = os.environ.get("GIT_CONFIG_GLOBAL")
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    files = [Path(named)] if named else [folder / "git" / "config", Path.home() / ".gitconfig"]
    found: dict[str, str] = {}
    for path in files:
        if os.access(path, os.R_OK) and path.is_file():
            found |= _read(Git(place.root, {"GIT_CONFIG_GLOBAL": str(path)}))
    return {**found, **place.settings}


def _read(git: Git) -> dict[str, str]:
    try:
        return config_at(git)
    except GitError:  # a settings file that git cannot parse names nobody
        return {}
