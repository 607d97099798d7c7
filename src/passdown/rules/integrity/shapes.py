"""Test files as values: what a reader of any language makes of a file, and what the rules compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from passdown.model.integrity import IntegrityKind as Kind

Reach = Literal["", "conditional", "floating", "swallowed", "unreachable"]
"""Whether an assertion always counts: under a condition, not waited for, its failure caught, or after a return."""
EXACT, NEAR, PARTIAL, TRUTHY, TRIVIAL = 5, 4, 3, 2, 0
"""How much an assertion pins down."""


class Assertion(Struct, frozen=True):
    """One thing that must hold. ``key``, ``subject`` and ``expected`` are normalised, ``text`` is as written.

    ``op``: what it does (equal, in, raises ...). ``bound``: tolerance, or the number that it compares with.
    ``wild``: how many of its expected values match anything. ``at``: statements of the test before it.
    """

    key: str
    text: str
    op: str
    strength: int
    subject: str = ""
    expected: str = ""
    bound: float | None = None
    wild: int = 0
    reach: Reach = ""
    line: int = 0
    helper: str = ""
    at: int = 0


class Mark(Struct, frozen=True):
    """What keeps a test from counting, or softens it.

    ``kind``: skip, skipif, xfail, only, retries, timeout, uncollected. ``scope``: the test or class that bears it.
    """

    kind: str
    text: str
    scope: str = ""
    amount: float | None = None


class Case(Struct, frozen=True):
    """One test (or helper) of a file; ``id`` is its path of scopes joined by ``::``.

    ``body``: the normalised code without its assertions, a statement each. ``rows``: parameter rows. ``calls``:
    names that it calls, ``patched``: names that it replaces, ``cases``: how often it runs where that is known.
    """

    id: str
    name: str
    line: int
    text: str
    body: tuple[str, ...] = ()
    asserts: tuple[Assertion, ...] = ()
    marks: tuple[Mark, ...] = ()
    rows: tuple[str, ...] = ()
    calls: frozenset[str] = frozenset()
    patched: tuple[tuple[str, str], ...] = ()
    cases: int | None = 1
    whole: str = ""


class FileShape(Struct, frozen=True):
    """One file as read. ``loose``: normalised statements outside functions -> as written; ``imports`` likewise."""

    path: str
    tests: Mapping[str, Case] = field(default_factory=dict)
    helpers: Mapping[str, Case] = field(default_factory=dict)
    loose: Mapping[str, str] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    comments: str = ""


class Finding(Struct, frozen=True):
    """One difference and its judgement. ``blocks``: nobody should go on before a person has looked.

    ``count``: how many tests it concerns; for new tests how often they run, None where that is not known.
    ``content``: what stands there now, whole: who accepts the finding accepts exactly this.
    """

    path: str
    kind: Kind
    rule: str
    test: str = ""
    was: str = ""
    now: str = ""
    line: int | None = None
    blocks: bool = False
    count: int | None = 1
    content: str = ""
