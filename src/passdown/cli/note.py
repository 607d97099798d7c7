"""``passdown note``: what a run or a person leaves for the next."""

from __future__ import annotations

import os

import click

from passdown.cli.agent_process import running_agent
from passdown.cli.context import Context
from passdown.cli.output import plain, print_json, say
from passdown.errors import PassdownError
from passdown.model.event import Note
from passdown.review.narrow import repository_path

KINDS = ("decision", "dead-end", "question", "step", "assumption")


@click.command(epilog='Example:  passdown note decision "cap at 60 s" --path src/retry.py')
@click.argument("words", nargs=-1, metavar="[KIND] TEXT")
@click.option("--path", "paths", metavar="PATH", multiple=True, help="Where it applies. Repeatable.")
@click.option("--because", metavar="WHY", help="The reason.")
@click.option("--over", metavar="OTHER", help="The alternative that a decision rejects.")
@click.option("--revisit-if", metavar="WHEN", help="What would reopen a decision.")
@click.option("--architecture", is_flag=True, help="The question is one of architecture: it holds the next run.")
@click.option("--ask-widen", metavar="PATH", help="Ask for a path outside the boundary; needs --because.")
@click.option("--answer", metavar="ITEM", help="Answer an open question (Q1); only a person's answer closes it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def note(
    words: tuple[str, ...],
    ask_widen: str | None,
    answer: str | None,
    architecture: bool,
    as_json: bool,
    **rest: str | tuple[str, ...] | None,
) -> None:
    """Record a decision, dead-end, question, step or assumption.

    KIND is one of these words; "step" where it is left out. An agent may ask for a path with
    --ask-widen: an owner decides in `passdown review`.
    """
    context = Context()
    task = context.need_task()
    kind, text = _kind(words, ask_widen=ask_widen, answer=answer, architecture=architecture)
    if answer is not None and answer not in [item.id for item in task.items]:
        known = ", ".join(item.id for item in task.items) or "none"
        raise PassdownError(f"no open item {answer!r} in this task", f"open: {known}")
    if ask_widen is not None and not ask_widen.strip():
        raise PassdownError("--ask-widen needs a path", 'passdown note --ask-widen PATH --because "..."')
    if ask_widen is not None and not rest["because"]:
        raise PassdownError("--ask-widen needs a reason", f'passdown note --ask-widen {ask_widen} --because "..."')
    body = Note(
        task=task.id,
        kind=kind,  # type: ignore[arg-type] # one of Note's kinds, checked in _kind
        text=context.redact(text),
        by="agent" if running_agent(os.environ) else "person",
        paths=[_path(context, path) for path in ([ask_widen] if ask_widen else rest["paths"] or ())],
        item=answer,
        **{name: _redacted(context, rest[name]) for name in ("because", "over", "revisit_if")},
    )
    statement = context.recorder.append(body, task=task.id, at=context.now)
    item = _item(context, task.id, body)
    if as_json:
        print_json({"task": task.id, "statement": statement, "item": item, "note": body})
        return
    say(_answer(body, item))


def _item(context: Context, task: str, body: Note) -> str | None:
    """The id by which what was just noted stays open; None of what is no open item."""
    from passdown.rules.fold import fold
    from passdown.rules.fold_items import NOTED

    kind = NOTED.get(body.kind)
    if kind is None:
        return None
    items = fold(context.recorder.records())[task].items
    return next((i.id for i in reversed(items) if i.kind == kind and i.text == body.text), None)


def _path(context: Context, path: str) -> str:
    """A path as the repository names it; a pattern stays as it was typed."""
    context.pattern(path)
    return path if set(path) & set("*?[") else repository_path(context.place.root, path)


def _redacted(context: Context, text: str | tuple[str, ...] | None) -> str | None:
    return context.redact(text) if isinstance(text, str) else None


def _kind(words: tuple[str, ...], *, ask_widen: str | None, answer: str | None, architecture: bool) -> tuple[str, str]:
    """``(kind, text)`` of what was typed."""
    named = words[0] if words and words[0] in (*KINDS, "ask-widen", "answer") else None
    text = " ".join(words[1:] if named else words)
    if ask_widen is not None:
        return "ask-widen", text or ask_widen
    if not text:
        raise PassdownError("the note has no text", f'passdown note {named or "decision"} "..."')
    if answer is not None:
        return "answer", text
    if architecture:
        return "architecture", text
    return named or "step", text


def _answer(body: Note, item: str | None) -> str:
    if body.kind == "ask-widen":
        name = f"{plain(body.paths[0])}{f' ({item})' if item else ''}"
        return f"Asked for {name}: an owner decides in `passdown review`. Go on with the rest."
    if body.kind == "answer" and body.by == "agent":
        return f"Noted as the agent's answer to {body.item}: it stays open until a person answers."
    if body.kind == "answer":
        return f"{body.item} is answered."
    settled = " It is not settled: only a person or reviewer settles." if body.kind == "decision" else ""
    return f"Noted{f' {item}' if item else ''} ({body.kind}).{settled if body.by == 'agent' else ''}"
