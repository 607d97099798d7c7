"""One engine: whatever the boundary and the change, every layer gives the same answer for the same path."""

from __future__ import annotations

import random
import shlex
import time

import pytest

from passdown.guard import compiled
from passdown.guard.after import look
from passdown.guard.commit_judge import judge_index, judge_own_commits
from passdown.guard.compiled import Arming
from passdown.guard.hook import answer
from passdown.guard.hook.rules import Rules
from passdown.guard.judge_work import judge_work
from passdown.guard.lineage import Start, Upstream
from passdown.guard.shell_judge import judge_line
from passdown.guard.work import between, since
from passdown.model.policy import Derived
from passdown.rules.changes import PathChange
from passdown.rules.judge import Context, judge
from passdown.rules.leftovers import leftover
from passdown.workspace import reflog
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take
from support.guarded import boundary

DERIVED = (Derived(path="gen/*.lock", from_="src/a.py"),)
THERE = (
    *("src/a.py", "src/deep/b.py", "src/gen/g.py", "tests/test_a.py", "docs/d.md", "README.md", "Makefile"),
    *("gen/x.lock", "CODEOWNERS", ".github/workflows/ci.yml", "src/tracked/__pycache__/kept.pyc", "caf\u00e9.md"),
)
PATTERNS = ("src/**", "src/a.py", "*.md", "/docs/", "tests", "src/gen/**", "**/b.py", "new/", "caf\u00e9.md", "*.pyc")
NEW = (
    *("src/new.py", "src/other.py", "src/third.py", "docs/new.md", "new/x.txt", "x/__pycache__/a.pyc"),
    *(
        "src/__pycache__/a.cpython-311.pyc",
        ".pytest_cache/v/x",
        "odd \n name",
        "cafe\u0301.md",
        "src/A.py",
        ".claude/s",
    ),
)
TARGETS = ("a.py", "../README.md", "/nowhere/at/all", "gen", "../../out", "nowhere")


def bound(chance):
    return boundary(
        allow=chance.sample(PATTERNS, chance.randint(1, 3)),
        deny=chance.sample(PATTERNS, chance.randint(0, 2)),
        opened=chance.sample(["CODEOWNERS", ".github/workflows/"], chance.randint(0, 1)),
        new=chance.choice([None, 1, 2]),
    )


def change(chance, repo):
    """A few random changes of a worktree."""
    for path in chance.sample(THERE, 3):
        kind = chance.choice(["edit", "delete", "mode", "link"])
        if not repo.path(path).exists() or repo.path(path).is_symlink():
            repo.path(path).unlink(missing_ok=True)
            kind = "edit"
        if kind == "edit":
            repo.write(path, f"{chance.random()}\n")
        elif kind == "mode":
            repo.executable(path)
        else:
            repo.delete(path)
            if kind == "link":
                repo.link(path, chance.choice(TARGETS))
    for path in chance.sample(NEW, chance.randint(1, 4)):
        repo.write(path, "new\n")


class Worktree:
    """A repository, a random boundary that is armed in it, and what each layer says of its state."""

    def __init__(self, repo, chance):
        self.repo = repo
        for path in THERE:
            repo.write(path, f"{path}\n")
        repo.commit("start")
        self.limits = bound(chance)
        place = self.place()
        self.start = Start(take(place).tree, place.head, reflog.moves(place))
        arming = Arming(
            boundary=self.limits,
            task="t",
            mode="enforce",
            until=time.time() + 3600,
            derived=DERIVED,
            head=place.head,
            moves=self.start.moves,
        )
        self.rules = Rules(compiled.compiled(arming), str(repo.root), str(place.common_dir))

    def place(self):
        return find_place(self.repo.root)

    def verify(self):
        here = self.place()
        return paths(judge_work(here, self.limits, since(here, self.start, take(here)), DERIVED).violations)

    def range(self):
        here = self.place()
        return paths(judge_work(here, self.limits, between(here, self.start.head, here.head), DERIVED).violations)

    def after(self):
        seen = look(self.place(), self.rules, "main", self.start.tree, Upstream)
        self.rules.stored["made"] += seen.made
        return paths(seen.outside)

    def pre_commit(self):
        return paths(judge_index(self.place(), self.rules, None))

    def pre_push(self):
        return paths(found for _, found in judge_own_commits(self.place(), self.rules))


def paths(found):
    return {each.path for each in found}


@pytest.mark.parametrize("seed", range(12))
def test_every_layer_says_the_same(repo, seed):
    chance = random.Random(seed)
    here = Worktree(repo, chance)
    change(chance, repo)
    assert here.after() == here.verify()
    repo.git("add", "-A", "-f")
    staged = here.verify()
    assert here.pre_commit() == staged
    repo.git("commit", "-qm", "work")
    assert (here.verify(), here.range(), here.pre_push()) == (staged, staged, staged)


@pytest.mark.parametrize("seed", range(100, 108))
def test_looks_one_after_the_other_say_what_one_at_the_end_says(repo, seed):
    chance = random.Random(seed)
    here = Worktree(repo, chance)
    told = set()
    for _ in range(3):
        change(chance, repo)
        told |= here.after()
    assert here.verify() <= told
    repo.git("stash", "-q", "-u")
    assert (here.after(), here.verify()) == (set(), set())


@pytest.mark.parametrize("seed", range(200, 230))
def test_an_edit_is_refused_where_the_engine_finds_it_outside(repo, seed):
    """Caches aside: who writes one with a tool for files has written it by hand."""
    chance = random.Random(seed)
    here = Worktree(repo, chance)
    for path in [each for each in (*THERE, *NEW) if not leftover(each) and each != "src/A.py"]:
        op = "modified" if path in THERE else "added"
        found = judge(here.limits, [PathChange(path, op)], Context(derived=DERIVED))
        spared = path.endswith(".lock")  # early one can not know yet whether its source changes too
        refused = answer.judge(here.rules, str(repo.root), path)[0] == answer.DENIED
        assert refused is bool(found) or (spared and not refused), path
        verb = "touch" if op == "added" else "rm"
        line = judge_line(here.rules, str(repo.root), shlex.join([verb, path]), here.place())
        assert bool(line) is refused, path
