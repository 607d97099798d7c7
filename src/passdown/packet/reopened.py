"""Settled decisions that an agent reopened: by a note of its own, or by a change under the paths that they keep."""

from __future__ import annotations

from passdown.errors import PassdownError
from passdown.model.packet import Decision, Packet, ReopenedDecision
from passdown.packet.text import listed, plain, quote
from passdown.rules.instants import seconds
from passdown.rules.match import Matcher
from passdown.rules.task import TaskView

_PERSONS = {"foreign"}
_SHOWN = 3


def reopened(packet: Packet, task: TaskView | None) -> list[ReopenedDecision]:
    """What this packet's run reopened, and what was said since; each decision once for each way."""
    if task is None:
        return []
    known = {decision.id: decision for decision in task.decisions}
    noted = [
        ReopenedDecision(decision=each.decision, text=known[each.decision].text, by=each.by, at=each.at)
        for each in task.reopened
        if each.decision in known
    ]
    changed = [
        ReopenedDecision(decision=decision.id, text=decision.text, paths=paths)
        for decision in task.decisions
        if (paths := _unkept(decision, packet))
    ]
    return [*noted, *changed]


def _unkept(decision: Decision, packet: Packet) -> list[str]:
    """What the run changed of what a settled decision keeps; one that was made after the run binds the next."""
    if not decision.settled or not decision.keep or _later(decision.at, packet.run.ended or packet.sealed_at):
        return []
    try:
        matcher = Matcher.compile(decision.keep)
    except PassdownError:  # no pattern: it keeps nothing
        return []
    mine = [file.path for file in packet.files if not file.by or set(file.by) - _PERSONS]
    return [path for path in mine if matcher.matches(path) is not None]


def _later(made: str | None, ended: str | None) -> bool:
    return (seconds(made) or 0.0) > (seconds(ended) or float("inf"))


def told(packet: Packet) -> list[str]:
    """Each in one line, the decision quoted."""
    return [f"{each.decision} {quote(each.text)}: {_how(each)}" for each in packet.reopened]


def _how(each: ReopenedDecision) -> str:
    if each.paths:
        return f"{listed([plain(path) for path in each.paths], _SHOWN)} changed, which it keeps"
    return f"an agent decided {quote(each.by)} instead; it stays settled"
