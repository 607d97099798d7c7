"""The packet on one screen."""

from __future__ import annotations

from collections.abc import Callable

from passdown.model.packet import Item, Packet
from passdown.packet import words
from passdown.packet.paint import paint
from passdown.packet.text import (
    cells,
    clock,
    cut,
    cut_left,
    folded,
    lasted,
    listed,
    place_of,
    plain,
    quote,
    reason_of,
    seconds,
    wrap,
)

NARROW = 60
ITEMS = 6
FALSE = 3
SAID = 2
NOTES = 2


def terminal(packet: Packet, *, width: int = 100, colour: bool = False, now: str | None = None) -> str:
    """About 20 lines of plain text, facts first; ANSI colours on request. Ends with a newline.

    ``now`` (ISO 8601) tells how old a sealed packet is.
    """
    width = max(width, NARROW)
    sections: list[Callable[[Packet, int], list[str]]] = [
        _goal,
        _false,
        _open,
        _checks,
        _said,
        _outside,
        _boundary,
        _answer,
        _notes,
        _hold,
    ]
    lines = [_head(packet, width, now)]
    for section in sections:
        lines += section(packet, width)
    return "\n".join(paint(lines, colour=colour)) + "\n"


def _head(packet: Packet, width: int, now: str | None) -> str:
    name = f"HANDOFF {packet.packet[:7]}" if packet.packet else "HANDOFF (draft, nothing sealed)"
    run = packet.run
    who = [plain(run.agent) if run.agent else "no agent session", lasted(run.started, run.ended), words.ended(packet)]
    if run.agent is None:
        who = who[:1]
    age = lasted(packet.sealed_at, now) if packet.packet and now else ""
    sealed = f"   sealed {age} ago" if age and age != "under a minute" else ""
    return cut(f"{name}   {plain(packet.task.title)}   {', '.join(filter(None, who))}{sealed}", width)


def _goal(packet: Packet, width: int) -> list[str]:
    task = packet.task
    if task.goal.source == "none":
        return ["Goal   not known" + '   passdown pack --goal "..."']
    who = {"user": "you", "agent": "the agent, only said"}[task.goal.source]
    label = f"Goal ({', '.join(filter(None, (who, clock(task.goal.at))))})  "
    lines = folded(label, quote(task.goal.text), width)
    if task.last_request:
        label = f"Last request ({', '.join(filter(None, ('you', clock(task.last_request_at))))})  "
        lines += folded(label, quote(task.last_request), width)
    return lines


def _false(packet: Packet, width: int) -> list[str]:
    found = words.false_claims(packet)
    if not found:
        return []
    said = [quote(outcome.text) for outcome in found[:FALSE]]
    room = min(max(len(text) for text in said), width // 2 - 4)
    lines = ["SAID, NOT SO"]
    for outcome, text in zip(found, said, strict=False):
        lines.append(cut(f"  x {cut(text, room):<{room}}   {words.spoken(outcome.because)}", width))
    return lines + ([f"    and {len(found) - FALSE} more"] if len(found) > FALSE else [])


def _open(packet: Packet, width: int) -> list[str]:
    items = words.open_items(packet)
    if not items:
        return []
    lines = ["OPEN"]
    for item in items[:ITEMS]:
        lines += _item(item, width)
    more = [item.id for item in items[ITEMS:]]
    return lines + ([cut(f"  and {listed(more, 12)}", width)] if more else [])


def _item(item: Item, width: int) -> list[str]:
    """The name and the first error line stand whole where they fit on two lines; tries and origin if there is room."""
    marks = [words.tried(item), words.ORIGINS.get(item.origin or "", "") if item.origin != "UNKNOWN" else ""]
    line = "  " + words.item_text(item)
    for kept in (marks, marks[:1]):
        tail = f"   ({', '.join(filter(None, kept))})" if any(kept) else ""
        if cells(line + tail) <= width:
            return [line + tail]
    if cells(line) <= width or not item.error:
        return [cut(line, width)]
    name = cut_left(plain(item.text), width - cells(item.id) - 3)
    return [f"  {item.id} {name}", cut(f"     {plain(item.error)}", width)]


def _checks(packet: Packet, width: int) -> list[str]:
    lines = []
    passing = [f"{words.when(c)} ({words.counted(c)})" for c in words.passing(packet)]
    if passing:
        lines += wrap("PASSES ON THIS CODE" + "    ", passing, width, between=", ")
    else:
        lines.append(cut("PASSES ON THIS CODE    nothing yet" + _offer(packet), width))
    here = [f"{words.when(c)} ({words.counted(c)})" for c in words.ran_here(packet)]
    if here:
        lines += wrap("RAN ON THIS CODE       ", here, width, between=", ")
    before = [words.when(c) for c in words.ran_before(packet)]
    if before:
        lines += wrap("RAN BEFORE LAST EDIT   ", before, width, between=", ")
    never = [plain(c.name) for c in words.never_ran(packet) if c.acceptance]
    if never:
        lines += wrap("NOT MEASURED           ", never, width, between=", ")
    return lines


def _offer(packet: Packet) -> str:
    """The command that would measure, with what it ran for last time."""
    known = [c for c in packet.checks if c.acceptance] or [c for c in packet.checks if c.kind == "test"]
    if not known:
        return ""
    about = f", about {seconds(known[0].seconds)}" if known[0].seconds is not None else ""
    return f"           passdown check   ({plain(known[0].name)}{about})"


def _said(packet: Packet, width: int) -> list[str]:
    found = words.only_said(packet)
    if not found:
        return []
    shown = [quote(outcome.text) for outcome in found[:SAID]]
    if len(found) == 1 and found[0].source is None:
        shown[0] += f"   {words.spoken(found[0].because)}"
    more = [f"and {len(found) - SAID} more"] if len(found) > SAID else []
    return [cut("ONLY SAID              " + "  ".join([*shown, *more]), width)]


def _outside(packet: Packet, width: int) -> list[str]:
    outside = [f for f in packet.files if f.inside is False]
    extra = [f for f in packet.files if f.in_goal is False and f.inside is not False]
    lines = []
    for label, files in (("OUTSIDE", outside), ("NOT IN THE GOAL", extra)):
        if files:
            names = [f"{plain(f.path)} {_size(f.added, f.removed)}".rstrip() for f in files]
            lines.append(cut(f"{label:<23}" + listed(names, 3), width))
    return lines


def _size(added: int | None, removed: int | None) -> str:
    return "" if added is None or removed is None else f"+{added} -{removed}"


def _boundary(packet: Packet, width: int) -> list[str]:
    boundary = packet.boundary
    allow = [place_of(entry) for entry in boundary.allow]
    if boundary.budget.new and allow:
        allow.append(f"+{boundary.budget.new} new files beside them")
    limits = [f"at most {boundary.budget.files} files"] if boundary.budget.files is not None else []
    limits += [f"at most {boundary.budget.lines} lines"] if boundary.budget.lines is not None else []
    deny = [f"{place_of(e)} ({reason_of(e, you='you')})" for e in boundary.deny]
    return [
        *wrap("NEXT MAY WRITE" + "   ", [*(allow or ["nothing"]), *limits], width),
        *wrap("NOT" + "              ", [*deny, "anything else"], width, between="   "),
    ]


def _answer(packet: Packet, width: int) -> list[str]:
    """What a reviewer said to this packet."""
    verdict = packet.verdict
    if verdict is None:
        return []
    who = f"{plain(verdict.by)}{', who ran the agent' if verdict.self else ''}"
    note = f"  {quote(verdict.note)}" if verdict.note else ""
    return [cut(f"Answer {verdict.answer} by {who}{note}", width)]


def _notes(packet: Packet, width: int) -> list[str]:
    """What a reader should know about how this was found out."""
    shown = [plain(note) for note in packet.notes if not note.startswith("template ")]
    return [cut(f"Note   {note}", width) for note in shown[:NOTES]]


def _hold(packet: Packet, width: int) -> list[str]:
    name = (packet.packet or "")[:7]
    state = packet.hold.state
    step = words.first_step(packet)
    first = f"; {step.item} first" if step is not None and step.item else ""
    undo = f"Undo: passdown rollback {name}" if name else ""
    if state == "HOLD":
        grave = [reason for reason in packet.hold.reasons if reason.level == "hold"]
        lines = [cut(f"{'HOLD'}   {words.spoken(reason.fact)}", width) for reason in grave[:3]]
        return [*lines, cut(f"Lift   {plain(grave[0].lifts)}", width)]
    shown = [reason for reason in packet.hold.reasons if reason.code not in ("contradicted-claims", "scope-widened")]
    watched = [words.spoken(reason.fact) for reason in shown[:1]] if state == "WATCH" else []
    going = f"{state:<6} may continue{first}."
    whole = f"{going}     {undo} (today's state kept)" if undo else going
    lines = [whole if cells(whole) <= width else cut(f"{going}   {undo}", width)]
    lines += [cut(f"       {fact}", width) for fact in watched]
    following = "passdown resume" if name else "passdown pack   (this was a look, nothing is sealed)"
    return [*lines, cut(f"Next   {following}", width)]
