"""What the screens say about checks and outcomes (semantics: section 12)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from passdown.model.packet import Item, Outcome, Packet, PacketCheck, Step
from passdown.packet.text import clock, plain, quote
from passdown.rules.open_now import open_now

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
_RECORD = re.compile(r" \(record \d+\)")
ORIGINS = {
    "REGRESSION": "passes on the base",
    "PRE-EXISTING": "fails on the base too",
    "UNKNOWN": "not measured on the base",
}
REASONS = {
    "running": "still running",
    "finished": "finished",
    "interrupted": "stopped: interrupted",
    "quota": "stopped: quota",
    "context-full": "stopped: context full",
    "api-error": "stopped: API error",
    "crashed": "stopped: crashed",
    "truncated": "stopped: transcript cut off",
    "unknown": "end not known",
}


def spoken(text: str) -> str:
    """A reason as a screen says it: instants as clock times, no record numbers."""
    return _RECORD.sub("", _INSTANT.sub(lambda found: clock(found[0]), plain(text)))


def ended(packet: Packet) -> str:
    """How the run ended."""
    end = packet.run.end
    resets = f" (resets {plain(end.resets)})" if end.resets else ""
    return REASONS[end.reason] + resets


def stale(check: PacketCheck) -> bool:
    """Whether it ran before the last edit, or on other code, definition or machine than today's."""
    return check.freshness.state in ("STALE", "DEFINITION-CHANGED", "EXPIRED") or bool(check.edits_after)


def passing(packet: Packet) -> list[PacketCheck]:
    """Checks that pass on exactly this code."""
    return [check for check in packet.checks if check.class_ == "VERIFIED"]


def ran_here(packet: Packet) -> list[PacketCheck]:
    """Checks that ran on this code, seen and not re-run by us."""
    return [c for c in packet.checks if c.class_ == "OBSERVED" and c.result is not None and not stale(c)]


def ran_before(packet: Packet) -> list[PacketCheck]:
    """Checks that ran before the last edit."""
    return [c for c in packet.checks if c.class_ != "VERIFIED" and c.result is not None and stale(c)]


def never_ran(packet: Packet) -> list[PacketCheck]:
    """Checks that never ran here, acceptance first."""
    return sorted((c for c in packet.checks if c.result in (None, "NOT RUN")), key=lambda c: not c.acceptance)


def false_claims(packet: Packet) -> list[Outcome]:
    """What was said and is not so."""
    return [outcome for outcome in packet.outcomes if outcome.class_ == "CONTRADICTED"]


def only_said(packet: Packet) -> list[Outcome]:
    """What was only said."""
    return [outcome for outcome in packet.outcomes if outcome.class_ == "CLAIMED"]


def counted(check: PacketCheck) -> str:
    """The numbers of a check as it printed them, then its exit code."""
    order = ("failed", "errors", "passed", "skipped")
    parts = [f"{check.tests[name]} {name}" for name in order if check.tests.get(name)]
    result = (check.result or "never ran").lower()
    parts = parts or [result]
    if check.exit is not None:
        parts.append(f"exit {check.exit}")
    return ", ".join(parts)


def when(check: PacketCheck) -> str:
    """The check's name and the time of its latest run."""
    return f"{plain(check.name)} {clock(check.at)}".strip()


def item_text(item: Item) -> str:
    """What is open, with its first error line; a test stands by its name."""
    error = f"  {plain(item.error)}" if item.error else ""
    return f"{item.id} {plain(item.text)}{error}"


def tried(item: Item) -> str:
    """How often it was tried without progress; "" for once."""
    return f"{item.tries} tries, no progress" if item.tries and item.tries > 1 else ""


def first_step(packet: Packet) -> Step | None:
    """Where to continue: the first step that neither is done nor belongs to an item that is closed by now."""
    still = {item.id for item in open_now(packet)}
    return next((step for step in packet.checklist if not step.done and (not step.item or step.item in still)), None)


def open_items(packet: Packet, kinds: Iterable[str] = ()) -> list[Item]:
    """Open items of those kinds (none named: all), failures first."""
    wanted = set(kinds)
    return [item for item in open_now(packet) if not wanted or item.kind in wanted]


def dead_end(command: str, error: str, tries: int) -> str:
    """What was tried in vain."""
    times = f", {tries} tries" if tries > 1 else ""
    return f"{plain(command)}{times}" + (f", {quote(error)}" if error else "")
