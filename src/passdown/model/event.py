"""What the ledger holds: the bodies of statements, and facts.

A *statement* is signed and named by its digest; a *fact* is one line in a batch. Each statement's
body is one of the structs below (or a ``Packet`` or ``Evidence``); ``BODIES`` maps its type to it.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from passdown.model.boundary import Boundary
from passdown.model.evidence import CheckDefinition, Evidence, Origin, Result
from passdown.model.forge import ForgeRead, Lapsed, Said
from passdown.model.learned import Learned
from passdown.model.packet import Answer, Goal, Packet, Presence

Ended = Literal["completed", "rolled-back", "abandoned", "replanned"]


class Begun(Struct, frozen=True, kw_only=True):
    """Where work began and how things stood at that moment, as fields of the record that says so.

    ``tree``: the worktree; ``upstream``: the base branch's tips; ``control``: the parts of the control surface and
    their digests; ``moves``: entries of HEAD's reflog.
    """

    worktree_id: str
    branch: str | None
    tree: str
    head: str | None
    commit_tree: str | None = None
    upstream: list[str] = field(default_factory=list)
    control: dict[str, str] = field(default_factory=dict)
    moves: int = 0


class TaskOpened(Begun, frozen=True, kw_only=True):
    """``passdown start``: a task opened by hand, with the tree that it starts from."""

    task: str
    title: str
    goal: Goal
    done: list[str]
    boundary: Boundary
    from_packet: str | None = None
    resume_owner: str | None = None


class BoundarySet(Struct, frozen=True, kw_only=True):
    """A person set the boundary by hand; ``previous`` is the digest that it replaces."""

    task: str
    boundary: Boundary
    previous: str | None
    worktree_id: str
    branch: str | None


class Verdict(Struct, frozen=True, kw_only=True):
    """A reviewer's answer to one packet digest, bound to the boundary and the verdict before it.

    ``self_`` marks the person who ran the agent. ``owners`` are those of the boundary's paths at ``base``.
    ``tests_accepted``: digests of the changes to tests and settings that stand, exactly these. ``to``: the packet to
    roll back to; ``assignee`` takes over. ``accepted``: paths outside that stand as in the ``tree`` that was seen.
    ``said``: the forge's comment of it; ``answers_for``: owners that its author is, or is of, by the forge's word.
    """

    task: str
    packet: str
    answer: Answer
    by: str
    presence: Presence
    self_: bool
    boundary: Boundary
    boundary_digest: str
    previous: str | None
    owners: list[str]
    note: str | None = None
    to: str | None = None
    assignee: str | None = None
    waived: dict[str, str] = field(default_factory=dict)
    acceptance: dict[str, Literal["done", "not addressed", "not known"]] = field(default_factory=dict)
    blockers_complete: bool | None = None
    overstated: bool | None = None
    base: str | None = None
    codeowners: str | None = None
    accepted: list[str] = field(default_factory=list)
    tree: str | None = None
    tests_accepted: list[str] = field(default_factory=list)
    said: Said | None = None
    answers_for: list[str] = field(default_factory=list)


class Resumed(Begun, frozen=True, kw_only=True):
    """``passdown resume``: the boundary armed for the next run.

    ``asked``, ``first``: the open items and the first path that the brief asked to be restated (``asked`` None: not
    known). ``entered``: a person's Enter accepted the packet. ``took_over``: the run that still lived here.
    """

    task: str
    packet: str
    run: str
    boundary: Boundary
    agent: str | None = None
    asked: list[str] | None = None
    first: str = ""
    entered: bool = False
    took_over: str | None = None


class Note(Struct, frozen=True, kw_only=True):
    """A decision, dead end, question, step, assumption, answer or asked-for path.

    ``paths``: its scope. ``keep``: paths that a decision keeps as they are; ``supersedes``: the decision (D1) that it
    replaces. ``call``: the agent's call in which the guard heard it. ``source``: file and line, of what was imported.
    """

    task: str
    kind: Literal["decision", "dead-end", "question", "architecture", "step", "assumption", "answer", "ask-widen"]
    text: str
    by: Literal["person", "agent"]
    paths: list[str] = field(default_factory=list)
    because: str | None = None
    item: str | None = None
    over: str | None = None
    revisit_if: str | None = None
    keep: list[str] = field(default_factory=list)
    supersedes: str | None = None
    call: str | None = None
    source: str | None = None


class Held(Struct, frozen=True, kw_only=True):
    """A person stops a task."""

    task: str
    because: str
    by: str


class Lifted(Struct, frozen=True, kw_only=True):
    """A person lifts the hold reasons named in ``codes``, bound to the facts that they saw.

    ``accepted`` are the paths outside that it lets stand, as they are in ``tree``.
    """

    task: str
    because: str
    by: str
    codes: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    packet: str | None = None
    accepted: list[str] = field(default_factory=list)
    tree: str | None = None


class Rescued(Struct, frozen=True, kw_only=True):
    """The whole worktree, kept before something that could destroy work."""

    task: str | None
    tree: str
    head: str | None
    branch: str | None
    worktree_id: str
    why: str


class RolledBack(Struct, frozen=True, kw_only=True):
    """The worktree was brought back to ``to_tree``; ``residue`` lists what still differs (empty: proven equal)."""

    task: str
    packet: str
    from_tree: str
    to_tree: str
    rescued: str
    residue: list[str] = field(default_factory=list)
    commits_since: list[str] = field(default_factory=list)


class Closed(Struct, frozen=True, kw_only=True):
    """How the task ended; ``inferred`` where nobody typed it.

    ``tests_accepted``: as in a verdict, by who works alone. ``accepted``: acceptance check -> who accepted the changes
    to tests that its pass stands on; its class stays OBSERVED.
    """

    task: str
    outcome: Ended
    because: str
    by: str
    inferred: bool = False
    packet: str | None = None
    tree: str | None = None
    acceptance: dict[str, str] = field(default_factory=dict)
    accepted: dict[str, str] = field(default_factory=dict)
    tests_accepted: list[str] = field(default_factory=list)


class CheckConfirmed(Struct, frozen=True, kw_only=True):
    """A person confirmed a candidate check once; a changed definition needs it again.

    ``tree`` is the worktree's at that moment: it tells what changed since.
    """

    definition: CheckDefinition
    by: str
    tree: str | None = None


class WriterVouched(Struct, frozen=True, kw_only=True):
    """A person says whose clone a writer is: its evidence counts where an allowed signer signed this.

    ``public``: the writer's raw public key, base64. ``withdrawn`` is for good: a clone makes a new key easily.
    """

    writer: str
    public: str
    by: str
    because: str = ""
    withdrawn: bool = False


class ReadBack(Struct, frozen=True, kw_only=True):
    """A receiver's restatement of a packet: what it said, and what did not match (``faults``, [] where accepted).

    ``call``: the agent's call in which the guard heard it; ``session``: whose, None where that cannot be told.
    """

    task: str
    packet: str
    accepted: bool
    by: Literal["person", "agent"]
    worktree_id: str
    branch: str | None
    open: list[str] = field(default_factory=list)
    first: str = ""
    not_: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    run: str | None = None
    call: str | None = None
    session: str | None = None


class Judged(Struct, frozen=True, kw_only=True):
    """``passdown verify`` on a task's work: what was found outside, once per tree and boundary."""

    task: str
    holds: bool | None
    boundary_digest: str | None
    tree: str | None
    violations: list[str] = field(default_factory=list)


class Compared(Struct, frozen=True, kw_only=True):
    """A failing check, run on the commit that the work began from.

    ``base``: that commit; ``inputs``, ``definition``, ``environment``: digests of what ran there. ``origin`` stands for
    the check as a whole, ``tests`` for each failing test that was asked for. ``because`` says what was seen there.
    """

    check: str
    base: str
    inputs: str
    definition: str
    environment: str
    origin: Origin
    because: str
    tests: dict[str, Origin] = field(default_factory=dict)
    command: str = ""
    result: Result | None = None
    exit: int | None = None
    seconds: float | None = None


class GuardSwitched(Struct, frozen=True, kw_only=True):
    """A person's gap in the guard of one worktree: off ``until`` (an instant), or on again (``until`` None)."""

    task: str
    worktree_id: str
    until: str | None
    because: str
    by: str


class GuardInstalled(Struct, frozen=True, kw_only=True):
    """A person put the guard's hooks in place (``undone``: took them out): no part of any run.

    ``before``/``after``: the parts of the control surface that this changed; ``files``: worktree paths to blob ids.
    """

    worktree_id: str
    by: str
    undone: bool
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


class Rebound(Struct, frozen=True, kw_only=True):
    """The worktree that the record knows by ``worktree_id`` was moved: from the folder ``was`` to ``now``."""

    task: str
    worktree_id: str
    was: str
    now: str
    branch: str | None
    by: str


class Attachment(Struct, frozen=True, kw_only=True):
    """One of the ``parts`` of a text that a packet has no room for; ``digest``: sha256 of the whole, in hex.

    ``part`` counts from 0. Attachments are read by their type alone: :data:`BULKY`.
    """

    digest: str
    media_type: str
    part: int
    parts: int
    text: str


Body = (
    Packet
    | Evidence
    | TaskOpened
    | BoundarySet
    | Verdict
    | Resumed
    | Note
    | Held
    | Lifted
    | Rescued
    | RolledBack
    | Closed
    | CheckConfirmed
    | WriterVouched
    | ReadBack
    | Judged
    | Compared
    | GuardSwitched
    | GuardInstalled
    | Rebound
    | ForgeRead
    | Lapsed
    | Learned
    | Attachment
)

BODIES: dict[str, type[Any]] = {
    "packet": Packet,
    "evidence": Evidence,
    "task-opened": TaskOpened,
    "boundary-set": BoundarySet,
    "verdict": Verdict,
    "resumed": Resumed,
    "note": Note,
    "held": Held,
    "lifted": Lifted,
    "rescued": Rescued,
    "rolled-back": RolledBack,
    "closed": Closed,
    "check-confirmed": CheckConfirmed,
    "writer-vouched": WriterVouched,
    "read-back": ReadBack,
    "judged": Judged,
    "guard-switched": GuardSwitched,
    "guard-installed": GuardInstalled,
    "compared": Compared,
    "rebound": Rebound,
    "forge-read": ForgeRead,
    "lapsed": Lapsed,
    "learned": Learned,
    "attachment": Attachment,
}
BULKY = "attachment"
TYPES: dict[type[Any], str] = {body: name for name, body in BODIES.items()}


class Record(Struct, frozen=True, kw_only=True):
    """One statement as read back from the ledger.

    ``order`` sorts all records of all writers the same way everywhere: (Lamport, writer, sequence).
    ``signers`` are the keys whose signatures over it verify; ``trusted`` is False where a digest,
    signature or clock does not; ``here``: this clone's own writer made it.
    """

    id: str
    type: str
    task: str | None
    at: str
    writer: str
    order: tuple[int, str, int]
    body: Body
    signers: list[str] = field(default_factory=list)
    here: bool = True
    trusted: bool = True
