"""The reviewer's one screen: at most twenty lines, what can be looked up numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from passdown.cli import owner_rows
from passdown.cli.boundary_screen import budget
from passdown.cli.output import fit, plain
from passdown.cli.paint import screen_width
from passdown.cli.review_fold import fold
from passdown.cli.strays import told
from passdown.packet import reopened, tests_words
from passdown.packet.acceptance_words import counted as counted_items
from passdown.packet.acceptance_words import ids, of_state
from passdown.packet.acceptance_words import told as told_item
from passdown.packet.done_words import how, unmet
from passdown.packet.guard_words import guard_words
from passdown.packet.hold_words import below, in_short
from passdown.packet.kind_words import OTHER, kind
from passdown.packet.text import cells, place_of, reason_of, wrap
from passdown.packet.words import (
    clocked,
    counted,
    false_claims,
    finished,
    first_step,
    only_said,
    passing,
    ran_before,
    ran_here,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from passdown.guard.unjudged import Stray
    from passdown.model.boundary import Boundary, Entry
    from passdown.model.packet import Item, Packet, PacketCheck
    from passdown.review.asked_owners import AskedOwners
    from passdown.rules.task import TaskView

_LABEL = 15
_ITEMS = 3
_FALSE = 2
_GOAL = 2
_WRITE, _NOT = 3, 2
_TAIL = 10
_COUNTED = 3
_COMMAND = 20
_ON_TESTS = ("tests-changed", "self-authored", "settings-loosened")
_UNSURE = ("candidate", "definition-changed")
KEYS = "[a]pprove [n]arrow [r]oll back [h]and over  {evidence}[d]iff  [q] later"
DISCLAIMER = "Lets an agent go on. Does not approve the code."


class Screen(Struct):
    """The lines, and the evidence behind each number on them."""

    packet: Packet
    width: int
    tails: Mapping[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    evidence: list[list[str]] = field(default_factory=list)
    now: str | None = None

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines)

    def row(self, label: str, text: str, behind: Sequence[str] = ()) -> None:
        """One line; ``behind`` is what its number opens."""
        mark = ""
        if behind:
            self.evidence.append([plain(clocked(line, self.now)) for line in behind])
            mark = f"  [{len(self.evidence)}]"
        room = self.width - _LABEL - len(mark)
        self.lines.append(f"{label:<{_LABEL}}{fit(clocked(text, self.now), room)}{mark}")

    def told(self, label: str, text: str, behind: Sequence[str] = (), *, end: str = "") -> None:
        """The same on up to two lines, broken between words; ``end`` always stands."""
        words = plain(clocked(text, self.now)).split(" ")
        room = self.width - len(end) - (6 if behind else 0)  # two spaces and the number's brackets
        first = wrap(f"{label:<{_LABEL}}", words, self.width, between=" ")[0]
        rest = " ".join(words)[len(first) - _LABEL :].strip()
        if len(first) > room and not rest:
            first, _, rest = first.rpartition(" ")
        if rest:
            self.lines.append(first)
            label, first = "", f"{'':<{_LABEL}}{rest}"
        self.row(label, fit(first[_LABEL:], room - _LABEL) + end, behind)


class Around(Struct, frozen=True):
    """What a reviewer is told besides the packet.

    ``tails``: ends of the checks' outputs; ``lapsed``: why an answer that was given no longer binds; ``strays``:
    what an approval would let stand outside the boundary; ``older``: that a newer packet exists, what an answer does;
    ``now``: which day it is, for times; ``owners``: whose word is asked for.
    """

    tails: Mapping[str, str] = {}
    lapsed: str | None = None
    strays: Sequence[Stray] = ()
    older: str | None = None
    now: str | None = None
    owners: Sequence[AskedOwners] = ()


NOTHING = Around()


def screen(packet: Packet, task: TaskView, me: str, around: Around = NOTHING) -> Screen:
    """The packet as a reviewer needs it, with today's hold and boundary."""
    shown = Screen(packet, screen_width(), around.tails, now=around.now)
    who = ", ".join(packet.reviewers) or me
    shown.lines.append(fit(f"REVIEW {(packet.packet or '')[:7]} for {who}   {_state(packet)}", shown.width))
    if around.older is not None:
        shown.row("Not the newest", around.older)
    _reasons(shown)
    if around.lapsed is not None:
        shown.row("Answer lapsed", around.lapsed)
    _goal(shown)
    if kind(packet):
        shown.row("Kind", kind(packet), [f"{packet.template}: {packet.template_because}", OTHER])
    _done(shown)
    _asked_for(shown)
    _not_so(shown)
    _checks(shown)
    _tests(shown)
    _open(shown, task.items or packet.items)
    _files(shown)
    _strays(shown, around.strays)
    boundary_rows(shown, task.next_boundary() or packet.boundary)
    _undo(shown)
    _owners(shown, around.owners)
    _ground(shown)
    for each in reopened.told(packet)[:_FALSE]:
        shown.row("Reopened", each)
    for note in packet.owner_notes[:_FALSE]:
        shown.row("Note stands", f'"{note.text}" ({note.by})')
    _within_a_screen(shown)
    shown.lines.append(DISCLAIMER)
    return shown


def _within_a_screen(shown: Screen) -> None:
    """Put behind one number what has no room."""
    shown.lines, gone = fold(shown.lines, _LABEL)
    if gone:
        names = dict.fromkeys(name for line in gone if (name := line[:_LABEL].strip()))
        shown.row("Also", ", ".join(name.lower() for name in names), [" ".join(line.split()) for line in gone])


def keys(shown: Screen) -> str:
    """The line of answers."""
    number = len(shown.evidence)
    return KEYS.format(evidence=f"[1-{number}] evidence " if number > 1 else "[1] evidence " if number else "")


def boundary_rows(shown: Screen, boundary: Boundary) -> None:
    """What the next run may write, numbered for --narrow, and what not."""
    numbered = [f"{i} {place_of(entry)}" for i, entry in enumerate(boundary.allow, 1)]
    limits = budget(boundary) if numbered else ""
    _wrap(shown, "Next write", [*numbered, *([limits] if limits else [])] or ["nothing"], _WRITE)
    _wrap(shown, "Not", [*(_denied(entry) for entry in boundary.deny), "anything else"], _NOT)
    if boundary.stop:
        shown.told("Stop if", "; ".join(boundary.stop))


def _state(packet: Packet) -> str:
    if finished(packet):
        return f"{packet.hold.state}: may be closed: passdown outcome completed"
    if packet.hold.state == "HOLD":
        return "HOLD"
    step = first_step(packet)
    return f"{packet.hold.state}: may continue{f'; {step.item} first' if step is not None and step.item else ''}"


def _reasons(shown: Screen) -> None:
    """Why it holds or is to be watched; one line, all of it behind the number. What stands below is only named."""
    hold = shown.packet.hold
    reasons = [reason for reason in hold.reasons if not below(reason)]
    if reasons:
        behind = [f"{r.fact}; see: {r.reproduce}; lifts it: {r.lifts}" for r in reasons]
        facts = [in_short(shown.packet, reason, shown.now) for reason in reasons]
        more = f"; {len(reasons) - 1} more" if reasons[1:] else ""
        room = shown.width - _LABEL - 6  # two spaces and the number's brackets
        every = "; ".join(facts)
        text = every if cells(every) <= room else fit(facts[0], room - len(more)) + more
        shown.row("Why HOLD" if hold.state == "HOLD" else "Watch", text, behind)


def _goal(shown: Screen) -> None:
    """The goal on at most two lines."""
    text = plain(shown.packet.task.goal.text)
    if not text:
        shown.row("Goal", "not known")
        return
    lines = wrap(f"{'Goal':<{_LABEL}}", f'"{text}"'.split(" "), shown.width, between=" ")
    more = " ..." if len(lines) > _GOAL else ""
    shown.lines += [*lines[: _GOAL - 1], *(fit(line + more, shown.width) for line in lines[_GOAL - 1 : _GOAL])]


def _done(shown: Screen) -> None:
    if not shown.packet.task.done:
        shown.row("Done when", "not said: no acceptance check is declared or confirmed")
    for done in shown.packet.task.done[:_ITEMS]:
        check = next((c for c in shown.packet.checks if c.name == done.check), None)
        command = check.command if check is not None else done.check
        met = "met: passes on this code" if done.class_ == "VERIFIED" else f"not met ({unmet(check)})"
        room = max(_COMMAND, shown.width - _LABEL - 6 - cells(end := f" exits 0   now: {plain(met)}"))
        shown.row("Done when", fit(command, room) + end, _check_behind(shown, check) if check else [])


def _asked_for(shown: Screen) -> None:
    """How many of the things asked for one by one are done; all of them behind the number."""
    items = shown.packet.task.acceptance
    if items:
        missing = of_state(items, "not addressed")
        more = f": {ids(missing)}" if missing else ""
        shown.row("Asked for", counted_items(items) + more, [told_item(item) for item in items])


def _not_so(shown: Screen) -> None:
    false = false_claims(shown.packet)
    for outcome in false[:_FALSE]:
        shown.row("Not so", f'"{outcome.text}"', [f'said: "{outcome.text}"', f"but:  {outcome.because}"])
    if len(false) > _FALSE:
        shown.row("", f"... {len(false) - _FALSE} more", [f'"{o.text}": {o.because}' for o in false[_FALSE:]])
    said = only_said(shown.packet)
    if said:
        shown.row("Only said", "; ".join(f'"{o.text}"' for o in said), [f'"{o.text}": {o.because}' for o in said])


def _checks(shown: Screen) -> None:
    verified = passing(shown.packet)
    if verified:
        shown.row("Passes now", ", ".join(check.name for check in verified))
    for label, checks in (("Ran here", ran_here(shown.packet)), ("Edited since", ran_before(shown.packet))):
        behind = [f"{c.command}: {counted(c)}; {'; '.join(c.freshness.because) or how(c)}" for c in checks]
        if checks:
            numbers = [f"{when(c)} ({counted(c)})" for c in checks] if len(checks) < _COUNTED else map(when, checks)
            shown.row(label, ", ".join(numbers), behind)
    unsure = [(c, warning) for c in shown.packet.checks for warning in c.warnings if warning.startswith(_UNSURE)]
    for check, warning in unsure[:_FALSE]:
        name = plain(check.name)
        why = f"{name} ({plain(check.command)}): {_unsure(warning)}:"
        _wrap(shown, "Unconfirmed", [why, f"passdown check --confirm {name}"], 2, between=" ")
    warned = [(c, w) for c in shown.packet.checks for w in c.warnings if not w.startswith((*_UNSURE, *_ON_TESTS))]
    weak = [f"{c.name}: {w}" for c, w in warned]
    if weak:
        shown.row("Mind", weak[0], weak)


def _tests(shown: Screen) -> None:
    """What the task did to tests that were there, in one line; each change behind the number."""
    text = tests_words.summary(shown.packet)
    if text:
        shown.row("Tests", text, [tests_words.line(change) for change in shown.packet.integrity])


def _unsure(warning: str) -> str:
    """Why nobody stands behind how the check runs today."""
    changed = warning.partition(": ")[2]
    return (
        "nobody confirmed it yet" if warning.startswith("candidate") else f"{plain(changed) or 'its command'} changed"
    )


def _open(shown: Screen, items: Sequence[Item]) -> None:
    grave = sorted(items, key=lambda item: (item.blocks != "continuation", item.kind == "step"))
    for at, item in enumerate(grave[:_ITEMS]):
        blocks = "  (blocks going on)" if item.blocks == "continuation" else ""
        error = f"  {item.error}" if item.error else ""
        shown.row("Open" if at == 0 else "", f"{item.id} {item.text}{error}{blocks}")
    if len(grave) > _ITEMS:
        rest = [f"{item.id} {item.text}" for item in grave[_ITEMS:]]
        shown.row("", f"... {len(rest)} more: {' '.join(item.id for item in grave[_ITEMS:])}", rest)


def _files(shown: Screen) -> None:
    files = shown.packet.files
    if not files:
        return
    added, removed = sum(f.added or 0 for f in files), sum(f.removed or 0 for f in files)
    text = f"{len(files)} file{'' if len(files) == 1 else 's'}, +{added} -{removed}"
    outside = [file for file in files if file.inside is False or file.in_goal is False]
    if outside:
        named = ", ".join(f"{file.path} +{file.added or 0} -{file.removed or 0}" for file in outside[:_ITEMS])
        text += f"; not in the goal: {named}"
        text += f" and {len(outside) - _ITEMS} more" if len(outside) > _ITEMS else ""
    shown.told("Changed", text, [f"{file.path}: {file.because or 'not in the goal'}" for file in outside])


def _strays(shown: Screen, strays: Sequence[Stray]) -> None:
    """What lies outside: the answer is asked with these paths in sight, and lets them stand by name."""
    if not strays:
        return
    those = "it" if len(strays) == 1 else f"all {len(strays)}"
    end = f": approving lets {those} stand"
    named = ", ".join(told(stray) for stray in strays)
    shown.told("Outside", named, [f"{told(stray)}: {stray.because}" for stray in strays], end=end)


def _owners(shown: Screen, asked: Sequence[AskedOwners]) -> None:
    """Whose paths these are, who has answered, who is missing."""
    if asked:
        shown.told("Owners", owner_rows.row(asked), owner_rows.behind(asked))


def _undo(shown: Screen) -> None:
    """The way back from whatever the next run does."""
    if shown.packet.packet:
        shown.row("Undo", f"passdown rollback {shown.packet.packet[:7]} (back to this; later work is kept)")


def _ground(shown: Screen) -> None:
    base = [r.fact for r in shown.packet.hold.reasons if r.code == "base-drift"]
    guards = "; ".join(map(guard_words, shown.packet.guards))
    if base or shown.packet.place.base_because.startswith("merge base"):
        shown.row("Base", base[0] if base else shown.packet.place.base_because)
    shown.row("Guards", guards or "none: the agent is told, nothing stops it here")


def _denied(entry: Entry) -> str:
    return f"{place_of(entry)} ({reason_of(entry, you='user')})"


def _check_behind(shown: Screen, check: PacketCheck) -> list[str]:
    lines = [f"{check.command}: {counted(check)}"]
    lines += [f"failing: {name}  {check.first_errors.get(name, '')}".rstrip() for name in check.failing]
    lines += check.freshness.because + check.warnings
    return lines + shown.tails.get(check.name, "").splitlines()[-_TAIL:]


def _wrap(shown: Screen, label: str, parts: Sequence[str], most: int, *, between: str = "  ") -> None:
    """As many parts on a line as fit, at most so many lines."""
    lines = wrap(f"{label:<{_LABEL}}", parts, shown.width, between=between)
    if len(lines) > most:
        lines = [*lines[: most - 1], fit(f"{lines[most - 1]}  ...", shown.width)]
    shown.lines += lines
