"""Python: pytest and unittest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.checks.integrity.conditions import Stated, bounded, condition, goes_on, made, named, number
from passdown.checks.integrity.dialect import Call, Parts, Shape, Unit
from passdown.checks.integrity.source import Source, Tokens
from passdown.rules.integrity.shapes import NEAR, Assertion, Mark
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_MARKS = {
    "skip": "skip",
    "skipIf": "skipif",
    "skipUnless": "skipif",
    "skipif": "skipif",
    "xfail": "xfail",
    "expectedFailure": "xfail",
    "flaky": "retries",
    "retry": "retries",
    "timeout": "timeout",
    "settings": "examples",
    "asyncio": "awaited",
    "anyio": "awaited",
    "trio": "awaited",
}
_EXAMPLES = lazy(r"\bmax_examples = (\d+)")
_ANYTHING = lazy(r"match = r? ?\"(?:\^?\.[*+]\$?)?\"")
_SKIPS = {"skip": "skip", "skipTest": "skip", "xfail": "xfail", "importorskip": "skipif", "SkipTest": "skip"}
_RAISES = frozenset({"raises", "warns", "deprecated_call", "assertRaises", "assertRaisesRegex", "assertWarns"})
_BROAD = lazy(r"(?:Exception|BaseException|AssertionError)\b")
_ASSERTING = lazy(r"_?(?:assert|expect)\w*|(?:check|verify|validate)_\w+|fail")
_QUIET = frozenset({"assertLogs", "assertNumQueries", "expectedFailure"})


class Python:
    """Functions ``test*`` at the top and in classes; everything else is a helper."""

    tokens = Tokens(whole=frozenset({"string"}), unsaid=frozenset({"type", "line_continuation"}))
    shape = Shape(
        blocks=frozenset({"block"}),
        conditional=frozenset({"if_statement", "elif_clause", "else_clause", "match_statement", "case_clause"}),
        returns=frozenset({"return_statement", "raise_statement"}),
        tries=frozenset({"try_statement", "with_statement"}),
        handlers=frozenset({"except_clause", "except_group_clause"}),
        functions=frozenset({"function_definition"}),
        lists=frozenset({"list", "tuple", "set"}),
        imports=frozenset({"import_statement", "import_from_statement", "future_import_statement"}),
        docs=frozenset({"pass_statement"}),
    )

    def language(self, path: str) -> Language:
        """The grammar."""
        import tree_sitter_python  # noqa: PLC0415 - only where a Python test changed
        from tree_sitter import Language  # noqa: PLC0415 - the same

        return Language(tree_sitter_python.language())

    def unit(self, source: Source, node: Node, path: str) -> Unit | None:
        """Functions, classes, and what stands under a condition at the top."""
        decorators: Sequence[Node] = []
        if node.type == "decorated_definition":
            decorators = [child for child in node.named_children if child.type == "decorator"]
            node = node.child_by_field_name("definition") or node
        if node.type in ("if_statement", "try_statement", "with_statement"):
            return Unit("scope", "", list(_blocks(node)))
        name = source.said(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        if node.type == "expression_statement":
            return _nothing(source, node)
        if node.type not in ("function_definition", "class_definition") or body is None:
            return None
        marks = [mark for one in decorators if (mark := _mark(source, one)) is not None]
        if node.type == "class_definition":
            alone = not node.child_by_field_name("superclasses")
            made_so = [
                Mark("uncollected", source.shown(one)) for one in body.named_children if alone and _makes(source, one)
            ]
            return Unit("scope", name, [body], [*marks, *made_so, *_own_marks(source, body)])
        if source.text(node).startswith("async "):
            marks.append(Mark("coroutine", "async def"))
        fixture = any("fixture" in source.said(d).split("(")[0].split() for d in decorators)
        test = name.startswith("test") and not fixture
        params = [p for one in decorators if (p := _params(source, one)) is not None]
        patched = [target for one in decorators if (target := _patch(source, one)) is not None]
        return Unit("test" if test else "helper", name, [body], marks, params, 1, patched)

    def assertions(self, source: Source, node: Node) -> list[Assertion] | None:
        """``assert``, ``self.assertX``, ``mock.assert_x``, ``pytest.raises`` and helpers named like them."""
        stated = Stated(source.shown(node), source.line(node))
        if node.type == "assert_statement":
            return condition(self, source, node.named_children[0], stated) if node.named_children else []
        if node.type != "call":
            return None
        call = _call(source, node)
        if call is None:
            return None
        if call.name in _RAISES:
            return [_raises(source, call, stated)]
        if not _ASSERTING.fullmatch(call.name) or call.name in _QUIET:
            return None
        return self._asserting(source, call, stated)

    def _asserting(self, source: Source, call: Call, stated: Stated) -> list[Assertion]:
        plain = [a for a in call.arguments if a.type != "keyword_argument"]
        on = source.said(call.on) if call.on is not None else ""
        if call.name in ("assertTrue", "assertFalse", "assert_", "assert_true", "assert_false") and plain:
            holds = "alse" not in call.name
            return condition(self, source, plain[0], stated, holds=holds)
        if call.name.startswith("assert_") and ("called" in call.name or "call" in call.name or "await" in call.name):
            return [named(source, call, stated, subject=on)]
        found = named(source, replace(call, arguments=plain if len(plain) > 1 else call.arguments), stated)
        if found.op == "equal" and len(plain) > 1:
            found = replace(found, expected=source.said(plain[1]))
        if found.op == "approx":
            found = bounded(found, named(source, call, stated).bound)
        return [replace(found, helper=call.name)]

    def parts(self, source: Source, node: Node) -> Parts:
        """Comparisons with one operator, ``not``, ``and``, ``or``, calls."""
        while node.type == "parenthesized_expression":
            inner = [child for child in node.named_children if child.type != "comment"]
            if len(inner) != 1:
                break
            node = inner[0]
        if node.type == "not_operator":
            return Parts("not", node.child_by_field_name("argument"))
        if node.type == "boolean_operator":
            both = source.said(node.child_by_field_name("operator")) == "and"
            return Parts("and" if both else "or", node.child_by_field_name("left"), node.child_by_field_name("right"))
        sides = [child for child in node.named_children if child.type != "comment"]
        if node.type == "comparison_operator" and len(sides) == 2:  # noqa: PLR2004 - two sides
            sign = " ".join(source.text(c) for c in node.children if not c.is_named or c.type.startswith(("is", "not")))
            return Parts("binary", sides[0], sides[1], " ".join(sign.split()))
        if node.type == "call" and (call := _call(source, node)) is not None:
            return Parts("call", call=call)
        return Parts("other")

    def marks(self, source: Source, root: Node) -> list[Mark]:
        """What the module says of all its tests."""
        own = [node for node in root.named_children if node.type == "function_definition"]
        loads = [n for n in own if source.said(n.child_by_field_name("name")) == "load_tests"]
        left_out = [Mark("uncollected", source.shown(n)) for n in loads if "addTest" not in source.text(n)]
        return [*left_out, *_own_marks(source, root)]

    def skip(self, source: Source, node: Node) -> Mark | None:
        """``pytest.skip()``, ``self.skipTest()``, ``raise SkipTest``."""
        inner = node.named_children[0] if node.named_children else node
        if node.type == "expression_statement" and inner.type == "assignment":
            inner = inner.child_by_field_name("right") or inner
        if node.type not in ("expression_statement", "raise_statement") or inner.type != "call":
            return None
        call = _call(source, inner)
        kind = _SKIPS.get(call.name) if call is not None else None
        runner = call is not None and (call.on is None or source.said(call.on) in ("pytest", "self", "unittest"))
        return Mark(kind, source.shown(node)) if kind and runner else None

    def swallows(self, source: Source, node: Node) -> bool:
        """A handler for every exception, or for failed assertions, that neither raises nor fails; ``suppress``."""
        if node.type == "with_statement":
            head = " ".join(source.said(c) for c in node.named_children if c.type == "with_clause")
            return _SUPPRESSED.search(head) is not None
        for child in node.named_children:
            if child.type != "except_clause":
                continue
            body = next(iter(_blocks(child)), None)
            caught = " ".join(source.said(c) for c in child.named_children if c is not body and c.type != "block")
            if (not caught or _BROAD.search(caught)) and goes_on(source.said(body)):
                return True
        return False


_SUPPRESSED = lazy(r"\bsuppress \( (?:[\w.]+ , )*(?:\w+ \. )?(?:Exception|BaseException|AssertionError)\b")


def _makes(source: Source, node: Node) -> bool:
    """``__init__``: pytest leaves such a class out."""
    name = source.said(node.child_by_field_name("name"))
    return node.type == "function_definition" and name in ("__init__", "__new__")


def _blocks(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "block":
            yield child
        elif child.type in ("elif_clause", "else_clause", "except_clause", "finally_clause"):
            yield from _blocks(child)


def _call(source: Source, node: Node) -> Call | None:
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    given = [a for a in arguments.named_children if a.type != "comment"] if arguments.type == "argument_list" else []
    if function.type == "attribute":
        name = source.said(function.child_by_field_name("attribute"))
        return Call(name, function.child_by_field_name("object"), given)
    return Call(source.said(function), None, given)


def _raises(source: Source, call: Call, stated: Stated) -> Assertion:
    """The exceptions, and what else is asked of them."""
    expected = source.said(call.arguments[0]) if call.arguments else ""
    rest = [source.said(a) for a in call.arguments[1:]]
    more = [r for r in rest if r.startswith("match =") and not _ANYTHING.fullmatch(r)] or (
        rest[:1] if call.name.endswith("Regex") else []
    )
    found = made(stated, "raises", NEAR, "", expected)
    return replace(found, key=f"raises {expected} {' '.join(rest)}", strength=5 if more else NEAR)


def _mark(source: Source, decorator: Node) -> Mark | None:
    """A decorator that keeps the test from counting."""
    said = source.said(decorator)
    head = said.partition("(")[0].split()
    kind = _MARKS.get(head[-1]) if head else None
    if kind is None or (len(head) > 1 and head[1] not in ("pytest", "mark", "unittest", *_MARKS)):
        return None
    if kind == "examples":
        few = _EXAMPLES.search(said)
        return Mark(kind, source.shown(decorator), amount=-float(few[1])) if few is not None else None
    amounts = [n for word in said.replace(",", " ").split() if (n := number(word)) is not None]
    return Mark(kind, source.shown(decorator), amount=amounts[0] if amounts else None)


def _nothing(source: Source, node: Node) -> Unit | None:
    """Documentation, and statements that :func:`_own_marks` reads, are no code of their own."""
    quiet = node.named_children and node.named_children[0].type == "string"
    return Unit("scope", "") if quiet or source.said(node).startswith(("pytestmark =", "__test__ =")) else None


def _own_marks(source: Source, body: Node) -> Iterator[Mark]:
    """Marks that statements of a module or class put on all that is in it."""
    for node in body.named_children:
        said = source.said(node)
        if node.type == "expression_statement" and said.startswith("pytestmark ="):
            for word, kind in _MARKS.items():
                if f"mark . {word}" in said:
                    yield Mark(kind, source.shown(node))
        elif said.startswith("__test__ = False"):
            yield Mark("uncollected", source.shown(node))
        elif said.startswith(("pytest . skip (", "raise unittest . SkipTest", "pytest . importorskip (")):
            yield Mark("skip" if "importorskip" not in said else "skipif", source.shown(node))


def _params(source: Source, decorator: Node) -> Node | None:
    """The values of ``parametrize``."""
    call = decorator.named_children[0] if decorator.named_children else decorator
    found = _call(source, call) if call.type == "call" else None
    if found is None or found.name not in ("parametrize", "expand", "parameterized", "data"):
        return None
    plain = [a for a in found.arguments if a.type != "keyword_argument"]
    named_ = [a for a in found.arguments if source.said(a).startswith("argvalues =")]
    if found.name == "parametrize":
        return plain[1] if len(plain) > 1 else named_[0].named_children[-1] if named_ else None
    return plain[0] if plain else None


def _patch(source: Source, decorator: Node) -> tuple[str, str] | None:
    call = decorator.named_children[0] if decorator.named_children else decorator
    found = _call(source, call) if call.type == "call" else None
    if found is None or found.name not in ("patch", "object") or "patch" not in source.said(decorator):
        return None
    target = source.said(found.arguments[-1 if found.name == "object" else 0]) if found.arguments else ""
    if found.name == "object" and len(found.arguments) > 1:
        target = source.said(found.arguments[1])
    return target.strip('"').rsplit(".", 1)[-1], source.shown(decorator)
