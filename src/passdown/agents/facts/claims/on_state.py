"""Claims about the worktree and the forge as they stand: a clean tree, green CI."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.ruling import Ruling, of_run, of_write
from passdown.agents.facts.claims.speech import prose
from passdown.agents.facts.journal import Journal
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
_CLEAN = lazy(
    r"\b(?:working tree|worktree|git status|checkout)\b[^.;]{0,30}\bclean\b|\bclean (?:working tree|worktree)\b", _I
)
_STATUS = lazy(r"\bgit(?: -[cC] \S+| --?[\w-]+)* status\b")
_DIRTY = lazy(r"^(?: ?[MADRCU?!]{1,2}) \S|^\t(?:modified|new file|deleted|renamed):", re.MULTILINE)
_CI = lazy(
    r"\b(?:CI|pipelines?|workflows?|GitHub Actions|PR checks|all checks)\b[^.;]{0,40}\b(?:green|pass\w*|succe\w+)"
    r"|\b(?:green|pass\w*|succe\w+) (?:in|on) (?:the )?(?:CI|pipelines?|GitHub Actions)\b"
)
_LOOK = lazy(r"\bgh (?:pr checks|run (?:view|watch|list)|pr view)\b")
_GOOD = lazy(r"\b(?:pass|success|SUCCESS|completed)\b|\u2713")
_BAD = lazy(r"\bfail|\bpending\b|in_progress|IN_PROGRESS|FAILURE|\bX\b|queued", _I)


def on_clean_tree(text: str, journal: Journal) -> Ruling | None:
    """``the working tree is clean``: the latest ``git status`` says so, and nothing was written since."""
    if not _CLEAN.search(prose(text)):
        return None
    seen = [r for r in journal.ran if r.executed and r.ok is not False and _STATUS.search(r.command)]
    if not seen:
        return Ruling("UNSUPPORTED", "no `git status` ran in this session")
    last = seen[-1]
    edit = journal.edit_after(last.ended or last.seq)
    if _DIRTY.search(last.output) or edit:
        return Ruling("UNSUPPORTED", of_run(last) + (f"; then {of_write(edit)}" if edit else ""))
    return Ruling("SUPPORTED", of_run(last))


def on_ci(text: str, journal: Journal) -> Ruling | None:
    """``CI is green``: the latest look at the forge's checks shows them passed, none failed or pending."""
    if not _CI.search(text):
        return None
    looked = [r for r in journal.ran if r.executed and _LOOK.search(r.command)]
    if not looked:
        return None
    last = looked[-1]
    good = last.ok is True and _GOOD.search(last.output) and not _BAD.search(last.output)
    return Ruling("SUPPORTED", of_run(last)) if good else None
