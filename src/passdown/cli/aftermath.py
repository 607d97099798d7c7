"""What git's history shows of the record's work since: merged, taken back, its branch gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from passdown.rules.measures.inferred import Became, inferred
from passdown.workspace import history, lineage
from passdown.workspace.lineage import Trace, Work

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet
    from passdown.rules.measures.runs import ResumedRun
    from passdown.rules.measures.trail import Trail
    from passdown.rules.task import Stated


def undone_runs(context: Context, found: Mapping[str, Trail], runs: Sequence[ResumedRun]) -> dict[str, tuple[str, str]]:
    """Run -> (when, how) its work was taken back, for runs of this repository."""
    works = [work for run in runs if (work := _of_run(context, found[run.task], run)) is not None]
    traces = _find(context, works, [context.place.head, _base(context)]) if works else {}
    return {name: (trace.undone.at, trace.undone.how) for name, trace in traces.items() if trace.undone is not None}


def infer_ends(context: Context, found: Mapping[str, Trail], tasks: Sequence[str]) -> bool:
    """Give each of these tasks that nobody closed the end that the base branch shows; whether any got one."""
    asked = [found[name] for name in dict.fromkeys(tasks) if found[name].closed is None and found[name].packets]
    names = _base_names(context) if asked else ("", "")
    works = {trail.id: work for trail in asked if (work := _of_task(context, trail, names)) is not None}
    if not works:
        return False
    traces = _find(context, list(works.values()), [_base(context)])
    for name in works:
        trail = found[name]
        trail.closed = inferred(trail, _became(context, trail.packets[-1].body, traces.get(name)))
    return any(found[name].closed is not None for name in works)


def _became(context: Context, packet: Packet, trace: Trace | None) -> Became:
    branch = packet.place.branch
    gone = branch is not None and history.resolve(context.place, f"refs/heads/{branch}") is None
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


def _of_run(context: Context, trail: Trail, run: ResumedRun) -> Work | None:
    """From the resume to the run's last packet, as git would commit both where both are known."""
    last = next((packet for packet in reversed(trail.packets) if packet.body.run.id == run.id), None)
    begun = next((resumed.body for resumed in trail.resumes if resumed.body.run == run.id), None)
    if last is None or begun is None or not _here(context, last):
        return None
    place = last.body.place
    committed = begun.commit_tree is not None and place.commit_tree is not None
    before, after = (begun.commit_tree, place.commit_tree) if committed else (begun.tree, place.tree)
    return Work(run.id, before or "", after or "", begun.head) if before != after else None


def _of_task(context: Context, trail: Trail, names: tuple[str, str]) -> Work | None:
    """From the base to the last packet, where the work was done beside the base branch (``names``)."""
    last = trail.packets[-1]
    place = last.body.place
    if not _here(context, last) or place.base is None or place.branch in names:
        return None
    before = history.commit_tree_of(context.place, place.base)
    after = place.commit_tree or place.tree
    return Work(trail.id, before, after, place.base) if before is not None and before != after else None


def _here(context: Context, packet: Stated[Packet]) -> bool:
    return packet.body.place.repository == context.place.repository


def _base_names(context: Context) -> tuple[str, str]:
    """The base branch as it is called here and, of a remote's, there."""
    name = history.base_tip(context.place, _configured(context))[1]
    return name, name.partition("/")[2]
