"""One worktree with checks: run them, keep the evidence, ask how they stand."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from passdown.checks.confirm import confirm
from passdown.checks.known import Known, known
from passdown.checks.policy import load_policy
from passdown.checks.run import run_check
from passdown.checks.standing import standing
from passdown.checks.tree import TreeView
from passdown.model.event import TYPES, Body, Record
from passdown.rules.classify import Trust
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take

if TYPE_CHECKING:
    from passdown.model.evidence import Evidence
    from passdown.model.packet import PacketCheck
    from passdown.model.policy import Policy
    from passdown.model.session import SessionFacts
    from passdown.workspace.place import Place
    from support.repo import Repo

ME = "0" * 32


@dataclass
class Desk:
    """A person at a worktree; records are kept here, not in a ledger."""

    repo: Repo
    base: str | None = None
    trust: Trust = field(default_factory=lambda: Trust(own=ME))
    records: list[Record] = field(default_factory=list)
    facts: SessionFacts | None = None
    later: timedelta = timedelta()
    _count: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.base = self.base or self.repo.head

    @property
    def place(self) -> Place:
        return find_place(self.repo.root)

    @property
    def view(self) -> TreeView:
        return TreeView(self.place, take(self.place).tree)

    @property
    def policy(self) -> Policy:
        return load_policy(self.place, self.base)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.later

    def known(self) -> list[Known]:
        return known(self.view, self.policy, self.records, self.trust, self.facts)

    def find(self, name: str) -> Known:
        return next(k for k in self.known() if k.definition.name == name)

    def record(self, body: Body, writer: str = ME, *, trusted: bool = True) -> Record:
        number = next(self._count)
        record = Record(
            id=f"{number:064x}",
            type=TYPES[type(body)],
            task=None,
            at=self.now().isoformat(),
            writer=writer,
            order=(number, writer, number),
            body=body,
            trusted=trusted,
        )
        self.records.append(record)
        return record

    def check(self, name: str = "tests", writer: str = ME, *, trusted: bool = True) -> Evidence:
        evidence = run_check(self.place, self.find(name).definition, now=self.now())
        self.record(evidence, writer, trusted=trusted)
        return evidence

    def confirm(self, name: str = "tests", by: str = "alice") -> None:
        wanted = self.find(name)
        self.record(confirm(self.view, wanted.to_confirm, by))

    def stands(self) -> list[PacketCheck]:
        return standing(self.view, self.policy, self.records, self.facts, now=self.now(), trust=self.trust)

    def stand(self, name: str = "tests") -> PacketCheck:
        return next(check for check in self.stands() if check.name == name)
