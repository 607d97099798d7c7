"""Which layers of the guard were alive for a run, from what they left in the journal."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passdown.ledger.fact import Fact
from passdown.model.packet import Guard

_LANDED = "outside-landed"
EARLY = "before-read-back"
"""A change inside, by whatever way, while the packet was not read back."""


class Pulse(Struct):
    """What an agent's hook left for one session; ``confined``: how many of its lines came out of a sandbox."""

    calls: int = 0
    confined: int = 0
    denied: int = 0
    landed: int = 0
    early: int = 0
    unread: int = 0


def pulse(facts: Iterable[Fact], session: str | None, since: str | None) -> Pulse:
    """Count a session's facts (None: every session's), from an instant on."""
    found = Pulse()
    for fact in facts:
        if (session is not None and fact.data.get("session") != session) or (since is not None and fact.at < since):
            continue
        where = fact.data.get("where")
        found.calls += 1
        found.confined += fact.data.get("observed_by") == "agent-side"
        found.denied += where in ("outside-blocked", "asked")
        found.landed += where == _LANDED
        found.early += where == EARLY
        found.unread += fact.data.get("rule") == "unread"
    return found


def hook_guard(found: Pulse, *, armed: bool, mode: str, wrote: int) -> Guard | None:
    """The agents' hook as a layer; None where no boundary was armed. ``wrote``: writes that the session shows."""
    if not armed:
        return None
    if not found.calls:
        dead = Guard(layer="hook", state="dead", because="the run wrote and no call of it reached the hook")
        return dead if wrote else Guard(layer="hook", state="off", because="no run yet")
    outside = f"{found.landed} changes landed outside and were told" if found.landed else ""
    early = f"{found.early} changes landed before the read-back" if found.early else ""
    told = "; ".join(filter(None, (outside, early)))
    enforcing = mode == "enforce"
    return Guard(
        layer="hook",
        state="enforcing" if enforcing else "advisory",
        denied=found.denied,
        errors=found.unread,
        because=told or ("" if enforcing else f"the policy says {mode}"),
    )


def sandbox_guard(
    kept: Iterable[Fact], found: Pulse, worktree: str, began: str | None, ended: str | None
) -> Guard | None:
    """The sandbox as a layer of a run; None where none ran in this worktree meanwhile.

    ``kept``: the sandboxes' own facts, oldest first. That a session was in one is told by its hook's lines alone.
    """
    around = _sandboxes(kept, worktree, (began or "", ended or "9"), found)
    if not around:
        return None
    if any(each.get("state") == "advisory" for each in around):
        return _advisory("this machine could not confine it")
    if not found.confined:
        return _advisory("one ran meanwhile, and no line of the hook says that this run was in it")
    if found.confined < found.calls:
        return _advisory(f"{found.calls - found.confined} of {found.calls} calls were made outside it")
    opened = dict.fromkeys(path for each in around if (path := str(each.get("write") or "")))
    return Guard(layer="sandbox", state="enforcing", because=f"open besides: {' '.join(opened)}" if opened else "")


def _advisory(because: str) -> Guard:
    return Guard(layer="sandbox", state="advisory", because=because)


def _sandboxes(
    kept: Iterable[Fact], worktree: str, run: tuple[str, str], found: Pulse
) -> list[dict[str, str | int | None]]:
    """How the sandboxes began that ran at some time of the run.

    One that was killed has no end: it counts only where the run's own lines came out of one.
    """
    here = [fact for fact in kept if fact.data.get("worktree") == worktree]
    ends = {fact.data.get("sandbox"): fact.at for fact in here if fact.data.get("event") == "ended"}
    begun = [fact for fact in here if fact.data.get("event") == "began" and fact.at <= run[1]]
    last = "9" if found.confined else ""
    return [fact.data for fact in begun if ends.get(fact.data.get("sandbox"), last) >= run[0]]
