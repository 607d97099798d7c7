"""What does not verify in the ledger."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passdown.errors import PassdownError

AlarmCode = Literal[
    "digest",
    "signature",
    "chain",
    "clock",
    "unreadable",
    "rewound",
    "forked",
    "gone",
    "index",
    "journal",
    "object",
    "content",
    "store",
]


class DamagedError(PassdownError):
    """The store cannot be read at all."""


class Alarm(Struct, frozen=True):
    """One break: where it stands (ref and commit, as far as known) and the statements that it makes untrusted."""

    code: AlarmCode
    text: str
    ref: str = ""
    commit: str = ""
    statements: tuple[str, ...] = ()
