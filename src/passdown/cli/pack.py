"""``passdown pack``: build, show and seal a packet."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

import click
import msgspec

from passdown.cli.context import Context
from passdown.cli.handed_out import Wishes, hand_out, told, who, wishes
from passdown.cli.output import aside, print_json, say
from passdown.cli.rebind import here_again
from passdown.cli.sweep import draft as draft_all
from passdown.cli.sweep import ended, with_remains
from passdown.cli.weighing import as_it_stands, ask_now
from passdown.errors import EXIT_DOES_NOT_HOLD
from passdown.packet.build import build
from passdown.packet.seal import seal
from passdown.packet.size import fitted
from passdown.packet.templates import find

if TYPE_CHECKING:
    from passdown.model.packet import Packet
    from passdown.model.session import SessionFacts
    from passdown.packet.ask import Ask
    from passdown.rules.task import TaskView


@click.command(epilog='Example:  passdown pack --note "client.py first"')
@click.argument("session", required=False)
@click.option("--rebind", is_flag=True, help="The repository was moved: its task belongs to this folder now.")
@click.option("--dry-run", is_flag=True, help="Print the packet; seal, record and run nothing.")
@click.option("--goal", metavar="TEXT", help="The goal, where the session's first request is not it.")
@click.option("--note", metavar="TEXT", help="A note to whoever goes on.")
@click.option("--template", metavar="NAME", help="What kind of handoff it is, where it is taken for another.")
@click.option("--for", "for_", metavar="WHO", help="Who goes on: @handle or an address.")
@click.option(
    "--copy", is_flag=True, help="Put the brief on the clipboard, for any agent at all; prints it where none is."
)
@click.option("--write", metavar="FILE", help="Keep a marked block of FILE up to date, for people without Passdown.")
@click.option("--narrate", metavar="WHO", help="Have claude, codex or llm:MODEL tell it in sentences, as only said.")
@click.option("--no-check", is_flag=True, help="Do not re-run the checks that are quick to run.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where the packet says HOLD.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def pack(  # noqa: PLR0913 -- one parameter an option
    session: str | None,
    *,
    rebind: bool,
    dry_run: bool,
    goal: str | None,
    note: str | None,
    template: str | None,
    for_: str | None,
    copy: bool,
    write: str | None,
    narrate: str | None,
    no_check: bool,
    exit_code: bool,
    as_json: bool,
) -> int:
    """Seal what the run did into one packet.

    Takes this worktree's newest agent session, or the one named by id or file; works without any.
    """
    context = Context(reads=dry_run)
    here_again(context, rebind=rebind)
    if narrate == "with":  # --narrate with claude
        narrate, session = session, None
    wanted, owner = wishes(context, copy=copy, write=write, narrate=narrate, dry_run=dry_run), who(for_)
    kind = find(template, context.policy.templates).name if template is not None else None
    context.look_ahead()
    asked = any(given is not None for given in (session, goal, note, kind, owner, narrate))
    done = None if asked else _ended_here(context)
    if done is not None:
        return _nothing_new(done, as_json=as_json)
    _sweep(context, session, dry_run=dry_run)
    facts = _facts(context, session)
    stands = None if asked or dry_run else _unchanged(context)
    if stands is not None:
        return _still(context, stands, wanted, as_json=as_json)
    if not dry_run:
        _ready(context, facts, checks=not no_check)
    draft = told(context, _draft(context, ask_now(context, facts, goal=goal, note=note), owner, kind), wanted)
    packet = fitted(draft).packet if dry_run else seal(context.place, context.recorder, draft)
    _show(context, packet, as_json=as_json)
    _without(facts, as_json=as_json)
    hand_out(context, packet, wanted, as_json=as_json)
    return EXIT_DOES_NOT_HOLD if exit_code and packet.hold.state == "HOLD" else 0


def _without(facts: SessionFacts | None, *, as_json: bool) -> None:
    if facts is None and not as_json:
        aside("No agent session: a packet of git, task and checks alone.")


def _ready(context: Context, facts: SessionFacts | None, *, checks: bool) -> None:
    """Make what every record needs; re-run the quick checks where they are wanted."""
    context.will_write()
    if checks:
        from passdown.cli.rerun import rerun

        rerun(context, facts)


def _draft(context: Context, ask: Ask, owner: str | None, kind: str | None) -> Packet:
    """The packet of this moment, with who made it, whom it is for, and what its session left running."""
    owner = owner or (context.task.resume_owner if context.task is not None else None) or ask.resume_owner
    made = build(
        context.place, context.recorder, context.policy, msgspec.structs.replace(ask, resume_owner=owner, template=kind)
    )
    made = msgspec.structs.replace(made, run=msgspec.structs.replace(made.run, by=context.me))
    return with_remains(context, made, ask.facts)


def _sweep(context: Context, named: str | None, *, dry_run: bool) -> None:
    """Draft what earlier sessions left without a packet; the newest session's is what is asked for."""
    if named is None and not dry_run:
        newest = context.sessions[0].session if context.sessions else None
        draft_all(context, ended(context, besides=newest))


def _ended_here(context: Context) -> TaskView | None:
    """The task that ended on exactly this code, where no session has gone on since."""
    from passdown.cli.unpacked import unpacked

    if context.task is not None:
        return None
    for task in context.tasks.values():
        closed = task.outcome
        if closed is not None and task.latest is not None and closed.body.tree == context.snapshot.tree:
            here = task.latest.body.place
            if (here.worktree_id, here.branch) == (context.place.worktree_id, context.place.branch):
                return None if unpacked(context) else task
    return None


def _nothing_new(task: TaskView, *, as_json: bool) -> int:
    if task.latest is None or task.outcome is None:
        return 0
    if as_json:
        print_json(msgspec.structs.replace(task.latest.body, packet=task.latest.id))
        return 0
    outcome = task.outcome.body.outcome
    say(f"Nothing new since {task.latest.id[:7]}: that task is {outcome}, the code and the sessions are as they were.")
    say('Next   passdown start GOAL, or work on and pack again   (pack --goal "..." seals all the same)')
    return 0


def _unchanged(context: Context) -> Packet | None:
    """The newest packet here, where neither code, sessions nor record went on since: another would say less.

    What was said and refuted belongs to the stretch that it was said in.
    """
    from passdown.cli.unpacked import unpacked
    from passdown.model.event import Judged, Verdict

    latest = context.task.latest if context.task is not None else None
    if latest is None:
        return None
    sealed = latest.body.place
    spot = (context.place.worktree_id, context.place.branch, context.place.head, context.snapshot.tree)
    if (sealed.worktree_id, sealed.branch, sealed.head, sealed.tree) != spot:
        return None
    if sealed.control and sealed.control != context.snapshot.control:
        return None
    since = [r for r in context.recorder.records() if r.order > latest.order and r.task in (None, latest.body.task.id)]
    if any(not isinstance(record.body, Verdict | Judged) for record in since) or unpacked(context):
        return None
    return msgspec.structs.replace(latest.body, packet=latest.id)


def _still(context: Context, packet: Packet, wanted: Wishes, *, as_json: bool) -> int:
    from passdown.cli.show import in_force

    shown = in_force(context, as_it_stands(context, packet))
    _show(context, shown, as_json=as_json)
    if not as_json:
        aside(f"Nothing new since {(packet.packet or '')[:7]}: no packet was sealed. --note, --goal or --for seal one.")
    hand_out(context, shown, wanted, as_json=as_json)
    return 0


def _facts(context: Context, name: str | None) -> SessionFacts | None:
    """The named session's facts, else the newest one's that worked here since the task began."""
    from passdown.agents.sessions import pick, read_session

    root = context.place.root
    if name is not None:
        return read_session(pick(name, root, os.environ), outputs=False)
    found = context.sessions
    task = context.task
    if not found:
        return None
    begun = task.opened.at if task is not None and task.opened is not None else None
    newest = found[0]
    if begun is not None and datetime.fromisoformat(newest.modified) < datetime.fromisoformat(begun):
        return None
    return read_session(newest.path, outputs=False)


def _show(context: Context, packet: Packet, *, as_json: bool) -> None:
    if as_json:
        print_json(packet)
        return
    from passdown.cli.paint import colour, screen_width
    from passdown.packet.terminal import terminal

    say(terminal(packet, width=screen_width(), colour=colour(), now=context.now).rstrip("\n"))
