"""``passdown note``: what a run or a person leaves for the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from passdown.cli.context import Context
from passdown.cli.heard import by_agent, call, heard, need_record
from passdown.cli.output import plain, print_json, say
from passdown.errors import PassdownError
from passdown.model.event import Note
from passdown.review.narrow import repository_path
from passdown.rules.noting import Fault, Typed, kind_and_text, names_nothing

if TYPE_CHECKING:
    from passdown.rules.task import TaskView


@click.command(epilog='Example:  passdown note decision "cap at 60 s" --over "no cap"')
@click.argument("words", nargs=-1, metavar="[KIND] TEXT")
@click.option("--scope", "--path", "scope", metavar="PATH", multiple=True, help="Where it applies. Repeatable.")
@click.option("--because", metavar="WHY", help="The reason; of a dead end the error.")
@click.option("--over", metavar="ALTERNATIVE", help="What a decision was chosen over.")
@click.option("--keep", metavar="PATH", multiple=True, help="What a decision keeps as it is. Repeatable.")
@click.option("--revisit-if", metavar="WHEN", help="What would reopen a decision.")
@click.option("--supersedes", metavar="D1", help="The decision that this one replaces.")
@click.option("--architecture", is_flag=True, help="The question is one of architecture: it holds the next run.")
@click.option("--ask-widen", metavar="PATH", help="Ask for a path outside the boundary; needs --because.")
@click.option("--answer", metavar="Q1", help="Answer an open question; only a person's answer closes it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def note(as_json: bool, **typed: Any) -> None:
    """Record a decision, dead-end, question, step or assumption.

    KIND is one of these words; "step" where it is left out. An agent's decision is not settled. It may ask
    for a path with --ask-widen: an owner decides in `passdown review`.
    """
    context = Context()
    told = record(context, Typed(**typed))
    if as_json:
        print_json(told)
        return
    say(told["allowed"] or answer(told["note"], told["item"]))


def record(context: Context, typed: Typed) -> dict[str, Any]:
    """Record what was typed; the shape of ``note --json``. PassdownError where it is no note."""
    task = context.need_task()
    said = kind_and_text(typed)
    if isinstance(said, Fault):
        raise PassdownError(said.message, said.hint)
    if not context.salt:  # nothing was ever recorded here
        need_record(context)
    body = _body(context, task.id, typed, said)
    known = heard(context, Note, lambda other: replace(other, call=None) == body)
    if known is not None:
        return _told(context, known[0].id, body)
    allowed = _allowed(context, task, body) if body.kind == "ask-widen" else None
    if allowed is not None:
        return {**_told(context, None, body), "item": None, "allowed": allowed}
    need_record(context)
    fault = names_nothing(typed, task.items, [decision.id for decision in task.decisions])
    if fault is not None:
        raise PassdownError(fault.message, fault.hint)
    statement = context.recorder.append(replace(body, call=call()), task=task.id, at=context.now)
    context.forget()
    return _told(context, statement, body)


def _allowed(context: Context, task: TaskView, body: Note) -> str | None:
    """Why nothing is asked for: the boundary has the path already; None where it has not, or none is there."""
    from passdown.cli.in_force_here import here_in_force
    from passdown.rules.explain import explain

    force = here_in_force(context, task)
    boundary, path = force.boundary if force is not None else task.next_boundary(), body.paths[0]
    if boundary is None or set(path) & set("*?["):
        return None
    decision = explain(boundary, path)  # of new files it is the number that is asked for
    if not decision.inside:
        return None
    return f"{plain(path)} may be written already ({plain(decision.rule)}): nothing was asked for. Go on."


def _told(context: Context, statement: str | None, body: Note) -> dict[str, Any]:
    item = _item(context, body.task, body)
    return {"task": body.task, "statement": statement, "item": item, "note": body, "allowed": None}


def _body(context: Context, task: str, typed: Typed, said: tuple[str, str]) -> Note:
    kind, text = said
    scope = [typed.ask_widen] if typed.ask_widen else typed.scope
    return Note(
        task=task,
        kind=kind,  # type: ignore[arg-type] # one of Note's kinds: kind_and_text gives no other
        text=context.redact(text),
        by="agent" if by_agent() else "person",
        paths=[_path(context, path) for path in scope],
        keep=[_path(context, path) for path in typed.keep],
        item=typed.answer,
        supersedes=typed.supersedes,
        because=_redacted(context, typed.because),
        over=_redacted(context, typed.over),
        revisit_if=_redacted(context, typed.revisit_if),
    )


def _item(context: Context, task: str, body: Note) -> str | None:
    """The id by which what was just noted is known: an open item's, a decision's; None of anything else."""
    from passdown.rules.fold_items import NOTED
    from passdown.rules.fold_notes import plain as compared

    view = context.tasks[task]
    if body.kind == "decision":
        return next((d.id for d in view.decisions if compared(d.text) == compared(body.text)), None)
    kind = NOTED.get(body.kind)
    return next((i.id for i in reversed(view.items) if i.kind == kind and i.text == body.text), None)


def _path(context: Context, path: str) -> str:
    """A path as the repository names it; a pattern stays as it was typed."""
    from passdown.rules.match import Matcher

    path = path.removeprefix("./")
    Matcher.compile([context.pattern(path)])
    return path if set(path) & set("*?[") else repository_path(context.place.root, path)


def _redacted(context: Context, text: str | None) -> str | None:
    return context.redact(text) if text else None


def answer(body: Note, item: str | None) -> str:
    """What is said to who noted it, in one line."""
    if body.kind == "ask-widen":
        name = f"{plain(body.paths[0])}{f' ({item})' if item else ''}"
        return f"Asked for {name}. An owner decides: passdown review. Go on with the rest."
    if body.kind == "answer" and body.by == "agent":
        return f"Noted as the agent's answer to {body.item}: it stays open until a person answers."
    if body.kind == "answer":
        return f"{body.item} is answered."
    settled = " It is not settled: only a person or reviewer settles." if body.kind == "decision" else ""
    return f"Noted{f' {item}' if item else ''} ({body.kind}).{settled if body.by == 'agent' else ''}"
