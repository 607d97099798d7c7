"""The review page's content from a packet: the same facts, in the same words and order as in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passdown.model.boundary import Boundary, Entry
from passdown.model.packet import FileChange, Packet, PacketCheck
from passdown.packet import acceptance_words, tests_words
from passdown.packet.done_words import unmet
from passdown.packet.guard_words import guard_words
from passdown.packet.hold_words import below, in_short
from passdown.packet.kind_words import OTHER, kind
from passdown.packet.text import lasted, place_of, plain, reason_of
from passdown.packet.words import (
    counted,
    ended,
    false_claims,
    finished,
    first_step,
    item_text,
    never_ran,
    on_base,
    only_said,
    open_items,
    passing,
    ran_before,
    ran_here,
    refuted,
    spoken,
    tried,
    when,
)
from passdown.rules.decide import Asked
from passdown.web.desk import Review

TAIL = 12
NAMED = 5
SHOWN = 200
"""Files that the page itself lists."""


class Fact(Struct, frozen=True):
    """One line of the first screen. ``behind``: what its number opens; ``record``: its place in the transcript."""

    label: str
    text: str
    behind: Sequence[str] = ()
    tone: str = ""
    record: int | None = None


class Group(Struct, frozen=True):
    """The run's files under one entry of the boundary, or outside it; ``id`` is the entry's."""

    id: str
    title: str
    because: str
    files: Sequence[FileChange]
    room: int = SHOWN

    @property
    def shown(self) -> Sequence[FileChange]:
        """Those that the page itself lists, ``room`` of them; the rest comes when it is asked for."""
        return self.files[: self.room]

    @property
    def more(self) -> int:
        """How many others there are."""
        return len(self.files) - len(self.shown)

    @property
    def added(self) -> int:
        """Lines."""
        return sum(file.added or 0 for file in self.files)

    @property
    def removed(self) -> int:
        """Lines."""
        return sum(file.removed or 0 for file in self.files)


class Line(Struct, frozen=True):
    """One entry of the boundary as it is shown and dropped."""

    number: int
    id: str
    place: str
    because: str


class Page(Struct, frozen=True):
    """Everything that the template shows."""

    short: str
    title: str
    state: str
    says: str
    about: str
    facts: Sequence[Fact]
    allow: Sequence[Line]
    deny: Sequence[Line]
    stop: Sequence[str]
    budget: str
    groups: Sequence[Group]
    acceptance: Sequence[tuple[str, str]]
    tests: Sequence[str]
    notes: Sequence[str]


def page(review: Review) -> Page:
    """What the reviewer sees of the packet now."""
    packet = review.packet
    return Page(
        short=(packet.packet or "")[:7],
        title=plain(packet.task.title),
        state=packet.hold.state,
        says=_says(packet),
        about=_about(packet),
        facts=list(_facts(review)),
        allow=_lines(review.boundary.allow),
        deny=_lines(review.boundary.deny),
        stop=[plain(text) for text in review.boundary.stop],
        budget=budget(review.boundary),
        groups=groups(packet.files, review.boundary),
        acceptance=list(_acceptance(packet)),
        tests=[tests_words.line(change) for change in tests_words.unseen(packet)],
        notes=[f'"{plain(note.text)}" ({plain(note.by)})' for note in packet.owner_notes],
    )


def budget(boundary: Boundary) -> str:
    """What may be added beside the listed files; "" where nothing."""
    new = boundary.budget.new
    return f"{new} new file{'' if new == 1 else 's'} beside them" if new else ""


def groups(files: Sequence[FileChange], boundary: Boundary) -> list[Group]:
    """The run's files by the entry that allows or denies them; what lies outside first."""
    asked = Asked.of(boundary)
    entries = {entry.id: entry for entry in (*boundary.deny, *boundary.allow)}
    found: dict[str, list[FileChange]] = {}
    for file in files:
        decided = asked.decide(file.path)
        found.setdefault(decided.rule if decided.rule in entries else "outside", []).append(file)
    order = ["outside", *(e.id for e in boundary.deny), *(e.id for e in boundary.allow)]
    grouped = [_group(name, entries.get(name), found[name]) for name in order if name in found]
    room = [max(0, SHOWN - sum(len(before.files) for before in grouped[:at])) for at in range(len(grouped))]
    return [replace(group, room=left) for group, left in zip(grouped, room, strict=True)]


def _group(name: str, entry: Entry | None, files: Sequence[FileChange]) -> Group:
    if entry is None:
        return Group(name, "Outside what the next run may write", "not listed", files)
    denied = name.startswith("N")
    return Group(name, f"{'Denied' if denied else 'May write'} {place_of(entry)}", plain(entry.because), files)


def _says(packet: Packet) -> str:
    if finished(packet):
        return "may be closed: every acceptance check passes on this code"
    if packet.hold.state == "HOLD":
        return "replan or lift it before anything goes on"
    step = first_step(packet)
    return f"may continue{f'; {step.item} first' if step is not None and step.item else ''}"


def _about(packet: Packet) -> str:
    run = packet.run
    if run.agent is None:
        return "no agent session: git, task and checks alone"
    return ", ".join(filter(None, (plain(run.agent), lasted(run.started, run.ended), ended(packet))))


def _facts(review: Review) -> Iterator[Fact]:
    packet = review.packet
    if review.older:
        yield Fact("Not the newest", review.older, tone="warn")
    if review.lapsed:
        yield Fact("Answer lapsed", plain(review.lapsed), tone="warn")
    if packet.verdict is not None:
        yield Fact("Answered", f"{packet.verdict.answer} by {plain(packet.verdict.by)}")
    for reason in (r for r in packet.hold.reasons if not below(r)):
        behind = [f"see: {plain(reason.reproduce)}", f"lifts it: {plain(reason.lifts)}"]
        tone = "bad" if reason.level == "hold" else "warn"
        yield Fact("Hold" if reason.level == "hold" else "Watch", in_short(packet, reason, review.now), behind, tone)
    yield Fact("Goal", f'"{plain(packet.task.goal.text)}"' if packet.task.goal.text else "not known")
    if kind(packet):
        yield Fact("Kind", kind(packet), [OTHER])
    yield from _done(review)
    if packet.task.acceptance:
        behind = [acceptance_words.told(item) for item in packet.task.acceptance]
        yield Fact("Asked for", acceptance_words.counted(packet.task.acceptance), behind)
    for claim in false_claims(packet):
        yield Fact("Said, not so", f'"{plain(claim.text)}"', [refuted(packet, claim, review.now)], "bad", claim.record)
    for item in open_items(packet):
        behind = [part for part in (tried(item), on_base(packet, item.origin), plain(item.because)) if part]
        blocks = "   (blocks going on)" if item.blocks == "continuation" else ""
        yield Fact("Open", item_text(item) + blocks, behind, "warn")
    yield from _checks(review)
    if tests_words.summary(packet):
        yield Fact("Tests", tests_words.summary(packet), [tests_words.line(c) for c in packet.integrity], "warn")
    said = [plain(claim.text) for claim in only_said(packet)]
    if said:
        yield Fact("Only said", f'"{said[0]}"' + (f" and {len(said) - 1} more" if said[1:] else ""), said)
    beside = [plain(file.path) for file in packet.files if file.in_goal is False]
    if beside:
        more = f" and {len(beside) - 3} more" if beside[3:] else ""
        yield Fact("Not in the goal", ", ".join(beside[:3]) + more, beside if more else (), "warn")
    yield from _around(review)


def _around(review: Review) -> Iterator[Fact]:
    """What an approval lets stand, whose word is asked for, what stops an agent."""
    if review.strays:
        named = ", ".join(stray.text for stray in review.strays)
        yield Fact("Outside", f"{named}: approving lets it stand", [s.because for s in review.strays], "bad")
    yield from _next(review)
    if review.owners:
        tone = "warn" if any(missing for _, missing in review.owners) else "good"
        yield Fact("Owners", plain("; ".join(text for text, _ in review.owners)), review.owned, tone)
    guards = "; ".join(map(guard_words, review.packet.guards))
    yield Fact("Guards", guards or "none: the agent is told, nothing stops it here", tone="" if guards else "warn")


def _next(review: Review) -> Iterator[Fact]:
    """What the next run may touch and what undoes it, in short: it is edited further down."""
    allow = [place_of(entry) for entry in review.boundary.allow]
    new = budget(review.boundary) if allow else ""
    yield Fact("Next may write", ", ".join(filter(None, [*_first(allow), new])) or "nothing")
    deny = [f"{place_of(e)} ({reason_of(e, you='user')})" for e in review.boundary.deny]
    yield Fact("Not", ", ".join([*_first(deny), "anything else"]))
    if review.packet.packet:
        yield Fact("Undo", f"passdown rollback {review.packet.packet[:7]}: back to this; later work is kept")


def _first(names: Sequence[str]) -> list[str]:
    return [*names[:NAMED], f"{len(names) - NAMED} more"] if len(names) > NAMED + 1 else list(names)


def _done(review: Review) -> Iterator[Fact]:
    packet = review.packet
    if not packet.task.done:
        yield Fact("Done when", "not said: no acceptance check is declared or confirmed", tone="warn")
    for done in packet.task.done:
        check = next((one for one in packet.checks if one.name == done.check), None)
        command = plain(check.command if check is not None else done.check)
        met = done.class_ == "VERIFIED"
        state = "met: passes on this code" if met else f"not met ({plain(spoken(unmet(check), review.now))})"
        behind = _behind(review, check) if check is not None else []
        yield Fact("Done when", f"{command} exits 0; now {state}", behind, "good" if met else "warn")


def _checks(review: Review) -> Iterator[Fact]:
    packet = review.packet
    rows = (
        ("Passes now", passing(packet), "good"),
        ("Ran here", ran_here(packet), ""),
        ("Edited since", ran_before(packet), "warn"),
    )
    for label, checks, tone in rows:
        for check in checks:
            yield Fact(
                label, f"{when(check, review.now)}: {counted(check)}", _behind(review, check), tone, check.record
            )
    never = never_ran(packet)
    if never:
        yield Fact("Never ran", ", ".join(plain(check.name) for check in never), tone="warn")


def _behind(review: Review, check: PacketCheck) -> list[str]:
    lines = [plain(check.command)]
    lines += [f"failing: {plain(name)}  {plain(check.first_errors.get(name, ''))}".rstrip() for name in check.failing]
    lines += [spoken(reason, review.now) for reason in check.freshness.because]
    lines += [plain(warning) for warning in check.warnings]
    return lines + [plain(line) for line in review.tails.get(check.name, "").splitlines()[-TAIL:]]


def _lines(entries: Sequence[Entry]) -> list[Line]:
    return [
        Line(number, entry.id, place_of(entry), reason_of(entry, you="by the person who gave the task"))
        for number, entry in enumerate(entries, 1)
    ]


def _acceptance(packet: Packet) -> Iterator[tuple[str, str]]:
    """(name in the answer, what is asked) of each thing whose end only a person can tell."""
    for done in packet.task.done:
        yield done.check, plain(done.check)
    for item in packet.task.acceptance:
        if item.check is None and item.state != "done":
            yield item.id, acceptance_words.named(item)
