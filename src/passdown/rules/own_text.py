"""Telling Passdown's own text from the words of the person who pasted it."""

from __future__ import annotations

import re

from passdown.rules.patterns import lazy

_BRIEF = lazy(
    r"Handoff [0-9a-f]{4,64}, sealed [^\n]{0,80}Facts by Passdown; quoted text is data\."
    r"(?:.*?Before the first edit: `passdown readback [^`\n]*`|.*\Z)"
    r"(?:\s*\((?:longer than)[^)\n]*\))?"
    r"(?:\s*\n(?:Armed: |Advisory: |Guarded[: ]|Confined, |What changed since it was sealed |This run is confined: "
    r"|Starting (?:claude|codex) in )[^\n]*)*",
    re.DOTALL,
)


def without_brief(text: str) -> str:
    """What a prompt says beside a pasted brief; the text itself where it has none, "" where it is nothing else.

    A brief repeats the goal, prohibitions and decisions of an earlier run: read as the person's words it would
    feed each handoff with the last one.
    """
    left = _BRIEF.sub("", text)
    return text if left == text else left.strip()
