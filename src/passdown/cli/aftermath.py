"""What git's history shows of the record's work since: merged, taken back, its branch gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.rules.instants import seconds
from passdown.rules.measures.inferred import Became, ended
from passdown.workspace import history, lineage
from passdown.workspace.lineage import Trace, Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from passdown.cli.context import Context
    from passdown.rules.measures.account import Account, Last, Run
    from passdown.workspace.lineage import Undone


def as_git_shows(context: Context, found: Mapping[str, Account]) -> dict[str, Account]:
    """The accounts with the ends that the base branch shows of what nobody closed, and the runs that were undone."""
    resumed = {name: account for name, account in found.items() if account.runs}
    closed = {name: ended(found[name], became) for name, became in _became(context, resumed).items()}
    known = {**resumed, **closed}
    undone = _undone(context, (run for account in known.values() for run in account.runs))
    taken = {name: _taken_back(one, undone) for name, one in known.items() if undone}
    return {**found, **closed, **taken}


def _taken_back(account: Account, undone: Mapping[str, Undone]) -> Account:
    """What the record says of a run's end stands over what git's history shows."""
    if not any(run.id in undone and run.undone is None for run in account.runs):
        return account
    return replace(account, runs=[_undone_run(run, undone.get(run.id)) for run in account.runs])


def _undone_run(run: Run, by: Undone | None) -> Run:
    return run if by is None or run.undone is not None else replace(run, undone=(seconds(by.at), by.how))


def _undone(context: Context, runs: Iterable[Run]) -> dict[str, Undone]:
    """Run -> how its work was taken back, for runs of this repository."""
    works = [
        Work(run.id, run.change.before, run.change.after, run.change.over)
        for run in runs
        if run.change is not None and run.change.repository == context.place.repository
    ]
    traces = _find(context, works, [context.place.head, _base(context)]) if works else {}
    return {name: trace.undone for name, trace in traces.items() if trace.undone is not None}


def _became(context: Context, resumed: Mapping[str, Account]) -> dict[str, Became]:
    """What became of the work of each task that nobody closed, in the base branch."""
    asked = {name: account.last for name, account in resumed.items() if account.last is not None}
    names = _base_names(context) if asked else ("", "")
    works = [work for name, last in asked.items() if (work := _of_task(context, name, last, names)) is not None]
    traces = _find(context, works, [_base(context)]) if works else {}
    return {work.name: _told(context, asked[work.name], traces.get(work.name)) for work in works}


def _told(context: Context, last: Last, trace: Trace | None) -> Became:
    gone = last.branch is not None and history.resolve(context.place, f"refs/heads/{last.branch}") is None
    if trace is None:
        return Became(branch_gone=gone)
    return Became(merged=trace.at, undone=trace.undone.at if trace.undone is not None else None, branch_gone=gone)


def _base(context: Context) -> str | None:
    """The base branch's tip; None where the work is done on it, or nothing names one."""
    return history.base_tip(context.place, _configured(context))[0]


def _configured(context: Context) -> str | None:
    """The base branch as the policy names it, read without all tasks: where one of them began is no matter here."""
    from passdown.checks.policy import find_policy

    return find_policy(context.place, context.place.head, strict=False)[0].base


def _find(context: Context, works: Sequence[Work], tips: Sequence[str | None]) -> dict[str, Trace]:
    known = [tip for tip in dict.fromkeys(tips) if tip is not None]
    return lineage.find(context.place, works, known) if works and known else {}


def _of_task(context: Context, name: str, last: Last, names: tuple[str, str]) -> Work | None:
    """From the base to the last packet, where the work was done beside the base branch (``names``)."""
    if last.repository != context.place.repository or last.base is None or last.branch in names:
        return None
    before = history.commit_tree_of(context.place, last.base)
    return Work(name, before, last.tree, last.base) if before is not None and before != last.tree else None


def _base_names(context: Context) -> tuple[str, str]:
    """The base branch as it is called here and, of a remote's, there."""
    name = history.base_tip(context.place, _configured(context))[1]
    return name, name.partition("/")[2]
