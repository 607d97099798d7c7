"""Who reviews: the person of this clone, whether they ran the agent, and the key that they sign with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from passdown.ledger.person import PersonSigner, find_signer, presence
from passdown.review.verdict import Reviewer

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet, Presence


class Signer(Struct, frozen=True):
    """The person's signer and how sure it is that a person is there."""

    signs: PersonSigner
    presence: Presence


def signer(context: Context) -> Signer:
    """The key of the person at this clone, where there is a usable one."""
    found = find_signer(context.place)
    return Signer(found, presence(getattr(found, "key", None)))


def reviewer(context: Context, packet: Packet, person: Signer) -> Reviewer:
    """The person here; ``self_`` where the packet was packed by the same one, or in this clone by nobody named."""
    ran = packet.run.by
    return Reviewer(context.me, person.presence, ran is None or ran == context.me)
