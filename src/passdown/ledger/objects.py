"""The objects of the store against their own names, chains and kept content alike."""

from __future__ import annotations

import re
from pathlib import Path

from passdown.ledger.alarm import Alarm
from passdown.rules.amount import amount
from passdown.workspace.store_git import store_git

_MOST = 8
_GONE = "is missing"
# What git thinks of a kept file's content is no matter here; the rest only repeats or explains.
_ASIDE = re.compile(
    r"(?:error|warning) in (?:blob|tree|commit|tag) |warning: |notice: |dangling |broken link |\s+to |error: inflate: "
)
_ID = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])")
_LOOSE = re.compile(r"objects/([0-9a-f]{2})/([0-9a-f]{38,62})(?![0-9a-f])")
_REF = re.compile(r"(refs/\S+): (?:invalid sha1 pointer|not a commit|badRefContent)")


def broken(store: Path, *, partial: bool) -> list[Alarm]:
    """Objects that are damaged, not what their name says, or missing: one alarm each, ``commit`` its name.

    ``partial``: the clone lacks some by itself.
    """
    if not store.is_dir():
        return []
    running = store_git(store).start("fsck", "--full", "--no-dangling", "--no-reflogs", "--no-progress")
    out, err = running.process.communicate()
    found: dict[str, str] = {}
    for line in (err + out).decode("utf-8", "backslashreplace").splitlines():
        if line.strip() and not _ASIDE.match(line):
            key, text = _told(line)
            if not (partial and text.endswith(_GONE)):
                found[key] = text if key not in found or _GONE in found[key] else found[key]
    told = [Alarm("object", text, commit=key if _ID.fullmatch(key) else "") for key, text in found.items()]
    more = [Alarm("object", f"and {amount(len(told) - _MOST, 'more', 'more')}")] if len(told) > _MOST else []
    return told[:_MOST] + more


def _told(line: str) -> tuple[str, str]:
    """What a line of git's is about (an object, a ref or a pack), and the line as we say it."""
    ref = _REF.search(line)
    if ref is not None:
        return ref[1], f"{ref[1]} leads to no object"
    loose = _LOOSE.search(line)
    name = loose[1] + loose[2] if loose is not None else next(iter(_ID.findall(line)), "")
    pack = ".pack" in line or "Packfile index" in line
    if name and line.startswith("missing "):
        return name, f"{line.split()[1]} {name[:12]} {_GONE}"
    if "mismatch, found at" in line:
        return name, f"object {name[:12]} is another one than its name says"
    if name and not pack:
        return name, f"object {name[:12]} is damaged"
    if pack:
        file = re.search(r"pack-([0-9a-f]{8})", line)
        return f"pack {file[1] if file else ''}", f"pack {file[1] if file else ''} is damaged or cut short"
    return line, line.removeprefix("error: ").removeprefix("fatal: ")
