"""Languages that no grammar here reads are compared by their lines; remarks that silence a tool are counted."""

from __future__ import annotations

import pytest

from passdown.rules.integrity.lines import by_lines, silenced

RUBY = "it 'adds' do\n  x = f(1)\n  expect(x).to eq(3)\n  expect(g).to eq(4)\nend\n"
WEAKER = [
    ("ruby assertion", "spec/a_spec.rb", RUBY, RUBY.replace("  expect(g).to eq(4)\n", ""), "weakened"),
    ("ruby commented", "spec/a_spec.rb", RUBY, RUBY.replace("  expect(g)", "  # expect(g)"), "weakened"),
    ("ruby skip", "spec/a_spec.rb", RUBY, RUBY.replace("it 'adds'", "xit 'adds'"), "skipped"),
    ("ruby pending", "spec/a_spec.rb", RUBY, RUBY.replace("  x = f(1)", "  pending 'later'\n  x = f(1)"), "skipped"),
    ("php", "tests/ATest.php", "public function testA() {\n$this->assertSame(3, f());\n}\n",
     "public function testA() {\n$this->markTestSkipped();\n$this->assertSame(3, f());\n}\n", "skipped"),
    ("c#", "Tests/ATests.cs", "[Fact]\npublic void A() {\nAssert.Equal(3, F());\n}\n",
     "[Fact(Skip = \"later\")]\npublic void A() {\nAssert.Equal(3, F());\n}\n", "skipped"),
    ("c++", "test/a_test.cc", "TEST(A, B) {\nEXPECT_EQ(f(), 3);\nEXPECT_EQ(g(), 3);\n}\n", "TEST(A, B) {\nEXPECT_EQ(f(), 3);\n}\n", "weakened"),
    ("c++ disabled", "test/a_test.cc", "TEST(A, B) {\nEXPECT_EQ(f(), 3);\n}\n", "TEST(A, DISABLED_B) {\nEXPECT_EQ(f(), 3);\n}\n", "skipped"),
    ("kotlin", "src/test/ATest.kt", "@Test\nfun a() {\nassertEquals(3, f())\n}\n", "@Ignore\n@Test\nfun a() {\nassertEquals(3, f())\n}\n", "skipped"),
    ("elixir", "test/a_test.exs", 'test "a" do\nassert f() == 3\nend\n', '@tag :skip\ntest "a" do\nassert f() == 3\nend\n', "skipped"),
    ("swift", "Tests/ATests.swift", "func testA() {\nXCTAssertEqual(f(), 3)\n}\n", "func testA() {\n}\n", "weakened"),
    ("ruby truthy", "spec/a_spec.rb", RUBY, RUBY.replace("to eq(3)", "to be_truthy"), "weakened"),
    ("ruby any error", "spec/a_spec.rb", "expect { f }.to raise_error(A, /x/)\n", "expect { f }.to raise_error\n", "weakened"),
    ("ruby focus", "spec/a_spec.rb", RUBY, RUBY.replace("it 'adds'", "fit 'adds'"), "skipped"),
    ("c# rows", "Tests/ATests.cs", "[InlineData(1)]\n[InlineData(2)]\n", "[InlineData(1)]\n", "weakened"),
    ("c# weaker", "Tests/ATests.cs", "Assert.Equal(3, F());\n", "Assert.NotNull(F());\n", "weakened"),
    ("php weaker", "tests/ATest.php", "$this->assertSame(3, f());\n", "$this->assertNotNull(f());\n", "weakened"),
    ("php any error", "tests/ATest.php", "$this->expectException(MyException::class);\n",
     "$this->expectException(\\Throwable::class);\n", "weakened"),
    ("kotlin weaker", "src/test/ATest.kt", "f(2) shouldBe 4\n", "f(2) shouldNotBe null\n", "weakened"),
    ("kotlin any outcome", "src/test/ATest.kt", "assertFailsWith<A> { f() }\n", "runCatching { f() }\n", "weakened"),
    ("bats weaker", "test/a.bats", '[ "$output" = 3 ]\n', '[ -n "$output" ]\n', "weakened"),
    ("bats fewer", "test/a.bats", '[ "$status" -eq 0 ]\n[ "$output" = 3 ]\n', '[ "$status" -eq 0 ]\n', "weakened"),
    ("shell exit 0", "tests/test_a.sh", "if f; then\n  exit 1\nfi\n", "if f; then\n  exit 0\nfi\n", "weakened"),
    ("shell or true", "tests/test_a.sh", "./f 1 2\n", "./f 1 2 || true\n", "weakened"),
    ("ruby caught", "spec/a_spec.rb", RUBY, RUBY.replace("end", "rescue RSpec::Expectations::ExpectationNotMetError\nend"), "weakened"),
    ("shell trap", "tests/test_a.sh", "set -e\n./f\n", "set -e\ntrap 'exit 0' EXIT\n./f\n", "weakened"),
    ("shell minds less", "tests/test_a.sh", "set -euo pipefail\n./f\n", "set -uo pipefail\n./f\n", "weakened"),
    ("a test gone", "spec/a_spec.rb", RUBY + RUBY.replace("adds", "subtracts"), RUBY, "deleted"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after", "kind"), [w[1:] for w in WEAKER], ids=[w[0] for w in WEAKER])
def test_fewer_assertions_fewer_tests_and_skips_are_found(path, before, after, kind):
    told = by_lines(path, before, after)
    assert kind in {f.kind for f in told}
    assert any(f.blocks for f in told)


FINE = [
    ("indented", RUBY, RUBY.replace("\n  ", "\n    "), set()),
    ("another value", RUBY, RUBY.replace("eq(3)", "eq(5)"), {"changed"}),
    ("more", RUBY, RUBY.replace("end", "  expect(h).to eq(1)\nend"), {"extended"}),
    ("moved lines", RUBY, "\n".join(reversed(RUBY.splitlines())), set()),
]


@pytest.mark.parametrize(("before", "after", "kinds"), [f[1:] for f in FINE], ids=[f[0] for f in FINE])
def test_other_changes_are_not_called_weakened(before, after, kinds):
    told = by_lines("spec/a_spec.rb", before, after)
    assert {f.kind for f in told} == kinds
    assert not any(f.blocks for f in told)


AS_GOOD = [
    ("spec/a_spec.rb", "expect(f).to eq(3)", "expect(f(1)).to eql(3)"),
    ("spec/a_spec.rb", "expect(f).to be_truthy", "expect(f).to be(true)"),
    ("spec/a_spec.rb", "expect { f }.to raise_error(A)", "expect { f }.to raise_error(A, /x/)"),
    ("Tests/ATests.cs", "Assert.NotNull(f());", "Assert.Equal(3, f());"),
    ("Tests/ATests.cs", "Assert.Equal(3, f());", "f().Should().Be(3);"),
    ("tests/ATest.php", "$this->assertSame(3, f());", "self::assertSame(3, f());"),
    ("tests/test_a.sh", "set -e", "set -euo pipefail"),
    ("tests/test_a.sh", "exit 1", "echo wrong >&2; exit 1"),
    ("test/a.bats", '[ "$output" = 3 ]', '[[ "$output" == 3 ]]'),
]


@pytest.mark.parametrize(("path", "before", "after"), AS_GOOD)
def test_what_says_as_much_in_other_words_is_not_weaker(path, before, after):
    assert not any(f.blocks for f in by_lines(path, f"{before}\n", f"{after}\n"))


SILENCES = [
    ("a.py", "x = f()  # type: ignore[arg-type]", "types"),
    ("a.py", "import os  # noqa: F401", "lint"),
    ("a.py", "if x:  # pragma: no cover", "coverage"),
    ("a.py", "x = 1  # pylint: disable=invalid-name", "lint"),
    ("a.ts", "// eslint-disable-next-line no-undef", "lint"),
    ("a.ts", "// @ts-ignore", "types"),
    ("a.ts", "// @ts-expect-error", "types"),
    ("a.js", "/* istanbul ignore next */", "coverage"),
    ("a.go", "x := f() //nolint:errcheck", "lint"),
    ("a.rs", "#[allow(dead_code)]", "lint"),
    ("a.java", '@SuppressWarnings("unchecked")', "lint"),
    ("a.py", ">>> f(1)  # doctest: +SKIP", "lint"),
    ("a.rb", "x = 1 # rubocop:disable Style/A", "lint"),
]


@pytest.mark.parametrize(("path", "line", "tool"), SILENCES)
def test_a_remark_that_silences_a_tool_is_told_once(path, line, tool):
    assert [f.rule for f in silenced(path, "a\n", f"a\n{line}\n")] == [tool]
    assert not list(silenced(path, f"{line}\na\n", f"a\n{line}\n"))
    assert not list(silenced(path, f"{line}\n", "a\n"))
    assert [f.line for f in silenced(path, f"{line}\n", f"{line}\n{line}\n")] == [2]


@pytest.mark.parametrize(
    "line", ['MARK = "# noqa"', "x = 1  # fmt: off", "ignore = True", "# what to ignore: nothing", "// prettier-ignore"]
)
def test_text_about_remarks_and_layout_is_none(line):
    assert not list(silenced("a.py", "", f"{line}\n"))
