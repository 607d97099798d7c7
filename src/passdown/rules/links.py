"""Where a symbolic link leads, by names alone (case L3)."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

_HOPS = 40


def leads_to(path: str, target: str, links: Mapping[str, str]) -> str | None:
    """The repository path that the link at ``path`` means, or None where it leaves the repository or never ends."""
    todo = _parts(posixpath.join(posixpath.dirname(path), target)) if not target.startswith("/") else None
    done: list[str] = []
    hops = 0
    while todo:
        part = todo.pop(0)
        if part == "..":
            if not done:
                return None
            done.pop()
            continue
        here = "/".join([*done, part])
        if here in links and here != path:
            hops += 1
            if hops > _HOPS or links[here].startswith("/"):
                return None
            todo = _parts(links[here]) + todo
        else:
            done.append(part)
    return None if todo is None else "/".join(done)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]
