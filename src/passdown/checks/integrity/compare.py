"""Two versions of the changed files: read as what they are, compared, each finding bound to a digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from passdown.checks.integrity.config import settings
from passdown.checks.integrity.languages import dialect_of
from passdown.checks.integrity.reading import read
from passdown.checks.tree import LARGEST, TreeView
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.model.integrity import IntegrityChange
from passdown.model.paths import to_wire
from passdown.rules.integrity import files, lines
from passdown.rules.integrity.files import Code, Pair
from passdown.rules.integrity.kinds import WORST
from passdown.rules.integrity.paths import collected, concerns, expected_values, is_code, is_settings, is_test_file
from passdown.rules.integrity.settings import by_lines, loosened, loosened_lines
from passdown.rules.integrity.shapes import FileShape, Finding
from passdown.rules.patterns import lazy
from passdown.rules.redact import Redactor
from passdown.rules.task import AcceptedBy
from passdown.workspace.diff import read_blobs

_NAME = lazy(r"[A-Za-z_]\w{4,}")
_RUST_TEST = (b"#[test", b"#[cfg(test", b"::test", b"#[rstest", b"#[cfg(any")
SHOWN = 160
DIGEST = 32


class Changed(Struct, frozen=True):
    """One path with both of its blobs ("": absent on that side)."""

    path: str
    old: str
    new: str


def compared(view: TreeView, changes: Sequence[Changed]) -> list[Finding]:
    """Every finding over the changed paths, worst first; one process reads all of their blobs."""
    told = [c for c in changes if concerns(c.path)]
    wanted = [b for c in told for b in (c.old, c.new) if b]
    blobs = read_blobs(view.place, wanted, LARGEST)
    lacking = next((blob for blob in wanted if blob not in blobs), None)
    if lacking is not None:
        raise PassdownError(f"content is not in this clone: {lacking[:12]}", code=EXIT_UNDECIDED)
    found = [*_tests(told, blobs), *_values(told)]
    for c in told:
        old, new = blobs.get(c.old, b""), blobs.get(c.new, b"")
        if is_settings(c.path):
            found += _settings(c, old, new)
        if is_code(c.path) and c.new:
            found += lines.silenced(c.path, _text(old), _text(new))
    return sorted(found, key=lambda f: (WORST.index(f.kind), f.path, f.line or 0))


def _tests(changes: Sequence[Changed], blobs: Mapping[str, bytes]) -> list[Finding]:
    by_syntax: list[Pair] = []
    found: list[Finding] = []
    removed = any(c.old and is_test_file(c.path) for c in changes)
    for c in changes:
        if not is_test_file(c.path) and not (removed and is_code(c.path) and not c.old and dialect_of(c.path)):
            continue
        old, new = blobs.get(c.old), blobs.get(c.new)
        dialect = dialect_of(c.path)
        if dialect is None or any(data is not None and len(data) >= LARGEST for data in (old, new)):
            found += _by_lines(c, old, new)
            continue
        if c.path.endswith(".rs") and not any(word in (old or b"") + (new or b"") for word in _RUST_TEST):
            continue
        pair = Pair(c.path, _shape(c.path, old), _shape(c.path, new))
        by_syntax.append(_as_collected(pair))
    return [*found, *files.compare(by_syntax, _code(changes, blobs))]


def _shape(path: str, data: bytes | None) -> FileShape | None:
    dialect = dialect_of(path)
    return read(dialect, path, data) if dialect is not None and data is not None else None


def _as_collected(pair: Pair) -> Pair:
    """Tests in a file where no runner looks are helpers."""
    if pair.new is None or pair.old is not None or collected(pair.path):
        return pair
    return Pair(pair.path, None, FileShape(pair.path, {}, {**pair.new.helpers, **pair.new.tests}))


def _by_lines(c: Changed, old: bytes | None, new: bytes | None) -> Iterator[Finding]:
    if old is not None and new is None:
        yield Finding(c.path, "deleted", "file", "", "the whole file", "", blocks=True)
    elif old is None:
        yield Finding(c.path, "new", "written", "", "", "a test file", count=None, content=c.new)
    else:
        yield from lines.by_lines(c.path, _text(old), _text(new))


def _values(changes: Sequence[Changed]) -> Iterator[Finding]:
    """Snapshots and golden files that were written anew or deleted; a new one expects nothing that stood before."""
    moved = {c.new for c in changes if not c.old}
    for c in changes:
        if not expected_values(c.path) or not c.old or c.old in moved or is_test_file(c.path):
            continue
        now = "written anew" if c.new else "deleted"
        yield Finding(c.path, "regenerated", "rewritten" if c.new else "deleted", "", "", now, content=c.new)


def _settings(c: Changed, old: bytes, new: bytes) -> Iterator[Finding]:
    before, after = settings(c.path, old) if c.old else {}, settings(c.path, new) if c.new else {}
    if before is None or after is None:
        before = after = {}
    read = [f for f in loosened(c.path, before, after) if c.old or f.rule not in ("ignores", "rule")]
    yield from read
    if by_lines(c.path):
        told = {f.test.rpartition(".")[2].lower() for f in read}
        for found in loosened_lines(c.path, _text(old), _text(new)):
            if not any(name in found.now.lower() for name in told):
                yield found


def _code(changes: Sequence[Changed], blobs: Mapping[str, bytes]) -> Code:
    """Words that the changed code had and has no more, and its deleted files."""
    code = [c for c in changes if is_code(c.path) and not is_test_file(c.path)]
    before = {name for c in code for name in _NAME.findall(_text(blobs.get(c.old)))}
    after = {name for c in code for name in _NAME.findall(_text(blobs.get(c.new)))} if before else set()
    gone = frozenset(before - after)
    return Code(gone, frozenset(c.path for c in code if not c.new))


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def entry(finding: Finding, redactor: Redactor, accepted: Mapping[str, AcceptedBy]) -> IntegrityChange:
    """The finding without secrets, and the digest that an acceptance binds to."""
    path, path_b64 = to_wire(finding.path)
    test, was, now = (
        redactor.text(" ".join(text.split())[:SHOWN]) for text in (finding.test, finding.was, finding.now)
    )
    content = hashlib.sha256(finding.content.encode("utf-8", "surrogateescape")).hexdigest() if finding.content else ""
    parts: list[str] = [path, finding.kind, finding.rule, test, was, now, content]
    bound = "\0".join(parts)
    digest = hashlib.sha256(bound.encode("utf-8", "replace")).hexdigest()[:DIGEST]
    return IntegrityChange(
        path=path,
        path_b64=path_b64,
        kind=finding.kind,
        rule=finding.rule,
        test=test,
        was=was,
        now=now,
        line=finding.line,
        blocks=finding.blocks,
        count=finding.count,
        digest=digest,
        accepted=accepted[digest].by if digest in accepted else None,
    )
