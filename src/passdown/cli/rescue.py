"""``passdown rescue``: keep the worktree as it is."""

from __future__ import annotations

import click

from passdown.cli.context import Context
from passdown.cli.output import print_json, say
from passdown.model.event import Rescued
from passdown.workspace.rescue import rescue as keep_all


@click.command(epilog='Example:  passdown rescue --because "before the big rebase"')
@click.option("--because", "why", metavar="WHY", default="asked for", help="A word for the record.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def rescue(why: str, as_json: bool) -> None:
    """Keep the whole worktree as it is now; nothing in it changes.

    Tracked and untracked files are kept, ignored ones are not. `passdown rollback RESCUE` brings it back.
    """
    context = Context()
    statement, body = record_rescue(context, why)
    if as_json:
        print_json({"statement": statement, "rescued": body})
        return
    say(f"RESCUED {statement[:7]}   the worktree as of now (tree {body.tree[:12]})")
    say(f"Back    passdown rollback {statement[:7]}")


def record_rescue(context: Context, why: str) -> tuple[str, Rescued]:
    """Keep the worktree and say so in the record: the statement's id and what it says."""
    kept = keep_all(context.place)
    task = context.task
    body = Rescued(
        task=task.id if task else None,
        tree=kept.tree,
        head=context.place.head,
        branch=context.place.branch,
        worktree_id=context.place.worktree_id,
        why=context.redact(why),
    )
    statement = context.recorder.append(body, task=body.task, at=context.now, subjects={"tree": kept.tree})
    return statement, body
