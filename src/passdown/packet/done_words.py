"""Why a check of the done-definition is not met, in a few words."""

from __future__ import annotations

from passdown.model.packet import PacketCheck
from passdown.packet import tests_words
from passdown.packet.words import counted, stale
from passdown.rules.integrity.touch import acceptable

_ORIGINS = {"REGRESSION": "REGRESSION", "PRE-EXISTING": "on the base too"}


def unmet(check: PacketCheck | None) -> str:
    """What came out, or why what passed does not count on this code."""
    if check is None or check.result is None:
        return "never ran here"
    if check.result != "PASSED":
        return ", ".join(filter(None, (_ORIGINS.get(check.origin or "", ""), counted(check))))
    touched = ", ".join(tests_words.remarks(check)) if acceptable(check) else ""
    if check.freshness.state == "UNBOUND" and not touched:
        return "passed in the session only"
    return touched or (check.freshness.because[0] if check.freshness.because else how(check))


def how(check: PacketCheck) -> str:
    """How it ran, where nothing else is to be said of that."""
    return "ran before the last edit" if stale(check) else "ran on this code, not by Passdown"
