"""What stood between a failed check and a statement that could have made the statement true."""

from __future__ import annotations

import posixpath

from passdown.agents.facts.claims.ruling import of_run, of_write
from passdown.agents.facts.effects import may_change
from passdown.agents.facts.journal import Check, Journal, in_project, is_document
from passdown.agents.facts.reading import read_line
from passdown.agents.facts.shell_edits import edit_by_shell
from passdown.agents.facts.tools import mends
from passdown.model.session import CheckKind
from passdown.rules.shell_words import program, unwrap

_COMPILERS = {
    *(
        "go",
        "cargo",
        "rustc",
        "tsc",
        "vue-tsc",
        "tsgo",
        "dotnet",
        "msbuild",
        "gradle",
        "gradlew",
        "mvn",
        "mvnw",
        "sbt",
        "swift",
    ),
    *("xcodebuild", "cmake", "ninja", "mix", "stack", "cabal", "zig", "flutter", "tsup", "py_compile", "compileall"),
}
_CODE_ALONE = {"test", "types"}  # a linter may read prose, a build may be one of documents


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
        if ran.executed and ran.ok is not False and (mends(ran.command, kind) or may_change(ran.command)):
            return of_run(ran)
    return None


def edited_after(seq: int, journal: Journal, *, code: bool = True) -> str | None:
    """What edited the project after that point, in one line: a write, or a command that plainly edits code."""
    write = journal.edit_after(seq, code=code)
    if write is not None:
        return of_write(write)
    ran = edit_by_shell(journal, seq)
    return of_run(ran) if ran is not None else None


def _posix(path: str) -> str:
    r"""``/d/app`` of ``D:\app``: shells on Windows say either."""
    if path[1:2] == ":" and path[:1].isalpha():
        path = f"/{path[0].lower()}{path[2:]}"
    return path.replace("\\", "/") if "\\" in path else path


def reads_prose(check: Check) -> bool:
    """Whether its result may depend on documents: a build that is no plain compiler's may be one of pages."""
    if check.seen.kind != "build":
        return False
    calls = read_line(check.seen.command).checks
    return not calls or not {program(unwrap(call.words)[0]) for _, call in calls} <= _COMPILERS


def ran_here(check: Check, journal: Journal) -> bool:
    """Whether a check ran in the project, or where the session wrote: not in another one beside it."""
    if journal.cwd is None or check.seen.cwd is None:
        return True
    calls = read_line(check.seen.command).checks
    folder = calls[-1][1].folder if calls else None
    place = posixpath.normpath(posixpath.join(_posix(check.seen.cwd), _posix(folder or "."))) + "/"
    base = _posix(journal.cwd).rstrip("/") + "/"
    if folder is not None and folder.startswith(("~", "$")):
        return True
    if place.startswith(base) or base.startswith(place):
        return True
    return any(_posix(write.event.path).startswith(place) for write in journal.written)
