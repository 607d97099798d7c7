"""Each situation of semantics section 2: what happens after a pass, and how that pass stands then, with its reasons."""

from __future__ import annotations

import os
from datetime import timedelta

import msgspec
import pytest

from passdown.model.evidence import Fingerprint
from support.desk import Desk

RUN = "sh run.sh"
WHOLE = ""
DECLARED = 'inputs = ["src/**", "tests/**"]\n'
FRESH = ("FRESH", [])


def begin(repo, more=""):
    repo.write("run.sh", "grep -q good src/state.txt\n").write("src/state.txt", "good\n").write("tests/a.txt", "a\n")
    repo.write("docs/a.md", "a\n").write(".gitignore", "ignored/\n").write("ignored/data", "1\n").write(
        "uv.lock", "1\n"
    )
    repo.write("passdown.toml", f'[checks.tests]\nrun = "{RUN}"\n{more}').commit("Begin")
    desk = Desk(repo)
    desk.check()
    assert desk.stand().class_ == "VERIFIED", desk.stand()
    return desk


def rebased(repo):
    repo.branch("work").write("docs/own.md", "x\n").commit("Own")
    repo.switch("main").write("docs/a.md", "b\n").commit("Meanwhile").switch("work")
    repo.git("rebase", "-q", "main")


def squashed(repo):
    repo.branch("work").write("docs/x.md", "x\n").commit("One").write("docs/x.md", "y\n").commit("Two")
    repo.git("reset", "-q", "--soft", "main")
    repo.commit("Both", stage=False)


def many(repo):
    for number in range(8):
        repo.write(f"src/f{number}.txt", "x\n")


def tool_on_path(repo):
    folder = repo.root.parent / "bin"
    folder.mkdir()
    (folder / "sh").write_text('#!/bin/dash\nexec /bin/sh "$@"\n')
    (folder / "sh").chmod(0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


# situation: (tier, what happens, state, reasons)
TABLE = {
    "nothing": (WHOLE, lambda _: None, *FRESH),
    "touched": (WHOLE, lambda repo: repo.path("src/state.txt").touch(), *FRESH),
    "edited and undone": (WHOLE, lambda r: (r.write("docs/a.md", "b\n"), r.write("docs/a.md", "a\n")), *FRESH),
    "the same content committed": (WHOLE, lambda repo: repo.commit("Again"), *FRESH),
    "another branch at the same content": (WHOLE, lambda repo: repo.branch("other"), *FRESH),
    "a linked worktree is added": (WHOLE, lambda repo: repo.worktree("beside"), *FRESH),
    "an ignored file": (WHOLE, lambda repo: repo.write("ignored/data", "2\n"), *FRESH),
    "a tool's cache": (WHOLE, lambda repo: repo.write("src/__pycache__/a.pyc", "x"), *FRESH),
    "an edit": (WHOLE, lambda repo: repo.write("src/state.txt", "good!\n"), "STALE", ["src/state.txt"]),
    "an edit that has nothing to do with it": (
        WHOLE,
        lambda repo: repo.write("docs/a.md", "b\n"),
        "STALE",
        ["docs/a.md"],
    ),
    "a new file": (WHOLE, lambda repo: repo.write("new.txt", "x"), "STALE", ["new.txt"]),
    "a file is gone": (WHOLE, lambda repo: repo.delete("docs/a.md"), "STALE", ["docs/a.md"]),
    "a mode": (WHOLE, lambda repo: repo.executable("docs/a.md"), "STALE", ["docs/a.md"]),
    "renamed": (WHOLE, lambda repo: repo.git("mv", "docs/a.md", "docs/b.md"), "STALE", ["docs/a.md", "docs/b.md"]),
    "committed edit": (WHOLE, lambda repo: repo.write("docs/a.md", "b\n").commit("Edit"), "STALE", ["docs/a.md"]),
    "many": (WHOLE, many, "STALE", [f"src/f{n}.txt" for n in range(5)] + ["and 3 more"]),
    "rebased onto other documents": (WHOLE, rebased, "STALE", ["docs/a.md", "docs/own.md"]),
    "the lockfile": (WHOLE, lambda repo: repo.write("uv.lock", "2\n"), "STALE", ["uv.lock"]),
    "the definition and more": (
        WHOLE,
        lambda r: r.write("run.sh", "true\n").write("docs/a.md", "b\n"),
        "DEFINITION-CHANGED",
        ["run.sh"],
    ),
    "declared: an unrelated edit": (DECLARED, lambda repo: repo.write("docs/a.md", "b\n"), *FRESH),
    "declared: an unrelated new file": (DECLARED, lambda repo: repo.write("docs/b.md", "b\n"), *FRESH),
    "declared: the same content committed": (DECLARED, lambda repo: repo.commit("Again"), *FRESH),
    "declared: a rebase that leaves the inputs equal": (DECLARED, rebased, *FRESH),
    "declared: squashed": (DECLARED, squashed, *FRESH),
    "declared: an input": (DECLARED, lambda repo: repo.write("tests/a.txt", "b\n"), "STALE", ["tests/a.txt"]),
    "declared: a new input": (DECLARED, lambda repo: repo.write("src/b.txt", "b\n"), "STALE", ["src/b.txt"]),
    "declared: an input is gone": (DECLARED, lambda repo: repo.delete("tests/a.txt"), "STALE", ["tests/a.txt"]),
    "declared: the lockfile": (DECLARED, lambda repo: repo.write("uv.lock", "2\n"), "STALE", ["uv.lock"]),
    "declared: a tool's settings": (
        DECLARED,
        lambda repo: repo.write("pyproject.toml", "[project]\n"),
        "STALE",
        ["pyproject.toml"],
    ),
    "declared: the definition": (
        DECLARED,
        lambda repo: repo.write("run.sh", "true\n"),
        "DEFINITION-CHANGED",
        ["run.sh"],
    ),
    "declared: an ignored file that is an input": (
        DECLARED + 'inputs_ignored = ["ignored/**"]\n',
        lambda repo: repo.write("ignored/data", "2\n"),
        "STALE",
        ["a file of inputs_ignored"],
    ),
    "another program": (WHOLE, tool_on_path, "ENVIRONMENT-CHANGED", ["passed on that machine", "program sh differs"]),
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_situation(repo, monkeypatch, row):
    more, act, state, because = row
    monkeypatch.setenv("PATH", os.environ["PATH"])
    desk = begin(repo, more)
    act(repo)
    found = desk.stand()
    assert found.freshness.state == state
    assert [line for line in found.freshness.because if not line.startswith("interpreter")] == because
    assert (found.class_ == "VERIFIED") == (state == "FRESH")
    assert found.tier == ("declared" if more.startswith("inputs") else "whole-tree")


@pytest.mark.parametrize(
    ("later", "state", "because"),
    [
        (timedelta(hours=1), "FRESH", []),
        (timedelta(hours=3), "EXPIRED", ["ran 3.0 h ago, good for 2.0 h"]),
        (-timedelta(hours=3), "EXPIRED", ["its time lies in the future"]),
    ],
    ids=["in time", "too old", "a clock that was set back"],
)
def test_a_check_with_outside_inputs_expires(repo, later, state, because):
    desk = begin(repo, 'ttl = "2h"\n')
    desk.later = later
    assert (desk.stand().freshness.state, desk.stand().freshness.because) == (state, because)


def test_what_was_never_bound_is_unbound(repo):
    desk = begin(repo)
    evidence = desk.records[-1].body
    desk.records.clear()
    assert (desk.stand().freshness.state, desk.stand().freshness.because) == ("UNBOUND", ["it never ran here"])
    desk.record(msgspec.structs.replace(evidence, inputs=Fingerprint(digest="", files=0, tier="whole-tree")))
    assert (desk.stand().freshness.state, desk.stand().class_) == ("UNBOUND", "OBSERVED")


def test_evidence_whose_tree_is_gone_is_stale_without_names(repo):
    desk = begin(repo)
    evidence = desk.records[-1].body
    desk.records.clear()
    desk.record(msgspec.structs.replace(evidence, tree_before="0" * 40, tree_after="0" * 40))
    repo.write("docs/a.md", "b\n")
    assert (desk.stand().freshness.state, desk.stand().freshness.because) == ("STALE", ["its inputs differ"])
