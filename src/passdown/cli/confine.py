"""Confining a command to the armed boundary: what `passdown sandbox` and `resume --sandbox` share."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from passdown.agents.codex.keys import named_keys
from passdown.agents.codex.state import STATE as CODEX
from passdown.cli.confined import Confined, Wishes
from passdown.cli.fresh_sandbox import asked_from_inside, environment
from passdown.cli.in_force_here import here_in_force
from passdown.cli.output import aside, plain, say
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.sandbox import SOCKET, bubblewrap, landlock, planted
from passdown.sandbox.broker import Desk, Parent
from passdown.sandbox.compile import STATES, Wish, compile_plan
from passdown.sandbox.environment import variables

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.sandbox.messages import Kept


def prepared(context: Context, command: Sequence[str], wishes: Wishes) -> Confined:
    """Compile it; nothing is run."""
    if Path(SOCKET).exists():
        raise PassdownError("this is a sandbox already", "type the command without `passdown sandbox --`")
    task = context.need_task()
    force = here_in_force(context, task)
    if force is None:
        raise PassdownError("no boundary is armed here", "passdown resume arms one", EXIT_UNDECIDED)
    write = [os.path.realpath(os.path.expanduser(path)) for path in wishes.write]  # noqa: PTH111 - as it is mounted
    wishes = structs.replace(wishes, write=tuple(write))
    wish = Wish(os.environ, tuple(context.policy.derived), wishes.ssh, command[0], write)
    plan = compile_plan(context.place, force.boundary, wish)
    keys = [key for state in STATES for key in state.keys]
    keys += named_keys(Path(CODEX.at(os.environ, os.path.expanduser("~"))))  # noqa: PTH111 - never fails
    given = variables(os.environ, keys, wishes.keep_env, ssh=wishes.ssh, opened=write)
    return Confined(
        command,
        wishes,
        title=task.title,
        task=task.id,
        boundary=force.boundary,
        plan=plan,
        given=given,
        support=bubblewrap.support(),
        landlock=landlock.support(),
    )


def refuse_missing(confined: Confined) -> None:
    """PassdownError with the remedy where it cannot be confined and nobody said --advisory."""
    if confined.missing and not confined.wishes.advisory:
        hint = " ".join(
            filter(None, (confined.support.remedy.replace("\n", " "), "Or unconfined where it must be: --advisory"))
        )
        raise PassdownError(f"cannot confine: {'; '.join(confined.missing)}", hint, EXIT_UNDECIDED)


def tell(context: Context, confined: Confined, *, answer: bool = False) -> None:
    """Say what it sees and what not, in a few lines; ``answer``: that is what was asked for, so all of it."""
    from passdown.cli.sandbox_screen import block, brief

    head = f"{plain(confined.title)}   boundary version {confined.boundary.version}"
    for line in [head, *(block if answer else brief)(confined, context.place)]:
        (say if answer else aside)(line)


def start(context: Context, confined: Confined, cwd: str) -> int:
    """Run it to its end, and say in the record that it was confined; the command's exit code."""
    from passdown.sandbox.run import Job, run_by_landlock, run_confined

    name = os.urandom(8).hex()
    job = Job(list(confined.command), cwd, confined.given.given)
    if confined.missing:
        _beat(context, confined, {"event": "began", "state": "advisory", "sandbox": name})
        code = run_by_landlock(confined.plan, job)
        _beat(context, confined, {"event": "ended", "state": "advisory", "sandbox": name, "exit": code})
        return code
    if asked_from_inside():
        return run_confined(confined.plan, job, confined.support)[0]
    _beat(context, confined, {"event": "began", "state": "enforcing", "sandbox": name})
    common = os.fspath(context.place.common_dir)
    links = planted.links(common)
    parent = _parent(context, confined) if Path(SOCKET).parents[1].is_dir() else None
    code, desk = run_confined(confined.plan, job, confined.support, parent)
    gone = planted.remove(common, links)
    about: dict[str, str | int] = {"event": "ended", "state": "enforcing", "sandbox": name, "exit": code}
    _beat(context, confined, about | {"planted": len(gone)} | _counts(desk))
    for path in gone:
        aside(f"Taken away: .git/{plain(path)}, a symbolic link from inside that git would write through.")
    if desk is not None and desk.dropped:
        aside(f"Left out: {desk.dropped} messages from inside that were malformed, too long or too many.")
    return code


def _counts(desk: Desk | None) -> dict[str, str | int]:
    return {"kept": desk.kept, "dropped": desk.dropped} if desk is not None else {}


def _beat(context: Context, confined: Confined, data: dict[str, str | int]) -> None:
    from passdown.cli.folder import instant

    about: dict[str, str | int | None] = {
        "program": Path(confined.command[0]).name[:60],
        "boundary": confined.boundary.digest,
        "worktree": context.place.worktree_id,
        **({"write": " ".join(confined.wishes.write)[:2000]} if confined.wishes.write else {}),
        **data,
    }
    context.recorder.fact("sandbox", about, task=confined.task, at=instant())


def _parent(context: Context, confined: Confined) -> Parent:
    from passdown.cli.folder import instant
    from passdown.sandbox.messages import Touched

    recorder = context.recorder

    def keep(line: Kept) -> None:
        said = {name: value for name in Touched.__struct_fields__ if (value := getattr(line.data, name))}
        recorder.fact(line.kind, {**said, "observed_by": "agent-side"}, task=confined.task, at=instant())

    return Parent(
        worker=[sys.executable, "-P", "-m", "passdown.cli.asked_inside"],
        cwd=str(context.place.root),
        env=environment(confined.wishes.options(), confined.plan.of("writable")),
        keep=keep,
    )
