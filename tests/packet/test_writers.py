"""I1, 7: who wrote a changed file: tool, patch, shell, subagent, git hook, or somebody else."""

from __future__ import annotations

import pytest

from passdown.agents.facts.hook_writes import hook_writes
from passdown.model.session import Command, End, HookWrite, Input, SessionFacts
from passdown.packet.writers import Known, writers
from passdown.rules.instants import seconds

START, END = "2026-01-02T10:00:00Z", "2026-01-02T11:00:00Z"


def at(minute: int, second: int = 0) -> str:
    return f"2026-01-02T10:{minute:02}:{second:02}Z"


def command(line: str, minute: int = 5, *, ok: bool | None = True) -> Command:
    return Command(
        at=at(minute), command=line, cwd=None, exit=0 if ok else 1, signal=None, ok=ok, masked=False, background=False,
        ended=at(minute, 30),
    )  # fmt: skip


def known(*lines: str, written=(), when: str | None = None, path: str = "src/a.py", **facts) -> Known:
    said = SessionFacts(
        agent="claude", client_version=None, session="s", cwd="/p", branch=None, started=START, ended=END,
        end=End(reason="finished", because=""), requests=[], writes=[],
        commands=[command(line, 5 + number) for number, line in enumerate(lines)],
        checks=[], claims=[], prohibitions=[], todos=[], reads=[], decisions=[], dead_ends=[], compactions=0,
        subagents=facts.pop("subagents", 0), input=Input(records=9, bad_lines=0, unknown={}), **facts,
    )  # fmt: skip
    times = {path: seconds(when)} if when is not None else {}
    return Known(said, {path: tuple(written)} if written else {}, times, lambda name: name.removeprefix("/p/"))


@pytest.mark.parametrize(
    ("line", "path", "by"),
    [
        ("python gen.py > src/a.py", "src/a.py", "shell"),
        ("sed -i 's/a/b/' src/a.py", "src/a.py", "shell"),
        ("echo x | tee src/a.py", "src/a.py", "shell"),
        ("cp src/b.py src/a.py", "src/a.py", "shell"),
        ("black .", "src/a.py", "shell"),
        ("npm run format", "src/a.py", "shell"),
        ("npx prettier --write .", "src/a.py", "shell"),
        ("cargo fmt", "src/a.rs", "shell"),
        ("make generate", "src/a.py", "shell"),
        ("git merge main", "src/a.py", "shell"),
        ("git checkout v1 -- src", "src/a.py", "shell"),
        ("npm install left-pad", "package-lock.json", "shell"),
        ("uv add httpx", "uv.lock", "shell"),
        ("npx vitest run -u", "src/__snapshots__/a.test.ts.snap", "shell"),
        # what only reads, runs, checks or records a file wrote nothing of it
        ("cat src/a.py", "src/a.py", "foreign"),
        ("grep -n x src/a.py", "src/a.py", "foreign"),
        ("sed -n 1,5p src/a.py", "src/a.py", "foreign"),
        ("pytest tests/test_a.py", "tests/test_a.py", "foreign"),
        ("python src/a.py", "src/a.py", "foreign"),
        ("git add src/a.py && git commit -m x src/a.py", "src/a.py", "foreign"),
        ("git diff src/a.py", "src/a.py", "foreign"),
        ("git checkout -b fix", "src/a.py", "foreign"),
        ("git switch -c fix", "src/a.py", "foreign"),
        ("sed -i 's/a/b/' src/data.py", "a.py", "foreign"),
        ("ruff check .", "src/a.py", "foreign"),
        ("ls src", "src/a.py", "foreign"),
    ],
)
def test_a_command_explains_what_it_may_have_written(line: str, path: str, by: str) -> None:
    assert writers(path, known(line)) == [by]


def test_what_was_there_before_the_session_is_somebody_elses() -> None:
    assert writers("src/a.py", known("black .", when="2026-01-02T09:00:00Z")) == ["foreign"]


def test_the_time_of_the_file_says_which_command_wrote_it() -> None:
    assert writers("src/a.py", known("./deploy.sh", when=at(5, 10))) == ["shell"]
    assert writers("src/a.py", known("./deploy.sh", when=at(50))) == ["foreign"]
    assert writers("src/a.py", known("black .", when=at(50))) == ["foreign"]
    assert writers("src/a.py", known("cat b.py", when=at(5, 10))) == ["foreign"]


@pytest.mark.parametrize("line", ["git commit -am x", "git add -A && git commit -m x", "git push"])
def test_i1_what_changed_while_git_alone_ran_is_its_hooks(line: str) -> None:
    assert writers("src/a.py", known(line, when=at(5, 10))) == ["hook"]
    assert writers("src/a.py", known(line, when=at(5, 10), written=["tool"])) == ["tool", "hook"]
    assert writers("src/a.py", known(f"black . && {line}", when=at(5, 10))) == ["shell"]


def test_i1_a_hook_that_names_what_it_fixed() -> None:
    fixed = [HookWrite(path="src/a.py", hook="black", command="git commit")]
    assert writers("src/a.py", known("git commit -am x", hook_writes=fixed)) == ["hook"]
    assert writers("src/a.py", known("git commit -am x", hook_writes=fixed, written=["tool"])) == ["tool", "hook"]
    assert writers("src/b.py", known("git commit -am x", hook_writes=fixed)) == ["foreign"]


def test_a_file_that_changed_from_outside_after_the_tool_wrote_it() -> None:
    assert writers("src/a.py", known(written=["tool"], person_edits=["/p/src/a.py"])) == ["tool", "foreign"]
    assert writers("src/a.py", known("black .", written=["tool"], person_edits=["/p/src/a.py"])) == ["tool"]


def test_what_subagents_did_out_of_sight_is_theirs() -> None:
    assert writers("src/a.py", known("cat b.py", subagents=2)) == ["subagent"]
    assert writers("src/a.py", known("cat b.py", subagents=2, when="2026-01-02T09:00:00Z")) == ["foreign"]


PRE_COMMIT = """trim trailing whitespace.................................................Failed
- hook id: trailing-whitespace
- exit code: 1
- files were modified by this hook

Fixing docs/guide.md

black....................................................................Failed
- hook id: black
- files were modified by this hook

reformatted src/a.py
reformatted src/sub dir/b.py

All done!
2 files reformatted.

isort....................................................................Failed
- hook id: isort
- files were modified by this hook

Fixing /home/dev/app/src/c.py

mypy.....................................................................Passed
"""
LINT_STAGED = """> lint-staged
prettier --write
src/a.ts 45ms
src/b.tsx 12ms (unchanged)
[main 1a2b3c4] x
 1 file changed, 2 insertions(+)
"""


def test_what_hooks_print_of_the_files_that_they_fixed() -> None:
    found = hook_writes(PRE_COMMIT, "git commit -am x", None, 3)
    assert [(one.path, one.hook) for one in found] == [
        ("docs/guide.md", "trailing-whitespace"),
        ("src/a.py", "black"),
        ("src/sub dir/b.py", "black"),
        ("/home/dev/app/src/c.py", "isort"),
    ]
    assert [one.path for one in hook_writes(LINT_STAGED, "git commit -am x", None, 3)] == ["src/a.ts"]
    assert hook_writes("[main 1a2b3c4] Fixing the parser\n 1 file changed\n", "git commit", None, 3) == []
