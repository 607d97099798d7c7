"""``passdown hold``: a person stops the task."""

from __future__ import annotations

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.output import plain, print_json, say
from passdown.errors import PassdownError
from passdown.model.event import Held


@click.command(epilog='Example:  passdown hold --because "the design changes tomorrow"')
@click.option("--because", metavar="WHY", required=True, help="The reason; it is shown to whoever wants to go on.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("hold --because WHY")
def hold(because: str, as_json: bool) -> None:
    """Stop the task here until a person lifts it: `resume` answers HOLD."""
    if not because.strip():
        raise PassdownError("the reason is empty", 'passdown hold --because "..."')
    context = Context()
    task = context.need_task()
    body = Held(task=task.id, because=context.redact(because), by=context.me)
    statement = context.recorder.append(body, task=task.id, at=context.now)
    if as_json:
        print_json({"task": task.id, "statement": statement, "held": body})
        return
    say(f"HOLD   {plain(task.title)}: {plain(body.because)}")
    say('Lift   passdown lift --because "..."')
