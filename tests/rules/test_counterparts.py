from __future__ import annotations

import pytest

from passdown.rules.counterparts import Names, is_test

PATHS = [
    "src/retry.py",
    "tests/test_retry.py",
    "pkg/retry_test.go",
    "pkg/retry.go",
    "web/src/Button.tsx",
    "web/src/Button.test.tsx",
    "web/src/__tests__/Button.spec.ts",
    "java/main/Retry.java",
    "java/test/RetryTest.java",
    *[f"p{n}/index.ts" for n in range(5)],
    "q/index.test.ts",
]


@pytest.mark.parametrize(
    ("path", "others"),
    [
        ("src/retry.py", ["tests/test_retry.py"]),
        ("tests/test_retry.py", ["src/retry.py"]),
        ("pkg/retry.go", ["pkg/retry_test.go"]),
        ("web/src/Button.tsx", ["web/src/Button.test.tsx", "web/src/__tests__/Button.spec.ts"]),
        ("web/src/__tests__/Button.spec.ts", ["web/src/Button.tsx"]),
        ("java/main/Retry.java", ["java/test/RetryTest.java"]),
        ("q/index.test.ts", []),
        ("README.md", []),
    ],
)
def test_a_counterpart_is_the_nearest_of_the_name(path: str, others: list[str]) -> None:
    assert Names.of(PATHS).beside(path) == others


@pytest.mark.parametrize(
    ("path", "known"),
    [("tests/conftest.py", True), ("src/contest.py", False), ("src/latest.py", False), ("a_test.go", True)],
)
def test_tests_are_known_by_name_or_folder(path: str, known: bool) -> None:
    assert is_test(path) is known
