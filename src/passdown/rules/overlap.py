"""Whether two changes of one text touch the same lines: what a merge would call a conflict."""

from __future__ import annotations


def overlapping(base: str, ours: str, theirs: str) -> bool:
    """True where both sides changed lines that meet, and not in the same way."""
    if ours == theirs:
        return False
    a, b = _ranges(base, ours), _ranges(base, theirs)
    return any(max(start, other) <= min(end, last) for start, end in a for other, last in b)


def _ranges(old: str, new: str) -> list[tuple[int, int]]:
    """Changed stretches of the old text as (first, last) gaps between lines."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - few commands need it

    matcher = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    return [(i1, i2) for tag, i1, i2, _, _ in matcher.get_opcodes() if tag != "equal"]
