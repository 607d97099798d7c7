"""The packet's boundary: the one that is in force, narrowed by new prohibitions, else a proposal from the facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from passdown.model.boundary import Boundary
from passdown.model.packet import FileChange, Item
from passdown.model.paths import from_wire
from passdown.model.template import Template
from passdown.packet.files import USER, closed_places, forbidden_by_user, open_places
from passdown.packet.goal import own_words
from passdown.packet.sources import Sources
from passdown.rules.forbidden import conditions, confines
from passdown.rules.leftovers import leftover
from passdown.rules.match import Matcher
from passdown.rules.propose import ProposalFacts, Wanted, added_denials, propose
from passdown.rules.protect import protected


def boundary_of(sources: Sources, files: Sequence[FileChange], items: Sequence[Item], template: Template) -> Boundary:
    """What the next run may write."""
    facts = _facts(sources, files, items, template)
    known = _decided(sources)
    return propose(facts) if known is None else added_denials(known, facts)


def _decided(sources: Sources) -> Boundary | None:
    """The boundary in force that a person decided on: one's own Enter on a proposal leaves it a proposal."""
    force = sources.in_force
    if force is None:
        return _answered(sources)
    if force.source == "proposed":
        return None
    return None if force.source == "reviewed" and _entered(sources, force.packet) else force.boundary


def _entered(sources: Sources, packet: str | None) -> bool:
    """Whether all that was said to the packet is one's own Enter, on a boundary that was proposed."""
    task = sources.task
    given = [v.body for v in task.verdicts if v.body.packet == packet] if task else []
    sealed = next((p.body.boundary.source for p in task.packets if p.id == packet), None) if task else None
    return bool(given) and sealed == "proposed" and all(v.self_ and v.answer == "approve" for v in given)


def _answered(sources: Sources) -> Boundary | None:
    """The answer to the packet before, where no run was resumed in it."""
    previous = sources.previous
    given = sources.task.decision_of(previous.id) if sources.task is not None and previous is not None else None
    if previous is None or given is None or given.body.answer not in ("approve", "narrow"):
        return None
    return None if _entered(sources, previous.id) else given.body.boundary


def _facts(sources: Sources, files: Sequence[FileChange], items: Sequence[Item], template: Template) -> ProposalFacts:
    earlier = sources.in_force.boundary if sources.in_force else _answered(sources)
    if earlier is None and sources.previous is not None:
        earlier = sources.previous.body.boundary
    verified = any(check.class_ == "VERIFIED" and check.kind == "test" for check in sources.checks)
    open_paths = {path for item in items for path in item.paths}
    done = verified and not items
    changed = [*_work(files, "changed in this run"), *_earlier(sources)]
    return ProposalFacts(
        unfinished=[] if done else changed,
        failing=list(_of_items(items, ("failure",))),
        items=list(_of_items(items, ("review", "step", "question", "architecture"))),
        prohibited=[*_prohibited(sources), *_still_prohibited(sources, earlier)],
        denied=list(_denied(sources)),
        finished=[Wanted(w.path, "done: tests pass on it") for w in changed if done and w.path not in open_paths],
        owned=[Wanted(pattern, f"owner {owner}") for pattern, owner in sources.ask.owned],
        paths=set(sources.paths),
        together=sources.together,
        kept=[*earlier.allow, *earlier.deny] if earlier else [],
        only=[] if done else [*open_places(sources.facts, sources.paths), *_still_open(sources, earlier)],
        favoured=[] if done else [Wanted(pattern, _by(template)) for pattern in template.allow],
        closed=list(_closed(template, files, open_paths)),
        new_files=0 if _confined(sources) else template.new_files,
        stop=[*template.stop, *_conditions(sources)],
        opened=list(_opened(sources)),
        version=(earlier.version if earlier else 0) + 1,
    )


def _by(template: Template) -> str:
    return f"template {template.name}"


def _closed(template: Template, files: Sequence[FileChange], open_paths: Collection[str]) -> Iterator[Wanted]:
    """What this kind of handoff leaves alone, but for what an open item or the request names."""
    changed = [from_wire(file.path, file.path_b64) for file in files] if template.within else []
    needed = {*open_paths, *(from_wire(file.path, file.path_b64) for file in files if file.in_goal)}
    within = Matcher.compile(template.within)
    for path in changed:
        if within.matches(path) is None and path not in needed:
            yield Wanted(path, _by(template))
    for pattern in template.deny:
        if all(Matcher.compile([pattern]).matches(path) is None for path in needed):
            yield Wanted(pattern, _by(template))


def _work(files: Sequence[FileChange], because: str) -> Iterator[Wanted]:
    """What the run itself changed inside its boundary; what the goal does not speak of comes last."""
    for file in sorted(files, key=lambda file: file.in_goal is False):
        free = file.status != "deleted" and "foreign" not in file.by and file.inside is not False
        if free and leftover(file.path) is None:
            yield Wanted(from_wire(file.path, file.path_b64), because)


def _earlier(sources: Sources) -> Iterator[Wanted]:
    """What earlier runs of the task changed: their diff is unfinished too."""
    for packet in sources.task.packets if sources.task else []:
        for want in _work(packet.body.files, f"changed in the run of {packet.id[:7]}"):
            if want.path in sources.paths:
                yield want


def _of_items(items: Sequence[Item], kinds: Sequence[str]) -> Iterator[Wanted]:
    for item in items:
        if item.kind in kinds:
            for path in item.paths:
                yield Wanted(path, f"{item.id}: {item.text}")


def _prohibited(sources: Sources) -> Iterator[Wanted]:
    """The person's words, verbatim, for each place that they close."""
    for place, words in closed_places(sources.facts):
        yield Wanted(place, f'{USER}"{words}"')


def _still_prohibited(sources: Sources, earlier: Boundary | None) -> Iterator[Wanted]:
    """What the person said in earlier sessions of the task and did not take back."""
    said = sources.facts.prohibitions if sources.facts else []
    lifted = " ".join(p.text for p in said if p.lifted is not None)
    for entry in earlier.deny if earlier else []:
        for because in (entry.because, *entry.also):
            words = because.removeprefix(USER)
            if words != because and words.strip('"') not in lifted:
                yield Wanted(entry.path, because)


def _still_open(sources: Sources, earlier: Boundary | None) -> Iterator[Wanted]:
    """The only places that the person left open in earlier sessions of the task, where they said nothing new of it."""
    said = sources.facts.prohibitions if sources.facts else []
    if earlier is None or not _confined(sources) or any(confines(p.text) for p in said):
        return
    for entry in earlier.allow:
        if entry.because.startswith(USER):
            yield Wanted(from_wire(entry.path, entry.path_b64), entry.because)


def _confined(sources: Sources) -> bool:
    """Whether the person named the only places to change: new files beside them are none of these."""
    said = sources.facts.prohibitions if sources.facts else []
    lifted = {p.text for p in said if p.lifted is not None}
    earlier = sources.previous.body.prohibitions if sources.previous else []
    return any(confines(text) for text in (*earlier, *(p.text for p in said)) if text not in lifted)


def _conditions(sources: Sources) -> Iterator[str]:
    """What the person wants kept and that no path can say: to break it, the next run stops and reports."""
    texts = list(sources.previous.body.prohibitions) if sources.previous else []
    said = sources.facts.prohibitions if sources.facts else []
    lifted = {p.text for p in said if p.lifted is not None}
    clauses = (c for text in [*texts, *(p.text for p in said)] if text not in lifted for c in conditions(text))
    places = {" ".join(words.split()) for _, words in closed_places(sources.facts)}
    yield from (f'it would break "{c}"' for c in dict.fromkeys(clauses) if c not in places)


def _denied(sources: Sources) -> Iterator[Wanted]:
    for rule in sources.policy.deny:
        yield Wanted(rule.path, rule.because)
    for told in sources.rules:
        for place in told.paths:
            yield Wanted(place, f"{told.source}: {told.text}")


def _opened(sources: Sources) -> Iterator[str]:
    """Protected files that the person's own request names by their whole path."""
    texts = " ".join([*(r.text for r in own_words(sources.facts)), sources.ask.goal or ""])
    forbidden = forbidden_by_user(sources, {*sources.paths, *(c.path for c in sources.changes)})
    named = {word.strip("`'\",;:()").removeprefix("./") for word in texts.split()}
    for path in sorted(named & {*sources.paths, *(c.path for c in sources.changes)}):
        if protected(path) is not None and (forbidden is None or forbidden.matches(path) is None):
            yield "/" + path if "/" not in path else path
