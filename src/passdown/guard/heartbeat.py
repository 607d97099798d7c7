"""Which layers of the guard were alive for a run, from what they left in the journal."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passdown.ledger.fact import Fact
from passdown.model.packet import Guard

_LANDED = "outside-landed"


class Pulse(Struct):
    """What an agent's hook left for one session."""

    calls: int = 0
    denied: int = 0
    landed: int = 0
    unread: int = 0


def pulse(facts: Iterable[Fact], session: str | None, since: str | None) -> Pulse:
    """Count a session's facts (None: every session's), from an instant on."""
    found = Pulse()
    for fact in facts:
        if (session is not None and fact.data.get("session") != session) or (since is not None and fact.at < since):
            continue
        where = fact.data.get("where")
        found.calls += 1
        found.denied += where in ("outside-blocked", "asked")
        found.landed += where == _LANDED
        found.unread += fact.data.get("rule") == "unread"
    return found


def hook_guard(found: Pulse, *, armed: bool, mode: str, wrote: int) -> Guard | None:
    """The agents' hook as a layer; None where no boundary was armed. ``wrote``: writes that the session shows."""
    if not armed:
        return None
    if not found.calls:
        dead = Guard(layer="hook", state="dead", because="the run wrote and no call of it reached the hook")
        return dead if wrote else Guard(layer="hook", state="off", because="no run yet")
    told = f"{found.landed} changes landed outside and were told" if found.landed else ""
    enforcing = mode == "enforce"
    return Guard(
        layer="hook",
        state="enforcing" if enforcing else "advisory",
        denied=found.denied,
        errors=found.unread,
        because=told or ("" if enforcing else f"the policy says {mode}"),
    )
