"""``passdown resume PACKET --worktree DIR``: the sealed work as a worktree of this clone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from passdown.cli.output import plain, say
from passdown.cli.sync_address import agreed
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED, PassdownError
from passdown.ledger.locks import exclusive
from passdown.ledger.remotes import known_remotes
from passdown.model.event import Rebound
from passdown.model.paths import printable
from passdown.rules.amount import amount
from passdown.rules.match import Matcher
from passdown.rules.protect import AGENTS_SETTINGS
from passdown.workspace import diff, history, travel
from passdown.workspace.git import GitError
from passdown.workspace.identity import rebind
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import kept
from passdown.workspace.store_git import ensure_store
from passdown.workspace.transport import find_remote, talk, unused
from passdown.workspace.unreached import unreached
from passdown.workspace.worktrees import live

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet
    from passdown.workspace.place import Place
    from passdown.workspace.transport import Remote

_SECONDS = 900.0
_WAIT = 30.0
_GITLINK = "160000"
_SHOWN = 3


def arrive(context: Context, name: str | None, folder: str, *, quiet: bool) -> None:
    """Make ``folder`` the packet's worktree, byte for byte as sealed, and go there; PassdownError."""
    if name is None:
        raise PassdownError("which packet?", "passdown resume PACKET --worktree DIR; passdown log lists them")
    packet, place = context.named_packet(name), context.place
    target = Path(os.path.abspath(folder))  # noqa: PTH100 - no link is followed: the name is what was typed
    there = live(place, packet.place.worktree_id, packet.place.branch) if packet.place.worktree_id else None
    if there is not None:
        if not kept(place, packet.place.tree):
            fetch(context, packet)
        way = f"cd {there} && passdown rollback {name[:7]} makes it what was sealed; today's state is kept"
        raise PassdownError(f"the packet's worktree is in this clone: {there}", way)
    fault = travel.unwritable(target)
    if fault is not None:
        raise fault
    head = packet.place.head
    if head is None:
        raise PassdownError("it was sealed before the first commit: no worktree can begin there")
    if not kept(place, packet.place.tree) or history.resolve(place, head) is None:
        fetch(context, packet)
        context.forget_place()
    held = travel.readable(context.place, packet.place.tree)
    travel.make_worktree(context.place, target, packet.place.branch, head)
    new = find_place(target)
    differing = travel.fill(new, packet.place.tree, held)
    if differing:
        raise PassdownError(
            f"{target} is not what was sealed: {', '.join(map(printable, differing[:_SHOWN]))}",
            "it stays as it is; git worktree remove takes it away",
            EXIT_DOES_NOT_HOLD,
        )
    _bind(context, packet, new)
    if not quiet:
        _tell(packet, new)
    os.chdir(target)


def _bind(context: Context, packet: Packet, new: Place) -> None:
    """The record knows the new worktree by the id that the packet's had."""
    known_as = packet.place.worktree_id
    if not known_as:
        return
    body = Rebound(
        task=packet.task.id,
        worktree_id=known_as,
        was=packet.place.worktree,
        now=str(new.root),
        branch=new.branch,
        by=context.me,
    )
    context.recorder.append(body, task=packet.task.id, at=context.now)
    rebind(new.git_dir, new.home, known_as)


def fetch(context: Context, packet: Packet) -> None:
    """Bring the packet's work in from the first known remote that has it; PassdownError where none has."""
    place = context.place
    sealed = travel.Sealed(packet.packet or "", packet.place.tree, packet.place.head, packet.sealed_at)
    remotes = _known(place)
    with exclusive(place.home / "sync.lock", _WAIT) as held:
        if not held:
            raise PassdownError("a sync of this clone is at work", "run it again when it is done", EXIT_UNDECIDED)
        store = ensure_store(place.home, place.object_format)
        for remote in remotes:
            agreed(place.home, remote, yes=False, asks=False, keep=False)
            try:
                with talk(place, store, remote, travel.tips_of(place), seconds=_SECONDS, apart=True) as line:
                    if travel.receive(place, line, sealed):
                        return
            except GitError as error:
                raise unreached(remote, error, unused(place)) from error
    asked = f" at {', '.join(plain(remote.name) for remote in remotes)}" if remotes else ""
    raise PassdownError(
        f"the work of {sealed.packet[:7]} is not here" + (f", nor{asked}" if asked else ""),
        "whoever sealed it sends it: passdown sync --with-work",
        EXIT_UNDECIDED,
    )


def _known(place: Place) -> list[Remote]:
    """The remotes that this clone exchanged records with."""
    named = {key[7:-4] for key in place.settings if key.startswith("remote.") and key.endswith(".url")}
    return [
        find_remote(place, folder if folder in named else known.address)
        for folder, known in known_remotes(place.home).items()
        if folder in named or folder.startswith("at-")
    ]


def _tell(packet: Packet, new: Place) -> None:
    branch = plain(new.branch or "a detached HEAD")
    changed = diff.tree_diff(new, packet.place.head or "", packet.place.tree)
    say(f"WORKTREE {plain(str(new.root))}   {branch}")
    say(
        f"         exactly as sealed: {amount(len(changed), 'file')} not in its last commit; ignored files did not come"
    )
    links = [path for path, (mode, _) in diff.list_tree(new, packet.place.head or "").items() if mode == _GITLINK]
    for path in links[:_SHOWN]:
        say(f"         {printable(path)} was a repository of its own: its files are here, its history is not")
    deciding = Matcher.compile(AGENTS_SETTINGS, fold_case=True)
    for path in [c.path for c in changed if c.status != "deleted" and deciding.matches(c.path) is not None][:_SHOWN]:
        say(f"         {printable(path)} came with it and decides what an agent runs: look at it before one starts")
    say()
