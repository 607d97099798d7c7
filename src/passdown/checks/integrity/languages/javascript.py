"""JavaScript and TypeScript: jest, vitest, mocha, jasmine, ava, node:test, playwright, cypress; chai, sinon, assert."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.checks.integrity import infix
from passdown.checks.integrity.conditions import Stated, condition, goes_on, made, named, number, spoken
from passdown.checks.integrity.dialect import Call, Parts, Shape, Unit
from passdown.checks.integrity.source import Source, Tokens
from passdown.rules.integrity.shapes import Assertion, Mark
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_TESTS = frozenset({"it", "test", "specify", "bench"})
_GROUPS = frozenset({"describe", "context", "suite"})
_HOOKS = frozenset({"before", "after", "beforeEach", "afterEach", "beforeAll", "afterAll", "setup", "teardown"})
_SKIPPED = {"xit": "it", "xtest": "test", "xspecify": "specify", "xdescribe": "describe", "xcontext": "context"}
_FOCUSED = {"fit": "it", "fdescribe": "describe", "ftest": "test"}
_MARKS = {
    "skip": "skip",
    "todo": "skip",
    "skipIf": "skipif",
    "runIf": "skipif",
    "fixme": "skip",
    "only": "only",
    "fails": "xfail",
    "failing": "xfail",
    "fail": "xfail",
}
_FILLERS = frozenset({
    "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does",
    "still", "also", "deep", "own", "ordered", "nested", "flat", "any", "all", "resolves", "rejects", "eventually",
    "not", "soft", "poll",
})  # fmt: skip
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_ROOTS = lazy(r"assert\w*|expect\w*|t|tap|should|chai|sinon|QUnit")


class JavaScript:
    """``it``, ``test`` and their kin, by the path of the groups around them."""

    tokens = Tokens(
        whole=frozenset({"string", "template_string", "regex"}),
        unsaid=frozenset({"type_annotation", "type_arguments", "type_parameters", "accessibility_modifier"}),
    )
    shape = Shape(
        blocks=frozenset({"statement_block"}),
        conditional=frozenset({"if_statement", "else_clause", "switch_statement", "switch_case", "ternary_expression"}),
        returns=frozenset({"return_statement", "throw_statement"}),
        tries=frozenset({"try_statement"}),
        handlers=frozenset({"catch_clause"}),
        functions=_FUNCTIONS,
        lists=frozenset({"array"}),
        imports=frozenset({"import_statement"}),
    )

    def language(self, path: str) -> Language:
        """The grammar of the file's suffix."""
        from tree_sitter import Language  # noqa: PLC0415 - only where a test of this language changed

        if path.endswith((".ts", ".mts", ".cts")):
            import tree_sitter_typescript  # noqa: PLC0415 - the same

            return Language(tree_sitter_typescript.language_typescript())
        if path.endswith(".tsx"):
            import tree_sitter_typescript  # noqa: PLC0415 - the same

            return Language(tree_sitter_typescript.language_tsx())
        import tree_sitter_javascript  # noqa: PLC0415 - the same

        return Language(tree_sitter_javascript.language())

    def unit(self, source: Source, node: Node, path: str) -> Unit | None:
        """Calls of the runner; functions; loops and conditions around tests."""
        if node.type in ("for_in_statement", "for_statement", "if_statement", "else_clause", "statement_block"):
            inner = [c for c in node.named_children if c.type in ("statement_block", "else_clause")]
            return Unit("scope", "", inner) if inner and _TESTING.search(source.text(node)) else None
        if node.type in ("function_declaration", "generator_function_declaration", "export_statement"):
            function = node if "function" in node.type else _function(node)
            body = function.child_by_field_name("body") if function is not None else None
            if function is None or body is None:
                return None
            return Unit("helper", source.said(function.child_by_field_name("name")), [body])
        if node.type in ("lexical_declaration", "variable_declaration"):
            return _assigned(source, node)
        if node.type != "expression_statement" or not node.named_children:
            return None
        return self._called(source, infix.inside(node.named_children[0]))

    def _called(self, source: Source, node: Node) -> Unit | None:
        call = _call(source, node)
        function = node.child_by_field_name("function") if node.type == "call_expression" else None
        if call is None or function is None:
            return None
        words, each = _chain(source, function)
        if words[:1] == ["Deno"] or words[:1] == ["QUnit"]:
            words = words[1:]
        head = words[0] if words else ""
        bodies = _bodies(call.arguments)
        if call.name == "forEach" and bodies and _TESTING.search(source.text(node)):
            return Unit("scope", "", bodies)
        if head in _HOOKS or (head == "test" and words[1:2] and words[1] in _HOOKS):
            return Unit("helper", head, bodies)
        marks = [Mark(_MARKS[w], source.shown(function)) for w in words[1:] if w in _MARKS]
        for table, kind in ((_SKIPPED, "skip"), (_FOCUSED, "only")):
            if head in table:
                marks.append(Mark(kind, f"{head}({source.shown(call.arguments[0]) if call.arguments else ''}"))
                head = table[head]
        if words[1:2] == ["describe"]:
            head = "describe"
        if (head not in _TESTS and head not in _GROUPS) or not call.arguments or "step" in words:
            return None
        name = source.said(call.arguments[0])[:160].strip('"')
        if head in _GROUPS:
            return Unit("scope", name, bodies, marks)
        if not bodies and len(call.arguments) == 1 and not marks:
            marks.append(Mark("skip", source.shown(node)))
        marks += _options(source, call.arguments)
        return Unit("test", name, bodies, marks, [each] if each is not None else [], 1)

    def marks(self, source: Source, root: Node) -> list[Mark]:
        """Retries and time limits for the whole file."""
        found = []
        for node in root.named_children:
            said = source.said(node)
            for word, kind in (("retryTimes (", "retries"), ("setTimeout (", "timeout"), ("retries (", "retries")):
                if said.startswith(("jest .", "vi .", "this .", "test . describe . configure")) and word in said:
                    amount = number(said.partition(word)[2].partition(" ")[0].strip() or said.split()[-2])
                    found.append(Mark(kind, source.shown(node), amount=amount))
        return found

    def assertions(self, source: Source, node: Node) -> list[Assertion] | None:
        """``expect(x).matcher(y)`` chains, ``assert.x(a, b)``, ``x.should.y``."""
        if node.type not in ("call_expression", "member_expression"):
            return None
        stated = Stated(source.shown(node), source.line(node))
        chain = _links(source, node)
        root = chain[0]
        if root[0] == "expect" and root[1] is None and len(chain) > 2 and chain[1][1]:  # noqa: PLR2004 - expect.poll(x).m()
            chain = [("expect", chain[1][1]), *chain[2:]]
            root = chain[0]
        if root[0] == "expect" and root[1] is not None:
            caught = next((at for at, (name, given) in enumerate(chain) if name == "catch" and given and at > 1), None)
            told = _expected(source, chain[:caught], stated)
            if caught is not None:
                told = [replace(a, reach="swallowed") for a in told]
            elif _floats(source, node, chain):
                told = [replace(a, reach="floating") for a in told]
            whole = len(root[1]) == 1 and len(told) == 1
            return spoken(self, source, told[0], root[1][0], stated) if whole else told
        if node.type != "call_expression":
            return None
        names = [name for name, _ in chain]
        arguments = chain[-1][1] or []
        if "should" in names:
            return _should(source, node, chain, stated)
        if not _ROOTS.fullmatch(names[0]) or (names[0] == "t" and names[-1] in ("plan", "test", "teardown", "context")):
            return None
        if names[-1] in ("assertions", "hasAssertions", "extend", "configure", "end", "pass", "done"):
            return None
        if names[-1] in ("assert", "ok", "true", "isTrue", "isOk", "truthy") and arguments:
            return condition(self, source, arguments[0], stated)
        return [named(source, Call(names[-1], None, arguments), stated)]

    def parts(self, source: Source, node: Node) -> Parts:
        """As in C."""
        node = infix.inside(node)
        return infix.parts(source, node, _call(source, node) if node.type == "call_expression" else None)

    def skip(self, source: Source, node: Node) -> Mark | None:
        """``this.skip()``, ``t.skip()``, ``test.skip(condition)`` inside a test."""
        inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        if inner is None or inner.type != "call_expression":
            return None
        said = source.said(inner)
        if not said.startswith(
            (
                "this . skip (",
                "t . skip (",
                "ctx . skip (",
                "context . skip (",
                "test . skip (",
                "test . fixme (",
                "test . fail (",
                "pending (",
            )
        ):
            return None
        call = _call(source, inner)
        conditional = said.startswith("test . ") and call is not None and bool(call.arguments)
        return Mark("skipif" if conditional else "skip", source.shown(node))

    def swallows(self, source: Source, node: Node) -> bool:
        """A handler that neither throws nor asserts."""
        handler = node.child_by_field_name("handler")
        if handler is None:
            return False
        return goes_on(source.said(handler.child_by_field_name("body")))


_TESTING = lazy(r"\b(?:it|test|specify)(?:\.\w+)*\s*\(")


def _function(node: Node) -> Node | None:
    return next((c for c in node.named_children if "function" in c.type), None)


def _assigned(source: Source, node: Node) -> Unit | None:
    """``const check = (x) => {...}``: a helper."""
    for declared in node.named_children:
        value = declared.child_by_field_name("value")
        if value is not None and value.type in _FUNCTIONS:
            body = value.child_by_field_name("body")
            return Unit("helper", source.said(declared.child_by_field_name("name")), [body] if body is not None else [])
    return None


def _call(source: Source, node: Node) -> Call | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    given = [a for a in arguments.named_children if a.type != "comment"] if arguments.type == "arguments" else []
    if function.type == "member_expression":
        name = source.said(function.child_by_field_name("property"))
        return Call(name, function.child_by_field_name("object"), given)
    return Call(source.said(function), None, given)


def _chain(source: Source, function: Node) -> tuple[list[str], Node | None]:
    """``test.skip.each(table)``: its words, and the table."""
    words: list[str] = []
    each: Node | None = None
    node = function
    while True:
        if node.type == "member_expression":
            words.append(source.said(node.child_by_field_name("property")))
            node = node.child_by_field_name("object") or node
            if node.type not in ("member_expression", "call_expression", "identifier"):
                break
        elif node.type == "call_expression":
            arguments = node.child_by_field_name("arguments")
            if arguments is not None and arguments.named_children and each is None:
                each = arguments.named_children[0]
            node = node.child_by_field_name("function") or node
            if node.type == "call_expression":
                break
        else:
            words.append(source.said(node))
            break
    return words[::-1], each


def _bodies(arguments: Sequence[Node]) -> list[Node]:
    found = []
    for argument in arguments:
        function = argument if argument.type in _FUNCTIONS else None
        if function is None and argument.type == "call_expression":  # wrappers: fakeAsync(() => {...})
            function = next((f for f in _functions_of(argument)), None)
        body = function.child_by_field_name("body") if function is not None else None
        if body is not None:
            found.append(body)
    return found


def _functions_of(node: Node) -> list[Node]:
    arguments = node.child_by_field_name("arguments")
    return [a for a in (arguments.named_children if arguments is not None else []) if a.type in _FUNCTIONS]


def _options(source: Source, arguments: Sequence[Node]) -> list[Mark]:
    """``{ skip: true, retry: 3, timeout: 5000 }`` and a time limit as the last argument."""
    found = []
    for argument in arguments[1:]:
        if argument.type == "object":
            said = source.said(argument)
            for word, kind in (("skip : ", "skip"), ("todo : true", "skip"), ("only : true", "only")):
                if word in said and f"{word}false" not in said:
                    found.append(Mark(kind, source.shown(argument)))
            for word, kind in (("retry : ", "retries"), ("retries : ", "retries"), ("timeout : ", "timeout")):
                if word in said:
                    amount = number(said.partition(word)[2].partition(" ")[0])
                    found.append(Mark(kind, source.shown(argument), amount=amount))
        elif argument.type == "number":
            found.append(Mark("timeout", f"timeout {source.text(argument)}", amount=number(source.text(argument))))
    return found


Link = tuple[str, list["Node"] | None]


def _links(source: Source, node: Node) -> list[Link]:
    """``expect(x).not.toBe(3)`` as (expect, [x]), (not, None), (toBe, [3])."""
    found: list[Link] = []
    arguments: list[Node] | None = None
    while True:
        if node.type == "call_expression":
            given = node.child_by_field_name("arguments")
            arguments = [a for a in given.named_children if a.type != "comment"] if given is not None else []
            node = node.child_by_field_name("function") or node
            if node.type == "call_expression":
                found.append(("", arguments))
        elif node.type == "member_expression":
            found.append((source.said(node.child_by_field_name("property")), arguments))
            arguments = None
            node = node.child_by_field_name("object") or node
        elif (
            node.type in ("await_expression", "parenthesized_expression", "non_null_expression") and node.named_children
        ):
            node = node.named_children[0]
        else:
            found.append((source.said(node), arguments))
            return found[::-1]


def _expected(source: Source, chain: list[Link], stated: Stated) -> list[Assertion]:
    """Each matcher of the chain; a matcher without brackets (chai) is one too."""
    subject = " , ".join(_asked(source, a) for a in chain[0][1] or [])
    negated = False
    found: list[Assertion] = []
    for at, (name, arguments) in enumerate(chain[1:], 1):
        negated ^= name == "not"
        if name in ("resolves", "rejects"):
            subject = f"{name} {subject}"
        if arguments is None and at == len(chain) - 1 and _MATCHER.fullmatch(name):
            continue  # named, and not called
        if name in _FILLERS and not (arguments and name not in ("deep", "eventually")):
            continue
        if arguments is None and at < len(chain) - 1:
            continue  # ``length`` of ``length.of.at.least(3)``
        call = Call(name, None, arguments or [])
        one = named(source, call, stated, name=f"not_{name}" if negated else name, subject=subject)
        if name == "expect" or not name:
            continue
        inline = "Snapshot" in name
        found.append(
            replace(
                one,
                expected="" if inline and not arguments else one.expected,
                key=f"{'not ' if negated else ''}{one.key} {name if one.op == 'custom' else ''}",
            )
        )
    return found or [made(stated, "trivial", 0, subject)]


_MATCHER = lazy(r"to[A-Z]\w*")
_ON_A_PAGE = lazy(r"to(?:Have(?:Title|URL|Text|Count|Values?|Attribute|Class|CSS|Id|Screenshot)|"
                  r"Be(?:Visible|Hidden|Enabled|Disabled|Checked|Attached|Editable|Focused|InViewport)|"
                  r"ContainText|Pass)")  # fmt: skip


def _floats(source: Source, node: Node, chain: list[Link]) -> bool:
    """Whether it is of a promise that nobody waits for: a statement of its own without ``await``."""
    page = b"playwright" in source.data and any(_ON_A_PAGE.fullmatch(name) for name, _ in chain)
    late = page or any(name in ("resolves", "rejects", "poll") for name, _ in chain)
    above = node.parent
    return late and above is not None and above.type == "expression_statement"


def _asked(source: Source, node: Node) -> str:
    """What is looked at: of ``() => x`` and ``await x`` the ``x``."""
    if node.type == "arrow_function":
        body = node.child_by_field_name("body")
        node = body if body is not None and body.type != "statement_block" else node
    return source.said(infix.inside(node))


def _should(source: Source, node: Node, chain: list[Link], stated: Stated) -> list[Assertion]:
    """``x.should.equal(3)`` (chai) and ``cy.get(x).should('eq', 3)``."""
    at = next(i for i, (name, _) in enumerate(chain) if name == "should")
    subject = " . ".join(f"{n} {' , '.join(source.said(a) for a in args or [])}".strip() for n, args in chain[:at])
    arguments = chain[at][1]
    if arguments:
        name = source.said(arguments[0]).strip('"').replace(".", "_")
        return [named(source, Call(name, None, arguments[1:]), stated, subject=subject)]
    rest = [("expect", [node.named_children[0]]), *chain[at + 1 :]]
    return [
        replace(a, subject=subject, key=f"{a.op} {subject} | {a.expected}") for a in _expected(source, rest, stated)
    ]
