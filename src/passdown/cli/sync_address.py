"""Where the record may go: an address is agreed to by a person once, and again when it is another."""

from __future__ import annotations

import os
from pathlib import Path

import click
from msgspec.structs import replace

from passdown.cli.agent_process import refuse_agent, running_agent
from passdown.cli.output import at_terminal, plain
from passdown.errors import PassdownError
from passdown.ledger.remotes import Known, known_remotes, remember
from passdown.workspace.transport import Remote


def agreed(home: Path, remote: Remote, *, yes: bool, asks: bool, keep: bool) -> Known:
    """What is known of the remote; PassdownError where its address is another than before and nobody says yes.

    An agent that can write the repository's settings can set any address there. A person or a script may begin with a
    new one; an agent only goes where a person went.
    """
    known = known_remotes(home).get(remote.folder)
    if yes:
        refuse_agent("sync --yes")
    elif known is None:
        if running_agent(os.environ) is not None:
            refuse_agent(f"sync {remote.name}")
    elif known.address != remote.shown and not (asks and _confirmed(known, remote)):
        raise PassdownError(
            f"{remote.name} was {known.address} and is now {remote.shown}",
            "if that is right: passdown sync --yes",
        )
    if known is None or known.address != remote.shown:
        known = Known(address=remote.shown)
        if keep:
            remember(home, remote.folder, known)
    return replace(known)


def _confirmed(known: Known, remote: Remote) -> bool:
    if not at_terminal() or running_agent(os.environ) is not None:
        return False
    asked = f"{plain(remote.name)} was {plain(known.address)} and is now {plain(remote.shown)}: go on?"
    return click.confirm(asked, default=False)
