"""What is asked again whenever a packet is shown: its checks, what was done to tests, changes for the engine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from passdown.checks.integrity import found as integrity
from passdown.checks.integrity.found import Found
from passdown.checks.standing import standing
from passdown.checks.tree import TreeView
from passdown.ledger.writer import known_writer
from passdown.model.event import Record
from passdown.model.packet import PacketCheck
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
    view: TreeView, policy: Policy, records: Sequence[Record], ask: Ask, facts: SessionFacts | None
) -> list[PacketCheck]:
    """Every known check on the snapshot."""
    now = datetime.fromisoformat(ask.now)
    known = standing(view, policy, records, facts, now=now, trust=trusted(view.place, ask))
    return [*known, *forge_checks(view, records)]


def trusted(place: Place, ask: Ask) -> Trust:
    """Whose records count; nobody else's than this clone's where the caller does not say."""
    return ask.trust or Trust(own=known_writer(place.home))


def now_of(place: Place, records: Sequence[Record], policy: Policy, ask: Ask) -> tuple[list[PacketCheck], Found]:
    """The checks, and what the task did to tests and settings until now."""
    view = view_of(place, ask)
    checks = checks_of(view, policy, records, ask, ask.facts)
    return checks, integrity.found(view, policy, records, ask.facts, trusted(place, ask))


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
