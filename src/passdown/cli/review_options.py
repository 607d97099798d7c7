"""A review's answer as it was typed: options to a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.tests_seen import accepted
from passdown.errors import PassdownError
from passdown.review import narrow
from passdown.review.verdict import Reply

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.boundary import Boundary
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


def before(packet: Packet, task: TaskView) -> Boundary:
    """The boundary that stands before the answer."""
    return task.next_boundary() or packet.boundary


def typed(context: Context, packet: Packet, task: TaskView, options: dict[str, object]) -> Reply | None:
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
    waived = {name: context.redact(why) for name, why in _waived(task, options).items()}
    if len(answers) > 1:
        raise PassdownError(f"one answer at a time, not {' and '.join(answers)}", "passdown review --help")
    if options["to"] and answers != ["rollback"]:
        raise PassdownError("--to belongs to --rollback", "passdown review --rollback --to PACKET")
    if not answers:
        if waived or options["note"] is not None or options.get("accept_tests"):
            raise PassdownError(
                "a note, a waiver or accepted tests go with an answer",
                "add --approve, --narrow, --rollback or --reassign",
            )
        return None
    note = options["note"]
    return reply_of(
        context,
        answers[0],
        before(packet, task),
        specs=[spec for spec in specs if spec],
        note=context.redact(str(note)) if note is not None else None,
        to=context.named_packet(str(options["to"])).packet if options["to"] else packet.packet,
        assignee=context.redact(str(options["reassign"])) if options["reassign"] else None,
        waived=waived,
        tests_accepted=accepted(packet, options),
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
    specs = [context.pattern(spec) for spec in specs]
    boundary = narrow.apply(old, specs, f"review by {context.me}") if answer == "narrow" else old
    if answer != "rollback":
        rest = {**rest, "to": None}
    return Reply(answer, narrow.next_version(boundary, "reviewed"), **rest)  # type: ignore[arg-type] # named above


def _waived(task: TaskView, options: dict[str, object]) -> dict[str, str]:
    names = [str(name) for name in options["waive"]]  # type: ignore[attr-defined] # click's tuple
    if not names and options["because"]:
        raise PassdownError("--because is the reason of --waive", "a word to the next run: --note TEXT")
    if not names:
        return {}
    if not options["because"]:
        raise PassdownError("a waiver needs its reason", f'--waive {names[0]} --because "..."')
    known = [item.id for item in task.items]
    missing = [name for name in names if name not in known]
    if missing:
        raise PassdownError(f"no open item {missing[0]!r}", f"open: {', '.join(known) or 'none'}")
    return dict.fromkeys(names, str(options["because"]))
