"""``passdown show``: one packet, as it stands now or as it was sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from passdown.cli.context import Context
from passdown.cli.output import fit, plain, print_json, say
from passdown.cli.paint import colour, screen_width
from passdown.cli.weighing import as_it_stands
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.packet.standing import as_sealed as then

if TYPE_CHECKING:
    from passdown.model.packet import Packet


@click.command(epilog="Example:  passdown show 7c1e9a2 --markdown")
@click.argument("packet", required=False)
@click.option("--markdown", "form", flag_value="markdown", help="Markdown for a pull request.")
@click.option("--html", "form", flag_value="html", help="One HTML file: nothing is loaded, nothing runs.")
@click.option("--brief", "form", flag_value="brief", help="What the next run is told.")
@click.option("--budget", type=click.IntRange(min=1), metavar="TOKENS", help="Room for --brief; without it about 400.")
@click.option("--goal", "form", flag_value="goal", help="The goal and the last request, whole.")
@click.option("--as-sealed", is_flag=True, help="Hold, guards, classes and freshness as they were then.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where it says HOLD.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def show(
    packet: str | None, form: str | None, *, budget: int | None, as_sealed: bool, exit_code: bool, as_json: bool
) -> int:
    """Show a packet: the newest of the task here, ended or not, or the one whose digest begins with PACKET."""
    if budget is not None and form != "brief":
        raise PassdownError("--budget is the room of the brief", "passdown show --brief --budget 400")
    context = Context(reads=True)
    if not as_sealed:
        context.look_ahead()
    sealed = context.packet(packet) if packet is not None or context.task is not None else _last(context)
    shown = then(sealed) if as_sealed else as_it_stands(context, sealed)
    if as_json:
        print_json(shown)
    else:
        _print(context, shown if as_sealed else in_force(context, shown), form, budget)
    return EXIT_DOES_NOT_HOLD if exit_code and shown.hold.state == "HOLD" else 0


def _last(context: Context) -> Packet:
    """The last packet of the task that ended here; PassdownError where there is none."""
    from passdown.cli.elsewhere import ended_here

    ended = ended_here(context)
    return context.packet(ended.latest.id if ended is not None and ended.latest is not None else None)


def in_force(context: Context, packet: Packet) -> Packet:
    """The packet with the boundary that binds now: the answer's or a person's, where it is the task's newest."""
    task = context.tasks.get(packet.task.id)
    newest = task is not None and task.latest is not None and task.latest.id == packet.packet
    boundary = task.next_boundary() if task is not None and newest else None
    return msgspec.structs.replace(packet, boundary=boundary or packet.boundary)


def _print(context: Context, packet: Packet, form: str | None, budget: int | None) -> None:
    if form == "markdown":
        from passdown.packet.markdown import markdown

        say(markdown(packet).rstrip("\n"))
    elif form == "html":
        from passdown.cli.web_desk import RepositoryDesk
        from passdown.web.documents import packet_file

        review = msgspec.structs.replace(RepositoryDesk().review(packet.packet or ""), packet=packet)
        say(packet_file(review).rstrip("\n"))
    elif form == "brief":
        from passdown.packet.brief import brief

        say(brief(packet, budget=budget).rstrip("\n"))
    elif form == "goal":
        for text in filter(None, (packet.task.goal.text, packet.task.last_request)):
            say("\n".join(plain(line) for line in text.splitlines()))
    else:
        from passdown.packet.terminal import terminal

        say(terminal(packet, width=screen_width(), colour=colour(), now=context.now).rstrip("\n"))
        if packet.verdict is None and (lapsed := context.lapsed(packet)) is not None:
            say(fit(f"Answer lapsed: {lapsed}", screen_width()))
