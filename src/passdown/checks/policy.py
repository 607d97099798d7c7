"""The policy: passdown.toml and templates of the base revision; the worktree's own are a proposal, and only narrow."""

from __future__ import annotations

from pathlib import Path

import msgspec

from passdown.checks.policy_places import CODEOWNERS, ENDING, FILE, FOLDER, MOST_BYTES, PROJECT, readable, text_of
from passdown.errors import PassdownError
from passdown.model.evidence import CheckDefinition
from passdown.model.policy import Policy
from passdown.model.template import Template
from passdown.workspace import history
from passdown.workspace.diff import look_up, read_beside
from passdown.workspace.place import Place
from passdown.workspace.refs import BY_HABIT, ref, remote_name

_MAX_BYTES = 1 << 20
_SHORT = 12
_QUIET = {"checks", "deny", "templates", "source", "warnings", "revision"}


def load_policy(place: Place, base: str | None, *, strict: bool = True) -> Policy:
    """The policy of the commit ``base``, the worktree's additions as candidates and denies.

    A mistake raises PassdownError: file, line, key, what was expected. ``strict`` False turns a
    mistake in the worktree's file (never in the base's) into a warning: capture must not fail on it.
    """
    in_force = base_policy(place, base)
    try:
        proposed = _parsed(_on_disk(place.root / FILE), _on_disk(place.root / PROJECT))
        in_force = _beside_templates(in_force, _templates_on_disk(place.root))
    except PassdownError as error:
        if strict:
            raise
        warning = f"{error.message}: what the worktree's policy proposes was not read"
        return msgspec.structs.replace(in_force, warnings=[*in_force.warnings, warning])
    return in_force if proposed is None else _narrowed(in_force, proposed)


def find_policy(place: Place, start: str | None = None, *, strict: bool = True) -> tuple[Policy, str | None, str]:
    """``(policy, base commit, because)``. ``start`` (the task's first commit) stands in where no branch is the base.

    Which branch is the base is believed of a policy that the work in hand did not write: the default
    branch's. An upstream may be the work itself, pushed.
    """
    settled = _settled(place, start)
    first = load_policy(place, settled or place.head, strict=strict)
    commit, because = history.base(place, first.base)
    if commit is None:
        commit, because = (start, "start of the task") if start else (place.head, because)
    if commit == first.revision or (
        commit and settled and history.is_ancestor(place, settled, commit) and not first.base
    ):
        return first, commit, because
    return load_policy(place, commit, strict=strict), commit, because


def _settled(place: Place, start: str | None) -> str | None:
    """What this work has in common with the default branch, else its start."""
    remote = remote_name(place)
    names = [f"refs/remotes/{remote}/{name}" for name in ("HEAD", *BY_HABIT)] if remote else []
    names += [f"refs/heads/{name}" for name in BY_HABIT if name != place.branch]
    tips = (known.id for name in names if (known := ref(place, name)))  # of a tag, too, git tells the merge base
    shared = (found for tip in tips if place.head and (found := history.merge_base(place, tip, place.head)))
    return next(shared, start)


def base_policy(place: Place, base: str | None) -> Policy:
    """The policy of a commit alone; its mistakes raise PassdownError."""
    if base is None:
        return Policy(warnings=["no base commit yet: no policy is in force, checks wait for a person to confirm them"])
    look_up(place, base, (FILE, PROJECT, *CODEOWNERS), FOLDER)
    found, beside = read_beside(place, base, (FILE, PROJECT), FOLDER, MOST_BYTES + 1)
    texts = [None if data is None else text_of(name, data, _MAX_BYTES) for name, data in found.items()]
    try:
        policy = _parsed(texts[0], texts[1])
        own = {path: data for path, data in beside.items() if path.endswith(ENDING)}
        templates = _templates(own, f"{base[:_SHORT]}:")
    except PassdownError as error:
        raise PassdownError(f"{error.message} (in the base, {base[:_SHORT]})", error.hint, error.code) from error
    if policy is None:
        warning = f"the base ({base[:_SHORT]}) has no policy: checks wait for a person to confirm them"
        return Policy(warnings=[warning], revision=base, templates=templates)
    source = f"{base[:_SHORT]}:{policy.source}"
    return msgspec.structs.replace(policy, source=source, revision=base, templates=templates)


def _parsed(passdown: str | None, project: str | None) -> Policy | None:
    if passdown is None and (project is None or "passdown" not in project):
        return None  # most projects: there is nothing to parse
    from passdown.checks.policy_file import parse  # noqa: PLC0415 - see above

    return parse(passdown, project)


def _templates(files: dict[str, bytes], prefix: str = "") -> list[Template]:
    if not files:
        return []
    from passdown.checks.template_file import team_templates  # noqa: PLC0415 - few teams have their own

    return team_templates(files, prefix)


def _templates_on_disk(root: Path) -> list[Template]:
    """The templates that lie in the worktree."""
    read = {}
    for path in readable(root):
        with path.open("rb") as file:
            read[f"{FOLDER}/{path.name}"] = file.read(MOST_BYTES + 1)
    return _templates(read)


def _beside_templates(in_force: Policy, proposed: list[Template]) -> Policy:
    """The base's policy, with a word on those templates that the worktree has otherwise."""
    now = {template.name: template for template in in_force.templates}
    then = {template.name: template for template in proposed}
    same = {name for name in now.keys() & then.keys() if now[name].shapes_as(then[name])}
    differ = sorted((now.keys() | then.keys()) - same)
    if not differ:
        return in_force
    warning = f"{FOLDER} in the worktree is a proposal; not in force: {', '.join(differ)}"
    return msgspec.structs.replace(in_force, warnings=[*in_force.warnings, warning])


def _on_disk(path: Path) -> str | None:
    """The worktree's file; a link or something else than a file is no policy."""
    if path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        return text_of(path.name, file.read(_MAX_BYTES + 1), _MAX_BYTES)


def _narrowed(in_force: Policy, proposed: Policy) -> Policy:
    """The base's policy with what the worktree adds: checks as candidates, denies; nothing looser."""
    declared = {check.name: check for check in in_force.checks}
    candidates = [_candidate(check) for check in proposed.checks if check.name not in declared]
    denied = {rule.path for rule in in_force.deny}
    waiting = [
        f"checks.{check.name}"
        for check in proposed.checks
        if check.name in declared and not _same_check(check, declared[check.name])
    ]
    waiting += [f"checks.{name}" for name in declared if name not in {check.name for check in proposed.checks}]
    waiting += [
        name
        for name in Policy.__struct_fields__
        if name not in _QUIET and getattr(proposed, name) != getattr(in_force, name)
    ]
    warnings = list(in_force.warnings)
    if waiting:
        warnings.append(f"{proposed.source} in the worktree is a proposal; not in force: {', '.join(waiting)}")
    return msgspec.structs.replace(
        in_force,
        checks=[*in_force.checks, *candidates],
        deny=[*in_force.deny, *(rule for rule in proposed.deny if rule.path not in denied)],
        warnings=warnings,
    )


def _candidate(check: CheckDefinition) -> CheckDefinition:
    return msgspec.structs.replace(check, source="candidate", found_in=f"{check.found_in}, not in the base")


def _same_check(one: CheckDefinition, other: CheckDefinition) -> bool:
    return msgspec.structs.replace(one, found_in=None) == msgspec.structs.replace(other, found_in=None)
