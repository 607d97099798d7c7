"""Speaking with GitHub, and a quick second look at the comment of an answer before somebody goes on by it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from passdown.cli.output import aside, plain
from passdown.errors import PassdownError

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.forge.client import Github
    from passdown.model.packet import Packet

_PATIENCE = 180.0


def converse(
    context: Context, remote: str | None, *, yes: bool = False, asks: bool = False, patience: float = _PATIENCE
) -> Github:
    """Speak with the remote's host; its address is agreed to once, and again when it is another."""
    from passdown.cli.sync_address import agreed
    from passdown.forge.address import repository_at
    from passdown.forge.client import Github
    from passdown.forge.token import find_token
    from passdown.workspace.transport import find_remote

    there = find_remote(context.place, remote)
    repository = repository_at(there.pushes, os.environ)
    context.place.home.mkdir(parents=True, exist_ok=True)
    agreed(context.place.home, there, yes=yes, asks=asks, keep=True)
    return Github(repository, find_token(repository, os.environ, context.place.root), patience=patience)


def look_again(context: Context, packet: Packet) -> None:
    """Look once at the comment of the answer in force, where it was one: edited or gone, the answer lapses.

    Where GitHub cannot be asked, that is said and the answer stands as it was read.
    """
    task = context.tasks.get(packet.task.id)
    given = task.decision_of(packet.packet) if task is not None and packet.packet else None
    if given is None or given.body.said is None:
        return
    from passdown.cli.github_answers import lapse_one

    try:
        with converse(context, None, patience=0) as hub:
            lapsed = lapse_one(context, hub, given)
    except PassdownError as error:
        aside(f"the answer by {plain(given.body.by)} on GitHub was not read again: {plain(error.message)}")
        return
    if lapsed is not None:
        aside(f"lapsed: {plain(lapsed)}")
