"""What a command checks: tests, lint, types or a build."""

from __future__ import annotations

from passdown.agents.facts.scripts import script_kind, strongest
from passdown.agents.facts.tools import check_kind
from passdown.model.session import CheckKind
from passdown.rules import command


def kind_of(run: str | list[str], name: str = "") -> CheckKind:
    """By its programs, else by the check's own name."""
    found = [kind for words in command.judged(run) if (kind := check_kind(words)) is not None]
    return strongest(found) or script_kind(name) or "other"
