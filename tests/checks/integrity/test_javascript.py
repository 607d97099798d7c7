"""A7 in JavaScript and TypeScript: jest, vitest, mocha, chai, ava, node:test, playwright, cypress."""

from __future__ import annotations

import pytest

from support.integrity import findings, found, grave

PATHS = ("src/app.test.ts", "test/app.js", "src/__tests__/app.tsx", "e2e/app.spec.mjs")


def it(*lines: str, head: str = "it", name: str = "works", options: str = "") -> str:
    inner = "".join(f"    {line}\n" for line in lines)
    return f"describe('app', () => {{\n  {head}('{name}', async () => {{\n{inner}  }}{options});\n}});\n"


WEAKENINGS = [
    ("no matcher", it("expect(f(1)).toBe(3);"), it("expect(f(1));"), "weakened/trivial"),
    ("a matcher not called", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe;"), "weakened/trivial"),
    ("not waited for", it("await expect(f(1)).rejects.toThrow('no');"), it("expect(f(1)).rejects.toThrow('no');"),
     "weakened/floating"),
    ("caught", it("await expect(f(1)).rejects.toThrow('no');"), it("await expect(f(1)).rejects.toThrow('no').catch(() => {});"),
     "weakened/swallowed"),
    ("any text", it("expect(f(1)).toHaveTitle('Shop');"), it("expect(f(1)).toHaveTitle(/.*/);"), "weakened/wildcard"),
    ("of a kind", it("expect(f(1)).to.equal(3);"), it("expect(f(1)).to.be.a('number');"), "weakened/weaker"),
    ("to be mended", it("expect(f(1)).toBe(3);"), it("test.fixme();", "expect(f(1)).toBe(3);"), "skipped/skip"),
    ("mock of what it tests", "import { f } from '../f';\n" + it("expect(f(1)).toBe(3);"),
     "import { f } from '../f';\njest.mock('../f');\n" + it("expect(f(1)).toBe(3);"), "weakened/mock"),
    ("defined", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBeDefined();"), "weakened/weaker"),
    ("truthy", it("expect(f(1)).toEqual({ a: 1 });"), it("expect(f(1)).toBeTruthy();"), "weakened/weaker"),
    ("strictly true", it("expect(f(1)).toBe(true);"), it("expect(f(1)).toBeTruthy();"), "weakened/weaker"),
    ("partial", it("expect(f(1)).toEqual({ a: 1 });"), it("expect(f(1)).toMatchObject({ a: 1 });"), "weakened/weaker"),
    ("contains", it("expect(f(1)).toEqual(['a', 'b']);"), it("expect(f(1)).toContain('a');"), "weakened/weaker"),
    ("length", it("expect(f(1)).toEqual(['a', 'b']);"), it("expect(f(1)).toHaveLength(2);"), "weakened/weaker"),
    ("not", it("expect(f(1)).toBe(3);"), it("expect(f(1)).not.toBe(4);"), "weakened/weaker"),
    ("close", it("expect(f(1)).toBeCloseTo(3, 5);"), it("expect(f(1)).toBeCloseTo(3, 0);"), "weakened/tolerance"),
    ("bound", it("expect(f(1)).toBeLessThan(5);"), it("expect(f(1)).toBeLessThan(50);"), "weakened/bound"),
    ("anything", it("expect(f).toHaveBeenCalledWith(1, 'a');"), it("expect(f).toHaveBeenCalledWith(1, expect.anything());"),
     "weakened/wildcard"),
    ("called", it("expect(f).toHaveBeenCalledWith(1);"), it("expect(f).toHaveBeenCalled();"), "weakened/weaker"),
    ("throws anything", it("expect(() => f(1)).toThrow('no such id');"), it("expect(() => f(1)).toThrow();"),
     "weakened/broader"),
    ("rejects anything", it("await expect(f(1)).rejects.toThrow(NotFound);"), it("await expect(f(1)).rejects.toThrow(Error);"),
     "weakened/broader"),
    ("removed", it("const x = f(1);", "expect(x).toBe(3);", "expect(g(x)).toBe(4);"),
     it("const x = f(1);", "expect(x).toBe(3);"), "weakened/removed"),
    ("commented", it("const x = f(1);", "expect(x).toBe(3);"), it("const x = f(1);", "// expect(x).toBe(3);"),
     "weakened/removed"),
    ("constant", it("expect(f(1)).toBe(3);"), it("f(1);", "expect(true).toBe(true);"), "weakened/removed"),
    ("return", it("const x = f(1);", "expect(x).toBe(3);"), it("const x = f(1);", "return;", "expect(x).toBe(3);"),
     "weakened/unreachable"),
    ("caught", it("expect(f(1)).toBe(3);"), it("try { expect(f(1)).toBe(3); } catch (e) { }"), "weakened/swallowed"),
    ("condition", it("expect(f(1)).toBe(3);"), it("if (process.env.FULL) {", "expect(f(1)).toBe(3);", "}"),
     "weakened/conditional"),
    ("skip", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);", head="it.skip"), "skipped/skip"),
    ("xit", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);", head="xit"), "skipped/skip"),
    ("todo", it("expect(f(1)).toBe(3);"), "describe('app', () => {\n  it.todo('works');\n});\n", "skipped/skip"),
    ("group", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);").replace("describe(", "describe.skip("), "skipped/skip"),
    ("xdescribe", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);").replace("describe(", "xdescribe("), "skipped/skip"),
    ("only another", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);", head="it.only"), "skipped/only"),
    ("fit", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);", head="fit"), "skipped/only"),
    ("failing", it("expect(f(1)).toBe(3);", head="test"), it("expect(f(1)).toBe(3);", head="test.failing"), "skipped/xfail"),
    ("vitest option", it("expect(f(1)).toBe(3);"),
     it("expect(f(1)).toBe(3);").replace("'works', async", "'works', { skip: true }, async"), "skipped/skip"),
    ("inside", it("assert.equal(f(1), 3);"), it("this.skip();", "assert.equal(f(1), 3);"), "skipped/skip"),
    ("playwright", it("await expect(page).toHaveTitle('A');", head="test"),
     it("test.skip(true, 'later');", "await expect(page).toHaveTitle('A');", head="test"), "skipped/skipif"),
    ("retry", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);", options=", { retry: 3 }"), "weakened/retries"),
    ("timeout", it("expect(f(1)).toBe(3);", options=", 5000"), it("expect(f(1)).toBe(3);", options=", 60000"),
     "weakened/timeout"),
    ("rows", it("expect(f(a)).toBe(b);", head="it.each([[1, 2], [3, 4]])"), it("expect(f(a)).toBe(b);", head="it.each([[1, 2]])"),
     "weakened/rows"),
    ("deleted", it("expect(f(1)).toBe(3);") + it("expect(g(1)).toBe(3);", name="other"),
     it("expect(g(1)).toBe(3);", name="other"), "deleted/deleted"),
    ("commented out", it("expect(f(1)).toBe(3);", name="adds two numbers") + it("expect(g(1)).toBe(3);", name="other"),
     "// it('adds two numbers', () => {})\n" + it("expect(g(1)).toBe(3);", name="other"), "deleted/commented-out"),
    ("spy on what it tests", it("const x = app.load(1);", "expect(x).toBe(3);"),
     it("vi.spyOn(app, 'load').mockReturnValue(3);", "const x = app.load(1);", "expect(x).toBe(3);"), "weakened/mock"),
    ("assert", it("assert.deepEqual(f(1), { a: 1 });"), it("assert.ok(f(1));"), "weakened/weaker"),
    ("chai", it("expect(f(1)).to.equal(3);"), it("expect(f(1)).to.exist;"), "weakened/weaker"),
    ("chai should", it("f(1).should.equal(3);"), it("f(1).should.be.ok;"), "weakened"),
    ("cypress", it("cy.get('h1').should('have.text', 'A');"), it("cy.get('h1').should('exist');"), "weakened/weaker"),
    ("ava", it("t.is(f(1), 3);", head="test"), it("t.truthy(f(1));", head="test"), "weakened/weaker"),
    ("ava throws", it("await t.throwsAsync(f(''), { message: 'no' });", head="test"), it("await t.throwsAsync(f(''));", head="test"),
     "weakened/broader"),
    ("arrow", "test('a', () => expect(f(1)).toBe(3));\n", "test('a', () => expect(f(1)).toBeDefined());\n", "weakened/weaker"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in WEAKENINGS], ids=[w[0] for w in WEAKENINGS])
def test_what_weakens_a_test_is_found(before, after, expected):
    assert any(one.startswith(expected) for one in found("src/app.test.js", before, after))
    assert grave("src/app.test.js", before, after)


@pytest.mark.parametrize("path", PATHS)
def test_every_flavour_is_read(path):
    before, after = it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBeDefined();")
    assert found(path, before, after) == {"weakened/weaker"}


def test_types_and_jsx_are_read():
    before = "it('a', () => { const x: Map<string, number> = f<A>(1)!; expect(x as any).toBe(3); });\n"
    assert found("a.test.ts", before, before.replace("toBe(3)", "toBeTruthy()")) == {"weakened/weaker"}
    view = "it('a', () => { render(<App a={1} />); expect(screen.getByText('x')).toHaveTextContent('x'); });\n"
    assert "weakened/weaker" in found("a.test.tsx", view, view.replace("toHaveTextContent('x')", "toBeInTheDocument()"))


REFACTORS = [
    ("mock of what it needs", "import { f } from '../f';\nimport axios from 'axios';\n" + it("expect(f(1)).toBe(3);"),
     "import { f } from '../f';\nimport axios from 'axios';\nvi.mock('axios');\njest.mock('../api');\n" + it("expect(f(1)).toBe(3);")),
    ("await that did nothing", it("await expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);")),
    ("returned", it("await expect(f(1)).rejects.toThrow('no');"), it("return expect(f(1)).rejects.toThrow('no');")),
    ("all at once", it("await expect(f(1)).resolves.toBe(1);"), it("await Promise.all([expect(f(1)).resolves.toBe(1)]);")),
    ("a property", it("expect(f(1)).to.be.true;"), it("expect(f(1)).to.be.true;", "g();")),
    ("quotes", it("expect(f('a')).toBe('b');"), it('expect(f("a")).toBe("b");')),
    ("semicolons", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3)")),
    ("layout", it("expect(f(1, 2)).toEqual({ a: 1 });"), it("expect(", "f(1, 2),", ").toEqual({", "a: 1,", "});")),
    ("function to arrow", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);").replace("async () =>", "async function ()")),
    ("renamed variable", it("const x = f(1);", "expect(x).toBe(3);"), it("const out = f(1);", "expect(out).toBe(3);")),
    ("renamed test", it("const x = f(1);", "expect(x).toBe(3);"), it("const x = f(1);", "expect(x).toBe(3);", name="adds")),
    ("one row more", it("expect(f(a)).toBe(b);", head="it.each([[1, 2]])"),
     it("expect(f(a)).toBe(b);", head="it.each([[1, 2], [3, 4]])")),
    ("stronger", it("expect(f(1)).toBeDefined();"), it("expect(f(1)).toBe(3);")),
    ("to jest", it("assert.strictEqual(f(1), 3);"), it("expect(f(1)).toBe(3);")),
    ("to chai", it("assert.equal(f(1), 3);"), it("expect(f(1)).to.equal(3);")),
    ("polled", it("expect(await page.textContent('a')).toBe('1');"), it("await expect.poll(() => page.textContent('a')).toBe('1');")),
    ("ava false", it("t.is(f(1), false);", head="test"), it("t.false(f(1));", head="test")),
    ("skip gone", it("expect(f(1)).toBe(3);", head="it.skip"), it("expect(f(1)).toBe(3);")),
    ("typed error", it("await t.throwsAsync(f(''), { message: 'no' });", head="test"),
     it("await t.throwsAsync(f(''), { instanceOf: Error, message: 'no' });", head="test")),
    ("it to test", it("expect(f(1)).toBe(3);"), it("expect(f(1)).toBe(3);", head="test")),
    ("pass gone", it("t.pass();", "t.is(f(1), 3);", head="test"), it("t.is(f(1), 3);", head="test")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [r[1:] for r in REFACTORS], ids=[r[0] for r in REFACTORS])
def test_a_refactor_is_not_called_weakened(before, after):
    assert grave("src/app.test.js", before, after) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [r[1:] for r in REFACTORS if r[0] in ("quotes", "semicolons", "layout", "function to arrow", "it to test")],
)
def test_formatting_changes_nothing(before, after):
    assert found("src/app.test.js", before, after) == set()


def test_an_error_instead_of_a_value_is_an_expected_value():
    before = it("t.is(await got(url), 'a');", head="test")
    after = it("await t.throwsAsync(got(url), { message: 'no' });", head="test")
    assert found("a.js", before, after) == {"expected/error"}


def test_a_snapshot_in_the_test_is_an_expected_value():
    before = it("expect(f(1)).toMatchInlineSnapshot(`3`);")
    assert found("a.test.ts", before, before.replace("`3`", "`error`")) == {"expected/value"}


def test_tests_made_in_a_loop_are_tests():
    before = "for (const x of [1, 2]) {\n  it(`does ${x}`, () => { expect(f(x)).toBe(x); });\n}\n"
    assert found("a.test.ts", before, before.replace("toBe(x)", "toBeDefined()")) == {"weakened/weaker"}


def test_a_new_test_in_a_new_group_is_new():
    (one,) = findings(
        {"a.test.ts": it("expect(f(1)).toBe(3);")},
        {"a.test.ts": it("expect(f(1)).toBe(3);") + "it('b', () => { expect(g()).toBe(1) });\n"},
    )
    assert (one.kind, one.now) == ("new", "b")


@pytest.mark.parametrize("text", ["", "it(", "\x00", "it('a', () => {" * 400, "((((" * 500, "é`${`"])
def test_any_text_can_be_read(text):
    found("a.test.tsx", it("expect(f(1)).toBe(3);"), text)
