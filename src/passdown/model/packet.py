"""The handoff packet: the sealed, immutable record of a run's end (the shape of ``passdown pack --json``)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from passdown.model.boundary import Boundary
from passdown.model.evidence import Class, Freshness, ObservedBy, Origin, Result, Tier
from passdown.model.integrity import IntegrityChange
from passdown.model.integrity import Writer as Writer  # noqa: PLC0414 - who wrote a file, too
from passdown.model.session import EndReason

SCHEMA = "passdown/packet/v1"
MAX_BYTES = 256 * 1024

GoalSource = Literal["user", "agent", "none"]
TaskState = Literal["open", "running", "handed-off", "held", "completed", "rolled-back", "abandoned", "replanned"]
ItemKind = Literal["failure", "question", "architecture", "review", "step", "widen", "tests"]
Blocks = Literal["continuation", "merge", "nothing"]
HoldState = Literal["GO", "WATCH", "HOLD"]
HoldLevel = Literal["hold", "watch", "ignore"]
GuardState = Literal["enforcing", "advisory", "dead", "off"]
Answer = Literal["approve", "narrow", "rollback", "reassign"]
Addressed = Literal["done", "not addressed", "not known"]
Presence = Literal["fido", "forge", "terminal", "unproven"]


class Goal(Struct, frozen=True, kw_only=True):
    """What the task is for, verbatim."""

    text: str
    source: GoalSource
    at: str | None = None


class Done(Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """One acceptance check and how it stands."""

    check: str
    class_: Class | None
    result: Result | None = None


class AcceptanceItem(Struct, frozen=True, kw_only=True):
    """A1...: one thing that was asked for, and whether it is done, as far as anything but words shows it.

    ``source``: goal, or the file that lists it. ``check``: the check that it asks for. ``ticked``: what its source
    says of it. Done is what a check shows on this code, or what a reviewer answered.
    """

    id: str
    text: str
    state: Addressed
    because: str
    source: str = "goal"
    check: str | None = None
    ticked: bool | None = None


class Task(Struct, frozen=True, kw_only=True):
    """The task as the packet saw it; ``state`` is computed when shown, and so is that of each of ``acceptance``."""

    id: str
    title: str
    goal: Goal
    done: list[Done]
    state: TaskState
    last_request: str | None = None
    last_request_at: str | None = None
    acceptance: list[AcceptanceItem] = field(default_factory=list)


class RunEnd(Struct, frozen=True, kw_only=True):
    """How the run ended and the fact that says so."""

    reason: EndReason
    because: str
    resets: str | None = None


class Run(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One stretch of a session: records ``(from, through]``; no session: agent and session are None.

    ``by`` is the person whose clone it ran in, by git's identity.
    """

    id: str
    agent: str | None
    session: str | None
    from_: int | None
    through: int | None
    started: str | None
    ended: str | None
    end: RunEnd
    client_version: str | None = None
    resumed_from: str | None = None
    by: str | None = None
    compactions: int = 0
    subagents: int = 0


class Place(Struct, frozen=True, kw_only=True):
    """Where the work lies. ``start`` is the tree that the run began from, ``base`` a commit."""

    repository: str
    worktree: str
    branch: str | None
    base: str | None
    head: str | None
    tree: str
    on_remote: bool | None
    worktree_id: str = ""
    commit_tree: str | None = None
    start: str | None = None
    start_because: str = ""
    base_because: str = ""
    control: str | None = None


class FileChange(Struct, frozen=True, kw_only=True):
    """One path that differs between the run's start and now; ``added``/``removed`` lines, None: binary.

    ``whitespace_only``: of a resumed run, whether nothing but white space and blank lines changed. ``bypassed``: the
    guard had denied it to the run, and it changed by another way.
    """

    path: str
    status: Literal["added", "modified", "deleted", "mode", "type"]
    added: int | None
    removed: int | None
    by: list[Writer]
    inside: bool | None
    path_b64: str | None = None
    because: str = ""
    in_goal: bool | None = None
    whitespace_only: bool = False
    bypassed: bool = False


class NotableCommand(Struct, frozen=True, kw_only=True):
    """A command worth showing: failed, destructive, masked, or still running."""

    command: str
    exit: int | None
    ok: bool | None
    why: str
    at: str | None = None
    record: int | None = None


class Commands(Struct, frozen=True, kw_only=True):
    """What was run in the shell."""

    run: int
    failed: int
    notable: list[NotableCommand] = field(default_factory=list)


class Inputs(Struct, frozen=True, kw_only=True):
    """A check's input fingerprint and how many files it covers."""

    fingerprint: str | None
    files: int | None


class PacketCheck(Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """One check and its latest result; class and freshness are computed for now when shown.

    ``source``: who ran it where that was not this clone. ``accepted``: who accepted exactly the changes to tests that
    alone keep this pass from being VERIFIED; None where nobody did, or something else stands against it.
    """

    name: str
    command: str
    result: Result | None
    class_: Class | None
    freshness: Freshness
    tier: Tier | None
    inputs: Inputs
    exit: int | None
    seconds: float | None
    tests: dict[str, int] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)
    origin: Origin | None = None
    origins: dict[str, Origin] = field(default_factory=dict)
    origin_because: str | None = None
    not_verified: list[str] = field(default_factory=list)
    accepted: str | None = None
    observed_by: ObservedBy | None = None
    tree: str | None = None
    warnings: list[str] = field(default_factory=list)
    at: str | None = None
    evidence: str | None = None
    acceptance: bool = False
    kind: str = "other"
    masked: bool = False
    edits_after: bool | None = None
    error_line: str | None = None
    first_errors: dict[str, str] = field(default_factory=dict)
    record: int | None = None
    source: str | None = None


class Outcome(Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """One statement about the work, in exactly one class; ``evidence`` names records or checks."""

    text: str
    class_: Class
    evidence: list[str]
    because: str
    source: str | None = None
    record: int | None = None


class Item(Struct, frozen=True, kw_only=True):
    """An open item with its short id.

    F failure, Q question, R review comment, S step or to-do, W asked-for path, T weakened tests.
    ``digests``: of a T, exactly the changes (``integrity``) that it stands for.
    """

    id: str
    kind: ItemKind
    text: str
    blocks: Blocks
    paths: list[str] = field(default_factory=list)
    error: str | None = None
    check: str | None = None
    tries: int | None = None
    origin: Origin | None = None
    because: str = ""
    source: str | None = None
    digests: list[str] = field(default_factory=list)


class Closing(Struct, frozen=True, kw_only=True):
    """An item that this packet closed: ``evidence`` names the checks (or ``parses:PATH``) that show it."""

    id: str
    text: str
    because: str
    evidence: list[str]


class Decision(Struct, frozen=True, kw_only=True):
    """D1...: only a user's or reviewer's is settled. ``keep``: paths that it keeps as they are."""

    id: str
    text: str
    by: Literal["user", "reviewer", "agent"]
    settled: bool
    at: str | None = None
    why: str | None = None
    over: str | None = None
    scope: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    revisit_if: str | None = None
    supersedes: str | None = None
    record: int | None = None


class ReopenedDecision(Struct, frozen=True, kw_only=True):
    """A settled decision (D1) that an agent reopened: by a note of its own (``by``), or a change under ``paths``."""

    decision: str
    text: str
    by: str = ""
    at: str | None = None
    paths: list[str] = field(default_factory=list)


class TriedDeadEnd(Struct, frozen=True, kw_only=True):
    """X1...: what was tried, the command, the error line, how often."""

    id: str
    command: str
    error: str
    tries: int


class Step(Struct, frozen=True, kw_only=True):
    """One step of the resume checklist: what, the check that proves it, what to do if it fails."""

    step: str
    check: str | None
    if_not: str
    item: str | None = None
    done: bool = False


class HoldPart(Struct, frozen=True, kw_only=True):
    """One sign of a reason that adds several up; ``lifts`` "": nothing lifts it alone."""

    fact: str
    reproduce: str
    lifts: str = ""


class HoldReason(Struct, frozen=True, kw_only=True):
    """A coded reason with its fact, a command that reproduces it, and what lifts it; ``parts``: its signs."""

    code: str
    level: HoldLevel
    fact: str
    reproduce: str
    lifts: str
    parts: list[HoldPart] = field(default_factory=list)


class Hold(Struct, frozen=True, kw_only=True):
    """GO, WATCH or HOLD, and why."""

    state: HoldState
    reasons: list[HoldReason] = field(default_factory=list)


class Guard(Struct, frozen=True, kw_only=True):
    """One enforcement layer and whether it is alive."""

    layer: str
    state: GuardState
    denied: int = 0
    errors: int = 0
    because: str = ""


class PacketVerdict(Struct, frozen=True, kw_only=True):
    """The reviewer's answer to this packet, as shown."""

    answer: Answer
    by: str
    presence: Presence
    self: bool
    at: str
    note: str | None
    signed: bool = False


class OwnerNote(Struct, frozen=True, kw_only=True):
    """What a reviewer tells the next run, with their latest answer."""

    by: str
    answer: Answer
    text: str
    at: str


class Packet(Struct, frozen=True, kw_only=True):
    """The whole packet. ``packet`` is None until sealed; then the statement's id.

    ``still_open`` (ids of ``items``), ``items_since``, ``owner_notes``, ``readback`` (whether the policy asks for it)
    and ``reopened`` are computed for now when shown, and never sealed. ``put_back``: what a resumed run wrote and left
    as it had been. ``template_title`` and
    ``template_because``: what kind of handoff it is, in words, and what shows it.
    """

    packet: str | None
    previous: str | None
    sealed_at: str
    task: Task
    run: Run
    place: Place
    files: list[FileChange]
    commands: Commands
    checks: list[PacketCheck]
    outcomes: list[Outcome]
    items: list[Item]
    decisions: list[Decision]
    dead_ends: list[TriedDeadEnd]
    boundary: Boundary
    checklist: list[Step]
    template: str
    resume_owner: str | None
    reviewers: list[str]
    note: str | None
    hold: Hold
    guards: list[Guard]
    verdict: PacketVerdict | None
    redactions: dict[str, int]
    schema: str = SCHEMA
    prohibitions: list[str] = field(default_factory=list)
    attachments: dict[str, str] = field(default_factory=dict)
    truncated: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    closed: list[Closing] = field(default_factory=list)
    still_open: list[str] | None = None
    items_since: list[Item] = field(default_factory=list)
    owner_notes: list[OwnerNote] = field(default_factory=list)
    readback: Literal["off", "advisory", "required"] = "advisory"
    reopened: list[ReopenedDecision] = field(default_factory=list)
    integrity: list[IntegrityChange] = field(default_factory=list)
    integrity_since: str | None = None
    put_back: list[str] = field(default_factory=list)
    template_title: str = ""
    template_because: str = ""
