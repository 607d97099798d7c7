"""The reviewer's SSH key: found, used without ever asking or hanging, and looked at for presence."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Protocol

from passdown.model.packet import Presence
from passdown.workspace.place import Place


@dataclass(frozen=True, slots=True)
class PersonSignature:
    """An armoured SSHSIG over a statement's PAE and the fingerprint (``SHA256:...``) of the key that made it."""

    fingerprint: str
    armoured: str

    def encoded(self) -> str:
        """The signature as an envelope carries it (base64)."""
        return base64.b64encode(self.armoured.encode("ascii")).decode("ascii")


class PersonSigner(Protocol):
    """Signs a statement's PAE with a person's key; None where that cannot be done (``because`` says why)."""

    because: str

    def sign(self, pae: bytes) -> PersonSignature | None:
        """The signature, or None; never asks, never hangs."""
        ...


@dataclass(frozen=True, slots=True)
class PersonKey:
    """The key that a person signs with: ``public`` is "type base64", ``because`` says where it was found."""

    public: str
    fingerprint: str
    because: str


def find_signer(place: Place) -> PersonSigner:
    """The signer of the person at this place; one that gives None (with its reason) where there is no usable key."""
    raise NotImplementedError


def presence(key: PersonKey | None) -> Presence:
    """How sure it is that a person decides here: a hardware key, a terminal on stdin and stderr, or unproven."""
    raise NotImplementedError


def identity(place: Place) -> tuple[str, str]:
    """``(name, "@handle or email")`` of the person, from git's identity; ``("", "")`` where there is none."""
    raise NotImplementedError
