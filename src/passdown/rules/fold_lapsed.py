"""What is left of an answer whose comment was edited or is gone.

Whoever may write to a repository may delete another's comment there, who ran the agent too. So a lapse takes away what
an answer let happen and leaves what it forbade: that ends with a new answer of the same reviewer.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from passdown.model.event import Verdict
from passdown.model.packet import Packet
from passdown.rules.task import Stated


def only_restricting(given: Verdict, packets: Sequence[Stated[Packet]]) -> Verdict:
    """The answer without what it added, lifted, waived, accepted or took for done."""
    sealed = next((stated.body.boundary for stated in packets if stated.id == given.packet), given.boundary)
    had = {entry.path for entry in sealed.allow}
    denied = {entry.path for entry in given.boundary.deny}
    boundary = replace(
        given.boundary,
        allow=[entry for entry in given.boundary.allow if entry.path in had],
        deny=[*given.boundary.deny, *(entry for entry in sealed.deny if entry.path not in denied)],
        opened=[path for path in given.boundary.opened if path in sealed.opened],
    ).sealed()
    return replace(
        given,
        boundary=boundary,
        boundary_digest=boundary.digest,
        waived={},
        acceptance={},
        accepted=[],
        tests_accepted=[],
    )
