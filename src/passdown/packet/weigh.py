"""The hold of a packet from what is known about it now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from passdown.model.event import Lifted, Verdict
from passdown.model.packet import Packet
from passdown.model.paths import printable
from passdown.model.policy import Policy
from passdown.packet.ask import Ask, Strays
from passdown.packet.guard_words import guard_words
from passdown.packet.templates import holds
from passdown.rules.hold_facts import Drift, HoldFacts, Replan
from passdown.rules.instants import days_between
from passdown.rules.open_now import open_now
from passdown.rules.review import falls_short
from passdown.rules.task import Stated, TaskView
from passdown.rules.trust import Trust

_ON_CONTENT = ("tree-drift", "boundary-violated")


def weighed(packet: Packet, policy: Policy, drift: Drift, task: TaskView | None, ask: Ask) -> HoldFacts:
    """What a packet, its task's record and the drift say; the caller adds what only it can see."""
    now = ask.now
    decision = task.decision_of(packet.packet) if task is not None and packet.packet else None
    approved = decision is not None and decision.body.answer in ("approve", "narrow")
    pending = task.asked_back(decision) if task is not None else None
    age = days_between(packet.sealed_at, now)
    if approved and decision is not None:  # what the next run may write is the answer's boundary, not the proposal
        packet = msgspec.structs.replace(packet, boundary=decision.body.boundary)
    return HoldFacts(
        packet=packet,
        mode=policy.mode,
        drift=msgspec.structs.replace(drift, outside=ask.strays.between if ask.strays is not None else ()),
        replan=_replan(packet, drift, _before(packet, task), age),
        age_days=age,
        held_by_person=_held(task),
        handed_over=decision.body.assignee if decision is not None and decision.body.answer == "reassign" else None,
        rollback_pending=pending.by if pending else None,
        rollback_to=pending.to or "" if pending else "",
        readback_failures=task.failed_readbacks(packet.packet) if task is not None else 0,
        landed_outside=_landed(packet, ask, approved=approved),
        dead_guards=[guard_words(guard) for guard in packet.guards if guard.state == "dead"],
        verdict=decision is not None,
        verdict_short=_short(policy, decision, ask) if decision else None,
        review_required=policy.review_required,
        lifts=_lifts(task, ask, decision) if task is not None else [],
        levels=policy.hold,
        kind_holds=holds(packet.template, policy.templates),
        limits=policy.limits,
    )


def _short(policy: Policy, decision: Stated[Verdict], ask: Ask) -> str | None:
    trust, body = ask.trust or Trust(), decision.body
    signer = trust.signer(decision.id, decision.at)
    hardware = partial(trust.hardware, decision.id, decision.at)
    return falls_short(policy, body, by_runner=body.self_, signer=signer, hardware=hardware)


def _lifts(task: TaskView, ask: Ask, decision: Stated[Verdict] | None) -> list[Lifted]:
    """Without the reasons that hold again: what was said anew since, in the same words; paths with other content."""
    strays = ask.strays or Strays()
    again = {printable(path) for path in (*strays.landed, *strays.between)}
    said = {"held-by-person": task.held, "handed-over": decision, "rollback-pending": decision}
    found = []
    for stated in task.lifts:
        lift = stated.body
        gone = {code for code, one in said.items() if one is not None and one.order > stated.order}
        gone |= set(_ON_CONTENT) if again & set(lift.accepted) else set()
        codes = [code for code in lift.codes if code not in gone]
        if codes or not gone:
            found.append(msgspec.structs.replace(lift, codes=codes))
    return found


def _landed(packet: Packet, ask: Ask, *, approved: bool) -> list[str]:
    """What runs changed outside and nobody accepted: of the task as far as it was looked at, and of a draft."""
    if ask.strays is not None and packet.packet is not None:
        return list(ask.strays.landed)
    own = [] if approved else [file.path for file in packet.files if file.inside is False]
    return list(dict.fromkeys([*own, *(ask.strays or Strays()).landed]))


def _held(task: TaskView | None) -> str | None:
    return f'held by {task.held.body.by}: "{task.held.body.because}"' if task is not None and task.held else None


def _before(packet: Packet, task: TaskView | None) -> Stated[Packet] | None:
    packets: Sequence[Stated[Packet]] = task.packets if task is not None else []
    return next((p for p in reversed(packets) if p.id == packet.previous), None)


def _replan(packet: Packet, drift: Drift, before: Stated[Packet] | None, age: float | None) -> Replan:
    hardest = max(open_now(packet), key=lambda item: item.tries or 0, default=None)
    return Replan(
        tries=hardest.tries if hardest else None,
        tried=hardest.text.rpartition("::")[2] if hardest else "",
        check=(hardest.check or "") if hardest else "",
        boundary_files=len(packet.boundary.allow),
        changed_upstream=len(drift.base_paths) if drift.base_commits is not None else None,
        contradicted=sum(outcome.class_ == "CONTRADICTED" for outcome in packet.outcomes),
        architecture=[item.id for item in open_now(packet) if item.kind == "architecture"],
        failing=failing(packet),
        failing_before=failing(before.body) if before is not None else None,
        age_days=age,
    )


def failing(packet: Packet) -> int:
    """How many checks fail."""
    return sum(check.result in ("FAILED", "ERROR") for check in packet.checks)
