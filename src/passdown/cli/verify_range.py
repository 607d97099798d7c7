"""Which changes `verify` judges: since this spot's run began, or the commits of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from passdown.cli.spot import spot_of
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.guard.lineage import Start, Upstream
from passdown.guard.work import Stretch, Work, since
from passdown.rules.installed import init_wrote, installed
from passdown.workspace import history
from passdown.workspace.refs import BY_HABIT, remote_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from passdown.cli.context import Context
    from passdown.model.event import GuardInstalled, Resumed, TaskOpened
    from passdown.rules.task import InForce, Stated, TaskView


def work_here(context: Context, task: TaskView, force: InForce) -> Work:
    """The work since this boundary's spot was opened or resumed; renewing a resume does not move its start."""
    spot = spot_of(context.place, context.tasks)
    resumed = [r.body for r in task.resumes if (r.body.worktree_id, r.body.branch) == spot]
    records = context.recorder.records(type="guard-installed")
    found, ours = installed(records, spot[0]), init_wrote(records, spot[0])
    if resumed:
        start = _start(next(r for r in task.resumes if r.body.run == resumed[-1].run), found)
    elif task.opened is not None:
        start = _start(task.opened, found)
    elif task.latest is not None:
        start = Start(task.latest.body.place.tree, task.latest.body.place.head)
    else:
        raise PassdownError("where this work began is not recorded", force.record, EXIT_UNDECIDED)
    work = since(context.place, start, context.snapshot, upstream(context))
    return structs.replace(work, stretches=[_without(ours, stretch) for stretch in work.stretches])


def _start(
    stated: Stated[Resumed] | Stated[TaskOpened], inits: Sequence[tuple[tuple[int, str, int], GuardInstalled]]
) -> Start:
    """Where it began; what `passdown init` changed since counts as if it had been so."""
    body = stated.body
    control = dict(body.control)
    for _, since_then in (each for each in inits if each[0] > stated.order):
        before, after = since_then.before, since_then.after
        for name in before.keys() | after.keys():
            if control.get(name) == before.get(name):
                control.pop(name, None)
                control |= {name: after[name]} if name in after else {}
    return Start(body.tree, body.head, body.moves, body.upstream, control)


def _without(ours: Collection[tuple[str, str]], stretch: Stretch) -> Stretch:
    """Without the settings files that `passdown init` wrote, as it wrote them."""
    return structs.replace(stretch, changes=[c for c in stretch.changes if (c.path, c.new_blob) not in ours])


def upstream(context: Context) -> Upstream:
    """The tips of the base branch (named by the policy, the remote or by habit), where this branch is not it."""
    place, remote = context.place, remote_name(context.place)
    names = [context.policy.base] if context.policy.base else [*BY_HABIT]
    there = [f"refs/remotes/{remote}/{name}" for name in ["HEAD", *names]] if remote else []
    here = [] if spot_of(place, context.tasks)[1] in names else [f"refs/heads/{name}" for name in names]

    def tips(refs: list[str]) -> list[str]:
        return [commit for ref in refs if (commit := history.resolve(place, ref)) is not None]

    return Upstream(tips(there), tips(here))


def known_tips(tips: Upstream) -> list[str]:
    """All of them, each once: what a start records."""
    return sorted({*tips.remote, *tips.local})


def commits_of(context: Context, text: str) -> tuple[str, str]:
    """The two commits of ``BASE..HEAD``; PassdownError where one is not here."""
    base, dots, head = text.partition("..")
    if not dots:
        raise PassdownError(f"{text!r} is no range", "BASE..HEAD, for example: passdown verify main..HEAD")
    return _commit(context, base or "HEAD"), _commit(context, head.lstrip(".") or "HEAD")


def _commit(context: Context, name: str) -> str:
    found = history.resolve(context.place, name)
    if found is None:
        shallow = (context.place.common_dir / "shallow").exists()
        remote = remote_name(context.place)
        known = (
            f"git fetch {remote} {name.removeprefix(f'{remote}/')}"
            if remote
            else "git branch -a lists those that are here"
        )
        hint = "this clone is shallow: git fetch --unshallow" if shallow else known
        raise PassdownError(f"{name!r} names no commit here", hint, EXIT_UNDECIDED)
    return found
