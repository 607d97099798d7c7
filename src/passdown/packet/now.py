"""What is asked again whenever a packet is shown: its checks, what was done to tests, changes for the engine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from passdown.checks.integrity import found as integrity
from passdown.checks.integrity.found import Found
from passdown.checks.standing import standing, standing_in_sealed
from passdown.checks.tree import TreeView
from passdown.ledger.writer import known_writer
from passdown.model.event import Record
from passdown.model.packet import Packet, PacketCheck
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.packet.ask import Ask
from passdown.packet.forge_checks import forge_checks
from passdown.rules.changes import SYMLINK, PathChange
from passdown.rules.trust import Trust
from passdown.workspace import diff
from passdown.workspace.diff import Change
from passdown.workspace.place import Place

LINK_LIMIT = 4096


def checks_of(
    view: TreeView,
    policy: Policy,
    records: Sequence[Record],
    ask: Ask,
    facts: SessionFacts | None,
    *,
    sealed: bool = False,
) -> list[PacketCheck]:
    """Every known check on the snapshot; ``sealed``: on the one that a packet was sealed with, and no session told."""
    now, trust = datetime.fromisoformat(ask.now), trusted(view.place, ask)
    if sealed and facts is None:
        known = standing_in_sealed(view, policy, records, now=now, trust=trust)
    else:
        known = standing(view, policy, records, facts, now=now, trust=trust)
    return [*known, *forge_checks(view, records)]


def trusted(place: Place, ask: Ask) -> Trust:
    """Whose records count; nobody else's than this clone's where the caller does not say."""
    return ask.trust or Trust(own=known_writer(place.home))


def now_of(
    view: TreeView, records: Sequence[Record], policy: Policy, ask: Ask, sealed: Packet
) -> tuple[list[PacketCheck], Found]:
    """The checks, and what the task did to tests and settings until now.

    What depends on the files alone is not looked for again in the very tree that was sealed.
    """
    same = sealed.packet is not None and sealed.place.tree == ask.snapshot.tree
    clean = sealed.integrity_since if same and not sealed.integrity and not sealed.truncated else None
    told = integrity.found(view, policy, records, ask.facts, trusted(view.place, ask), clean_since=clean)
    return checks_of(view, policy, records, ask, ask.facts, sealed=same), told


def view_of(place: Place, ask: Ask) -> TreeView:
    """The files of the snapshot."""
    return TreeView(place, ask.snapshot.tree, ask.snapshot.commit_tree)


def path_changes(place: Place, changes: Sequence[Change]) -> list[PathChange]:
    """As the engine takes them, symbolic links with their text."""
    found = []
    for c in changes:
        link = c.new_mode == SYMLINK
        target = os.fsdecode(diff.read_blob(place, c.new_blob, LINK_LIMIT)) if link else None
        found.append(PathChange(c.path, c.status, c.old_mode, c.new_mode, target, c.added, c.removed))
    return found
