"""Where to go on: done steps marked, open failures first, each step with its check and a way out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passdown.model.packet import Done, Item, PacketCheck, Step
from passdown.packet.sources import Sources
from passdown.packet.templates import Template
from passdown.packet.words import COULD_NOT_RUN, tests_of

ANY = "passdown check -- CMD"
"""Where no check is known: the command that shows it, whatever it is."""
_TWICE = "after two tries with the same error: stop and report"


def checklist(sources: Sources, items: Sequence[Item], done: Sequence[Done], template: Template) -> list[Step]:
    """Steps of the agent's list that are done, then what is open, then the proof."""
    proof = _proof(sources, done)
    steps = [*_done(sources, items, proof), *_failures(sources, items, proof), *_others(items, proof)]
    last = proof or ANY
    return [*steps, Step(step=template.last, check=last, if_not="say which part is not met, then passdown pack")]


def _proof(sources: Sources, done: Sequence[Done]) -> str | None:
    """The command that shows the goal is met."""
    known = {check.name: check.command for check in sources.checks}
    if done:
        return known.get(done[0].check, done[0].check)
    return next((check.command for check in tests_of(sources.checks)), None)


def _done(sources: Sources, items: Sequence[Item], proof: str | None) -> Iterator[Step]:
    """What the agent's list marks as completed and no item keeps open."""
    still = {item.text for item in items}
    for todo in sources.facts.todos if sources.facts else []:
        if todo.status == "completed" and todo.text not in still:
            yield Step(step=todo.text, check=proof, if_not="it was only marked as completed: look", done=True)


def _failures(sources: Sources, items: Sequence[Item], proof: str | None) -> Iterator[Step]:
    """What does not parse comes first: nothing else can run."""
    failures = [item for item in items if item.kind == "failure"]
    commands = {check.name: check for check in sources.checks}
    for item in sorted(failures, key=lambda i: i.check is not None):
        if item.check is None:
            where = item.text.partition(" does not parse")[0]
            yield Step(step=f"repair {where}", check=proof or f"parse {where}", if_not="stop and report", item=item.id)
        else:
            check = commands.get(item.check)
            yield Step(step=_mend(item), check=_command(check, proof, item), if_not=_TWICE, item=item.id)


def _mend(item: Item) -> str:
    if item.text.endswith(COULD_NOT_RUN):
        return f"get {item.check} to run here"
    return f"{'make it pass' if '::' in item.text or not item.text.endswith(' fails') else 'mend'}: {item.text}"


def _command(check: PacketCheck | None, proof: str | None, item: Item) -> str:
    return check.command if check is not None else proof or item.check or ANY


def _others(items: Sequence[Item], proof: str | None) -> Iterator[Step]:
    """Review comments and steps are work; a question waits for its person."""
    for item in items:
        if item.kind in ("architecture", "question"):
            yield Step(
                step=f"get an answer to {item.id}: {item.text}",
                check=f'passdown note --answer {item.id} "..."',
                if_not="leave what depends on it",
                item=item.id,
            )
    for item in items:
        if item.kind in ("review", "step"):
            yield Step(step=item.text, check=proof or ANY, if_not=_TWICE, item=item.id)
