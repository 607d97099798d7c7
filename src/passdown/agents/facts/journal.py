"""What the stream showed so far, in order: the working notes that every fact is drawn from.

``seq`` counts events; comparing two of them says what came after what. Outputs and the texts of
writes are kept as short pieces, and only the latest of them, so a long session does not fill the memory.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath, PureWindowsPath
from typing import TypeVar

from msgspec import Struct, field, structs

from passdown.agents.facts.reading import Line
from passdown.agents.stream import FileWrite
from passdown.model.session import CheckKind, HookWrite, SeenCheck, SeenResult

KEPT = 6000
HELD = 8_000_000  # characters of outputs, and of written texts, that are kept before the oldest are cut short
SHORT = 160
TELLING = 600  # of a check's or a git command's output
END = 1 << 60
_PROSE = {".md", ".markdown", ".rst", ".adoc"}
_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".log"}
_NOTES = {"license", "notice", "changelog", "changes", "readme", "notes", "todo", "authors", "contributing"}
_OF_AGENTS = {
    ".claude",
    ".codex",
    ".cursor",
    ".entire",
    ".planning",
    ".specify",
    ".beads",
    ".taskmaster",
    "_bmad-output",
}
_LISTS = {".json", ".jsonl", ".yaml", ".yml", ".toml", ".txt"}
_OF_TESTS = {"test", "tests", "fixtures", "testdata", "snapshots", "__snapshots__", "spec", "golden"}
_SCRATCH = ("/tmp/", "/private/tmp/", "/var/folders/", "/dev/", "/private/var/")  # noqa: S108 - names to recognise, not to use


class Ran(Struct):
    """One shell call of the main conversation and what is known of it."""

    seq: int
    record: int
    at: str | None
    command: str
    cwd: str | None
    background: bool
    exit: int | None = None
    signal: int | None = None
    ok: bool | None = None
    executed: bool = True
    running: bool = False
    no_match: bool = False
    interrupted: bool = False
    ended: int | None = None
    ended_record: int | None = None
    ended_at: str | None = None
    output: str = ""
    masked: bool = False
    verbs: frozenset[str] = frozenset()
    line: Line | None = None
    check: Check | None = None

    @property
    def text(self) -> str:
        """The command on one line, short."""
        line = " ".join(self.command.split())
        return line if len(line) <= 120 else line[:117] + "..."  # noqa: PLR2004 - one screen line

    def add(self, output: str) -> str:
        """The whole output as far as it was kept plus ``output``; keeps its beginning and end."""
        whole = self.output + output
        self.output = whole if len(whole) <= 2 * KEPT else whole[:KEPT] + "\n...\n" + whole[-KEPT:]
        return whole

    def shorten(self) -> None:
        """Keep the end alone, of what went well nothing; no result of it is awaited any more."""
        kept = TELLING if self.verbs or self.check else 0 if self.ok else SHORT
        self.output, self.line = self.output[-kept:] if kept else "", None


class Check(Struct):
    """A check that a command ran: the public value and what claims are judged by.

    ``failed``: which of its kinds failed, None where that is not known; ``unsure``: those of which the output of a
    failed command tells neither.
    """

    seen: SeenCheck
    kinds: frozenset[CheckKind]
    whole: bool
    seq: int
    hook: bool = False
    failed: frozenset[CheckKind] | None = None
    unsure: frozenset[CheckKind] = frozenset()

    def result(self, kind: CheckKind) -> SeenResult | None:
        """What came out for one kind: of several checks in one command, only ``failed`` ones failed."""
        if self.seen.result == "FAILED" and kind in self.unsure:
            return None
        if self.seen.result == "FAILED" and self.failed is not None and kind not in self.failed:
            return "PASSED"
        return self.seen.result


class Written(Struct):
    """A file write with its place in the order."""

    seq: int
    event: FileWrite

    @property
    def ok(self) -> bool:
        """It was not refused (no recorded result counts as written)."""
        return self.event.ok is not False and self.event.executed

    @property
    def weight(self) -> int:
        """Characters of text that it holds."""
        return len(self.event.added) + len(self.event.around) + len(self.event.removed)

    def shorten(self) -> None:
        """Keep only that it was written."""
        self.event = structs.replace(self.event, added="", around="", removed="")


class Said(Struct, frozen=True):
    """Prose of the agent."""

    seq: int
    record: int
    at: str | None
    text: str
    final: bool | None


class Journal(Struct):
    """Everything that the single pass keeps."""

    cwd: str | None = None
    ran: list[Ran] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    person_edits: list[tuple[int, str]] = field(default_factory=list)
    hook_writes: list[HookWrite] = field(default_factory=list)
    helpers: list[int] = field(default_factory=list)
    compactions: int = 0
    _outputs: deque[tuple[Ran, int]] = field(default_factory=deque)
    _texts: deque[tuple[Written, int]] = field(default_factory=deque)
    _weights: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def checks(self) -> list[Check]:
        """The checks in the order in which they ended."""
        return [r.check for r in self.ran if r.check is not None]

    @property
    def subagents(self) -> int:
        """How many were started."""
        return len(self.helpers)

    def wrote(self, write: Written) -> None:
        """Take in a write."""
        self.written.append(write)
        self._hold(self._texts, write, write.weight, 1)

    def put_out(self, ran: Ran, length: int) -> None:
        """Note that a command's output grew by ``length``."""
        self._hold(self._outputs, ran, min(length, 2 * KEPT), 0)

    def _hold(self, queue: deque, one: Ran | Written, weight: int, which: int) -> None:  # type: ignore[type-arg] # either of the two queues
        if not weight:
            return
        queue.append((one, weight))
        self._weights[which] += weight
        while self._weights[which] > HELD:
            oldest, freed = queue.popleft()
            oldest.shorten()
            self._weights[which] -= freed

    def say(self, said: Said) -> None:
        """Take in the agent's words."""
        self.said.append(said)

    def act(self) -> None:
        """A deed: of what was said before it in this turn, only the last words and those that close it still matter."""
        begun = self.asked[-1] if self.asked else -1
        while len(self.said) > 1 and self.said[-2].seq > begun and self.said[-2].final is not True:
            del self.said[-2]

    def edit_after(self, seq: int, *, code: bool = False, before: int = END) -> Written | None:
        """The first write to the project between ``seq`` and ``before``; ``code``: documents aside."""
        for write in self.writes_after(seq):
            if write.seq >= before:
                return None
            path = write.event.path
            inside = self.inside(path)
            if write.ok and in_project(path, self.cwd) and not (code and (is_document(inside) or is_plan(inside))):
                return write
        return None

    def inside(self, path: str) -> str:
        """A path as seen from the folder of work."""
        return path.removeprefix(self.cwd.rstrip("/") + "/") if self.cwd else path

    def writes_after(self, seq: int) -> Iterator[Written]:
        """The writes after ``seq``, in order."""
        return islice(self.written, bisect_right(self.written, seq, key=lambda write: write.seq), None)

    def ran_after(self, seq: int) -> Iterator[Ran]:
        """The commands that were started after ``seq``, in order."""
        return islice(self.ran, bisect_right(self.ran, seq, key=lambda ran: ran.seq), None)


T = TypeVar("T", Ran, Written, Said)


def between(items: list[T], start: float, end: float) -> list[T]:
    """The items after ``start`` and before ``end``; they stand in order."""
    first = bisect_right(items, start, key=lambda item: item.seq)
    return items[first : bisect_left(items, end, lo=first, key=lambda item: item.seq)]


def is_document(path: str) -> bool:
    """Prose, pictures and the like, outside the tests' own data: no test result depends on it."""
    name = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    ending, stem = name.suffix.lower(), name.stem.lower()
    if any(part.lower() in _OF_TESTS for part in name.parts[:-1]):
        return False
    if ending in _PROSE or ending in _PICTURES or name.name == ".gitignore":
        return True
    return ending in {"", ".txt"} and (stem in _NOTES or (ending == ".txt" and "docs" in name.parts))


def is_plan(path: str) -> bool:
    """What agents keep beside the code about their own work: lists, states, settings."""
    name = PurePosixPath(path.replace("\\", "/"))
    return name.suffix.lower() in _LISTS and not _OF_AGENTS.isdisjoint(name.parts[:-1])


def in_project(path: str, cwd: str | None) -> bool:
    """Not a scratch file, nor the client's own (plans, memories) outside the folder of work."""
    if path.startswith(_SCRATCH) or "\\AppData\\Local\\Temp\\" in path:
        return bool(cwd) and path.startswith(str(cwd).rstrip("/") + "/")
    if not path.startswith(("/", "~")) or not cwd:
        return True
    if path.startswith(cwd.rstrip("/") + "/"):
        return True
    return not any(part in {".claude", ".codex"} for part in PurePosixPath(path).parts)
