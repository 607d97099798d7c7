"""What changed outside the boundary and nobody has judged: in earlier runs, and while no run was open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct, field, structs

from passdown.errors import PassdownError
from passdown.guard.judge_work import judge_work
from passdown.guard.lineage import Line, Start, Upstream, read_line
from passdown.guard.work import Stretch, Work
from passdown.model.boundary import Boundary, Budget
from passdown.model.event import Lifted, Resumed, TaskOpened, Verdict
from passdown.model.packet import Packet
from passdown.model.paths import from_wire, printable
from passdown.model.policy import Derived
from passdown.rules.decide import Asked
from passdown.rules.leftovers import leftover
from passdown.rules.task import Stated, TaskView
from passdown.workspace import diff, history
from passdown.workspace.diff import Change
from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot

_NOT_BY_NAME = ("symlink", "same-name", "gitlink")


class Stray(Struct, frozen=True):
    """One path that changed outside: by which rule, ``where`` that was, whether a run was open then.

    ``added``/``removed`` lines, None: binary or not counted. ``bypassed``: the guard had denied it.
    """

    path: str
    rule: str
    because: str
    where: str
    in_run: bool
    added: int | None = None
    removed: int | None = None
    bypassed: bool = False


class Unjudged(Struct, frozen=True):
    """``strays`` lie outside and still stand; ``inside``: paths that moved inside in no run, by where that was."""

    strays: list[Stray] = field(default_factory=list)
    inside: dict[str, list[str]] = field(default_factory=dict)


class Now(Struct, frozen=True):
    """The worktree and the base branch's tips (asked for where a gap has commits) as they are; generated paths.

    ``ours``: (path, blob) of what `passdown init` wrote.
    """

    place: Place
    snapshot: Snapshot
    upstream: Callable[[], Upstream] = Upstream
    derived: Sequence[Derived] = ()
    ours: Collection[tuple[str, str]] = ()


def unjudged(now: Now, task: TaskView) -> Unjudged:
    """What stands outside without a person's answer to it; what was undone, or answered as it is, is left out."""
    found, inside = _Found(now, task), {}
    for resumed in first_resumes(task):
        was = _packet(task, resumed.body.packet)
        if was is not None:
            where = f"between {was.id[:7]} and its resume"
            inside[where] = found.gap(was.body, _there(now.place, resumed.body), resumed, where)
    latest = task.latest
    if latest is not None and task.open_run() is None:
        where = f"since {latest.id[:7]} was sealed"
        boundary = task.next_boundary() or latest.body.boundary
        here = _End(now.place, now.snapshot.tree, now.snapshot.commit_tree, boundary)
        inside[where] = found.gap(latest.body, here, None, where)
    began = task.open_run() or (task.opened if latest is None else None)
    if began is not None:
        here = _End(now.place, now.snapshot.tree, now.snapshot.commit_tree, began.body.boundary)
        found.taken_back(began, here, "in this run", began.order)
    found.in_runs()
    return Unjudged(found.standing(), {where: paths for where, paths in inside.items() if paths})


def let_stand(now: Now, task: TaskView) -> dict[str, str]:
    """Paths as shown that a person let stand outside with the content that they have now, and who that was."""
    found, said = _Found(now, task), _said(task)
    return {name: s.body.by for s in said for name in s.body.accepted if s.body.tree and found.same(s.body.tree, name)}


def first_resumes(task: TaskView) -> list[Stated[Resumed]]:
    """The record that began each resumed run; renewing one begins nothing."""
    found: dict[str, Stated[Resumed]] = {}
    for resumed in task.resumes:
        found.setdefault(resumed.body.run, resumed)
    return list(found.values())


class _End(Struct, frozen=True):
    """Where a gap ends: the place with HEAD as it was then, the trees, and the boundary that judges it."""

    place: Place
    tree: str
    commit_tree: str | None
    boundary: Boundary


class _Source(Struct, frozen=True):
    """A stray, the tree that it differs from, and the record that shows it."""

    stray: Stray
    start: str | None
    order: tuple[int, str, int]


def _there(place: Place, body: Resumed) -> _End:
    return _End(structs.replace(place, head=body.head), body.tree, body.commit_tree, body.boundary)


def _packet(task: TaskView, digest: str) -> Stated[Packet] | None:
    return next((packet for packet in task.packets if packet.id == digest), None)


class _Found:
    """The strays of one task in the making."""

    def __init__(self, now: Now, task: TaskView) -> None:
        self.now, self.task = now, task
        self.sources: list[_Source] = []
        self._differs: dict[str, set[str] | None] = {}

    def gap(self, was: Packet, end: _End, resumed: Stated[Resumed] | None, where: str) -> list[str]:
        """Judge what changed since a packet while no run was open; the paths inside."""
        here = resumed.body.worktree_id if resumed is not None else end.place.worktree_id
        if here != was.place.worktree_id or here != self.now.place.worktree_id:
            return []
        if (was.place.tree, was.place.head) == (end.tree, end.place.head):
            return []
        try:
            tips = self.now.upstream() if was.place.head != end.place.head else Upstream()
            line = read_line(end.place, Start(was.place.tree, was.place.head), tips, [])
            changes = [c for c in _own(was, end, line) if (c.path, c.new_blob) not in self.now.ours]
            gone = _gone(end, line, self.now.place)
        except PassdownError:  # sealed content is not here: another reason says so
            return []
        whole = structs.replace(end.boundary, budget=Budget(new=end.boundary.budget.new))
        work = Work([Stretch("", changes), *gone], end.tree)
        outside = {v.path: v for v in judge_work(end.place, whole, work, self.now.derived).violations}
        order = resumed.order if resumed is not None else (self.task.latest or self.task.packets[-1]).order
        for change in changes:
            if change.path in outside:
                v = outside[change.path]
                stray = Stray(change.path, v.rule, v.because, where, False, change.added, change.removed)
                self.sources.append(_Source(stray, was.place.tree, order))
        for path in sorted({c.path for stretch in gone for c in stretch.changes} & outside.keys()):
            stray = Stray(path, outside[path].rule, outside[path].because, f"{where}, in a commit that stays", False)
            self.sources.append(_Source(stray, None, order))
        return [change.path for change in changes if change.path not in outside]

    def in_runs(self) -> None:
        """What the packets list as changed outside in their runs."""
        for packet in self.task.packets:
            if packet.body.place.worktree_id != self.now.place.worktree_id:
                continue
            self._before_any_run(packet)
            self._taken_back(packet)
            for file in packet.body.files:
                if file.inside is False:
                    rule, _, because = file.because.partition(": ")
                    path, where = from_wire(file.path, file.path_b64), f"in the run of {packet.id[:7]}"
                    stray = Stray(path, rule, because, where, True, file.added, file.removed)
                    self.sources.append(_Source(stray, packet.body.place.start, packet.order))

    def _taken_back(self, packet: Stated[Packet]) -> None:
        """Of a packed run. Those that an approval came after are not looked at again: it named what it let stand."""
        resumed = next((r for r in first_resumes(self.task) if r.body.run == packet.body.run.id), None)
        began = resumed or (self.task.opened if packet is self.task.packets[0] else None)
        approved = any(v.body.answer == "approve" and v.order > packet.order for v in self.task.verdicts)
        if began is not None and not approved:
            body = packet.body.place
            end = _End(
                structs.replace(self.now.place, head=body.head), body.tree, body.commit_tree, began.body.boundary
            )
            self.taken_back(began, end, f"in the run of {packet.id[:7]}", packet.order)

    def taken_back(
        self, began: Stated[Resumed] | Stated[TaskOpened], end: _End, where: str, order: tuple[int, str, int]
    ) -> None:
        """What a run committed outside and then took back, as far as the commits stay: no packet's files show it."""
        body = began.body
        if end.place.head in (None, body.head) or body.worktree_id != self.now.place.worktree_id:
            return
        try:
            start = Start(body.tree, body.head, body.moves, body.upstream)
            gone = _gone(end, read_line(end.place, start, self.now.upstream(), []), self.now.place)
            work = Work([Stretch("", []), *gone], end.tree)
            found = judge_work(end.place, end.boundary, work, self.now.derived).violations if gone else []
        except PassdownError:  # sealed content is not here: another reason says so
            return
        for v in found:
            stray = Stray(v.path, v.rule, v.because, f"{where}, in a commit that stays", True)
            self.sources.append(_Source(stray, None, order))

    def _before_any_run(self, packet: Stated[Packet]) -> None:
        """What changed outside an answer's boundary that no run was ever resumed in: packed, and judged by nothing."""
        given = self.task.decision_of(packet.body.previous or "")
        if given is None or given.order > packet.order or given.body.answer not in ("approve", "narrow"):
            return
        asked = Asked.of(given.body.boundary)
        for file in packet.body.files:
            path = from_wire(file.path, file.path_b64)
            decision = asked.decide(path)
            if (
                leftover(path)
                or file.inside is not None
                or decision.inside
                or (file.status == "added" and asked.beside(path))
            ):
                continue
            where = f"between {given.body.packet[:7]} and {packet.id[:7]}"
            stray = Stray(path, decision.rule, decision.because, where, False, file.added, file.removed)
            self.sources.append(_Source(stray, packet.body.place.start, packet.order))

    def standing(self) -> list[Stray]:
        """Those that are neither undone nor answered, each path once, a run's before a gap's."""
        if not self.sources:
            return []
        opened = _opened(self.task)
        first = {s.stray.path: s.start for s in sorted(self.sources, key=lambda s: s.order, reverse=True)}
        found: dict[str, Stray] = {}
        for source in sorted(self.sources, key=lambda s: not s.stray.in_run):
            stray = source.stray
            free = opened is not None and stray.rule not in _NOT_BY_NAME and opened.decide(stray.path).inside
            # While no run was open a path may be put back as it was before it went outside; a run that does that to
            # what it found is judged by what it found.
            before = source.start if stray.in_run else first[stray.path]
            if not free and self._differs_from(before, printable(stray.path)) and not self._answered(source):
                found.setdefault(stray.path, stray)
        return sorted(found.values(), key=lambda stray: stray.path)

    def _differs_from(self, tree: str | None, name: str) -> bool:
        """Whether the path, as shown, is not now what it was in that tree; True where that cannot be told."""
        if tree is None:
            return True
        if tree not in self._differs:
            try:
                changes = diff.tree_diff(self.now.place, tree, self.now.snapshot.tree)
                self._differs[tree] = {printable(change.path) for change in changes}
            except PassdownError:
                self._differs[tree] = None
        known = self._differs[tree]
        return known is None or name in known

    def _answered(self, source: _Source) -> bool:
        """Whether a person accepted this path with the content that it has now."""
        name = printable(source.stray.path)
        if any(s.body.tree and name in s.body.accepted and self.same(s.body.tree, name) for s in _said(self.task)):
            return True
        # A verdict of before it named what it accepts took all that its packet showed.
        return any(v.body.tree is None and v.order > source.order for v in _accepting(self.task))

    def same(self, tree: str, name: str) -> bool:
        """Whether the path, as shown, is as it was in that tree; False where the tree is gone."""
        return not self._differs_from(tree, name)


def _gone(end: _End, line: Line, now: Place) -> list[Stretch]:
    """What commits changed and later ones took back: no tree shows it, the history that goes on does."""
    if len(line.own) < 2 or end.place.head is None:  # noqa: PLR2004 - one to make it, one to take it back
        return []
    stays = {c.path for c in diff.tree_diff(end.place, line.start or "", end.place.head)}
    stay = {c.id for c in history.commits(now, [now.head], [line.start] if line.start else [])} if now.head else set()
    own = [each for each in line.own if each.commit.id in stay]
    found = [Stretch(each.name, [c for c in each.changes if c.path not in stays]) for each in own]
    return [stretch for stretch in found if stretch.changes]


def _own(was: Packet, end: _End, line: Line) -> list[Change]:
    """Changes from the sealed tree to that end, without what a merge or rebase of the base branch brought.

    Caches that no commit holds are nobody's change.
    """
    touched = {change.path for own in line.own for change in own.changes}
    changes = diff.tree_diff(end.place, was.place.tree, end.tree, counts=True)
    whole = [change for change in changes if change.path in touched or not leftover(change.path)]
    if not line.merged_in:
        return whole
    head, commit_tree = end.place.head, end.commit_tree
    dirty = {c.path for c in diff.tree_diff(end.place, head, commit_tree)} if head and commit_tree else set()
    return [c for c in whole if c.path in touched or c.path in dirty or c.path not in line.merged_in]


def _opened(task: TaskView) -> Asked | None:
    """The boundary that a person decided, as it is now: what it allows is answered."""
    boundary = task.next_boundary()
    return Asked.of(boundary) if boundary is not None and boundary.source != "proposed" else None


def _said(task: TaskView) -> list[Stated[Verdict] | Stated[Lifted]]:
    """What lets paths stand."""
    return [*_accepting(task), *task.lifts]


def _accepting(task: TaskView) -> Iterator[Stated[Verdict]]:
    return (v for v in task.verdicts if v.body.answer in ("approve", "narrow"))
