"""What a pull request says now, into the record: reviewers' remarks, CI's results, what is asked for, and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from passdown.forge.foreign import cut
from passdown.forge.people import runners
from passdown.forge.publish import viewer
from passdown.forge.remarks import remarks_of_threads, requests_of, same, threads_of
from passdown.forge.results import checks_of
from passdown.model.forge import ForgeAsked, ForgeRead
from passdown.rules.asked_items import asked_items
from passdown.workspace import diff, history

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passdown.cli.context import Context
    from passdown.forge.client import Github
    from passdown.forge.remarks import Changed, Issue
    from passdown.forge.shapes import Pull
    from passdown.rules.task import TaskView

_SOURCE = 120


class Seen(Struct):
    """One reading. ``new``: it says something else than the one before; ``ran``: accounts of who ran the agent."""

    read: ForgeRead
    ran: frozenset[str]
    new: bool = False


def read_pull(context: Context, hub: Github, pull: Pull, task: TaskView) -> Seen:
    """Read it all, then record it in one statement: a reading that breaks off leaves nothing half done."""
    packers = [stated.body.run.by for stated in task.packets]
    ran = runners(hub, pull, packers, context.me, viewer(hub))
    threads, issues = threads_of(hub, pull.number)
    read = ForgeRead(
        task=task.id,
        url=pull.html_url,
        head=pull.head.sha,
        branch=context.place.branch,
        remarks=[*remarks_of_threads(threads, ran, _changed(context)), *requests_of(hub, pull)],
        checks=checks_of(hub, pull.head.sha),
        asked=list(_asked(pull, issues)),
    )
    read = context.redactor.value(read)
    new = task.forge is None or not same(read, task.forge.body)
    if new:
        context.recorder.append(read, task=task.id, at=context.now)
        context.forget()
    return Seen(read, ran, new)


def _changed(context: Context) -> Changed:
    """Whether a file of this worktree, as git would commit it, is other than in a commit."""
    place, now = context.place, context.snapshot.commit_tree

    def changed(path: str, commit: str) -> bool | None:
        here = history.resolve(place, commit) if commit else None
        if here is None or now is None:
            return None
        return diff.read_path(place, here, path) != diff.read_path(place, now, path)

    return changed


def _asked(pull: Pull, issues: list[Issue]) -> Iterator[ForgeAsked]:
    """Checkboxes and numbered entries of the pull request's text and of the issues that it closes."""
    for source, body in [(pull.html_url, pull.body or ""), *((issue.url, issue.body) for issue in issues)]:
        for item in asked_items(body):
            yield ForgeAsked(text=cut(item.text, 300), source=cut(source, _SOURCE), ticked=item.ticked)
