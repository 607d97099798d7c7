"""passdown.toml, or [tool.passdown] of pyproject.toml, as a policy."""

from __future__ import annotations

import re
import tomllib
from typing import Any, cast

from msgspec.structs import fields

from passdown.checks.policy_places import FILE, PROJECT
from passdown.checks.policy_reader import Table
from passdown.checks.reports import FORMATS
from passdown.errors import PassdownError
from passdown.model.evidence import CheckDefinition
from passdown.model.packet import Blocks, HoldLevel, Presence
from passdown.model.policy import DenyRule, Derived, GuardMode, HoldLimits, Mode, NotesAsked, Policy, Restating
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

HOLD_REASONS = (
    "goal-unknown", "boundary-missing", "wrong-place", "integrity-broken", "content-missing", "failure-without-plan",
    "tests-weakened", "replan-cheaper", "held-by-person", "handed-over", "rollback-pending", "readback-failed",
    "boundary-violated", "architecture-question", "contradicted-claims", "tree-drift", "interrupted-dirty",
    "base-drift", "not-on-remote", "goal-superseded", "boundary-too-wide", "too-old", "owner-missing",
    "scope-widened", "guard-dead", "control-surface-changed", "secret-found", "review-missing", "review-mismatch",
)  # fmt: skip
_KEYS = (
    "version", "mode", "resume_owner", "readback", "git", "checks", "boundary", "guard", "hold", "review", "trust",
    "redact",
)  # fmt: skip
_CHECK = (
    "run", "kind", "inputs", "report", "env", "ttl", "timeout", "acceptance", "blocks", "inputs_ignored", "protect",
)  # fmt: skip
_NAME = lazy(r"[A-Za-z0-9][\w.:-]*")


def parse(passdown: str | None, project: str | None) -> Policy | None:
    """The policy that the two files' texts hold, None where neither does; PassdownError for each mistake."""
    own = None if passdown is None else load(FILE, passdown)
    shared = _section(project)
    if own is not None and shared is not None:
        line = f"{PROJECT}: [tool.passdown]: expected the policy in one place, {FILE} is there too"
        raise PassdownError(line, f"keep {FILE} and remove [tool.passdown], or the other way round")
    if own is not None:
        return _policy(Table(FILE, passdown or "", own))
    if shared is not None:
        return _policy(Table(PROJECT, project or "", shared, prefix=("tool", "passdown")))
    return None


def load(file: str, text: str) -> dict[str, Any]:
    """The TOML text of a file; PassdownError with the line of its first mistake."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"\(at line (\d+), column \d+\)|\(at end of document\)", str(error))
        line = match[1] if match and match[1] else str(text.count("\n") + 1)
        reason = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise PassdownError(f"{file}:{line}: expected TOML: {reason[:1].lower()}{reason[1:]}") from error


def _section(project: str | None) -> dict[str, Any] | None:
    """[tool.passdown]; a pyproject.toml that is broken but does not speak of it is not ours to judge."""
    if project is None or "passdown" not in project:
        return None
    tool = load(PROJECT, project).get("tool", {})
    section = tool.get("passdown") if isinstance(tool, dict) else None
    return section if isinstance(section, dict) else None


def _policy(table: Table) -> Policy:
    table.only(_KEYS)
    version = table.value.get("version", 1)
    if version != 1 or isinstance(version, bool):
        table.fail("version", "1, the only version that this Passdown reads", version)
    mode = cast("Mode", table.choice("mode", ("solo", "team")) or "solo")
    readback = table.choice("readback", ("off", "advisory", "required"))
    git, guard = table.table("git"), table.table("guard")
    git.only(("base",))
    guard.only(("mode", "ask_notes"))
    guard_mode = guard.choice("mode", ("observe", "advise", "enforce"))
    notes_asked = guard.choice("ask_notes", ("attended", "always", "never"))
    boundary, trust, redact = table.table("boundary"), table.table("trust"), table.table("redact")
    boundary.only(("deny", "derived"))
    trust.only(("ci",))
    redact.only(("extra",))
    return Policy(
        mode=mode,
        resume_owner=table.text_of("resume_owner"),
        readback=cast("Restating", readback or ("required" if mode == "team" else "advisory")),
        base=git.text_of("base"),
        checks=_checks(table.table("checks")),
        deny=_deny(boundary),
        derived=_derived(boundary),
        notes_asked=cast("NotesAsked", notes_asked or "attended"),
        guard_mode=cast("GuardMode", guard_mode or ("observe" if mode == "team" else "enforce")),
        hold=_hold(table.table("hold")),
        limits=_limits(table.table("hold").table("limits")),
        trust_ci=trust.keys("ci", named=False),
        redact_extra=redact.regexes("extra"),
        source=table.file,
        **_review(table.table("review"), mode),
    )


def _checks(table: Table) -> list[CheckDefinition]:
    seen: dict[str, str] = {}
    for name in table.value:
        if not _NAME.fullmatch(name):
            table.fail(name, "a name of letters, digits, '.', ':', '_' and '-'")
        if name.casefold() in seen:
            table.fail(name, f"another name: {seen[name.casefold()]!r} differs by case alone")
        seen[name.casefold()] = name
    return [_check(table.table(name), name) for name in table.value]


def _check(table: Table, name: str) -> CheckDefinition:
    table.only(_CHECK)
    run = _run(table)
    report, report_format = table.report("report", FORMATS)
    kind = table.choice("kind", ("test", "lint", "types", "build", "other"))
    if kind is None:
        from passdown.checks.kind import kind_of  # noqa: PLC0415 - reads commands as an agent's are read

        kind = kind_of(run, name)
    return CheckDefinition(
        name=name,
        run=run,
        kind=cast("CheckKind", kind),
        inputs=table.patterns("inputs"),
        report=report,
        report_format=report_format,
        env=table.names("env"),
        ttl=table.duration("ttl"),
        timeout=table.duration("timeout"),
        acceptance=table.flag("acceptance", default=False),
        blocks=cast("Blocks", table.choice("blocks", ("continuation", "merge", "nothing")) or "merge"),
        inputs_ignored=table.patterns("inputs_ignored"),
        protect=table.patterns("protect"),
        found_in=table.file,
    )


def _run(table: Table) -> str | list[str]:
    run = table.value.get("run")
    if isinstance(run, str) and run.strip() and "\0" not in run:
        return run
    if isinstance(run, list) and run and all(isinstance(word, str) and "\0" not in word for word in run) and run[0]:
        return run
    expected = "a command: a string for the shell, or a list of strings without one"
    return table.fail("run", expected, run) if "run" in table.value else table.fail("", f"run, {expected}")


def _deny(table: Table) -> list[DenyRule]:
    entries = table.value.get("deny", [])
    if not isinstance(entries, list):
        table.fail("deny", "a list of patterns", entries)
    found = []
    for entry in entries:
        path, because = entry, "policy"
        if isinstance(entry, dict):
            if not set(entry) <= {"path", "because"} or "path" not in entry:
                table.fail("deny", "{ path = ..., because = ... }", entry)
            path, because = entry["path"], entry.get("because", because)
        if not isinstance(because, str):
            table.fail("deny", "a text for because", because)
        found.append(DenyRule(path=table.pattern("deny", path), because=because))
    return found


def _derived(table: Table) -> list[Derived]:
    entries = table.value.get("derived", [])
    if not isinstance(entries, list):
        table.fail("derived", "a list of { path = ..., from = ... }", entries)
    for entry in entries:
        if not isinstance(entry, dict) or set(entry) != {"path", "from"}:
            table.fail("derived", "{ path = ..., from = ... }", entry)
    return [
        Derived(path=table.pattern("derived", e["path"]), from_=table.pattern("derived", e["from"])) for e in entries
    ]


def _hold(table: Table) -> dict[str, HoldLevel]:
    table.only((*HOLD_REASONS, "limits"))
    levels = ("hold", "watch", "ignore")
    return {reason: cast("HoldLevel", table.choice(reason, levels)) for reason in table.value if reason != "limits"}


def _limits(table: Table) -> HoldLimits:
    names = {each.encode_name: each.name for each in fields(HoldLimits)}
    table.only(tuple(names))
    for name, value in table.value.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            table.fail(name, "a whole number from 1 on", value)
    return HoldLimits(**{names[name]: value for name, value in table.value.items()})


def _review(table: Table, mode: str) -> dict[str, Any]:
    table.only(("required", "presence", "independent", "signers", "allowed_signers"))
    presence = table.choice("presence", ("fido", "forge", "terminal"))
    if "signers" in table.value and "allowed_signers" in table.value:
        table.fail("allowed_signers", "signers or allowed_signers, not both")
    return {
        "review_required": table.flag("required", default=mode == "team"),
        "review_presence": cast("Presence", presence or "unproven"),
        "review_independent": table.flag("independent", default=mode == "team"),
        "signers": table.keys("signers", named=True),
        "allowed_signers": table.inside("allowed_signers"),
    }
