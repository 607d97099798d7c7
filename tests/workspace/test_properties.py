"""A snapshot depends on the worktree's bytes and the set of tracked paths alone; restoring is exact."""

# ruff: noqa: PTH101, PTH103, PTH108, PTH112, PTH114, PTH115, PTH118, PTH120, PTH211 - paths are bytes here, which pathlib does not take

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.workspace.diff import list_tree, read_path, tree_diff
from passdown.workspace.place import find_place
from passdown.workspace.rescue import rescue, restore
from passdown.workspace.snapshot import take
from support.repo import Repo

EXAMPLES = int(os.environ.get("PASSDOWN_EXAMPLES", "20"))
QUICK = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))

NAMES = st.sampled_from(
    [
        b"a",
        b"b",
        b"dir",
        "caf\u00e9".encode(),
        "cafe\u0301".encode(),
        b"\xff\xfe",
        b"new\nline",
        b"tab\there",
        b"-rf",
        b"trailing ",
        b' "quoted"',
        b"back\\slash",
        "设计".encode(),
        b":(glob)x",
        b":colon",
        b"star*",
        b"[a]",
        b"#hash",
        b"!bang",
        b".GIT",
        b".git",
        b"\x01.git",
        b"\x01",
        b".gitmodules",
        b"git~1",
        b"CON",
        b"a.pyc",
        b"build",
        b".gitignore",
        b".gitattributes",
        b"__pycache__",
    ]
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(b"/".join)
CONTENT = st.sampled_from(
    [b"", b"x\n", b"y\n", b"a\r\nb\n", b"*.pyc\nbuild/\n", b"*\n", b"\0binary", b"* text=auto\n", b"$Id: x$\n"]
)
FILES = st.tuples(st.just("file"), PATHS, CONTENT, st.booleans())
LINKS = st.tuples(st.just("link"), PATHS, st.sampled_from([b"a", b"../outside", b"/etc/passwd", b"dir", b"\xff"]))
OTHERS = st.one_of(
    st.tuples(st.just("delete"), PATHS),
    st.tuples(st.just("repository"), PATHS),
    st.tuples(st.just("commit")),
    st.tuples(st.just("stage")),
    st.tuples(st.just("untrack"), PATHS),
    st.tuples(st.just("take")),
)
STEPS = st.lists(st.one_of(FILES, FILES, LINKS, OTHERS), min_size=1, max_size=12)


def apply(repo: Repo, step: tuple[object, ...]) -> None:
    kind, *rest = step
    if kind == "take":
        take(find_place(repo.root))
    elif kind == "commit":
        repo.run("git", "-c", "advice.addEmbeddedRepo=false", "add", "-A")
        repo.run("git", "commit", "-qm", "step", "--no-verify")
    elif kind == "stage":
        repo.run("git", "-c", "advice.addEmbeddedRepo=false", "add", "-A")
    elif rest and isinstance(rest[0], bytes) and not rest[0].startswith(b".git/") and rest[0] != b".git":
        change(repo, str(kind), rest[0], rest[1:])


def change(repo: Repo, kind: str, path: bytes, rest: list[object]) -> None:
    target = os.path.join(os.fsencode(repo.root), path)
    if kind == "untrack":
        repo.run("git", "rm", "-rqf", "--cached", "--", os.fsdecode(path))
        return
    try:
        if kind == "delete":
            shutil.rmtree(target) if os.path.isdir(target) and not os.path.islink(target) else os.unlink(target)
            return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.realpath(os.path.dirname(target)) != os.path.dirname(target):
            return
        if kind == "repository":
            repo.run("git", "init", "-q", os.fsdecode(target))
            return
        if os.path.lexists(target) and not os.path.isdir(target):
            os.unlink(target)
        if kind == "link":
            os.symlink(rest[0], target)  # type: ignore[arg-type]
        else:
            Path(os.fsdecode(target)).write_bytes(rest[0])  # type: ignore[arg-type]
            os.chmod(target, 0o755 if rest[1] else 0o644)
    except OSError:
        return


def begin(folder: str) -> Repo:
    return Repo.create(Path(folder).resolve() / "repo").write("a", "a\n").write("dir/b", "b\n").commit()


@QUICK
@given(STEPS)
def test_no_history_of_edits_shows_in_a_snapshot(steps: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = begin(folder)
        take(find_place(repo.root))
        for step in steps:
            apply(repo, step)
        place = find_place(repo.root)
        remembered = take(place)
        shutil.rmtree(place.home / "worktrees")
        assert take(place) == remembered


def content(root: Path, place: object, tree: str) -> dict[str, tuple[str, bytes]]:
    found = {}
    for path in list_tree(place, tree):  # type: ignore[arg-type]
        at = root / path
        seen = at.lstat()
        data = os.fsencode(os.readlink(at)) if at.is_symlink() else at.read_bytes()
        found[path] = ("120000" if at.is_symlink() else "100755" if seen.st_mode & 0o100 else "100644", data)
    return found


@QUICK
@given(STEPS, STEPS)
def test_restoring_is_exact(first: list[tuple[object, ...]], second: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = begin(folder)
        for step in first:
            if step[0] != "repository":
                apply(repo, step)
        place = find_place(repo.root)
        goal = rescue(place)
        held = content(repo.root, place, goal.tree)
        for path, (mode, data) in held.items():
            assert list_tree(place, goal.tree)[path][0] == mode
            assert read_path(place, goal.tree, path) == data
        for step in second:
            if step[0] not in {"repository", "commit", "stage", "untrack"} and b".gitignore" not in step[1:2][0:1]:
                apply(repo, step)
        refs, index = repo.git("for-each-ref"), (repo.root / ".git/index").read_bytes()
        residue = restore(place, goal.tree)
        now = take(place)
        assert residue == [change.path for change in tree_diff(place, now.tree, goal.tree)]
        if residue == []:
            assert now.tree == goal.tree
            assert content(repo.root, place, goal.tree) == held
        assert (repo.git("for-each-ref"), (repo.root / ".git/index").read_bytes()) == (refs, index)
        assert not list(repo.root.rglob(".passdown-*"))
