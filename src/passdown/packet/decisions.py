"""Decisions and dead ends: those of the task's record, and those that this session shows."""

from __future__ import annotations

from passdown.model.packet import Decision, TriedDeadEnd
from passdown.packet.files import mentioned
from passdown.packet.sources import Sources
from passdown.rules.fold_items import next_id
from passdown.rules.fold_notes import plain


def decisions_of(sources: Sources) -> list[Decision]:
    """The latest state of each; the person's own words are settled, their scope is the paths that they name."""
    found = {plain(d.text): d for d in (sources.task.decisions if sources.task else [])}
    for seen in sources.facts.decisions if sources.facts else []:
        if plain(seen.text) not in found:
            taken = {d.id for d in found.values()}
            found[plain(seen.text)] = Decision(
                id=next_id("D", taken),
                text=seen.text,
                by="user",
                settled=True,
                at=seen.at,
                why=f"asked: {seen.question}" if seen.question else None,
                scope=sorted(mentioned([seen.text], sources.paths)),
                record=seen.record,
            )
    return list(found.values())


def dead_ends_of(sources: Sources) -> list[TriedDeadEnd]:
    """What was tried in vain, each command and error once."""
    found = {(d.command, d.error): d for d in (sources.task.dead_ends if sources.task else [])}
    for seen in sources.stretch.dead_ends if sources.stretch else []:
        name = (seen.command, seen.error)
        known = found.get(name)
        tries = max(seen.tries, known.tries) if known else seen.tries
        given = known.id if known else next_id("X", {d.id for d in found.values()})
        found[name] = TriedDeadEnd(id=given, command=seen.command, error=seen.error, tries=tries)
    return list(found.values())
