"""What the screens say of tests and settings that the task changed, worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passdown.model.integrity import IntegrityChange
from passdown.model.packet import Packet, PacketCheck
from passdown.packet.text import plain
from passdown.rules.integrity.kinds import EXISTING
from passdown.rules.integrity.touch import OWN_TESTS, TESTS, counted

LABELS = {
    "expected": "expects another value",
    "regenerated": "expected values",
    "loosened": "loosened",
    "silenced": "silenced",
}
RULES = {
    "removed": "assertion removed",
    "rows": "fewer rows",
    "broader": "accepts more errors",
    "tolerance": "looser tolerance",
    "bound": "looser limit",
    "mock": "replaces what it tests",
    "unreachable": "never reached",
    "swallowed": "its failure is caught",
    "uncollected": "no longer run",
    "commented-out": "commented out",
    "only": "only this one runs",
    "retries": "retried until it passes",
    "timeout": "longer time limit",
    "platform": "on another system",
}


def told(packet: Packet) -> list[IntegrityChange]:
    """What a reader should see one by one: everything but plain changes, silenced lines and new tests."""
    return [c for c in packet.integrity if c.kind in EXISTING | {"loosened"} and c.kind != "changed"]


def rest(packet: Packet) -> str:
    """The others in one line; "" where there are none."""
    changed = [c for c in packet.integrity if c.kind == "changed"]
    silenced = [c for c in packet.integrity if c.kind == "silenced"]
    parts = [f"{len(changed)} changed ({_files(changed)})"] if changed else []
    parts += [f"{len(silenced)} inline ignores added ({_files(silenced)})"] if silenced else []
    return ", ".join(parts)


def _files(changes: Sequence[IntegrityChange]) -> str:
    paths = list(dict.fromkeys(plain(c.path) for c in changes))
    return ", ".join(paths[:2]) + (f" and {len(paths) - 2} more" if len(paths) > 2 else "")  # noqa: PLR2004 - two names


def line(change: IntegrityChange) -> str:
    """``tests/test_a.py::test_b  weakened: assert x == 3 -> assert x``."""
    name = "::".join(plain(part) for part in (change.path, change.test) if part)
    label = LABELS.get(change.kind, change.kind)
    rule = RULES.get(change.rule, "")
    many = f", {change.count} tests" if change.count and change.count > 1 else ""
    what = f"{label} ({rule}{many})" if rule else f"{label}{f' ({many[2:]})' if many else ''}"
    was, now = plain(change.was), plain(change.now)
    both = f"{was} -> {now}" if was and now else was or now
    seen = f"   (accepted by {plain(change.accepted)})" if change.accepted else ""
    return f"{name}  {what}{': ' + both if both else ''}{seen}"


def summary(packet: Packet) -> str:
    """``1 test weakened, 2 changed; 6 new in this run``; "" where nothing was touched."""
    existing = [c for c in packet.integrity if c.kind in EXISTING]
    loose = sum(c.kind == "loosened" for c in packet.integrity)
    silenced = sum(c.kind == "silenced" for c in packet.integrity)
    new = [c.count for c in packet.integrity if c.kind == "new"]
    parts = [counted(existing)] if existing else []
    parts += [f"{loose} settings loosened"] if loose else []
    parts += [f"{silenced} inline ignores added"] if silenced else []
    if new:
        known = sum(n for n in new if n is not None)
        parts.append(f"{known} new in this run" if None not in new else "new ones in this run")
    return "; ".join(parts)


def unseen(packet: Packet) -> list[IntegrityChange]:
    """What nobody accepted yet."""
    return [c for c in packet.integrity if c.accepted is None and c.kind != "silenced"]


def remarks(check: PacketCheck) -> Iterator[str]:
    """What a check's numbers stand on, as a part of its line."""
    for warning in check.warnings:
        code, _, text = warning.partition(": ")
        if code == TESTS:
            yield f"{text}, accepted by {plain(check.accepted)}" if check.accepted else text
        elif code == OWN_TESTS and check.class_ != "VERIFIED":
            yield text.rpartition(", ")[2]


def own(check: PacketCheck) -> str:
    """``211 existing pass, 6 new in this run``; "" where it has no test of this run's making."""
    return next((w.partition(": ")[2] for w in check.warnings if w.startswith(f"{OWN_TESTS}: ")), "")
