"""What the stream showed so far, in order: the working notes that every fact is drawn from.

``seq`` counts events; comparing two of them says what came after what. Outputs are kept as short
pieces, so a long session does not fill the memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath

from passdown.agents.stream import FileWrite
from passdown.model.session import CheckKind, SeenCheck, SeenResult

KEPT = 6000
_DOCUMENTS = {
    ".md",
    ".markdown",
    ".rst",
    ".txt",
    ".adoc",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".pdf",
    ".log",
    ".csv",
}
_SCRATCH = ("/tmp/", "/private/tmp/", "/var/folders/", "/dev/", "/private/var/")  # noqa: S108 - names to recognise, not to use


@dataclass(slots=True)
class Ran:
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
    output: str = ""
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


@dataclass(slots=True)
class Check:
    """A check that a command ran: the public value and what claims are judged by.

    ``failed``: which of its kinds failed, None where that is not known.
    """

    seen: SeenCheck
    kinds: frozenset[CheckKind]
    whole: bool
    seq: int
    hook: bool = False
    failed: frozenset[CheckKind] | None = None

    def result(self, kind: CheckKind) -> SeenResult | None:
        """What came out for one kind: of several checks in one command, only ``failed`` ones failed."""
        if self.seen.result == "FAILED" and self.failed is not None and kind not in self.failed:
            return "PASSED"
        return self.seen.result


@dataclass(frozen=True, slots=True)
class Written:
    """A file write with its place in the order."""

    seq: int
    event: FileWrite

    @property
    def ok(self) -> bool:
        """It was not refused (no recorded result counts as written)."""
        return self.event.ok is not False and self.event.executed


@dataclass(frozen=True, slots=True)
class Said:
    """Prose of the agent."""

    seq: int
    record: int
    at: str | None
    text: str
    final: bool | None


@dataclass(slots=True)
class Journal:
    """Everything that the single pass keeps."""

    cwd: str | None = None
    ran: list[Ran] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    person_edits: list[tuple[int, str]] = field(default_factory=list)
    subagents: int = 0
    compactions: int = 0

    @property
    def checks(self) -> list[Check]:
        """The checks in the order in which they ended."""
        return [r.check for r in self.ran if r.check is not None]

    def edit_after(self, seq: int, *, code: bool = False) -> Written | None:
        """The first write to the project after ``seq``; ``code``: documents aside."""
        for write in self.written:
            if (
                write.seq > seq
                and write.ok
                and in_project(write.event.path, self.cwd)
                and not (code and is_document(write.event.path))
            ):
                return write
        return None


def is_document(path: str) -> bool:
    """Prose, pictures and the like: no test result depends on it."""
    name = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    return name.suffix.lower() in _DOCUMENTS or name.name in {"LICENSE", ".gitignore", "CHANGELOG", "NOTICE"}


def in_project(path: str, cwd: str | None) -> bool:
    """Not a scratch file, nor the client's own (plans, memories) outside the folder of work."""
    if path.startswith(_SCRATCH):
        return bool(cwd) and path.startswith(str(cwd).rstrip("/") + "/")
    if not path.startswith(("/", "~")) or not cwd:
        return True
    if path.startswith(cwd.rstrip("/") + "/"):
        return True
    return not any(part in {".claude", ".codex"} for part in PurePosixPath(path).parts)
