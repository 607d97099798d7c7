"""The desk of the web pages: one look at the repository for each request, the same words and acts as `review`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.context import Context
from passdown.cli.owner_rows import behind, owners_of
from passdown.cli.owner_rows import told as told_of
from passdown.cli.review_options import before, reply_of
from passdown.cli.review_record import record
from passdown.cli.review_said import following
from passdown.cli.review_shown import older, tails
from passdown.cli.strays import let_stand, strays_of, told
from passdown.cli.weighing import as_it_stands
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.model.paths import from_wire
from passdown.packet import tests_words
from passdown.packet.attachment import whole
from passdown.packet.text import clock
from passdown.review.verdict import Reply, allowed_paths
from passdown.web.desk import Asked, Done, Effect, Glance, Happened, Numbers, Review, Row, Stand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.cli.accounts import Accounts
    from passdown.cli.story import Told
    from passdown.guard.unjudged import Stray
    from passdown.model.packet import Packet
    from passdown.rules.task import Stated, TaskView
    from passdown.web.timeline import Event


class RepositoryDesk:
    """The repository around the current folder."""

    def __init__(self) -> None:
        self._counted: tuple[object, Accounts] | None = None

    def rows(self) -> list[Row]:
        """Every packet, the newest first."""
        context = Context(reads=True)
        pairs = [(task, packet) for task in context.tasks.values() for packet in task.packets]
        pairs.sort(key=lambda pair: pair[1].order, reverse=True)
        return [_row(context, task, packet) for task, packet in pairs]

    def review(self, packet: str) -> Review:
        """One packet as it stands now."""
        context, now, task = _look(packet)
        now, lapsed = _whole(context, now), context.lapsed(now)
        asked = owners_of(context, now, task, lapsed)
        return Review(
            packet=now,
            boundary=before(now, task),
            me=context.me,
            now=context.now,
            tree=context.snapshot.tree,
            strays=_stands(strays_of(context, now, task)),
            older=older(now, task),
            lapsed=lapsed,
            owners=[(told_of(one), one.missing) for one in asked],
            owned=behind(asked),
            tails=tails(context),
        )

    def effect(self, packet: str, asked: Asked) -> Effect:
        """What that answer would do."""
        context, now, task = _look(packet)
        reply = _reply(context, now, task, asked)
        paths = allowed_paths(reply.boundary, tuple(context.view.entries))
        owned: dict[str, int] = {}
        for path in paths:
            for owner in context.owners.of_all([path]):
                owned[owner] = owned.get(owner, 0) + 1
        stands = let_stand(strays_of(context, now, task), reply.answer, reply.boundary)
        return Effect(before(now, task), reply.boundary, len(paths), owned, _stands(stands), context.snapshot.tree)

    def answer(self, packet: str, asked: Asked, tree: str) -> Done:
        """Sign and record it."""
        context, now, task = _look(packet)
        if tree != context.snapshot.tree:
            raise PassdownError(
                "the worktree changed since the page was opened", "look at it again, then answer", EXIT_DOES_NOT_HOLD
            )
        reply = _reply(context, now, task, asked)
        statement, body = record(context, now, task, reply)
        given = as_it_stands(context, context.named_packet(packet)).verdict
        signed = given is not None and given.signed
        comes, late = following(now, body), older(now, task)
        return Done(statement, body.by, body.presence, body.self_, signed, body.boundary, comes, late)

    def patch(self, packet: str, path: str) -> str:
        """One file's change in the run."""
        from passdown.cli.review_asks import patch_of

        context = Context(reads=True)
        sealed = _whole(context, context.named_packet(packet))
        known = {file.path: from_wire(file.path, file.path_b64) for file in sealed.files}
        if path not in known:
            raise PassdownError("no file of this packet", "open it from the packet's page")
        return patch_of(context, sealed, [known[path]]).decode("utf-8", "replace")

    def numbers(self, span: str) -> Numbers:
        """The measures of a window."""
        from passdown.cli.accounts import accounts, mark
        from passdown.cli.metrics import counted, days_of
        from passdown.cli.metrics_screen import NAMES, heading, value
        from passdown.rules.measures.window import Only

        context = Context(reads=True)
        now, known = mark(context), self._counted
        found = known[1] if known is not None and known[0] == now else accounts(context)
        self._counted = (now, found)
        measured = counted(context, found, Only(), days_of(span))
        told = {metric.name: value(metric) for metric in measured.now}
        before_ = {metric.name: "-" for metric in measured.now} | {n: value(m) for n, m in measured.before.items()}
        return Numbers(measured, heading(measured), NAMES, told, before_)

    def story(self, packet: str) -> tuple[str, list[Happened]]:
        """What happened to the packet's task."""
        from passdown.cli.story import tell

        context = Context(reads=True)
        task = context.named_packet(packet).task
        told = [tell(record) for record in context.recorder.records() if record.task == task.id]
        return task.title, happened(told, context.now)

    def glance(self, packet: str) -> Glance:
        """The repository as it is now."""
        context = Context(reads=True)
        sealed = context.packet(packet)
        boundary = before(sealed, context.task_of(sealed))
        files, paths = _whole(context, sealed).files, list(context.view.entries)
        return Glance(sealed.packet or "", context.snapshot.tree, paths, files, boundary)

    def events(self, packet: str) -> list[Event]:
        """What happened in the run."""
        from passdown.cli.run_events import events_of

        context = Context(reads=True)
        return events_of(context, context.named_packet(packet))

    def record(self, packet: str, number: int) -> Sequence[tuple[str, str]]:
        """A place of the transcript in plain words."""
        import os

        from passdown.agents.sessions import pick
        from passdown.agents.tracing import trace

        context = Context(reads=True)
        session = context.named_packet(packet).run.session
        if session is None:
            raise PassdownError("this packet has no session", "it was packed from git, task and checks alone")
        traced = trace(pick(session, context.place.root, os.environ), number, context.redactor)
        return [
            (f"record {traced.record}", f"{traced.type} {clock(traced.at, context.now)}".strip()),
            *(("shows", what) for what in traced.what),
            *(("", line) for line in traced.text.split("\n")[:60]),
        ]


def happened(told: Sequence[Told], now: str) -> list[Happened]:
    """The story's events as a page shows them."""
    return [Happened(clock(e.at, now), e.what, e.text, e.id, e.type, e.trusted) for e in told]


def _look(packet: str) -> tuple[Context, Packet, TaskView]:
    context = Context(reads=True)
    now = as_it_stands(context, context.packet(packet))
    return context, now, context.task_of(now)


def _whole(context: Context, packet: Packet) -> Packet:
    """With the lists that the packet had no room for, where they are in this clone."""
    try:
        return whole(context.recorder, packet)
    except PassdownError:  # the page says how many are left out
        return packet


def _row(context: Context, task: TaskView, packet: Stated[Packet]) -> Row:
    newest = task.latest is not None and task.latest.id == packet.id
    given = task.decision_of(packet.id)
    answered = f"{given.body.answer} by {given.body.by}" if given is not None else None
    state = packet.body.hold.state if task.outcome is None else task.state
    return Row(packet.id, packet.body.task.title, clock(packet.at, context.now), state, answered, newest)


def _stands(strays: Sequence[Stray]) -> list[Stand]:
    return [Stand(told(stray), stray.because) for stray in strays]


def _reply(context: Context, now: Packet, task: TaskView, asked: Asked) -> Reply:
    """The answer of the form as `review` makes it of options."""
    if asked.answer == "reassign" and not asked.assignee:
        raise PassdownError("to whom?", "name the maintainer who takes over")
    tests = [change.digest for change in tests_words.unseen(now)] if asked.accept_tests else []
    return reply_of(
        context,
        asked.answer,
        before(now, task),
        specs=list(asked.specs),
        note=context.redact(asked.note) if asked.note else None,
        to=now.packet,
        assignee=context.redact(asked.assignee) if asked.assignee else None,
        blockers_complete=asked.blockers_complete,
        overstated=asked.overstated,
        acceptance=dict(asked.acceptance),
        tests_accepted=tests,
    )
