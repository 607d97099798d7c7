"""What ``pack`` does with the packet for people and agents elsewhere: clipboard, file, name of who goes on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from passdown.cli.output import aside, say
from passdown.errors import PassdownError
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet

_WHO = lazy(r"@[\w.-]+(?:/[\w.-]+)?|[^\s@<>]+@[^\s@<>]+")


class Wishes(Struct, frozen=True):
    """Where the packet goes besides the record, and who tells it."""

    copy: bool = False
    write: Path | None = None
    narrate: str | None = None


def wishes(context: Context, *, copy: bool, write: str | None, narrate: str | None, dry_run: bool) -> Wishes:
    """What was asked for; PassdownError for what cannot be done, before anything is sealed."""
    for name, given in (("--write", write), ("--narrate", narrate)):
        if given is not None and dry_run:
            raise PassdownError(f"{name} and --dry-run exclude each other", "take one of them")
    file = None
    if write is not None:
        from passdown.cli.handoff_file import target

        file = target(context.place, write)
    if narrate is not None:
        from passdown.cli.narrate import known_narrator

        narrate = known_narrator(narrate)
    return Wishes(copy, file, narrate)


def told(context: Context, draft: Packet, wanted: Wishes) -> Packet:
    """The draft with what the narrator says of it, where one was asked for."""
    if wanted.narrate is None:
        return draft
    from passdown.cli.narrate import narrate

    return narrate(draft, wanted.narrate, context.place.root, context.redact)


def who(name: str | None) -> str | None:
    """``@handle``, ``@team/name`` or an address; PassdownError for anything else."""
    if name is not None and not _WHO.fullmatch(name):
        raise PassdownError(f"--for {name!r} names nobody", "--for @handle, or an e-mail address")
    return name


def hand_out(context: Context, packet: Packet, wanted: Wishes, *, as_json: bool) -> None:
    """Write the block, put the brief on the clipboard; one line each, and the brief itself where nothing took it."""
    if wanted.write is not None:
        from passdown.cli.handoff_file import write

        changed = write(context.place, wanted.write, packet)
        name = os.path.relpath(wanted.write)
        aside(f"{name}: {'its block is renewed, not committed' if changed else 'its block is as it was'}.")
    if wanted.copy:
        from passdown.cli.clipboard import copy
        from passdown.packet.brief import brief

        text = brief(packet)
        taken = copy(text, context.place.root, os.environ)
        if taken is not None:
            aside(f"The brief is on the clipboard, by {taken}.")
            return
        where = "`passdown show --brief` prints the brief" if as_json else "the brief is below"
        aside(f"No clipboard here (pbcopy, wl-copy, xclip, xsel, or a terminal): {where}.")
        if not as_json:
            say()
            say(text.rstrip("\n"))
