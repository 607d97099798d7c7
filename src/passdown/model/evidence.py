"""Evidence: a record that a check ran, bound to the code it ran on (semantics: section 2)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from passdown.model.session import CheckKind

Result = Literal["PASSED", "FAILED", "ERROR", "SKIPPED", "NOT RUN", "INCONCLUSIVE", "UNSTABLE", "FLAKY"]
Class = Literal["VERIFIED", "OBSERVED", "CLAIMED", "CONTRADICTED"]
FreshState = Literal["FRESH", "STALE", "ENVIRONMENT-CHANGED", "DEFINITION-CHANGED", "EXPIRED", "UNBOUND"]
Tier = Literal["whole-tree", "declared"]
Origin = Literal["REGRESSION", "PRE-EXISTING", "UNKNOWN"]
ObservedBy = Literal["runner", "ci", "transcript", "hook", "agent-side"]
Isolated = Literal["mounted", "beside"]
CheckSource = Literal["policy", "confirmed", "candidate", "adhoc"]


class CheckDefinition(Struct, frozen=True, kw_only=True):
    """A named command with its inputs, as declared, confirmed, discovered or typed.

    ``run`` is a string for the shell or a list without one. ``digest`` (sha256 hex) covers the
    definition and its indirections (package script, make target, tool configuration).
    """

    name: str
    run: str | list[str]
    kind: CheckKind = "other"
    inputs: list[str] = field(default_factory=list)
    report: str | None = None
    report_format: str | None = None
    env: list[str] = field(default_factory=list)
    ttl: float | None = None
    timeout: float | None = None
    acceptance: bool = False
    blocks: Literal["continuation", "merge", "nothing"] = "merge"
    inputs_ignored: list[str] = field(default_factory=list)
    protect: list[str] = field(default_factory=list)
    source: CheckSource = "policy"
    digest: str = ""
    found_in: str | None = None


class Fingerprint(Struct, frozen=True, kw_only=True):
    """What a check's inputs were: ``digest`` over sorted (mode, blob, path) of ``files`` files."""

    digest: str
    files: int
    tier: Tier


class EnvironmentFingerprint(Struct, frozen=True, kw_only=True):
    """Where a check ran: ``digest`` over ``parts`` (platform, program, lockfiles, values ...)."""

    digest: str
    parts: dict[str, str]


class Evidence(Struct, frozen=True, kw_only=True):
    """One run of one check; ``output_digest`` is the sha256 of the full output, ``tail`` is redacted.

    ``ci``: where CI ran it (its run's address), of evidence that ``passdown attest`` signed.
    """

    check: str
    definition: CheckDefinition
    argv: list[str]
    cwd: str
    result: Result
    exit: int | None
    signal: int | None
    started: str
    seconds: float
    output_digest: str
    output_bytes: int
    tail: str
    inputs: Fingerprint
    tree_before: str
    tree_after: str
    commit: str | None
    environment: EnvironmentFingerprint
    observed_by: ObservedBy
    branch: str | None = None
    tests: dict[str, int] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)
    first_errors: dict[str, str] = field(default_factory=dict)
    error_line: str | None = None
    warnings: list[str] = field(default_factory=list)
    changed_inputs: list[str] = field(default_factory=list)
    isolated: Isolated | None = None
    ci: str | None = None


class Freshness(Struct, frozen=True, kw_only=True):
    """Whether evidence still speaks of today's code, and why not."""

    state: FreshState
    because: list[str] = field(default_factory=list)
