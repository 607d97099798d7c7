"""Answers that comments on a pull request give: which count, and which do no longer.

Each is read again, alone, right before it counts. What counts is decided here from GitHub's own word for who wrote it,
the base's CODEOWNERS and the packet's digest; nothing that a comment says of itself is believed.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from passdown.cli.github_counts import author_of, may_answer, read_again, same_base
from passdown.cli.review_options import before
from passdown.cli.review_record import ground
from passdown.cli.strays import let_stand, names, strays_of
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.forge.command import command_of, is_command
from passdown.forge.foreign import cut, plain
from passdown.forge.shapes import Comment, Found
from passdown.model.forge import Lapsed, Said
from passdown.model.paths import from_wire
from passdown.review import narrow
from passdown.review.verdict import Reply, Reviewer, verdict
from passdown.workspace.snapshot import kept

if TYPE_CHECKING:
    from collections.abc import Collection

    from passdown.cli.context import Context
    from passdown.forge.client import Github
    from passdown.forge.command import Command
    from passdown.forge.people import People
    from passdown.forge.shapes import Pull
    from passdown.model.boundary import Boundary
    from passdown.model.event import Verdict
    from passdown.model.packet import Packet
    from passdown.rules.task import Stated, TaskView


class Refusal(Struct, frozen=True):
    """A comment that means to answer and does not count, and why."""

    by: str
    url: str
    because: str


class Told(Struct):
    """What became of the comments: recorded answers, answers that count no more, and those that never did."""

    answers: list[Verdict] = field(default_factory=list)
    lapsed: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


class Talk(Struct, frozen=True):
    """The conversation: the pull request, who may say what, and the accounts of who ran the agent."""

    hub: Github
    pull: Pull
    people: People
    ran: Collection[str]


def take_answers(context: Context, talk: Talk, task: str) -> Told:
    """Record what counts and was not recorded, lapse what counts no more."""
    told = Told()
    url = talk.hub.path(f"/issues/{talk.pull.number}/comments")
    comments = {one.id: one for page in talk.hub.pages(url, list[Comment]) for one in page}
    told.lapsed = lapse_answers(context, talk.hub, talk.pull, task)
    known = {given.body.said.id for given in context.tasks[task].verdicts if given.body.said is not None}
    for comment in sorted(comments.values(), key=lambda one: one.id):
        if comment.id in known or not is_command(comment.body or ""):
            continue
        try:
            told.answers.append(_take(context, talk, context.tasks[task], comment))
        except PassdownError as error:
            by = f"@{comment.user.login}" if comment.user is not None else "somebody who is gone"
            if error.code == EXIT_UNDECIDED:  # GitHub did not answer: that says nothing of the comment
                raise
            told.refused.append(Refusal(cut(by, 60), comment.html_url, error.message))
    return told


def lapse_answers(context: Context, hub: Github, pull: Pull, task: str) -> list[str]:
    """Look at the comment of every answer that counts: edited or gone, it lapses; those, in a line each."""
    view = context.tasks[task]
    asked = [given for given in view.verdicts if given.body.said is not None and given.id not in view.lapsed]
    here = [given for given in asked if given.body.said and given.body.said.url.startswith(f"{pull.html_url}#")]
    return [line for given in here if (line := lapse_one(context, hub, given)) is not None]


def lapse_one(context: Context, hub: Github, given: Stated[Verdict]) -> str | None:
    """The answer, where its comment is not what it was; then it is recorded as lapsed."""
    said = given.body.said
    if said is None or given.id in context.tasks[given.body.task].lapsed:
        return None
    host, owner, name = [*said.url.partition("://")[2].split("/"), "", ""][:3]
    if host != hub.repository.host:
        raise PassdownError(f"it was given on {plain(host)}, the remote is on {hub.repository.host}")
    repository = f"{hub.repository.api}/repos/{owner}/{name}"
    now = hub.find(f"{repository}/issues/comments/{said.id}", Comment, missing=(404, 410))
    if now is None:
        hub.get(repository, Found)  # what this token does not see at all is not gone
    because = "its comment is gone" if now is None else _other(now, said)
    if because is None:
        return None
    task = given.body.task
    context.recorder.append(Lapsed(task=task, verdict=given.id, because=because), task=task, at=context.now)
    context.forget()
    return f"{given.body.answer} by {given.body.by}: {because}"


def _other(comment: Comment, said: Said) -> str | None:
    if comment.updated_at != comment.created_at or _digest(comment) != said.digest:
        return "its comment was edited"
    return None


def _digest(comment: Comment) -> str:
    return sha256((comment.body or "").encode("utf-8", "surrogatepass")).hexdigest()


def _take(context: Context, talk: Talk, task: TaskView, listed: Comment) -> Verdict:
    """The recorded verdict; PassdownError says why the comment is none."""
    login = author_of(listed)
    same_base(context, talk.pull)
    command = command_of(listed.body or "")
    packet = _packet(context, task, command.packet)
    reply = _reply(context, packet, task, command, login)
    may_answer(talk.people, login, (_shown(packet, task), reply.boundary), ground(context))
    again = read_again(talk.hub, listed)
    who = Reviewer(f"@{login}", "forge", login.lower() in talk.ran)
    body = verdict(packet, task, who, reply, ground(context))
    said = Said(id=again.id, url=again.html_url, at=again.created_at, digest=_digest(again))
    theirs = [name for name in _concerned(context, packet, body) if talk.people.owns(login, [name])]
    body = structs.replace(body, said=said, answers_for=theirs, **_stands(context, packet, task, reply))
    subjects = {"packet": packet.packet or "", "boundary": body.boundary_digest}
    context.recorder.append(body, task=task.id, at=context.now, subjects=subjects)
    context.forget()
    return body


def _concerned(context: Context, packet: Packet, given: Verdict) -> list[str]:
    """The owners of the boundary's paths, and those of what the run changed."""
    touched = context.owners.of_all(from_wire(file.path, file.path_b64) for file in packet.files)
    return sorted({*given.owners, *touched})


def _packet(context: Context, task: TaskView, prefix: str) -> Packet:
    """The task's newest packet, by the beginning of its digest that means no other packet."""
    packet = context.named_packet(prefix)
    if packet.task.id != task.id:
        raise PassdownError(f"packet {prefix[:7]} belongs to another task")
    if task.latest is None or task.latest.id != packet.packet:
        raise PassdownError(f"packet {prefix[:7]} is not the newest")
    return packet


def _shown(packet: Packet, task: TaskView) -> Boundary:
    """The boundary that the reviewer answers: the sealed one, or that of the answers before."""
    given = task.decision_of(packet.packet or "")
    return given.body.boundary if given is not None else packet.boundary


def _reply(context: Context, packet: Packet, task: TaskView, command: Command, login: str) -> Reply:
    shown = _shown(packet, task)
    if before(packet, task).digest != shown.digest:
        raise PassdownError("the boundary was set by hand since it was sealed: passdown pack, then publish")
    for one in command.specs:
        context.pattern(one)
    missing = [one for one in command.specs if one[:2] == "-B" and one[2:].isdigit() and not _has(shown, one[1:])]
    if missing:
        raise PassdownError(f"there is no entry {missing[0][1:]} in the boundary")
    boundary = narrow.apply(shown, command.specs, f"review by @{login}") if command.specs else shown
    to = context.named_packet(command.to).packet if command.to else packet.packet
    return Reply(
        command.answer,
        narrow.next_version(boundary, "reviewed"),
        note=context.redact(command.note) if command.note else None,
        to=to if command.answer == "rollback" else None,
        assignee=command.who,
    )


def _has(boundary: Boundary, name: str) -> bool:
    return any(entry.id == name for entry in boundary.allow)


def _stands(context: Context, packet: Packet, task: TaskView, reply: Reply) -> dict[str, object]:
    """What the answer lets stand outside: what the published packet showed, with exactly that content."""
    if not kept(context.place, packet.place.tree):
        return {}
    shown = {from_wire(file.path, file.path_b64) for file in packet.files if file.inside is False}
    strays = [stray for stray in strays_of(context, packet, task) if stray.path in shown]
    return {"accepted": names(let_stand(strays, reply.answer, reply.boundary)), "tree": packet.place.tree}
