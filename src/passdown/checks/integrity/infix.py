"""Expressions of the languages with C's operators, taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.checks.integrity.dialect import Parts
from passdown.checks.integrity.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

    from passdown.checks.integrity.dialect import Call

_WRAPPED = frozenset({"parenthesized_expression", "await_expression", "non_null_expression", "as_expression"})


def parts(source: Source, node: Node, call: Call | None) -> Parts:
    """``call``: the node as a call, where it is one."""
    inner = inside(node)
    if inner is not node:
        node = inner
    if call is not None:
        return Parts("call", call=call)
    if node.type == "unary_expression" and source.text(node.children[0]) == "!":
        return Parts("not", node.named_children[-1])
    if node.type == "binary_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = source.said(node.child_by_field_name("operator"))
        if sign in ("&&", "||"):
            return Parts("and" if sign == "&&" else "or", left, right)
        if sign in ("==", "===", "!=", "!==", "<", "<=", ">", ">=", "instanceof", "in"):
            return Parts("binary", left, right, sign)
    return Parts("other")


def inside(node: Node) -> Node:
    """The expression without brackets and ``await`` around it."""
    while node.type in _WRAPPED:
        inner = next((child for child in node.named_children if "comment" not in child.type), None)
        if inner is None:
            break
        node = inner
    return node
