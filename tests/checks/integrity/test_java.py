"""A7 in Java: JUnit 4 and 5, AssertJ, Truth, Hamcrest, Mockito."""

from __future__ import annotations

import pytest

from support.integrity import found, grave

PATH = "src/test/java/AppTest.java"


def java(*lines: str, above: str = "@Test", name: str = "works", cls: str = "") -> str:
    inner = "".join(f"    {line}\n" for line in lines)
    return f"package app;\n\n{cls}class AppTest {{\n  {above}\n  void {name}() {{\n{inner}  }}\n}}\n"


WEAKENINGS = [
    ("not null", java("assertEquals(3, f(1));"), java("assertNotNull(f(1));"), "weakened/weaker"),
    ("true", java("assertEquals(3, f(1));"), java("assertTrue(f(1) > 0);"), "weakened/weaker"),
    ("not equal", java("assertEquals(3, f(1));"), java("assertNotEquals(4, f(1));"), "weakened/weaker"),
    ("delta", java("assertEquals(3.0, f(1), 0.1);"), java("assertEquals(3.0, f(1), 10.0);"), "weakened/tolerance"),
    ("assertj", java("assertThat(f(1)).isEqualTo(3);"), java("assertThat(f(1)).isNotNull();"), "weakened/weaker"),
    ("assertj size", java("assertThat(f(1)).containsExactly(1, 2);"), java("assertThat(f(1)).hasSize(2);"), "weakened/weaker"),
    ("hamcrest", java("assertThat(f(1), is(3));"), java("assertThat(f(1), notNullValue());"), "weakened"),
    ("broader", java("assertThrows(IOException.class, () -> f(1));"), java("assertThrows(Exception.class, () -> f(1));"),
     "weakened/broader"),
    ("expected", java("f(1);", above="@Test(expected = IOException.class)"), java("f(1);", above="@Test"), "weakened/removed"),
    ("verify", java("verify(m).send(1);"), java("verify(m).send(anyInt());"), "weakened/wildcard"),
    ("at least", java("verify(m, times(2)).send(1);"), java("verify(m, atLeast(1)).send(1);"), "weakened/weaker"),
    ("removed", java("int x = f(1);", "assertEquals(3, x);", "assertEquals(4, g(x));"), java("int x = f(1);", "assertEquals(3, x);"),
     "weakened/removed"),
    ("return", java("int x = f(1);", "assertEquals(3, x);"), java("int x = f(1);", "if (true) return;", "assertEquals(3, x);"),
     "changed"),
    ("unreachable", java("int x = f(1);", "assertEquals(3, x);"), java("int x = f(1);", "return;", "assertEquals(3, x);"),
     "weakened/unreachable"),
    ("caught", java("assertEquals(3, f(1));"), java("try { assertEquals(3, f(1)); } catch (Throwable t) { }"), "weakened/swallowed"),
    ("disabled", java("assertEquals(3, f(1));"), java("assertEquals(3, f(1));", above="@Test\n  @Disabled(\"later\")"), "skipped/skip"),
    ("ignore", java("assertEquals(3, f(1));"), java("assertEquals(3, f(1));", above="@Test @Ignore"), "skipped/skip"),
    ("class", java("assertEquals(3, f(1));"), java("assertEquals(3, f(1));", cls="@Disabled\n"), "skipped/skip"),
    ("assume", java("assertEquals(3, f(1));"), java("assumeTrue(false);", "assertEquals(3, f(1));"), "skipped/skipif"),
    ("annotation gone", java("assertEquals(3, f(1));"), java("assertEquals(3, f(1));", above=""), "skipped/uncollected"),
    ("testng", java("assertEquals(3, f(1));"), java("assertEquals(3, f(1));", above="@Test(enabled = false)"), "skipped/skip"),
    ("rows", java("assertTrue(f(i) > 0);", above="@ParameterizedTest @ValueSource(ints = {1, 2, 3})"),
     java("assertTrue(f(i) > 0);", above="@ParameterizedTest @ValueSource(ints = {1})"), "weakened/rows"),
    ("retries", java("assertEquals(3, f(1));"), java("assertEquals(3, f(1));", above="@RetryingTest(3) @Test"), "weakened/retries"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in WEAKENINGS], ids=[w[0] for w in WEAKENINGS])
def test_what_weakens_a_test_is_found(before, after, expected):
    assert any(one.startswith(expected) for one in found(PATH, before, after))
    assert expected == "changed" or grave(PATH, before, after)


REFACTORS = [
    ("a private helper", java("assertEquals(3, f(1));") + "private void g() {}\n", java("assertEquals(3, f(1));") + "private void h() {}\n"),
    ("layout", java("assertEquals(3, f(1));"), java("assertEquals(", "3,", "f(1)", ");")),
    ("to assertj", java("assertEquals(3, f(1));"), java("assertThat(f(1)).isEqualTo(3);")),
    ("to truth", java("assertEquals(2, x.children.size());"), java("assertThat(x.children).hasSize(2);")),
    ("empty", java("assertEquals(List.of(), x.get(1));"), java("assertThat(x.get(1)).isEmpty();")),
    ("message", java("assertEquals(\"three\", 3, f(1));"), java("assertEquals(3, f(1));")),
    ("expected to assertThrows", java("f(1);", above="@Test(expected = IOException.class)"),
     java("assertThrows(IOException.class, () -> f(1));")),
    ("fail to assertThrows", java("try {", "f(1);", "fail();", "} catch (IOException e) {", "}"),
     java("assertThrows(IOException.class, () -> f(1));")),
    ("junit 3 method with an annotation", "class ATest extends TestCase {\n  public void testA() { assertEquals(3, f(1)); }\n}\n",
     "class ATest extends TestCase {\n  @SuppressWarnings(\"x\")\n  public void testA() { assertEquals(3, f(1)); }\n}\n"),
    ("a helper of the project", java("assertThat(excludes(A.class)).isFalse();"), java("assertIncludesClass(A.class);")),
    ("instanceof", java("assertThat(x instanceof A).isTrue();"), java("assertThat(x).isInstanceOf(A.class);")),
    ("starts with", java("assertThat(x.startsWith(\"[\")).isTrue();"), java("assertThat(x).startsWith(\"[\");")),
    ("boxed", java("assertThat(f(1)).isEqualTo(Boolean.TRUE);"), java("assertThat(f(1)).isEqualTo(true);")),
    ("with a message", java("assertThat(f(1)).isEqualTo(3);"), java('assertWithMessage("three").that(f(1)).isEqualTo(3);')),
    ("two that became the same", java("assertEquals(new Double(7), f(1), 0.1);", "assertEquals(new Float(7), f(1), 0.1);"),
     java("assertEquals(7.0, f(1), 0.1);", "assertEquals(7.0, f(1), 0.1);")),
    ("renamed", java("int x = f(1);", "assertEquals(3, x);"), java("int x = f(1);", "assertEquals(3, x);", name="three")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [r[1:] for r in REFACTORS], ids=[r[0] for r in REFACTORS])
def test_a_refactor_is_not_called_weakened(before, after):
    assert grave(PATH, before, after) == []


def test_another_value_is_expected():
    assert found(PATH, java("assertEquals(3, f(1));"), java("assertEquals(5, f(1));")) == {"expected/value"}


@pytest.mark.parametrize("text", ["", "class {", "@Test void", "{" * 2000, "\x00"])
def test_any_text_can_be_read(text):
    found(PATH, java("assertEquals(3, f(1));"), text)
