from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.errors import PassdownError
from passdown.rules import match
from passdown.rules.match import Matcher, literal, single, whole_tree

ATOMS = [
    "a",
    "b",
    "A",
    "é",
    ".",
    "-",
    " x",
    "*",
    "?",
    "**",
    "[ab]",
    "[!a]",
    "[a-c]",
    "[^b]",
    "\\*",
    "\\[",
    "\\ ",
    "x.py",
]
# `a**` within a name: documented as `a*`, git 2.39 compares two unrelated pointers there and matches more or less
SEGMENTS = (
    st.lists(st.sampled_from(ATOMS), min_size=1, max_size=3)
    .map("".join)
    .filter(lambda segment: "**" not in segment or segment == "**")
)
PATTERNS = st.builds(
    lambda lead, parts, tail: lead + "/".join(parts) + tail,
    st.sampled_from(["", "", "/", "**/"]),
    st.lists(SEGMENTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/**", "/*"]),
)
NAMES = st.lists(
    st.sampled_from(["a", "b", "A", "é", "c", "*", "[", " ", ".x", "-", "x.py", "\n", "\t"]), min_size=1, max_size=3
)
PATHS = st.lists(NAMES.map("".join), min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ignore")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def ignored(root: Path, patterns: list[str], paths: list[str], *, fold: bool) -> set[str]:
    """What git itself says."""
    excludes = root / ".git/info/exclude"
    excludes.write_bytes(b"\n".join(os.fsencode(p) for p in patterns) + b"\n")
    command = [
        "git",
        "-C",
        str(root),
        "-c",
        f"core.ignoreCase={str(fold).lower()}",
        "check-ignore",
        "--no-index",
        "-z",
        "--stdin",
    ]
    answer = subprocess.run(command, input=b"\0".join(map(os.fsencode, paths)), capture_output=True, check=False)
    assert answer.returncode in (0, 1), answer.stderr
    return {os.fsdecode(p) for p in answer.stdout.split(b"\0") if p}


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.lists(PATTERNS, min_size=1, max_size=4), st.lists(PATHS, min_size=10, max_size=25, unique=True), st.booleans()
)
def test_matches_what_git_matches(scratch: Path, patterns: list[str], paths: list[str], fold: bool) -> None:
    kept = []
    for pattern in patterns:
        try:
            Matcher.compile([pattern])
        except PassdownError:
            continue
        bytewise = set("?[") & set(pattern) and any("é" in path for path in paths)
        if "\n" not in pattern and not bytewise:
            kept.append(pattern)
    if fold:  # git folds ASCII alone
        kept = [p.replace("é", "e") for p in kept]
        paths = list(dict.fromkeys(p.replace("é", "e") for p in paths))
    paths = [p for p in paths if not any(part in (".", "..") for part in p.split("/"))]
    matcher = Matcher.compile(kept, fold_case=fold)
    assert {p for p in paths if matcher.matches(p) is not None} == ignored(scratch, kept, paths, fold=fold)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(PATHS, st.lists(PATHS, min_size=5, max_size=15, unique=True))
def test_a_literal_matches_its_path_alone(path: str, others: list[str]) -> None:
    if any(part in (".", "..") for part in path.split("/")):
        return
    matcher = Matcher.compile([literal(path)])
    assert matcher.matches(path) == 0
    for other in others:
        assert (matcher.matches(other) == 0) is (other == path or other.startswith(path + "/"))


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("!src/**", "'!'"),
        ("#src", "comment"),
        ("//src", "absolute"),
        ("~/src", "absolute"),
        ("C:\\work\\src", "absolute"),
        ("src/../etc", "'..'"),
        ("./src", "'.'"),
        ("src/**  ", "white space"),
        ("a\0b", "a NUL"),
        ("a\\", "git would ignore it"),
        ("/", "git would ignore it"),
        ("src/[b-a", "git would ignore it"),
    ],
)
def test_a_bad_pattern_is_named(pattern: str, why: str) -> None:
    with pytest.raises(PassdownError, match=re.escape(why)) as failure:
        Matcher.compile(["ok", pattern])
    assert repr(pattern) in failure.value.message


@pytest.mark.parametrize("path", ["caf\u00e9.go", "cafe\u0301.go"])
@pytest.mark.parametrize("pattern", ["caf\u00e9.go", "cafe\u0301.go"])
def test_l2_accents_are_compared_composed(pattern: str, path: str) -> None:
    assert Matcher.compile([pattern]).matches(path) == 0


@pytest.mark.parametrize("path", ["src/a\n.py", "src/设计\t.md", "src/-x", "src/ y ", 'src/"q"', "src/\udcff.bin"])
def test_l2_odd_names_are_matched_like_others(path: str) -> None:
    assert Matcher.compile(["docs", "src/**"]).matches(path) == 1
    assert Matcher.compile(["*.go"]).matches(path) is None


def test_a_line_break_does_not_end_a_name() -> None:
    assert Matcher.compile(["/a.py"]).matches("a.py\n") is None


def test_folding_is_asked_for() -> None:
    assert Matcher.compile(["Src/Straße/**"]).matches("src/STRASSE/x") is None
    assert Matcher.compile(["Src/Straße/**"], fold_case=True).matches("src/STRASSE/x") == 0


@pytest.mark.parametrize(
    ("pattern", "whole"), [("**", True), ("/**", True), ("*", True), ("**/*", True), ("src/**", False), ("*.py", False)]
)
def test_a_pattern_over_the_whole_tree_is_known(pattern: str, whole: bool) -> None:
    assert whole_tree(pattern) is whole


@pytest.mark.parametrize("bad", ["a/[z-a]/b", "[b-a]", "x[9-0].py"])
def test_a_range_that_runs_backwards_is_one_clear_line(bad):
    with pytest.raises(PassdownError, match="not a pattern"):
        Matcher.compile(["ok", bad])


@given(
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1).filter(
        lambda p: p == p.strip("/ ") == p.strip()
    )
)
def test_the_pattern_of_one_path_gives_the_path_back(path):
    assert single(literal(path)) == path


@pytest.mark.parametrize("pattern", ["", "**", "src/**", "src/", "*.py", "a?.py", "[ab].py"])
def test_a_pattern_for_several_paths_is_no_single_one(pattern):
    assert single(pattern) is None


PLAIN_PATTERNS = st.lists(st.sampled_from([*"aB/.-~{(#é\u212aß$", "**"]), min_size=1).map("".join)


@given(PLAIN_PATTERNS)
def test_a_plain_path_is_translated_as_pathspec_does(pattern):
    for fold in (False, True):
        if match.fault(pattern) is None and match._PLAIN.fullmatch(match.normalise(pattern, fold_case=fold)):
            assert match._regex(pattern, fold_case=fold) == match._translated(pattern, fold_case=fold)
