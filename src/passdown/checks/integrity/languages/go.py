"""Go: the testing package, testify, gomega-like chains, table tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.checks.integrity import infix
from passdown.checks.integrity.conditions import Stated, condition, made, named
from passdown.checks.integrity.dialect import Call, Parts, Shape, Unit
from passdown.checks.integrity.source import Source, Tokens
from passdown.rules.integrity.shapes import NEAR, Assertion, Mark
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_TEST = lazy(r"(?:Test|Fuzz|Example)(?:[^a-z].*)?")
_FAILS = frozenset({"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"})
_SKIPS = frozenset({"Skip", "Skipf", "SkipNow"})
_BUILD = lazy(r"//go:build\s+(.+)|//\s*\+build\s+(.+)")
_ASSERTING = frozenset({"require", "assert", "is", "qt", "td", "check", "s", "suite", "a", "r"})
_LIBRARIES = frozenset({"require", "assert", "is", "qt", "td", "must"})
_T = frozenset({"t", "tb", "b", "f", "c", "tt", "T"})


class Go:
    """Functions ``TestX``; an ``if`` that reports an error is an assertion of the opposite."""

    tokens = Tokens(whole=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}))
    shape = Shape(
        blocks=frozenset({"block", "statement_list"}),
        conditional=frozenset({"if_statement", "expression_case", "type_case", "default_case"}),
        returns=frozenset({"return_statement"}),
        tries=frozenset(),
        handlers=frozenset(),
        functions=frozenset({"func_literal"}),
        lists=frozenset({"literal_value"}),
        imports=frozenset({"import_declaration", "package_clause"}),
    )

    def language(self, path: str) -> Language:
        """The grammar."""
        import tree_sitter_go  # noqa: PLC0415 - only where a Go test changed
        from tree_sitter import Language  # noqa: PLC0415 - the same

        return Language(tree_sitter_go.language())

    def unit(self, source: Source, node: Node, path: str) -> Unit | None:
        """Functions and methods (of suites)."""
        body = node.child_by_field_name("body")
        if node.type not in ("function_declaration", "method_declaration") or body is None:
            return None
        name = source.said(node.child_by_field_name("name"))
        test = _TEST.fullmatch(name) is not None and name != "TestMain"
        return Unit("test" if test else "helper", name, [body])

    def marks(self, source: Source, root: Node) -> list[Mark]:
        """Build constraints, and a ``TestMain`` that runs nothing."""
        found = []
        for node in root.named_children:
            if node.type == "comment" and (m := _BUILD.match(source.text(node))) is not None:
                found.append(Mark("uncollected", m[0].strip()))
            if node.type == "function_declaration" and source.said(node.child_by_field_name("name")) == "TestMain":
                said = source.said(node)
                if ". Run (" not in said and "VerifyTestMain" not in said:
                    found.append(Mark("uncollected", f"{source.shown(node)[:60]} (never runs the tests)"))
        return found

    def assertions(self, source: Source, node: Node) -> list[Assertion] | None:
        """``if got != want { t.Errorf }``, ``require.X(t, ...)``, ``t.Fatal`` elsewhere."""
        stated = Stated(source.shown(node), source.line(node))
        if node.type == "if_statement":
            return self._if(source, node, stated)
        if node.type != "call_expression":
            return None
        call = _call(source, node)
        if call is None:
            return None
        on = source.said(call.on) if call.on is not None else ""
        if call.name in _FAILS and on.split(" . ")[-1].split(" ")[0] in _T:
            return [made(stated, "fail", NEAR, source.said(node))]
        head = on.split(" ")[0]
        given = [a for a in call.arguments if source.said(a) not in _T and source.said(a) != "s . T ( )"]
        if (
            head in _LIBRARIES
            or ". Require ( )" in on
            or ". Assert ( )" in on
            or on.endswith(("Assertions", "Require", "Assert"))
        ):
            return [self._testify(source, Call(call.name, call.on, given), stated)] if call.name != "New" else None
        if call.name.startswith("Assert") and call.on is not None:
            return [named(source, Call(call.name, call.on, given), stated)]
        if call.name in ("To", "Should", "ShouldNot", "NotTo", "ToNot") and call.on is not None and call.arguments:
            return [self._gomega(source, call, stated)]
        if (
            call.name.startswith(("assert", "require", "expect", "check", "Assert", "Require"))
            and call.on is None
            and call.name not in _ASSERTING
        ):
            return [replace(named(source, Call(call.name, None, given), stated), helper=call.name)]
        return None

    def _if(self, source: Source, node: Node, stated: Stated) -> list[Assertion] | None:
        """Only where its block does no more than report."""
        block, test = node.child_by_field_name("consequence"), node.child_by_field_name("condition")
        if block is None or test is None:
            return None
        last = [c for s in block.named_children for c in (s.named_children if s.type == "statement_list" else [s])]
        calls = [s.named_children[0] for s in last if s.type == "expression_statement" and s.named_children]
        fails = [
            c
            for c in calls
            if (call := _call(source, c)) is not None
            and call.name in _FAILS
            and call.on is not None
            and source.said(call.on).split(" ")[-1] in _T
        ]
        if not fails or any(s.type not in ("expression_statement", "return_statement", "comment") for s in last):
            return None
        before = node.child_by_field_name("initializer")
        first = f"{source.shown(before)}; " if before is not None else ""
        told = f"if {first}{source.shown(test)} {{ {source.shown(fails[0])} }}"
        shown = Stated(told[:200], stated.line)
        found = condition(self, source, test, shown, holds=False)
        said = f" [{source.said(before)}]" if before is not None else ""
        return [replace(a, key=a.key + said) for a in found]

    def _testify(self, source: Source, call: Call, stated: Stated) -> Assertion:
        found = named(source, call, stated)
        said = [source.said(a) for a in call.arguments]
        if found.op in ("equal", "unequal", "approx") and len(said) > 1:  # the expected value comes first
            found = replace(found, subject=said[1], expected=said[0])
        if call.name in ("True", "False", "Truef", "Falsef") and call.arguments:
            return condition(self, source, call.arguments[0], stated, holds=call.name.startswith("True"))[0]
        return found

    def _gomega(self, source: Source, call: Call, stated: Stated) -> Assertion:
        on, matcher = call.on, call.arguments[0]
        inner = _call(source, on) if on is not None and on.type == "call_expression" else None
        subject = " , ".join(source.said(a) for a in inner.arguments) if inner is not None else ""
        wanted = _call(source, matcher) if matcher.type == "call_expression" else None
        name = ("not_" if "ot" in call.name else "") + (wanted.name if wanted is not None else source.said(matcher))
        return named(source, Call(name, None, wanted.arguments if wanted is not None else []), stated, subject=subject)

    def parts(self, source: Source, node: Node) -> Parts:
        """As in C."""
        node = infix.inside(node)
        return infix.parts(source, node, _call(source, node) if node.type == "call_expression" else None)

    def skip(self, source: Source, node: Node) -> Mark | None:
        """``t.Skip()``."""
        inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        call = _call(source, inner) if inner is not None and inner.type == "call_expression" else None
        if (
            call is None
            or call.name not in _SKIPS
            or call.on is None
            or source.said(call.on).split(" ")[-1] not in (*_T, ")")
        ):
            return None
        return Mark("skip", source.shown(node))

    def swallows(self, source: Source, node: Node) -> bool:
        """Go has no try."""
        return False


def _call(source: Source, node: Node) -> Call | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    given = [a for a in arguments.named_children if a.type != "comment"]
    if function.type == "selector_expression":
        return Call(source.said(function.child_by_field_name("field")), function.child_by_field_name("operand"), given)
    return Call(source.said(function), None, given)
