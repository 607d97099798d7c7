"""All test files of a change: which test became which, what is gone, what is new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field, structs

from passdown.model.integrity import IntegrityKind as Kind
from passdown.rules.counterparts import subject
from passdown.rules.integrity.assertions import Difference, loose_key
from passdown.rules.integrity.cases import Ground, differences
from passdown.rules.integrity.kinds import BLOCKING, WORST
from passdown.rules.integrity.paths import named_as_test
from passdown.rules.integrity.shapes import Case, FileShape, Finding
from passdown.rules.patterns import lazy

_AWAY = lazy(r"(?:del )?(\w+)(?:\.__test__)?\s*(?:=|$)")
_MOCK = lazy(r"(?:jest|vi)\s*\.\s*(?:mock|doMock)\s*\(\s*['\"`]([.@~][^'\"`]*/[^'\"`]*)['\"`]")
_TOKEN = lazy(r"\w+")
_IMPORTED = lazy(r"from (?P<a>[\w. ]+?) import (?P<b>.+)|import (?P<c>.+) from (?P<d>\".+\")")
_LIKE = 0.5
_FOLDED = 0.75
_FAR = 0.1
"""How much more alike a test of another file must be."""
_MANY = 2000
_FEW = 3


class Pair(Struct, frozen=True):
    """One path before and after; None: it does not exist on that side (or is no test file there)."""

    path: str
    old: FileShape | None
    new: FileShape | None


class Code(Struct, frozen=True):
    """What became of the code under test: words that its changed files no longer have, and its deleted files."""

    gone: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()


class _At(Struct, frozen=True):
    """A test and the file it stands in."""

    path: str
    case: Case
    pair: Pair


class _Match(Struct):
    pairs: list[tuple[_At, _At]] = field(default_factory=list)
    old: list[_At] = field(default_factory=list)
    new: list[_At] = field(default_factory=list)

    def join(self, old: _At, new: _At) -> None:
        """They are one test."""
        self.pairs.append((old, new))
        self.old.remove(old)
        self.new.remove(new)


def compare(pairs: Sequence[Pair], code: Code) -> list[Finding]:
    """Every difference, in the order of the paths; a mark on a whole class or file is told once."""
    match = _matched(pairs)
    elsewhere = frozenset(loose_key(a) for at in match.new for a in at.case.asserts)
    found = [f for old, new in match.pairs for f in _pair(old, new, code, elsewhere)]
    found += [
        _renamed_away(old, new) for old, new in match.pairs if named_as_test(old.path) and not named_as_test(new.path)
    ]
    found += [_missing(old, match, pairs, code) for old in match.old]
    found += _new(match.new)
    for pair in pairs:
        found += [*_helpers(pair, code), *_outside(pair)]
    return sorted(_together(found), key=lambda f: (WORST.index(f.kind), f.path, f.line or 0))


def _new(fresh: Sequence[_At]) -> Iterator[Finding]:
    """Tests that nobody had before, one finding a file."""
    files: dict[str, list[Case]] = defaultdict(list)
    for at in fresh:
        files[at.path].append(at.case)
    for path, cases in files.items():
        known = [case.cases for case in cases]
        count = None if None in known else sum(n for n in known if n is not None)
        names = ", ".join(case.id for case in cases[:_FEW])
        names += f" and {len(cases) - _FEW} more" if len(cases) > _FEW else ""
        content = "\n".join(f"{case.id}\n{_content(case)}" for case in cases)
        yield Finding(path, "new", "written", "", "", names, cases[0].line, count=count, content=content)


def _content(case: Case) -> str:
    return "\n".join((case.whole, *(m.text for m in case.marks), *case.rows))


def _matched(pairs: Sequence[Pair]) -> _Match:
    """Same place, then same code, then same name, then most alike in one file."""
    match = _Match()
    for pair in pairs:
        match.old += [_At(pair.path, c, pair) for c in (pair.old.tests.values() if pair.old else ())]
        match.new += [_At(pair.path, c, pair) for c in (pair.new.tests.values() if pair.new else ())]
    _join(match, lambda at: (at.path, at.case.id))
    _join(match, lambda at: (at.case.name, at.case.whole))
    _join(match, lambda at: at.case.whole or None)
    _join(match, lambda at: at.case.id)
    for old in list(match.old):
        far = match.new if len(match.old) * len(match.new) < _MANY else []
        near = [(likeness(old.case, n.case), n) for n in match.new if n.path == old.path]
        near += [(likeness(old.case, n.case) - _FAR, n) for n in far if n.path != old.path]
        best = max(near, key=lambda pair: pair[0], default=(0.0, old))
        if best[0] >= _LIKE:
            match.join(old, best[1])
    return match


def _join(match: _Match, key: object) -> None:
    """Join those that alone have the same key on both sides."""
    assert callable(key)  # noqa: S101 - for the type alone
    old, new = defaultdict(list), defaultdict(list)
    for at in match.old:
        old[key(at)].append(at)
    for at in match.new:
        new[key(at)].append(at)
    for name, ones in old.items():
        others = new.get(name, [])
        if name is not None and len(ones) == len(others):
            for one, other in zip(ones, others, strict=True):
                match.join(one, other)


def likeness(one: Case, other: Case) -> float:
    """How much of their statements two tests share, 0 to 1."""
    a = {*one.body, *(x.key for x in one.asserts)}
    b = {*other.body, *(x.key for x in other.asserts)}
    if not a or not b:
        return 0.0
    return max(len(a & b) / max(len(a), len(b)), 0.9 * _shared(one, other))


def _words(case: Case) -> set[str]:
    return set(_TOKEN.findall(" ".join((*case.body, *(a.key for a in case.asserts), *case.rows))))


def _shared(one: Case, other: Case) -> float:
    a, b = _words(one), _words(other)
    return len(a & b) / len(a | b) if a and b else 0.0


def _pair(old: _At, new: _At, code: Code, elsewhere: frozenset[str]) -> Iterator[Finding]:
    ground = Ground(_named(old.pair.old), _named(new.pair.new), _gone(code, new.pair.new), elsewhere)
    moved = old.path != new.path
    test = new.case.id if not moved else old.case.id
    content = _content(new.case)
    for d in differences(old.case, new.case, ground):
        yield _finding(new.path, test, d, content)


def _finding(path: str, test: str, d: Difference, content: str) -> Finding:
    return Finding(path, d.kind, d.rule, test, d.was, d.now, d.line, _blocks(d.kind, d.rule), content=content)


def _blocks(kind: Kind, rule: str) -> bool:
    """Whether nobody should go on before a person has looked: not where only other systems are left out."""
    return kind in BLOCKING and rule != "platform"


def _named(shape: FileShape | None) -> Mapping[str, Case]:
    return {case.name: case for case in shape.helpers.values()} if shape is not None else {}


def _renamed_away(old: _At, new: _At) -> Finding:
    """A test whose file has no name any more that a runner looks for."""
    return Finding(new.path, "skipped", "uncollected", old.case.id, old.path, new.path, new.case.line, blocks=True)


def _missing(old: _At, match: _Match, pairs: Sequence[Pair], code: Code) -> Finding:
    """A test that is not there any more: hidden, folded into others, gone with its subject, or deleted."""
    case, path = old.case, old.path

    def told(kind: Kind, rule: str, now: str = "", *, blocks: bool | None = None) -> Finding:
        return Finding(
            path, kind, rule, case.id, case.text, now, case.line, kind in BLOCKING if blocks is None else blocks
        )

    hidden = _hidden(case, old.pair, pairs)
    if hidden is not None:
        called = any(hidden.name in n.case.calls for n in (*match.new, *(b for _, b in match.pairs)))
        return told("changed", "now-a-helper", hidden.text) if called else told("skipped", "uncollected", hidden.text)
    if _commented(case, old.pair):
        return told("deleted", "commented-out")
    if any(mark.kind in ("skip", "uncollected") for mark in case.marks):
        return told("deleted", "was-skipped", blocks=False)
    if _gone(code, old.pair.new) & {*case.calls, *_words(case)} or _subject_gone(path, code):
        return told("deleted", "with-its-subject", blocks=False)
    return _replaced(old, match, told) or told("deleted", "deleted")


def _gone(code: Code, new: FileShape | None) -> frozenset[str]:
    """Words that the code lost and that no test of the file needs any more."""
    if new is None or not code.gone:
        return code.gone
    return code.gone - {word for case in new.tests.values() for word in _words(case)}


def _replaced(old: _At, match: _Match, told: object) -> Finding | None:
    """New tests that say the same, or that call what it called and ask as much."""
    assert callable(told)  # noqa: S101 - for the type alone
    fresh = [n for n in match.new if n.path == old.path or n.case.name == old.case.name]
    words = _words(old.case)
    others = {w for n in fresh for w in _words(n.case)}
    for a, b in match.pairs:
        if b.path == old.path:
            others |= _words(b.case) - (set() if len(b.case.rows) > len(a.case.rows) else _words(a.case))
    if words and len(words & others) / len(words) >= _FOLDED:
        found: Finding = told("changed", "folded", fresh[0].case.text if fresh else "")
        return found
    strength = sum(a.strength for a in old.case.asserts)
    for n in fresh:
        common = {c for c in old.case.calls & n.case.calls if len(c) > 3}  # noqa: PLR2004 - short names say little
        if common and strength and sum(a.strength for a in n.case.asserts) >= strength:
            replaced: Finding = told("changed", "replaced", n.case.text)
            return replaced
    return None


def _hidden(case: Case, pair: Pair, pairs: Sequence[Pair]) -> Case | None:
    """The function that it became: still there, no longer collected."""
    own = list(pair.new.helpers.values()) if pair.new is not None else []
    others = [h for p in pairs if p is not pair and p.new is not None for h in p.new.helpers.values()]
    for helper in own:
        if helper.whole == case.whole and (case.asserts or case.body):
            return helper
        if case.name in helper.name and likeness(case, helper) >= _LIKE:
            return helper
    return next((h for h in others if h.name == case.name and likeness(case, h) >= _LIKE), None)


def _commented(case: Case, pair: Pair) -> bool:
    if pair.new is None or len(case.name) < 4:  # noqa: PLR2004 - short names stand in many comments
        return False
    return case.name in pair.new.comments and case.name not in (pair.old.comments if pair.old else "")


def _subject_gone(path: str, code: Code) -> bool:
    """The file that the test's name speaks of was deleted too."""
    about = subject(path)
    stems = {p.rpartition("/")[2].partition(".")[0].lower() for p in code.deleted}
    return about is not None and about.lower() in stems


def _helpers(pair: Pair, code: Code) -> Iterator[Finding]:
    """Helpers that tests stand on: their assertions count as well."""
    if pair.old is None or pair.new is None:
        return
    ground = Ground(_named(pair.old), _named(pair.new), _gone(code, pair.new))
    for name, old in pair.old.helpers.items():
        new = pair.new.helpers.get(name)
        for d in differences(old, new, ground) if new is not None else ():
            kind: Kind = "changed" if d.kind == "extended" else d.kind
            rule = "support" if kind == "changed" else d.rule
            yield Finding(pair.path, kind, rule, name, d.was, d.now, d.line, blocks=kind in BLOCKING)


def _outside(pair: Pair) -> Iterator[Finding]:
    """What stands outside functions: values, and names that come from elsewhere now."""
    if pair.old is None or pair.new is None or not (pair.old.tests or pair.new.tests):
        return
    gone = [text for key, text in pair.old.loose.items() if key not in pair.new.loose]
    came = {key: text for key, text in pair.new.loose.items() if key not in pair.old.loose}
    for text in gone[:1]:
        name = text.partition("=")[0]
        now = next((t for t in came.values() if "=" in t and t.partition("=")[0] == name), "")
        yield Finding(pair.path, "changed", "value", "", text, now)
    yield from _taken_out(pair, came.values())
    before, after = _sources(pair.old), _sources(pair.new)
    called = {name for case in pair.new.tests.values() for name in case.calls}
    yield from _mocked(pair, came.values(), {name: module for name, module in after.items() if name in called})
    own = [n for n in before if n in called and n not in after and n in pair.new.helpers and n not in pair.old.helpers]
    if own:
        helper = pair.new.helpers[own[0]]
        yield Finding(pair.path, "changed", "import", "", f"{own[0]} from {before[own[0]]}", helper.text, helper.line)
    swapped = [n for n in before if n in after and after[n] != before[n]]
    if swapped:
        name = swapped[0]
        yield Finding(pair.path, "changed", "import", "", f"{name} from {before[name]}", f"{name} from {after[name]}")


def _taken_out(pair: Pair, came: Iterable[str]) -> Iterator[Finding]:
    """``test_a.__test__ = False``, ``del test_a``, ``test_a = None``: a statement takes a test away."""
    tests = pair.new.tests.values() if pair.new is not None else ()
    for text in came:
        named = _AWAY.match(text)
        case = next((c for c in tests if named is not None and c.name == named[1]), None)
        if case is not None and pair.path.endswith(".py"):
            yield Finding(pair.path, "skipped", "uncollected", case.id, case.text, text, case.line, blocks=True)


def _mocked(pair: Pair, came: Iterable[str], called: Mapping[str, str]) -> Iterator[Finding]:
    """``jest.mock("../src/sum")``: the module whose functions the tests call; one that keeps some of it is let be."""
    for text in came:
        found = _MOCK.match(text)
        names = sorted(n for n, module in called.items() if found is not None and module.strip("\"'") == found[1])
        if names and "ctual" not in text:
            yield Finding(pair.path, "weakened", "mock", "", ", ".join(names), text, blocks=True)


def _sources(shape: FileShape) -> dict[str, str]:
    """Imported name -> where it comes from."""
    found: dict[str, str] = {}
    for said in shape.imports:
        m = _IMPORTED.fullmatch(said)
        if m is not None:
            names, module = (m["b"], m["a"]) if m["b"] else (m["c"], m["d"])
            here = [name.rpartition(" as ")[2] for name in names.split(",")]
            found |= dict.fromkeys(_TOKEN.findall(" ".join(here)), module.replace(" ", ""))
    return found


def _together(found: Sequence[Finding]) -> Iterator[Finding]:
    """A mark on several tests at once (a class, a file), and many deleted ones, are one finding with their number."""
    groups: dict[tuple[str, str, str, str], list[Finding]] = defaultdict(list)
    for f in found:
        if f.kind == "skipped" and f.rule != "uncollected":
            groups[f.path, f.kind, f.rule, f.now].append(f)
        elif f.kind == "deleted":
            groups[f.path, f.kind, f.rule, str(f.blocks)].append(f)
        else:
            yield f
    for ones in groups.values():
        if len(ones) == 1 or (ones[0].kind == "deleted" and len(ones) <= _FEW):
            yield from ones
        else:
            yield _joined(ones)


def _joined(ones: Sequence[Finding]) -> Finding:
    """Several findings as one; what is accepted of it is each of them."""
    first = ones[0]
    scope = "::".join(_common([one.test.split("::") for one in ones]))
    names = ", ".join(one.test.removeprefix(f"{scope}::") for one in ones[:_FEW])
    more = f" and {len(ones) - _FEW} more" if len(ones) > _FEW else ""
    return structs.replace(
        first,
        test=scope,
        was=f"{names}{more}" if first.kind == "deleted" else first.was,
        count=len(ones),
        content="\n".join(f"{one.test}\n{one.content}" for one in ones),
    )


def _common(trails: Sequence[Sequence[str]]) -> list[str]:
    same = []
    for parts in zip(*trails, strict=False):
        if len(set(parts)) > 1:
            break
        same.append(parts[0])
    return same
