"""The batches as they lie in store.git: refs, commits and their files, read in bulk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from passdown.errors import EXIT_UNDECIDED
from passdown.ledger.alarm import DamagedError
from passdown.ledger.batch import RawBatch
from passdown.ledger.check import read_manifest
from passdown.workspace.git import Git, GitError
from passdown.workspace.store_git import plain_refs, store_git

REFS = ("refs/passdown/log", "refs/passdown-remote")
_TOGETHER = 512
_FACTS_TOGETHER = 50_000
"""Batches and facts read at a time: some ten megabytes."""


class Found(Struct):
    """New commits, parents first, each with its git parent; ``broken``: some chain could not be walked."""

    commits: list[tuple[str, str | None]] = field(default_factory=list)
    broken: str = ""


def tips(store: Path) -> dict[str, str]:
    """Every ref of the log, ours and fetched, and where it stands."""
    if not store.is_dir():
        return {}
    found = plain_refs(store, *REFS)
    if found is None:
        found = _asked(store)
    return {ref: commit for ref, commit in found.items() if ref.startswith(REFS[0] + "/") or "/log/" in ref}


def _asked(store: Path) -> dict[str, str]:
    """The same by git; DamagedError where the store is."""
    try:
        said = store_git(store).run("for-each-ref", "--format=%(objectname) %(refname)", *REFS)
    except GitError as error:
        hint = f"move it away: what {store.parent / 'index.db'} still holds goes into a new one"
        raise DamagedError(f"the record is damaged: {store}: {error.message}", hint, EXIT_UNDECIDED) from error
    return {ref: commit for commit, ref in (line.split(" ", 1) for line in said.decode().splitlines())}


def new_commits(store: Path, wanted: Sequence[str], known: Sequence[str]) -> Found:
    """What ``wanted`` reaches and ``known`` does not. Where a chain cannot be walked: every commit in the store."""
    git = store_git(store)
    asked = "".join(f"{each}\n" for each in [*wanted, *(f"^{each}" for each in known)]).encode()
    try:
        out = git.run("rev-list", "--topo-order", "--reverse", "--parents", "--ignore-missing", "--stdin", data=asked)
    except GitError as error:
        return Found(_every_commit(git), error.message)
    lines = (line.split() for line in out.decode().splitlines())
    return Found([(line[0], line[1] if len(line) > 1 else None) for line in lines])


def _every_commit(git: Git) -> list[tuple[str, str | None]]:
    try:
        out = git.run("cat-file", "--batch-check=%(objecttype) %(objectname)", "--batch-all-objects", "--unordered")
    except GitError:
        return []
    names = [line.split()[1] for line in out.decode().splitlines() if line.startswith("commit ")]
    found: list[tuple[str, str | None]] = []
    for name, data in zip(names, _objects(git, names), strict=True):
        if data is not None:
            parents = [line[7:].decode() for line in data.split(b"\n\n")[0].split(b"\n") if line.startswith(b"parent ")]
            found.append((name, parents[0] if parents else None))
    return found


def read_batches(store: Path, commits: Sequence[tuple[str, str | None]]) -> Iterator[RawBatch]:
    """The files of the batches; a missing file is empty."""
    git = store_git(store)
    for start in range(0, len(commits), _TOGETHER):
        some = commits[start : start + _TOGETHER]
        manifests = [data or b"" for data in _objects(git, [f"{commit}:batch.json" for commit, _ in some])]
        bare = [RawBatch(commit, parent, data) for (commit, parent), data in zip(some, manifests, strict=True)]
        for group in _by_size(bare):
            yield from _with_files(git, group)


def _by_size(batches: Sequence[RawBatch]) -> Iterator[list[tuple[RawBatch, list[str]]]]:
    """The batches with the names of their statements, in groups that fit into memory together."""
    group: list[tuple[RawBatch, list[str]]] = []
    facts = 0
    for batch in batches:
        opened = read_manifest(batch.manifest)
        group.append((batch, [each.id for each in opened[2].statements] if opened else []))
        facts += opened[2].fact_count if opened else 0
        if facts > _FACTS_TOGETHER:
            yield group
            group, facts = [], 0
    if group:
        yield group


def _with_files(git: Git, group: Sequence[tuple[RawBatch, list[str]]]) -> Iterator[RawBatch]:
    paths = [
        [f"{batch.commit}:facts.jsonl", *(f"{batch.commit}:statements/{name}.json" for name in names)]
        for batch, names in group
    ]
    files = iter(_objects(git, [path for some in paths for path in some]))
    for batch, names in group:
        facts = next(files) or b""
        yield replace(batch, facts=facts, statements={name: next(files) or b"" for name in names})


def _objects(git: Git, names: Sequence[str]) -> Iterator[bytes | None]:
    """The content of each object, None where it is missing or damaged."""
    if not names:
        return
    try:
        out = git.run("cat-file", "--batch", data="".join(f"{name}\n" for name in names).encode())
    except GitError:
        yield from _one_by_one(git, names)
        return
    at = 0
    for _ in names:
        end = out.index(b"\n", at)
        header = out[at:end].rsplit(b" ", 2)
        at = end + 1
        if len(header) == 3 and header[2].isdigit():  # noqa: PLR2004 - id, type, size
            size = int(header[2])
            yield out[at : at + size]
            at += size + 1
        else:
            yield None


def _one_by_one(git: Git, names: Sequence[str]) -> Iterator[bytes | None]:
    for name in names:
        try:
            yield git.run("cat-file", "-p", name) if ":" in name else git.run("cat-file", "commit", name)
        except GitError:
            yield None
