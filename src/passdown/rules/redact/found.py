"""Where secrets stand in a text: lines and rules, never the secret."""

from __future__ import annotations

from collections.abc import Iterable

from passdown.rules.patterns import lazy
from passdown.rules.redact.redactor import Redactor

_MARKER = lazy(r"\[redacted:([\w-]+):[0-9a-f]{8}\]")


def found(text: str, extra: Iterable[str] = ()) -> list[tuple[int, str]]:
    """``(line, rule)`` of each secret, from line 1 on; ``extra``: the policy's regular expressions."""
    clean = Redactor(extra).text(text)
    if clean == text:
        return []
    places, at, done = [], 0, 0
    for marker in _MARKER.finditer(clean):
        kept = clean[done : marker.start()]  # what stands between two secrets stands so in the text
        start = max(text.find(kept, at), at)
        at = start + len(kept)
        if not text.startswith(marker[0], at):  # else it was a marker already
            places.append((text.count("\n", 0, at) + 1, marker[1]))
        done = marker.end()
    return places


def decoded(content: bytes) -> str:
    """The bytes as the text that they most likely are."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    return content.decode("utf-8", "replace")
