"""Answers for CI that comments on a pull request give: read from GitHub by the very job that judges by them.

Nothing of the record is believed for an answer. A packet is: by its digest, of which a comment must name so much that
nobody makes a second packet for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from passdown.cli.github_again import converse
from passdown.cli.github_counts import author_of, may_answer, read_again, same_base
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.forge.command import command_of, is_command
from passdown.forge.foreign import cut
from passdown.forge.people import People, runners
from passdown.forge.publish import viewer
from passdown.forge.request import find_pull
from passdown.forge.shapes import Comment
from passdown.model.event import Verdict
from passdown.model.packet import Packet
from passdown.review import narrow
from passdown.review.owners import Owners
from passdown.review.verdict import Ground
from passdown.rules.instants import seconds
from passdown.rules.review import DIGITS
from passdown.rules.task import Stated, in_force
from passdown.workspace.diff import list_tree

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from passdown.cli.context import Context
    from passdown.forge.client import Github
    from passdown.forge.command import Command
    from passdown.forge.shapes import Pull
    from passdown.model.boundary import Boundary
    from passdown.model.event import Record
    from passdown.model.forge import Said


class Comments:
    """The answers that count in one pull request, and why others do not."""

    def __init__(self, context: Context, packets: Mapping[str, Record], ground: Ground | None = None) -> None:
        self._context = context
        self._packets = packets
        self._ground = ground or Ground(None, Owners(), ())
        self._edited: list[tuple[str, int]] = []
        self._seen: set[int] = set()
        self.answers: list[Stated[Verdict]] = []
        self.refused: list[str] = []

    def doubt(self, chosen: Stated[Verdict], recorded: Sequence[Stated[Verdict]]) -> str:
        """Why a later answer may have been taken away or bent, "" where nothing speaks for that.

        Who may edit and delete the comments of others need not be an owner: what once forbade must not vanish so.
        """
        if not self._seen or chosen.body.answer not in ("approve", "narrow"):
            return ""
        later = next((by for by, at in self._edited if by == chosen.body.by and at > chosen.order[0]), None)
        if later is not None:
            return f"a later answer of {later} was edited"
        strict = [
            one.body for one in recorded if one.body.packet == chosen.body.packet and one.body.answer != "approve"
        ]
        gone = next((one for one in strict if one.said is not None and self._taken_away(one.by, one.said)), None)
        return f"the record knows {gone.answer} by {gone.by}, and its comment is gone" if gone is not None else ""

    def _taken_away(self, by: str, said: Said) -> bool:
        """Whether the comment is not there any more, and its author has not answered anew."""
        at = seconds(said.at) or 0.0
        return said.id not in self._seen and not any(one.body.by == by and one.order[0] > at for one in self.answers)

    def read(self, hub: Github, pull: Pull) -> None:
        """Take each comment that means to answer, the oldest first; PassdownError where GitHub does not say."""
        people, ran = People(hub), self._ran(hub, pull)
        url = hub.path(f"/issues/{pull.number}/comments")
        comments = {one.id: one for page in hub.pages(url, list[Comment]) for one in page}
        for comment in sorted(comments.values(), key=lambda one: one.id):
            self._seen.add(comment.id)
            if not is_command(comment.body or ""):
                continue
            try:
                self.answers.append(self._taken(comment, people, ran))
                read_again(hub, comment)
            except PassdownError as error:
                if error.code == EXIT_UNDECIDED:
                    raise
                self.answers = [one for one in self.answers if one.id != str(comment.id)]
                by = f"@{comment.user.login}" if comment.user is not None else "somebody who is gone"
                if comment.updated_at != comment.created_at:
                    self._edited.append((by, int(seconds(comment.created_at) or 0)))
                self.refused.append(f"not counted: {cut(by, 60)}: {error.message}")

    def _ran(self, hub: Github, pull: Pull) -> Collection[str]:
        """The accounts of who ran the agent; the job's own is nobody's."""
        packers = [record.body.run.by for record in self._packets.values() if isinstance(record.body, Packet)]
        return runners(hub, pull, [name for name in packers if name], "", viewer(hub))

    def _taken(self, comment: Comment, people: People, ran: Collection[str]) -> Stated[Verdict]:
        login = author_of(comment)
        command = command_of(comment.body or "")
        record = self._named(command.packet)
        packet = structs.replace(record.body, packet=record.id) if isinstance(record.body, Packet) else None
        if packet is None:
            raise PassdownError("it names no packet")
        before = in_force(self.answers)
        shown = before.body.boundary if before is not None else packet.boundary
        boundary = _changed(self._context, command, shown, login)
        may_answer(people, login, (shown, boundary), self._ground)
        at = seconds(comment.created_at) or 0.0
        body = Verdict(
            task=packet.task.id, packet=record.id, answer=command.answer, by=f"@{login}", presence="forge",
            self_=login.lower() in ran, boundary=boundary, boundary_digest=boundary.digest, previous=None, owners=[],
            assignee=command.who,
        )  # fmt: skip
        return Stated(str(comment.id), comment.created_at, (int(at), "", comment.id), body)

    def _named(self, prefix: str) -> Record:
        """The newest packet of this work, which the comment must name."""
        newest = max(self._packets.values(), key=lambda record: record.order)
        if len(prefix) < DIGITS:
            raise PassdownError(f"it names {len(prefix)} digits of the packet; CI asks for {DIGITS}")
        if not newest.id.startswith(prefix):
            raise PassdownError(f"packet {prefix[:7]} is not the newest of this work")
        return newest


def _changed(context: Context, command: Command, shown: Boundary, login: str) -> Boundary:
    for one in command.specs:
        context.pattern(one)
    missing = [one for one in command.specs if one[:2] == "-B" and not any(f"-{e.id}" == one for e in shown.allow)]
    if missing and missing[0][2:].isdigit():
        raise PassdownError(f"there is no entry {missing[0][1:]} in the boundary")
    changed = narrow.apply(shown, command.specs, f"review by @{login}") if command.specs else shown
    return narrow.next_version(changed, "reviewed")


def comments_of(context: Context, where: tuple[int, str | None], packets: Mapping[str, Record], head: str) -> Comments:
    """The pull request's answers to this work; ``where``: its number, and the remote on GitHub.

    PassdownError where GitHub does not say, or where the base that is judged by is no commit of its base branch.
    """
    number, remote = where
    ground = Ground(context.base, context.owners, tuple(list_tree(context.place, head)))
    found = Comments(context, packets, ground)
    with converse(context, remote) as hub:
        pull = find_pull(hub, number, None, {})
        same_base(context, pull)
        found.read(hub, pull)
    return found
