# ruff: noqa: E501 - a pattern reads best on one line
"""Claims that a command was run, that a search finds nothing, that a number was counted."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.good import GOOD
from passdown.agents.facts.claims.on_checks import partly
from passdown.agents.facts.claims.plainly import ALONE
from passdown.agents.facts.claims.related import change_between, edited_after
from passdown.agents.facts.claims.ruling import Ruling, of_run, of_write, worst
from passdown.agents.facts.claims.speech import prose
from passdown.agents.facts.claims.tokens import names, numbers, paths, same_path, spans
from passdown.agents.facts.journal import END, Journal, Ran
from passdown.agents.facts.tools import check_kind
from passdown.rules.patterns import lazy
from passdown.rules.shell import Call, calls
from passdown.rules.shell_words import program, unwrap

_I = re.IGNORECASE
_SEARCH = {"rg", "grep", "egrep", "fgrep", "ag", "ack", "git", "find", "fd"}
_NOTHING = lazy(
    r"\b(?:no|zero|0) (?:\w+ ){0,3}(?:match(?:es)?|references?|occurrences?|usages?|mentions?|hits|results|imports?|callers?)\b|\breturns? (?:no|nothing|zero)\b|\bkeine (?:treffer|verweise)\b",
    _I,
)
_RAN = lazy(
    r"\b(?:ran|executed|re-?ran|run|runs|returns?|returned|exits?|exited|completes?|completed|succeeds?|succeeded|works?|pass(?:es|ed)?|l\u00e4uft|ausgef\u00fchrt|erfolgreich|prints?|shows?|reports?|confirmed|verified|produces?|finish(?:es|ed)|now|is (?:clean|green|happy))\b|(?:\u2192|->|=>|\u2014|\u2013|:)\s*(?:clean|ok|pass\w*|green|success\w*|0 (?:errors|issues))\b",
    _I,
)
_MARKED = lazy(r"^\W*[\u2705\u2714\u2713]\W*$")  # a command and a mark, and no word beside them
_SAID_GOOD = lazy(r"\b(?:success\w*|pass\w*|clean\w*|(?<!my )(?<!this )(?<!our )works?|erfolgreich|0 \w*error)", _I)
_ENDED_WELL = lazy(
    r"\bwithout (?:any )?errors?\b|\bexit(?:s|ed)?(?: with)?(?: code| status)? 0\b|\bsucceed(?:s|ed)\b|\bsuccessfully\b",
    _I,
)
_UNTOUCHED = lazy(
    r"\b(?:left|kept|leaving|keeping)\b[^.;,]{0,60}?\b(?:untouched|unchanged|unmodified|intact|alone|as[- ]is)\b"
    r"|\b(?:remains?|stays?|stayed|is|are|was|were) (?:\w+ )?(?:untouched|unchanged|unmodified|intact|alone|as[- ]is)\b|\bunver\u00e4ndert\b|\b(?:did(?:n['\u2019]t| not)|have(?:n['\u2019]t| not)|was(?:n['\u2019]t| not)) (?:touch|chang|modif)\w*",
    _I,
)
_NO_TEST = lazy(
    r"\b(?:no|none of the) (?:existing |other )?tests?(?: files?| cases?)? (?:was|were|has been|have been|got) (?:\w+ )?(?:touched|changed|modified|edited|altered|weakened)\b",
    _I,
)
_TEST_FILE = lazy(r"(?:^|/)(?:test_[^/]*|[^/]*[_.-](?:test|spec))\.\w+$")
_SHORTEST = 4
_PROGRAM_LIKE = lazy(r"^[\w@./-]+(?: \S.*)?$")


def on_unchanged_tests(text: str, journal: Journal) -> Ruling | None:
    """``no test was changed``: an edit that took words out of a test that was there, and stays, says otherwise."""
    if not _NO_TEST.search(prose(text)):
        return None
    made = {w.event.path for w in journal.written if w.event.op == "create"}
    for write in reversed(journal.written):
        event = write.event
        edited = event.removed.strip() and event.removed.strip() not in event.added
        if edited and write.ok and event.path not in made and _TEST_FILE.search(event.path.replace("\\", "/")):
            surely = event.via != "shell" and not _restored(event.path, write.seq, journal)
            return Ruling("CONTRADICTED" if surely else "UNSUPPORTED", of_write(write))
    return None


def on_untouched(text: str, journal: Journal) -> Ruling | None:
    """``X was left untouched``: a status that shows X as before supports it, where nothing wrote to X."""
    if not _UNTOUCHED.search(prose(text)):
        return None
    named = paths(text)
    if not named:
        return Ruling("UNSUPPORTED", "it names no file that could be compared")
    for path in named:
        write = next((w for w in reversed(journal.written) if w.ok and same_path(w.event.path, path)), None)
        if write:  # what surely tells against it was said by ``denials``
            return Ruling("UNSUPPORTED", of_write(write))
    shown = [
        r
        for r in journal.ran
        if all(p in r.output for p in named) and re.search(r"\bgit\b.*\b(?:status|diff|ls-files)\b", r.command)
    ]
    acted = [r for r in journal.ran if any(_names_file(r, p) for p in named) and not _reads_only(r)]
    if shown and not acted:
        return Ruling("SUPPORTED", f"no write names it; {of_run(shown[-1])}")
    return Ruling("UNSUPPORTED", of_run(acted[-1]) if acted else "nothing in the record shows its state")


def _restored(path: str, seq: int, journal: Journal) -> bool:
    name = path.rsplit("/", 1)[-1]
    return any(
        r.seq > seq
        and re.search(r"\bgit\b.*\b(?:checkout|restore|reset|stash)\b", r.command)
        and (name in r.command or "reset" in r.command)
        for r in journal.ran
    )


def _names_file(ran: Ran, path: str) -> bool:
    return path.rsplit("/", 1)[-1] in ran.command


def _reads_only(ran: Ran) -> bool:
    heads = {program(unwrap(c.words)[0]) for c in calls(ran.command) if unwrap(c.words)}
    return heads <= {
        "cat",
        "ls",
        "git",
        "rg",
        "grep",
        "sed",
        "head",
        "tail",
        "wc",
        "nl",
        "find",
        "cd",
        "echo",
        "stat",
        "test",
        "diff",
    } and not re.search(r"\bsed -i|\bgit (?:add|rm|mv|checkout|restore)\b", ran.command)


def on_search(text: str, journal: Journal) -> Ruling | None:
    """``no references to X remain``: the latest search for X must have found nothing, after the last edit."""
    if not _NOTHING.search(prose(text)):
        return None
    words = names(text) + [s for s in spans(text) if s not in names(text)]
    words = [w for w in words if w not in _SEARCH]
    if not words:
        return None
    searched = [r for r in journal.ran if r.executed and any(w in r.command for w in words) and _is_search(r)]
    if not searched:
        return None
    last = searched[-1]
    found_nothing = (
        last.no_match
        or last.exit == 1
        or (last.ok is True and not last.output.strip(" \n-=") and "||" not in last.command)
    )
    if not found_nothing:
        return Ruling("UNSUPPORTED", f"that search printed something: {of_run(last)}")
    edit = edited_after(last.ended or last.seq, journal, code=False)
    if edit:
        return Ruling("STALE", f"{of_run(last)} found nothing; then {edit}")
    return Ruling("SUPPORTED", f"{of_run(last)}, nothing found")


def _is_search(ran: Ran) -> bool:
    heads = [unwrap(c.words) for c in calls(ran.command)]
    return any(h and program(h[0]) in _SEARCH and (program(h[0]) != "git" or "grep" in h) for h in heads)


def on_run(text: str, journal: Journal, said_at: int = END) -> Ruling | None:
    """A quoted command that is said to have run or to give something."""
    words = prose(text)
    if not _RAN.search(words) and not _MARKED.match(words):
        return None
    rulings, absent = [], None
    for command in _commands(text):
        ran = [r for r in journal.ran if r.executed and _runs(r, command)]
        plain = [r for r in ran if any(c.vouched for c in _runs(r, command))]
        if ran:
            rulings.append(_on_that(plain or ran, text, journal, said_at, vouched=bool(plain)))
            absent = absent or _red_beside(command, ran)
        elif any(check_kind(call.words) for call in calls(command)):
            absent = absent or Ruling("UNSUPPORTED", f"`{command}` did not run in this session")
    return worst([*rulings, absent]) if rulings and absent else worst(rulings)


def _commands(text: str) -> list[str]:
    """The code spans that are command lines: a program with words, or a checker's name alone."""
    found = (" ".join(span.split()) for span in spans(text))
    return [c for c in found if c in ALONE or (" " in c and len(c) >= _SHORTEST and _PROGRAM_LIKE.match(c))]


def _red_beside(command: str, ran: list[Ran]) -> Ruling | None:
    """``tox is green``: of the latest runs of each of its command lines one failed, and not the last."""
    latest = {r.command: r for r in ran if r.check is not None} if command in ALONE else {}
    red = [r for r in latest.values() if r is not ran[-1] and r.check and r.check.seen.result == "FAILED"]
    return Ruling("UNSUPPORTED", f"one failed last: {of_run(red[-1])}", red[-1].command) if red else None


def _runs(ran: Ran, command: str) -> list[Call]:
    """Its programs that were called so (texts handed to other programs do not count)."""
    if command.split(" ", 1)[0] not in ran.command or command not in " ".join(ran.command.split()):
        return []
    wanted = command.replace('"', "").replace("'", "")
    return [
        c
        for c in calls(ran.command)
        if _unquoted(c.words).startswith(wanted) or _unquoted(unwrap(c.words)).startswith(wanted)
    ]


def _unquoted(words: tuple[str, ...]) -> str:
    return " ".join(words).replace('"', "").replace("'", "")


def _on_that(ran: list[Ran], text: str, journal: Journal, said_at: int, *, vouched: bool) -> Ruling:
    last = ran[-1]
    result = last.check.seen.result if last.check else None
    failed = (last.ok is False and not last.no_match) or result == "FAILED"
    if failed:
        kind = last.check.seen.kind if last.check else "other"
        since = change_between(kind, last.ended or last.seq, said_at, journal)
        told = (_SAID_GOOD.search(text) or GOOD.search(text)) if result == "FAILED" else _plainly_ended(last, text)
        sure = told and since is None and not partly(text)
        fact = of_run(last) + (f"; then {since}" if since else "")
        return Ruling("CONTRADICTED" if sure else "UNSUPPORTED", fact, last.command)
    if last.ok is not True and result != "PASSED":
        return Ruling("UNSUPPORTED", f"its end is not in the record: {of_run(last)}", last.command)
    missing = [n for n in _quoted_numbers(text) if not re.search(rf"(?<!\d){n}(?!\d)", last.output)]
    if missing:
        return Ruling("UNSUPPORTED", f"{missing[0]} is not in its output: {of_run(last)}", last.command)
    if not vouched and result != "PASSED" and not _quoted_numbers(text):
        return Ruling("UNSUPPORTED", f"its exit code is hidden by the line it stands in: {of_run(last)}", last.command)
    edit = edited_after(last.ended or last.seq, journal)
    if edit and not _of_history(last):
        return Ruling("STALE", f"{of_run(last)}; then {edit}", last.command)
    return Ruling("SUPPORTED", of_run(last), last.command)


def _plainly_ended(ran: Ran, text: str) -> bool:
    """It ended with an error by its own exit code, and is said to end without one; a search or a comparison is not meant."""
    heads = {program(unwrap(c.words)[0]) for c in calls(ran.command) if unwrap(c.words)}
    own = bool(ran.exit) and not ran.masked and heads.isdisjoint(_SEARCH | {"diff", "cmp", "test"})
    return own and _ENDED_WELL.search(text) is not None


def _of_history(ran: Ran) -> bool:
    """Git and forge commands: what they did does not depend on later edits."""
    heads = {program(unwrap(c.words)[0]) for c in calls(ran.command) if unwrap(c.words)}
    return heads <= {"git", "gh", "glab", "cd", "echo"}


def _quoted_numbers(text: str) -> list[int]:
    shown = [
        int(n)
        for s in spans(text)
        for n in re.findall(r"(?<![\w.-])(\d+) (?:warning|error|passed|failed|issue|test|match)", s)
    ]
    return shown + [n for n in numbers(prose(text)) if n > 1]


def _counts(numbers_said: list[int], name: str, text: str) -> bool:
    """Whether one of the numbers stands right before the name: ``19 `NewLanguage` calls``."""
    found = re.search(
        rf"(?<![\w.])(?:{'|'.join(map(str, numbers_said))})\s(?:[\w-]+\s){{0,3}}`?{re.escape(name)}", text
    )
    return found is not None


def on_count(text: str, journal: Journal) -> Ruling | None:
    """``all 19 X calls use Y``: a later command about X printed that number."""
    wanted = [n for n in numbers(prose(text)) if n > 1]
    words = [re.split(r"[(\s.]", w)[0] for w in names(text)]
    words = [w for w in words if len(w) > 3 and _counts(wanted, w, text)]  # noqa: PLR2004 - short names match everywhere
    if not wanted or not words:
        return None
    last_edit = max((w.seq for w in journal.written if w.ok), default=-1)
    for ran in reversed(journal.ran):
        if ran.seq < last_edit or not ran.executed:
            break
        if any(w in ran.command for w in words) and all(
            re.search(rf"^\W*{n}\W*$|(?<![\w.]){n}(?![\w.:])", ran.output, re.MULTILINE) for n in wanted
        ):
            return Ruling("SUPPORTED", f"{of_run(ran)} printed {', '.join(map(str, wanted))}")
    return None
