"""The worktree as a check sees it, before and after it ran."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from msgspec import Struct, field

from passdown.checks.definition import Defined, define
from passdown.checks.fingerprint import Inputs, compare, inputs, is_input
from passdown.checks.stamps import TICK, Stamps, newest, settle, stamps, touched
from passdown.checks.tree import TreeView, folders
from passdown.checks.watch import Watch
from passdown.errors import PassdownError
from passdown.model.evidence import CheckDefinition
from passdown.rules.patterns import lazy
from passdown.workspace.frame import Frame, frame, holds
from passdown.workspace.ignored import ignored
from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot, take
from passdown.workspace.unpack import changed_in

_LINK, _GITLINK = "120000", "160000"
_ATTEMPTS = 4
_TOOLS_OWN = lazy(
    r"\.timestamp-\d+-\w+\.m?js$|(?:^|/)pytest-cache-files-\w+/?$|(?:^|/)\.git/?$|(?:^|/)\.nfs\w+$|\.lock$|\.tmp$|~$"
    r"|(?:^|/)target\w{6}/$|(?:^|/)\.benchmarks/$"
)
"""What tools make beside the code and remove at once: a bundled configuration, a cache or target under way, a lock."""


class Seen(Struct, frozen=True):
    """One moment: the snapshot, the definition and inputs in it, and the marks that writing leaves.

    ``missing``: inputs that the tree holds and the check cannot read, or that the snapshot could not. ``frame``: where
    the marks are those of all that the tree holds, and every folder of it is listened to.
    """

    view: TreeView
    defined: Defined
    inputs: Inputs
    stamps: Stamps
    missing: list[str] = field(default_factory=list)
    watch: Watch | None = None
    frame: Frame | None = None


class Changed(Struct, frozen=True):
    """``paths``: inputs that differ or were written meanwhile; ``back``: those of them that were put back.

    ``passing``: those that came and went.
    """

    tree: str = ""
    paths: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    passing: list[str] = field(default_factory=list)
    note: str = ""


Moment = tuple[Snapshot, float]
"""A snapshot and when it began, in seconds since 1970."""


def look(place: Place, definition: CheckDefinition, moment: Moment | None = None) -> Seen:
    """The worktree now; the marks are those of exactly this content, and what comes and goes from now on is heard.

    ``moment``: a snapshot that was just taken; it counts as long as nobody wrote since.
    """
    for _ in range(_ATTEMPTS):
        snapshot, begun = moment or _taken(place)
        moment = None
        view = TreeView(place, snapshot.tree)
        defined = define(view, definition)
        found = inputs(view, defined)
        around = frame(place, snapshot.tree) if found.files.keys() == view.entries.keys() else None
        folders = _parents(found.files)
        others = around.folders - folders | {""} if around is not None else set()
        watch = Watch(place.root, folders | others)
        marks = settle(place.root, stamps(place.root, found.files))
        if max(newest(marks), newest(stamps(place.root, others))) < begun - TICK:
            break  # nobody wrote between snapshot and marks
        watch.heard()
    else:
        around = None
    missing = [*(path for path in snapshot.absent if path in found.files), *snapshot.unseen]
    missing += [path for path, entry in found.files.items() if entry[0] == _LINK and _leads_away(view, path)]
    return Seen(view, defined, found, marks, missing, watch, around if watch.whole else None)


def _taken(place: Place) -> Moment:
    begun = time.time()
    return take(place), begun


def _parents(paths: Iterable[str]) -> set[str]:
    """The root and every folder of the paths."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def _leads_away(view: TreeView, path: str) -> bool:
    """Whether a link leads to something that is there and that the snapshot does not hold."""
    target = os.path.realpath(view.place.root / path)  # Path.resolve raises on a link to itself
    if not os.path.exists(target):  # noqa: PTH110 - never raises
        return False
    inside = os.path.relpath(target, view.place.root)
    return inside != "." and inside not in view and inside not in view.once("folders", lambda: folders(view))


def changed(place: Place, before: Seen, *, alone: bool = False) -> Changed:
    """What became of the inputs since; the marks are read first, so that no write falls between.

    ``alone``: nobody but the check can have written there: what it made and removed itself does not count.
    """
    written = touched(place.root, before.stamps)
    heard = before.watch.heard() if before.watch else set()
    if not written and not alone and heard == set() and before.frame is not None and holds(place, before.frame):
        return Changed(before.view.tree)
    try:
        tree = take(place).tree
        after = before.inputs
        if tree != before.view.tree or before.defined.definition.inputs_ignored:
            view = TreeView(place, tree)
            after = inputs(view, define(view, before.defined.definition))
        passing = [] if alone else _passing(place, before, after, heard)
    except PassdownError as error:
        return Changed("", written or ["."], note=f"the worktree could not be read afterwards: {error.message}")
    differing = compare(before.inputs, after)
    back = [path for path in written if path not in set(differing)]
    if differing:  # folders of changed files carry new marks too: they say nothing more
        back = [path for path in back if path in before.inputs.files]
    if differing or back:
        passing = []  # the same: what changed is named already
    return Changed(tree, [*differing, *back, *passing], back, passing)


def look_at_copy(copy: Place, view: TreeView, definition: CheckDefinition) -> Seen:
    """A tree that was just written out: its content is known, the marks and what comes and goes are the copy's."""
    there = TreeView(copy, view.tree)
    there.entries = view.entries
    defined = define(there, definition)
    found = inputs(there, defined)
    here = [path for path, (mode, _) in found.files.items() if mode != _GITLINK]
    return Seen(there, defined, found, settle(copy.root, stamps(copy.root, here)))


def changed_copy(copy: Place, before: Seen) -> Changed:
    """What became of a copy's inputs: nobody but the check can have written there."""
    written = touched(copy.root, before.stamps)
    try:
        differing = [path for path in changed_in(copy.root) if is_input(before.defined, path)]
        if not differing and not written and not before.defined.definition.inputs_ignored:
            return Changed(before.view.tree)
    except PassdownError as error:
        return Changed("", written or ["."], note=f"the copy could not be read afterwards: {error.message}")
    return changed(copy, before, alone=True)


def _passing(place: Place, before: Seen, after: Inputs, heard: set[str] | None) -> list[str]:
    """What was made and removed while it ran and would have been an input."""
    if not heard:
        return ["."] if heard is None else []
    known = before.inputs.files.keys() | after.files.keys()
    folders = _parents(known)
    found = sorted(
        path
        for path in heard
        if path not in known
        and path.rstrip("/") not in folders
        and not _TOOLS_OWN.search(path)
        and is_input(before.defined, f"{path}x" if path.endswith("/") else path)
    )
    unseen = ignored(place, found)
    return [path for path in found if path not in unseen]
