"""Where secrets stand: the line of each, whatever stands around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.rules.redact.found import decoded, found

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\n" * 4 + "-----END RSA " + "PRIVATE KEY-----"
)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a\nb\n", []),
        (KEY, [1]),
        (f"a\nb\ntoken = {KEY}\n", [3]),
        (f"{KEY}\n\n{KEY}\n", [1, 3]),
        (f"x\n{PEM}\nafter\nk = '{KEY}'\n", [2, 9]),
        ("[redacted:github:0123abcd]\n" + KEY, [2]),
        ("url = https://u:hunter22pass@host/x\n", [1]),
    ],
)
def test_lines(text: str, lines: list[int]):
    assert [line for line, _ in found(text)] == lines


@given(st.lists(st.sampled_from(["x = 1", "", "déjà", KEY, "# note"]), max_size=12))
def test_each_line_that_holds_one_is_named(rows: list[str]):
    assert [line for line, _ in found("\n".join(rows))] == [n for n, row in enumerate(rows, 1) if row == KEY]


def test_the_policys_own_patterns_count():
    assert found("a\nACME-12345678\n", [r"ACME-\d+"]) == [(2, "extra")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_other_encodings(encoding: str):
    assert [line for line, _ in found(decoded(f"a\n{KEY}\n".encode(encoding)))] == [2]
