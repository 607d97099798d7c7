"""A7 in Go: the testing package, testify, table tests, build constraints."""

from __future__ import annotations

import pytest

from support.integrity import found, grave


def go(*lines: str, name: str = "TestIt") -> str:
    return f"package app\n\nfunc {name}(t *testing.T) {{\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"


def func(*lines: str, name: str = "TestOther") -> str:
    return go(*lines, name=name).partition("\n\n")[2]


EQUAL = 'if got := F(1); got != 3 { t.Errorf("got %d", got) }'
TABLE = "tests := []struct{ in, want int }{{1, 2}, {3, 4}}"
LOOP = 'for _, tt := range tests { if got := F(tt.in); got != tt.want { t.Errorf("%d", got) } }'

WEAKENINGS = [
    ("not zero", go(EQUAL), go("if got := F(1); got == 0 { t.Error(got) }"), "weakened/weaker"),
    ("deep equal", go("if !reflect.DeepEqual(F(1), w) { t.Fatal(1) }"), go("if F(1) == nil { t.Fatal(1) }"), "weakened/weaker"),
    ("removed", go(EQUAL, "if G() != 1 { t.Fatal() }"), go(EQUAL), "weakened/removed"),
    ("logged", go("got := F(1)", "if got != 3 { t.Errorf(\"x\") }"), go("got := F(1)", "if got != 3 { t.Logf(\"x\") }"),
     "weakened/removed"),
    ("return", go("got := F(1)", "if got != 3 { t.Fatal() }"), go("got := F(1)", "return", "if got != 3 { t.Fatal() }"),
     "weakened/unreachable"),
    ("skip", go(EQUAL), go("t.Skip(\"flaky\")", EQUAL), "skipped/skip"),
    ("skip under a condition", go(EQUAL), go("if testing.Short() { t.Skip() }", EQUAL), "skipped/skipif"),
    ("renamed away", go(EQUAL), go(EQUAL, name="testIt"), "skipped/uncollected"),
    ("build tag", go(EQUAL), "//go:build never\n\n" + go(EQUAL), "skipped/uncollected"),
    ("main that runs nothing", go(EQUAL), go(EQUAL) + "func TestMain(m *testing.M) { os.Exit(0) }\n", "skipped/uncollected"),
    ("rows", go(TABLE, LOOP), go(TABLE.replace(", {3, 4}", ""), LOOP), "weakened/rows"),
    ("rows of a map", go("cases := map[string]int{\"a\": 1, \"b\": 2}", LOOP), go("cases := map[string]int{\"a\": 1}", LOOP),
     "weakened/rows"),
    ("deleted", go(EQUAL) + func(EQUAL.replace("F", "G")), go(EQUAL), "deleted/deleted"),
    ("testify", go("require.Equal(t, 3, F(1))"), go("require.NotNil(t, F(1))"), "weakened/weaker"),
    ("testify error", go("require.ErrorIs(t, F(1), ErrNo)"), go("require.NoError(t, nil)", "F(1)"), "weakened"),
    ("testify delta", go("assert.InDelta(t, 3.0, F(1), 0.1)"), go("assert.InDelta(t, 3.0, F(1), 5)"), "weakened/tolerance"),
    ("mock anything", go("F(m)", "m.AssertCalled(t, \"F\", 1)"), go("F(m)", "m.AssertCalled(t, \"F\", mock.Anything)"),
     "weakened/wildcard"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in WEAKENINGS], ids=[w[0] for w in WEAKENINGS])
def test_what_weakens_a_test_is_found(before, after, expected):
    assert any(one.startswith(expected) for one in found("pkg/app_test.go", before, after))
    assert grave("pkg/app_test.go", before, after)


REFACTORS = [
    ("layout", go(EQUAL), go("if got := F(1);  got != 3 {", "t.Errorf(\"got %d\", got)", "}")),
    ("another message", go(EQUAL), go(EQUAL.replace("got %d", "F(1) = %d"))),
    ("yoda", go("if F(1) != 3 { t.Fatal() }"), go("if 3 != F(1) { t.Fatal() }")),
    ("to testify", go("if got := F(1); got != 3 { t.Errorf(\"x\") }"), go("require.Equal(t, 3, F(1))")),
    ("no error to testify", go("err := F(1)", "if err != nil { t.Fatal(err) }"), go("err := F(1)", "require.NoError(t, err)")),
    ("one row more", go(TABLE, LOOP), go(TABLE.replace("{3, 4}", "{3, 4}, {5, 6}"), LOOP)),
    ("into a table", go("if F(1) != 2 { t.Fatal() }", "if F(3) != 4 { t.Fatal() }"), go(TABLE, LOOP)),
    ("only on unix", go(EQUAL), "//go:build !windows\n\n" + go(EQUAL)),
    ("renamed", go("x := F(1)", "if x != 3 { t.Fatal() }"), go("x := F(1)", "if x != 3 { t.Fatal() }", name="TestF")),
    ("setup changed", go("f, err := open(a)", "if err != nil { t.Fatal(err) }", "if F(f) != 3 { t.Fatal() }"),
     go("f := mustOpen(t, a)", "if F(f) != 3 { t.Fatal() }")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [r[1:] for r in REFACTORS], ids=[r[0] for r in REFACTORS])
def test_a_refactor_is_not_called_weakened(before, after):
    assert grave("pkg/app_test.go", before, after) == []


def test_another_value_is_expected():
    assert found("pkg/app_test.go", go(EQUAL), go(EQUAL.replace("3", "5"))) == {"expected/value"}


@pytest.mark.parametrize("text", ["", "package", "func TestX(t", "{" * 2000, "\x00"])
def test_any_text_can_be_read(text):
    found("pkg/app_test.go", go(EQUAL), text)
