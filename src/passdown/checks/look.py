"""The worktree as a check sees it, before and after it ran."""

from __future__ import annotations

from dataclasses import dataclass, field

from passdown.checks.definition import Defined, define
from passdown.checks.fingerprint import Inputs, compare, inputs
from passdown.checks.stamps import Stamps, settle, stamps, touched
from passdown.checks.tree import TreeView
from passdown.errors import PassdownError
from passdown.model.evidence import CheckDefinition
from passdown.workspace.place import Place
from passdown.workspace.snapshot import take


@dataclass(frozen=True, slots=True)
class Seen:
    """One moment: the snapshot, the definition and inputs in it, and the marks that writing leaves."""

    view: TreeView
    defined: Defined
    inputs: Inputs
    stamps: Stamps


@dataclass(frozen=True, slots=True)
class Changed:
    """``paths``: inputs that differ or were written meanwhile; ``back``: those of them that were put back."""

    tree: str = ""
    paths: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    note: str = ""


def look(place: Place, definition: CheckDefinition) -> Seen:
    """The worktree now."""
    view = TreeView(place, take(place).tree)
    defined = define(view, definition)
    found = inputs(view, defined)
    return Seen(view, defined, found, settle(place.root, stamps(place.root, found.files)))


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
