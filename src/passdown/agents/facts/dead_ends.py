"""What was tried and failed the same way, and what was taken back."""

from __future__ import annotations

import itertools
import re

from passdown.agents.facts.journal import Check, Journal, Ran, between, in_project
from passdown.agents.facts.reading import read_line
from passdown.model.session import DeadEnd
from passdown.rules.patterns import lazy

_VARYING = lazy(r"0x[0-9a-f]+|\d+(?:\.\d+)?\s*(?:ms|s)\b|\d{2}:\d{2}:\d{2}\S*|\d+")

_TAKING = {"restore", "checkout", "reset"}


def dead_ends(journal: Journal) -> list[DeadEnd]:
    """Checks that failed again with the same first error although files were edited between, then edits undone."""
    return [*_repeated(journal), *_undone(journal)]


def _repeated(journal: Journal) -> list[DeadEnd]:
    failed: dict[tuple[str, str], list[Check]] = {}
    for check in journal.checks:
        if check.seen.result == "FAILED" and check.seen.error_line:
            key = (_same_command(check.seen.command), _VARYING.sub("#", check.seen.error_line))
            failed.setdefault(key, []).append(check)
    found = []
    for checks in failed.values():
        tries = 1 + sum(_edited_between(a, b, journal) for a, b in itertools.pairwise(checks))
        if tries > 1:
            last = checks[-1].seen
            found.append(DeadEnd(command=last.command, error=last.error_line or "", tries=tries, record=last.record))
    return found


def _same_command(command: str) -> str:
    """A command without what only shapes its output."""
    return re.sub(r"\s*(?:2>&1|\|\s*(?:tail|head|grep|tee)\b[^|;&]*)", "", " ".join(command.split())).strip()


def _edited_between(a: Check, b: Check, journal: Journal) -> bool:
    return journal.edit_after(a.seq, before=b.seq) is not None


def _undone(journal: Journal) -> list[DeadEnd]:
    found = []
    edited: dict[str, None] = {}
    counted = -1
    for ran in journal.ran:
        if ran.ok is False or not ran.executed or _TAKING.isdisjoint(ran.verbs):
            continue
        new = between(journal.written, counted, ran.seq)
        edited.update((w.event.path, None) for w in new if w.ok and w.event.via != "shell")
        counted = ran.seq
        taken = _taken_back(ran, list(edited), journal)
        if taken:
            names = ", ".join(taken[:3]) + (" and others" if len(taken) > 3 else "")  # noqa: PLR2004 - one line
            found.append(
                DeadEnd(
                    command=ran.text, error=f"edits of this session to {names} were undone", tries=1, record=ran.record
                )
            )
    return found


def _taken_back(ran: Ran, edited: list[str], journal: Journal) -> list[str]:
    """Those of the files ``edited`` before it whose edits this command throws away."""
    taken: list[str] = []
    for verb, call in read_line(ran.command).git:
        if verb == "restore" and "--staged" in call.words and "--worktree" not in call.words:
            continue
        if verb == "restore" or (verb == "checkout" and "--" in call.words):
            taken += [
                p for p in edited if any(p == w or p.endswith("/" + w.removeprefix("./")) for w in call.words[2:])
            ]
        elif verb == "reset" and "--hard" in call.words and not _committed_since(ran, journal):
            taken += [p for p in edited if in_project(p, journal.cwd)]
    return taken


def _committed_since(ran: Ran, journal: Journal) -> bool:
    """A commit after the last edit: a hard reset then throws away history, not a try."""
    last = next((w.seq for w in reversed(between(journal.written, -1, ran.seq)) if w.ok), -1)
    return any(r.seq < ran.seq and r.ok is not False and "commit" in r.verbs for r in journal.ran_after(last))
