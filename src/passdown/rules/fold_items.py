"""Open items of one task: append-only; an item closes with evidence, an answer or a waiver, never by silence (A11)."""

from __future__ import annotations

import re

import msgspec

from passdown.model.boundary import Boundary
from passdown.model.event import Note, Verdict
from passdown.model.evidence import Evidence
from passdown.model.forge import ForgeRead, ForgeRemark
from passdown.model.packet import Blocks, Item, ItemKind, Packet
from passdown.rules.decide import Asked
from passdown.rules.noting import ANSWERED
from passdown.rules.task import ClosedItem

LETTERS: dict[ItemKind, str] = {
    "failure": "F",
    "question": "Q",
    "architecture": "Q",
    "review": "R",
    "step": "S",
    "widen": "W",
    "tests": "T",
}
RESTORED = "tests:restored"
"""What closes an item of weakened tests: none of its changes is there any more."""
BLOCKS: dict[ItemKind, Blocks] = {"architecture": "continuation", "widen": "nothing"}
NOTED: dict[str, ItemKind] = {
    "question": "question",
    "architecture": "architecture",
    "step": "step",
    "ask-widen": "widen",
}


def key(item: Item) -> tuple[str, str]:
    """What makes two items the same one: letter and text, spacing and case aside; for a broken file its path.

    Weakened tests are the same where they are exactly the same; a remark on the forge by its address.
    """
    if item.kind == "review" and item.source:
        return "R", item.source
    if item.kind == "tests":
        return "T", " ".join(sorted(item.digests))
    if item.kind == "failure" and item.check is None and item.paths:
        return "F", f"parses:{item.paths[0]}"
    return LETTERS[item.kind], re.sub(r"\s+", " ", item.text).strip().casefold()


def remarked(remark: ForgeRemark) -> Item:
    """A reviewer's remark as an item: who, where and what, in their words."""
    where = f" on {remark.path}" + (f":{remark.line}" if remark.line else "") if remark.path else " asks for changes"
    paths = [remark.path] if remark.path else []
    by = remark.resolved_by or "somebody"
    because = {
        "open": "open" if remark.changed is not True else f"open; {remark.path} changed since",
        "with-change": f"resolved by {by}, {remark.path} changed since",
        "by-reviewer": f"resolved by {by}",
        "without-change": f"resolved by {by} without a change there",
    }[remark.state]
    text = f"{remark.by}{where}: {remark.text}"
    if remark.state == "without-change":
        text += f" ({because})"
    return Item(id="", kind="review", text=text, blocks="merge", paths=paths, because=because, source=remark.url)


def next_id(letter: str, taken: set[str]) -> str:
    """The first id of that letter that was never given."""
    numbers = (int(name[1:]) for name in taken if name[:1] == letter and name[1:].isdigit())
    return f"{letter}{max(numbers, default=0) + 1}"


class Items(msgspec.Struct):
    """The book of one task's items while its records are read in order."""

    open: dict[str, Item] = msgspec.field(default_factory=dict)
    closed: list[ClosedItem] = msgspec.field(default_factory=list)
    keys: dict[tuple[str, str], str] = msgspec.field(default_factory=dict)
    ran: dict[str, int] = msgspec.field(default_factory=dict)

    def taken(self) -> set[str]:
        """Every id that was ever given."""
        return {*self.open, *(c.item.id for c in self.closed)}

    def put(self, item: Item) -> None:
        """Add or renew one; the same words keep their id, another's id is not taken over."""
        known = self.keys.get(key(item))
        if known is None and (not item.id or item.id in self.taken()):
            item = msgspec.structs.replace(item, id=next_id(LETTERS[item.kind], self.taken()))
        elif known is not None:
            item = msgspec.structs.replace(item, id=known)
        self.keys[key(item)] = item.id
        self.open[item.id] = item

    def close(self, name: str, how: str, by: str, because: str) -> None:
        """Close one that is open; others stay as they are."""
        item = self.open.pop(name, None)
        if item is not None:
            self.closed.append(ClosedItem(item, how, by, because))

    def packet(self, packet: Packet, record: str) -> None:
        """A packet's items are open; what it closed counts where the check that it names did pass in it."""
        passed = {check.name for check in packet.checks if check.result == "PASSED" and not check.masked}
        listed = {item.id for item in packet.items}
        for closing in packet.closed:
            item = self.open.get(closing.id)
            proofs = passed | _shown(item, packet) if item else passed
            if item and closing.id not in listed and set(closing.evidence) & proofs:
                self.close(closing.id, "evidence", record, closing.because)
        for item in packet.items:
            if not any(c.item.id == item.id for c in self.closed) or item.id in self.open or item.kind == "failure":
                self.put(item)

    def evidence(self, evidence: Evidence, record: str) -> None:
        """A check that passed closes its failures, and one that no longer fails where no fewer tests ran."""
        if evidence.definition.source == "adhoc":
            return
        ran = sum(evidence.tests.get(name, 0) for name in ("passed", "failed", "errors"))
        whole = ran >= self.ran.get(evidence.check, 0) > 0
        self.ran[evidence.check] = max(ran, self.ran.get(evidence.check, 0))
        for item in list(self.open.values()):
            if item.kind != "failure" or item.check != evidence.check:
                continue
            gone = evidence.result == "FAILED" and evidence.failing and whole and item.text not in evidence.failing
            if evidence.result == "PASSED" or gone:
                self.close(item.id, "evidence", record, f"{evidence.check} ran {evidence.started}: passes")

    def note(self, note: Note, record: str) -> None:
        """A question, step or asked-for path opens an item; a person's answer closes one."""
        if note.kind == "answer":
            asked = self.open.get(note.item or "")
            if note.by == "person" and note.item and asked is not None and asked.kind in ANSWERED:
                self.close(note.item, "answer", record, note.text)
        elif note.kind in NOTED:
            kind = NOTED[note.kind]
            item = Item(id="", kind=kind, text=note.text, blocks=BLOCKS.get(kind, "merge"), paths=note.paths)
            self.put(msgspec.structs.replace(item, because=note.because or "", source=note.by))

    def forge(self, read: ForgeRead, record: str, *, counts: bool) -> None:
        """Remarks of reviewers: open ones open an item, what a reviewer or a change answered closes it.

        A remark that is gone from the forge stays open here, and so does one that its own author's side just resolved.
        """
        waived = {c.item.id for c in self.closed if c.how == "waiver"}
        for remark in read.remarks:
            item = remarked(remark)
            answered = remark.state in ("with-change", "by-reviewer")
            known = self.keys.get(key(item))
            if known in waived or (known is not None and known not in self.open and answered):
                continue
            self.put(item)
            if answered and counts:
                how = "evidence" if remark.state == "with-change" else "answer"
                self.close(self.keys[key(item)], how, record, item.because)

    def verdict(self, verdict: Verdict, record: str) -> None:
        """Waivers close; accepted tests and an asked-for path that the reviewer's boundary holds are answered."""
        seen = set(verdict.tests_accepted)
        for item in list(self.open.values()):
            if item.kind == "tests" and seen and seen >= set(item.digests) and item.id not in verdict.waived:
                self.close(item.id, "waiver", record, f"{verdict.by} accepted these changes")
        for name, why in verdict.waived.items():
            self.close(name, "waiver", record, f"{verdict.by}: {why}")
        if verdict.answer in ("approve", "narrow"):
            for name in _granted(list(self.open.values()), verdict.boundary):
                self.close(name, "answer", record, f"{verdict.by} widened the boundary")


def _shown(item: Item, packet: Packet) -> set[str]:
    """What else shows that a failure is gone: its file parses, or its check ran and names other failures."""
    if item.kind == "tests":
        still = {change.digest for change in packet.integrity}
        return set() if still & set(item.digests) else {RESTORED}
    if not item.check:
        return {f"parses:{path}" for path in item.paths}
    ran = (c for c in packet.checks if c.name == item.check and c.result == "FAILED" and c.failing)
    return {check.name for check in ran if item.text not in check.failing}


def _granted(items: list[Item], boundary: Boundary) -> list[str]:
    wanted = [item for item in items if item.kind == "widen" and item.paths]
    asked = Asked.of(boundary) if wanted else None
    return [item.id for item in wanted if asked and all(asked.decide(path).inside for path in item.paths)]
