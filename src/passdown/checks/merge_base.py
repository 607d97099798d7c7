"""A failing check on the commit that the work began from: a regression, there before, or not known (case A14).

It runs in a copy of that commit; the user's worktree, index and branches are not touched. What it said is kept by
fingerprint: the same code is asked once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from passdown.checks.definition import define
from passdown.checks.environment import environment
from passdown.checks.fingerprint import inputs
from passdown.checks.narrow import narrow, passed, short
from passdown.checks.run import run_on
from passdown.checks.scripts import follow
from passdown.checks.tree import TreeView
from passdown.errors import PassdownError
from passdown.model.event import Compared
from passdown.model.evidence import CheckDefinition, Evidence, Origin
from passdown.rules import command
from passdown.rules.origin import answer, of_check, of_tests, plain
from passdown.rules.patterns import lazy
from passdown.rules.redact import Redactor
from passdown.workspace.history import has_text

_DECIDED = ("PASSED", "FAILED")
_MISSING = lazy(
    r"^(?:g?make(?:\[\d+\])?: \*\*\* No rule to make target|npm (?:ERR!|error) Missing script|error: Script not found"
    r"|.*: (?:No such file or directory|command not found|not found|can't open file|No module named )"
    r"|.*[Cc]annot find module|ModuleNotFoundError: |error: no such (?:sub)?command|just: .*does not contain recipe)",
    re.MULTILINE,
)
"""What programs say that did not find what they were to run: no verdict on the code."""
_ABSENT = lazy(
    r"No such file or directory|FileNotFoundError|ModuleNotFoundError|No module named|cannot import name|ENOENT"
    r"|[Cc]annot find (?:module|package)|no required module provides|unresolved import|NoSuchFile|Read-only file"
)
"""What a test says that lacks something: in a copy of the base, what git ignores is not there."""


def compare_with_base(
    view: TreeView, definition: CheckDefinition, failed: Evidence, known: Sequence[Compared], *, now: datetime
) -> Compared:
    """How the check ends on the tree of ``view.tree``, a commit; what ``known`` says already is not asked again.

    ``definition`` is the check's, ``failed`` its failing run. A commit on which it cannot run gives UNKNOWN.
    """
    ground = _ground(view, definition, failed)
    if ground.inputs == failed.inputs.digest and ground.definition == failed.definition.digest:
        return answer(failed, ground, dict.fromkeys(failed.failing, "PRE-EXISTING"), "PRE-EXISTING")
    before = next((one for one in reversed(known) if _same_ground(one, ground)), None)
    if before is not None and set(failed.failing) <= before.tests.keys() and (failed.failing or not before.tests):
        return answer(failed, before, before.tests, before.origin)
    asked = [name for name in failed.failing if before is None or name not in before.tests]
    try:
        found = _ask(view, ground, replace(definition, digest=""), asked, failed, now=now)
    except PassdownError as error:
        return replace(ground, origin="UNKNOWN", because=error.message, tests=dict.fromkeys(failed.failing, "UNKNOWN"))
    return answer(failed, found, {**(before.tests if before else {}), **found.tests}, found.origin)


def _ground(view: TreeView, definition: CheckDefinition, failed: Evidence) -> Compared:
    """What would run there; the answer where that is exactly what failed here."""
    defined = define(view, replace(definition, digest=""))
    return Compared(
        check=failed.check,
        base=view.tree,
        inputs=inputs(view, defined).fingerprint.digest,
        definition=defined.digest,
        environment=environment(view, definition).digest,
        origin="PRE-EXISTING",
        because="nothing that it reads differs from the base",
    )


def _same_ground(one: Compared, other: Compared) -> bool:
    digests = (one.inputs, one.definition, one.environment) == (other.inputs, other.definition, other.environment)
    return digests and one.result in _DECIDED


def _lacking(view: TreeView, definition: CheckDefinition, tree: str) -> list[str]:
    """Scripts that the command runs in ``tree`` and that the base does not have: its failing there says nothing."""
    here = TreeView(view.place, tree)
    now, then = follow(here, definition.run), follow(view, definition.run)
    return sorted({path for path in then.unheld if path in here} | (now.texts.keys() - then.texts.keys()))


def _ask(
    view: TreeView,
    ground: Compared,
    definition: CheckDefinition,
    failing: Sequence[str],
    here: Evidence,
    *,
    now: datetime,
) -> Compared:
    """Run there: the failing tests alone where the runner takes names, else all of it. ``here``: how it failed."""
    there = [name for name in failing if has_text(view.place, view.tree, short(name))]
    lacking = _lacking(view, definition, here.tree_before)
    if lacking or (failing and not there):
        because = f"the base has no {lacking[0]}" if lacking else "the base has none of these tests"
        return replace(ground, origin="UNKNOWN", because=because, tests=dict.fromkeys(failing, "UNKNOWN"))
    narrowed = narrow(definition.run, there)
    evidence, printed = _run(view, definition, narrowed, now)
    if narrowed is not None and evidence.result not in _DECIDED:
        evidence, printed = _run(view, definition, None, now)
    if evidence.result == "FAILED" and not evidence.failing and _MISSING.search(printed):
        evidence = replace(evidence, result="ERROR", warnings=["error: it misses something to run there"])
    ticked = {plain(name) for name in passed(definition.run, printed)}
    seen = [name for name in there if plain(name) in ticked or short(name) in ticked]
    tests = of_tests(evidence, failing, seen, there)
    tests |= dict.fromkeys((name for name in tests if _fails_otherwise(name, here, evidence)), "UNKNOWN")
    return replace(
        ground,
        origin=of_check(evidence, tests),
        because=_because(evidence, tests),
        tests=tests,
        command=Redactor().text(command.text(narrowed if narrowed is not None else definition.run)),
        result=evidence.result,
        exit=evidence.exit,
        seconds=evidence.seconds,
    )


def _fails_otherwise(name: str, here: Evidence, there: Evidence) -> bool:
    """Whether a test fails there because something is not there (a file that git ignores, a package), and not here."""
    error = next((line for other, line in there.first_errors.items() if plain(other) == plain(name)), "")
    return _ABSENT.search(error) is not None and _ABSENT.search(here.first_errors.get(name, "")) is None


def _run(
    view: TreeView, definition: CheckDefinition, narrowed: str | list[str] | None, now: datetime
) -> tuple[Evidence, str]:
    """The report of a narrowed run would speak of fewer tests: it is left out."""
    wanted = replace(definition, report=None, report_format=None, run=definition.run if narrowed is None else narrowed)
    return run_on(view, view.tree, wanted, now=now)


def _because(evidence: Evidence, tests: Mapping[str, Origin]) -> str:
    if evidence.result not in _DECIDED:
        why = next((w.partition(": ")[2] for w in evidence.warnings if w.startswith(evidence.result.lower())), "")
        return f"it could not be decided there: {why or evidence.result}"
    if not tests:
        return "it passes there" if evidence.result == "PASSED" else f"it fails there too: exit {evidence.exit}"
    said = (
        ("REGRESSION", "{} passed there"),
        ("PRE-EXISTING", "{} failed there too"),
        ("UNKNOWN", "{} not known there"),
    )
    numbers = [(sum(one == origin for one in tests.values()), words) for origin, words in said]
    return "of the failing tests " + ", ".join(words.format(number) for number, words in numbers if number)
