"""Configuration that is a program (``jest.config.ts``): its object literals as flat settings, by their syntax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passdown.checks.integrity.languages.javascript import JavaScript
from passdown.checks.integrity.source import DEEP, Source
from passdown.rules.integrity.settings import Value

if TYPE_CHECKING:
    from tree_sitter import Node

_WORDS = {"true": True, "false": False}
_STRINGS = frozenset({"string", "template_string"})


def script_settings(path: str, data: bytes) -> Iterator[tuple[str, Value]]:
    """Dotted name -> value of every ``name: value`` whose value is plain, or a list."""
    from tree_sitter import Parser  # noqa: PLC0415 - only where such a file changed

    dialect = JavaScript()
    root = Parser(dialect.language(path)).parse(data).root_node
    yield from _pairs(Source(data, root, dialect.tokens), root, "", 0)


def _pairs(source: Source, node: Node, prefix: str, depth: int) -> Iterator[tuple[str, Value]]:
    if depth > DEEP:
        return
    for child in node.named_children:
        key = child.child_by_field_name("key") if child.type == "pair" else None
        value = child.child_by_field_name("value") if key is not None else None
        if key is None or value is None:
            yield from _pairs(source, child, prefix, depth + 1)
            continue
        name = source.text(key).strip("'\"")
        name = f"{prefix}.{name}" if prefix else name
        plain = _plain(source, value)
        if plain is not None:
            yield name, plain
        if value.type not in _STRINGS:
            yield from _pairs(source, value, name, depth + 1)


def _plain(source: Source, node: Node) -> Value:
    """The value; of a list its plain elements; None: a program has to say it."""
    text = source.text(node)
    if node.type in _STRINGS:
        return text[1:-1]
    if node.type == "number":
        try:
            return float(text.replace("_", ""))
        except ValueError:
            return text
    if node.type == "array":
        inner = [c for c in node.named_children if c.type in (*_STRINGS, "number", "regex")]
        return tuple(source.text(c).strip("'\"`") for c in inner)
    return _WORDS.get(text)
