"""What the reader asks of a language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct, field

from passdown.checks.integrity.source import Source, Tokens
from passdown.rules.integrity.shapes import Assertion, Mark

if TYPE_CHECKING:
    from tree_sitter import Language, Node


class Unit(Struct, frozen=True):
    """A piece of a file: a test, a helper that tests may call, or a scope around them.

    ``bodies``: the blocks that it runs. ``params``: nodes whose elements are parameter rows; ``times``: how often
    it runs, None: not known. ``rows`` and ``asserts`` are those that stand in marks above it.
    """

    kind: Literal["test", "helper", "scope"]
    name: str
    bodies: Sequence[Node] = ()
    marks: Sequence[Mark] = ()
    params: Sequence[Node] = ()
    times: int | None = 1
    patched: Sequence[tuple[str, str]] = ()
    rows: Sequence[str] = ()
    asserts: Sequence[Assertion] = ()


class Call(Struct, frozen=True):
    """A call by its last name, what it is called on, and its arguments."""

    name: str
    on: Node | None
    arguments: Sequence[Node]


class Parts(Struct, frozen=True):
    """An expression taken apart: ``not``, ``and``, ``or``, ``binary`` (with its sign), a ``call``, or ``other``."""

    kind: Literal["not", "and", "or", "binary", "call", "other"]
    left: Node | None = None
    right: Node | None = None
    sign: str = ""
    call: Call | None = None


class Shape(Struct, frozen=True):
    """The node types that the walk needs to know."""

    blocks: frozenset[str]
    conditional: frozenset[str]
    returns: frozenset[str]
    tries: frozenset[str]
    handlers: frozenset[str]
    functions: frozenset[str]
    lists: frozenset[str]
    imports: frozenset[str]
    docs: frozenset[str] = field(default_factory=frozenset)


class Dialect(Protocol):
    """One language."""

    tokens: Tokens
    shape: Shape

    def language(self, path: str) -> Language:
        """The grammar, loaded now."""

    def unit(self, source: Source, node: Node, path: str) -> Unit | None:
        """What a node of a file or scope is; None: nothing that is looked into."""

    def marks(self, source: Source, root: Node) -> list[Mark]:
        """What the file says of all its tests."""

    def assertions(self, source: Source, node: Node) -> list[Assertion] | None:
        """What the node asserts; None: it is no assertion."""

    def parts(self, source: Source, node: Node) -> Parts:
        """The expression taken apart."""

    def skip(self, source: Source, node: Node) -> Mark | None:
        """A statement that ends the test while it runs (``pytest.skip()``)."""

    def swallows(self, source: Source, node: Node) -> bool:
        """Whether a try catches a failed assertion and lets the test go on."""
