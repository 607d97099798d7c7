"""Ledgers in real repositories: what the tests of ledger and store say again and again."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from passdown.ledger.ledger import Ledger
from passdown.model.event import Note
from passdown.store import open_ledger

AT = "2026-11-30T10:00:00+00:00"


def note(text: str = "one more", task: str = "t") -> Note:
    """A small statement."""
    return Note(task=task, kind="step", text=text, by="agent")


def say(home: Path, *texts: str, task: str = "t", at: str = AT) -> list[str]:
    """Append notes in a ledger opened for it; their ids."""
    with opened(home) as ledger:
        return [ledger.append(note(text, task), task=task, at=at) for text in texts]


@contextmanager
def opened(home: Path, object_format: str = "sha1") -> Iterator[Ledger]:
    """A ledger, closed again."""
    ledger = open_ledger(home, object_format)
    try:
        yield ledger
    finally:
        ledger.close()


def texts(home: Path, *, trusted: bool = True) -> list[str]:
    """What the notes say, in their order."""
    with opened(home) as ledger:
        return [record.body.text for record in ledger.records(type="note") if record.trusted or not trusted]


def store_git(home: Path, *args: str, data: bytes = b"") -> str:
    """Plain git in store.git."""
    done = subprocess.run(
        ["git", f"--git-dir={home / 'store.git'}", *args], input=data, capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "replace").strip()


def own_ref(home: Path) -> str:
    """The one ref of the log in a store with one writer and one epoch."""
    (ref,) = store_git(home, "for-each-ref", "--format=%(refname)", "refs/passdown/log").split()
    return ref


@contextmanager
def held_ref(home: Path) -> Iterator[None]:
    """Another git process holds our ref: nothing can be committed."""
    lock = home / "store.git" / f"{own_ref(home)}.lock"
    lock.touch()
    os.utime(lock, (ahead := time.time() + 3600, ahead))  # an old one would be taken for a dead one's
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def rebuild(home: Path) -> None:
    """Delete the index."""
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (home / name).unlink(missing_ok=True)
