"""The shape of one kind of handoff: how it is recognised, what it proposes, asks for and holds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from passdown.model.packet import HoldLevel

StepKind = Literal["failure", "question", "review", "step"]
"""What a step of the checklist comes from; an architecture question is a question."""
GOAL = "{goal}"
"""In a step's check: the command that shows that the goal is met."""


class Recognised(Struct, frozen=True, kw_only=True):
    """Marks of a kind. All that are named must be there; of ``words``, ``items`` and ``paths`` one is enough.

    ``failing_tests``: least and most; ``docs_share`` of the changed files, 0 to 1; ``always``: where nothing else fits.
    """

    words: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    failing_tests: tuple[int, int] | None = None
    docs_share: float | None = None
    changed_files: int = 0
    always: bool = False


class TemplateStep(Struct, frozen=True, kw_only=True):
    """A step that every handoff of the kind asks for: what, the command that shows it, what to do if it does not."""

    step: str
    check: str
    if_not: str


class Template(Struct, frozen=True, kw_only=True):
    """One kind of handoff; ``source`` says where it was read, None: it came with Passdown.

    ``within``: what the run changed elsewhere is closed to the next one, unless somebody asks for it. ``allow`` and
    ``deny`` are patterns. ``order`` of the steps by where they come from, ``if_not`` what each kind of step does when
    its check fails. ``hold``: reasons that hold here; they never lower what the policy says.
    """

    name: str
    title: str
    recognise: Recognised
    last: TemplateStep
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    new_files: int = 2
    order: tuple[StepKind, ...] = ()
    if_not: dict[StepKind, str] = field(default_factory=dict)
    steps: tuple[TemplateStep, ...] = ()
    stop: tuple[str, ...] = ()
    hold: dict[str, HoldLevel] = field(default_factory=dict)
    source: str | None = None

    def shapes_as(self, other: Template) -> bool:
        """Whether both say the same, wherever they were read."""
        return replace(self, source=other.source) == other
