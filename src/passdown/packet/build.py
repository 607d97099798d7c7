"""One call from a worktree to a packet draft."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from passdown.model.integrity import IntegrityChange
from passdown.model.packet import FileChange, Hold, Item, Outcome, Packet, Place
from passdown.model.paths import to_wire
from passdown.model.policy import Policy
from passdown.model.template import Template
from passdown.packet import drift as drifts
from passdown.packet.ask import Ask, Records
from passdown.packet.boundary import boundary_of
from passdown.packet.checklist import checklist
from passdown.packet.decisions import dead_ends_of, decisions_of
from passdown.packet.files import files_of
from passdown.packet.gather import gather
from passdown.packet.goal import own_words, task_of
from passdown.packet.items import items_of
from passdown.packet.run import commands_of, run_of
from passdown.packet.sources import Sources
from passdown.packet.templates import NAMED, Seen, find, known, recognise
from passdown.packet.unconfirmed import unconfirmed
from passdown.packet.weigh import weighed
from passdown.packet.wire import carried
from passdown.packet.words import NARRATED
from passdown.rules.amount import amount
from passdown.rules.classify import outcome
from passdown.rules.hold import compute
from passdown.rules.redact import Redactor
from passdown.workspace.place import Place as Worktree


def build(place: Worktree, recorder: Records, policy: Policy, ask: Ask) -> Packet:
    """The whole packet of this worktree now, of any size; ``packet`` is None and nothing is written."""
    sources = gather(place, recorder, policy, ask)
    redactor = Redactor(policy.redact_extra, ask.salt)
    packet = redactor.value(carried(compose(sources)))
    packet = msgspec.structs.replace(packet, redactions=dict(redactor.counts), boundary=packet.boundary.sealed())
    return held(sources, packet)


def compose(sources: Sources) -> Packet:
    """The packet from the sources alone: no clock, file or process."""
    task = task_of(sources)
    files = files_of(sources)
    ledgered = items_of(sources)
    template, recognised = _template(sources, ledgered.open)
    boundary = boundary_of(sources, files, ledgered.open, template)
    previous = sources.previous
    return Packet(
        packet=None,
        previous=previous.id if previous else None,
        sealed_at=sources.ask.now,
        task=task,
        run=run_of(sources),
        place=_place(sources),
        files=files,
        commands=commands_of(sources.stretch),
        checks=list(sources.checks),
        outcomes=_outcomes(sources),
        items=ledgered.open,
        decisions=decisions_of(sources),
        dead_ends=dead_ends_of(sources),
        boundary=boundary,
        checklist=checklist(sources, ledgered.open, task.done, template),
        template=template.name,
        template_title=template.title,
        template_because=recognised,
        resume_owner=sources.ask.resume_owner or (sources.task.resume_owner if sources.task else None),
        reviewers=list(sources.ask.reviewers),
        note=sources.ask.note or (previous.body.note if previous is not None and sources.again else None),
        hold=Hold(state="GO"),
        guards=list(sources.ask.guards),
        verdict=None,
        redactions={},
        prohibitions=_prohibitions(sources),
        notes=[*_notes(sources), *unconfirmed(sources, task.done)],
        closed=ledgered.closed,
        integrity=_integrity(sources, files),
        integrity_since=(sources.tests.since or None) if not sources.tests.fault else None,
        put_back=[to_wire(path)[0] for path in sources.put_back],
    )


def held(sources: Sources, packet: Packet) -> Packet:
    """The packet with its hold as of now."""
    drift = drifts.of_base(
        sources.place, sources.base_tip, packet.place.base, sources.ask.snapshot, drifts.allowed(packet.boundary)
    )
    facts = weighed(packet, sources.policy, drift, sources.task, sources.ask)
    end = sources.facts.end if sources.facts is not None else None
    running = end.because if end is not None and end.reason == "running" else None
    return msgspec.structs.replace(packet, hold=compute(replace(facts, running=running)))


def _integrity(sources: Sources, files: Sequence[FileChange]) -> list[IntegrityChange]:
    """What the task did to tests and settings, with who wrote those files in this run."""
    writers = {file.path: file.by for file in files}
    return [msgspec.structs.replace(change, by=writers.get(change.path, [])) for change in sources.tests.entries]


def _place(sources: Sources) -> Place:
    snapshot, place = sources.ask.snapshot, sources.place
    return Place(
        repository=place.repository,
        worktree=str(place.root),
        branch=place.branch,
        base=sources.base,
        head=place.head,
        tree=snapshot.tree,
        on_remote=sources.on_remote,
        worktree_id=place.worktree_id,
        commit_tree=snapshot.commit_tree,
        start=sources.start.treeish,
        start_because=sources.start.because,
        base_because=sources.base_because,
        control=snapshot.control,
    )


def _outcomes(sources: Sources) -> list[Outcome]:
    """What the agent stated, each against the facts, then what files in the repository say."""
    claims = sources.stretch.claims if sources.stretch else []
    found = [outcome(claim, sources.checks, str(sources.place.root)) for claim in claims]
    found += _said_before(sources)
    for told in sources.told:
        because = f"only said in {told.source}"
        found.append(Outcome(text=told.text, class_="CLAIMED", evidence=[], because=because, source=told.source))
    return found


def _said_before(sources: Sources) -> list[Outcome]:
    """Where the session did not go on since the previous packet: what it said then and nothing shows."""
    facts, previous = sources.facts, sources.previous
    if sources.again and previous is not None:
        return [o for o in previous.body.outcomes if (o.source or "").startswith(NARRATED)]
    if facts is None or previous is None or previous.body.run.session != facts.session:
        return []
    if sources.after < facts.input.records - 1:
        return []
    return [o for o in previous.body.outcomes if o.source is None and o.class_ in ("CONTRADICTED", "CLAIMED")]


def _prohibitions(sources: Sources) -> list[str]:
    """What the person forbade, in all runs of the task, verbatim and once."""
    before = sources.previous.body.prohibitions if sources.previous else []
    said = sources.facts.prohibitions if sources.facts else []
    lifted = {p.text for p in said if p.lifted is not None}
    return [text for text in dict.fromkeys([*before, *(p.text for p in said)]) if text not in lifted]


def _notes(sources: Sources) -> list[str]:
    snapshot = sources.ask.snapshot
    found = [*snapshot.notes, *(f"hidden from git status: {path}" for path in snapshot.hidden)]
    if sources.start.treeish is None:
        found.append(f"start of the run {sources.start.because}")
    if sources.merged:
        merged = amount(sources.merged, "file")
        found.append(f"{merged} came from the base branch by a merge: not counted as this run's")
    found += sources.unread
    if sources.tests.fault:
        found.append(f"tests were not compared with where the task began: {sources.tests.fault}")
    return found


def _template(sources: Sources, items: list[Item]) -> tuple[Template, str]:
    """The kind that a person named, in this packet or in one before, else the one whose marks are there."""
    own = sources.policy.templates
    if sources.ask.template:
        return find(sources.ask.template, own), NAMED
    before = sources.previous.body if sources.previous else None
    if before is not None and before.template_because == NAMED and before.template in {t.name for t in known(own)}:
        return find(before.template, own), NAMED
    words = " ".join(request.text for request in own_words(sources.facts))
    goal = sources.task.goal.text if sources.task else ""
    failing = {item.text for item in items if item.kind == "failure" and item.check}
    changed, kinds = [change.path for change in sources.changes], [item.kind for item in items]
    return recognise(Seen(f"{goal} {words}", changed, len(failing), kinds), own)
