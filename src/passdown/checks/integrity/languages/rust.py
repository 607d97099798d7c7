"""Rust: ``#[test]`` functions, wherever they stand; macros are read by their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.checks.integrity import infix
from passdown.checks.integrity.conditions import Stated, made
from passdown.checks.integrity.dialect import Call, Parts, Shape, Unit
from passdown.checks.integrity.source import Source, Tokens
from passdown.rules.integrity.shapes import EXACT, NEAR, PARTIAL, TRUTHY, Assertion, Mark
from passdown.rules.integrity.vocabulary import negation, operator
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_TEST = lazy(r"(?:\w+ :: )*(?:test|rstest|test_case|wasm_bindgen_test|quickcheck|proptest|googletest)(?: \(.*)?")
_ASSERTING = lazy(r"(?:debug_)?assert\w*|\w*assert\w*|panic|unreachable|prop_assert\w*|verify_that|expect_that")
_SIGNS = ("==", "!=", "<=", ">=", "<", ">")
_METHODS = {
    "is_some": ("truthy", TRUTHY),
    "is_ok": ("truthy", TRUTHY),
    "is_none": ("none", EXACT),
    "is_err": ("raises", TRUTHY),
    "is_empty": ("empty", NEAR),
    "contains": ("in", PARTIAL),
    "starts_with": ("in", PARTIAL),
    "ends_with": ("in", PARTIAL),
}


class Rust:
    """Functions with a test attribute; the rest of the file is code, not test."""

    tokens = Tokens(
        whole=frozenset({"string_literal", "raw_string_literal", "char_literal"}), unsaid=frozenset({"attribute_item"})
    )
    shape = Shape(
        blocks=frozenset({"block"}),
        conditional=frozenset({"if_expression", "match_arm", "else_clause"}),
        returns=frozenset({"return_expression"}),
        tries=frozenset({"call_expression"}),
        handlers=frozenset(),
        functions=frozenset({"closure_expression"}),
        lists=frozenset({"array_expression"}),
        imports=frozenset({"use_declaration", "extern_crate_declaration"}),
    )

    def language(self, path: str) -> Language:
        """The grammar."""
        import tree_sitter_rust  # noqa: PLC0415 - only where a Rust test changed
        from tree_sitter import Language  # noqa: PLC0415 - the same

        return Language(tree_sitter_rust.language())

    def unit(self, source: Source, node: Node, path: str) -> Unit | None:
        """Test modules and functions; code outside them is not compared here."""
        if node.type == "attribute_item":
            return Unit("scope", "")
        if node.type in ("macro_definition", "macro_invocation", "expression_statement"):
            return None if _in_tests(source, node, path) else Unit("scope", "")
        attributes = _attributes(source, node)
        name = source.said(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        marks = [m for text, shown in attributes if (m := _mark(text, shown)) is not None]
        if node.type == "mod_item":
            return Unit("scope", name, [body] if body is not None else [], marks)
        if node.type != "function_item" or body is None:
            return Unit("scope", "")
        test = any(_TEST.fullmatch(text) for text, _ in attributes)
        if not test and not _in_tests(source, node, path):
            return Unit("scope", "")
        if not test:
            return Unit("helper", name, [body], marks)
        rows = [text for text, _ in attributes if text.startswith(("case", "test_case ("))]
        panics = [
            _panics(text, shown, source.line(node)) for text, shown in attributes if text.startswith("should_panic")
        ]
        return Unit("test", name, [body], marks, times=max(1, len(rows)), rows=rows, asserts=panics)

    def marks(self, source: Source, root: Node) -> list[Mark]:
        """A condition on the whole file."""
        found = []
        for node in root.named_children:
            said = source.text(node) if node.type == "inner_attribute_item" else ""
            if said.replace(" ", "").startswith("#![cfg("):
                found.append(Mark("uncollected", said))
        return found

    def assertions(self, source: Source, node: Node) -> list[Assertion] | None:
        """``assert!``, ``assert_eq!`` and every macro named like them; ``panic!``."""
        if node.type != "macro_invocation":
            return None
        name = source.said(node.child_by_field_name("macro")).split(" ")[-1]
        if not _ASSERTING.fullmatch(name):
            return None
        stated = Stated(source.shown(node), source.line(node))
        tree = next((c for c in node.named_children if c.type == "token_tree"), None)
        arguments = _arguments(source, tree) if tree is not None else []
        return [self._macro(name.removeprefix("debug_").removeprefix("prop_"), arguments, stated)]

    def _macro(self, name: str, arguments: Sequence[str], stated: Stated) -> Assertion:
        first = arguments[0] if arguments else ""
        if name in ("panic", "unreachable"):
            return made(stated, "fail", NEAR, name)
        if "snapshot" in name:
            return made(stated, "equal", EXACT, first, arguments[-1] if len(arguments) > 1 else "")
        if name in ("assert_eq", "assert_str_eq", "assert_ne") and len(arguments) > 1:
            op, strength = ("equal", EXACT) if name != "assert_ne" else ("unequal", PARTIAL)
            left, right = (arguments[1], first) if _plain(first) and not _plain(arguments[1]) else (first, arguments[1])
            return made(stated, op, strength, left, right)
        if name in ("assert_matches", "assert_let"):
            return made(stated, "in", PARTIAL, first, " , ".join(arguments[1:2]))
        if name == "assert":
            return _true(first, stated)
        return made(stated, "custom", NEAR, name, " , ".join(arguments))

    def parts(self, source: Source, node: Node) -> Parts:
        """As in C; calls by their last name."""
        node = infix.inside(node)
        call = None
        if node.type == "call_expression":
            function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            on = function.child_by_field_name("value") if function is not None else None
            name = source.said(
                function.child_by_field_name("field") if on is not None and function is not None else function
            )
            call = Call(name.split(" :: ")[-1], on, list(given.named_children) if given is not None else [])
        return infix.parts(source, node, call)

    def skip(self, source: Source, node: Node) -> Mark | None:
        """Rust tests cannot skip themselves; an early return is found as that."""
        return None

    def swallows(self, source: Source, node: Node) -> bool:
        """``catch_unwind`` whose answer nobody looks at."""
        if not source.said(node.child_by_field_name("function")).endswith("catch_unwind"):
            return False
        above = node.parent
        unnamed = above is not None and source.said(above.child_by_field_name("pattern")) == "_"
        return unnamed or (above is not None and above.type == "expression_statement")


def _in_tests(source: Source, node: Node, path: str) -> bool:
    """Whether a function stands in a file or module of tests."""
    above = node.parent
    while above is not None:
        if above.type == "mod_item" and "test" in (
            source.said(above.child_by_field_name("name")) + " ".join(text for text, _ in _attributes(source, above))
        ):
            return True
        above = above.parent
    return "tests" in path.split("/")[:-1] or path.endswith(("/tests.rs", "_test.rs", "_tests.rs"))


def _attributes(source: Source, node: Node) -> list[tuple[str, str]]:
    """The attributes above an item: normalised and as written."""
    found = []
    above = node.prev_named_sibling
    while above is not None and (above.type == "attribute_item" or "comment" in above.type):
        if above.type == "attribute_item" and above.named_children:
            found.append((source.said(above.named_children[0]), source.shown(above)))
        above = above.prev_named_sibling
    return found[::-1]


def _panics(text: str, shown: str, line: int) -> Assertion:
    """``#[should_panic(expected = "...")]``."""
    expected = text.partition("expected =")[2].strip(" )")
    return replace(
        made(Stated(shown, line), "raises", NEAR, "", expected or "panic"), strength=EXACT if expected else NEAR
    )


def _mark(text: str, shown: str) -> Mark | None:
    if text.startswith("ignore"):
        return Mark("skip", shown)
    if text.startswith("cfg (") and text != "cfg ( test )":
        return Mark("uncollected", shown)
    return Mark("skipif", shown) if text.startswith("cfg_attr (") and "ignore" in text else None


def _arguments(source: Source, tree: Node) -> list[str]:
    """A macro's arguments, split at its own commas."""
    found: list[list[str]] = [[]]
    for child in tree.children[1:-1]:
        if source.text(child) == ",":
            found.append([])
        elif "comment" not in child.type:
            found[-1].append(source.said(child))
    return [" ".join(words) for words in found if words]


def _plain(said: str) -> bool:
    return said[:1] in "\"'-" or said[:1].isdigit() or said in ("true", "false", "None")


def _true(said: str, stated: Stated) -> Assertion:
    """A condition from its tokens: a comparison, a known method, ``matches!``, or as true as it is."""
    if " && " in f" {said} " or " || " in f" {said} ":
        strength = PARTIAL if " && " in f" {said} " else TRUTHY
        return replace(made(stated, "either" if strength == TRUTHY else "custom", strength, said), strength=strength)
    holds = not said.startswith("! ")
    said = said.removeprefix("! ")
    for sign in _SIGNS:
        left, found, right = said.partition(f" {sign} ")
        if found and left.count("(") == left.count(")"):
            op, strength = operator(sign)
            return (
                made(stated, op, strength, left, right) if holds else made(stated, *negation(op, strength), left, right)
            )
    if said.startswith("matches ! ("):
        subject, _, expected = said.removeprefix("matches ! (").partition(" , ")
        return made(stated, "in" if holds else "not-in", PARTIAL, subject.strip(), expected)
    method = said.split(" . ")[-1].split(" ")[0]
    if method in _METHODS and " . " in said:
        op, strength = _METHODS[method] if holds else negation(*_METHODS[method])
        subject, _, expected = said.rpartition(f" . {method} ")
        return made(stated, op, strength, subject, "" if expected in ("( )", "") else expected)
    return made(stated, "truthy" if holds else "falsy", TRUTHY, said)
