"""A7 in Java: JUnit 4 and 5, AssertJ, Truth, Hamcrest, Mockito."""

from __future__ import annotations

import pytest
from support.integrity import found, grave

PATH = "src/test/java/AppTest.java"


def test(*lines: str, above: str = "@Test", name: str = "works", cls: str = "") -> str:
    inner = "".join(f"    {line}\n" for line in lines)
    return f"package app;\n\n{cls}class AppTest {{\n  {above}\n  void {name}() {{\n{inner}  }}\n}}\n"


test.__test__ = False  # type: ignore[attr-defined]
WEAKENINGS = [
    ("not null", test("assertEquals(3, f(1));"), test("assertNotNull(f(1));"), "weakened/weaker"),
    ("true", test("assertEquals(3, f(1));"), test("assertTrue(f(1) > 0);"), "weakened/weaker"),
    ("not equal", test("assertEquals(3, f(1));"), test("assertNotEquals(4, f(1));"), "weakened/weaker"),
    ("delta", test("assertEquals(3.0, f(1), 0.1);"), test("assertEquals(3.0, f(1), 10.0);"), "weakened/tolerance"),
    ("assertj", test("assertThat(f(1)).isEqualTo(3);"), test("assertThat(f(1)).isNotNull();"), "weakened/weaker"),
    ("assertj size", test("assertThat(f(1)).containsExactly(1, 2);"), test("assertThat(f(1)).hasSize(2);"), "weakened/weaker"),
    ("hamcrest", test("assertThat(f(1), is(3));"), test("assertThat(f(1), notNullValue());"), "weakened"),
    ("broader", test("assertThrows(IOException.class, () -> f(1));"), test("assertThrows(Exception.class, () -> f(1));"),
     "weakened/broader"),
    ("expected", test("f(1);", above="@Test(expected = IOException.class)"), test("f(1);", above="@Test"), "weakened/removed"),
    ("verify", test("verify(m).send(1);"), test("verify(m).send(anyInt());"), "weakened/wildcard"),
    ("at least", test("verify(m, times(2)).send(1);"), test("verify(m, atLeast(1)).send(1);"), "weakened/weaker"),
    ("removed", test("int x = f(1);", "assertEquals(3, x);", "assertEquals(4, g(x));"), test("int x = f(1);", "assertEquals(3, x);"),
     "weakened/removed"),
    ("return", test("int x = f(1);", "assertEquals(3, x);"), test("int x = f(1);", "if (true) return;", "assertEquals(3, x);"),
     "changed"),
    ("unreachable", test("int x = f(1);", "assertEquals(3, x);"), test("int x = f(1);", "return;", "assertEquals(3, x);"),
     "weakened/unreachable"),
    ("caught", test("assertEquals(3, f(1));"), test("try { assertEquals(3, f(1)); } catch (Throwable t) { }"), "weakened/swallowed"),
    ("disabled", test("assertEquals(3, f(1));"), test("assertEquals(3, f(1));", above="@Test\n  @Disabled(\"later\")"), "skipped/skip"),
    ("ignore", test("assertEquals(3, f(1));"), test("assertEquals(3, f(1));", above="@Test @Ignore"), "skipped/skip"),
    ("class", test("assertEquals(3, f(1));"), test("assertEquals(3, f(1));", cls="@Disabled\n"), "skipped/skip"),
    ("assume", test("assertEquals(3, f(1));"), test("assumeTrue(false);", "assertEquals(3, f(1));"), "skipped/skipif"),
    ("annotation gone", test("assertEquals(3, f(1));"), test("assertEquals(3, f(1));", above=""), "skipped/uncollected"),
    ("testng", test("assertEquals(3, f(1));"), test("assertEquals(3, f(1));", above="@Test(enabled = false)"), "skipped/skip"),
    ("rows", test("assertTrue(f(i) > 0);", above="@ParameterizedTest @ValueSource(ints = {1, 2, 3})"),
     test("assertTrue(f(i) > 0);", above="@ParameterizedTest @ValueSource(ints = {1})"), "weakened/rows"),
    ("retries", test("assertEquals(3, f(1));"), test("assertEquals(3, f(1));", above="@RetryingTest(3) @Test"), "weakened/retries"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in WEAKENINGS], ids=[w[0] for w in WEAKENINGS])
def test_what_weakens_a_test_is_found(before, after, expected):
    assert any(one.startswith(expected) for one in found(PATH, before, after))
    assert expected == "changed" or grave(PATH, before, after)


REFACTORS = [
    ("layout", test("assertEquals(3, f(1));"), test("assertEquals(", "3,", "f(1)", ");")),
    ("to assertj", test("assertEquals(3, f(1));"), test("assertThat(f(1)).isEqualTo(3);")),
    ("to truth", test("assertEquals(2, x.children.size());"), test("assertThat(x.children).hasSize(2);")),
    ("empty", test("assertEquals(List.of(), x.get(1));"), test("assertThat(x.get(1)).isEmpty();")),
    ("message", test("assertEquals(\"three\", 3, f(1));"), test("assertEquals(3, f(1));")),
    ("expected to assertThrows", test("f(1);", above="@Test(expected = IOException.class)"),
     test("assertThrows(IOException.class, () -> f(1));")),
    ("fail to assertThrows", test("try {", "f(1);", "fail();", "} catch (IOException e) {", "}"),
     test("assertThrows(IOException.class, () -> f(1));")),
    ("junit 3 method with an annotation", "class ATest extends TestCase {\n  public void testA() { assertEquals(3, f(1)); }\n}\n",
     "class ATest extends TestCase {\n  @SuppressWarnings(\"x\")\n  public void testA() { assertEquals(3, f(1)); }\n}\n"),
    ("renamed", test("int x = f(1);", "assertEquals(3, x);"), test("int x = f(1);", "assertEquals(3, x);", name="three")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [r[1:] for r in REFACTORS], ids=[r[0] for r in REFACTORS])
def test_a_refactor_is_not_called_weakened(before, after):
    assert grave(PATH, before, after) == []


def test_another_value_is_expected():
    assert found(PATH, test("assertEquals(3, f(1));"), test("assertEquals(5, f(1));")) == {"expected/value"}


@pytest.mark.parametrize("text", ["", "class {", "@Test void", "{" * 2000, "\x00"])
def test_any_text_can_be_read(text):
    found(PATH, test("assertEquals(3, f(1));"), text)
