"""A parsed file: pieces of it as normalised tokens, as written, and by their line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from tree_sitter import Node

DEEP = 120
"""Nesting that is still read; what lies deeper counts by its text alone."""
_SHOWN = 200
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_QUOTES = "\"'`"


class Tokens(Struct, frozen=True):
    """What a language's tokens are: ``whole`` nodes count by their text, ``unsaid`` ones do not count."""

    comments: frozenset[str] = frozenset({"comment", "line_comment", "block_comment"})
    whole: frozenset[str] = frozenset({"string"})
    unsaid: frozenset[str] = frozenset()
    grouping: frozenset[str] = frozenset({"parenthesized_expression"})


class Source(Struct, frozen=True):
    """The text and tree of one file."""

    data: bytes
    root: Node
    tokens: Tokens
    known: dict[int, str] = field(default_factory=dict)

    def text(self, node: Node) -> str:
        """The node as written."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def shown(self, node: Node) -> str:
        """The node on one line, cut where it is long."""
        line = " ".join(self.text(node).split())
        return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."

    def said(self, node: Node | None, without: Sequence[Node] = ()) -> str:
        """Its tokens, one space between them: layout, quotes, grouping and comments do not count."""
        if node is None:
            return ""
        if without:
            return " ".join(_plain(self._leaves(node, {n.id for n in without}, 0)))
        if node.id not in self.known:
            self.known[node.id] = " ".join(_plain(self._leaves(node, set(), 0)))
        return self.known[node.id]

    def line(self, node: Node) -> int:
        """Its first line, from 1."""
        return int(node.start_point[0]) + 1

    def _leaves(self, node: Node, without: set[int], depth: int) -> Iterator[str]:
        tokens = self.tokens
        if node.type in tokens.comments or node.type in tokens.unsaid or node.id in without:
            return
        if node.type in tokens.whole or not node.child_count or depth > DEEP:
            yield _unquoted(self.text(node)) if node.type in tokens.whole else self.text(node).strip()
            return
        inner = node.children
        if node.type in tokens.grouping and len(inner) > 2:  # noqa: PLR2004 - what stands between two brackets
            inner = inner[1:-1]
        for child in inner:
            yield from self._leaves(child, without, depth + 1)


def _plain(leaves: Iterator[str]) -> Iterator[str]:
    """Without semicolons, and commas that only a closing bracket follows."""
    held = ""
    for leaf in leaves:
        if held and leaf not in _CLOSE:
            yield held
        held = ""
        if leaf == ",":
            held = leaf
        elif leaf and leaf != ";":
            yield leaf


def _unquoted(text: str) -> str:
    """A string by its content: which quotes stand around it does not count."""
    bare = text.lstrip("rRuU") if text[:1] in "rRuU" and text[1:2] in _QUOTES else text
    for quotes in ('"""', "'''", '"', "'", "`"):
        if bare.startswith(quotes) and bare.endswith(quotes) and len(bare) >= 2 * len(quotes):
            return f'"{bare[len(quotes) : -len(quotes)]}"'
    return bare
