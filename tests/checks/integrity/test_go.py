"""A7 in Go: the testing package, testify, table tests, build constraints."""

from __future__ import annotations

import pytest
from support.integrity import found, grave


def test(*lines: str, name: str = "TestIt") -> str:
    return f"package app\n\nfunc {name}(t *testing.T) {{\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"


def func(*lines: str, name: str = "TestOther") -> str:
    return test(*lines, name=name).partition("\n\n")[2]


test.__test__ = False  # type: ignore[attr-defined]
EQUAL = 'if got := F(1); got != 3 { t.Errorf("got %d", got) }'
TABLE = "tests := []struct{ in, want int }{{1, 2}, {3, 4}}"
LOOP = 'for _, tt := range tests { if got := F(tt.in); got != tt.want { t.Errorf("%d", got) } }'

WEAKENINGS = [
    ("not zero", test(EQUAL), test("if got := F(1); got == 0 { t.Error(got) }"), "weakened/weaker"),
    ("deep equal", test("if !reflect.DeepEqual(F(1), w) { t.Fatal(1) }"), test("if F(1) == nil { t.Fatal(1) }"), "weakened/weaker"),
    ("removed", test(EQUAL, "if G() != 1 { t.Fatal() }"), test(EQUAL), "weakened/removed"),
    ("logged", test("got := F(1)", "if got != 3 { t.Errorf(\"x\") }"), test("got := F(1)", "if got != 3 { t.Logf(\"x\") }"),
     "weakened/removed"),
    ("return", test("got := F(1)", "if got != 3 { t.Fatal() }"), test("got := F(1)", "return", "if got != 3 { t.Fatal() }"),
     "weakened/unreachable"),
    ("skip", test(EQUAL), test("t.Skip(\"flaky\")", EQUAL), "skipped/skip"),
    ("skip under a condition", test(EQUAL), test("if testing.Short() { t.Skip() }", EQUAL), "skipped/skipif"),
    ("renamed away", test(EQUAL), test(EQUAL, name="testIt"), "skipped/uncollected"),
    ("build tag", test(EQUAL), "//go:build never\n\n" + test(EQUAL), "skipped/uncollected"),
    ("main that runs nothing", test(EQUAL), test(EQUAL) + "func TestMain(m *testing.M) { os.Exit(0) }\n", "skipped/uncollected"),
    ("rows", test(TABLE, LOOP), test(TABLE.replace(", {3, 4}", ""), LOOP), "weakened/rows"),
    ("rows of a map", test("cases := map[string]int{\"a\": 1, \"b\": 2}", LOOP), test("cases := map[string]int{\"a\": 1}", LOOP),
     "weakened/rows"),
    ("deleted", test(EQUAL) + func(EQUAL.replace("F", "G")), test(EQUAL), "deleted/deleted"),
    ("testify", test("require.Equal(t, 3, F(1))"), test("require.NotNil(t, F(1))"), "weakened/weaker"),
    ("testify error", test("require.ErrorIs(t, F(1), ErrNo)"), test("require.NoError(t, nil)", "F(1)"), "weakened"),
    ("testify delta", test("assert.InDelta(t, 3.0, F(1), 0.1)"), test("assert.InDelta(t, 3.0, F(1), 5)"), "weakened/tolerance"),
    ("mock anything", test("F(m)", "m.AssertCalled(t, \"F\", 1)"), test("F(m)", "m.AssertCalled(t, \"F\", mock.Anything)"),
     "weakened/wildcard"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in WEAKENINGS], ids=[w[0] for w in WEAKENINGS])
def test_what_weakens_a_test_is_found(before, after, expected):
    assert any(one.startswith(expected) for one in found("pkg/app_test.go", before, after))
    assert grave("pkg/app_test.go", before, after)


REFACTORS = [
    ("layout", test(EQUAL), test("if got := F(1);  got != 3 {", "t.Errorf(\"got %d\", got)", "}")),
    ("another message", test(EQUAL), test(EQUAL.replace("got %d", "F(1) = %d"))),
    ("yoda", test("if F(1) != 3 { t.Fatal() }"), test("if 3 != F(1) { t.Fatal() }")),
    ("to testify", test("if got := F(1); got != 3 { t.Errorf(\"x\") }"), test("require.Equal(t, 3, F(1))")),
    ("no error to testify", test("err := F(1)", "if err != nil { t.Fatal(err) }"), test("err := F(1)", "require.NoError(t, err)")),
    ("one row more", test(TABLE, LOOP), test(TABLE.replace("{3, 4}", "{3, 4}, {5, 6}"), LOOP)),
    ("into a table", test("if F(1) != 2 { t.Fatal() }", "if F(3) != 4 { t.Fatal() }"), test(TABLE, LOOP)),
    ("only on unix", test(EQUAL), "//go:build !windows\n\n" + test(EQUAL)),
    ("renamed", test("x := F(1)", "if x != 3 { t.Fatal() }"), test("x := F(1)", "if x != 3 { t.Fatal() }", name="TestF")),
    ("setup changed", test("f, err := open(a)", "if err != nil { t.Fatal(err) }", "if F(f) != 3 { t.Fatal() }"),
     test("f := mustOpen(t, a)", "if F(f) != 3 { t.Fatal() }")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [r[1:] for r in REFACTORS], ids=[r[0] for r in REFACTORS])
def test_a_refactor_is_not_called_weakened(before, after):
    assert grave("pkg/app_test.go", before, after) == []


def test_another_value_is_expected():
    assert found("pkg/app_test.go", test(EQUAL), test(EQUAL.replace("3", "5"))) == {"expected/value"}


@pytest.mark.parametrize("text", ["", "package", "func TestX(t", "{" * 2000, "\x00"])
def test_any_text_can_be_read(text):
    found("pkg/app_test.go", test(EQUAL), text)
