"""Records to the state of each task: the same answer whatever the order of arrival."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from passdown.model.event import (
    Body,
    BoundarySet,
    Closed,
    Ended,
    GuardSwitched,
    Held,
    Judged,
    Lifted,
    Note,
    ReadBack,
    Record,
    Resumed,
    RolledBack,
    TaskOpened,
    Verdict,
)
from passdown.model.evidence import Evidence
from passdown.model.forge import ForgeRead, Lapsed
from passdown.model.packet import Packet, TaskState
from passdown.rules import fold_boundary
from passdown.rules.fold_lapsed import only_restricting
from passdown.rules.fold_notes import Book
from passdown.rules.fold_runs import run_of_packet, run_of_resume
from passdown.rules.task import Stated, TaskView, in_force
from passdown.rules.trust import Trust

ENDS: Mapping[Ended, TaskState] = {
    "completed": "completed",
    "rolled-back": "rolled-back",
    "abandoned": "abandoned",
    "replanned": "replanned",
}


# Whoever can write a ref can bring a record: what decides for a person counts in the clone where it was said alone, and
# a verdict that somebody signed whom the base lists. Facts and holds count from everywhere.
_DECIDES = (BoundarySet, Closed, GuardSwitched, Lapsed, Lifted, Resumed, TaskOpened, Verdict)


def fold(records: Iterable[Record], trust: Trust | None = None) -> dict[str, TaskView]:
    """Every task that the records speak of, by id.

    What does not verify changes nothing, and neither does a decision that another clone's writer brought, but for a
    verdict that a listed person signed. Evidence of another clone closes nothing either, unless ``trust`` counts it.
    """
    books: dict[str, Book] = {}
    once = {r.id: r for r in records if r.trusted and _may_say(r, trust)}
    lapsed = {r.body.verdict: r.body.because for r in once.values() if isinstance(r.body, Lapsed)}
    for record in sorted(once.values(), key=lambda r: r.order):
        body = record.body if record.here else _told_elsewhere(record, trust)
        task = getattr(body, "task", None)
        name = body.task.id if isinstance(body, Packet) else (task if isinstance(task, str) else record.task)
        if name is None:
            continue
        book = books.setdefault(name, Book(TaskView(id=name)))
        if isinstance(body, Verdict) and record.id in lapsed:
            if body.answer == "approve":
                continue
            body = only_restricting(body, book.view.packets)
            book.view.lapsed[record.id] = f"{body.by}'s answer: {lapsed[record.id]}"
        counts = record.here or (trust is not None and trust.believes(record.writer))
        if isinstance(body, Packet) and not counts:
            body = structs.replace(body, closed=[])  # another clone's packet closes no item here
        stated = Stated(
            record.id, record.at, record.order, body, record.trusted, tuple(record.signers), record.here, counts
        )
        _read(book, stated, books)
        book.view.last_at = max(book.view.last_at, record.at)
    return {name: _finish(book) for name, book in books.items() if book.view.claims or book.view.packets}


def _may_say(record: Record, trust: Trust | None) -> bool:
    if isinstance(record.body, Evidence):
        return trust.counts(record) if trust is not None else record.here and record.body.observed_by != "ci"
    if isinstance(record.body, Verdict) and not record.here:
        return trust is not None and trust.sealed(record) and trust.signer(record.id, record.at) is not None
    return record.here or not isinstance(record.body, _DECIDES)


def _told_elsewhere(record: Record, trust: Trust | None) -> Body:
    """A packet of another clone decides no boundary: what it names is a proposal, older than any that was set here.

    A verdict of another clone is by who signed it, whatever it says of that.
    """
    body = record.body
    if isinstance(body, Verdict) and trust is not None:
        return structs.replace(body, by=trust.signer(record.id, record.at) or body.by)
    if not isinstance(body, Packet):
        return body
    proposed = structs.replace(body.boundary, source="proposed", version=0).sealed()
    return structs.replace(body, boundary=proposed)


def same_task(tasks: Mapping[str, TaskView], worktree_id: str, branch: str | None) -> TaskView | None:
    """The task that new work at this spot belongs to, or None: a new task (semantics: section 1)."""
    spot = (worktree_id, branch)
    here = [task for task in tasks.values() if spot in task.claims]
    newest = max(here, key=lambda task: task.claims[spot], default=None)
    return None if newest is None or newest.ended else newest


def _read(book: Book, stated: Stated[Any], books: Mapping[str, Book]) -> None:
    handler = _HANDLERS.get(type(stated.body))
    if isinstance(stated.body, TaskOpened):
        _opened(book, stated, books)
    elif handler is not None:
        handler(book, stated)


def _opened(book: Book, stated: Stated[TaskOpened], books: Mapping[str, Book]) -> None:
    view, body = book.view, stated.body
    view.opened, view.title, view.goal, view.done = stated, body.title, body.goal, list(body.done)
    view.resume_owner = body.resume_owner or view.resume_owner
    view.state = "open"
    spot = (body.worktree_id, body.branch)
    view.claims[spot] = stated.order
    fold_boundary.opened(view, spot, stated)
    for other in books.values():
        if body.from_packet and any(packet.id == body.from_packet for packet in other.view.packets):
            book.inherit(other)


def _packet(book: Book, stated: Stated[Packet]) -> None:
    view = book.view
    stated = replace(stated, body=structs.replace(stated.body, packet=stated.id))
    body = stated.body
    ours = stated.here or not (view.opened or any(known.here for known in view.packets))
    view.packets.append(stated)
    if ours:
        _purpose(view, body)
    view.claims[body.place.worktree_id, body.place.branch] = stated.order
    view.runs = run_of_packet(view.runs, stated)
    view.state = "running" if body.run.end.reason == "running" else "handed-off"
    book.packet(stated)


def _purpose(view: TaskView, body: Packet) -> None:
    """What the task is for; another clone's packet does not change that of a task that began here."""
    if body.task.goal.source != "none" or view.goal.source == "none":
        view.goal = body.task.goal
    view.title = body.task.title or view.title
    view.done = [done.check for done in body.task.done] or view.done
    view.resume_owner = body.resume_owner or view.resume_owner


def _resumed(book: Book, stated: Stated[Resumed]) -> None:
    view, body = book.view, stated.body
    view.resumes.append(stated)
    spot = (body.worktree_id, body.branch)
    view.claims[spot] = stated.order
    view.runs = run_of_resume(view.runs, stated)
    view.state = "running"
    fold_boundary.resumed(view, spot, stated)


def _verdict(book: Book, stated: Stated[Verdict]) -> None:
    book.view.verdicts.append(stated)
    if stated.body.answer == "reassign" and stated.body.assignee:
        book.view.resume_owner = stated.body.assignee
    fold_boundary.decided(book.view, stated)
    book.accept(stated.body)
    book.items.verdict(stated.body, stated.id)


def _held(book: Book, stated: Stated[Held]) -> None:
    book.view.held = stated


def _lifted(book: Book, stated: Stated[Lifted]) -> None:
    book.view.lifts.append(stated)
    if not stated.body.codes or "held-by-person" in stated.body.codes:
        book.view.held = None


def _rolled_back(book: Book, stated: Stated[RolledBack]) -> None:
    book.view.rolled_back.append(stated)


def _read_back(book: Book, stated: Stated[ReadBack]) -> None:
    book.view.readbacks.append(stated)


def _judged(book: Book, stated: Stated[Judged]) -> None:
    book.view.judged.append(stated)


def _guard_switched(book: Book, stated: Stated[GuardSwitched]) -> None:
    book.view.gaps.append(stated)


def _closed(book: Book, stated: Stated[Closed]) -> None:
    """A person's word stands over an inferred one; among equals the newest."""
    known = book.view.outcome
    if known is None or known.body.inferred or not stated.body.inferred:
        book.view.outcome = stated


def _boundary_set(book: Book, stated: Stated[BoundarySet]) -> None:
    fold_boundary.by_hand(book.view, stated)


def _note(book: Book, stated: Stated[Note]) -> None:
    book.note(stated, decides=stated.counts)


def _evidence(book: Book, stated: Stated[Evidence]) -> None:
    book.items.evidence(stated.body, stated.id)


def _forge_read(book: Book, stated: Stated[ForgeRead]) -> None:
    book.view.forge = stated if stated.here or book.view.forge is None else book.view.forge
    book.items.forge(stated.body, stated.id, counts=stated.here)


_HANDLERS: Mapping[type, Callable[[Book, Stated[Any]], None]] = {
    Packet: _packet,
    Resumed: _resumed,
    Verdict: _verdict,
    Held: _held,
    Lifted: _lifted,
    RolledBack: _rolled_back,
    ReadBack: _read_back,
    Judged: _judged,
    GuardSwitched: _guard_switched,
    Closed: _closed,
    Note: _note,
    Evidence: _evidence,
    BoundarySet: _boundary_set,
    ForgeRead: _forge_read,
}


def _finish(book: Book) -> TaskView:
    view = book.view
    book.fill()
    if view.latest is not None:
        view.verdict = in_force([v for v in view.verdicts if v.body.packet == view.latest.id])
    fold_boundary.touch(view)
    if view.held is not None:
        view.state = "held"
    asked = view.verdict is not None and view.verdict.body.answer == "rollback"
    if asked and view.asked_back(view.verdict) is None:
        view.state = "rolled-back"
    if view.outcome is not None:
        view.state = ENDS[view.outcome.body.outcome]
    return view
