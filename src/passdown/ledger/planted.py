"""What stands in Passdown's folder that Passdown never makes: it would show other objects or chains than are there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from passdown.ledger.alarm import Alarm
from passdown.ledger.decoding import decode
from passdown.ledger.writer import key_fault
from passdown.workspace.store_git import foreign_settings

_NEVER = {
    "objects/info/alternates": "objects are taken from elsewhere",
    "objects/info/http-alternates": "objects are taken from elsewhere",
    "info/grafts": "commits are shown with other parents",
    "shallow": "chains are shown cut off",
    "commondir": "another folder is shown in its place",
    "refs/replace": "objects are shown as others",
}


def planted(home: Path) -> list[Alarm]:
    """One alarm for each; nothing of it is followed where the record is read, but for links."""
    return [Alarm("store", text) for text in _told(home, home / "store.git")]


def _told(home: Path, store: Path) -> Iterator[str]:
    for path in _links(home, store):
        yield f"{path.relative_to(home.parent)} is a link to {path.readlink()}"
    if store.is_dir():
        for name, text in _NEVER.items():
            if _holds_something(store / name):
                yield f"store.git/{name}: {text}"
        if _holds_something(store / "hooks"):
            yield "store.git/hooks: programs that git would start (Passdown's git does not)"
        for line in foreign_settings(store)[:3]:
            yield f"store.git/config: {line}"
    if (home / "tips.json").is_file() and decode((home / "tips.json").read_bytes(), dict[str, str]) is None:
        yield "tips.json cannot be read: where each chain stood is forgotten, a cut from now on only is seen"
    fault = key_fault(home)
    if fault:
        yield f"writer.json: {fault}"


def _links(home: Path, store: Path) -> Iterator[Path]:
    """Passdown makes none: whoever made one decides what is read."""
    yield from (path for path in (home, store, home / "journal", home / "index.db") if path.is_symlink())
    if store.is_symlink() or not store.is_dir():
        return
    for at, folders, names in os.walk(store):
        yield from (path for name in (*folders, *names) if (path := Path(at, name)).is_symlink())


def _holds_something(path: Path) -> bool:
    return path.is_file() or (path.is_dir() and any(path.iterdir()))
