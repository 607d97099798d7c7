"""``passdown rescue``: keep the worktree as it is."""

from __future__ import annotations

import click

from passdown.cli.context import Context
from passdown.cli.output import plain, print_json, say
from passdown.cli.rescued import record_rescue
from passdown.errors import PassdownError
from passdown.model.event import Record, Rescued
from passdown.model.paths import printable
from passdown.packet.text import clock
from passdown.rules.amount import amount
from passdown.workspace import diff

_json = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
_SHOWN = 20


@click.group(invoke_without_command=True, epilog="Example:  passdown rescue list")
@click.option("--because", "why", metavar="WHY", default="asked for", help="A word for the record.")
@_json
@click.pass_context
def rescue(ctx: click.Context, why: str, as_json: bool) -> None:
    """Keep the whole worktree as it is now; nothing in it changes.

    Tracked and untracked files are kept, ignored ones are not. Passdown does the same by itself before
    anything that could destroy work.
    """
    if ctx.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"--json comes after {ctx.invoked_subcommand!r}", ctx)
        return
    context = Context()
    statement, body = record_rescue(context, why)
    if as_json:
        print_json({"statement": statement, "rescued": body})
        return
    say(f"RESCUED {statement[:7]}   the worktree as of now (tree {body.tree[:12]})")
    say(f"Back    passdown rescue restore {statement[:7]}")


@rescue.command("list", epilog="Example:  passdown rescue list")
@_json
def list_(as_json: bool) -> None:
    """List what was rescued in this worktree, newest first."""
    context = Context(reads=True)
    found = [(record.id, record.at, body) for record, body in _kept(context)]
    if as_json:
        print_json([{"statement": name, "at": at, "rescued": body} for name, at, body in found])
        return
    for name, at, body in found:
        say(f"{name[:7]}   {clock(at, context.now)}   {plain(body.branch or 'detached')}   {plain(body.why)}")
    if not found:
        say("nothing was rescued in this worktree")


@rescue.command("show", epilog="Example:  passdown rescue show 7c1e9a2")
@click.argument("name", metavar="RESCUE")
@_json
def show(name: str, as_json: bool) -> None:
    """Show what RESCUE holds that the worktree does not."""
    context = Context()
    body = _named(context, name)
    changes = diff.tree_diff(context.place, context.snapshot.tree, body.tree)
    if as_json:
        print_json({"rescued": body, "changes": [{"path": c.path, "op": c.status} for c in changes]})
        return
    say(f"RESCUED {name[:7]}   {plain(body.why)}")
    for change in changes[:_SHOWN]:
        what = {"added": "only in the rescue", "deleted": "only in the worktree"}.get(change.status, "differs")
        say(f"  {printable(change.path)}   {what}")
    if len(changes) > _SHOWN:
        say(f"  and {amount(len(changes) - _SHOWN, 'other')}")
    say("the worktree is exactly this" if not changes else f"Back    passdown rescue restore {name[:7]}")


@rescue.command("restore", epilog="Example:  passdown rescue restore 7c1e9a2")
@click.argument("name", metavar="RESCUE")
@_json
def restore(name: str, as_json: bool) -> int:
    """Bring RESCUE back; today's state is rescued first. Exit 1: something still differs."""
    from passdown.cli.rollback import roll_back

    context = Context()
    _named(context, name)
    return roll_back(context, name, as_json=as_json)


def _kept(context: Context) -> list[tuple[Record, Rescued]]:
    """The rescues of this worktree, newest first."""
    mine = context.place.worktree_id
    found = [(r, r.body) for r in context.recorder.records(type="rescued") if isinstance(r.body, Rescued)]
    return [(record, body) for record, body in reversed(found) if body.worktree_id == mine]


def _named(context: Context, name: str) -> Rescued:
    body = context.recorder.record(name, "rescued").body
    if not isinstance(body, Rescued):
        raise PassdownError(f"{name} is no rescue", "passdown rescue list")
    return body
