"""``passdown learn``: edits that repeated misses propose, and whether those that were taken helped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import Struct

from passdown.cli.agent_process import refuse_agent
from passdown.cli.context import Context
from passdown.cli.histories import histories
from passdown.cli.metrics import days_of
from passdown.cli.output import day, plain, print_json, say
from passdown.errors import PassdownError
from passdown.model.learned import Learned
from passdown.rules.instants import DAY, seconds
from passdown.rules.learn.effect import ENOUGH, Effect, Share, effect
from passdown.rules.learn.misses import Counted, counted, within
from passdown.rules.learn.proposals import Proposal, proposals

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEY = tuple[str, str]
WINDOW = "90d"


class Taken(Struct, frozen=True, kw_only=True):
    """An edit that a person took, when, and what happened since."""

    kind: str
    subject: str
    at: str
    files: list[str]
    text: str
    effect: Effect | None
    prune: bool


@click.command(epilog='Example:  passdown learn --refuse 2 --because "that path is the work"')
@click.option("--take", "taken", type=click.IntRange(min=1), metavar="N", help="Write the edit N into its file.")
@click.option("--refuse", "refused", type=click.IntRange(min=1), metavar="N", help="Never propose N again.")
@click.option("--because", metavar="WHY", help="Why it is refused.")
@click.option("--prune", is_flag=True, help="Only what was taken and shows no gain: to be taken out again.")
@click.option(
    "--window", "span", metavar="SPAN", default=WINDOW, help="Misses of 30d, 12w, 6m, 1y or all.  [default: 90d]"
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def learn(
    taken: int | None, refused: int | None, because: str | None, span: str, *, prune: bool, as_json: bool
) -> None:
    """Show what went wrong again and again, and an edit against each: of instructions, policy or a template.

    Counted from the record alone. You take an edit or refuse it; what was taken is measured before and after.
    """
    if taken is not None and refused is not None:
        raise PassdownError("--take or --refuse", "one answer at a time")
    answers = taken is not None or refused is not None
    if answers:
        refuse_agent("learn --take" if taken is not None else "learn --refuse")
    context = Context(reads=not answers)
    causes, said = _causes(context), _said(context)
    open_ = _open(context, _recent(causes, context.now, days_of(span)), said)
    if taken is not None:
        _take(context, _numbered(open_, taken), as_json=as_json)
    elif refused is not None:
        _refuse(context, _numbered(open_, refused), because, as_json=as_json)
    else:
        measured = _measured(causes, said)
        shown = [one for one in measured if one.prune or not prune]
        if as_json:
            print_json({"proposals": [] if prune else open_, "taken": shown})
        elif prune:
            _show_idle(shown)
        else:
            _show(open_, shown, "" if span == WINDOW else f" --window {span}")


def unanswered(context: Context, span: str = WINDOW) -> list[Proposal]:
    """What is proposed now."""
    return _open(context, _recent(_causes(context), context.now, days_of(span)), _said(context))


def _causes(context: Context) -> list[Counted]:
    told = histories(context)
    return counted(told.found, told.runs)


def _said(context: Context) -> dict[_KEY, tuple[str, Learned]]:
    """Each cause's newest answer of a person of this clone, and when."""
    records = [r for r in context.recorder.records(type="learned") if r.here and r.trusted]
    return {(r.body.kind, r.body.subject): (r.at, r.body) for r in records if isinstance(r.body, Learned)}


def _recent(causes: Sequence[Counted], now: str, days: float | None) -> list[Counted]:
    """The causes with what happened in the last ``days`` alone."""
    return within(causes, None if days is None else (seconds(now) or 0.0) - days * DAY)


def _open(context: Context, causes: Sequence[Counted], said: dict[_KEY, tuple[str, Learned]]) -> list[Proposal]:
    """What nobody answered yet and no file says already."""
    from passdown.cli.learned_files import stands

    unanswered = [one for one in proposals(causes) if (one.kind, one.subject) not in said]
    return [one for one in unanswered if not stands(context.place.root, context.policy, one)]


def _numbered(found: Sequence[Proposal], number: int) -> Proposal:
    if number > len(found):
        there = f"there are {len(found)}" if found else "nothing is proposed"
        raise PassdownError(f"no proposal {number}: {there}", "passdown learn lists them")
    return found[number - 1]


def _take(context: Context, one: Proposal, *, as_json: bool) -> None:
    from passdown.cli.learned_files import put

    files = put(context.place.root, context.policy, one)
    _record(context, one, "taken", files=files)
    if as_json:
        print_json({"taken": one, "files": files})
        return
    say(f"Written   {', '.join(files)}   {_where(one)}")
    counts = "" if one.edit.file == "instructions" else ": it counts once the base branch has it"
    say(f"Next      read it there and commit it{counts}")


def _refuse(context: Context, one: Proposal, because: str | None, *, as_json: bool) -> None:
    if not because:
        raise PassdownError("--refuse needs its reason", 'passdown learn --refuse N --because "..."')
    _record(context, one, "refused", because=because)
    if as_json:
        print_json({"refused": one, "because": because})
        return
    say(f"Refused   {one.kind} {plain(one.subject)}: it is not proposed again")


def _record(context: Context, one: Proposal, answer: str, *, because: str = "", files: Sequence[str] = ()) -> None:
    context.will_write()
    body = Learned(
        kind=one.kind,
        subject=one.subject,
        answer="taken" if answer == "taken" else "refused",
        by=context.me,
        because=because,
        files=list(files),
        text=one.edit.value if files else "",
        misses=one.misses,
        chances=one.chances,
    )
    context.recorder.append(body, task=None, at=context.now)


def _measured(causes: Sequence[Counted], said: dict[_KEY, tuple[str, Learned]]) -> list[Taken]:
    """Every edit that was taken, with the shares before and after; a cause that is gone from the record has none."""
    by_name = {(one.kind, one.subject): one for one in causes}
    found = []
    for key, (at, body) in said.items():
        if body.answer == "taken":
            told = effect(by_name[key], at) if key in by_name else None
            idle = told is not None and told.after.chances >= ENOUGH and told.told != "helped"
            found.append(
                Taken(
                    kind=body.kind, subject=body.subject, at=at, files=body.files, text=body.text,
                    effect=told, prune=idle,
                )
            )  # fmt: skip
    return found


def _show(open_: Sequence[Proposal], taken: Sequence[Taken], window: str) -> None:
    """``window``: as it was given, for the numbers are those of this list."""
    for number, one in enumerate(open_, 1):
        by = f", all with {plain(one.agent)}" if one.agent else ""
        say(f"{number:>2} {one.kind}   {plain(one.subject)}   {one.misses} of {one.chances} {one.chance}{by}")
        say(f"   {_where(one)}")
    if not open_:
        say("Nothing repeats often enough to be worth an edit, or all of it is answered.")
    _show_taken(taken)
    if open_:
        say(f'Next   passdown learn --take N{window}   or: passdown learn --refuse N --because "..."{window}')


def _show_taken(taken: Sequence[Taken]) -> None:
    for done in taken:
        say(f"Taken {day(done.at)}   {done.kind} {plain(done.subject)}   {', '.join(map(plain, done.files))}")
        say(f"   {_told(done)}")


def _show_idle(taken: Sequence[Taken]) -> None:
    """What was taken and shows no gain."""
    _show_taken(taken)
    if not taken:
        say(f"Nothing to take out: less than {ENOUGH} chances since, or it helped.")


def _where(one: Proposal) -> str:
    edit = one.edit
    if edit.file == "instructions":
        return f"instructions: {plain(edit.value)}"
    file = f"template {edit.template}" if edit.file == "template" else "passdown.toml"
    sign = "+=" if edit.listed else "="
    return f"{file}: [{edit.table}] {edit.key} {sign} {plain(edit.value)}"


def _told(done: Taken) -> str:
    if done.effect is None:
        return "not measured: the record holds nothing of it any more"
    told = done.effect
    out = f"   it may go: take out {plain(done.text)}" if done.prune else ""
    return f"before {_share(told.before)}, after {_share(told.after)}: {told.told}{out}"


def _share(share: Share) -> str:
    if not share.chances:
        return "not measured"
    return f"{share.missed} of {share.chances} ({share.value:.0%}, {share.low:.0%} to {share.high:.0%})"
