"""One entry more in a TOML text; every other byte stays."""

from __future__ import annotations

from passdown.errors import PassdownError
from passdown.rules.learn.proposals import Edit


def edited(text: str, edit: Edit, *, name: str, prefix: str = "") -> str:
    """The text with the entry; PassdownError where it cannot be put in by itself. ``prefix``: ``tool.passdown.``."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    header = f"[{prefix}{edit.table}]"
    at = next((n for n, line in enumerate(lines) if line.split("#")[0].strip() == header), None)
    if at is None:
        gap = ["\n"] if lines else []
        return "".join([*lines, *gap, f"{header}\n", _entry(edit)])
    end = next((n for n in range(at + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    there = next((n for n in range(at + 1, end) if lines[n].partition("=")[0].strip() == edit.key), None)
    if there is None:
        return "".join([*lines[: at + 1], _entry(edit), *lines[at + 1 :]])
    if not edit.listed:
        raise PassdownError(
            f"{name}:{there + 1}: {edit.key} is set already", "change it by hand, or refuse the proposal"
        )
    line = lines[there].rstrip()
    if not line.endswith("]") or "#" in line:
        raise PassdownError(
            f"{name}:{there + 1}: {edit.key} is a list over several lines", f"add it by hand: {edit.value}"
        )
    inner = line[:-1].rstrip().removesuffix(",")
    lines[there] = f"{inner}{'' if inner.endswith('[') else ', '}{edit.value}]\n"
    return "".join(lines)


def _entry(edit: Edit) -> str:
    return f"{edit.key} = [{edit.value}]\n" if edit.listed else f"{edit.key} = {edit.value}\n"
