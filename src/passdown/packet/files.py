"""What differs between the run's start and now: who wrote it, inside or outside, in the goal or not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from passdown.model.packet import FileChange, Writer
from passdown.model.paths import printable, to_wire
from passdown.model.session import Prohibition, SessionFacts
from passdown.packet.goal import own_words
from passdown.packet.left_behind import NOTES
from passdown.packet.sources import Sources
from passdown.packet.writers import Known, writers
from passdown.rules.counterparts import Names
from passdown.rules.forbidden import closed, left_open
from passdown.rules.judge import Context, judge
from passdown.rules.leftovers import leftover
from passdown.rules.match import Matcher
from passdown.rules.patterns import lazy
from passdown.rules.propose import Wanted, named
from passdown.workspace.generated import generated

_TOKEN = lazy(r"[\w./\-\[\]]+")
_SHORT = 4
USER = "user: "
"""What stands before the person's own words where they are a reason."""


def files_of(sources: Sources) -> list[FileChange]:
    """Every changed path, in order."""
    known = sources.known
    ways = {c.path: writers(c.path, known) if known is not None else [] for c in sources.changes}
    outside = outside_of(sources) if sources.in_force is not None else _against_words(sources, ways)
    goal = _goal_paths(sources)
    found = []
    for change in sources.changes:
        path, path_b64 = to_wire(change.path)
        bound = sources.in_force is not None or change.path in outside
        inside = change.path not in outside if bound else None
        found.append(
            FileChange(
                path=path,
                path_b64=path_b64,
                status=change.op,
                added=change.added,
                removed=change.removed,
                by=ways[change.path],
                inside=inside,
                because=outside.get(change.path, ""),
                in_goal=_in_goal(change.path, goal),
                bypassed=inside is False and printable(change.path) in sources.bypassed,
                whitespace_only=change.path in sources.spaced,
            )
        )
    return found


def outside_of(sources: Sources) -> dict[str, str]:
    """Paths outside the boundary that bound the run, each with its reason; {} where none bound it."""
    if sources.in_force is None:
        return {}
    context = Context(derived=sources.policy.derived, paths=sources.paths, links=sources.links)
    caches = generated(sources.place, [change.path for change in sources.changes])
    written = [change for change in sources.changes if change.path not in caches]
    violations = judge(sources.in_force.boundary, written, context)
    return {v.path: f"{v.rule}: {v.because}" for v in reversed(violations) if v.path != "."}


def _against_words(sources: Sources, ways: Mapping[str, Sequence[Writer]]) -> dict[str, str]:
    """What the agent changed though the person had said before not to, with those words: they bind a first run too."""
    facts, known = sources.facts, sources.known
    found: dict[str, str] = {}
    if facts is None or known is None:
        return {}
    paths = {*sources.paths, *ways}
    for said in (p for p in facts.prohibitions if p.lifted is None and p.record is not None):
        for place, words in closed(said.text, said.paths):
            matcher = Matcher.compile(named(place, paths))
            for path in (path for path in ways if matcher.matches(path) is not None):
                if set(ways[path]) - {"foreign"} and _wrote_after(path, said, known):
                    found.setdefault(path, f'{USER}"{words}"')
    return found | _beyond(sources, ways, known, paths)


def _beyond(
    sources: Sources, ways: Mapping[str, Sequence[Writer]], known: Known, paths: Collection[str]
) -> dict[str, str]:
    """What the agent changed though the person had left other places open alone, with those words."""
    facts = known.facts
    said = [p for p in facts.prohibitions if p.lifted is None and p.record is not None and left_open(p.text, p.paths)]
    if not said:
        return {}
    only = Matcher.compile([pattern for want in open_places(facts, paths) for pattern in named(want.path, paths)])
    beyond = [path for path in ways if only.matches(path) is None and set(ways[path]) - {"foreign"}]
    caches = generated(sources.place, beyond)
    words = f'{USER}"{left_open(said[0].text, said[0].paths)[0][1]}"'
    return {path: words for path in beyond if path not in caches and _wrote_after(path, said[0], known)}


def open_places(facts: SessionFacts | None, paths: Collection[str]) -> list[Wanted]:
    """The only places that the person left open, with their words, and what they named after that; [] for no limit."""
    said = [p for p in (facts.prohibitions if facts else []) if p.lifted is None]
    found = [Wanted(place, f'{USER}"{words}"') for p in said for place, words in left_open(p.text, p.paths)]
    first = next((p.record for p in said if left_open(p.text, p.paths)), None)
    if not found or first is None:
        return found
    later = [request.text for request in own_words(facts) if request.record is not None and request.record > first]
    return found + [Wanted(path, "named by the user later") for path in sorted(mentioned(later, paths))]


def _wrote_after(path: str, said: Prohibition, known: Known) -> bool:
    """Whether a tool wrote the path after those words; of what no tool shows: whether all that ran came after them."""
    facts, at = known.facts, said.record if said.record is not None else -1
    writes = [w for w in facts.writes if w.ok is not False and known.named(w.path) == path]
    if writes:
        return any(w.record is not None and w.record > at for w in writes)
    return all(c.record is not None and c.record > at for c in facts.commands)


def _goal_paths(sources: Sources) -> set[str] | None:
    """Paths and folders that the task is about; None where its words name none."""
    texts = [sources.task.goal.text] if sources.task is not None else []
    texts += [sources.ask.goal or "", *(r.text for r in own_words(sources.facts))]
    everything = {*sources.paths, *(c.path for c in sources.changes)}
    forbidden = forbidden_by_user(sources, everything)
    about = {p for p in mentioned(texts, everything) if forbidden is None or forbidden.matches(p) is None}
    if not about:
        return None
    about |= {path for check in sources.checks for path in test_paths(check.failing, everything)}
    about |= {path for paths in sources.tracebacks.values() for path in paths}
    about |= {item_path for item in (sources.task.items if sources.task else []) for item_path in item.paths}
    names = Names.of(everything)
    return about | {other for path in about for other in names.beside(path)}


def _in_goal(path: str, goal: set[str] | None) -> bool | None:
    """A path of the goal, or beside one below the top folder (a new helper is part of the work)."""
    if goal is None or path in NOTES or leftover(path) is not None:
        return None
    folders = {p.rpartition("/")[0] for p in goal}
    return path in goal or (path.rpartition("/")[0] in folders - {""})


def closed_places(facts: SessionFacts | None) -> list[tuple[str, str]]:
    """(place, the person's words) of what may not be written at all; what was taken back is free."""
    said = [p for p in (facts.prohibitions if facts else []) if p.lifted is None]
    return [found for prohibition in said for found in closed(prohibition.text, prohibition.paths)]


def forbidden_by_user(sources: Sources, paths: Collection[str]) -> Matcher | None:
    """What the person said not to touch, as patterns of this tree."""
    patterns = [pattern for place, _ in closed_places(sources.facts) for pattern in named(place, paths)]
    return Matcher.compile(patterns) if patterns else None


def mentioned(texts: Iterable[str], paths: Collection[str]) -> set[str]:
    """Paths that the texts name: whole, by file name, or by a stem of four letters and more."""
    tokens = {t.strip(".-/").lower() for text in texts for t in _TOKEN.findall(text)}
    found = set()
    for path in paths:
        whole = path.lower()
        name = whole.rpartition("/")[2]
        stem = name.partition(".")[0]
        if whole in tokens or name in tokens or (len(stem) >= _SHORT and stem in tokens):
            found.add(path)
    return found


def test_paths(names: Sequence[str], paths: Collection[str]) -> list[str]:
    """The files of failing tests: the part of each id that is a path of the tree."""
    found: list[str] = []
    for name in names:
        first = name.partition("::")[0].strip()
        candidates = [first, *_TOKEN.findall(name)]
        found += [p for p in candidates if p in paths][:1]
    return list(dict.fromkeys(found))
