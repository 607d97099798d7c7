"""``passdown review``: read one screen, answer it."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.output import at_terminal, fit, plain, print_json, say
from passdown.cli.paint import screen_width
from passdown.errors import PassdownError
from passdown.review import narrow
from passdown.review.verdict import Ground, Reply, Reviewer, verdict

if TYPE_CHECKING:
    from passdown.model.boundary import Boundary
    from passdown.model.event import Verdict
    from passdown.model.packet import Answer, Packet
    from passdown.rules.task import TaskView


class ReviewCommand(click.Command):
    """Takes ``--narrow -3 +src/a.py``: what follows is a list of changes, also where it begins with a dash."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write each change as an option of its own, then as click does."""
        written: list[str] = []
        rest = list(args)
        while rest:
            word = rest.pop(0)
            if word != "--narrow":
                written.append(word)
                continue
            specs = []
            while rest and rest[0][:1] in "+-" and rest[0][:2] != "--" and len(rest[0]) > 1:
                specs.append(f"--narrow={rest.pop(0)}")
            written += specs or ["--narrow="]
        return super().parse_args(ctx, written)


@click.command(cls=ReviewCommand, epilog='Example:  passdown review --narrow -3 +src/backoff.py --note "F2 first"')
@click.argument("packet", required=False)
@click.option("--approve", is_flag=True, help="Let the next run go on inside the boundary as it stands.")
@click.option("--narrow", "specs", metavar="SPEC...", multiple=True, help="-3 drops entry 3, +PATH adds, -PATH denies.")
@click.option("--rollback", is_flag=True, help="The work goes back; done by: passdown rollback.")
@click.option("--to", metavar="PACKET", help="With --rollback: to that packet's state.")
@click.option("--reassign", metavar="WHO", help="Hand over to a maintainer: held until they answer.")
@click.option("--note", metavar="TEXT", help="A note to the next run.")
@click.option("--waive", metavar="ID", multiple=True, help="Close an open item without evidence; needs --because.")
@click.option("--because", metavar="WHY", help="The reason of --waive.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; nothing is asked.")
@person_only("review")
def review(packet: str | None, as_json: bool, **options: object) -> None:
    """Read what a run left and decide what comes next.

    Without an answer: the screen; at a terminal it asks. A verdict lets an agent go on. It does not
    approve the code.
    """
    context = Context()
    shown = context.standing(context.packet(packet))
    task = context.task_of(shown)
    reply = _typed(context, shown, task, options)
    if reply is None and as_json:
        print_json(shown)
        return
    asked = reply is None
    if reply is None:
        reply = _ask(context, shown, task)
    if reply is None:
        return
    statement, body = record(context, shown, task, reply)
    if as_json:
        effect = {"before": before(shown, task), "after": body.boundary}
        print_json({"packet": shown.packet, "statement": statement, "verdict": body, "boundary": effect})
        return
    _say(shown, task, body)
    if asked and body.answer == "rollback":
        from passdown.cli.review_asks import now
        from passdown.cli.rollback import roll_back

        if now("Roll back now? y/Enter=later"):
            roll_back(context, body.to or body.packet)


def record(context: Context, packet: Packet, task: TaskView, reply: Reply) -> tuple[str, Verdict]:
    """Sign and append the verdict; the statement's id and what it says."""
    from passdown.cli.reviewer import reviewer, signer

    person = signer(context)
    who: Reviewer = reviewer(context, packet, person)
    body = verdict(packet, task, who, reply, ground(context))
    subjects = {"packet": packet.packet or "", "boundary": body.boundary_digest}
    statement = context.recorder.append(
        body, task=task.id, at=context.now, subjects=subjects, person_signer=person.signs
    )
    context.forget()
    return statement, body


def ground(context: Context) -> Ground:
    """What a verdict of this moment rests on."""
    from passdown.workspace.diff import list_tree

    return Ground(context.base, context.owners, tuple(list_tree(context.place, context.snapshot.tree)))


def tails(context: Context) -> dict[str, str]:
    """The end of each check's latest output here, by its name."""
    from passdown.model.evidence import Evidence

    bodies = [record.body for record in context.recorder.records(type="evidence")]
    return {body.check: body.tail for body in bodies if isinstance(body, Evidence)}


def before(packet: Packet, task: TaskView) -> Boundary:
    """The boundary that stands before the answer."""
    return task.next_boundary() or packet.boundary


def _typed(context: Context, packet: Packet, task: TaskView, options: dict[str, object]) -> Reply | None:
    """The answer that the options give, None where they give none."""
    answers: list[Answer] = []
    if options["approve"]:
        answers.append("approve")
    specs = [str(spec) for spec in options["specs"]]  # type: ignore[attr-defined] # click's tuple
    if specs:
        answers.append("narrow")
    if options["rollback"]:
        answers.append("rollback")
    if options["reassign"]:
        answers.append("reassign")
    waived = _waived(task, options)
    if len(answers) > 1:
        raise PassdownError(f"one answer at a time, not {' and '.join(answers)}", "passdown review --help")
    if options["to"] and answers != ["rollback"]:
        raise PassdownError("--to belongs to --rollback", "passdown review --rollback --to PACKET")
    if not answers:
        if waived or options["note"]:
            raise PassdownError(
                "a note or waiver goes with an answer", "add --approve, --narrow, --rollback or --reassign"
            )
        return None
    note = options["note"]
    return reply_of(
        context,
        answers[0],
        before(packet, task),
        specs=[spec for spec in specs if spec],
        note=context.redact(str(note)) if note else None,
        to=context.named_packet(str(options["to"])).packet if options["to"] else packet.packet,
        assignee=str(options["reassign"]) if options["reassign"] else None,
        waived=waived,
    )


def reply_of(
    context: Context,
    answer: Answer,
    old: Boundary,
    *,
    specs: list[str],
    **rest: object,
) -> Reply:
    """The reply with the boundary that it leads to."""
    if answer == "narrow" and not specs:
        raise PassdownError("--narrow needs what to change", "-3 drops entry 3, +src/backoff.py adds a path")
    boundary = narrow.apply(old, specs, f"review by {context.me}") if answer == "narrow" else old
    if answer != "rollback":
        rest = {**rest, "to": None}
    return Reply(answer, narrow.next_version(boundary, "reviewed"), **rest)  # type: ignore[arg-type] # named above


def _waived(task: TaskView, options: dict[str, object]) -> dict[str, str]:
    names = [str(name) for name in options["waive"]]  # type: ignore[attr-defined] # click's tuple
    if not names:
        return {}
    if not options["because"]:
        raise PassdownError("a waiver needs its reason", f'--waive {names[0]} --because "..."')
    known = [item.id for item in task.items]
    missing = [name for name in names if name not in known]
    if missing:
        raise PassdownError(f"no open item {missing[0]!r}", f"open: {', '.join(known) or 'none'}")
    return dict.fromkeys(names, str(options["because"]))


def _ask(context: Context, packet: Packet, task: TaskView) -> Reply | None:
    """Show the screen; at a terminal ask for the answer."""
    from passdown.cli.review_screen import screen

    if at_terminal():
        from passdown.cli.review_asks import ask

        return ask(context, packet, task)
    say(screen(packet, task, context.me, tails(context)).text)
    say("Answer         passdown review --approve | --narrow -3 +PATH | --rollback |")
    say("               --reassign WHO      with a word to the next run: --note TEXT")
    return None


def _say(packet: Packet, task: TaskView, body: Verdict) -> None:
    from passdown.cli.effect import effect

    short = (packet.packet or "")[:7]
    mark = " (self: who ran the agent)" if body.self_ else ""
    said = {"reassign": f"handed over to {body.assignee}", "rollback": "roll back"}.get(body.answer, body.answer)
    say(fit(f"ANSWERED {short}   {said} by {body.by}{mark}", screen_width()))
    for line in effect(before(packet, task), body.boundary):
        say(line)
    if body.note:
        say(fill(f'Note       "{plain(body.note)}"', screen_width(), subsequent_indent=" " * 11))
    say("Lets an agent go on. Does not approve the code." if body.answer in ("approve", "narrow") else _waits(body))
    say(f"Next       {_next(body, short)}")


def _waits(body: Verdict) -> str:
    if body.answer == "rollback":
        return "Nothing has changed yet: the roll back is done by a command."
    return f"Held until {body.assignee} answers."


def _next(body: Verdict, short: str) -> str:
    if body.answer == "rollback":
        return f"passdown rollback {(body.to or short)[:7]}"
    if body.answer == "reassign":
        return f"passdown review {short}   (by {body.assignee})"
    return "passdown resume"
