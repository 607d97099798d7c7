"""Which commands were checks, and what came out."""

from __future__ import annotations

import re
from typing import NamedTuple

from passdown.agents.facts.hooks import hook_checks, hook_gave_up
from passdown.agents.facts.journal import Check, Ran
from passdown.agents.facts.output.counts import counts
from passdown.agents.facts.output.errors import first_error, last_line
from passdown.agents.facts.output.failing import failing
from passdown.agents.facts.output.kinds import shown_failed
from passdown.agents.facts.output.plain import clean
from passdown.agents.facts.output.shown import (
    SHOWING,
    complains,
    either,
    names_places,
    only_failures_shown,
    without_echoes,
)
from passdown.agents.facts.output.stopped import could_not_run, nothing_ran
from passdown.agents.facts.output.verdict import SILENT, go_passed, is_empty, passes, stated, verdict
from passdown.agents.facts.reading import PLAIN_PROGRAMS, Line
from passdown.agents.facts.scope import is_whole
from passdown.agents.facts.scripts import kinds_named, strongest
from passdown.model.session import CheckKind, Counts, SeenCheck, SeenResult
from passdown.rules.patterns import lazy
from passdown.rules.shell import Call, calls
from passdown.rules.shell_words import program, unwrap

_SIBLING = lazy(r"Sibling tool call errored|Cancelled: parallel tool call")
_SCRIPT_LINE = lazy(r"^(?:\$|>) (\S.*)$")
_SCRIPT_TITLE = lazy(r"^> \S+@\S+ \S+(?: \S+)?$")
_TIMEOUT = lazy(r"\bg?timeout\b")
_TIMED_OUT = lazy(r"timed out after|Timeout", re.IGNORECASE)
_FRAGILE = lazy(r"^(?:npm|pnpm|yarn|bun|pip|pip3|uv|poetry|curl|wget|apt|apt-get|brew|docker|gh|ssh|scp|rsync)$")
_BENIGN = lazy(r"^(?:git|cd|mise|make|just|go|cargo|ruff|black|prettier|gofmt|biome|isort)$")
_TEST_FAILED = lazy(r"^\s*--- FAIL: |^FAIL\b|^FAILED |\(fail\) ", re.MULTILINE)
_VAGUE = lazy(r"(?:build|setup) failed")
_LISTING = {"gofmt", "goimports"}
_SPAWN_ERRORS = {126, 127}
_HEAD = 10
_HOOKED = {"commit", "push", "merge", "rebase"}
_KILLED = {124, 137, 143}


def may_check(line: Line) -> bool:
    """Whether a command can turn out to be a check: it runs one, or a git verb whose hooks may run some."""
    return bool(line.checks) or not _HOOKED.isdisjoint(line.verbs)


def check_of(ran: Ran, line: Line, output: str) -> Check | None:
    """The check that ``ran`` was, judged by its exit code and its whole ``output``; None if it was none."""
    if not ran.executed and not _SIBLING.search(output):
        return None
    text = clean(output)
    return _plain(ran, line, text) if line.checks else _by_hook(ran, line, text)


def _plain(ran: Ran, line: Line, text: str) -> Check:
    numbers = counts(text)
    result = _result(ran, line, text, numbers)
    run = [kind for kind, _ in line.checks]
    kinds = frozenset(run).union(*(kinds_named(unwrap(call.words)) for _, call in line.checks))
    whole = any(is_whole(unwrap(call.words)) for kind, call in line.checks if kind == strongest(run))
    failed = _failed_kinds(frozenset(run), result, numbers, text)
    seen = _seen(ran, _Told(text, numbers), failed or kinds, result, masked=line.masked)
    unsure: frozenset[CheckKind] = frozenset()
    if result == "FAILED" and failed is None and len(kinds) > 1:
        unsure = kinds - shown_failed(kinds, text, numbers)
    return Check(seen, kinds, whole, _seq(ran), failed=failed or (kinds if unsure else None), unsure=unsure)


def _failed_kinds(
    kinds: frozenset[CheckKind], result: SeenResult | None, numbers: Counts | None, text: str
) -> frozenset[CheckKind] | None:
    """Where all tests passed by their own count, it was another check of the command that failed."""
    if result != "FAILED" or "test" not in kinds or len(kinds) == 1 or _TEST_FAILED.search(text):
        return None
    passed = numbers is not None and bool(numbers.passed) and not numbers.failed and not numbers.errors
    problems = numbers is not None and bool(numbers.errors) and not numbers.failed
    return kinds - {"test"} if passed or problems else None


def _seq(ran: Ran) -> int:
    """Edits after this point were not seen by the check: its start if it ran beside them, else its end."""
    return ran.seq if ran.background or ran.ended is None else ran.ended


class _Told(NamedTuple):
    """A check's cleaned output and the numbers in it."""

    text: str
    numbers: Counts | None


def _seen(ran: Ran, told: _Told, kinds: frozenset[CheckKind], result: SeenResult | None, *, masked: bool) -> SeenCheck:
    text, numbers = told
    bad = result in {"FAILED", "ERROR"}
    errors = failing(text) if result == "FAILED" else {}
    error = next((e for e in errors.values() if e and not _VAGUE.fullmatch(e)), "") if bad else ""
    if result == "FAILED" and stated(text) == "FAIL" and ran.exit == 0:
        error = "exit 0, but its output ends with RESULT: FAIL"
    return SeenCheck(
        at=ran.at,
        command=ran.command,
        kind=strongest(list(kinds)) or "other",
        result=result,
        masked=masked,
        counts=numbers,
        failing=list(errors),
        edits_after=False,
        exit=ran.exit,
        cwd=ran.cwd,
        record=ran.record,
        first_errors={k: v for k, v in errors.items() if v},
        error_line=(error or first_error(text) or last_line(text) or None) if bad else None,
    )


def _result(ran: Ran, line: Line, text: str, numbers: Counts | None) -> SeenResult | None:
    if not ran.executed:
        return "ERROR"
    if ran.running or ran.interrupted:
        return None
    if ran.signal or ran.exit in _SPAWN_ERRORS or (ran.exit in _KILLED and _out_of_time(ran.command, text)):
        return "ERROR"
    told = either(ran.command, line, text)
    if told is not None:
        return told
    printed = _printed_status(line, text)
    if printed is not None:
        return "PASSED" if printed == 0 else ("ERROR" if could_not_run(text, numbers) else "FAILED")
    if line.masked:
        text = without_echoes(line, text)
    if only_failures_shown(line) and is_empty(text):
        return "PASSED"
    if ran.ok is True or ran.exit == 0:
        return _after_success(line, text, numbers)
    if ran.ok is False or ran.exit:
        return _after_failure(ran, line, text, numbers)
    return verdict(text, numbers)


def _out_of_time(command: str, text: str) -> bool:
    return _TIMEOUT.search(command) is not None or _TIMED_OUT.search(text) is not None


def _printed_status(line: Line, text: str) -> int | None:
    """The status that the line itself printed for its only check (``; echo "EXIT: $?"``)."""
    if len(line.checks) != 1 or line.checks[0][1].echoed is None:
        return None
    found = re.findall(rf"{re.escape(line.checks[0][1].echoed)}\s*(\d+)", text)
    return int(found[-1]) if found else None


def _after_success(line: Line, text: str, numbers: Counts | None) -> SeenResult | None:
    if not line.masked:
        if stated(text) == "FAIL" or (_lists(line) and not is_empty(text)):
            return "FAILED"
        return None if _only_tests(line) and nothing_ran(text, numbers) else "PASSED"
    doubtful = [call for _, call in line.checks if not call.vouched]
    if all(_silent(call) for call in doubtful) and is_empty(text):
        return "PASSED"
    if len(doubtful) == 1 and _shown(doubtful[0]) and _only_silent_echoes(text):
        return "PASSED"
    said = verdict(text, numbers, alone=not _others(line))
    if said is None and len(doubtful) == 1 and _shown(doubtful[0]):
        tool = {program(unwrap(doubtful[0].words)[0])}
        return "FAILED" if _is_silent_tool(doubtful[0]) and complains(line, tool, text) else None
    if said == "PASSED" and (
        (len(doubtful) > 1 and _signs(doubtful, text, numbers) < len(doubtful)) or _cut(doubtful, text)
    ):
        return None
    if said == "ERROR" and _others(line):
        return None
    return said


def _signs(doubtful: list[Call], text: str, numbers: Counts | None) -> int:
    """How many of the checks the output shows to have passed; one that is silent on success, by its silence."""
    silent = 0 if names_places(text) else sum(_silent(call) for call in doubtful)
    tested = bool(numbers and numbers.passed) or go_passed(text)
    return passes(text) + silent + (1 if tested else 0)


def _lists(line: Line) -> bool:
    """The only check names what is wrong and ends with 0 all the same: ``gofmt -l``."""
    return len(line.all) == 1 and _shown(line.all[0]) and program(unwrap(line.all[0].words)[0]) in _LISTING


def _only_tests(line: Line) -> bool:
    return all(kind == "test" for kind, _ in line.checks)


def _others(line: Line) -> list[Call]:
    """Programs beside the checks that could have printed what stands in the output."""
    return [
        c for c in line.all if not any(c is k for _, k in line.checks) and program(c.words[0]) not in PLAIN_PROGRAMS
    ]


def _cut(doubtful: list[Call], text: str) -> bool:
    """``| head -20`` and twenty lines: what came after them is not known."""
    for call in doubtful:
        for rest in call.pipe:
            if rest and program(rest[0]) == "head":
                number = re.search(r"\d+", " ".join(rest[1:]))
                if len(text.strip().split("\n")) >= (int(number[0]) if number else _HEAD):
                    return True
    return False


def _silent(call: Call) -> bool:
    """A tool that prints nothing on success, whose output reached the screen unfiltered."""
    return _shown(call) and _is_silent_tool(call)


def _shown(call: Call) -> bool:
    return not call.quiet and all(rest and program(rest[0]) in SHOWING for rest in call.pipe)


def _is_silent_tool(call: Call) -> bool:
    words = unwrap(call.words)
    tool = program(words[0])
    return tool in SILENT and not (tool == "go" and words[1:2] == ("test",) and "-c" not in words)


def _only_silent_echoes(text: str) -> bool:
    """A package script that only printed its own command (``$ tsc --noEmit``), a tool that is silent on success."""
    lines = [line for line in text.split("\n") if line.strip() and not _SCRIPT_TITLE.match(line)]
    echoed = [m[1] for line in lines if (m := _SCRIPT_LINE.match(line))]
    return bool(echoed) and len(echoed) == len(lines) and all(_is_silent_tool(c) for e in echoed for c in calls(e))


def _after_failure(ran: Ran, line: Line, text: str, numbers: Counts | None) -> SeenResult | None:
    if could_not_run(text, numbers):
        return "ERROR"
    if ran.exit is None and text.strip() in {"", "Error"}:  # clients before 2.0.64 kept neither code nor output
        return None
    if not ran.no_match and any(call.blamed for _, call in line.checks):
        return "FAILED"
    others = [c for c in line.all if not any(c is k for _, k in line.checks)]
    last = bool(line.all) and any(line.all[-1] is c for _, c in line.checks)
    if not (ran.no_match or line.masked) and last and all(_harmless(c) for c in others):
        return "FAILED"
    return verdict(text, numbers, alone=not _others(line))


def _harmless(call: Call) -> bool:
    """A program that hardly ever ends a chain by itself."""
    name = program(unwrap(call.words)[0])
    return not _FRAGILE.match(name) and (bool(_BENIGN.match(name)) or len(call.words) <= 3)  # noqa: PLR2004 - a short command


def _by_hook(ran: Ran, line: Line, text: str) -> Check | None:
    verbs = [(verb, call) for verb, call in line.git if verb in _HOOKED]
    if not verbs or not ran.executed:
        return None
    found = hook_checks(text)
    if not found:
        return None
    numbers = counts(text)
    kinds = frozenset(kind for kind, _, _ in found)
    masked = not all(call.vouched for _, call in verbs)
    told = [passed for _, _, passed in found if passed is not None]
    result: SeenResult | None
    if False in told or hook_gave_up(text):
        result = "FAILED"
    elif (ran.ok is True and not masked) or (told and len(told) == len(found)):
        result = "PASSED"
    else:
        result = verdict(text, numbers) if masked or ran.ok is None else "FAILED"
    failed = frozenset(kind for kind, _, passed in found if passed is False) or _failed_kinds(
        kinds, result, numbers, text
    )
    told_failed = failed if result == "FAILED" else None
    return Check(
        _seen(ran, _Told(text, numbers), told_failed or kinds, result, masked=masked),
        kinds,
        whole=True,
        seq=_seq(ran),
        hook=True,
        failed=told_failed,
    )
