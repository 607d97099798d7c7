"""What a task did to tests, expected values and the configuration of checks: read, compared, bound to digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct

from passdown.checks.integrity.origin import Origin, origin_of, theirs
from passdown.checks.tree import TreeView
from passdown.errors import PassdownError
from passdown.model.event import Record
from passdown.model.integrity import IntegrityChange
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.rules.fold import fold, same_task
from passdown.rules.integrity.paths import concerns
from passdown.rules.redact import Redactor
from passdown.rules.task import TaskView
from passdown.rules.trust import Trust
from passdown.workspace.diff import Change, tree_diff
from passdown.workspace.history import commit_tree_of

_LINKS = frozenset({"120000", "160000"})


class Found(Struct, frozen=True):
    """``entries`` worst first; ``fault``: why the two trees could not be compared, "" where they were."""

    entries: Sequence[IntegrityChange] = ()
    since: str = ""
    because: str = ""
    fault: str = ""


def found(
    view: TreeView,
    policy: Policy,
    records: Sequence[Record],
    facts: SessionFacts | None,
    trust: Trust,
    *,
    clean_since: str | None = None,
) -> Found:
    """What this worktree's task did since it began; read once for each view.

    ``clean_since``: the origin since which this very tree is known to change nothing that counts.
    """
    session = facts.session if facts is not None else None
    tasks = partial(fold, records, trust)
    return view.once(("integrity", session), lambda: _found(view, policy, tasks(), facts, clean_since))


def _found(
    view: TreeView, policy: Policy, tasks: Mapping[str, TaskView], facts: SessionFacts | None, clean_since: str | None
) -> Found:
    task = same_task(tasks, view.place.worktree_id, view.place.branch)
    origin = origin_of(view.place, policy, tasks, task, facts)
    if clean_since is not None and clean_since == origin.treeish:
        return Found((), origin.treeish, origin.because)
    try:
        changes = _changes(view, origin)
        if not any(concerns(c.path) for c in changes):
            return Found((), origin.treeish, origin.because)
        base = theirs(view.place, policy, origin)
        from passdown.checks.integrity.compare import Changed, compared, entry  # noqa: PLC0415 - where files changed

        paths = [Changed(c.path, base.get(c.path, c.old_blob), c.new_blob) for c in changes]
        told = compared(view, [c for c in paths if c.old != c.new])
    except PassdownError as error:
        return Found((), origin.treeish, origin.because, error.message)
    redactor = Redactor(policy.redact_extra)
    accepted = task.tests_accepted if task is not None else {}
    return Found([entry(f, redactor, accepted) for f in told], origin.treeish, origin.because)


def _changes(view: TreeView, origin: Origin) -> list[Change]:
    """A commit is compared with what git would commit, a raw tree with the raw tree."""
    is_commit = bool(origin.treeish) and commit_tree_of(view.place, origin.treeish) != origin.treeish
    now = (view.committed or view.tree) if is_commit else view.tree
    changes = view.once(("diff", origin.treeish, now), lambda: tree_diff(view.place, origin.treeish, now))
    return [c for c in changes if not {c.old_mode, c.new_mode} & _LINKS]
