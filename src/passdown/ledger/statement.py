"""Statements: in-toto Statements v1 about a task, written once and named by their digest."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from passdown.ledger.decoding import decode
from passdown.model.event import BODIES, TYPES, Body

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATES = "https://passdown.dev/"
MAX_LAMPORT = 2**53
"""Above this a clock is no clock: it would push everybody's numbers out of JSON's range."""

_ALGORITHMS = {"tree": "gitTree", "commit": "gitCommit", "blob": "gitBlob"}


class Subject(Struct, frozen=True, kw_only=True):
    """What a statement is about, by digest."""

    name: str
    digest: dict[str, str]


class Clock(Struct, frozen=True, kw_only=True):
    """``seen``: "writer/epoch" to commit, the heads that set the clock; ``lamport``: one more than their largest."""

    lamport: int
    seen: dict[str, str] = field(default_factory=dict)


class Predicate(Struct, frozen=True, kw_only=True):
    """The statement proper; ``body`` is one of ``model.event.BODIES``."""

    task: str | None
    at: str
    writer: str
    clock: Clock
    body: Raw


class Statement(Struct, frozen=True, kw_only=True, rename={"kind": "_type", "predicate_type": "predicateType"}):
    """The in-toto Statement."""

    kind: str
    subject: list[Subject]
    predicate_type: str
    predicate: Predicate


def predicate_type(name: str) -> str:
    """The predicate type of a statement's type, such as "packet"."""
    return f"{PREDICATES}{name}/v1"


def type_of(statement: Statement) -> str:
    """The statement's type; the whole predicate type where it is not one of ours."""
    name = statement.predicate_type.removeprefix(PREDICATES).removesuffix("/v1")
    return name if predicate_type(name) == statement.predicate_type else statement.predicate_type


def write(body: Body, subjects: dict[str, str], *, task: str | None, at: str, writer: str, clock: Clock) -> bytes:
    """The statement's bytes."""
    name = TYPES[type(body)]
    raw = msgspec.json.encode(body)
    subject = [Subject(name=each, digest={_ALGORITHMS.get(each, "sha256"): value}) for each, value in subjects.items()]
    if not subject:
        subject = [Subject(name=name, digest={"sha256": hashlib.sha256(raw).hexdigest()})]
    predicate = Predicate(task=task, at=at, writer=writer, clock=clock, body=Raw(raw))
    statement = Statement(
        kind=STATEMENT_TYPE, subject=subject, predicate_type=predicate_type(name), predicate=predicate
    )
    return msgspec.json.encode(statement)


def read(payload: bytes) -> Statement | None:
    """The statement; None where the bytes are not one."""
    statement = decode(payload, Statement)
    return statement if statement is not None and statement.kind == STATEMENT_TYPE else None


def body_of(name: str, raw: bytes) -> Body | None:
    """The body; None for a type, or a shape of it, that this version does not know."""
    kind: type[Any] | None = BODIES.get(name)
    return decode(raw, kind) if kind is not None else None


def clock_holds(lamport: int, seen: list[int | None]) -> bool | None:
    """Whether a Lamport is one more than the largest seen; None where a seen head is not here (None among ``seen``)."""
    if not 0 < lamport < MAX_LAMPORT:
        return False
    known = [each for each in seen if each is not None]
    if len(known) < len(seen):
        return None if lamport > max(known, default=0) else False
    return lamport == 1 + max(known, default=0)
