"""The work of ``passdown resume``: weigh the packet as it stands, arm the boundary, hand over the brief."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from passdown.cli import holding
from passdown.cli.agent_process import refuse_agent, running_agent
from passdown.cli.arming import Handing, arm
from passdown.cli.context import Context
from passdown.cli.drift import drift
from passdown.cli.elsewhere import around, refuse_leftover, waiting
from passdown.cli.github_again import look_again
from passdown.cli.idle_settings import tell_idle_settings
from passdown.cli.output import at_terminal, entered, plain, print_json, say
from passdown.cli.paint import colour, screen_width
from passdown.cli.rebind import bind
from passdown.cli.show import in_force
from passdown.cli.strays import lines, strays_of
from passdown.cli.sweep import draft, ended
from passdown.cli.weighing import as_it_stands
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.packet.brief import brief

if TYPE_CHECKING:
    from passdown.cli.agent_client import Client
    from passdown.guard.lease import Lease
    from passdown.model.boundary import Boundary
    from passdown.model.packet import Packet

INSTALLED = "Guarded by the hooks that `passdown init` put in place; `passdown doctor` proves them."
DRIFTED = "What changed since it was sealed is no part of the run: `passdown pack` seals it anew."
ADVISORY = "Advisory: the agent is told, nothing stops it. `passdown verify` judges it."


class Wish(msgspec.Struct, frozen=True):
    """What was asked for, an option each: see ``passdown resume --help``."""

    packet: str | None
    client: str | None
    worktree: str | None
    sandbox: bool
    take_over: bool
    rebind: bool
    no_check: bool
    budget: int | None
    as_json: bool


def hand_over(context: Context, wish: Wish) -> int:
    """Weigh the packet as it stands now; arm and hand over, or say what holds. The exit code."""
    context = _there(context, wish) if wish.worktree is not None else context
    refuse_leftover(context)
    if wish.rebind:
        bind(context)
    if wish.rebind or wish.worktree is not None:
        context.look_ahead()
    holding.persons(take_over=wish.take_over)
    tell_idle_settings(context)
    starts = _client(wish)
    sealed = _packet(context, wish.packet)
    look_again(context, sealed)
    shown = as_it_stands(context, sealed)
    if not wish.no_check and _rerun(context, shown):
        shown = as_it_stands(context, sealed)
    if shown.hold.state == "HOLD":
        return _held(context, in_force(context, shown), as_json=wish.as_json)
    over = holding.other(context, shown, starts=starts is not None)
    if over is not None and not wish.take_over:
        return _taken(context, in_force(context, shown), over, as_json=wish.as_json)
    boundary = context.task_of(shown).next_boundary() or shown.boundary
    entered = not wish.as_json and _asks(context, shown)
    if entered:
        if not _go_on(context, shown, boundary):
            return 0
        shown = as_it_stands(context, sealed)
        boundary = context.task_of(shown).next_boundary() or boundary
    how = Handing(entered, starts.agent if starts is not None else None, over)
    hand = Hand(starts, how, as_json=wish.as_json, budget=wish.budget)
    return _start(context, shown, boundary, hand)


def _there(context: Context, wish: Wish) -> Context:
    """A new worktree with the sealed work, looked at from inside."""
    from passdown.cli.arrival import arrive

    arrive(context, wish.packet, wish.worktree or "", quiet=wish.as_json)
    return Context()


class Hand(msgspec.Struct, frozen=True):
    """To which client the packet is handed over, how, whether that is told as JSON, and the brief's room in tokens."""

    starts: Client | None
    how: Handing
    as_json: bool
    budget: int | None = None


def _start(context: Context, shown: Packet, boundary: Boundary, hand: Hand) -> int:
    """Arm the boundary, hand over the brief, start the client where one was named."""
    moved, task = drift(context, shown), context.task_of(shown)
    starts = hand.starts
    if starts is not None:
        from passdown.cli import agent_start

        agent_start.guard(context.place)
    arm(context, shown, task, boundary, hand.how)
    told = _armed_as(shown, boundary)
    if hand.as_json:
        print_json(_document(told, moved, armed=True, budget=hand.budget))
        return 0
    say(brief(told, budget=hand.budget).rstrip("\n"))
    say()
    where = plain(context.place.branch or "a detached HEAD")
    say(f"Armed: {boundary.source} boundary, version {boundary.version}, on {where}.")
    if any(reason.code == "tree-drift" for reason in told.hold.reasons):
        say(DRIFTED)
    if starts is None:
        from passdown.guard.installation import remembered

        say(INSTALLED if remembered(context.place) is not None else ADVISORY)
        return 0
    say(agent_start.state(context.place, starts))
    return agent_start.start(context.place, starts, brief(told, budget=hand.budget), told.packet or "")


def _client(wish: Wish) -> Client | None:
    """The client to start, None where the person starts it; an agent starts none."""
    said = wish.client
    if said is None and wish.sandbox:
        raise PassdownError("--sandbox confines the client that --with starts", "--with claude --sandbox")
    if said is None:
        return None
    from passdown.cli.agent_start import client_of

    refuse_agent("resume --with")
    if wish.as_json:
        raise PassdownError("--with starts a client; --json only tells", "take one of them")
    return client_of(said, sandbox=wish.sandbox)


def _rerun(context: Context, packet: Packet) -> bool:
    """Re-run the quick checks where the packet belongs here; whether any ran."""
    if any(reason.code in ("wrong-place", "integrity-broken") for reason in packet.hold.reasons):
        return False
    from passdown.cli.rerun import rerun

    return bool(rerun(context))


def _packet(context: Context, name: str | None) -> Packet:
    """The named packet, else the newest valid one of this worktree and branch."""
    if name is not None:
        return _going_on(context, context.named_packet(name))
    draft(context, ended(context, first=True))
    from passdown.rules.lineage import Here, choose

    place = context.place
    here = Here(place.worktree_id, place.branch, context.snapshot.tree, context.now, max_age_days=None)
    chosen = choose(context.tasks, here)
    if chosen.packet is None:
        was = context.was_moved()
        if was is not None:
            raise was
        there = waiting(context)
        because = chosen.because if there is None else f"{there.name} lies {there.where}"
        hint = around(context) or (there.way if there is not None else "passdown pack seals what is here now")
        raise PassdownError(f"nothing to resume here: {because}", hint)
    return msgspec.structs.replace(chosen.packet.body, packet=chosen.packet.id)


def _going_on(context: Context, packet: Packet) -> Packet:
    """The packet; PassdownError where its task has ended: nothing would bind the run."""
    ended_as = context.task_of(packet).outcome
    if ended_as is None:
        return packet
    short = (packet.packet or "")[:7]
    raise PassdownError(
        f"the task of {short} is {ended_as.body.outcome}: nothing goes on from it",
        f'a new task that keeps what was learned: passdown start "GOAL" --from {short}',
        EXIT_DOES_NOT_HOLD,
    )


def _armed_as(packet: Packet, boundary: Boundary) -> Packet:
    """The packet with the boundary that the next run gets."""
    return msgspec.structs.replace(packet, boundary=boundary)


def _held(context: Context, packet: Packet, *, as_json: bool) -> int:
    if as_json:
        print_json(_document(packet, drift(context, packet), armed=False))
        return EXIT_DOES_NOT_HOLD
    from passdown.packet.hold_screen import hold_screen

    was = context.was_moved() if context.task is None else None
    if was is not None:  # the way to another folder is none: this one is it
        kept = [reason for reason in packet.hold.reasons if reason.code != "wrong-place"]
        moved = [msgspec.structs.replace(r, lifts="") for r in packet.hold.reasons if r.code == "wrong-place"]
        packet = msgspec.structs.replace(packet, hold=msgspec.structs.replace(packet.hold, reasons=[*moved, *kept]))
    say(hold_screen(packet, width=screen_width(), colour=colour()).rstrip("\n"))
    if was is not None:
        say(f"Moved  {plain(was.message)}: passdown resume --rebind")
    return EXIT_DOES_NOT_HOLD


def _taken(context: Context, packet: Packet, held: Lease, *, as_json: bool) -> int:
    """Another run lives in this worktree: nothing is armed, nothing handed over."""
    if as_json:
        document = _document(packet, drift(context, packet), armed=False)
        print_json({**document, "lease": holding.document(held)})
        return EXIT_DOES_NOT_HOLD
    say(f"TAKEN   {plain(holding.told(context, held))}   (nothing changed, nothing armed)")
    say("Wait    until it ends, or end it: one active run in a worktree")
    say(f"Over    passdown resume {(packet.packet or '')[:7]} --take-over   its writes here are refused from then on")
    return EXIT_DOES_NOT_HOLD


def _asks(context: Context, packet: Packet) -> bool:
    """A person at a terminal is asked in solo mode, where nobody answered this packet yet."""
    decided = packet.verdict is not None
    return at_terminal() and running_agent(os.environ) is None and context.policy.mode == "solo" and not decided


def _go_on(context: Context, packet: Packet, boundary: Boundary) -> bool:
    """Show the packet; Enter is the person's answer, recorded as a verdict."""
    from passdown.cli.review_record import record
    from passdown.packet.terminal import terminal
    from passdown.review.narrow import next_version
    from passdown.review.verdict import Reply

    shown = _armed_as(packet, boundary)
    screen = terminal(shown, width=screen_width(), colour=colour(), now=context.now).rstrip("\n").split("\n")
    say("\n".join(line for line in screen if not line.startswith("Next ")))  # who reads it is in the midst of that
    for line in lines("Lets stand", strays_of(context, packet, context.task_of(packet))):
        say(line)
    if not entered("Enter goes on inside this boundary, q leaves"):
        say("Nothing changed, nothing armed. To change it: passdown review")
        return False
    record(context, packet, context.task_of(packet), Reply("approve", next_version(boundary, "reviewed")))
    return True


def _document(
    packet: Packet, moved: list[dict[str, str]], *, armed: bool, budget: int | None = None
) -> dict[str, object]:
    """The shape of `resume --json`."""
    return {
        "packet": packet.packet,
        "hold": packet.hold,
        "drift": moved,
        "brief": brief(packet, budget=budget),
        "boundary": packet.boundary,
        "armed": armed,
        "guards": packet.guards,
    }
