"""What was tried and failed the same way, and what was taken back."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from msgspec import structs

from passdown.agents.facts.effects import writes_text
from passdown.agents.facts.journal import Check, Journal, Ran, between, in_project
from passdown.agents.facts.reading import read_line
from passdown.model.session import DeadEnd
from passdown.rules.command import key
from passdown.rules.patterns import lazy
from passdown.rules.shell import Call
from passdown.rules.shell_words import program, unwrap

_VARYING = lazy(r"0x[0-9a-f]+|\d+(?:\.\d+)?\s*(?:ms|s)\b|\d{2}:\d{2}:\d{2}\S*|\d+")
_TAKING = {"restore", "checkout", "reset", "stash", "revert"}
_OLDER = lazy(r"HEAD(?:~\d*|\^+)|[0-9a-f]{7,40}")
_SIDES = {"--ours", "--theirs", "--conflict", "--merge", "-m"}  # the end of a conflict
_KEEPING = {"pop", "apply", "list", "show", "drop", "clear", "branch", "create", "store"}
_VAGUE = lazy(r"(?:build|setup) failed")
_FAILING = 20
_SHOWN = 3


def dead_ends(journal: Journal) -> list[DeadEnd]:
    """Checks that failed again the same way although files were edited between, then edits undone."""
    return [*_repeated(journal), *_undone(journal), *_edited_back(journal)]


def _repeated(journal: Journal) -> list[DeadEnd]:
    failed: dict[tuple[str, str, str], list[Check]] = {}
    for check in journal.checks:
        if check.seen.result == "FAILED" and check.seen.error_line:
            for name in _ways(check):
                failed.setdefault(name, []).append(check)
    found: dict[tuple[int, ...], DeadEnd] = {}
    for way, checks in failed.items():
        tries = 1 + sum(_edited_between(a, b, journal) for a, b in itertools.pairwise(checks))
        if tries > 1:
            last = checks[-1].seen
            told = _told(checks[-1], way[1]) or last.error_line or ""
            end = DeadEnd(command=last.command, error=told, tries=tries, record=last.record)
            found.setdefault(tuple(check.seq for check in checks), end)
    return list(found.values())


def _ways(check: Check) -> list[tuple[str, str, str]]:
    """How it failed: each failing test of its tool with its error, else its command and error line; numbers aside."""
    calls = read_line(check.seen.command).checks
    tool = program(unwrap(calls[-1][1].words)[0]) if calls else ""
    line = check.seen.error_line or ""
    tests = [(tool, name, _VARYING.sub("#", _told(check, name) or line)) for name in check.seen.failing[:_FAILING]]
    return tests or [(_same_command(check.seen.command), "", _VARYING.sub("#", line))]


def _told(check: Check, name: str) -> str:
    """The error of one failing test, "" where it says no more than that it failed."""
    error = check.seen.first_errors.get(name, "")
    return "" if _VAGUE.fullmatch(error) else error


def _same_command(command: str) -> str:
    """A command without what only shapes its output or says where it runs."""
    bare = key(command)
    if bare is not None:
        return " ".join(bare[1])
    return re.sub(r"\s*(?:2>&1|\|\s*(?:tail|head|grep|tee)\b[^|;&]*)", "", " ".join(command.split())).strip()


def _edited_between(a: Check, b: Check, journal: Journal) -> bool:
    if journal.edit_after(a.seq, before=b.seq) is not None:
        return True
    ran = itertools.takewhile(lambda one: one.seq < b.seq, journal.ran_after(a.seq))
    return any(one.ok is not False and writes_text(one.command) for one in ran)


def _undone(journal: Journal) -> Iterator[DeadEnd]:
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
            names = ", ".join(taken[:_SHOWN]) + (" and others" if len(taken) > _SHOWN else "")
            error = f"edits of this session to {names} were undone"
            yield DeadEnd(command=ran.text, error=error, tries=1, record=ran.record)


def _taken_back(ran: Ran, edited: list[str], journal: Journal) -> list[str]:
    """Those of the files ``edited`` before it whose edits this command throws away."""
    taken: list[str] = []
    for verb, call in read_line(ran.command).git:
        mine = [path for path in edited if in_project(path, journal.cwd)]
        if verb in {"restore", "checkout"}:
            taken += _restored(verb, call, edited, journal)
        elif verb == "reset" and "--hard" in call.words:
            older = any(_OLDER.fullmatch(word) for word in call.words[2:])
            taken += mine if older or not _committed_since(ran, journal) else []
        elif verb == "stash" and _KEEPING.isdisjoint(call.words):
            taken += mine if not _taken_out_again(ran, journal) and not _committed_since(ran, journal) else []
        elif verb == "revert" and not {"--abort", "--continue", "--skip"} & set(call.words):
            taken += mine if _own_commit(call, ran, journal) else []
    return list(dict.fromkeys(taken))


def _restored(verb: str, call: Call, edited: list[str], journal: Journal) -> list[str]:
    if (verb == "restore" and "--staged" in call.words and "--worktree" not in call.words) or (
        not _SIDES.isdisjoint(call.words)
    ):
        return []
    named = [word.removeprefix("./").rstrip("/") or "." for word in call.words[2:] if not word.startswith("-")]
    return [path for path in edited if any(_covers(name, journal.inside(path)) for name in named)]


def _covers(name: str, path: str) -> bool:
    return name in {".", path} or path.endswith("/" + name) or path.startswith(name + "/")


def _taken_out_again(ran: Ran, journal: Journal) -> bool:
    after = (r for r in journal.ran_after(ran.seq) if "stash" in r.verbs)
    return any(re.search(r"\bstash (?:pop|apply)\b", r.command) for r in itertools.chain((ran,), after))


def _own_commit(call: Call, ran: Ran, journal: Journal) -> bool:
    """The commit that is reverted was made in this session."""
    commits = [r for r in journal.ran if r.seq < ran.seq and r.ok is not False and "commit" in r.verbs]
    named = [word for word in call.words[2:] if not word.startswith("-")]
    return bool(commits) and any(
        word == "HEAD" or (_OLDER.fullmatch(word) and any(word[:7] in r.output for r in commits)) for word in named
    )


def _committed_since(ran: Ran, journal: Journal) -> bool:
    """A commit after the last edit: a hard reset then throws away history, not a try."""
    last = next((w.seq for w in reversed(between(journal.written, -1, ran.seq)) if w.ok), -1)
    return any(r.seq < ran.seq and r.ok is not False and "commit" in r.verbs for r in journal.ran_after(last))


def _edited_back(journal: Journal) -> list[DeadEnd]:
    """Replacements that later edits of the same file exactly take back, one a file."""
    made: dict[tuple[str, str, str], int] = {}
    found: dict[str, DeadEnd] = {}
    for write in journal.written:
        event = write.event
        added, removed = event.added.strip(), event.removed.strip()
        if not write.ok or not added or not removed or added == removed:
            continue
        earlier = made.pop((event.path, removed, added), None)
        if earlier is not None:
            error = f"the edit of record {earlier} was taken back"
            end = found.get(event.path) or DeadEnd(command=f"edit of {event.path}", error=error, tries=0)
            found[event.path] = structs.replace(end, tries=end.tries + 1, record=event.record)
        else:
            made[event.path, added, removed] = event.record
    return list(found.values())
