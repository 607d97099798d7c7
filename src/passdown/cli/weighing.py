"""What packets are built and weighed with here and now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet
    from passdown.model.session import SessionFacts
    from passdown.packet.ask import Ask


def ask_now(
    context: Context, facts: SessionFacts | None = None, *, goal: str | None = None, note: str | None = None
) -> Ask:
    """This moment and these wishes, as packets are built and weighed with."""
    from passdown.cli.layers_alive import layers_alive
    from passdown.cli.strays import weighed_strays
    from passdown.packet.ask import Ask
    from passdown.review.owners import others

    touched = [write.path.removeprefix(f"{context.place.root}/") for write in facts.writes] if facts else []
    mine = [name for name in (context.policy.resume_owner, *context.person) if name]
    return Ask(
        now=context.now,
        snapshot=context.snapshot,
        facts=facts,
        goal=goal,
        note=note,
        resume_owner=context.resume_owner,
        reviewers=context.owners.of_all(touched),
        owned=others(context.owners, mine, touched),
        salt=context.salt,
        trust=context.trust,
        guards=layers_alive(context, facts),
        strays=weighed_strays(context, context.task),
    )


def as_it_stands(context: Context, packet: Packet) -> Packet:
    """A sealed packet with today's hold, classes, freshness, verdict and state."""
    from msgspec.structs import replace

    from passdown.cli.still_running import still_running
    from passdown.cli.strays import weighed_strays
    from passdown.packet.standing import standing

    task = context.tasks.get(packet.task.id)
    ask = replace(
        ask_now(context),
        lapsed=context.lapsed(packet),
        running=still_running(packet, context.place.root),
        strays=weighed_strays(context, task),
    )
    return standing(context.place, context.recorder, context.policy, packet, ask)
