"""SSH signatures (SSHSIG) by ssh-keygen."""

from __future__ import annotations


def verify(armoured: str, message: bytes) -> str | None:
    raise NotImplementedError
