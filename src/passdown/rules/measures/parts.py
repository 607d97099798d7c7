"""As much of the large statements as the measures read: the rest of thousands of packets is never decoded.

Each has the names and meanings of the value that it is a part of.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from passdown.model.evidence import Class, ObservedBy, Result
from passdown.model.packet import Done


class TaskPart(Struct, frozen=True, gc=False):
    """Of a packet's task."""

    id: str
    title: str
    done: list[Done]


class RunPart(Struct, frozen=True, gc=False):
    """Of a packet's run."""

    id: str
    agent: str | None
    started: str | None
    ended: str | None
    resumed_from: str | None = None


class PlacePart(Struct, frozen=True, gc=False):
    """Of a packet's place."""

    repository: str
    branch: str | None
    base: str | None
    tree: str
    commit_tree: str | None = None


class FilePart(Struct, frozen=True, gc=False):
    """Of a changed file."""

    path: str
    by: list[str]
    inside: bool | None
    whitespace_only: bool = False


class CheckPart(Struct, frozen=True, gc=False):
    """Of a check."""

    name: str
    command: str
    kind: str = "other"
    evidence: str | None = None
    warnings: list[str] = field(default_factory=list)


class OutcomePart(Struct, frozen=True, gc=False, rename={"class_": "class"}):
    """Of an outcome."""

    class_: Class
    evidence: list[str]
    source: str | None = None


class DecisionPart(Struct, frozen=True, gc=False):
    """Of a decision."""

    id: str
    settled: bool


class DeadEndPart(Struct, frozen=True, gc=False):
    """Of a dead end."""

    command: str
    error: str


class ReasonPart(Struct, frozen=True, gc=False):
    """Of a hold's reason."""

    code: str
    level: str


class HoldPart(Struct, frozen=True, gc=False):
    """Of a hold."""

    state: str
    reasons: list[ReasonPart] = field(default_factory=list)


class PacketPart(Struct, frozen=True, gc=False):
    """Of a packet."""

    task: TaskPart
    run: RunPart
    place: PlacePart
    files: list[FilePart]
    checks: list[CheckPart]
    outcomes: list[OutcomePart]
    decisions: list[DecisionPart]
    dead_ends: list[DeadEndPart]
    hold: HoldPart
    template: str
    resume_owner: str | None
    put_back: list[str] = field(default_factory=list)


class DigestPart(Struct, frozen=True, gc=False):
    """Of a fingerprint or a definition."""

    digest: str = ""


class EvidencePart(Struct, frozen=True, gc=False):
    """Of evidence."""

    check: str
    definition: DigestPart
    result: Result
    inputs: DigestPart
    environment: DigestPart
    observed_by: ObservedBy


PARTS: dict[str, type[Any]] = {"packet": PacketPart, "evidence": EvidencePart}
