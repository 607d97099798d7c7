"""Agents' settings files: our hook entries beside what is there, and out again; nothing else in them changes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from passdown.errors import PassdownError

_OURS = "passdown/guard/hook.sh"
_INDENT = re.compile(rb"\n([ \t]+)\S")


def merged(content: bytes | None, entries: Mapping[str, Sequence[Any]], name: str) -> bytes:
    """The file with our entries; as it was where they stand in it already. PassdownError where it is no JSON object."""
    settings = read(content, name)
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or any(not isinstance(groups, list) for groups in hooks.values()):
        raise PassdownError(f"{name}: hooks has a shape that Passdown does not know", "nothing was changed")
    wanted = {event: [*_others(hooks.get(event, [])), *groups] for event, groups in entries.items()}
    if all(hooks.get(event) == groups for event, groups in wanted.items()):
        return content or b"{}\n"
    return write({**settings, "hooks": {**hooks, **wanted}}, content)


def without(content: bytes, name: str) -> bytes | None:
    """The file without our entries; None where it held nothing else."""
    settings = read(content, name)
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return content
    kept = {event: _others(groups) for event, groups in hooks.items()}
    kept = {event: groups for event, groups in kept.items() if groups or not hooks[event]}
    if kept == hooks:
        return content
    rest = {key: value for key, value in settings.items() if key != "hooks"} | ({"hooks": kept} if kept else {})
    return write(rest, content) if rest else None


def present(content: bytes | None) -> bool:
    """Whether our entries stand in the file."""
    return content is not None and _OURS.encode() in content


def _others(groups: Any) -> list[Any]:
    return [group for group in groups if _OURS not in json.dumps(group)] if isinstance(groups, list) else groups


def read(content: bytes | None, name: str) -> dict[str, Any]:
    """The settings that a file holds; PassdownError where it is no JSON object."""
    if content is None or not content.strip():
        return {}
    try:
        settings = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise PassdownError(
            f"{name} is no JSON that can be read: {error}", "mend it first; nothing was changed"
        ) from error
    if not isinstance(settings, dict):
        raise PassdownError(f"{name} holds no JSON object", "mend it first; nothing was changed")
    return settings


def write(settings: Mapping[str, Any], like: bytes | None) -> bytes:
    """As JSON, indented as it was, not one letter escaped that was not."""
    found = _INDENT.search(like or b"")
    indent = found[1].decode("ascii") if found else "  "
    plain = like is None or b"\\u" not in like
    text = json.dumps(settings, indent=indent, ensure_ascii=not plain)
    return text.encode("utf-8", "surrogatepass") + (b"\n" if like is None or like.endswith(b"\n") or not like else b"")
