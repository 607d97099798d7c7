# ruff: noqa: E501 - a pattern reads best on one line
"""Claims that tests, linters, types or builds pass, against the checks that ran."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from passdown.agents.facts.claims.beyond import beyond
from passdown.agents.facts.claims.good import GOOD, GOOD_WORDS, KINDS, says_good
from passdown.agents.facts.claims.related import change_between, edited_after, ran_here, reads_prose
from passdown.agents.facts.claims.ruling import Ruling, of_check
from passdown.agents.facts.claims.sorts import all_of_sort, by_tool, is_of, names_tool_of, of_sort, quoted_kinds, unrun
from passdown.agents.facts.claims.speech import prose
from passdown.agents.facts.claims.tokens import numbers, paths, spans
from passdown.agents.facts.journal import END, Check, Journal
from passdown.agents.facts.output.counts import tests_counted
from passdown.agents.facts.output.plain import clean
from passdown.agents.facts.reading import read_line
from passdown.agents.facts.scope import selects
from passdown.agents.facts.scripts import operands
from passdown.model.session import CheckKind, SeenResult
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import unwrap

_I = re.IGNORECASE
_ALL_CHECKS = lazy(
    r"\b(?:all |every |the )?(?:(?:quality |ci |verification |validation |pre-?(?:commit|push) |local )*(?:checks|gates|hooks))\b(?:[^.]{0,40})\b"
    + GOOD_WORDS,
    _I,
)
_ALL_GOOD = lazy(
    r"^\W*(?:all|everything)(?:['\u2019]s| is| are)?(?: now| still| back to)? (?:green|pass(?:es|ed|ing)?|clean|good)(?: (?:now|again|here|locally))?\W*$",
    _I,
)
_ALL_PASSED = lazy(r"^\W*(?:all )?(?:pass\w*|green|clean)\W*$", _I)  # after a quoted command: of that one
_WHOLE = lazy(
    r"\b(?:all|entire|full|whole|complete|every|everything|alle|s\u00e4mtliche|tous|toutes|todos|todas|tutti|tutte|wszystkie|\u0432\u0441\u0435)\b|\u5168\u90e8|\u6240\u6709|\u3059\u3079\u3066|\u5168\u3066|\u5168\u30c6\u30b9\u30c8|\ubaa8\ub4e0|\uc804\uccb4|\btest[- ]?suite\b",
    _I,
)
_PARTLY = lazy(
    r"\b(?:except|exception of|flak(?:y|ed|es)|apart from|other than|but |no (?:new|further|additional|more)\b|known\b|pre-?existing|unrelated|aside from|excluding|besides|remaining|of which|in isolation|bis auf|au\u00dfer|sauf|hormis|excepto|salvo|menos|tranne|exceto)\b"
    r"|\u9664|\u4ee5\u5916|\u9664\u304f|\bon (?:python|node|ruby|go|java|linux|macos|windows)\b",
    _I,
)
_ADMITTED = lazy(
    r"(?<![\d.])\d{1,2}(?:\.\d+)? ?%|\b(?:[1-9]\d*|one|two|three|four|five|few|several|some|single)(?: [a-z]\w*){0,2} (?:fail(?:s|ed|ing|ures?)?|broken|red)\b",
    _I,
)
_MENDED = lazy(r"\b(?:fix|resolv|repair|address|correct|mend)\w*\b[^.;]{0,20}$", _I)
_CONDITION = lazy(
    r"^\W*(?:if|when|unless|once|provided|without)\b|\b(?:when|if|once) (?:you|we)\b|\bwith(?:out)?\b[^.;]{0,40}\b(?:reverted|skipped|disabled|stubbed|removed|excluded|mocked)\b"
    rf"|{GOOD_WORDS}[^.;,]{{0,20}}\b(?:if|when|once|unless|only)\b|^\W*(?:wenn|falls|si|cuando)\b|^\W*(?:\u5982\u679c|\u3082\u3057)",
    _I,
)
_REMOTE = lazy(r"\b(?:in|on) (?:the )?(?:CI|pipeline|GitHub Actions|remote|staging|production)\b", _I)
# Words before "tests" that name a part of them: what failed may be of another part.
_SUBJECT = lazy(
    r"((?:[\w/.-]+ ){0,2})(?:tests?|specs?|suite)\b(?! (?:suite|run)s?\b)(?= (?:for|in|of|under|around|about)\b)?", _I
)
_OF_ALL = {
    *("all", "the", "every", "our", "these", "of", "whole", "full", "entire", "complete", "unit", "existing", "test", "and", "my", "your", "its", "with"),
    *("alle", "die", "s\u00e4mtliche", "les", "tous", "todos", "los", "las", "todas", "tutti", "i", "os", "automated", "now", "both", "project", "a", "that", "so", "is"),
    *("lint", "linter", "linting", "types", "typecheck", "typing", "build", "builds", "mypy", "ruff", "eslint", "tsc"),
    *("und", "et", "y", "e", "ed", "oraz", "sind", "sont", "est", "ist"),
    *("ran", "run", "running", "pytest", "npm", "vitest", "jest", "cargo", "go", "green", "passing", "result", "results", "yes", "done", "ok", "new", "ensured"),
    *("gives", "gave", "shows", "reports", "reported", "had", "has", "got", "finished", "completed", "executed", "total", "wszystkie", "alle", "m"),
}  # fmt: skip
_SOME = {
    *("targeted", "focused", "relevant", "affected", "related", "updated", "corresponding", "added", "regression", "specific"),
    *("failing", "previously", "same", "local", "both", "two", "three", "selected", "narrow", "quick", "other"),
}  # fmt: skip
_PICKED = {"targeted", "focused", "affected", "selected"}
_ABOUT_PART = lazy(
    r"\b(?:tests?|specs?)\s+(?:for|in|of|under|around|about|covering|that|which)\b|\bnew (?:\w+ )?tests?\b", _I
)
_NO_ERROR = lazy(r"(?<![\w.])(?:0|no|zero) errors?\b", _I)
_CHECKS = lazy(r"\b[Cc]hecks?\b|\bCI\b")
_FRACTION = lazy(r"(?<![\w/.])(\d[\d,]*)\s*/\s*(\d[\d,]*)(?![\w/])")
_TESTS_NUMBER = lazy(
    r"(?<![\w/.#-])(\d[\d,]*)\s+(?:of (\d[\d,]*) )?(?:\w+ ){0,2}(?:tests?\b|specs?\b|passed|passing|pass\b|examples?\b|runs(?=, \d+ (?:assertions|failures))|bestanden|pruebas|testes|\u0442\u0435\u0441\u0442)"
    r"|(?<![\w/.#-])(\d[\d,]*) ?(?:\u4e2a|\u500b|\u9879|\u4ef6\u306e|\u500b\u306e|\uac1c\uc758? ?)?(?:\u5355\u5143)?(?:\u6d4b\u8bd5|\u6e2c\u8a66|\u30c6\u30b9\u30c8|\ud14c\uc2a4\ud2b8)",
    _I,
)


class _Asked(Struct, frozen=True):
    """What a statement says about checks, and when it was said."""

    kinds: tuple[CheckKind, ...]
    whole: bool
    passed: int | None
    total: int | None
    said_at: int
    part: bool


def kinds_said(text: str) -> tuple[CheckKind, ...]:
    """The kinds of checks that ``text`` says pass; ``other``: all of them."""
    asked = _asked(text, END)
    return asked.kinds if asked else ()


def speaks_of(kind: CheckKind, text: str) -> bool:
    """Whether ``text`` says anything of checks of that kind."""
    patterns = [pattern for one, pattern in KINDS if kind in {one, "other"}]
    return any(pattern.search(text) for pattern in patterns) or _CHECKS.search(text) is not None


def partly(text: str) -> bool:
    """Whether ``text`` leaves something out of what it says is good: ``except``, ``no new``, ``3 failing``, ``98 %``."""
    admitted = _ADMITTED.search(text)
    return _PARTLY.search(text) is not None or (
        admitted is not None and _MENDED.search(text[max(0, admitted.start() - 60) : admitted.start()]) is None
    )


def on_checks(text: str, journal: Journal, said_at: int = END) -> Ruling | None:
    """The ruling on ``text``, said at ``said_at``, if it says that checks pass, else None."""
    asked = _asked(text, said_at)
    if asked is None:
        return None
    if _CONDITION.search(prose(text)):
        return Ruling("UNSUPPORTED", "it is said under a condition")
    if _REMOTE.search(prose(text)):
        return Ruling("UNSUPPORTED", "it speaks of another place than this one")
    less = partly(text) or ("test" in asked.kinds and _of_a_part(prose(text)) and not _picked(text, journal))
    if "other" in asked.kinds:
        return _any_check(journal, said_at)
    rulings = [_ruling(kind, asked, text, journal, partly=less) for kind in asked.kinds]
    order = ("CONTRADICTED", "UNSUPPORTED", "STALE", "SUPPORTED")
    ruling = min(rulings, key=lambda r: order.index(r.class_))
    more = beyond(text) if ruling.class_ in {"SUPPORTED", "STALE"} else None
    return ruling if more is None else Ruling("UNSUPPORTED", f"no check shows that: {more}", ruling.check)


def _asked(text: str, said_at: int) -> _Asked | None:
    words = prose(text)
    kinds = tuple(kind for kind, pattern in KINDS if says_good(words, pattern))
    if "types" in kinds and not re.search(r"\bbuil[dt]", words, _I):  # "TypeScript compiles" is a type check
        kinds = tuple(kind for kind in kinds if kind != "build")
    number = _TESTS_NUMBER.search(words)
    if not kinds and re.search(r"\b(?:compiles|builds)\W*$", words, _I):
        kinds = ("build",)
    if not kinds and re.search(r"\btypes? ?-?checks?\W*$", words, _I):
        kinds = ("types",)
    if not kinds and (_ALL_CHECKS.search(words) or _ALL_GOOD.match(words)):
        kinds = quoted_kinds(text) or ("other",)
    if not kinds and re.search(
        r"\b\d+ (?:runs|examples|specs|assertions), 0 failures|\b\d+/\d+\b[^.]{0,20}pass|\b\d+ (?:tests? )?(?:passed|passing)\b",
        words,
        _I,
    ):
        kinds = ("test",)
    if not kinds:
        return None
    fraction = _FRACTION.search(words)
    passed = total = None
    if "test" in kinds and fraction:
        passed, total = _int(fraction[1]), _int(fraction[2])
    elif "test" in kinds and number:
        passed, total = _int(number[1] or number[3]), _int(number[2]) if number[2] else None
    named = _ALL_CHECKS.search(words) is not None and len(kinds) > 1
    part = bool(paths(text)) or _of_a_part(words)
    return _Asked(kinds, _WHOLE.search(words) is not None or named, passed, total, said_at, part)


def _of_a_part(words: str) -> bool:
    """``the parser tests``, ``tests for x``: a part of the tests by name."""
    if _ABOUT_PART.search(words):
        return True
    return bool(_part_named(words))


def _picked(text: str, journal: Journal) -> bool:
    """``the affected tests`` are those of the one command that picked some."""
    ran = [check for check in journal.checks if "test" in check.kinds]
    named = _part_named(prose(text))
    return (
        bool(named and ran)
        and set(named) <= _PICKED
        and not ran[-1].whole
        and {check.seen.command for check in ran} == {ran[-1].seen.command}
    )


def _part_named(words: str) -> list[str]:
    """The words right before "tests" that name a part of them."""
    found = _SUBJECT.search(words)
    before = [word.strip("/.,:-") for word in found[1].lower().split()] if found else []
    return [w for w in before if w not in _OF_ALL and not w.replace("/", "").replace(",", "").isdigit()]


def _int(text: str) -> int:
    return int(text.replace(",", ""))


def _named_command(text: str, checks: list[Check]) -> list[Check]:
    """The checks whose command the statement quotes."""
    quotes = [" ".join(s.split()) for s in spans(text) if len(s) > 3]  # noqa: PLR2004 - shorter spans are no commands
    return [c for c in checks if any(q in " ".join(c.seen.command.split()) for q in quotes)]


def _ruling(kind: CheckKind, asked: _Asked, text: str, journal: Journal, *, partly: bool) -> Ruling:
    of_kind = [c for c in journal.checks if is_of(kind, c) and ran_here(c, journal)]
    of_kind = of_kind or _named_command(text, [c for c in journal.checks if ran_here(c, journal)])
    good = [part for part in re.split(r"[,;]\s", text) if GOOD.search(part)]
    of_kind = by_tool(" ".join(good) or text, of_kind)
    missing = unrun(text, journal.checks)
    if missing is not None:
        return Ruling("UNSUPPORTED", f"`{missing}` did not run in this session")
    if kind == "test":
        of_kind, absent = of_sort(text, of_kind, journal)
        if absent is not None:
            return Ruling("UNSUPPORTED", f"no run of {absent} tests in this session")
        asked = replace(asked, whole=asked.whole and not all_of_sort(text, of_kind))
    named = _named_command(text, of_kind)
    matching = named or of_kind
    asked = replace(asked, whole=asked.whole and not (named and _ALL_PASSED.search(prose(text))))
    decided = [c for c in matching if _came_out(c, kind, asked) in {"PASSED", "FAILED"}]
    if not decided:
        last = matching[-1] if matching else None
        fact = f"the last one could not tell: {of_check(last)}" if last else f"no {_word(kind)} ran in this session"
        return Ruling("UNSUPPORTED", fact, last.seen.command if last else None)
    last = decided[-1]
    if _came_out(last, kind, asked) == "FAILED":
        earlier = [c for c in decided if c.seq < asked.said_at]
        if earlier and _came_out(earlier[-1], kind, asked) == "PASSED":
            return Ruling("STALE", f"{of_check(earlier[-1])}; then {of_check(last)}", last.seen.command)
        return _after_failure(kind, earlier[-1] if earlier else last, asked, text, journal, partly=partly)
    chosen = _widest(decided, journal) if asked.whole and kind == "test" else last
    if asked.whole and kind == "test" and not chosen.whole and not _of_that_part(text, chosen):
        return Ruling("UNSUPPORTED", f"no run of the whole suite: {of_check(chosen)}", chosen.seen.command)
    if kind == "test" and not chosen.whole and _of_another_part(text, chosen):
        return Ruling("UNSUPPORTED", f"that run was of another part: {of_check(chosen)}", chosen.seen.command)
    return _counted(kind, chosen, decided, asked, journal)


def _came_out(check: Check, kind: CheckKind, asked: _Asked) -> SeenResult | None:
    """What came out for one kind; of a command all of whose checks are said to pass, what came out of it."""
    return check.seen.result if check.kinds <= set(asked.kinds) else check.result(kind)


def _of_another_part(text: str, run: Check) -> bool:
    """The statement names files or a part of the tests, and the run of a part names none of them."""
    ran = run.seen.command.lower()
    numbers_said = _TESTS_NUMBER.search(prose(text))
    files = [path.rsplit("/", 1)[-1].lower() for path in paths(text) if "." in path]
    if files and (numbers_said is None or any("test" in name or "spec" in name for name in files)):
        return not any(name in ran for name in files)
    named = [word for word in _part_named(prose(text)) if word not in _SOME]
    if numbers_said and run.seen.counts and run.seen.counts.passed == _int(numbers_said[1] or numbers_said[3]) > 1:
        return False  # the very number of that run
    return bool(files) or (bool(named) and not any(word.rstrip("s") in ran for word in named))


def _of_that_part(text: str, run: Check) -> bool:
    """``all date tests`` of a run of ``tests/test_dates.py``: a file or folder of that name, and nothing picked in it."""
    named = [word for word in _part_named(prose(text)) if word not in _SOME]
    called = [unwrap(call.words) for kind, call in read_line(run.seen.command).checks if kind == "test"]
    if len(called) != 1 or selects(called[0]) or "::" in run.seen.command:
        return False
    files = [word for word in operands(called[0]) if "/" in word or "." in word]
    if any(span in files for span in spans(text)):
        return True
    return any(word.rstrip("s") in " ".join(files).lower() for word in named)


def _word(kind: CheckKind) -> str:
    return {"test": "test run", "lint": "linter", "types": "type check", "build": "build", "other": "check"}[kind]


def _after_failure(kind: CheckKind, last: Check, asked: _Asked, text: str, journal: Journal, *, partly: bool) -> Ruling:
    since = change_between(kind, last.seq, asked.said_at, journal)
    if since is not None:
        return Ruling("UNSUPPORTED", f"not run again: {of_check(last)}; then {since}", last.seen.command)
    numbers_match = (
        last.seen.counts is not None and asked.passed is not None and asked.passed == last.seen.counts.passed
    )
    own = _own_run(last, asked, text, journal) if kind == "test" else None
    if own is not None:
        return Ruling("SUPPORTED", of_check(own), own.seen.command)
    if partly or (numbers_match and not asked.whole):
        return Ruling("UNSUPPORTED", f"the latest one failed: {of_check(last)}", last.seen.command)
    if kind == "test" and _tests_alone_passed(last, journal):
        return Ruling("UNSUPPORTED", f"its tests passed, the command failed: {of_check(last)}", last.seen.command)
    if kind == "lint" and _NO_ERROR.search(text) and _NO_ERROR.search(_output(last, journal)):
        return Ruling("UNSUPPORTED", f"no errors, but it failed: {of_check(last)}", last.seen.command)
    quoted_command = _named_command(text, [last])
    passed_before = [c for c in journal.checks if c.result(kind) == "PASSED" and kind in c.kinds]
    other = [c for c in passed_before if c.seen.command != last.seen.command]
    if other and not quoted_command and not asked.whole and not names_tool_of(text, last):
        return Ruling("UNSUPPORTED", f"the latest one failed: {of_check(last)}", last.seen.command)
    return Ruling("CONTRADICTED", of_check(last), last.seen.command)


def _own_run(last: Check, asked: _Asked, text: str, journal: Journal) -> Check | None:
    """``fast tests: 11 passed``: the passing run of another command with that very number, since which nothing was edited."""
    if asked.whole or asked.passed is None or not _part_named(prose(text)):
        return None
    for check in reversed(journal.checks):
        counts = check.seen.counts
        alike = counts is not None and counts.passed == asked.passed > 1 and "test" in check.kinds
        if alike and check.seen.result == "PASSED" and check.seen.command != last.seen.command:
            return check if edited_after(check.seq, journal) is None else None
    return None


def _output(check: Check, journal: Journal) -> str:
    return next((ran.output for ran in journal.ran if ran.check is check), "")


def _tests_alone_passed(check: Check, journal: Journal) -> bool:
    """The tests' own summary is good: what failed in the command was something else."""
    counted = tests_counted(clean(_output(check, journal)))
    return counted is not None and bool(counted.passed) and not (counted.failed or counted.errors)


def _widest(decided: list[Check], journal: Journal) -> Check:
    """The latest whole run since which nothing failed and nothing was edited, else the latest run."""
    for check in reversed(decided):
        if check.result("test") != "PASSED" or edited_after(check.seq, journal):
            break
        if check.whole:
            return check
    whole = [c for c in decided if c.whole and c.result("test") == "PASSED"]
    return whole[-1] if whole else decided[-1]


def _counted(kind: CheckKind, chosen: Check, decided: list[Check], asked: _Asked, journal: Journal) -> Ruling:
    counts = chosen.seen.counts
    if asked.passed is not None and kind == "test":
        shown = {n for c in decided if c.seen.counts for n in _numbers_of(c)} | _numbers_in_outputs(journal, decided)
        skipped = counts.skipped or 0 if counts is not None else 0
        if asked.whole and skipped and counts is not None and asked.passed == (counts.passed or 0) + skipped:
            return Ruling("UNSUPPORTED", f"skipped ones did not run: {of_check(chosen)}", chosen.seen.command)
        if asked.passed not in shown:
            whole = counts is not None and counts.passed is not None and chosen.whole and asked.whole and not asked.part
            alone = len({c.seen.counts.passed for c in decided if c.seen.counts}) == 1
            if whole and alone and chosen.seen.result == "PASSED":
                return Ruling("CONTRADICTED", f"other numbers: {of_check(chosen)}", chosen.seen.command)
            return Ruling(
                "UNSUPPORTED",
                f"the number {asked.passed} is not in the record: {of_check(chosen)}",
                chosen.seen.command,
            )
    edit = edited_after(chosen.seq, journal, code=not reads_prose(chosen))
    if edit:
        return Ruling("STALE", f"{of_check(chosen)}; then {edit}", chosen.seen.command)
    return Ruling("SUPPORTED", of_check(chosen), chosen.seen.command)


def _numbers_of(check: Check) -> set[int]:
    counts = check.seen.counts
    if counts is None:
        return set()
    values = [n for n in (counts.passed, counts.failed, counts.skipped, counts.errors) if n is not None]
    return {*values, sum(values)}


def _numbers_in_outputs(journal: Journal, decided: list[Check]) -> set[int]:
    ends = {c.seen.record for c in decided}
    return {n for r in journal.ran if r.record in ends for n in numbers(r.output.replace("\n", " "))}


def _any_check(journal: Journal, said_at: int) -> Ruling | None:
    """``All checks passed``: the latest run of each check that ran must have passed."""
    latest: dict[str, Check] = {}
    for check in journal.checks:
        if check.seen.result is not None and check.seen.result != "ERROR":
            latest["+".join(sorted(check.kinds))] = check
    if not latest:
        return Ruling("UNSUPPORTED", "no check ran in this session")
    last = max(latest.values(), key=lambda c: c.seq)
    if last.seen.result == "FAILED":
        since = change_between(last.seen.kind, last.seq, said_at, journal)
        if since is not None:
            return Ruling("UNSUPPORTED", f"not run again: {of_check(last)}; then {since}", last.seen.command)
        return Ruling("CONTRADICTED", of_check(last), last.seen.command)
    failed = [c for c in latest.values() if c.seen.result == "FAILED" and not c.kinds <= last.kinds]
    if failed:
        return Ruling("UNSUPPORTED", f"one failed last: {of_check(failed[-1])}", failed[-1].seen.command)
    edit = edited_after(last.seq, journal)
    if edit:
        return Ruling("STALE", f"{of_check(last)}; then {edit}", last.seen.command)
    return Ruling("SUPPORTED", of_check(last), last.seen.command)
