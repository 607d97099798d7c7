from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.model.boundary import Boundary
from passdown.rules.decide import Asked
from passdown.rules.propose import ProposalFacts, Wanted, named, propose

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
