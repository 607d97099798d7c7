"""``passdown show``: one packet, as it stands now or as it was sealed."""

from __future__ import annotations

import click

from passdown.cli.context import Context
from passdown.cli.output import plain, print_json, say
from passdown.cli.paint import colour, screen_width
from passdown.errors import EXIT_DOES_NOT_HOLD


@click.command(epilog="Example:  passdown show 7c1e9a2 --markdown")
@click.argument("packet", required=False)
@click.option("--markdown", "form", flag_value="markdown", help="Markdown for a pull request.")
@click.option("--brief", "form", flag_value="brief", help="What the next run is told.")
@click.option("--goal", "form", flag_value="goal", help="The goal and the last request, whole.")
@click.option("--as-sealed", is_flag=True, help="Hold, guards, classes and freshness as they were then.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where it says HOLD.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def show(packet: str | None, form: str | None, as_sealed: bool, exit_code: bool, as_json: bool) -> int:
    """Show a packet: this task's newest, or the one whose digest begins with PACKET."""
    context = Context()
    sealed = context.packet(packet)
    if as_sealed:
        from passdown.packet.standing import as_sealed as then

        shown = then(sealed)
    else:
        shown = context.standing(sealed)
    if as_json:
        print_json(shown)
    elif form == "markdown":
        from passdown.packet.markdown import markdown

        say(markdown(shown).rstrip("\n"))
    elif form == "brief":
        from passdown.packet.brief import brief

        say(brief(shown).rstrip("\n"))
    elif form == "goal":
        for text in filter(None, (shown.task.goal.text, shown.task.last_request)):
            say("\n".join(plain(line) for line in text.splitlines()))
    else:
        from passdown.packet.terminal import terminal

        say(terminal(shown, width=screen_width(), colour=colour(), now=context.now).rstrip("\n"))
    return EXIT_DOES_NOT_HOLD if exit_code and shown.hold.state == "HOLD" else 0
