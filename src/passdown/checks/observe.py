"""One run of a command: in the worktree, or on a frozen copy of a tree."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.checks import reports
from passdown.checks.environment import environment, grown
from passdown.checks.look import Changed, Seen, changed, changed_copy, look, look_at_copy
from passdown.checks.output import Output, Sink
from passdown.checks.process import Ended, Mounts, run
from passdown.checks.reading import read_report
from passdown.checks.reports.summary import Summary
from passdown.checks.tree import TreeView
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint, Isolated
from passdown.rules.result import Report
from passdown.workspace.place import Place

if TYPE_CHECKING:
    from passdown.checks.copy import Copy


class Wanted(Struct, frozen=True):
    """One run to be made. ``env``: its variables; ``live``: where its output is shown; ``cwd``: below the root.

    ``within``: the words before the command that have it run.
    """

    definition: CheckDefinition
    now: datetime
    env: Mapping[str, str]
    live: Sink | None = None
    cwd: str = "."
    within: Sequence[str] = ()


class Observed(Struct, frozen=True):
    """All that one run showed; ``root`` holds the files that it ran on."""

    argv: list[str]
    seen: Seen
    environment: EnvironmentFingerprint
    output: Output
    ended: Ended
    changed: Changed
    report: Report
    reported: Summary
    root: Path
    isolated: Isolated | None = None


def here(place: Place, seen: Seen, wanted: Wanted) -> Observed:
    """Run it in the worktree."""
    surroundings = environment(seen.view, wanted.definition, env=wanted.env)
    ran = _run(wanted, place.root, place.root, None)
    surroundings = grown(surroundings, seen.view, wanted.definition, wanted.env)
    return _observed(ran, seen, surroundings, changed(place, seen))


def frozen(place: Place, seen: Seen, wanted: Wanted) -> Observed:
    """Run it on a copy of what was seen; one that cannot stand in the worktree's place needs a still worktree too."""
    from passdown.checks.copy import copy_of  # noqa: PLC0415 - what few runs need

    with copy_of(seen.view, place.head, wanted.definition) as copy:
        observed = _in_copy(copy, seen.view, wanted)
        moved = changed(place, seen) if copy.how == "beside" else Changed()
    if seen.watch is not None:
        seen.watch.close()
    if observed.seen.inputs.fingerprint != seen.inputs.fingerprint:
        raise PassdownError(
            "the frozen copy is not what was seen: the worktree changed meanwhile, or holds what a copy cannot",
            "run it again, or without --isolated",
            EXIT_UNDECIDED,
        )
    after = observed.changed
    tree = seen.view.tree if after.tree == observed.seen.view.tree else after.tree
    both = replace(after, tree=tree, paths=[*after.paths, *moved.paths])
    return replace(observed, seen=seen, changed=both)


def restored(place: Place, seen: Seen, base: TreeView, wanted: Wanted) -> Observed:
    """Run it on a copy of what was seen in which what it protects is as the base has it."""
    from passdown.checks.copy import copy_of  # noqa: PLC0415 - what few runs need

    if seen.watch is not None:
        seen.watch.close()
    with copy_of(seen.view, place.head, wanted.definition, base) as copy:
        return _in_copy(copy, seen.view, wanted, restored_=True)


def elsewhere(view: TreeView, commit: str, wanted: Wanted) -> Observed:
    """Run it on another commit's tree, with the dependencies that are there today."""
    from passdown.checks.copy import copy_of  # noqa: PLC0415 - what few runs need

    with copy_of(view, commit, wanted.definition) as copy:
        return _in_copy(copy, view, wanted)


class _Ran(Struct, frozen=True):
    argv: list[str]
    output: Output
    ended: Ended
    report: Report
    reported: Summary
    root: Path


def _in_copy(copy: Copy, view: TreeView, wanted: Wanted, *, restored_: bool = False) -> Observed:
    """``restored_``: some of its files are not ``view``'s."""
    surroundings = environment(view, wanted.definition, env=wanted.env)
    seen = look(copy.place, wanted.definition) if restored_ else look_at_copy(copy.place, view, wanted.definition)
    root = view.place.root if copy.how == "mounted" else copy.place.root
    with copy.linked():
        ran = _run(wanted, copy.place.root, root, copy.mounts)
    after = changed(copy.place, seen, alone=True) if restored_ else changed_copy(copy.place, seen)
    return replace(_observed(ran, seen, surroundings, after), isolated=copy.how)


def _observed(ran: _Ran, seen: Seen, surroundings: EnvironmentFingerprint, after: Changed) -> Observed:
    return Observed(ran.argv, seen, surroundings, ran.output, ran.ended, after, ran.report, ran.reported, ran.root)


def _run(wanted: Wanted, files: Path, root: Path, mounts: Mounts | None) -> _Ran:
    """``files``: where the report will stand for us; ``root``: where the check finds itself."""
    definition = wanted.definition
    argv = ["/bin/sh", "-c", definition.run] if isinstance(definition.run, str) else list(definition.run)
    report = files / definition.report if definition.report else None
    before = reports.stamp(report) if report else None
    begun = _file_time(report) if report else 0
    output = Output(wanted.live)
    ended = run([*wanted.within, *argv], root / wanted.cwd, wanted.env, output, definition.timeout, mounts=mounts)
    if report is None:
        return _Ran(argv, output, ended, Report(), Summary(), files)
    found, summary = read_report(report, before, definition.report_format, begun)
    return _Ran(argv, output, ended, found, summary, files)


def _file_time(report: Path) -> int:
    """Now, in nanoseconds, by the clock that stamps the report."""
    import tempfile  # noqa: PLC0415 - what few runs need

    folder = next(folder for folder in report.parents if folder.is_dir() and os.access(folder, os.W_OK))
    with tempfile.TemporaryFile(dir=folder) as file:
        return os.fstat(file.fileno()).st_mtime_ns
