"""Reads one file of tests by its syntax: the walk that all languages share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from passdown.checks.integrity.dialect import Dialect, Unit
from passdown.checks.integrity.source import DEEP, Source
from passdown.rules.integrity.shapes import Assertion, Case, FileShape, Mark, Reach
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Node


def read(dialect: Dialect, path: str, data: bytes) -> FileShape:
    """Tests, helpers and what stands outside them."""
    from tree_sitter import Parser  # noqa: PLC0415 - only where a test changed

    root = Parser(dialect.language(path)).parse(data).root_node
    source = Source(data, root, dialect.tokens)
    reader = _File(dialect, source, path)
    reader.tables = dict(reader.listed(root.named_children))
    reader.scope(root.named_children, (), tuple(dialect.marks(source, root)), 0)
    return reader.shape()


class _Where(Struct, frozen=True):
    """What surrounds a statement."""

    conditional: bool = False
    swallowed: bool = False
    dead: bool = False
    depth: int = 0

    def reach(self) -> Reach:
        return (
            "unreachable" if self.dead else "swallowed" if self.swallowed else "conditional" if self.conditional else ""
        )


class _File(Struct):
    dialect: Dialect
    source: Source
    path: str
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tests: dict[str, Case] = field(default_factory=dict)
    helpers: dict[str, Case] = field(default_factory=dict)
    loose: dict[str, str] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)

    def shape(self) -> FileShape:
        """What was read."""
        return FileShape(
            self.path, self.tests, self.helpers, self.loose, self.imports, comments="\n".join(self.comments)
        )

    def scope(self, nodes: Iterable[Node], trail: tuple[str, ...], marks: tuple[Mark, ...], depth: int) -> None:
        """The units of a file or class, with the marks that lie on all of them."""
        shape, tokens = self.dialect.shape, self.dialect.tokens
        for node in nodes:
            if node.type in tokens.comments:
                self.comments.append(self.source.text(node))
                continue
            if node.type in shape.imports:
                self.imports[self.source.said(node)] = self.source.shown(node)
                continue
            unit = self.dialect.unit(self.source, node, self.path)
            if unit is None:
                if node.type not in shape.docs and (said := self.source.said(node)):
                    self.loose["::".join((*trail, said))] = self.source.shown(node)
                continue
            inner = (*marks, *(replace(m, scope="::".join((*trail, unit.name))) for m in unit.marks))
            if unit.kind == "scope":
                path = (*trail, unit.name) if unit.name else trail
                if depth < DEEP:
                    for body in unit.bodies:
                        self.scope(body.named_children, path, inner, depth + 1)
                continue
            self._put(unit, node, trail, inner)

    def _put(self, unit: Unit, node: Node, trail: tuple[str, ...], marks: tuple[Mark, ...]) -> None:
        case = self._case(unit, node, "::".join((*trail, unit.name)), marks)
        kept = self.tests if unit.kind == "test" else self.helpers
        name, number = case.id, 2
        while name in kept and self.path.endswith((".py",)) is False:
            name, number = f"{case.id} ({number})", number + 1
        kept[name] = replace(case, id=name)

    def _case(self, unit: Unit, node: Node, name: str, marks: tuple[Mark, ...]) -> Case:
        walk = _Walk(self)
        for body in unit.bodies:
            walk.block(body, _Where())
        rows, times = self._rows(unit)
        asserts, said = (*unit.asserts, *walk.asserts), tuple(walk.body)
        return Case(
            id=name,
            name=unit.name,
            line=self.source.line(node),
            text=self.source.text(node).strip().partition("\n")[0].strip()[:120],
            body=said,
            asserts=asserts,
            marks=(*marks, *walk.marks),
            rows=(*rows, *walk.rows),
            calls=frozenset(walk.calls),
            patched=(*unit.patched, *walk.patched),
            cases=times,
            whole="\n".join((*said, *(a.key + a.reach for a in asserts))),
        )

    def _rows(self, unit: Unit) -> tuple[list[str], int | None]:
        """Parameter rows and how often the test runs by them."""
        rows: list[str] = list(unit.rows)
        times = unit.times
        for at, node in enumerate(unit.params):
            found = self.elements(node)
            if not found:
                found = list(self.tables.get(self.source.said(node), ()))
            rows += [f"{at}: {row}" for row in found]
            times = times * len(found) if times is not None and found else None
        return rows, times

    def elements(self, node: Node) -> list[str]:
        """The elements of a list, as normalised text."""
        if node.type not in self.dialect.shape.lists:
            return []
        return [said for child in node.named_children if (said := self.source.said(child))]

    def listed(self, nodes: Sequence[Node]) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Lists that stand under a name at the top of the file."""
        for node in nodes:
            found = _first_list(node, self.dialect.shape.lists, 0)
            if found is not None:
                name = self.source.said(node).partition(" = ")[0].split(" ")[-1]
                yield name, tuple(self.elements(found))


def _first_list(node: Node, types: frozenset[str], depth: int) -> Node | None:
    if node.type in types:
        return node
    if depth > 4 or node.type.endswith(("definition", "declaration_list")):  # noqa: PLR2004 - an assignment is flat
        return None
    return next((f for c in node.named_children if (f := _first_list(c, types, depth + 1)) is not None), None)


class _Walk:
    """One test's statements in their order."""

    def __init__(self, file: _File) -> None:
        self.file = file
        self.dialect = file.dialect
        self.source = file.source
        self.asserts: list[Assertion] = []
        self.body: list[str] = []
        self.marks: list[Mark] = []
        self.rows: list[str] = []
        self.calls: Counter[str] = Counter()
        self.patched: list[tuple[str, str]] = []

    def block(self, node: Node, where: _Where) -> bool:
        """Its statements; whether what follows it is never reached."""
        shape = self.dialect.shape
        if node.type not in shape.blocks:
            self._statement(node, where)
            return where.dead
        for child in node.named_children:
            if child.type in self.dialect.tokens.comments:
                continue
            if child.type in shape.blocks:
                if self.block(child, where):
                    where = replace(where, dead=True)
                continue
            self._statement(child, where)
            if _ends(child, shape.returns):
                where = replace(where, dead=True)
        return where.dead

    def _statement(self, node: Node, where: _Where) -> None:
        if where.depth > DEEP or node.type in self.dialect.shape.docs or self._documents(node):
            return
        mark = self.dialect.skip(self.source, node)
        if mark is not None:
            kind = "skipif" if where.conditional and mark.kind == "skip" else mark.kind
            if not where.dead:
                self.marks.append(replace(mark, kind=kind))
            return
        before = len(self.asserts)
        nested: list[Node] = []
        self._look(node, replace(where, depth=where.depth + 1), nested, inside=False)
        if len(self.asserts) == before or nested:
            said = self.source.said(node, nested)
            if said:
                self.body.append(said)

    def _documents(self, node: Node) -> bool:
        """A string that stands alone."""
        inner = node.named_children
        return node.type == "expression_statement" and len(inner) == 1 and inner[0].type in self.dialect.tokens.whole

    def _look(self, node: Node, where: _Where, nested: list[Node], *, inside: bool) -> None:
        """Assertions in the statement; its blocks are walked by themselves."""
        shape = self.dialect.shape
        if where.depth > DEEP:
            return
        if not inside:
            found = self.dialect.assertions(self.source, node)
            if found is not None:
                self.asserts += [replace(a, reach=where.reach() or a.reach, at=len(self.body)) for a in found]
                inside = True
        self._note(node)
        deeper = replace(where, depth=where.depth + 1)
        if node.type in shape.tries and self.dialect.swallows(self.source, node):
            deeper = replace(deeper, swallowed=True)
        if node.type in shape.conditional and not inside:
            deeper = replace(deeper, conditional=True)
        for child in node.named_children:
            if child.type in shape.blocks:
                nested.append(child)
                caught = node.type in shape.handlers
                self.block(child, replace(deeper, conditional=True, swallowed=False) if caught else deeper)
            elif child.type not in self.dialect.tokens.comments:
                self._look(child, deeper, nested, inside=inside)

    def _note(self, node: Node) -> None:
        """Calls, and lists that look like rows of a table."""
        shape = self.dialect.shape
        if node.type in shape.lists and _table(self.source, node, shape.lists):
            self.rows += self.file.elements(node)
        parts = self.dialect.parts(self.source, node)
        if parts.kind == "call" and parts.call is not None:
            self.calls[parts.call.name] += 1
            if parts.call.name in _PATCHERS and parts.call.arguments:
                target = " . ".join(self.source.said(a).strip('"') for a in parts.call.arguments[:2])
                self.patched.append((_last(target), self.source.shown(node)))


_PATCHERS = frozenset({"patch", "setattr", "spyOn", "mock", "doMock", "stub", "replace", "object"})


def _last(target: str) -> str:
    """The last name of what is patched."""
    return target.replace('"', "").split(" . ")[-1].rsplit(".", 1)[-1].rsplit("/", 1)[-1].strip()


def _table(source: Source, node: Node, lists: frozenset[str]) -> bool:
    """Whether a test runs through the list: it stands in the head of a loop, or its name says that it is a table."""
    above, steps = node.parent, 0
    while above is not None and steps < 5:  # noqa: PLR2004 - a declaration is no deeper
        if above.type in lists:
            return False
        if above.type in _LOOPS:
            return True
        if above.type in _DECLARED:
            left = (
                above.child_by_field_name("left")
                or above.child_by_field_name("name")
                or above.child_by_field_name("pattern")
            )
            return left is not None and _TABLE.search(source.text(left)) is not None
        above, steps = above.parent, steps + 1
    return False


_LOOPS = frozenset({"for_statement", "for_in_statement", "range_clause", "enhanced_for_statement", "for_expression"})
_DECLARED = frozenset(
    [
        "assignment",
        "short_var_declaration",
        "var_spec",
        "variable_declarator",
        "let_declaration",
        "assignment_expression",
    ]
)
_TABLE = lazy(r"(?i)test|case|table|param|example|scenario|\btt\b|\btcs?\b|inputs|specs?\b|checks")


def _ends(node: Node, returns: frozenset[str]) -> bool:
    """A statement after which nothing of its block runs."""
    if node.type in returns:
        return True
    return node.type == "expression_statement" and bool(node.named_children) and node.named_children[0].type in returns
