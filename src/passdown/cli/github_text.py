"""What a pull request is told: the packet's text, the lines to answer with, and a status in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.owner_rows import owners_of, told
from passdown.packet.hold_words import title
from passdown.packet.markdown import code, markdown
from passdown.rules.amount import amount
from passdown.rules.review import DIGITS, lists_signers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.cli.context import Context
    from passdown.forge.publish import State
    from passdown.model.packet import Packet

_SHORT = 7
_OWNERS = 10
_WHO_COUNTS = (
    "Counts from an owner of those paths, as a comment of its own that is never edited; further lines are a note to "
    "the next run. It lets an agent go on and does not approve the code."
)


def short_of(packet: str, others: Sequence[str], length: int = _SHORT) -> str:
    """At least so many digits of the packet's digest, as many as it takes to mean no other packet."""
    while length < len(packet) and any(one != packet and one.startswith(packet[:length]) for one in others):
        length += 1
    return packet[:length]


def comment_text(context: Context, packet: Packet, elsewhere: str | None, judged: str | None = None) -> str:
    """The whole comment; ``elsewhere``: why the commit of the request is other code than the packet's.

    ``judged``: what `verify` answered in CI.
    """
    known = [record.id for record in context.recorder.records(type="packet")]
    parts = [markdown(packet).rstrip("\n")]
    if elsewhere:
        parts.append(f"**Other code:** {elsewhere}")
    asked = owners_of(context, packet, context.task_of(packet), context.lapsed(packet))
    if asked:
        parts.append("\n".join(["**Owners**", "", *(f"- {code(told(one))}" for one in asked[:_OWNERS])]))
    if judged:
        parts.append(f"**passdown verify in CI:** {judged}")
    parts.append(
        "\n".join(
            ["**Answer** with a comment:", "", *_lines(packet, short_of(packet.packet or "", known, _digits(context)))]
        )
    )
    parts.append(f"<sub>{_WHO_COUNTS}</sub>")
    return "\n\n".join(parts) + "\n"


def _digits(context: Context) -> int:
    """More where CI goes by comments: a review is required, and nobody's signature is listed."""
    return DIGITS if context.policy.review_required and not lists_signers(context.policy) else _SHORT


def _lines(packet: Packet, short: str) -> list[str]:
    allowed = packet.boundary.allow
    drop = f"-{allowed[-1].id}" if allowed else "-docs/**"
    return [
        "```text",
        f"/passdown approve {short}",
        f"/passdown narrow {short} {drop} +path/to/add.py",
        f"/passdown rollback {short}",
        f"/passdown handover {short} @who",
        "```",
    ]


def light_of(packet: Packet, elsewhere: str | None) -> tuple[State, str]:
    """``(state, description)``: failure where it is held, success where all asked-for checks pass on this code.

    What was not measured is never a success; nor is a packet of other code.
    """
    short = (packet.packet or "")[:_SHORT]
    if packet.hold.state == "HOLD":
        first = next(reason for reason in packet.hold.reasons if reason.level == "hold")
        return "failure", f"{short} HOLD: {title(first)}"
    answered = f", {packet.verdict.answer} by {packet.verdict.by}" if packet.verdict else ", not answered yet"
    if elsewhere:
        return "pending", f"{short} is of other code than this commit{answered}"
    passing = sum(done.class_ == "VERIFIED" and done.result == "PASSED" for done in packet.task.done)
    asked = len(packet.task.done)
    if not asked:
        return "pending", f"{short} {packet.hold.state}: no acceptance check is named{answered}"
    told = f"{passing} of {amount(asked, 'acceptance check')} pass on this code"
    return ("success" if passing == asked else "pending"), f"{short} {packet.hold.state}: {told}{answered}"
