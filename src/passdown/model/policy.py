"""passdown.toml as values (the policy of the base revision)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from passdown.model.evidence import CheckDefinition
from passdown.model.packet import HoldLevel, Presence
from passdown.model.template import Template

Mode = Literal["solo", "team"]
GuardMode = Literal["observe", "advise", "enforce"]
NotesAsked = Literal["attended", "always", "never"]
"""Whether a run that stops is asked for notes, once: where a person waits, in scripts too, not at all."""
Restating = Literal["off", "advisory", "required"]
"""Whether a run restates the packet before its first write: not asked, asked, or held to it by the guard."""


class DenyRule(Struct, frozen=True, kw_only=True):
    """A standing deny and its reason."""

    path: str
    because: str


class Derived(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A generated path that may change when its source is inside."""

    path: str
    from_: str


class HoldLimits(Struct, frozen=True, kw_only=True, rename="kebab"):
    """From where on a reason holds: files and days of a packet, and the signs for a new plan.

    ``replan_signs`` of the others must be reached; ``replan_upstream`` in percent of the boundary's files.
    """

    files: int = 50
    days: int = 14
    replan_signs: int = 3
    replan_tries: int = 3
    replan_upstream: int = 50
    replan_statements: int = 2
    replan_questions: int = 1
    replan_days: int = 7


class Policy(Struct, frozen=True, kw_only=True):
    """Everything that a team can set; ``source`` says where it was read (revision and file), None: defaults.

    ``revision`` is the base commit, whose files say what a declared check means. ``templates``: the team's own.
    """

    mode: Mode = "solo"
    resume_owner: str | None = None
    base: str | None = None
    checks: list[CheckDefinition] = field(default_factory=list)
    deny: list[DenyRule] = field(default_factory=list)
    derived: list[Derived] = field(default_factory=list)
    guard_mode: GuardMode = "enforce"
    notes_asked: NotesAsked = "attended"
    readback: Restating = "advisory"
    hold: dict[str, HoldLevel] = field(default_factory=dict)
    limits: HoldLimits = HoldLimits()
    review_required: bool = False
    review_presence: Presence = "unproven"
    review_independent: bool = False
    signers: list[str] = field(default_factory=list)
    allowed_signers: str | None = None
    trust_ci: list[str] = field(default_factory=list)
    redact_extra: list[str] = field(default_factory=list)
    templates: list[Template] = field(default_factory=list)
    source: str | None = None
    warnings: list[str] = field(default_factory=list)
    revision: str | None = None
