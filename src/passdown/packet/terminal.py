"""The packet on one screen."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from passdown.model.packet import Item, Packet
from passdown.packet import acceptance_words, reopened, tests_words, words
from passdown.packet.asked import asked
from passdown.packet.hold_words import above, title
from passdown.packet.kind_words import OTHER, kind
from passdown.packet.paint import paint
from passdown.packet.terminal_boundary import boundary_lines, file_lines, fitting
from passdown.packet.text import cells, clock, cut, cut_left, folded, lasted, listed, plain, quote, seconds, wrap
from passdown.packet.title import short
from passdown.rules.amount import amount

NARROW = 60
LEAST_TITLE = 8
ITEMS = 6
MISSING = 3
FALSE = 3
SAID = 2
NOTES = 2
FACTS = 2
FOLD = 2
"""Lines that one fact may take."""
RAN_LINES = 2
TESTS = 5
_LABEL = 23


class Screen(Struct, frozen=True):
    """What is shown, how wide, and which day it is."""

    packet: Packet
    width: int
    today: str


def terminal(packet: Packet, *, width: int = 100, colour: bool = False, now: str | None = None) -> str:
    """About 20 lines of plain text, facts first; ANSI colours on request. Ends with a newline.

    ``now`` (ISO 8601) tells how old a sealed packet is.
    """
    shown = Screen(packet, max(width, NARROW), now or packet.sealed_at)
    sections: list[Callable[[Screen], list[str]]] = [
        _goal,
        _kind,
        _false,
        _open,
        _asked_for,
        _checks,
        _tests,
        _said,
        lambda s: file_lines(s.packet, s.width),
        lambda s: boundary_lines(s.packet.boundary, s.width),
        _answer,
        _notes,
        _hold,
    ]
    lines = _head(shown, now)
    for section in sections:
        lines += section(shown)
    return "\n".join(paint(lines, colour=colour)) + "\n"


def _head(shown: Screen, now: str | None) -> list[str]:
    """The end of the run is never cut: the title takes what is left, else the end has a line of its own."""
    packet, run = shown.packet, shown.packet.run
    name = f"HANDOFF {packet.packet[:7]}" if packet.packet else "HANDOFF draft"
    who = [plain(run.agent), lasted(run.started, run.ended), words.ended(packet)] if run.agent else ["no agent session"]
    age = lasted(packet.sealed_at, now) if packet.packet and now else ""
    sealed = f"   sealed {age} ago" if age and age != "under a minute" else ""
    end = ", ".join(filter(None, who))
    for right in (end + sealed, end):
        room = shown.width - cells(name) - cells(right) - 6
        called = short(packet.task.title, min(room, 32)) if room >= LEAST_TITLE else ""
        if called and (right == end or called == short(packet.task.title)):
            return [f"{name}   {called}   {right}"]
    if cells(name) + cells(end) + 3 <= shown.width:
        return [f"{name}   {end}"]
    return [
        f"{name}   {short(packet.task.title, shown.width - cells(name) - 3)}".rstrip(),
        *folded(" ", end, shown.width),
    ]


def _goal(shown: Screen) -> list[str]:
    task = shown.packet.task
    if task.goal.source == "none":
        return ["Goal   not known" + '   passdown pack --goal "..."']
    who = {"user": "you", "agent": "the agent, only said"}[task.goal.source]
    label = f"Goal ({', '.join(filter(None, (who, clock(task.goal.at, shown.today))))})  "
    lines = asked(label, task.goal.text, shown.packet.prohibitions, shown.width)
    if task.last_request:
        label = f"Last request ({', '.join(filter(None, ('you', clock(task.last_request_at, shown.today))))})  "
        lines += asked(label, task.last_request, shown.packet.prohibitions, shown.width)
    return lines


def _kind(shown: Screen) -> list[str]:
    """What kind of handoff it was taken for, and how one changes that."""
    told = kind(shown.packet)
    return wrap("Kind   ", [told, OTHER], shown.width, between="   ") if told else []


def _false(shown: Screen) -> list[str]:
    """What was said beside what is so; below it where both do not fit."""
    found = words.false_claims(shown.packet)
    if not found:
        return []
    rows = [(quote(o.text), words.refuted(shown.packet, o, shown.today)) for o in found[:FALSE]]
    room = max(cells(said) for said, _ in rows)
    lines = ["SAID, NOT SO"]
    for said, why in rows:
        if 4 + room + 5 + cells(why) <= shown.width:
            lines.append(f"  x {said}{' ' * (room - cells(said))}     {why}")
        else:
            lines += folded("  x ", said, shown.width, lines=FOLD, indent=" " * 4)
            lines += folded(" " * 6, why, shown.width, lines=FOLD, indent=" " * 6)
    return lines + ([f"    and {len(found) - FALSE} more"] if len(found) > FALSE else [])


def _open(shown: Screen) -> list[str]:
    items = words.open_items(shown.packet)
    if not items:
        return []
    lines = ["OPEN"]
    for item in items[:ITEMS]:
        lines += _item(shown, item)
    more = [item.id for item in items[ITEMS:]]
    return lines + ([cut(f"  and {listed(more, 12)}", shown.width)] if more else [])


def _asked_for(shown: Screen) -> list[str]:
    """Of the single things that were asked for, how many are done, and the first that nothing speaks of."""
    items = shown.packet.task.acceptance
    if not items:
        return []
    lines = [f"{'ASKED FOR':<{_LABEL}}{acceptance_words.counted(items)}"]
    missing = acceptance_words.of_state(items, "not addressed")
    lines += [cut(f"  {acceptance_words.named(item)}", shown.width) for item in missing[:MISSING]]
    more = missing[MISSING:]
    return lines + ([cut(f"  and {acceptance_words.ids(more)}", shown.width)] if more else [])


def _item(shown: Screen, item: Item) -> list[str]:
    """The name and the first error line stand whole where they fit on two lines; tries and origin if there is room."""
    width = shown.width
    marks = [words.tried(item), words.origin(shown.packet, item) if item.origin != "UNKNOWN" else ""]
    line = "  " + words.item_text(item)
    for kept in (marks, marks[:1]):
        tail = f"   ({', '.join(filter(None, kept))})" if any(kept) else ""
        if cells(line + tail) <= width:
            return [line + tail]
    if cells(line) <= width or not item.error:
        return folded("  ", line[2:], width, lines=FOLD, indent=" " * 5)
    name = cut_left(plain(item.text), width - cells(item.id) - 3)
    return [f"  {item.id} {name}", *folded(" " * 5, words.shell_error(item.error), width, lines=FOLD, indent=" " * 5)]


def _checks(shown: Screen) -> list[str]:
    packet, width = shown.packet, shown.width
    lines = []
    passing = [f"{words.when(c, shown.today)} ({words.counted(c)})" for c in words.passing(packet)]
    if passing:
        lines += wrap("PASSES ON THIS CODE" + "    ", passing, width, between=", ")
    else:
        lines.append(_offered("PASSES ON THIS CODE    nothing yet", packet, width))
    here = [f"{words.when(c, shown.today)} ({words.counted(c)})" for c in words.ran_here(packet)]
    before = [words.when(c, shown.today) for c in words.ran_before(packet)]
    never = [words.called(c) for c in words.never_ran(packet) if c.acceptance]
    broken = [words.unstarted_because(c, shown.today) for c in words.unstarted(packet)]
    for label, names in (
        ("RAN ON THIS CODE", here),
        ("RAN BEFORE LAST EDIT", before),
        ("COULD NOT RUN", broken),
        ("NOT MEASURED", never),
    ):
        if names:
            lines += fitting(f"{label:<{_LABEL}}", names, [], width, (RAN_LINES, ", "))
    return lines


def _offered(line: str, packet: Packet, width: int) -> str:
    """The line with the command that would measure and what it ran for last time, as much of it as fits."""
    known = [c for c in packet.checks if c.acceptance] or words.tests_of(packet.checks)
    if not known:
        return line
    about = f", about {seconds(known[0].seconds)}" if known[0].seconds is not None else ""
    for gap, what in (
        (11, f"   ({words.called(known[0])}{about})"),
        (3, f"   ({words.called(known[0])}{about})"),
        (3, ""),
    ):
        whole = f"{line}{' ' * gap}passdown check{what}"
        if cells(whole) <= width:
            return whole
    return line


def _tests(shown: Screen) -> list[str]:
    """Tests that were there before and what the task did to them, one line each, worst first."""
    found, rest = tests_words.told(shown.packet), tests_words.rest(shown.packet)
    if not found and not rest:
        return []
    told = (tests_words.line(change) for change in found[:TESTS])
    lines = [line for text in told for line in folded("  x ", text, shown.width, lines=FOLD, indent=" " * 4)]
    lines += [f"    and {len(found) - TESTS} more"] if len(found) > TESTS else []
    return ["TESTS CHANGED", *lines, *([cut(f"  and {rest}" if found else f"  {rest}", shown.width)] if rest else [])]


def _said(shown: Screen) -> list[str]:
    """Statements about tests first, with why nothing shows them."""
    packet, width = shown.packet, shown.width
    found = words.only_said(packet)
    if not found:
        return []
    whys = [words.unshown(packet, o, shown.today) for o in found[:SAID]]
    rows = [quote(o.text) + (f" ({why})" if why else "") for o, why in zip(found, whys, strict=False)]
    more = [f"and {len(found) - SAID} more"] if len(found) > SAID else []
    whole = f"{'ONLY SAID':<{_LABEL}}" + "  ".join([*rows, *more])
    if cells(whole) <= width:
        return [whole]
    lines = [
        line
        for at, row in enumerate(rows)
        for line in folded(f"{'' if at else 'ONLY SAID':<{_LABEL}}", row, width, lines=FOLD, indent=" " * _LABEL)
    ]
    return lines + [f"{'':<{_LABEL}}{last}" for last in more]


def _answer(shown: Screen) -> list[str]:
    """What a reviewer said to this packet; the note is never cut."""
    verdict = shown.packet.verdict
    if verdict is None:
        return []
    note = f": {quote(verdict.note)}" if verdict.note else ""
    return folded("Answer ", words.answered(verdict) + note, shown.width, indent=" " * 7)


def _notes(shown: Screen) -> list[str]:
    """What a reader should know about how this was found out."""
    told = [plain(note) for note in shown.packet.notes if not note.startswith("template ")]  # as it once stood there
    told = [*(f"reopened {each}" for each in reopened.told(shown.packet)), *told]
    lines = _own_note(shown) + [line for note in told[:NOTES] for line in _row("Note", note, shown.width)]
    return lines + (_row("", f"and {amount(len(told) - NOTES, 'note')} more", shown.width) if told[NOTES:] else [])


def _own_note(shown: Screen) -> list[str]:
    """What whoever packed it says to the next; never cut."""
    note = shown.packet.note
    return folded("Note   ", f"{quote(note)} (of who packed it)", shown.width, indent=" " * 7) if note else []


def _row(label: str, text: str, width: int) -> list[str]:
    return folded(f"{label:<7}", text, width, lines=FOLD, indent=" " * 7)


def _hold(shown: Screen) -> list[str]:
    """May it go on, and the next command; nothing that stands above is said again."""
    packet, width = shown.packet, shown.width
    name = (packet.packet or "")[:7]
    if packet.hold.state == "HOLD":
        return _held(shown)
    step = words.first_step(packet)
    first = f"; {step.item} first" if step is not None and step.item else ""
    going = f"{packet.hold.state:<6} may continue{first}."
    undo = f"Undo: passdown rollback {name}"
    ways = [f"{going}     {undo} (today's state kept)", f"{going}   {undo}"] if name else [going]
    lines = [next((way for way in ways if cells(way) <= width), going)]
    fresh = [words.spoken(r.fact, shown.today) for r in packet.hold.reasons if not above(r)]
    lines += [line for fact in fresh[:FACTS] for line in _row("", fact, width)]
    lines += _row("", f"and {amount(len(fresh) - FACTS, 'more reason')}", width) if fresh[FACTS:] else []
    goes_on = "passdown outcome completed" if words.finished(packet) else "passdown resume"
    whose = f"   (for {words.for_whom(packet)})" if words.for_whom(packet) else ""
    following = f"{goes_on}{whose}" if name else "passdown pack   (this was a look, nothing is sealed)"
    return [*lines, cut(f"Next   {following}", width)]


def _held(shown: Screen) -> list[str]:
    grave = [reason for reason in shown.packet.hold.reasons if reason.level == "hold"]
    told = [title(r) if above(r) or r.parts else words.spoken(r.fact, shown.today) for r in grave[:3]]
    told = [f"{what}: {r.fact.rpartition(': ')[2]}" if r.parts else what for what, r in zip(told, grave, strict=False)]
    lines = [line for what in told for line in _row("HOLD", what, shown.width)]
    whose = words.for_whom(shown.packet)
    return [
        *lines,
        *_row("Lift", plain(grave[0].lifts), shown.width),
        *(_row("For", whose, shown.width) if whose else []),
    ]
