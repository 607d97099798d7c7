"""What one task's records add up to while they are read: items, decisions, dead ends, notes."""

from __future__ import annotations

import re

import msgspec

from passdown.model.event import Note, Verdict
from passdown.model.packet import Decision, Item, Packet, TriedDeadEnd
from passdown.rules.fold_items import Items, next_id
from passdown.rules.in_scope import speaks_of
from passdown.rules.task import AcceptedBy, Reopened, Stated, TaskView


class Book(msgspec.Struct):
    """A task's view in the making."""

    view: TaskView
    items: Items = msgspec.field(default_factory=Items)
    decisions: dict[str, Decision] = msgspec.field(default_factory=dict)
    dead_ends: dict[tuple[str, str], TriedDeadEnd] = msgspec.field(default_factory=dict)
    retired: dict[str, str] = msgspec.field(default_factory=dict)
    reopened: list[Reopened] = msgspec.field(default_factory=list)

    def packet(self, stated: Stated[Packet]) -> None:
        """Items, decisions and dead ends of a packet."""
        self.items.packet(stated.body, stated.id)
        for decision in stated.body.decisions:
            if plain(decision.text) not in self.retired:
                self._decide(decision)
        for dead_end in stated.body.dead_ends:
            self._failed(dead_end)

    def note(self, stated: Stated[Note], *, decides: bool = True) -> None:
        """A decision or dead end; all else may open or close an item. ``decides``: a person's word counts as one."""
        body = stated.body
        self.view.notes.append(stated)
        if body.kind == "decision":
            self._replace(body, stated.at, decides=decides)
        elif body.kind == "dead-end":
            self._failed(TriedDeadEnd(id="", command=body.text, error=body.because or "", tries=1))
        elif body.kind != "answer" or decides:
            asked = self.items.open.get(body.item or "")
            self.items.note(body, stated.id)
            if asked is not None and asked.id not in self.items.open:  # what a person answered is settled
                self._decide(decision_of(msgspec.structs.replace(body, text=answered(asked, body.text)), stated.at))

    def _replace(self, note: Note, at: str, *, decides: bool) -> None:
        """A noted decision: a person's takes the place of the one it supersedes, an agent's only of an agent's."""
        made = decision_of(note, at)
        made = made if decides else msgspec.structs.replace(made, settled=False)
        over = plain(note.over) if note.over else None
        names = (name for name, known in self.decisions.items() if known.id == note.supersedes)
        old = next(names, over if over in self.decisions else None)
        self._decide(made)
        if old is None or old == plain(note.text):
            return
        if made.settled or not self.decisions[old].settled:
            self.retired[old] = self.decisions.pop(old).id
        else:
            self._reopens(self.decisions[old], made, at)

    def _reopens(self, settled: Decision, made: Decision, at: str) -> None:
        """An agent decided otherwise within the scope of what is settled."""
        if speaks_of(settled, made.scope):
            self.reopened.append(Reopened(settled.id, made.text, at))

    def accept(self, verdict: Verdict) -> None:
        """The changes to tests that the reviewer lets stand: those named, and those of an item that is waived."""
        waived = (self.items.open.get(name) for name in verdict.waived)
        named = [*verdict.tests_accepted, *(d for item in waived if item is not None for d in item.digests)]
        known = self.view.tests_accepted
        for digest in named:
            if digest not in known or known[digest].self_:
                known[digest] = AcceptedBy(verdict.by, verdict.self_)

    def inherit(self, other: Book) -> None:
        """A new plan keeps the dead ends and decisions of the one that it replaces."""
        self.view.tests_accepted |= other.view.tests_accepted
        for decision in other.decisions.values():
            self._decide(decision)
        for dead_end in other.dead_ends.values():
            self._failed(dead_end)

    def fill(self) -> None:
        """Put the sums into the view."""
        self.view.items = sorted(self.items.open.values(), key=lambda i: (i.id[0], int(i.id[1:] or 0)))
        self.view.closed_items = self.items.closed
        self.view.decisions = list(self.decisions.values())
        self.view.dead_ends = list(self.dead_ends.values())
        self.view.reopened = self.reopened

    def _decide(self, decision: Decision) -> None:
        name = plain(decision.text)
        known = self.decisions.get(name)
        if known is not None and known.settled and not decision.settled:
            return  # an agent's word changes nothing of what is settled
        taken = {*self.retired.values(), *(d.id for d in self.decisions.values())}
        given = known.id if known else (decision.id if decision.id and decision.id not in taken else "")
        self.decisions[name] = msgspec.structs.replace(decision, id=given or next_id("D", taken))

    def _failed(self, dead_end: TriedDeadEnd) -> None:
        name = (dead_end.command, dead_end.error)
        known = self.dead_ends.get(name)
        taken = {d.id for d in self.dead_ends.values()}
        given = known.id if known else (dead_end.id if dead_end.id and dead_end.id not in taken else "")
        tries = max(dead_end.tries, known.tries) if known else dead_end.tries
        self.dead_ends[name] = msgspec.structs.replace(dead_end, id=given or next_id("X", taken), tries=tries)


def decision_of(note: Note, at: str) -> Decision:
    """A noted decision; only a person's is settled (case B15)."""
    person = note.by == "person"
    return Decision(
        id="",
        text=note.text,
        by="user" if person else "agent",
        settled=person,
        at=at,
        why=note.because,
        over=note.over,
        scope=note.paths,
        keep=note.keep,
        revisit_if=note.revisit_if,
        supersedes=note.supersedes,
    )


def answered(asked: Item, answer: str) -> str:
    """Question and answer in one sentence."""
    return f"{asked.text}{'' if asked.text.endswith('?') else ':'} {answer}"


def plain(text: str) -> str:
    """The text as it is compared: spacing and case aside."""
    return re.sub(r"\s+", " ", text).strip().casefold()
