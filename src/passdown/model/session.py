"""The facts of one agent session, from its transcript alone (the shape of ``passdown session --json``).

Every fact carries ``record``: the zero-based number of the record (line) that shows it, so that a
statement in a packet can be traced. A value that the format does not carry is ``None``.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

EndReason = Literal[
    "running", "finished", "interrupted", "quota", "context-full", "api-error", "crashed", "truncated", "unknown"
]
Op = Literal["create", "modify", "delete", "rename"]
Via = Literal["tool", "patch", "shell"]
CheckKind = Literal["test", "lint", "types", "build", "other"]
SeenResult = Literal["PASSED", "FAILED", "ERROR"]
ClaimClass = Literal["SUPPORTED", "STALE", "UNSUPPORTED", "CONTRADICTED"]
TodoStatus = Literal["pending", "in_progress", "completed"]


class End(Struct, frozen=True, kw_only=True):
    """How the session stopped, and the fact that says so; ``resets`` is the quota's own words or time."""

    reason: EndReason
    because: str
    record: int | None = None
    resets: str | None = None


class Request(Struct, frozen=True, kw_only=True):
    """The human's own words, verbatim."""

    at: str | None
    text: str
    record: int | None = None


class Write(Struct, frozen=True, kw_only=True):
    """A file that the agent wrote or tried to write; ``ok`` is None where the result is not recorded."""

    at: str | None
    path: str
    op: Op
    ok: bool | None
    via: Via
    subagent: bool = False
    to: str | None = None
    record: int | None = None


class Command(Struct, frozen=True, kw_only=True):
    """One call of the shell tool in the main conversation; ``ended``: when its result was recorded."""

    at: str | None
    command: str
    cwd: str | None
    exit: int | None
    signal: int | None
    ok: bool | None
    masked: bool
    background: bool
    record: int | None = None
    output_tail: str = ""
    ended: str | None = None


class Counts(Struct, frozen=True, kw_only=True):
    """Numbers that a check's own output printed."""

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    errors: int | None = None


class SeenCheck(Struct, frozen=True, kw_only=True):
    """A check that the transcript shows; ``first_errors`` maps a failing id to its first error line."""

    at: str | None
    command: str
    kind: CheckKind
    result: SeenResult | None
    masked: bool
    counts: Counts | None
    failing: list[str]
    edits_after: bool
    exit: int | None = None
    cwd: str | None = None
    record: int | None = None
    first_errors: dict[str, str] = field(default_factory=dict)
    error_line: str | None = None


class Claim(Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """What the agent stated in prose at the end, against what the record shows.

    ``paths`` are the files that it speaks of, ``check`` the command (of ``checks``) that decides it.
    """

    at: str | None
    text: str
    class_: ClaimClass
    because: str
    record: int | None = None
    paths: list[str] = field(default_factory=list)
    check: str | None = None


class Prohibition(Struct, frozen=True, kw_only=True):
    """What the person said not to do, verbatim, the paths that it names; ``lifted``: what took it back."""

    text: str
    paths: list[str]
    at: str | None = None
    record: int | None = None
    lifted: str | None = None


class Todo(Struct, frozen=True, kw_only=True):
    """One entry of the agent's own list, as it stood last."""

    text: str
    status: TodoStatus


class SeenDecision(Struct, frozen=True, kw_only=True):
    """A choice in the person's own words."""

    text: str
    at: str | None = None
    record: int | None = None
    question: str | None = None


class DeadEnd(Struct, frozen=True, kw_only=True):
    """What was tried and failed the same way: the command, its error line, how often."""

    command: str
    error: str
    tries: int
    record: int | None = None


class Input(Struct, frozen=True, kw_only=True):
    """What was read, and what was not understood."""

    records: int
    bad_lines: int
    unknown: dict[str, int]


class Background(Struct, frozen=True, kw_only=True):
    """A command that was started in the background and whose end the transcript does not show."""

    command: str
    at: str | None = None
    record: int | None = None


class HookWrite(Struct, frozen=True, kw_only=True):
    """A file that a git hook changed while ``command`` ran, as its output says; ``hook`` "": it has no name there."""

    path: str
    hook: str
    command: str
    at: str | None = None
    record: int | None = None


class SessionFacts(Struct, frozen=True, kw_only=True):
    """All facts of one session; see ``docs/session-facts.md``. ``closing``: the agent's closing words, verbatim."""

    agent: str
    client_version: str | None
    session: str | None
    cwd: str | None
    branch: str | None
    started: str | None
    ended: str | None
    end: End
    requests: list[Request]
    writes: list[Write]
    commands: list[Command]
    checks: list[SeenCheck]
    claims: list[Claim]
    prohibitions: list[Prohibition]
    todos: list[Todo]
    reads: list[str]
    decisions: list[SeenDecision]
    dead_ends: list[DeadEnd]
    compactions: int
    subagents: int
    input: Input
    cwds: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    background: list[Background] = field(default_factory=list)
    forked_from: str | None = None
    hook_writes: list[HookWrite] = field(default_factory=list)
    person_edits: list[str] = field(default_factory=list)
    closing: str = ""
