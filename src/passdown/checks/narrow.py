"""Running some tests alone: the command that names them, and what its output says of each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from typing import NamedTuple

from passdown.rules import command
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program

MOST = 40
"""More failing tests than these are not named one by one: the whole check runs."""
_PYTEST = lazy(r"^PASSED (\S+?\.py::\S.*?)\s*$", re.MULTILINE)
_GO = lazy(r"^\s*--- PASS: (\S+)", re.MULTILINE)
_CARGO = lazy(r"^test ([\w:]+) \.\.\. ok$", re.MULTILINE)
_TICK = lazy(r"^\s*[\u2713\u2714\u221a] (.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$", re.MULTILINE)
_UNITTEST = lazy(r"^(\w+ \([\w.]+\))(?:\n.*?)? \.\.\. ok$", re.MULTILINE)


class Runner(NamedTuple):
    """``words`` to append for these tests; ``passed`` finds in an output the names of those that passed."""

    words: Callable[[Sequence[str]], list[str]]
    passed: Callable[[str], list[str]]


def narrow(run: str | list[str], failing: Sequence[str]) -> str | list[str] | None:
    """The command for the failing tests alone; None where its runner takes no names, or the command hides it."""
    runner = _runner(run)
    if runner is None or not failing or len(failing) > MOST:
        return None
    more = runner.words(failing)
    if not more:
        return None
    if not isinstance(run, str):
        return [*run, *more]
    judged = command.judged(run)
    if not run.rstrip().endswith(judged[-1][-1]):  # a redirection, a pipe or a comment follows
        return None
    return f"{run.rstrip()} {shlex.join(more)}"


def passed(run: str | list[str], output: str) -> list[str]:
    """Tests that the check's own output names as passed."""
    runner = _runner(run)
    return runner.passed(output) if runner is not None else []


def short(name: str) -> str:
    """The part of a test's name that stands in its source: ``test_b`` of ``tests/test_a.py::test_b[x-1]``."""
    last = re.split(r"::| \u203a | > |/", name.partition(" (")[0])[-1]
    return last.partition("[")[0].strip()


def _runner(run: str | list[str]) -> Runner | None:
    judged = command.judged(run)
    if len(judged) != 1 or not judged[0]:
        return None
    name, *rest = (program(judged[0][0]), *judged[0][1:])
    if name.startswith("python") and rest[:1] == ["-m"]:
        name, *rest = rest[1:] or [""]
    if name == "go" and rest[:1] != ["test"]:
        return None
    if name == "cargo" and (rest[:1] != ["test"] or "--" in rest):
        return None
    return _RUNNERS.get(name)


def _node_ids(failing: Sequence[str]) -> list[str]:
    ids = [name for name in failing if ".py::" in name]
    return ["-rA", *ids] if len(ids) == len(failing) else []


def _go_names(failing: Sequence[str]) -> list[str]:
    names = sorted({name.rpartition(".")[2].partition("/")[0] for name in failing})
    return ["-v", "-run", f"^({'|'.join(map(re.escape, names))})$"] if all(n.isidentifier() for n in names) else []


def _cargo_names(failing: Sequence[str]) -> list[str]:
    named = all(re.fullmatch(r"[\w:]+", name) for name in failing)
    return ["--", "--exact", *failing] if named else []


def _titles(failing: Sequence[str]) -> list[str]:
    """Jest and vitest take one expression over the full name: groups and title with a blank between."""
    plain = [re.sub(r" \u203a | > ", " ", re.sub(r"^\S+\.[cm]?[jt]sx? > ", "", name)) for name in failing]
    return ["--reporters=default", "--verbose", "-t", f"({'|'.join(map(re.escape, plain))})$"]


def _vitest(failing: Sequence[str]) -> list[str]:
    return ["--reporter=verbose", *_titles(failing)[2:]]


def _unittest_ids(failing: Sequence[str]) -> list[str]:
    ids = [found[1] for name in failing if (found := re.fullmatch(r"\w+ \(([\w.]+)\)", name))]
    return ["-v", *ids] if len(ids) == len(failing) else []


def _all(pattern: re.Pattern[str]) -> Callable[[str], list[str]]:
    return lambda output: [found.group(1) for found in pattern.finditer(output)]


_RUNNERS = {
    "pytest": Runner(_node_ids, _all(_PYTEST)),
    "py.test": Runner(_node_ids, _all(_PYTEST)),
    "go": Runner(_go_names, _all(_GO)),
    "cargo": Runner(_cargo_names, _all(_CARGO)),
    "jest": Runner(_titles, _all(_TICK)),
    "vitest": Runner(_vitest, _all(_TICK)),
    "unittest": Runner(_unittest_ids, _all(_UNITTEST)),
}
