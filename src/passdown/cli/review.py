"""``passdown review``: read one screen, answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.idle_settings import tell_idle_settings
from passdown.cli.output import at_terminal, print_json, say
from passdown.cli.review_options import ReviewCommand, before, typed
from passdown.cli.review_record import record
from passdown.cli.review_said import said
from passdown.cli.review_shown import newer, older, shown
from passdown.cli.strays import let_stand, strays_of
from passdown.cli.weighing import as_it_stands
from passdown.errors import PassdownError

if TYPE_CHECKING:
    from passdown.model.packet import OwnerNote, Packet
    from passdown.review.verdict import Reply
    from passdown.rules.task import TaskView


@click.command(cls=ReviewCommand, epilog='Example:  passdown review --narrow -3 +src/backoff.py --note "F2 first"')
@click.argument("packet", required=False)
@click.option("--approve", is_flag=True, help="Let the next run go on inside the boundary as it stands.")
@click.option("--narrow", "specs", metavar="SPEC...", multiple=True, help="-3 drops entry 3, +PATH adds, -PATH denies.")
@click.option("--rollback", is_flag=True, help="The work goes back; done by: passdown rollback.")
@click.option("--to", metavar="PACKET", help="With --rollback: to that packet's state.")
@click.option("--reassign", metavar="WHO", help="Hand over to a maintainer: held until they answer.")
@click.option("--note", metavar="TEXT", help='A note to the next run; it stays until replaced, "" withdraws it.')
@click.option("--waive", metavar="ID", multiple=True, help="Close an open item without evidence; needs --because.")
@click.option("--because", metavar="WHY", help="The reason of --waive.")
@click.option("--accept-tests", is_flag=True, help="Accept what was done to tests and settings, exactly as shown.")
@click.option("--web", is_flag=True, help="Read and answer it as a page, on this machine alone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; nothing is asked.")
@person_only("review")
def review(packet: str | None, web: bool, as_json: bool, **options: object) -> None:
    """Read what a run left and decide what comes next.

    Without an answer: the screen; at a terminal it asks. A verdict lets an agent go on. It does not
    approve the code.
    """
    context = Context(reads=True)
    tell_idle_settings(context)
    now = as_it_stands(context, context.packet(packet))
    task = context.task_of(now)
    reply = typed(context, now, task, options)
    if web:
        if reply is not None or as_json:
            raise PassdownError("--web asks for the answer on its page", "passdown review --web")
        from passdown.cli.serve import pages

        pages(f"/packet/{now.packet}")
        return
    if reply is None and as_json:
        print_json(now)
        return
    asked = reply is None
    if reply is None:
        reply = _ask(context, now, task)
    if reply is None:
        return
    stands = let_stand(strays_of(context, now, task), reply.answer, reply.boundary)
    statement, body = record(context, now, task, reply)
    if as_json:
        effect = {"before": before(now, task), "after": body.boundary}
        document = {"packet": now.packet, "statement": statement, "verdict": body, "boundary": effect}
        print_json({**document, "newer": newer(now, task)})
        return
    for line in said(now, before(now, task), body, stands, noted(context, now)):
        say(line)
    old = older(now, task)
    if old is not None:
        say(f"Not the newest: {old}. That one: passdown review {(newer(now, task) or '')[:7]}")
    if asked and body.answer == "rollback":
        from passdown.cli.review_asks import at_once
        from passdown.cli.rollback import roll_back

        if at_once("Roll back now? y/Enter=later"):
            roll_back(context, body.to or body.packet)


def noted(context: Context, packet: Packet) -> list[OwnerNote]:
    """The notes to the next run as they stand."""
    from passdown.rules.owner_notes import owner_notes

    return owner_notes(context.task_of(packet), packet.packet or "")


def _ask(context: Context, packet: Packet, task: TaskView) -> Reply | None:
    """Show the screen; at a terminal ask for the answer."""
    if at_terminal():
        from passdown.cli.review_asks import ask

        return ask(context, packet, task)
    say(shown(context, packet, task).text)
    say("Answer         passdown review --approve | --narrow -3 +PATH | --rollback |")
    say("               --reassign WHO      with a word to the next run: --note TEXT")
    return None
