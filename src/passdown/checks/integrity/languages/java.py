"""Java: JUnit 4 and 5, TestNG, AssertJ, Truth, Hamcrest, Mockito."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.checks.integrity import infix
from passdown.checks.integrity.conditions import Stated, bounded, condition, goes_on, made, named, number, spoken
from passdown.checks.integrity.dialect import Call, Parts, Shape, Unit
from passdown.checks.integrity.source import Source, Tokens
from passdown.rules.integrity.shapes import NEAR, Assertion, Mark
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property", "Theory"})
_MARKS = {
    "Disabled": "skip",
    "Ignore": "skip",
    "Ignored": "skip",
    "DisabledIf": "skipif",
    "EnabledIf": "skipif",
    "Timeout": "timeout",
    "RetryingTest": "retries",
    "Flaky": "retries",
    "RepeatedIfExceptionsTest": "retries",
}
_CONDITIONAL = lazy(r"(?:Disabled|Enabled)(?:On|If|For)\w*")
_CAUGHT = lazy(r"\b(?:Throwable|Error|Assertion(?:Failed)?Error)\b")
_ROWS = frozenset({"ValueSource", "CsvSource", "EnumSource"})
_ASSERTING = lazy(r"(?:assert|expect|check|verify|fail|should)\w*")
_CHAINED = frozenset(
    {
        "assertThat",
        "expectThat",
        "assertThatThrownBy",
        "assertThatCode",
        "assertThatExceptionOfType",
        "that",
        "then",
        "verify",
    }
)
_ABOUT = frozenset(
    {
        "as",
        "describedAs",
        "withFailMessage",
        "overridingErrorMessage",
        "extracting",
        "usingRecursiveComparison",
        "ignoringFields",
        "first",
        "element",
        "asList",
        "asString",
        "get",
        "asInstanceOf",
        "returns",
    }
)


class Java:
    """Methods with a test annotation; the old ``testX`` of a ``TestCase`` as well."""

    tokens = Tokens(whole=frozenset({"string_literal", "character_literal"}))
    shape = Shape(
        blocks=frozenset({"block"}),
        conditional=frozenset({"if_statement", "switch_expression", "switch_block_statement_group", "switch_rule"}),
        returns=frozenset({"return_statement", "throw_statement"}),
        tries=frozenset({"try_statement", "try_with_resources_statement"}),
        handlers=frozenset({"catch_clause"}),
        functions=frozenset({"lambda_expression"}),
        lists=frozenset({"element_value_array_initializer", "array_initializer"}),
        imports=frozenset({"import_declaration", "package_declaration"}),
    )

    def language(self, path: str) -> Language:
        """The grammar."""
        import tree_sitter_java  # noqa: PLC0415 - only where a Java test changed
        from tree_sitter import Language  # noqa: PLC0415 - the same

        return Language(tree_sitter_java.language())

    def unit(self, source: Source, node: Node, path: str) -> Unit | None:
        """Classes and methods."""
        body = node.child_by_field_name("body")
        name = source.said(node.child_by_field_name("name"))
        notes = dict(_annotations(source, node))
        marks = [m for n, one in notes.items() if (m := _mark(source, n, one)) is not None]
        if node.type in ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration"):
            return Unit("scope", name, [body], marks) if body is not None else None
        if node.type not in ("method_declaration", "constructor_declaration"):
            return None
        if b"org.junit.jupiter" in source.data and "private" in source.text(node).partition("(")[0].split():
            marks += [Mark("uncollected", f"private {name}")] if _TESTS & notes.keys() else []
        old_style = b"TestCase" in source.data and name.startswith("test")
        test = bool(_TESTS & notes.keys()) or old_style
        params = [p for n, one in notes.items() if n in _ROWS and (p := _rows(one)) is not None]
        times = None if "ParameterizedTest" in notes and not params else 1
        raised = [a for n, one in notes.items() if (a := _raised(source, n, one)) is not None]
        bodies = [body] if body is not None else []
        return Unit("test" if test else "helper", name, bodies, marks, params, times, asserts=raised)

    def marks(self, source: Source, root: Node) -> list[Mark]:
        """None: a class says it."""
        return []

    def assertions(self, source: Source, node: Node) -> list[Assertion] | None:
        """``assertX(...)``, ``assertThat(x).y(...)``, ``verify(mock).call(...)``, ``fail()``."""
        if node.type != "method_invocation":
            return None
        stated = Stated(source.shown(node), source.line(node))
        chain = list(_links(source, node))
        root = next((i for i, (name, _) in enumerate(chain) if name in _CHAINED), None)
        if root is not None and len(chain) > root + 1:
            told = _chained(source, chain[root:], stated)
            given = chain[root][1]
            return spoken(self, source, told[0], given[0], stated) if len(given) == len(told) == 1 else told
        name, arguments = chain[-1]
        if not _ASSERTING.fullmatch(name):
            return None
        return self._asserting(source, name, arguments, stated)

    def _asserting(self, source: Source, name: str, arguments: list[Node], stated: Stated) -> list[Assertion]:
        if _message_first(source, name, arguments):
            arguments = arguments[1:]
        if name in ("assertTrue", "assertFalse") and arguments:
            return condition(self, source, arguments[0], stated, holds=name == "assertTrue")
        if name == "assertThat" and len(arguments) > 1:
            return [_matched(source, arguments[-2], arguments[-1], stated)]
        if name == "fail":
            return [made(stated, "fail", NEAR, "fail")]
        found = named(source, Call(name, None, arguments), stated)
        said = [source.said(a) for a in arguments]
        if found.op in ("equal", "unequal", "approx") and len(said) > 1:
            found = replace(found, subject=said[1], expected=said[0])
            if len(said) > 2 and (delta := number(said[2])) is not None:  # noqa: PLR2004 - the third is the delta
                found = bounded(replace(found, op="approx" if delta else "equal"), delta)
        if found.op == "raises" and said:
            found = replace(found, subject="", expected=said[0])
        return [replace(found, helper=name)]

    def parts(self, source: Source, node: Node) -> Parts:
        """As in C."""
        node = infix.inside(node)
        call = None
        if node.type == "method_invocation":
            given = node.child_by_field_name("arguments")
            call = Call(
                source.said(node.child_by_field_name("name")),
                node.child_by_field_name("object"),
                list(given.named_children) if given is not None else [],
            )
        return infix.parts(source, node, call)

    def skip(self, source: Source, node: Node) -> Mark | None:
        """``assumeTrue(...)`` and ``throw new SkipException``."""
        inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        if (
            inner is not None
            and inner.type == "method_invocation"
            and source.said(inner.child_by_field_name("name")).startswith("assum")
        ):
            return Mark("skipif", source.shown(node))
        skips = node.type == "throw_statement" and (
            "SkipException" in source.text(node) or "TestAbortedException" in source.text(node)
        )
        return Mark("skip", source.shown(node)) if skips else None

    def swallows(self, source: Source, node: Node) -> bool:
        """A handler for errors of every kind that neither throws nor asserts."""
        for child in node.named_children:
            if child.type == "catch_clause":
                caught = source.said(
                    next((c for c in child.named_children if c.type == "catch_formal_parameter"), None)
                )
                if _CAUGHT.search(caught) and goes_on(source.said(child.child_by_field_name("body"))):
                    return True
        return False


def _message_first(source: Source, name: str, arguments: list[Node]) -> bool:
    """JUnit 4 puts the message first."""
    texts = [a.type == "string_literal" or (a.type == "binary_expression" and '"' in source.text(a)) for a in arguments]
    compares = "Equals" in name or "Same" in name
    least = 3 if compares else 2
    return (
        len(arguments) >= least
        and texts[0]
        and (not compares or number(source.said(arguments[2])) is None or not texts[1])
    )


def _annotations(source: Source, node: Node) -> Iterator[tuple[str, Node]]:
    for child in node.named_children:
        if child.type == "modifiers":
            for one in child.named_children:
                if "annotation" in one.type:
                    yield source.said(one.child_by_field_name("name")).split(" ")[-1], one


def _mark(source: Source, name: str, node: Node) -> Mark | None:
    kind = _MARKS.get(name) or ("skipif" if _CONDITIONAL.fullmatch(name) else None)
    said = source.said(node)
    if name == "Test" and "enabled = false" in said:
        kind = "skip"
    if name == "Test" and "timeout =" in said:
        kind = "timeout"
    if kind is None:
        return None
    amounts = [n for word in said.replace("(", " ").split() if (n := number(word.rstrip("L"))) is not None]
    return Mark(kind, source.shown(node), amount=amounts[0] if amounts else None)


def _raised(source: Source, name: str, node: Node) -> Assertion | None:
    """``@Test(expected = X.class)``."""
    said = source.said(node)
    if name != "Test" or "expected =" not in said:
        return None
    expected = said.partition("expected =")[2].partition(",")[0].strip(" )")
    return made(Stated(source.shown(node), source.line(node)), "raises", NEAR, "", expected)


def _rows(annotation: Node) -> Node | None:
    pending = list(annotation.named_children)
    while pending:
        node = pending.pop(0)
        if node.type == "element_value_array_initializer":
            return node
        pending += node.named_children
    return None


Link = tuple[str, list["Node"]]


def _links(source: Source, node: Node) -> list[Link]:
    """``assertThat(x).hasSize(2)`` as (assertThat, [x]), (hasSize, [2])."""
    found: list[Link] = []
    at: Node | None = node
    while at is not None and at.type == "method_invocation":
        given = at.child_by_field_name("arguments")
        arguments = [a for a in given.named_children if "comment" not in a.type] if given is not None else []
        found.append((source.said(at.child_by_field_name("name")), arguments))
        at = at.child_by_field_name("object")
    return found[::-1]


def _chained(source: Source, chain: list[Link], stated: Stated) -> list[Assertion]:
    root, given = chain[0]
    subject = " , ".join(source.said(a) for a in given[:1])
    if root == "verify":
        times = " , ".join(source.said(a) for a in given[1:])
        name, arguments = chain[1]
        said = " , ".join(source.said(a) for a in arguments)
        sent = made(stated, "called-with", 5, f"{subject} . {name}", f"{said} | {times}")
        weak = 2 if "atLeast" in times or "atMost" in times else 0
        return [replace(sent, strength=5 - weak)]
    found: list[Assertion] = []
    for name, arguments in chain[1:]:
        if name in _ABOUT:
            subject += f" . {name} {' , '.join(source.said(a) for a in arguments)}"
            continue
        found.append(named(source, Call(name, None, arguments), stated, subject=subject))
    return found or [made(stated, "custom", 0, subject)]


def _matched(source: Source, subject: Node, matcher: Node, stated: Stated) -> Assertion:
    """Hamcrest: ``assertThat(x, is(3))``."""
    name = source.said(matcher)
    arguments: list[Node] = []
    if matcher.type == "method_invocation":
        links = _links(source, matcher)
        name, arguments = links[-1]
        if name in ("is", "not") and arguments and arguments[0].type == "method_invocation":
            inner, arguments = _links(source, arguments[0])[-1]
            name = f"not_{inner}" if name == "not" else inner
    return named(source, Call(name, None, arguments), stated, subject=source.said(subject))
