"""Open items: what fails, what does not parse, what is unfinished; ids stay theirs through all packets of a task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from passdown.model.integrity import IntegrityChange
from passdown.model.packet import Closing, Item, PacketCheck
from passdown.packet.files import test_paths
from passdown.packet.sources import Broken, Sources
from passdown.packet.words import COULD_NOT_RUN, could_not_run, in_short
from passdown.rules.classify import AD_HOC
from passdown.rules.fold_items import RESTORED, Items, key
from passdown.rules.integrity.touch import counted

_CUT_OFF = ("quota", "crashed", "interrupted", "truncated", "context-full", "api-error")
_BAD = ("FAILED", "ERROR", "INCONCLUSIVE", "FLAKY")
SHOWN_FAILURES = 50
TEST_PATHS = 50


class Ledgered(msgspec.Struct, frozen=True):
    """The items that are open now, and those that this packet closed."""

    open: list[Item]
    closed: list[Closing]


def items_of(sources: Sources) -> Ledgered:
    """Earlier items stay unless something shows that they are done; then what this run shows."""
    book = Items()
    if sources.task is not None:
        book.open = {item.id: item for item in sources.task.items}
        book.closed = list(sources.task.closed_items)
        for item in [*(c.item for c in book.closed), *book.open.values()]:
            book.keys[key(item)] = item.id
    closings = []
    fresh = [*_failures(sources), *_unparsed(sources), *_steps(sources), *weakened(sources.tests.entries, book)]
    seen = {key(item) for item in fresh}
    for item in list(book.open.values()):
        closing = _closing(item, sources) if key(item) not in seen else None
        if closing is not None:
            closings.append(closing)
            book.close(item.id, "evidence", "", closing.because)
    for item in fresh:
        book.put(item if sources.again else _again(item, book))
    order = sorted(book.open.values(), key=lambda i: (i.id[0], int(i.id[1:] or 0)))
    return Ledgered(order, closings)


def _again(item: Item, book: Items) -> Item:
    """Tries add up while the same error stays."""
    known = book.open.get(book.keys.get(key(item), ""))
    if known is None or known.error != item.error or known.tries is None:
        return item
    return msgspec.structs.replace(item, tries=known.tries + (item.tries or 0))


def _failures(sources: Sources) -> Iterator[Item]:
    """One item for each failing test; one for a check that fails and names none."""
    named: set[str] = set()
    for check in sorted(sources.checks, key=lambda c: (not c.acceptance, -len(c.failing))):
        if check.result not in _BAD or _overtaken(check, sources.checks):
            continue
        for name in check.failing[:SHOWN_FAILURES]:
            if name not in named:
                named.add(name)
                yield _failure(check, name, sources)
        if check.failing or _tried(check):
            continue
        if not _covered(check, sources.checks) and not _known(check, sources):
            yield _failure(check, None, sources)


def _failure(check: PacketCheck, name: str | None, sources: Sources) -> Item:
    error = check.first_errors.get(name) if name else check.error_line
    tries = _tries(check, name, sources)
    paths = test_paths([name] if name else check.failing, sources.paths)
    paths += [p for p in sources.tracebacks.get(check.command, ()) if p not in paths]
    origin = check.origins.get(name, check.origin) if name else check.origin
    ended = f"exit {check.exit}" if check.exit is not None else str(check.result)
    text = f"{check.name} {COULD_NOT_RUN}" if could_not_run(check) else f"{in_short(check.command)} fails"
    return Item(
        id="",
        kind="failure",
        text=name or text,
        blocks="continuation" if origin == "REGRESSION" and _outside(paths, sources) else "merge",
        paths=paths,
        error=error or (None if name else ended),
        check=check.name,
        tries=tries or None,
        origin=origin,
        because=f"{check.name} {check.result}",
    )


def _tried(check: PacketCheck) -> bool:
    """A command that somebody tried and that could not run: no check of the project, and nothing of the work failed."""
    return could_not_run(check) and _typed(check)


def _known(check: PacketCheck, sources: Sources) -> bool:
    """A run that could not start says nothing of a failure that is known already."""
    items = sources.task.items if sources.task is not None else []
    return could_not_run(check) and any(i.check == check.name and not i.text.endswith(COULD_NOT_RUN) for i in items)


def _outside(paths: Sequence[str], sources: Sources) -> bool:
    """A regression outside the boundary blocks continuation."""
    if sources.in_force is None or not paths:
        return False
    from passdown.rules.decide import Asked  # noqa: PLC0415 - compiles patterns, only for a regression

    asked = Asked.of(sources.in_force.boundary)
    return not any(asked.decide(path).inside for path in paths)


def _overtaken(check: PacketCheck, checks: Sequence[PacketCheck]) -> bool:
    """A later run of the same kind passed and ran at least as many tests: the failure is old."""
    ran = sum(check.tests.get(name, 0) for name in ("passed", "failed", "errors"))
    return any(
        other.kind == check.kind
        and other.result == "PASSED"
        and not other.masked
        and (other.at or "") > (check.at or "")
        and other.tests.get("passed", 0) >= ran > 0
        and not (_typed(other) and not _typed(check))
        for other in checks
        if other is not check and not check.acceptance
    )


def _covered(check: PacketCheck, checks: Sequence[PacketCheck]) -> bool:
    """Another run of this kind names the failing tests."""
    return any(c is not check and c.kind == check.kind and c.failing and c.result in _BAD for c in checks)


def _tries(check: PacketCheck, name: str | None, sources: Sources) -> int:
    """How often it failed in this run, since it last passed."""
    seen = sources.stretch.checks if sources.stretch else []
    tries = 0
    for one in seen:
        same = name in one.failing if name else one.command == check.command and one.result == "FAILED"
        if same:
            tries += 1
        elif one.kind == check.kind and one.result == "PASSED":
            tries = 0
    return tries


def _unparsed(sources: Sources) -> Iterator[Item]:
    for fault in sources.broken:
        where = f"{fault.path}:{fault.line}" if fault.line else fault.path
        cut = ": the edit was cut off" if _cut_off(fault, sources) else ""
        yield Item(
            id="",
            kind="failure",
            text=f"{where} does not parse{cut}",
            blocks="merge",
            paths=[fault.path],
            error=fault.error,
            because="parsed now",
        )


def _cut_off(fault: Broken, sources: Sources) -> bool:
    """The run stopped in the middle, and this is the last file that it wrote."""
    facts = sources.stretch
    if facts is None or facts.end.reason not in _CUT_OFF:
        return False
    last = list(sources.written)
    return not last or last[-1] == fault.path


def _steps(sources: Sources) -> Iterator[Item]:
    """Unfinished to-dos of the agent's own list; those already known and marked completed stay until shown."""
    for todo in sources.facts.todos if sources.facts else []:
        if todo.status != "completed":
            paths = test_paths([todo.text], sources.paths)
            yield Item(id="", kind="step", text=todo.text, blocks="merge", paths=paths, because="the agent's list")


def weakened(changes: Sequence[IntegrityChange], book: Items) -> Iterator[Item]:
    """One item for the weakened, skipped and deleted tests that no open item names and nobody accepted."""
    named = {digest for item in book.open.values() for digest in item.digests}
    fresh = [c for c in changes if c.blocks and c.accepted is None and c.digest not in named]
    if fresh:
        first = f"{fresh[0].path}::{fresh[0].test}" if fresh[0].test else fresh[0].path
        more = f" and {len(fresh) - 1} more" if len(fresh) > 1 else ""
        yield Item(
            id="",
            kind="tests",
            text=f"{counted(fresh)}: {first}{more}",
            blocks="continuation",
            paths=list(dict.fromkeys(c.path for c in fresh))[:TEST_PATHS],
            because="compared with where the task began",
            digests=[c.digest for c in fresh],
        )


def _closing(item: Item, sources: Sources) -> Closing | None:
    """What shows that an earlier item is done, or None: it stays open, however silent (case A11)."""
    if item.kind == "tests":
        still = {change.digest for change in sources.tests.entries}
        gone = not still & set(item.digests) and not sources.tests.fault
        return _closed(item, "none of these changes is there any more", [RESTORED]) if gone else None
    if item.kind == "failure" and item.check is None:
        fixed = [path for path in item.paths if path in sources.parses]
        return _closed(item, f"{fixed[0]} parses", [f"parses:{path}" for path in fixed]) if fixed else None
    if item.kind == "failure":
        return _passes_now(item, sources.checks)
    if item.kind == "step":
        done = {todo.text for todo in (sources.facts.todos if sources.facts else []) if todo.status == "completed"}
        proof = next((c for c in sources.checks if c.kind == "test" and _passed(c) and not _typed(c)), None)
        if item.text in done and proof is not None:
            return _closed(item, f"marked completed, and {proof.name} passes", [proof.name])
    return None


def _passes_now(item: Item, checks: Sequence[PacketCheck]) -> Closing | None:
    """Its check passed on this code, or ran again and no longer names it among as many tests.

    A command that somebody typed speaks for no check but itself.
    """
    for check in checks:
        same = check.name == item.check
        speaks = same or (check.kind == "test" and not _typed(check))
        if _passed(check) and speaks and (same or ("::" in item.text and _overtakes(check, item))):
            return _closed(item, f"{check.name} passes", [check.name])
        if same and check.result == "FAILED" and check.failing and item.text not in check.failing:
            return _closed(item, f"{check.name} no longer names it", [check.name])
    return None


def _typed(check: PacketCheck) -> bool:
    return AD_HOC in check.not_verified


def _overtakes(check: PacketCheck, item: Item) -> bool:
    """A whole run of the suite speaks of the test, a part of it only where its command names the file."""
    operands = [word for word in check.command.split()[1:] if not word.startswith("-")]
    narrow = [word for word in operands if "/" in word or "::" in word or word.endswith(".py")]
    return not narrow or any(item.text.startswith(word.partition("::")[0]) for word in narrow)


def _passed(check: PacketCheck) -> bool:
    stale = check.freshness.state in ("STALE", "DEFINITION-CHANGED", "EXPIRED") or bool(check.edits_after)
    return check.result == "PASSED" and not check.masked and not stale


def _closed(item: Item, because: str, evidence: list[str]) -> Closing:
    return Closing(id=item.id, text=item.text, because=because, evidence=evidence)
