"""What a shell line would obviously do, judged by the hook's own rules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import glob
from itertools import islice

from passdown.guard.hook.answer import DENIED, judge
from passdown.guard.hook.rules import Rules
from passdown.rules.shell_writes import Target, writes
from passdown.workspace import ignoring
from passdown.workspace.generated import generated
from passdown.workspace.git import Git
from passdown.workspace.place import Place

Judged = tuple[str, str, str, str]
_MOST = 2000
_OURS = ("protected", "wrong-place")


def judge_line(rules: Rules, cwd: str, line: str, place: Place) -> list[Judged]:
    """What the line writes outside, as :func:`passdown.guard.hook.answer.judge` gives it.

    A file that is only not listed and that ``.gitignore`` ignores is no part of the work: logs, build folders. Neither
    are caches that nobody tracks, whether a rule names them or not.
    """
    found = dict.fromkeys(each for target in writes(line) for each in _judged(rules, cwd, target))
    refused = [each for each in found if each[0] == DENIED]
    caches = generated(place, [path for _, path, rule, _ in refused if rule not in _OURS])
    refused = [each for each in refused if each[1] not in caches]
    unlisted = [os.fsencode(path) for _, path, rule, _ in refused if rule == "outside"]
    told = ignoring.ask(Git(place.root), unlisted)
    ignored = {path for path, by in zip(unlisted, told, strict=True) if by is not None}
    return [each for each in refused if each[2] != "outside" or os.fsencode(each[1]) not in ignored]


def first_write(rules: Rules, cwd: str, line: str) -> str | None:
    """The first path inside the boundary that the line writes, None where it writes none."""
    found = (each for target in writes(line) for each in _judged(rules, cwd, target))
    return next((path for where, path, rule, _ in found if where != DENIED and rule != "elsewhere"), None)


def _judged(rules: Rules, cwd: str, target: Target) -> Iterator[Judged]:
    folder = os.path.join(cwd, os.path.expanduser(target.folder)) if target.folder else cwd
    for path in _expanded(folder, target):
        if target.gone and not os.path.lexists(os.path.join(folder, path)):
            continue
        judged = judge(rules, folder, path)
        below = os.path.isdir(os.path.join(folder, path))
        if not below or (judged[0] == DENIED and judged[2] != "outside"):
            yield judged
            continue
        for inside in _files(os.path.join(folder, path)):
            yield judge(rules, folder, inside)


def _expanded(folder: str, target: Target) -> list[str]:
    if target.glob:
        return list(islice(sorted(glob(target.path, root_dir=folder, include_hidden=False)), _MOST))
    path = os.path.expanduser(target.path)
    if target.of and os.path.isdir(os.path.join(folder, path)):
        return [os.path.join(path, name) for name in target.of if name]
    return [path]


def _files(folder: str) -> Iterator[str]:
    """The files below, as far as one looks before a command runs."""
    walk = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    yield from islice(walk, _MOST)
