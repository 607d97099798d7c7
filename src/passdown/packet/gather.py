"""The one edge: worktree, records, checks and session become the values that a packet is made of."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from passdown.checks.integrity import found as integrity
from passdown.checks.tree import TreeView
from passdown.model.event import Record, Resumed
from passdown.model.packet import Packet
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.packet import left_behind, parsing
from passdown.packet.acceptance import FEATURES
from passdown.packet.ask import Ask, Records
from passdown.packet.base_branch import base_of
from passdown.packet.first_seen import first_seen
from passdown.packet.now import LINK_LIMIT, checks_of, path_changes, trusted, view_of
from passdown.packet.outside_notes import outside_notes
from passdown.packet.sources import Broken, Sources, Start
from passdown.packet.start import merged_in, start_of
from passdown.packet.stretch import after, sealed_through
from passdown.packet.traceback import tracebacks
from passdown.packet.writers import Known
from passdown.rules.asked_items import AskedItem, features, of_this_task
from passdown.rules.changes import SYMLINK
from passdown.rules.fold import fold, same_task
from passdown.rules.installed import init_wrote
from passdown.rules.task import Stated, TaskView, binding
from passdown.workspace import diff, history
from passdown.workspace.diff import Change
from passdown.workspace.place import Place
from passdown.workspace.together import changed_together

COCHANGE_FILES = 20
PARSED = 1000


class _Ground(Struct, frozen=True):
    """What several parts read: the worktree, its tree, all records."""

    place: Place
    view: TreeView
    records: Sequence[Record]
    policy: Policy
    ask: Ask


class _Story(Struct, frozen=True):
    """The task at this spot, what of the session is sealed already, and what the run resumed from.

    ``again``: the run of the previous packet, told once more: nothing ran and nothing changed since.
    """

    task: TaskView | None
    after: int
    stretch: SessionFacts | None
    resumed: Stated[Resumed] | None
    again: Packet | None = None

    @property
    def previous(self) -> Stated[Packet] | None:
        return self.task.latest if self.task is not None else None

    @property
    def run_id(self) -> str:
        """The run's id; a new one where it has none yet."""
        if self.again is not None:
            return self.again.run.id
        return self.resumed.body.run if self.resumed is not None else os.urandom(8).hex()

    @property
    def begun(self) -> TaskView | None:
        """The task as it was when the run began: a packet of the run itself is no start of it."""
        if self.task is None or self.again is None:
            return self.task
        earlier = [packet for packet in self.task.packets if packet.body.run.id != self.again.run.id]
        return replace(self.task, packets=earlier)


def _story(ground: _Ground) -> _Story:
    tasks, facts = fold(ground.records, trusted(ground.place, ground.ask)), ground.ask.facts
    spot = (ground.place.worktree_id, ground.place.branch)
    task = same_task(tasks, *spot)
    sealed = sealed_through(tasks.values(), facts.session) if facts is not None else -1
    previous = task.latest if task is not None else None
    resumes = [r for r in (task.resumes if task is not None else []) if (r.body.worktree_id, r.body.branch) == spot]
    resumed = resumes[-1] if resumes and (previous is None or resumes[-1].order > previous.order) else None
    again = _again(ground, previous.body, sealed) if previous is not None and resumed is None else None
    if again is not None:
        sealed = again.run.from_ if again.run.from_ is not None else -1
        resumed = next((r for r in resumes if r.body.run == again.run.id), None)
    return _Story(task, sealed, after(facts, sealed) if facts is not None else None, resumed, again)


def _again(ground: _Ground, previous: Packet, sealed: int) -> Packet | None:
    """The previous packet, where all is as it sealed it; ``sealed``: the session's last record that is in a packet."""
    place, facts, at = ground.place, ground.ask.facts, previous.place
    here = (place.worktree_id, place.branch, place.head, ground.ask.snapshot.tree)
    if (at.worktree_id, at.branch, at.head, at.tree) != here:
        return None
    session, last = (facts.session, facts.input.records - 1) if facts is not None else (None, -1)
    return previous if session == previous.run.session and last <= sealed else None


def gather(place: Place, recorder: Records, policy: Policy, ask: Ask) -> Sources:
    """Read everything once; nothing is written or run."""
    ground = _Ground(place, view_of(place, ask), recorder.records(), policy, ask)
    story = _story(ground)
    task, stretch, facts = story.task, story.stretch, ask.facts
    base = base_of(place, policy.base)
    start = start_of(place, base, story.begun, story.resumed, stretch, first=first_seen(recorder, place, facts))
    differs = _changes(ground, start)
    changes, merged = merged_in(place, base, start, differs)
    written = _written(stretch, place) if stretch is not None else {}
    left = outside_notes(ground.view, base.commit or _first_base(task, start, place), facts, task)
    broken, parses = _parse(ground.view, changes, {*written, *_open_paths(task)})
    return Sources(
        ask=ask, place=place, policy=policy,
        task_id=task.id if task is not None else os.urandom(8).hex(),
        run_id=story.run_id,
        task=task, facts=facts, stretch=stretch, after=story.after,
        previous=story.previous, resumed=story.resumed, again=story.again is not None,
        in_force=binding(task, (place.worktree_id, place.branch), ask.now) if task is not None else None,
        start=start,
        base=base.commit or _first_base(task, start, place),
        base_tip=base.tip, base_because=base.because,
        changes=path_changes(place, changes),
        paths=ground.view.entries.keys(),
        links=_links(ground.view),
        checks=checks_of(ground.view, ground.policy, ground.records, ask, facts),
        broken=broken, parses=parses,
        features=_features(ground, base.commit or _first_base(task, start, place), task),
        told=left.told, unread=left.unread,
        rules=tuple(left_behind.rules(ground.view.text, ground.view.entries)),
        on_remote=history.on_remote(place, place.head) if place.head else None,
        merged=merged,
        tests=integrity.found(ground.view, policy, ground.records, facts, trusted(place, ask)),
        written=written,
        known=_known(place, stretch, written, changes),
        together=_together(place, changes, ground.view),
        spaced=_spaced(ground, story, start, changes),
        put_back=_put_back(story, written, differs, ground.view),
        bypassed=_bypassed(recorder, task),
        tracebacks=tracebacks(ground.records, facts, ground.view.entries, str(place.root)),
    )  # fmt: skip


def _bypassed(recorder: Records, task: TaskView | None) -> frozenset[str]:
    """Paths, as records name them, that the guard had denied to a run of the task and that changed all the same."""
    found = recorder.facts(task=task.id, kind="bypass") if task is not None and task.in_force else ()
    return frozenset(str(fact.data.get("path")) for fact in found)


def _features(ground: _Ground, base: str | None, task: TaskView | None) -> list[AskedItem]:
    """What the feature lists of the base and the worktree ask of this task."""
    before = features(diff.read_path(ground.place, base, FEATURES) or b"") if base else []
    now = features(ground.view.read(FEATURES) or b"")
    requests = ground.ask.facts.requests if ground.ask.facts is not None and (before or now) else []
    said = [request.text for request in requests]
    said += [ground.ask.goal or "", task.goal.text if task is not None and task.goal is not None else ""]
    return of_this_task(before, now, said)


def _changes(ground: _Ground, start: Start) -> list[Change]:
    """What differs since the start, without what `passdown init` wrote as it wrote it."""
    ours = init_wrote(ground.records, ground.place.worktree_id)
    found = diff.tree_diff(ground.place, start.compared, _now(start, ground.ask), counts=True)
    return [change for change in found if (change.path, change.new_blob) not in ours]


def _spaced(ground: _Ground, story: _Story, start: Start, changes: Sequence[Change]) -> frozenset[str]:
    if story.resumed is None:
        return frozenset()
    return frozenset(diff.spaced(ground.place, start.compared, _now(start, ground.ask), changes))


def _put_back(
    story: _Story, written: Mapping[str, object], differs: Sequence[Change], view: TreeView
) -> tuple[str, ...]:
    """What a resumed run wrote and left as it had been; ignored files and what came and went are not known."""
    if story.resumed is None:
        return ()
    changed = {change.path for change in differs}
    return tuple(sorted(path for path in written if path in view.entries and path not in changed))


def _open_paths(task: TaskView | None) -> set[str]:
    return {path for item in (task.items if task is not None else []) for path in item.paths}


def _now(start: Start, ask: Ask) -> str:
    """The tree to compare: a commit is compared with what git would commit, a raw tree with the raw tree."""
    is_commit = start.treeish in (None, start.commit)
    return (ask.snapshot.commit_tree or ask.snapshot.tree) if is_commit else ask.snapshot.tree


def _first_base(task: TaskView | None, start: Start, place: Place) -> str | None:
    """Where no base branch is: the start of the task's first run, else HEAD."""
    first = task.packets[0].body.place.base if task is not None and task.packets else None
    opened = task.opened.body.head if task is not None and task.opened is not None else None
    return first or opened or start.commit or place.head


def _links(view: TreeView) -> Mapping[str, str]:
    links = {path: blob for path, (mode, blob) in view.entries.items() if mode == SYMLINK}
    return {path: os.fsdecode(diff.read_blob(view.place, blob, LINK_LIMIT)) for path, blob in links.items()}


def _parse(view: TreeView, changes: Sequence[Change], first: Collection[str]) -> tuple[list[Broken], frozenset[str]]:
    """Changed files that do not parse and did before (or are new), and every file that does parse.

    Of very many files those of ``first`` are looked at, then the others in their order.
    """
    told = [c for c in changes if c.status != "deleted" and c.new_mode != SYMLINK and parsing.told(c.path)]
    told = sorted(told, key=lambda change: change.path not in first)[:PARSED]
    view.load(change.path for change in told)
    found, fine = [], set()
    for change in told:
        now = view.read(change.path)
        if now is None:
            continue
        fault = parsing.broken(change.path, now, partial(_before, view, change))
        if fault is None:
            fine.add(change.path)
        else:
            found.append(fault)
    return sorted(found, key=lambda fault: fault.path), frozenset(fine)


def _before(view: TreeView, change: Change) -> bytes | None:
    return diff.read_blob(view.place, change.old_blob) if change.old_blob else None


def _together(place: Place, changes: Sequence[Change], view: TreeView) -> Mapping[str, Sequence[str]]:
    """Files of the tree that often change with the run's; a large change asks nothing."""
    paths = [change.path for change in changes if change.old_blob]
    if not 0 < len(paths) <= COCHANGE_FILES:
        return {}
    found = changed_together(place, paths)
    return {path: [other for other in others if other in view.entries] for path, others in found.items()}


def _known(
    place: Place, stretch: SessionFacts | None, written: Mapping[str, tuple[str, ...]], changes: Sequence[Change]
) -> Known | None:
    if stretch is None:
        return None
    times = {}
    for path in (change.path for change in changes if change.status != "deleted"):
        with suppress(OSError):
            times[path] = (place.root / path).lstat().st_mtime
    return Known(stretch, written, times, partial(repository_path, place=place, cwd=None))


def _written(facts: SessionFacts, place: Place) -> Mapping[str, tuple[str, ...]]:
    """Repository path -> how the session wrote it, in the order of the last write."""
    found: dict[str, list[str]] = defaultdict(list)
    for write in facts.writes:
        if write.ok is False:
            continue
        for name in filter(None, (write.path, write.to)):
            path = repository_path(name, place, facts.cwd)
            ways = found.pop(path, [])
            found[path] = [*ways, "subagent" if write.subagent else write.via]
    return {path: tuple(ways) for path, ways in found.items()}


def repository_path(name: str, place: Place, cwd: str | None) -> str:
    """A path of a transcript as the repository names it; one that lies elsewhere stays absolute."""
    root = str(place.root)
    whole = os.path.normpath(os.path.join(cwd or root, name))  # noqa: PTH118 - the text may be no path of this machine
    if not whole.startswith(root + "/"):
        folder, last = os.path.split(whole)
        whole = os.path.join(os.path.realpath(folder), last)  # noqa: PTH118 - as above
    return whole.removeprefix(root + "/")
