"""One test before and after: skipped, weakened, changed, extended, or as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from passdown.model.integrity import IntegrityKind as Kind
from passdown.rules.integrity.assertions import Around, Difference, compare
from passdown.rules.integrity.shapes import Case, Mark
from passdown.rules.patterns import lazy

_SOFTENING = frozenset({"retries", "timeout", "examples"})
_QUIET = frozenset({"awaited", "coroutine", "timeout"})
"""Marks that take nothing away by being there."""
_EXAMPLES = -100
"""How often hypothesis tries where nobody says it, as a limit."""
_MARKED = lazy(r"marks = (?:\[ )?(?:\w+ \. )*(?:skip|xfail)\w*")
_NAMES = lazy(r"(?:^\d+: |\b(?:pytest \. )?param \(|\bid = \"[^\"]*\"|\b\w+ [:=](?!=)|[(){}\[\],\s])+")
"""What a row says beside its values."""
_DEPTH = 3


class Ground(Struct, frozen=True):
    """What a comparison stands on: helpers of both sides by name, words that the code no longer has.

    ``elsewhere``: keys of assertions that other tests got in the same change.
    """

    old_helpers: Mapping[str, Case] = field(default_factory=dict)
    new_helpers: Mapping[str, Case] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()


def differences(old: Case, new: Case, ground: Ground) -> list[Difference]:
    """Worst first; [] where the test is what it was."""
    found = [*_marks(old, new), *_rows(old, new), *_mocks(old, new)]
    spare = helped(new, ground.new_helpers) - helped(old, ground.old_helpers)
    kept = [s for s in old.body if s in new.body]
    around = Around(
        spare=spare,
        elsewhere=ground.elsewhere,
        rewritten=len(kept) < len(old.body) / 2,
        gone=ground.gone,
        rerun=len(new.rows) > len(old.rows),
        keys=frozenset(a.key for a in new.asserts),
        kept=len(kept) == len(old.body) and len(new.body) <= len(old.body),
    )
    asserts = compare(old.asserts, new.asserts, around)
    found += asserts.differences
    if spare < 0 and not asserts.differences and not asserts.added and set(new.body) <= set(old.body):
        lost = _lost_helper(old, new, ground)
        found += [Difference("weakened", "removed", lost, "", new.line)] if lost else []
    if not found and old.whole != new.whole:
        extended = asserts.same and _within(old.body, new.body) and bool(asserts.added) and _plain(old, new)
        kind: Kind = "extended" if extended else "changed"
        rule = "added" if extended else "body"
        was, now = _first(old, new)
        shown = (asserts.added[0].text if extended else now, asserts.added[0].line if extended else new.line)
        found.append(Difference(kind, rule, "" if extended else was, shown[0], shown[1]))
    counted_before = not {"skip", "xfail", "uncollected"} & {mark.kind for mark in old.marks}
    return found if counted_before else [_harmless(d) for d in found]


def _harmless(found: Difference) -> Difference:
    """What is said of a test that did not count before cannot have got weaker."""
    return replace(found, kind="changed") if found.kind == "weakened" else found


def _plain(old: Case, new: Case) -> bool:
    """Beside assertions nothing came in that could turn the old ones round."""
    return len(new.body) == len(old.body) and old.rows == new.rows


def _within(old: Sequence[str], new: Sequence[str]) -> bool:
    rest = iter(new)
    return all(any(one == other for other in rest) for one in old)


def _first(old: Case, new: Case) -> tuple[str, str]:
    """The first statements that differ."""
    before = [s for s in old.body if s not in new.body]
    after = [s for s in new.body if s not in old.body]
    return (before or [""])[0][:160], (after or [""])[0][:160]


def helped(case: Case, helpers: Mapping[str, Case]) -> int:
    """How many assertions the helpers make that the test calls, as far as they stand in its file."""
    seen: set[str] = set()
    return _helped(case, helpers, seen, 0)


def _helped(case: Case, helpers: Mapping[str, Case], seen: set[str], depth: int) -> int:
    total = 0
    for name in case.calls - seen:
        helper = helpers.get(name)
        if helper is not None and depth < _DEPTH:
            seen.add(name)
            total += sum(1 for a in helper.asserts if a.strength) + _helped(helper, helpers, seen, depth + 1)
    return total


def _lost_helper(old: Case, new: Case, ground: Ground) -> str:
    lost = [n for n in sorted(old.calls - new.calls) if n in ground.old_helpers and ground.old_helpers[n].asserts]
    return f"{lost[0]}(...)" if lost else ""


def _marks(old: Case, new: Case) -> Iterator[Difference]:
    """Marks that came, or that let more pass than before."""
    before = {mark.kind: mark for mark in old.marks}
    hard = {"skip", "uncollected"} & before.keys()
    for mark in new.marks:
        known = before.get(mark.kind)
        if known is None and not (hard and mark.kind in ("skip", "skipif", "xfail", "uncollected")):
            few = mark.kind == "examples" and (mark.amount or 0) > _EXAMPLES
            if mark.kind in _QUIET or (mark.kind == "examples" and not few):
                continue
            kind: Kind = "weakened" if mark.kind in _SOFTENING else "changed" if "xfail" in before else "skipped"
            rule = "platform" if mark.kind in ("skipif", "uncollected") and _elsewhere(mark.text) else mark.kind
            yield Difference(kind, rule, _was(before), mark.text, new.line)
        elif known is not None and mark.amount is not None and known.amount is not None and mark.amount > known.amount:
            yield Difference("weakened", mark.kind, known.text, mark.text, new.line)

    now = {mark.kind for mark in new.marks}
    if "awaited" in before and "awaited" not in now and "coroutine" in now:
        yield Difference("changed", "awaited", before["awaited"].text, "", new.line)


def _was(before: Mapping[str, Mark]) -> str:
    mark = next(iter(before.values()), None)
    return mark.text if mark is not None else ""


def _elsewhere(text: str) -> bool:
    """Whether a condition leaves tests out on Windows or a Mac alone."""
    said = " ".join(text.lower().replace("!", " not ").replace("(", " ").replace(")", " ").split())
    if "cfg" in said or "build" in said:
        return _UNLESS.search(said) is not None and _ONLY_THERE.search(said) is None
    return _THERE.search(said) is not None and _HERE.search(said) is None


_THERE = lazy(r"windows|win32|\bwin\b|is_win|darwin|mac_?os|\bnt\b")
_HERE = lazy(r"linux|posix|\bnot\b|unless|enabled")
_UNLESS = lazy(r"not (?:target_os = \"?)?(?:windows|macos|darwin)|\bunix\b|\blinux\b")
_ONLY_THERE = lazy(r"not (?:unix|linux)|not target_os = \"?linux")


def _rows(old: Case, new: Case) -> Iterator[Difference]:
    """Parameter rows that are gone."""
    lost, came = Counter(old.rows) - Counter(new.rows), Counter(new.rows) - Counter(old.rows)
    gone, left = list(lost.elements()), list(came.elements())
    left_out = [row for row in left if _MARKED.search(row)]
    if gone and len([row for row in gone if _MARKED.search(row)]) < len(left_out):
        yield Difference("skipped", "rows", f"row {gone[0][:120]}", f"row {left_out[0][:120]}", new.line)
        return
    if gone and Counter(map(_values, old.rows)) == Counter(map(_values, new.rows)):
        yield Difference("changed", "rows", f"row {gone[0][:120]}", f"row {left[0][:120]}", new.line)
        return
    if gone and not new.rows:
        yield Difference("changed", "rows", f"row {gone[0][:120]}", "no rows", new.line)
    elif len(new.rows) < len(old.rows) and gone:
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        yield Difference(
            "weakened", "rows", f"row {gone[0][:120]}{more}", f"{len(new.rows)} of {len(old.rows)} rows", new.line
        )
    elif gone:
        yield Difference("expected", "row", f"row {gone[0][:120]}", f"row {left[0][:120]}" if left else "", new.line)


def _values(row: str) -> str:
    """A row without the names of its fields and of itself."""
    return " ".join(_NAMES.sub(" ", row).split())


def _mocks(old: Case, new: Case) -> Iterator[Difference]:
    """A replacement for what the test itself calls."""
    known = {name for name, _ in old.patched}
    for name, text in new.patched:
        if name not in known and name in new.calls & old.calls:
            yield Difference("weakened", "mock", "", text, new.line)
