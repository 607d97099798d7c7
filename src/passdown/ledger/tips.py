"""Where every writer's chain was last seen: ``<home>/tips.json``, kept apart from store.git and the index."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from passdown.ledger.decoding import decode
from passdown.ledger.locks import exclusive


def seen(home: Path) -> dict[str, str]:
    """Ref to commit."""
    try:
        return decode((home / "tips.json").read_bytes(), dict[str, str]) or {}
    except FileNotFoundError:
        return {}


def advance(home: Path, tips: dict[str, str], leads_back: Callable[[str, str], bool]) -> None:
    """Take over the tips that go on from those seen before; a rewound or forked one stays as it was seen."""
    if all(seen(home).get(ref) == tip for ref, tip in tips.items()) or not os.access(home, os.W_OK):
        return
    with exclusive(home / "tips.lock"):
        now = seen(home)
        for ref, tip in tips.items():
            if ref not in now or (now[ref] != tip and leads_back(tip, now[ref])):
                now[ref] = tip
        beside = home / f"tips.{os.urandom(8).hex()}"
        try:
            beside.write_bytes(msgspec.json.encode(now))
            beside.replace(home / "tips.json")
        except OSError:  # a full disk: reading goes on, the next command takes them over
            beside.unlink(missing_ok=True)
