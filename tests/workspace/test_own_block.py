"""What Passdown itself keeps in a file for people is nobody's change, and nothing else hides behind it."""

from __future__ import annotations

import pytest

from passdown.workspace.own_block import remember
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import keep, kept, take
from support.repo import Repo

BLOCK = b"<!-- passdown:begin -->\nours\n<!-- passdown:end -->\n"


@pytest.fixture
def work(repo: Repo) -> Repo:
    return repo.write("a.py", "a = 1\n").write("HANDOFF.md", "# Notes\n").commit("Begin")


def put(repo: Repo, path: str, text: bytes, block: bytes = BLOCK) -> None:
    (repo.root / path).write_bytes(text)
    remember(find_place(repo.root), path, block)


@pytest.mark.parametrize("path", ["HANDOFF.md", "NEW.md", "docs/\u00e9.md"])
def test_the_block_is_no_change(work: Repo, path: str) -> None:
    (work.root / "docs").mkdir()
    before = take(find_place(work.root))
    old = (work.root / path).read_bytes() if path == "HANDOFF.md" else b""
    put(work, path, old + BLOCK)
    for _ in range(2):
        after = take(find_place(work.root))
        assert (after.tree, after.commit_tree) == (before.tree, before.commit_tree)
    keep(find_place(work.root), after.tree)
    assert kept(find_place(work.root), after.tree)


@pytest.mark.parametrize(
    "text",
    [BLOCK.replace(b"ours", b"theirs"), b"# Notes\n" + BLOCK + b"more\n", b"# Other\n" + BLOCK, b"", BLOCK * 2],
)
def test_whatever_else_changes_in_the_file_is_a_change(work: Repo, text: bytes) -> None:
    before = take(find_place(work.root))
    put(work, "HANDOFF.md", text)
    after = take(find_place(work.root))
    assert after.tree != before.tree
    assert after.commit_tree != before.commit_tree


def test_a_block_that_was_committed_is_part_of_the_commit(work: Repo) -> None:
    put(work, "HANDOFF.md", b"# Notes\n" + BLOCK)
    work.commit("Keep the note")
    place = find_place(work.root)
    assert take(place).commit_tree == work.git("rev-parse", "HEAD^{tree}")


def test_the_next_block_takes_the_place_of_the_last(work: Repo) -> None:
    before = take(find_place(work.root)).tree
    put(work, "HANDOFF.md", b"# Notes\n" + BLOCK)
    newer = BLOCK.replace(b"ours", b"newer")
    (work.root / "HANDOFF.md").write_bytes(b"# Notes\n" + newer)
    assert take(find_place(work.root)).tree != before
    remember(find_place(work.root), "HANDOFF.md", newer)
    assert take(find_place(work.root)).tree == before


def test_other_files_are_seen_as_ever(work: Repo) -> None:
    put(work, "HANDOFF.md", b"# Notes\n" + BLOCK)
    take(find_place(work.root))
    work.write("a.py", "a = 2\n")
    edited = take(find_place(work.root)).tree
    (work.root / "HANDOFF.md").write_bytes(b"# Notes\n")
    assert take(find_place(work.root)).tree == edited


@pytest.mark.parametrize(
    ("path", "block"),
    [
        ("a.py", BLOCK),
        ("AGENTS.md", BLOCK),
        ("sub/CLAUDE.md", BLOCK),
        ("Makefile", BLOCK),
        (".bashrc", BLOCK),
        ("HANDOFF.md", b"# Notes\n" + BLOCK),
        ("HANDOFF.md", BLOCK + b"more\n"),
        ("HANDOFF.md", b"no markers\n"),
        ("HANDOFF.md", b"<!-- passdown:begin -->\n"),
    ],
)
def test_whatever_the_record_says_only_a_whole_block_of_a_note_is_left_out(work: Repo, path: str, block: bytes) -> None:
    work.write(path, "mine\n")
    before = take(find_place(work.root)).tree
    put(work, path, b"mine\n" + block, block)
    assert take(find_place(work.root)).tree != before
