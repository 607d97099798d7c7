from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.policy import Derived
from passdown.rules.explain import explain
from passdown.rules.judge import Context, PathChange, judge
from passdown.rules.protect import protected


def boundary(allow: list[str], deny: list[str] = [], **more: object) -> Boundary:  # noqa: B006 - read only
    return Boundary(
        version=1,
        source="hand",
        allow=[Entry(id=f"B{n}", path=p, because="asked for") for n, p in enumerate(allow, 1)],
        deny=[Entry(id=f"N{n}", path=p, because="not to be touched") for n, p in enumerate(deny, 1)],
        **more,  # type: ignore[arg-type]
    )


def changed(*paths: str, op: str = "modified") -> list[PathChange]:
    return [PathChange(path=p, op=op) for p in paths]  # type: ignore[arg-type]


def rules(*args: object) -> list[tuple[str, str]]:
    return [(v.path, v.rule) for v in judge(*args)]  # type: ignore[arg-type]


def link(path: str, target: str | None) -> PathChange:
    return PathChange(path=path, op="added", new_mode="120000", target=target)


def test_d1_what_is_not_listed_is_outside() -> None:
    assert rules(boundary(["pricing/**"]), changed("pricing/a.py", "catalog.py")) == [("catalog.py", "outside")]


def test_deny_wins_over_allow() -> None:
    assert rules(boundary(["src/**"], ["src/auth/**"]), changed("src/a.py", "src/auth/t.py")) == [
        ("src/auth/t.py", "N1")
    ]


def test_an_empty_boundary_allows_nothing() -> None:
    assert rules(boundary([]), changed("a")) == [("a", "outside")]


def test_l3_both_ends_of_a_rename_count() -> None:
    moved = [PathChange(path="src/a.py", op="deleted"), PathChange(path="lib/a.py", op="added")]
    assert rules(boundary(["src/**"]), moved) == [("lib/a.py", "outside")]
    assert rules(boundary(["lib/**"]), moved) == [("src/a.py", "outside")]


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".GIT/hooks/pre-commit",
        "src/.git/HEAD",
        "git~1/config",
        ".git /config",
        ".git::$INDEX_ALLOCATION/x",
        ".g\u200cit/config",
        "a\\.git\\config",
    ],
)
def test_gits_own_files_are_protected_and_nobody_opens_them(path: str) -> None:
    assert rules(boundary(["**"], opened=["**"]), changed(path)) == [(path, "protected")]


@pytest.mark.parametrize(
    "path",
    [
        ".claude/settings.json",
        ".claude/settings.local.json",
        "sub/.claude/hooks/x.sh",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".mcp.json",
        ".github/workflows/ci.yml",
        ".gitlab-ci.yml",
        ".circleci/config.yml",
        "Jenkinsfile",
        "CODEOWNERS",
        ".github/CODEOWNERS",
        "docs/codeowners",
        "passdown.toml",
        "Passdown.TOML",
    ],
)
def test_e11_what_decides_the_rules_is_protected_until_opened(path: str) -> None:
    assert rules(boundary(["**"]), changed(path)) == [(path, "protected")]
    assert rules(boundary(["**"], opened=[path]), changed(path)) == []
    assert rules(boundary(["src/**"], opened=[path]), changed(path)) == [(path, "outside")]


@pytest.mark.parametrize(
    "path",
    [".gitignore", ".github/ISSUE_TEMPLATE/a.md", "src/claude/settings.json", "my.git/x", "docs/passdown.toml.md"],
)
def test_neighbours_of_protected_files_are_free(path: str) -> None:
    assert protected(path) is None


def test_own_hooks_inside_the_worktree_are_protected() -> None:
    context = Context(always=[".githooks/"])
    assert rules(boundary(["**"], opened=["**"]), changed(".githooks/pre-commit"), context) == [
        (".githooks/pre-commit", "protected")
    ]


@pytest.mark.parametrize(
    ("target", "escapes"),
    [
        ("b.py", False),
        ("../src/b.py", False),
        ("../secret/key", True),
        ("../../etc/passwd", True),
        ("/etc/passwd", True),
        ("../.git/config", True),
        ("../src/auth", True),
        ("..", True),
        ("hop/key", True),
        (None, True),
    ],
)
def test_l3_a_link_may_not_leave_the_boundary(target: str | None, escapes: bool) -> None:
    context = Context(links={"src/hop": "../secret"})
    found = rules(boundary(["src/**"], ["src/auth/**"]), [link("src/l", target)], context)
    assert found == ([("src/l", "symlink")] if escapes else [])


def test_a_circle_of_links_leaves_the_boundary() -> None:
    context = Context(links={"src/a": "b", "src/b": "a"})
    assert rules(boundary(["src/**"]), [link("src/l", "a/x")], context) == [("src/l", "symlink")]


@pytest.mark.parametrize(
    ("allow", "expected"), [("src/**", "gitlink"), ("vendor/lib", None), ("vendor/lib/", None), ("vendor/**", None)]
)
def test_f10_a_submodule_move_must_be_listed(allow: str, expected: str | None) -> None:
    bump = PathChange(path="vendor/lib", op="modified", old_mode="160000", new_mode="160000")
    assert rules(boundary([allow]), [bump]) == ([("vendor/lib", expected)] if expected else [])


@pytest.mark.parametrize(
    ("new", "paths"),
    [
        ("src/A.py", ["src/a.py"]),
        ("src/cafe\u0301.py", ["src/caf\u00e9.py"]),
        ("Src/b.py", ["src/a.py"]),
        ("src/STRASSE", ["src/straße"]),
    ],
)
def test_l3_two_names_that_fold_to_one_are_a_violation(new: str, paths: list[str]) -> None:
    context = Context(paths=[*paths, new])
    assert rules(boundary(["**"]), changed(new, op="added"), context) == [(new, "same-name")]


def test_changing_the_case_of_a_name_is_no_collision() -> None:
    moved = [PathChange(path="src/a.py", op="deleted"), PathChange(path="src/A.py", op="added")]
    assert rules(boundary(["src/**"]), moved, Context(paths=["src/A.py"])) == []


def test_l3_case_folding_reaches_denied_paths() -> None:
    b = boundary(["**"], ["secret/**"])
    assert rules(b, changed("SECRET/x")) == []
    assert rules(b, changed("SECRET/x"), Context(fold_case=True)) == [("SECRET/x", "N1")]


class TestNewFiles:
    limits = boundary(["src/retry.py", "/README.md", "tests/**"], budget=Budget(new=2))

    @pytest.mark.parametrize("path", ["src/backoff.py", "CHANGES.md"])
    def test_may_lie_beside_allowed_ones(self, path: str) -> None:
        assert rules(self.limits, changed(path, op="added")) == []

    @pytest.mark.parametrize("path", ["src/deep/x.py", "lib/x.py"])
    def test_elsewhere_are_outside(self, path: str) -> None:
        assert rules(self.limits, changed(path, op="added")) == [(path, "outside")]

    def test_only_new_ones(self) -> None:
        assert rules(self.limits, changed("src/other.py")) == [("src/other.py", "outside")]

    def test_beyond_the_budget_are_named(self) -> None:
        found = judge(self.limits, changed("src/a.py", "src/b.py", "src/c.py", op="added"))
        assert [(v.path, v.rule, v.because) for v in found] == [
            ("src/c.py", "new", "3 new files beside the allowed ones, the budget is 2")
        ]

    def test_need_a_budget(self) -> None:
        assert rules(boundary(["src/retry.py"]), changed("src/x.py", op="added")) == [("src/x.py", "outside")]

    def test_a_denied_or_protected_one_stays_outside(self) -> None:
        b = boundary(["src/retry.py", "/a"], ["src/x.py"], budget=Budget(new=9))
        assert rules(b, changed("src/x.py", "CODEOWNERS", op="added")) == [
            ("CODEOWNERS", "protected"),
            ("src/x.py", "N1"),
        ]

    def test_brackets_in_a_folder_are_a_name(self) -> None:
        b = boundary(["app/\\[id\\]/page.tsx"], budget=Budget(new=1))
        assert rules(b, changed("app/[id]/new.tsx", op="added")) == []

    def test_a_link_beside_may_not_escape(self) -> None:
        assert rules(self.limits, [link("src/l", "../../x")]) == [("src/l", "symlink")]


def test_budgets_of_files_and_lines() -> None:
    b = boundary(["**"], budget=Budget(files=1, lines=10))
    changes = [PathChange(path="a", op="modified", added=8, removed=3), PathChange(path="b", op="modified")]
    assert rules(b, changes) == [(".", "budget-files"), (".", "budget-lines")]
    assert rules(b, changes[1:]) == []


class TestI4Derived:
    context = Context(derived=[Derived(path="package-lock.json", from_="package.json")])

    @pytest.mark.parametrize(
        ("allow", "changes", "expected"),
        [
            (["/package.json"], ["package.json", "package-lock.json"], []),
            (["/package.json"], ["package-lock.json"], [("package-lock.json", "outside")]),
            (
                ["src/**"],
                ["package.json", "package-lock.json"],
                [("package-lock.json", "outside"), ("package.json", "outside")],
            ),
            (["web/package.json"], ["web/package.json", "package-lock.json"], [("package-lock.json", "outside")]),
            (["web/package.json"], ["web/package.json", "web/package-lock.json"], []),
        ],
    )
    def test_only_with_its_source(self, allow: list[str], changes: list[str], expected: list[tuple[str, str]]) -> None:
        assert rules(boundary(allow), changed(*changes), self.context) == expected

    def test_deny_wins(self) -> None:
        b = boundary(["/package.json"], ["package-lock.json"])
        assert rules(b, changed("package.json", "package-lock.json"), self.context) == [("package-lock.json", "N1")]


@pytest.mark.parametrize(
    ("path", "exists", "inside", "rule"),
    [
        ("src/retry.py", True, True, "B1"),
        ("./src/retry.py", True, True, "B1"),
        ("src/auth/x", True, False, "N1"),
        ("lib/x", True, False, "outside"),
        ("src/new.py", False, True, "new"),
        ("src/new.py", True, False, "outside"),
        (".git/config", True, False, "protected"),
        ("poetry.lock", True, True, "derived"),
    ],
)
def test_explains_one_path(path: str, exists: bool, inside: bool, rule: str) -> None:
    b = boundary(["src/retry.py"], ["src/auth/**"], budget=Budget(new=1))
    context = Context(derived=[Derived(path="poetry.lock", from_="pyproject.toml")])
    decision = explain(b, path, context, exists=exists)
    assert (decision.inside, decision.rule) == (inside, rule)
    assert decision.because
    assert "\n" not in decision.because


PATHS = st.lists(
    st.sampled_from(["src/a.py", "src/b.py", "lib/a", "t/x", "secret/k", ".claude/x", "CODEOWNERS"]), unique=True
)
PATTERNS = st.lists(st.sampled_from(["src/**", "lib/", "*.py", "/t", "secret", "**"]), unique=True, max_size=4)


@given(PATTERNS, PATTERNS, PATHS)
def test_judging_and_explaining_agree(allow: list[str], deny: list[str], paths: list[str]) -> None:
    b = boundary(allow, deny)
    outside = {v.path for v in judge(b, changed(*paths))}
    assert outside == {p for p in paths if not explain(b, p).inside}


@given(PATTERNS, PATTERNS, PATTERNS, PATHS)
def test_denying_more_never_allows_more(allow: list[str], deny: list[str], more: list[str], paths: list[str]) -> None:
    before = {v.path for v in judge(boundary(allow, deny), changed(*paths))}
    assert before <= {v.path for v in judge(boundary(allow, deny + more), changed(*paths))}
