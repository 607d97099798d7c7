"""Where to go on: done steps marked, open failures first, each step with its check and a way out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from passdown.model.packet import Done, Item, PacketCheck, Step
from passdown.model.template import GOAL, StepKind, Template, TemplateStep
from passdown.packet.sources import Sources
from passdown.packet.words import COULD_NOT_RUN, tests_of

ANY = "passdown check -- CMD"
"""Where no check is known: the command that shows it, whatever it is."""
_TWICE = "after two tries with the same error: stop and report"
_FIRST: tuple[StepKind, ...] = ("failure", "question", "review", "step")
_Kept = tuple[StepKind | None, Step]
"""A step and what it comes from; None: before everything else."""


def checklist(sources: Sources, items: Sequence[Item], done: Sequence[Done], template: Template) -> list[Step]:
    """Steps of the agent's list that are done, then what is open, then what the template asks for, the proof last."""
    proof = _proof(sources, done)
    kept = [*_failures(sources, items, proof), *_others(items, proof)]
    order = dict.fromkeys((*template.order, *_FIRST))
    at = {kind: place for place, kind in enumerate(order)}
    kept.sort(key=lambda each: -1 if each[0] is None else at[each[0]])
    asked = [_shaped(step, proof) for step in (*template.steps, template.last)]
    return [*_done(sources, items, proof), *(_as_said(step, kind, template) for kind, step in kept), *asked]


def _as_said(step: Step, kind: StepKind | None, template: Template) -> Step:
    """The step with the way out that the template has for its kind."""
    way = template.if_not.get(kind) if kind is not None else None
    return step if way is None else msgspec.structs.replace(step, if_not=way)


def _shaped(asked: TemplateStep, proof: str | None) -> Step:
    return Step(step=asked.step, check=asked.check.replace(GOAL, proof or ANY), if_not=asked.if_not)


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
            yield Step(step=todo.text, check=proof or ANY, if_not="it was only marked as completed: look", done=True)


def _failures(sources: Sources, items: Sequence[Item], proof: str | None) -> Iterator[_Kept]:
    """What does not parse comes first: nothing else can run."""
    failures = [item for item in items if item.kind == "failure"]
    commands = {check.name: check for check in sources.checks}
    for item in sorted(failures, key=lambda i: i.check is not None):
        if item.check is None:
            where = item.text.partition(" does not parse")[0]
            check = proof or f"parse {where}"
            yield None, Step(step=f"repair {where}", check=check, if_not="stop and report", item=item.id)
        else:
            command = _command(commands.get(item.check), proof, item)
            yield "failure", Step(step=_mend(item), check=command, if_not=_TWICE, item=item.id)


def _mend(item: Item) -> str:
    if item.text.endswith(COULD_NOT_RUN):
        return f"get {item.check} to run here"
    return f"{'make it pass' if '::' in item.text or not item.text.endswith(' fails') else 'mend'}: {item.text}"


def _command(check: PacketCheck | None, proof: str | None, item: Item) -> str:
    return check.command if check is not None else proof or item.check or ANY


def _others(items: Sequence[Item], proof: str | None) -> Iterator[_Kept]:
    """Review comments and steps are work; a question waits for its person."""
    for item in items:
        if item.kind in ("architecture", "question"):
            answer = f'passdown note --answer {item.id} "..."'
            step = f"get an answer to {item.id}: {item.text}"
            yield "question", Step(step=step, check=answer, if_not="leave what depends on it", item=item.id)
        elif item.kind == "review":
            yield "review", Step(step=item.text, check=proof or ANY, if_not=_TWICE, item=item.id)
        elif item.kind == "step":
            yield "step", Step(step=item.text, check=proof or ANY, if_not=_TWICE, item=item.id)
