"""Candidates of JavaScript and TypeScript projects."""

from __future__ import annotations

from collections.abc import Iterator

from passdown.checks.found import Candidate
from passdown.checks.kind import kind_of
from passdown.checks.scripts import package, package_scripts
from passdown.checks.tree import TreeView
from passdown.model.session import CheckKind

_MANAGERS = (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun"))
_PLACEHOLDER = "no test specified"


def node_candidates(view: TreeView) -> Iterator[Candidate]:
    """Package scripts by the right package manager; the tools themselves where no script runs them."""
    if "package.json" not in view:
        return
    manager = _manager(view)
    kinds: set[CheckKind] = set()
    for name, text in package_scripts(view).items():
        kind = kind_of("", name)
        if kind == "other" or kind in kinds or _PLACEHOLDER in text or ":" in name or name.startswith(("pre", "post")):
            continue
        kinds.add(kind)
        short = name == "test" and manager != "bun"
        yield Candidate(kind, f"{manager} {'' if short else 'run '}{name}", f"package.json scripts.{name}")
    yield from _tools(view, kinds)


def _tools(view: TreeView, kinds: set[CheckKind]) -> Iterator[Candidate]:
    needs = {
        name
        for key in ("dependencies", "devDependencies")
        if isinstance(package(view).get(key), dict)
        for name in package(view)[key]
    }
    tools: tuple[tuple[CheckKind, str, str], ...] = (
        ("test", "vitest", "npx vitest run"),
        ("test", "jest", "npx jest"),
        ("types", "typescript", "npx tsc --noEmit"),
        ("lint", "eslint", "npx eslint ."),
    )
    for kind, name, run in tools:
        if name in needs and kind not in kinds and (name != "typescript" or "tsconfig.json" in view):
            kinds.add(kind)
            yield Candidate(kind, run, f"package.json {name}")


def _manager(view: TreeView) -> str:
    named = str(package(view).get("packageManager") or "").split("@", maxsplit=1)[0]
    if named in {"npm", "pnpm", "yarn", "bun"}:
        return named
    return next((manager for lock, manager in _MANAGERS if lock in view), "npm")
