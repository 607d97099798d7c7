"""The boundary that the facts propose, a reason per entry (semantics: section 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct, field, structs
from msgspec.structs import replace

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.paths import to_wire
from passdown.rules.amount import amount
from passdown.rules.counterparts import Names
from passdown.rules.cover import covers, merged
from passdown.rules.match import Matcher, fault, literal, single
from passdown.rules.protect import protected

MAX_OWNED = 12
MAX_FINISHED = 40
MAX_ALLOWED = 400
ELSE = "whatever else lies in it"
Reasoned = tuple[str, list[str]]
"""A pattern and its reasons, the weightiest first."""


class Wanted(Struct, frozen=True):
    """One path (or a pattern, for denials) and the fact that speaks for it."""

    path: str
    because: str


class ProposalFacts(Struct, frozen=True):
    """What a proposal is made from.

    ``unfinished``, ``failing``, ``items`` are paths with reasons; ``paths`` every path of the tree;
    ``together`` names files that often change with a path; ``prohibited`` (the person) and ``denied``
    (instruction files, permissions, policy) stand as written there; ``finished`` are done and verified files;
    ``owned`` patterns of other owners; ``kept`` entries of an earlier boundary whose ids stay theirs; ``only``: the
    places that the person left open as the only ones, as written there: nothing else is allowed then. ``favoured`` and
    ``closed``: what the kind of handoff opens and closes besides.
    """

    unfinished: Sequence[Wanted] = ()
    failing: Sequence[Wanted] = ()
    items: Sequence[Wanted] = ()
    prohibited: Sequence[Wanted] = ()
    denied: Sequence[Wanted] = ()
    finished: Sequence[Wanted] = ()
    owned: Sequence[Wanted] = ()
    paths: Collection[str] = ()
    together: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kept: Sequence[Entry] = ()
    only: Sequence[Wanted] = ()
    favoured: Sequence[Wanted] = ()
    closed: Sequence[Wanted] = ()
    new_files: int = 2
    stop: Sequence[str] = ()
    opened: Sequence[str] = ()
    version: int = 1


def propose(facts: ProposalFacts) -> Boundary:
    """As narrow as the facts allow; sealed (its digest filled in)."""
    denials = merged(_denials(facts, {w.path for w in (*facts.unfinished, *facts.failing)}))
    forbidden = Matcher.compile([pattern for pattern, _ in denials])
    allow = {
        path: because
        for path, because in _wanted(facts).items()
        if forbidden.matches(path) is None and protected(path, facts.opened) is None
    }
    return Boundary(
        version=facts.version,
        source="proposed",
        allow=_entries("B", _only(facts) or _favoured(facts, folded(allow, MAX_ALLOWED)), facts.kept),
        deny=_entries("N", denials, facts.kept),
        budget=Budget(new=facts.new_files),
        stop=list(facts.stop),
        opened=list(facts.opened),
    ).sealed()


def _only(facts: ProposalFacts) -> list[Reasoned]:
    """What the person's words leave open, each with them; [] where they confine nothing."""
    return merged(_free(facts.only, facts))


def _favoured(facts: ProposalFacts, allow: list[Reasoned]) -> list[Reasoned]:
    """What the facts speak for, then what the kind of handoff opens beside it."""
    beside = _free(facts.favoured, facts)
    return merged([*((place, why) for place, whys in allow for why in whys), *beside]) if beside else allow


def _free(wanted: Sequence[Wanted], facts: ProposalFacts) -> list[tuple[str, str]]:
    """Patterns with their reason, but for protected files."""
    found = [(pattern, want.because) for want in wanted for pattern in named(want.path, facts.paths)]
    return [(pattern, why) for pattern, why in found if protected(single(pattern) or "", facts.opened) is None]


def added_denials(known: Boundary, facts: ProposalFacts) -> Boundary:
    """A boundary that a person set, with what people and rules have forbidden since; it only gets narrower."""
    said = merged(_denials(replace(facts, finished=(), owned=(), closed=()), set()))
    missing = [(p, why) for p, why in said if not any(covers(e.path, p) for e in known.deny)]
    if not missing:
        return known
    added = _entries("N", missing, known.deny)
    return structs.replace(known, deny=[*known.deny, *added], version=known.version + 1).sealed()


def _wanted(facts: ProposalFacts) -> dict[str, str]:
    """Paths in the order of their weight, the first reason stands; counterparts last."""
    found: dict[str, str] = {}
    for want in (*facts.unfinished, *facts.failing, *facts.items):
        found.setdefault(want.path, want.because)
    done = {want.path for want in facts.finished}
    names = Names.of(facts.paths)
    for path in list(found):
        for other in names.beside(path):
            found.setdefault(other, f"counterpart of {path}")
        for other in facts.together.get(path, ()):
            found.setdefault(other, f"often changes with {path}")
    return {path: because for path, because in found.items() if path not in done or _needed(path, facts)}


def _needed(path: str, facts: ProposalFacts) -> bool:
    return any(want.path == path for want in (*facts.failing, *facts.items))


def _denials(facts: ProposalFacts, needed: set[str]) -> list[tuple[str, str]]:
    """(pattern, reason): what people and rules forbid, then finished files, then others' files that no one needs."""
    found = [(pattern, want.because) for want in facts.prohibited for pattern in named(want.path, facts.paths)]
    found += [(pattern, want.because) for want in facts.denied for pattern in named(want.path, facts.paths)]
    found += [(pattern, want.because) for want in facts.closed for pattern in named(want.path, facts.paths)]
    finished = [w for w in facts.finished if not _needed(w.path, facts)]
    found += [(literal(w.path), w.because) for w in finished[:MAX_FINISHED]]  # the others are outside all the same
    owned = [want for want in facts.owned if fault(want.path) is None]
    apart = [w for w in owned if all(Matcher.compile([w.path]).matches(path) is None for path in needed)]
    return found + [(want.path, want.because) for want in apart[:MAX_OWNED]]


def named(words: str, paths: Collection[str]) -> list[str]:
    """The pattern that a person's or a rule's words for a place mean in this tree; [] where they are none."""
    words = words.strip().removeprefix("./")
    bare = words.strip("/")
    if not bare or fault(words) is not None:
        return []
    pattern = literal(bare)
    if bare in paths:
        return [pattern]
    if any(path.startswith(bare + "/") for path in paths):
        elsewhere = "/" not in bare and any(f"/{bare}/" in path for path in paths)
        return [pattern.lstrip("/") + ("/" if elsewhere else "/**")]
    if any(char in words for char in "*?["):
        return [words]
    return [pattern if "/" in bare else pattern.lstrip("/")]


def _entries(letter: str, wanted: Iterable[Reasoned], kept: Sequence[Entry]) -> list[Entry]:
    """Entries with ids; a place that an earlier boundary had keeps its id, a new one gets the next."""
    known = {entry.path: entry.id for entry in kept if entry.id.startswith(letter)}
    last = max((int(name[1:]) for name in known.values() if name[1:].isdigit()), default=0)
    wanted = list(wanted)
    taken = {to_wire(pattern)[0] for pattern, _ in wanted} & known.keys()
    found = []
    for pattern, reasons in wanted:
        path, path_b64 = to_wire(pattern)
        name = known.get(path) or _grown(pattern, known, taken)
        if name is None:
            last += 1
            name = f"{letter}{last}"
        found.append(Entry(id=name, path=path, because=reasons[0], path_b64=path_b64, also=reasons[1:]))
    return found


def _grown(pattern: str, known: Mapping[str, str], taken: set[str]) -> str | None:
    """The id of an earlier, narrower pattern that this one took in."""
    if not pattern.endswith(("/", "/**")):
        return None
    old = next((path for path in known if path not in taken and covers(pattern, path)), None)
    if old is None:
        return None
    taken.add(old)
    return known[old]


def folded(wanted: Mapping[str, str], most: int) -> list[Reasoned]:
    """One literal pattern a path; of more than ``most`` the folders, as deep as they fit, never the whole tree.

    Where not even they fit the first ones stand: what is not listed stays outside.
    """
    if len(wanted) <= most:
        return [(literal(path), [because]) for path, because in wanted.items()]
    for depth in range(max(path.count("/") for path in wanted), 0, -1):
        groups: dict[str, list[str]] = {}
        for path in wanted:
            parts = path.split("/")
            groups.setdefault("/".join(parts[:depth]) + "/" if len(parts) > depth else path, []).append(path)
        if len(groups) <= most:
            return [_group(name, paths, wanted) for name, paths in groups.items()]
    return [(literal(path), [because]) for path, because in list(wanted.items())[:most]]


def _group(name: str, paths: Sequence[str], wanted: Mapping[str, str]) -> Reasoned:
    """A folder also lets in what else lies in it: its reason says so."""
    if len(paths) == 1:
        return literal(paths[0]), [wanted[paths[0]]]
    return literal(name.rstrip("/")).lstrip("/") + "/**", [
        f"{amount(len(paths), 'file')} and {ELSE}: {wanted[paths[0]]}"
    ]
