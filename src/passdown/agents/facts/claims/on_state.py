"""Claims about the worktree and the forge as they stand: a clean tree, green CI."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.on_checks import partly
from passdown.agents.facts.claims.related import edited_after
from passdown.agents.facts.claims.ruling import Ruling, of_run, of_write
from passdown.agents.facts.claims.speech import prose
from passdown.agents.facts.journal import Journal, Ran
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
_CLEAN = lazy(
    r"\b(?:working tree|worktree|git status|checkout)\b[^.;]{0,30}\bclean\b|\bclean (?:working tree|worktree)\b", _I
)
_STATUS = lazy(r"\bgit(?: -[cC] \S+| --?[\w-]+)* status\b")
_DIRTY = lazy(r"^(?: ?[MADRCU?!]{1,2}) \S|^\t(?:modified|new file|deleted|renamed):", re.MULTILINE)
_COVERAGE = lazy(r"\bcoverage\b(?! (?:threshold|target|goal|minimum))[^.;]{0,32}?(\d+(?:\.\d+)?) ?%", _I)
_MEASURED = lazy(
    r"^(?:TOTAL\s|All files\s|\s*(?:Statements|Lines)\s*:|coverage: |[^\n%]{0,40}\btotal coverage\b|total:\s).*%.*$",
    re.MULTILINE | _I,
)
_CI = lazy(
    r"\b(?:CI|pipelines?|workflows?|GitHub Actions|PR checks|all checks)\b[^.;]{0,40}\b(?:green|pass\w*|succe\w+)"
    r"|\b(?:green|pass\w*|succe\w+) (?:in|on) (?:the )?(?:CI|pipelines?|GitHub Actions)\b"
)
_LOOK = lazy(r"\bgh (?:pr checks|run (?:view|watch|list)|pr view)\b")
_NONE_OF = lazy(r"\b0 (?:cancelled|failing|pending|skipped|failed)\b")
_RED = lazy(r"^[^\t\n]+\tfail\t", re.MULTILINE)
_GOOD = lazy(r"\b(?:pass|success(?:ful)?|SUCCESS|completed)\b|\u2713")
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


def on_coverage(text: str, journal: Journal) -> Ruling | None:
    """``coverage is at 91 %``: the latest output that speaks of it shows that number."""
    said = _COVERAGE.search(prose(text))
    if said is None:
        return None
    shown = [r for r in journal.ran if r.check is not None and _MEASURED.search(r.output)]
    if not shown:
        return Ruling("UNSUPPORTED", "no coverage was measured in this session")
    last = shown[-1]
    if (
        re.search(rf"(?<![\d.]){re.escape(said[1])}(?:\.0+)? ?%?(?!\d)", "\n".join(_MEASURED.findall(last.output)))
        is None
    ):
        return Ruling("UNSUPPORTED", f"that number is not in its output: {of_run(last)}", last.command)
    edit = edited_after(last.ended or last.seq, journal)
    return (
        Ruling("STALE", f"{of_run(last)}; then {edit}", last.command)
        if edit
        else Ruling("SUPPORTED", of_run(last), last.command)
    )


def on_ci(text: str, journal: Journal) -> Ruling | None:
    """``CI is green``: the latest look at the forge's checks shows them passed, none failed or pending."""
    if not _CI.search(text):
        return None
    looked = [r for r in journal.ran if r.executed and _LOOK.search(r.command)]
    if not looked:
        return None
    last = looked[-1]
    shown = _NONE_OF.sub(" ", last.output)
    if last.ok is True and _GOOD.search(shown) and not _BAD.search(shown):
        return Ruling("SUPPORTED", of_run(last))
    red = "pr checks" in last.command and last.exit == 1 and _RED.search(last.output)
    return (
        Ruling("CONTRADICTED", of_run(last)) if red and not partly(text) and not _pushed_after(last, journal) else None
    )


def _pushed_after(looked: Ran, journal: Journal) -> bool:
    return any(not {"push", "run rerun"}.isdisjoint(ran.verbs) for ran in journal.ran_after(looked.seq))
