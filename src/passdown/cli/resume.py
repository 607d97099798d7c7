"""``passdown resume``: check freshness, print the brief, arm the boundary."""

from __future__ import annotations

import click

from passdown.cli.context import Context


@click.command(epilog="Example:  passdown resume 7c1e9a2")
@click.argument("packet", required=False)
@click.option("--with", "client", metavar="CLIENT", help="Start claude or codex with the brief, guarded for this run.")
@click.option("--sandbox", is_flag=True, help="With --with: the kernel confines it too (passdown sandbox).")
@click.option("--worktree", metavar="DIR", help="Make DIR a worktree with the sealed work, here or from another clone.")
@click.option("--take-over", is_flag=True, help="Another agent's run lives in this worktree: end its hold.")
@click.option("--rebind", is_flag=True, help="The repository was moved: its task belongs to this folder now.")
@click.option("--no-check", is_flag=True, help="Do not re-run the checks that are quick to run.")
@click.option("--budget", type=click.IntRange(min=1), metavar="TOKENS", help="Room for the brief; else about 400.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; nothing is asked.")
def resume(  # noqa: PLR0913 -- one parameter an option
    packet: str | None,
    client: str | None,
    worktree: str | None,
    *,
    sandbox: bool,
    take_over: bool,
    rebind: bool,
    no_check: bool,
    budget: int | None,
    as_json: bool,
) -> int:
    """Hand the packet to the next run: this task's newest, or the one that PACKET names.

    Compares the worktree with what was sealed; prints the brief and arms the boundary, or says HOLD and
    what lifts it. Repeating it renews. Exit 1: HOLD. CLIENT may carry options: --with "claude --model opus".
    """
    context = Context()
    if worktree is None and not rebind:
        context.look_ahead()  # git works while the rest of the command loads
    from passdown.cli.resuming import Wish, hand_over

    wish = Wish(packet, client, worktree, sandbox, take_over, rebind, no_check, budget, as_json)
    return hand_over(context, wish)
