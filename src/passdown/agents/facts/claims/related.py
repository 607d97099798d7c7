"""What stood between a failed check and a statement that could have made the statement true."""

from __future__ import annotations

import posixpath

from passdown.agents.facts.claims.ruling import of_run, of_write
from passdown.agents.facts.journal import Check, Journal, Ran, in_project, is_document
from passdown.agents.facts.reading import read_line
from passdown.agents.facts.tools import mends
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program, unwrap

_CODE_ALONE = {"test", "types"}  # a linter may read prose, a build may be one of documents
_LOOKING = {
    "cd", "echo", "printf", "cat", "ls", "pwd", "true", "false", "export", "set", "head", "tail", "sort", "uniq", "wc",
    "grep", "egrep", "fgrep", "rg", "ag", "sleep", "which", "whoami", "uname", "stat", "file", "tree", "diff", "nl",
    "cut", "tr", "column", "jq", "less", "find", "fd", "ps", "du", "df", "basename", "dirname", "realpath", "test",
    "type", "command", "gh", "glab", "wait", "exit", "sed", "awk", "kill", "date", "Get-Content", "Get-ChildItem",
    "Select-String", "Select-Object",
}  # fmt: skip
_RECORDING = {
    "status", "diff", "log", "show", "add", "commit", "push", "fetch", "branch", "blame", "ls-files", "rev-parse",
    "remote", "tag", "config", "describe", "reflog", "shortlog", "cat-file", "ls-tree", "merge-base", "rev-list",
    "for-each-ref",
}  # fmt: skip
_WRITING = lazy(
    r"\bsed\b.* (?:-i|--in-place)|-delete\b|-exec\b|(?<![0-9&<=-])>{1,2}\s*(?!/dev/null|/tmp/|&)[\w./\"'$~]"
)


def change_between(kind: CheckKind, after: int, before: int, journal: Journal) -> str | None:
    """The first thing between two points that bears on checks of ``kind``, in one line; None where there was none."""
    code = kind in _CODE_ALONE
    write = journal.edit_after(after, code=code, before=before)
    if write is not None:
        return of_write(write)
    for seq, path in journal.person_edits:
        if after < seq < before and in_project(path, journal.cwd) and not (code and is_document(journal.inside(path))):
            return f"{path} changed from outside"
    if any(after < seq < before for seq in journal.helpers):
        return "a subagent started, whose edits need not show"
    for ran in journal.ran_after(after):
        if ran.seq >= before:
            break
        if ran.executed and ran.ok is not False and (mends(ran.command, kind) or _may_change(ran)):
            return of_run(ran)
    return None


def ran_here(check: Check, journal: Journal) -> bool:
    """Whether a check ran in the project, or where the session wrote: not in another one beside it."""
    if journal.cwd is None or check.seen.cwd is None:
        return True
    calls = read_line(check.seen.command).checks
    folder = calls[-1][1].folder if calls else None
    place = posixpath.normpath(posixpath.join(check.seen.cwd, folder or ".")) + "/"
    base = journal.cwd.rstrip("/") + "/"
    if folder is not None and folder.startswith(("~", "$")):
        return True
    if place.startswith(base) or base.startswith(place):
        return True
    return any(write.event.path.startswith(place) for write in journal.written)


def _may_change(ran: Ran) -> bool:
    """Any program may have changed files but those that only look, record in git, or are checks themselves."""
    line = read_line(ran.command)
    checks = {id(call) for _, call in line.checks}
    if _WRITING.search(ran.command) or not line.all:
        return True
    for call in line.all:
        words = unwrap(call.words)
        name = program(words[0]) if words else ""
        if id(call) in checks or name in _LOOKING:
            continue
        if name != "git" or not all(verb in _RECORDING for verb, one in line.git if one is call):
            return True
    return False
