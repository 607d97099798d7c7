"""The worktree as a check sees it, before and after it ran."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from msgspec import Struct, field

from passdown.checks.definition import Defined, define
from passdown.checks.fingerprint import Inputs, compare, inputs
from passdown.checks.stamps import Stamps, settle, stamps, touched
from passdown.checks.tree import TreeView
from passdown.errors import PassdownError
from passdown.model.evidence import CheckDefinition
from passdown.workspace.place import Place
from passdown.workspace.snapshot import take

_LINK = "120000"


class Seen(Struct, frozen=True):
    """One moment: the snapshot, the definition and inputs in it, and the marks that writing leaves.

    ``missing``: inputs that the tree holds and the check cannot read, or that the snapshot could not.
    """

    view: TreeView
    defined: Defined
    inputs: Inputs
    stamps: Stamps
    missing: list[str] = field(default_factory=list)


class Changed(Struct, frozen=True):
    """``paths``: inputs that differ or were written meanwhile; ``back``: those of them that were put back."""

    tree: str = ""
    paths: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    note: str = ""


def look(place: Place, definition: CheckDefinition) -> Seen:
    """The worktree now."""
    snapshot = take(place)
    view = TreeView(place, snapshot.tree)
    defined = define(view, definition)
    found = inputs(view, defined)
    missing = [*(path for path in snapshot.absent if path in found.files), *snapshot.unseen]
    missing += [path for path, entry in found.files.items() if entry[0] == _LINK and _leads_away(view, path)]
    return Seen(view, defined, found, settle(place.root, stamps(place.root, found.files)), missing)


def _leads_away(view: TreeView, path: str) -> bool:
    """Whether a link leads to something that is there and that the snapshot does not hold."""
    target = (view.place.root / path).resolve()
    if not target.exists():
        return False
    inside = os.path.relpath(target, view.place.root.resolve())
    return inside != "." and inside not in view and inside not in view.once("folders", lambda: _folders(view))


def _folders(view: TreeView) -> frozenset[str]:
    return frozenset(str(folder) for path in view.entries for folder in PurePosixPath(path).parents)


def changed(place: Place, before: Seen) -> Changed:
    """What became of the inputs since; the marks are read first, so that no write falls between."""
    written = touched(before.stamps, stamps(place.root, before.stamps))
    try:
        view = TreeView(place, take(place).tree)
        after = inputs(view, define(view, before.defined.definition))
    except PassdownError as error:
        return Changed("", written or ["."], note=f"the worktree could not be read afterwards: {error.message}")
    differing = compare(before.inputs, after)
    back = [path for path in written if path not in set(differing)]
    if differing:  # folders of changed files carry new marks too: they say nothing more
        back = [path for path in back if path in before.inputs.files]
    return Changed(view.tree, [*differing, *back], back)
