"""Whether the receiver read the packet (semantics: section 5)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from posixpath import normpath

from msgspec import Struct

from passdown.model.boundary import Boundary
from passdown.model.packet import Packet
from passdown.rules.counterparts import Names, is_test
from passdown.rules.explain import explain
from passdown.rules.judge import Context
from passdown.rules.match import single
from passdown.rules.open_now import open_now

_BETWEEN = str.maketrans(",;[]()", "      ")
_NONE = ("none", "-")
_TEXTS = (".md", ".rst", ".adoc", ".txt")


class ReadBack(Struct, frozen=True):
    """What the receiver restated: ids of open items, the first path, ids of prohibitions."""

    open: Sequence[str]
    first: str
    not_: Sequence[str]


def faults(
    packet: Packet,
    said: ReadBack,
    boundary: Boundary | None = None,
    context: Context | None = None,
    asked: Sequence[str] | None = None,
) -> list[str]:
    """One line for each missing, unknown or wrong part; [] opens the gate.

    Order, case, quotes and ``./`` do not matter. ``boundary``: the one in force where it is not the packet's.
    ``asked``: the open items that the brief named; what was closed since is not asked for, what was opened is not yet.
    """
    boundary = boundary or packet.boundary
    right = expected(packet, boundary)
    every = [item.id for item in (*packet.items, *packet.items_since)]
    opens = right.open if asked is None else [name for name in right.open if name in asked]
    found = _compare("--open", opens, said.open, [*every, *(asked or ())])
    found += _compare("--not", right.not_, said.not_, right.not_)
    first = plain_path(said.first)
    if not first:
        found.append("--first names no file")
    else:
        decision = explain(boundary, first, context, exists=context is not None and first in context.paths)
        if not decision.inside:
            found.append(f"--first {first} is outside: {decision.because}")
    return found


def plain_path(text: str) -> str:
    """The path without the quotes and dots that do not matter; "" where there is none."""
    bare = _bare(text)
    return normpath(bare).removeprefix("./") if bare else ""


def command(packet: str, said: ReadBack) -> str:
    """The line that restates it. ``packet``: its short name."""
    parts = [f"passdown readback {packet}"]
    parts += [f"--open {','.join(said.open)}"] if said.open else []
    parts.append(f"--first {shlex.quote(said.first) if said.first else 'PATH'}")
    parts += [f"--not {','.join(said.not_)}"] if said.not_ else []
    return " ".join(parts)


def expected(packet: Packet, boundary: Boundary | None = None) -> ReadBack:
    """What a right read-back says: open failures, questions and review comments, the first path, every deny id."""
    boundary = boundary or packet.boundary
    opens = [item.id for item in open_now(packet) if item.kind not in ("step", "widen")]
    return ReadBack(opens, first_path(packet, boundary), [entry.id for entry in boundary.deny])


def first_path(packet: Packet, boundary: Boundary) -> str:
    """Where the first open step works: of its item's paths inside the code before its test, else the run's own code.

    Where it changed none: the first that is allowed.
    """
    opens = open_now(packet)
    still = {item.id for item in opens}
    step = next((s for s in packet.checklist if not s.done and (not s.item or s.item in still)), None)
    items = [item for item in opens if step and item.id == step.item] or opens
    paths = [path for item in items for path in item.paths if explain(boundary, path).inside]
    tests = [path for item in items if item.check for path in item.paths if is_test(path)]
    code = [path for path in paths if path not in tests]
    if tests and not code:
        code = list(_tested(packet, boundary, tests))
    changed = (f.path for f in packet.files if f.status != "deleted" and explain(boundary, f.path).inside)
    listed = (path for entry in boundary.allow if (path := single(entry.path)) is not None)
    return next(chain(code, paths, _own_code(packet, boundary), listed, changed), "")


def _own_code(packet: Packet, boundary: Boundary) -> Iterator[str]:
    """What the run changed inside that is neither test nor text: of the goal first, and the most changed."""
    files = [f for f in packet.files if f.status != "deleted" and explain(boundary, f.path).inside]
    code = [f for f in files if not is_test(f.path) and not f.path.lower().endswith(_TEXTS)]
    return (f.path for f in sorted(code, key=lambda f: (f.in_goal is False, -((f.added or 0) + (f.removed or 0)))))


def _tested(packet: Packet, boundary: Boundary, tests: Sequence[str]) -> Iterator[str]:
    """What the tests are about: a changed or allowed file of their name, else the code that the run changed."""
    changed = [f.path for f in packet.files if f.status != "deleted" and f.in_goal is not False]
    allowed = [path for entry in boundary.allow if (path := single(entry.path)) is not None]
    names = Names.of(dict.fromkeys([*changed, *allowed]))
    found = [*(path for test in tests for path in names.beside(test)), *changed]
    yield from (path for path in found if not is_test(path) and explain(boundary, path).inside)


def _compare(flag: str, right: Sequence[str], said: Sequence[str], known: Sequence[str]) -> list[str]:
    given = {_bare(part).upper() for part in _split(said)}
    missing = [name for name in right if name.upper() not in given]
    unknown = sorted(given - {name.upper() for name in known})
    found = [f"{flag} lacks {', '.join(missing)}"] if missing else []
    return found + ([f"{flag} names {', '.join(unknown)}, which the packet does not have"] if unknown else [])


def _split(said: Sequence[str]) -> Iterable[str]:
    return (part for text in said for part in text.translate(_BETWEEN).split() if part.casefold() not in _NONE)


def _bare(text: str) -> str:
    return text.strip().strip("\"'`").strip()
