"""What the pages need from the rest of Passdown, handed in: they read and answer through it alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

from passdown.model.boundary import Boundary
from passdown.model.packet import Answer, FileChange, Packet
from passdown.rules.measures.measured import Measured
from passdown.web.timeline import Event


class Row(Struct, frozen=True):
    """One packet of the list: its id, what it is about, how it stands, whether its task's newest."""

    packet: str
    title: str
    at: str
    state: str
    answered: str | None
    newest: bool


class Stand(Struct, frozen=True):
    """A path outside the boundary that an approval lets stand, and why it is outside."""

    text: str
    because: str


class Review(Struct, frozen=True):
    """One packet as a reviewer sees it now.

    ``boundary``: what the next run may write as it stands; ``strays``: what an approval lets stand; ``older``: that a
    newer packet exists; ``lapsed``: why an answer no longer binds; ``me``: who answers; ``tails``: ends of the checks'
    outputs by name; ``tree``: the worktree that was looked at; ``owners``: whose word is asked for, and whether it is
    missing; ``owned``: the same with their files.
    """

    packet: Packet
    boundary: Boundary
    me: str
    now: str
    tree: str
    strays: Sequence[Stand] = ()
    older: str | None = None
    lapsed: str | None = None
    tails: Mapping[str, str] = field(default_factory=dict)
    owners: Sequence[tuple[str, bool]] = ()
    owned: Sequence[str] = ()


class Glance(Struct, frozen=True):
    """One moment of the repository: every path of ``tree``, the run's files, what the next run may write."""

    packet: str
    tree: str
    paths: Sequence[str]
    files: Sequence[FileChange]
    boundary: Boundary


class Asked(Struct, frozen=True):
    """An answer as the form gives it; ``specs`` as `review --narrow` takes them."""

    answer: Answer
    specs: Sequence[str] = ()
    note: str | None = None
    assignee: str | None = None
    to: str | None = None
    accept_tests: bool = False
    blockers_complete: bool | None = None
    overstated: bool | None = None
    acceptance: Mapping[str, str] = field(default_factory=dict)


class Effect(Struct, frozen=True):
    """What an answer would do: the boundary after it, how many files of the tree that allows, who owns them."""

    before: Boundary
    after: Boundary
    files: int
    owners: Mapping[str, int]
    stands: Sequence[Stand]
    tree: str


class Done(Struct, frozen=True):
    """What was recorded: the statement, who by, how sure that a person was there, what comes next.

    ``older``: that a newer packet exists by now, and what the answer does all the same.
    """

    statement: str
    by: str
    presence: str
    self_: bool
    signed: bool
    after: Boundary
    next: str
    older: str | None = None


class Numbers(Struct, frozen=True):
    """The measures with the words of the terminal's screen, each by the measure's name."""

    measured: Measured
    heading: str
    names: dict[str, str]
    told: dict[str, str]
    before: dict[str, str]


class Happened(Struct, frozen=True):
    """One event of a task's story; ``at`` as a person reads it, ``type`` of the record ``id``."""

    at: str
    what: str
    text: str
    id: str
    type: str
    trusted: bool


class Desk(Protocol):
    """One repository. Every method raises PassdownError with a line for the person."""

    def rows(self) -> list[Row]:
        """Every packet, the newest first."""
        ...

    def review(self, packet: str) -> Review:
        """One of them, as it stands now."""
        ...

    def effect(self, packet: str, asked: Asked) -> Effect:
        """What that answer would do; nothing is recorded."""
        ...

    def answer(self, packet: str, asked: Asked, tree: str) -> Done:
        """Sign and record it, where the worktree is still the one that was seen (``tree``)."""
        ...

    def patch(self, packet: str, path: str) -> str:
        """One file's change in the run, as unified diff; foreign text."""
        ...

    def numbers(self, span: str) -> Numbers:
        """The measures of a window: 30d, 12w, all."""
        ...

    def story(self, packet: str) -> tuple[str, list[Happened]]:
        """The title of the packet's task, and what happened to it."""
        ...

    def glance(self, packet: str) -> Glance:
        """The worktree's paths beside what the run changed and what the next one may write, of one moment."""
        ...

    def events(self, packet: str) -> list[Event]:
        """What happened in the run, from its transcript and the guard's denials."""
        ...

    def record(self, packet: str, number: int) -> Sequence[tuple[str, str]]:
        """A place of the transcript in plain words: (label, text) lines."""
        ...
