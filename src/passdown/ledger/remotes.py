"""Which remotes this clone spoke with, at which address, and what may go there: ``<home>/remotes.json``."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct, field

from passdown.ledger.decoding import decode


class Known(Struct, kw_only=True):
    """``address`` without password; ``work``: a person let the work itself go there.

    ``sent``: packet to the commit that carries its work there.
    """

    address: str
    work: bool = False
    sent: dict[str, str] = field(default_factory=dict)


def known_remotes(home: Path) -> dict[str, Known]:
    """By the remote's folder among our references; a file that cannot be read says nothing."""
    try:
        return decode((home / "remotes.json").read_bytes(), dict[str, Known]) or {}
    except FileNotFoundError:
        return {}


def remember(home: Path, folder: str, known: Known) -> None:
    """Keep it, under the exchange's lock."""
    everything = {**known_remotes(home), folder: known}
    beside = home / f"remotes.{os.getpid()}"
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(everything)))
    beside.replace(home / "remotes.json")
