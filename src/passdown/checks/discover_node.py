"""Candidates of JavaScript and TypeScript projects."""

from __future__ import annotations

from collections.abc import Iterator

from passdown.checks.found import Candidate
from passdown.checks.kind import kind_of
from passdown.checks.package_json import package, package_scripts
from passdown.checks.project import Project
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

_MANAGERS = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
)
_PLACEHOLDER = "no test specified"
_NEVER_ENDS = lazy(r"(?:^|\s)(?:--watch(?:All)?(?:\s|=true|$)|-w\s*$|nodemon\b|tsc-watch\b|vitest\s+(?:watch|dev)\b)")
_CHANGES = lazy(r"(?:^|\s)(?:--fix\b|--write\b|-u\s*$|--update(?:Snapshot)?\b)")


def node_candidates(project: Project) -> Iterator[Candidate]:
    """Package scripts by the right package manager; the tools themselves where no script runs them."""
    if "package.json" not in project:
        return
    manager = _manager(project)
    kinds: set[CheckKind] = set()
    for name, text in package_scripts(project.view, project.folder).items():
        kind = kind_of("", name)
        named = ":" in name or name.startswith(("pre", "post"))
        if kind == "other" or kind in kinds or named or not _is_check(text):
            continue
        kinds.add(kind)
        short = name == "test" and manager != "bun"
        yield Candidate(kind, f"{manager} {'' if short else 'run '}{name}", f"package.json scripts.{name}")
    yield from _tools(project, kinds)


def _is_check(text: str) -> bool:
    """Whether a script ends by itself, changes nothing, and is no placeholder."""
    return bool(text.strip()) and not (_PLACEHOLDER in text or _NEVER_ENDS.search(text) or _CHANGES.search(text))


def _tools(project: Project, kinds: set[CheckKind]) -> Iterator[Candidate]:
    own = package(project.view, project.folder)
    needs = {name for key in ("dependencies", "devDependencies") if isinstance(own.get(key), dict) for name in own[key]}
    tools: tuple[tuple[CheckKind, str, str], ...] = (
        ("test", "vitest", "npx vitest run"),
        ("test", "jest", "npx jest"),
        ("types", "typescript", "npx tsc --noEmit"),
        ("lint", "eslint", "npx eslint ."),
    )
    for kind, name, run in tools:
        if name in needs and kind not in kinds and (name != "typescript" or "tsconfig.json" in project):
            kinds.add(kind)
            yield Candidate(kind, run, f"package.json {name}")


def _manager(project: Project) -> str:
    """The project's own, else that of the workspace it belongs to."""
    for one in (project, *project.above()):
        named = str(package(one.view, one.folder).get("packageManager") or "").split("@", maxsplit=1)[0]
        if named in {"npm", "pnpm", "yarn", "bun"}:
            return named
        lock = next((manager for lock, manager in _MANAGERS if lock in one), None)
        if lock is not None:
            return lock
    return "npm"
