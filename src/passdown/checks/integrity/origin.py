"""What the tests of a task are compared with: where the task began, and what others changed meanwhile."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.rules.task import TaskView
from passdown.workspace import history
from passdown.workspace.diff import tree_diff
from passdown.workspace.place import Place

_CHAIN = 50


class Origin(Struct, frozen=True):
    """``treeish`` ("": nothing, no commit yet); ``commit``: the commit it stands on, None: not known."""

    treeish: str
    commit: str | None
    because: str


def origin_of(
    place: Place, policy: Policy, tasks: Mapping[str, TaskView], task: TaskView | None, facts: SessionFacts | None
) -> Origin:
    """The start of the task's first run, through the plans that it replaced; without a task the base, else HEAD."""
    if task is not None:
        found = _of_task(task, tasks)
        if found is not None:
            return found
    if facts is not None and facts.started:
        commit = history.head_at(place, facts.started)
        if commit is not None:
            return Origin(commit, commit, "HEAD when the session began")
    commit, because = history.base(place, policy.base)
    return Origin(commit or place.head or "", commit or place.head, because if commit else "HEAD")


def _of_task(task: TaskView, tasks: Mapping[str, TaskView]) -> Origin | None:
    for _ in range(_CHAIN):
        before = task.opened.body.from_packet if task.opened is not None else None
        older = next((t for t in tasks.values() if before and any(p.id == before for p in t.packets)), None)
        if older is None or older is task:
            break
        task = older
    if task.opened is not None:
        body = task.opened.body
        return Origin(body.tree, body.head, "where the task was started")
    if not task.packets:
        return None
    place = task.packets[0].body.place
    known = place.start or place.base or place.head or ""
    return Origin(known, place.head if place.start else known or None, "where the task's first run began")


def theirs(place: Place, policy: Policy, origin: Origin) -> Mapping[str, str]:
    """Paths that the base branch changed and that a merge or rebase brought since: path -> the base's blob.

    What differs from those is the task's own (case H7).
    """
    if place.head is None or origin.commit is None or origin.commit == place.head:
        return {}
    tip, _ = history.base_tip(place, policy.base)
    if tip is None:
        return {}
    before = history.merge_base(place, tip, origin.commit)
    now = history.merge_base(place, tip, place.head)
    if now is None or before == now:
        return {}
    return {c.path: c.new_blob for c in tree_diff(place, before or "", now)}
