"""A7 in Rust: tests stand beside the code, and macros say what must hold."""

from __future__ import annotations

import pytest

from support.integrity import found, grave


def rust(*lines: str, above: str = "", name: str = "it") -> str:
    inner = "".join(f"        {line}\n" for line in lines)
    return f"fn f(x: i32) -> i32 {{ x }}\n\n#[cfg(test)]\nmod tests {{\n    {above}#[test]\n    fn {name}() {{\n{inner}    }}\n}}\n"


WEAKENINGS = [
    ("caught", rust("assert_eq!(f(1), 3);"), rust("let _ = std::panic::catch_unwind(|| assert_eq!(f(1), 3));"),
     "weakened/swallowed"),
    ("not equal to zero", rust("assert_eq!(f(1), 3);"), rust("assert!(f(1) > 0);"), "weakened/weaker"),
    ("ne", rust("assert_eq!(f(1), 3);"), rust("assert_ne!(f(1), 4);"), "weakened/weaker"),
    ("some", rust("assert_eq!(g(1), Some(3));"), rust("assert!(g(1).is_some());"), "weakened/weaker"),
    ("matches", rust("assert_eq!(g(1), Ok(3));"), rust("assert!(matches!(g(1), Ok(_)));"), "weakened/weaker"),
    ("contains", rust("assert_eq!(g(1), \"abc\");"), rust("assert!(g(1).contains(\"a\"));"), "weakened/weaker"),
    ("removed", rust("assert_eq!(f(1), 3);", "assert_eq!(f(2), 4);"), rust("assert_eq!(f(1), 3);"), "weakened/removed"),
    ("commented", rust("let x = f(1);", "assert_eq!(x, 3);"), rust("let x = f(1);", "// assert_eq!(x, 3);"), "weakened/removed"),
    ("return", rust("let x = f(1);", "assert_eq!(x, 3);"), rust("let x = f(1);", "return;", "assert_eq!(x, 3);"),
     "weakened/unreachable"),
    ("condition", rust("assert_eq!(f(1), 3);"), rust("if cfg!(feature = \"x\") {", "assert_eq!(f(1), 3);", "}"),
     "weakened/conditional"),
    ("ignore", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3);", above="#[ignore]\n    "), "skipped/skip"),
    ("ignore with a reason", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3);", above="#[ignore = \"slow\"]\n    "),
     "skipped/skip"),
    ("attribute gone", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3);").replace("#[test]\n", ""), "skipped/uncollected"),
    ("feature", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3);", above="#[cfg(feature = \"never\")]\n    "),
     "skipped/uncollected"),
    ("only elsewhere", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3);", above="#[cfg(windows)]\n    "),
     "skipped/uncollected"),
    ("deleted", rust("assert_eq!(f(1), 3);"), "fn f(x: i32) -> i32 { x }\n", "deleted/deleted"),
    ("panics anyhow", rust("f(1);", above="#[should_panic(expected = \"no\")]\n    "), rust("f(1);", above="#[should_panic]\n    "),
     "weakened/weaker"),
    ("constant", rust("assert_eq!(f(1), 3);"), rust("f(1);", "assert!(true);"), "weakened/removed"),
    ("cases", rust("assert_eq!(f(a), b);", above="#[rstest]\n    #[case(1, 2)]\n    #[case(3, 4)]\n    "),
     rust("assert_eq!(f(a), b);", above="#[rstest]\n    #[case(1, 2)]\n    "), "weakened/rows"),
    ("bound", rust("assert!(f(1) < 5);"), rust("assert!(f(1) < 50);"), "weakened/bound"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in WEAKENINGS], ids=[w[0] for w in WEAKENINGS])
def test_what_weakens_a_test_is_found(before, after, expected):
    assert any(one.startswith(expected) for one in found("src/app.rs", before, after))
    assert grave("src/app.rs", before, after)


REFACTORS = [
    ("caught and looked at", rust("assert!(f(1).is_err());"),
     rust("assert!(f(1).is_err());", "let r = std::panic::catch_unwind(|| g(1));", "assert!(r.is_err());")),
    ("layout", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(", "f(1),", "3,", ");")),
    ("message", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3, \"three\");")),
    ("renamed", rust("let x = f(1);", "assert_eq!(x, 3);"), rust("let x = f(1);", "assert_eq!(x, 3);", name="three")),
    ("yoda", rust("assert_eq!(3, f(1));"), rust("assert_eq!(f(1), 3);")),
    ("not on Windows", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3);", above="#[cfg(not(windows))]\n    ")),
    ("unix", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 3);", above="#[cfg(unix)]\n    ")),
    ("stronger", rust("assert!(g(1).is_some());"), rust("assert_eq!(g(1), Some(3));")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [r[1:] for r in REFACTORS], ids=[r[0] for r in REFACTORS])
def test_a_refactor_is_not_called_weakened(before, after):
    assert grave("src/app.rs", before, after) == []


def test_code_beside_the_tests_is_no_test():
    before = rust("assert_eq!(f(1), 3);")
    assert found("src/app.rs", before, before.replace("{ x }", "{ x + 1 }")) == set()


def test_another_value_is_expected():
    assert found("src/app.rs", rust("assert_eq!(f(1), 3);"), rust("assert_eq!(f(1), 5);")) == {"expected/value"}


@pytest.mark.parametrize("text", ["", "fn (", "#[test]", "{" * 2000, "\x00"])
def test_any_text_can_be_read(text):
    found("src/app.rs", rust("assert_eq!(f(1), 3);"), text)
