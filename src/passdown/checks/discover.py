"""Candidates: the checks that a repository seems to have, each with the file that says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from passdown.agents.facts.scope import is_whole
from passdown.checks.discover_node import node_candidates
from passdown.checks.discover_others import built_candidates, go_candidates, other_candidates
from passdown.checks.discover_python import python_candidates
from passdown.checks.found import Candidate
from passdown.checks.project import Project, projects
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition
from passdown.model.session import CheckKind, SessionFacts
from passdown.rules import command
from passdown.workspace.place import Place
from passdown.workspace.snapshot import take

_NAMES: dict[CheckKind, str] = {"test": "tests", "lint": "lint", "types": "types", "build": "build", "other": "check"}

_IN_SESSION = "run in the session"
_NOT_RUN = (126, 127)
"""How a shell ends where the program is not there, or is none."""


def candidates(place: Place, facts: SessionFacts | None = None) -> list[CheckDefinition]:
    """Candidates of the worktree as it is now; see :func:`discover`."""
    return discover(TreeView(place, take(place).tree), facts)


def discover(view: TreeView, facts: SessionFacts | None = None) -> list[CheckDefinition]:
    """Candidates, tests first; ``found_in`` says why. A second one of a kind is named with its tool."""
    root = str(view.place.root)
    found = {command.key(seen.run, root): seen for seen in _seen(facts, root)}
    for candidate in _found(view):
        key = command.key(candidate.run, root)
        if key in found and found[key].found_in == _IN_SESSION:
            found[key] = replace(candidate, found_in=f"{candidate.found_in}, {_IN_SESSION}")
        found.setdefault(key, candidate)
    ordered = sorted(found.values(), key=lambda c: list(_NAMES).index(c.kind))
    definitions: dict[str, CheckDefinition] = {}
    for candidate in ordered:
        name = _name(candidate, definitions)
        definitions[name] = CheckDefinition(
            name=name, run=candidate.run, kind=candidate.kind, source="candidate", found_in=candidate.found_in
        )
    return list(definitions.values())


def _found(view: TreeView) -> Iterator[Candidate]:
    """The root's, then those of projects in folders of their own, where nothing above them runs theirs."""
    covered: dict[str, set[str]] = {}
    for project in projects(view):
        for language, find in _LANGUAGES.items():
            if any(above.folder in covered.get(language, ()) for above in project.above()):
                continue
            own = list(find(project))
            if any(candidate.kind == "test" for candidate in own):
                covered.setdefault(language, set()).add(project.folder)
            yield from (candidate.within(project.folder) for candidate in own)


_LANGUAGES: dict[str, Callable[[Project], Iterator[Candidate]]] = {
    "python": python_candidates,
    "node": node_candidates,
    "others": other_candidates,
    "built": built_candidates,
    "go": go_candidates,
}


def _name(candidate: Candidate, taken: dict[str, CheckDefinition]) -> str:
    plain = _NAMES[candidate.kind]
    folder = re.sub(r"[^\w.-]+", "-", candidate.folder)
    tool = command.tool(candidate.run) or "command"
    if folder:
        plain = f"{plain}-{folder}"
    for name in (plain, f"{plain}-{tool}"):
        if name not in taken:
            return name
    number = 2
    while f"{plain}-{tool}-{number}" in taken:
        number += 1
    return f"{plain}-{tool}-{number}"


def _seen(facts: SessionFacts | None, root: str) -> Iterator[Candidate]:
    """The session's own whole test command, as it ran last at the repository's top; one that is not here is none."""
    for seen in reversed(facts.checks if facts else []):
        if seen.exit in _NOT_RUN:
            continue
        key = command.key(seen.command, root, seen.cwd)
        if seen.kind != "test" or key is None or key[0] or not is_whole(key[1]):
            continue
        line = seen.command.strip()
        run = line if not seen.masked and command.key(line, root, "") == key and "\n" not in line else None
        words = command.judged(seen.command)[0]
        yield Candidate("test", run or command.text(list(words)), _IN_SESSION)
        return
