from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.model.boundary import Boundary
from passdown.model.packet import FileChange
from passdown.packet.terminal import terminal
from passdown.rules.decide import Asked
from passdown.rules.explain import explain
from passdown.rules.hold import HoldFacts, compute
from passdown.rules.match import Matcher
from passdown.rules.propose import ELSE, MAX_ALLOWED, ProposalFacts, Wanted, folded, named, propose
from support.packets import a_packet

PATHS = [
    "src/retry.py",
    "src/client.py",
    "tests/test_retry.py",
    "migrations/0001.sql",
    "src/auth/token.py",
    "README.md",
    "app/[id]/page.tsx",
]


def allow(boundary: Boundary) -> list[str]:
    return [entry.path for entry in boundary.allow]


def deny(boundary: Boundary) -> list[tuple[str, str]]:
    return [(entry.path, entry.because) for entry in boundary.deny]


def test_holds_the_unfinished_diff_the_failing_tests_and_their_counterparts() -> None:
    proposed = propose(
        ProposalFacts(
            unfinished=[Wanted("src/client.py", "does not parse")],
            failing=[Wanted("tests/test_retry.py", "test_backoff fails")],
            paths=PATHS,
        )
    )
    assert [(e.id, e.path, e.because) for e in proposed.allow] == [
        ("B1", "src/client.py", "does not parse"),
        ("B2", "tests/test_retry.py", "test_backoff fails"),
        ("B3", "src/retry.py", "counterpart of tests/test_retry.py"),
    ]
    assert (proposed.budget.new, proposed.source, len(proposed.digest)) == (2, "proposed", 64)


def test_what_changed_together_comes_along() -> None:
    facts = ProposalFacts(
        unfinished=[Wanted("src/client.py", "x")], together={"src/client.py": ["src/retry.py"]}, paths=PATHS
    )
    assert [(e.path, e.because) for e in propose(facts).allow][1] == (
        "src/retry.py",
        "often changes with src/client.py",
    )


def test_what_the_user_forbids_is_denied_in_the_users_words_and_never_allowed() -> None:
    said = 'you: "don\'t touch migrations"'
    facts = ProposalFacts(
        unfinished=[Wanted("migrations/0001.sql", "changed"), Wanted("src/retry.py", "changed")],
        prohibited=[Wanted("migrations", said)],
        paths=PATHS,
    )
    proposed = propose(facts)
    assert "migrations/0001.sql" not in allow(proposed)
    assert deny(proposed) == [("migrations/**", said)]


def test_finished_files_are_closed_unless_a_failure_needs_them() -> None:
    finished = [Wanted("src/client.py", "done: tests pass on it"), Wanted("src/retry.py", "done")]
    facts = ProposalFacts(
        unfinished=[Wanted("README.md", "changed")],
        failing=[Wanted("src/retry.py", "in the traceback")],
        finished=finished,
        paths=PATHS,
    )
    proposed = propose(facts)
    assert deny(proposed) == [("src/client.py", "done: tests pass on it")]
    assert "src/retry.py" in allow(proposed)


def test_other_owners_files_are_closed_unless_the_unfinished_work_lies_there() -> None:
    owned = [Wanted("src/auth/**", "owner @security"), Wanted("src/client*", "owner @net")]
    facts = ProposalFacts(unfinished=[Wanted("src/client.py", "changed")], owned=owned, paths=PATHS)
    assert deny(propose(facts)) == [("src/auth/**", "owner @security")]


def test_protected_files_are_not_proposed_unless_opened() -> None:
    unfinished = [Wanted(".github/workflows/ci.yml", "changed")]
    assert allow(propose(ProposalFacts(unfinished=unfinished))) == []
    assert allow(propose(ProposalFacts(unfinished=unfinished, opened=[".github/workflows/ci.yml"]))) == [
        ".github/workflows/ci.yml"
    ]


def test_a_file_at_the_top_does_not_open_its_namesakes() -> None:
    proposed = propose(
        ProposalFacts(unfinished=[Wanted("README.md", "changed"), Wanted("app/[id]/page.tsx", "changed")])
    )
    asked = Asked.of(proposed)
    assert allow(proposed) == ["/README.md", "app/\\[id\\]/page.tsx"]
    assert not asked.decide("docs/README.md").inside
    assert asked.decide("app/[id]/page.tsx").inside
    assert not asked.decide("app/i/page.tsx").inside


def test_ids_stay_with_their_patterns() -> None:
    first = propose(ProposalFacts(unfinished=[Wanted("src/a.py", "x"), Wanted("src/b.py", "x")]))
    second = propose(ProposalFacts(unfinished=[Wanted("src/c.py", "x"), Wanted("src/b.py", "x")], kept=first.allow))
    assert [(e.id, e.path) for e in second.allow] == [("B3", "src/c.py"), ("B2", "src/b.py")]


@pytest.mark.parametrize(
    ("words", "patterns"),
    [
        ("migrations", ["migrations/**"]),
        ("./migrations/", ["migrations/**"]),
        ("src/auth", ["src/auth/**"]),
        ("src/client.py", ["src/client.py"]),
        ("README.md", ["/README.md"]),
        ("client.py", ["client.py"]),
        ("auth", ["auth"]),
        ("*.lock", ["*.lock"]),
        ("../x", []),
        ("", []),
        ("!src", []),
    ],
)
def test_words_for_a_place_become_a_pattern(words: str, patterns: list[str]) -> None:
    assert named(words, PATHS) == patterns


def test_a_folder_of_that_name_anywhere_is_meant() -> None:
    assert named("migrations", ["migrations/1.sql", "app/migrations/2.py"]) == ["migrations/"]


SOME = st.lists(st.sampled_from(PATHS), unique=True, max_size=5)


@given(SOME, SOME, SOME, SOME)
def test_nothing_is_both_allowed_and_denied(
    unfinished: list[str], failing: list[str], finished: list[str], said: list[str]
) -> None:
    def want(paths: list[str]) -> list[Wanted]:
        return [Wanted(p, "x") for p in paths]

    proposed = propose(
        ProposalFacts(
            unfinished=want(unfinished),
            failing=want(failing),
            finished=want(finished),
            prohibited=want(said),
            paths=PATHS,
        )
    )
    asked = Asked.of(proposed)
    inside = {p for p in PATHS if asked.decide(p).inside}
    assert inside.isdisjoint(said)
    assert len(inside) == len(proposed.allow)


PART = st.sampled_from(["src", "lib", "a b", "[x]", "tests", "deep", "más"])
NAME = st.from_regex(r"[a-e]{1,2}\.py", fullmatch=True)
PATH = st.builds(lambda folders, name: "/".join([*folders, name]), st.lists(PART, max_size=4), NAME)
TREES = st.lists(PATH, min_size=1, max_size=60, unique=True)


@given(TREES, TREES, st.integers(1, 20))
def test_folding_lets_in_nothing_that_its_reason_does_not_name(wanted, others, most):
    """A boundary of many files may stand as folders: what that lets in besides, its reason says."""
    entries = folded(dict.fromkeys(wanted, "changed in this run"), most)
    assert len(entries) <= max(most, 1)
    for pattern, (because, *_) in entries:
        lets_in = {path for path in {*wanted, *others} if Matcher.compile([pattern]).matches(path) is not None}
        if ELSE not in because:
            assert len(lets_in) == 1
            assert lets_in <= set(wanted)
        else:
            assert len(lets_in & set(wanted)) > 1
            assert pattern != "**"


def test_a_proposal_of_many_files_says_that_it_stands_for_folders_and_is_to_be_watched():
    many = [Wanted(f"src/part{n // 100}/file{n}.py", "changed in this run") for n in range(1000)]
    boundary = propose(ProposalFacts(unfinished=many))
    assert [entry.path for entry in boundary.allow] == [f"src/part{n}/**" for n in range(10)]
    assert {entry.because for entry in boundary.allow} == {f"100 files and {ELSE}: changed in this run"}
    files = [FileChange(path=one.path, status="modified", added=1, removed=0, by=["tool"], inside=None) for one in many]
    packet = a_packet(boundary=boundary, files=files)
    reason = next(r for r in compute(HoldFacts(packet=packet)).reasons if r.code == "boundary-too-wide")
    assert reason.fact.startswith("1,000 files may be written, and whatever else lies in src/part0/**")
    shown = terminal(msgspec.structs.replace(packet, hold=compute(HoldFacts(packet=packet))))
    assert f"src/part0/** (100 files and {ELSE})" in shown
    assert "1,000 files may be written" in shown


def test_a_proposal_never_stands_for_the_whole_tree_or_a_denied_folder():
    many = [Wanted(f"{n}/file.py", "changed in this run") for n in range(1000)]
    boundary = propose(ProposalFacts(unfinished=many, prohibited=[Wanted("7", 'user: "leave 7 alone"')], paths={"7/x"}))
    assert len(boundary.allow) == MAX_ALLOWED
    assert all(ELSE not in entry.because for entry in boundary.allow)
    assert not explain(boundary, "7/file.py").inside
