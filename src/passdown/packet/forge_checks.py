"""What CI said on the forge, as checks of a packet: ran there and this came out, and never more than that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passdown.checks.tree import TreeView
from passdown.model.event import Record
from passdown.model.evidence import Freshness
from passdown.model.forge import ForgeCheck, ForgeRead
from passdown.model.packet import Inputs, PacketCheck
from passdown.workspace import history

PREFIX = "CI: "
_WORD = "the forge's word for it: not run by Passdown"


def forge_checks(view: TreeView, records: Sequence[Record]) -> list[PacketCheck]:
    """The results of the newest reading of this branch's pull request."""
    reads = [r.body for r in records if r.here and r.trusted and isinstance(r.body, ForgeRead)]
    newest = next((read for read in reversed(reads) if read.branch == view.place.branch), None)
    return list(_checks(view, newest)) if newest is not None else []


def _checks(view: TreeView, read: ForgeRead) -> Iterator[PacketCheck]:
    here = history.resolve(view.place, read.head)
    tree = history.commit_tree_of(view.place, here) if here is not None else None
    same = tree is not None and tree == view.committed
    fresh = Freshness(state="FRESH") if same else Freshness(state="STALE", because=[f"it ran on {read.head[:7]}"])
    for check in read.checks:
        yield _check(check, fresh)


def _check(check: ForgeCheck, fresh: Freshness) -> PacketCheck:
    ran = check.result != "NOT RUN"
    return PacketCheck(
        name=f"{PREFIX}{check.name}",
        command=f"{check.name} (CI)",  # another text than the name: screens then call it by its name
        result=check.result,
        class_="OBSERVED" if ran else None,
        freshness=fresh,
        tier=None,
        inputs=Inputs(fingerprint=None, files=None),
        exit=None,
        seconds=None,
        observed_by="ci",
        at=check.at,
        error_line=f"GitHub says {check.said}" if check.result in ("FAILED", "ERROR", "INCONCLUSIVE") else None,
        not_verified=[_WORD],
        source=f"GitHub says {check.said}" + (f", {check.url}" if check.url else ""),
    )
