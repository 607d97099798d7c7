"""A sealed packet as it stands now: hold, guards, classes, freshness, verdict and state are computed anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from passdown.checks.integrity.found import Found
from passdown.checks.tree import TreeView
from passdown.ledger.writer import known_writer
from passdown.model.boundary import Boundary
from passdown.model.event import Record, Verdict
from passdown.model.evidence import Freshness
from passdown.model.packet import Done, Item, Outcome, Packet, PacketCheck, PacketVerdict, Task
from passdown.model.policy import Policy
from passdown.model.session import Claim, ClaimClass
from passdown.packet import drift as drifts
from passdown.packet.acceptance_now import acceptance_now
from passdown.packet.ask import Ask, Records
from passdown.packet.base_branch import base_of
from passdown.packet.now import now_of, trusted, view_of
from passdown.packet.own_settings import Ours, settings_moved
from passdown.packet.parsing import repaired
from passdown.packet.place_now import landed_outside, push, pushed, verdict_fault, wrong_place
from passdown.packet.reopened import reopened
from passdown.packet.unconfirmed import confirmed_since
from passdown.packet.weigh import weighed
from passdown.rules.classify import outcome
from passdown.rules.fold import fold, same_task
from passdown.rules.hold import compute
from passdown.rules.hold_facts import Drift, HoldFacts
from passdown.rules.installed import init_wrote
from passdown.rules.owner_notes import owner_notes
from passdown.rules.task import TaskView
from passdown.workspace import history
from passdown.workspace.midway import midway
from passdown.workspace.place import Place
from passdown.workspace.snapshot import kept

_CLAIMS: dict[str, ClaimClass] = {
    "VERIFIED": "SUPPORTED",
    "OBSERVED": "SUPPORTED",
    "CLAIMED": "UNSUPPORTED",
    "CONTRADICTED": "CONTRADICTED",
}
_DIGEST = 64


class _Moment(msgspec.Struct, frozen=True):
    place: Place
    policy: Policy
    ask: Ask
    records: Sequence[Record]


def standing(place: Place, recorder: Records, policy: Policy, packet: Packet, ask: Ask) -> Packet:
    """The packet with today's values; what is sealed stays."""
    records = recorder.records()
    tasks = fold(records, trusted(place, ask))
    task = tasks.get(packet.task.id)
    view = view_of(place, ask)
    found, told = now_of(view, records, policy, ask, packet)
    checks = _checks(packet, found, ask.snapshot.tree)
    base = base_of(place, policy.base)
    fault = verdict_fault(place, base, task, packet) or ask.lapsed
    now = msgspec.structs.replace(
        packet,
        task=_task(packet, task, checks),
        checks=checks,
        outcomes=[_outcome(o, packet, checks, str(place.root)) for o in packet.outcomes],
        guards=list(ask.guards) or packet.guards,
        verdict=None if fault else _verdict(recorder, task, packet),
        notes=[note for note in packet.notes if not confirmed_since(note, checks)],
        still_open=_still_open(task, packet, view),
        items_since=_since(task, packet),
        **_noted(task, packet),
        **_integrity(packet, task, same_task(tasks, place.worktree_id, place.branch), told),
        readback=policy.readback,
        owner_notes=owner_notes(task, packet.packet) if task is not None and packet.packet else [],
    )
    now = msgspec.structs.replace(now, reopened=reopened(now, task))
    moved = drifts.of_base(place, base.tip, packet.place.base, ask.snapshot, drifts.allowed(packet.boundary))
    facts = _facts(_Moment(place, policy, ask, records), now, task, moved)
    elsewhere = other_clone(place, records, packet)
    facts = msgspec.structs.replace(
        facts,
        verdict_fault=fault,
        verdict=now.verdict is not None,
        answered_away=_answered_away(records, packet),
        integrity=_broken(recorder, records, packet),
        elsewhere=elsewhere,
        other_clone=elsewhere and (packet.place.head is None or history.resolve(place, packet.place.head) is None),
        drift=msgspec.structs.replace(facts.drift, control=()) if elsewhere else facts.drift,  # each clone has its own
        superseded_by=_superseded(packet, task, same_task(tasks, place.worktree_id, place.branch)),
    )
    return msgspec.structs.replace(now, hold=compute(facts))


def _integrity(packet: Packet, task: TaskView | None, here: TaskView | None, told: Found) -> dict[str, Any]:
    """What the task did to tests until now, where its packet is shown in its own place; else what was sealed."""
    if told.fault or task is None or here is not task:
        return {}
    writers = {change.path: change.by for change in packet.integrity}
    now = [msgspec.structs.replace(change, by=writers.get(change.path, [])) for change in told.entries]
    return {"integrity": now, "integrity_since": told.since or None}


def as_sealed(packet: Packet) -> Packet:
    """The packet as it was sealed: no verdict, hold and classes of that moment."""
    return msgspec.structs.replace(packet, verdict=None)


def _facts(moment: _Moment, packet: Packet, task: TaskView | None, moved: Drift) -> HoldFacts:
    """Drift, place and content as of now. While its run is open, the worktree's changes are that run's."""
    place, ask = moment.place, moment.ask
    resumed = task.open_run() if task is not None else None
    ours = resumed is not None and resumed.body.packet == packet.packet
    coming = (task.next_boundary() if task is not None else None) or packet.boundary
    written = init_wrote(moment.records, place.worktree_id)
    here = Drift() if ours else _here(moment, packet, coming, written)
    facts = weighed(packet, moment.policy, drifts.together(here, moved), task, ask)
    landed: Sequence[str] = []
    if resumed is not None:
        landed = landed_outside(place, moment.policy, resumed, ask.snapshot, coming, ours=written)
    elsewhere = wrong_place(place, packet)
    content = [] if kept(place, packet.place.tree) else [f"tree {packet.place.tree[:12]}"]
    at = midway(place)
    running = ask.facts is not None and ask.facts.session == packet.run.session and ask.facts.end.reason == "running"
    return msgspec.structs.replace(
        facts,
        landed_outside=[*facts.landed_outside, *landed],
        missing_content=content if packet.packet else [],
        wrong_place=elsewhere[0] if elsewhere is not None else None,
        right_place=elsewhere[1] if elsewhere is not None else "",
        push=push(place, packet),
        pushed=pushed(place, packet),
        midway=(at.name, at.finish, at.leave) if at is not None else None,
        running=ask.facts.end.because if running and ask.facts is not None else ask.running,
    )


def _here(moment: _Moment, packet: Packet, coming: Boundary, written: Ours) -> Drift:
    """What moved in the packet's own worktree since it was sealed: files, settings."""
    place, now = moment.place, moment.ask.snapshot
    found = drifts.since_sealed(place, packet, now, coming, written)
    own = packet.place.worktree_id == place.worktree_id
    moved = own and settings_moved(place, moment.records, packet, now.control)
    return msgspec.structs.replace(found, control=[drifts.SETTINGS]) if moved else found


def _checks(packet: Packet, now: Sequence[PacketCheck], tree: str) -> list[PacketCheck]:
    """Today's checks in the sealed order; what only the transcript showed stands, older than any later edit."""
    today = {check.name: check for check in now}
    found = []
    for sealed in packet.checks:
        current = today.pop(sealed.name, None)
        seen_alone = sealed.observed_by == "transcript"
        if current is not None and not (
            seen_alone and (current.result is None or (current.at or "") < (sealed.at or ""))
        ):
            found.append(msgspec.structs.replace(current, origin=current.origin or sealed.origin))
        elif tree != packet.place.tree and sealed.freshness.state in ("FRESH", "UNBOUND") and sealed.result is not None:
            found.append(msgspec.structs.replace(sealed, freshness=Freshness(state="STALE", because=["edited since"])))
        else:
            found.append(sealed)
    return [*found, *today.values()]


def _task(packet: Packet, task: TaskView | None, checks: Sequence[PacketCheck]) -> Task:
    known = {check.name: check for check in checks}
    done = [
        Done(check=d.check, class_=known[d.check].class_, result=known[d.check].result) if d.check in known else d
        for d in packet.task.done
    ]
    asked = acceptance_now(packet, task, checks)
    return msgspec.structs.replace(
        packet.task, done=done, acceptance=asked, state=task.state if task is not None else packet.task.state
    )


def _outcome(sealed: Outcome, packet: Packet, checks: Sequence[PacketCheck], root: str) -> Outcome:
    """The statement's class today; what a file in the repository says stays only said."""
    if sealed.source is not None:
        return sealed
    commands = {c.evidence: c.command for c in packet.checks if c.evidence} | {c.name: c.command for c in packet.checks}
    first = sealed.evidence[0] if sealed.evidence else None
    check = commands.get(first, first if first and len(first) != _DIGEST else None) if first else None
    claim = Claim(
        at=None,
        text=sealed.text,
        class_=_CLAIMS[sealed.class_],
        because=sealed.because,
        record=sealed.record,
        check=check,
    )
    return outcome(claim, checks, root)


def _answered_away(records: Sequence[Record], packet: Packet) -> str:
    """The newest answer of another clone to this packet, in words; "" where there is none."""
    told = [r.body for r in records if not r.here and isinstance(r.body, Verdict) and r.body.packet == packet.packet]
    return f"{told[-1].by} answered ({told[-1].answer})" if told else ""


def _still_open(task: TaskView | None, packet: Packet, view: TreeView) -> list[str] | None:
    """Which sealed items neither the record nor the files themselves have closed since."""
    if task is None:
        return None
    closed = {closed.item.id for closed in task.closed_items}
    still = {item.id for item in task.items}
    known = [item for item in packet.items if item.id in still or item.id not in closed]
    same = packet.place.tree == view.tree
    return [item.id for item in known if same or not repaired(item, view)]


def _since(task: TaskView | None, packet: Packet) -> list[Item]:
    """Items that were opened after this packet, the task's newest, was sealed."""
    if task is None or task.latest is None or task.latest.id != packet.packet:
        return []
    sealed = {item.id for item in packet.items}
    return [item for item in task.items if item.id not in sealed]


def _noted(task: TaskView | None, packet: Packet) -> dict[str, Any]:
    """Decisions and dead ends in their latest state, for the task's newest packet."""
    if task is None or task.latest is None or task.latest.id != packet.packet:
        return {}
    return {"decisions": list(task.decisions), "dead_ends": list(task.dead_ends)}


def _verdict(recorder: Records, task: TaskView | None, packet: Packet) -> PacketVerdict | None:
    given = task.decision_of(packet.packet) if task is not None and packet.packet else None
    if given is None or task is None:
        return None
    body = given.body
    return PacketVerdict(
        answer=body.answer,
        by=body.by,
        presence=body.presence,
        self=body.self_,
        at=given.at,
        note=next((note.text for note in owner_notes(task, packet.packet or "") if note.by == body.by), None),
        signed=bool(recorder.person_keys(given.id)),
    )


def _broken(recorder: Records, records: Sequence[Record], packet: Packet) -> list[str]:
    """What does not verify in this task's records."""
    mine = {record.id for record in records if record.task == packet.task.id}
    bad = [
        f"record {record.id[:7]} ({record.type}) does not verify"
        for record in records
        if not record.trusted and record.id in mine
    ]
    alarms = [alarm.text for alarm in recorder.alarms() if not alarm.statements or mine & set(alarm.statements)]
    return [*bad, *alarms]


def other_clone(place: Place, records: Sequence[Record], packet: Packet) -> bool:
    """Whether it was sealed in another clone than this one."""
    writer = next((record.writer for record in records if record.id == packet.packet), None)
    return writer is not None and writer != known_writer(place.home)


def _superseded(packet: Packet, task: TaskView | None, here: TaskView | None) -> str | None:
    """A newer packet of the task, or a newer task at this spot."""
    if task is not None and task.latest is not None and packet.packet and task.latest.id != packet.packet:
        return f"packet {task.latest.id[:7]} is newer"
    if here is not None and here.id != packet.task.id:
        return here.title
    return None
