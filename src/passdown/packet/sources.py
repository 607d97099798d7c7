"""Everything that a packet is made of, as values: gathered once, then only looked at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field

from passdown.checks.integrity.found import Found
from passdown.model.event import Resumed
from passdown.model.packet import Packet, PacketCheck
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.packet.ask import Ask
from passdown.packet.writers import Known
from passdown.rules.asked_items import AskedItem
from passdown.rules.changes import PathChange
from passdown.rules.task import InForce, Stated, TaskView
from passdown.workspace.place import Place


class Start(Struct, frozen=True):
    """Where the run began: a tree or commit id (None: not known, ``compared`` is then the base) and how one knows."""

    treeish: str | None
    compared: str
    because: str
    commit: str | None = None


class Broken(Struct, frozen=True):
    """A changed file that does not parse: the line and the parser's words."""

    path: str
    line: int | None
    error: str


class Told(Struct, frozen=True):
    """A line of a file in the repository: what people and agents left there. ``source`` is file and line."""

    text: str
    source: str
    paths: tuple[str, ...] = ()


class Sources(Struct, frozen=True):
    """``stretch`` is the session after the record ``after``; ``facts`` the whole of it.

    ``told`` are handoff notes, ``unread`` why one was not read, ``rules`` "do not touch" lines and permission denies.
    ``merged`` counts the files that a merge brought from the base branch and that are nobody's touch. ``features``:
    what a feature_list.json of the base or the worktree lists. Of a resumed run: ``spaced`` changed in white space
    alone, ``put_back`` was written and is as it was, ``bypassed`` had been denied. ``again``: the previous packet's
    own run, told once more.
    """

    ask: Ask
    place: Place
    policy: Policy
    task_id: str
    run_id: str
    task: TaskView | None
    facts: SessionFacts | None
    stretch: SessionFacts | None
    after: int
    previous: Stated[Packet] | None
    resumed: Stated[Resumed] | None
    in_force: InForce | None
    start: Start
    base: str | None
    base_tip: str | None
    base_because: str
    changes: Sequence[PathChange]
    paths: Collection[str]
    links: Mapping[str, str]
    checks: Sequence[PacketCheck]
    broken: Sequence[Broken] = ()
    parses: frozenset[str] = frozenset()
    told: Sequence[Told] = ()
    rules: Sequence[Told] = ()
    on_remote: bool | None = None
    merged: int = 0
    tests: Found = Found()
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    known: Known | None = None
    bypassed: frozenset[str] = frozenset()
    tracebacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    features: Sequence[AskedItem] = ()
    unread: Sequence[str] = ()
    together: Mapping[str, Sequence[str]] = field(default_factory=dict)
    spaced: frozenset[str] = frozenset()
    again: bool = False
    put_back: tuple[str, ...] = ()
