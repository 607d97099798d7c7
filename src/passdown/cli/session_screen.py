"""One session's facts on one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from passdown.cli.output import plain
from passdown.model.session import Claim, SeenCheck, SessionFacts
from passdown.packet.asked import shortened
from passdown.packet.text import clock, cut, folded, lasted, quote
from passdown.packet.words import spoken
from passdown.rules.amount import amount

_ROWS = 6
_LINES = 2
"""Lines that one row may take."""
_LABEL = 12
_MARK = {"pending": " ", "in_progress": ">", "completed": "x"}


def screen(facts: SessionFacts, width: int, today: str) -> str:
    """Facts first, foreign text in quotes; no line is wider than ``width``, and no prohibition is cut."""
    claims = [(c, _claim(c, facts, width, today)) for c in facts.claims]
    lines = _row("", _head(facts, today), width, label="")
    lines += _row("Ended", f"{facts.end.reason}: {facts.end.because}", width)
    lines += _block("Asked", [quote(request.text) for request in facts.requests], width)
    lines += _prohibited(facts, width)
    lines += _block("Decided", [quote(one.text) for one in facts.decisions], width)
    lines += _block("Wrote", _writes(facts), width)
    lines += _row("Ran", f"{amount(len(facts.commands), 'command')}, {_failed(facts)} failed", width)
    checks = [_check(one, facts, today) for one in facts.checks]
    lines += _block("Checks", checks[-_ROWS:], width)
    for label, class_ in _CLAIMS:
        lines += _block(label, [row for claim, row in claims if claim.class_ == class_], width, _LINES + 1)
    lines += _block("To do", [f"[{_MARK[one.status]}] {one.text}" for one in facts.todos], width)
    ends = [f"{_here(d.command, facts)}  {d.error} ({amount(d.tries, 'try', 'tries')})" for d in facts.dead_ends]
    lines += _block("Dead ends", ends, width)
    return "\n".join([*lines, *_row("Read", _read(facts), width)])


_CLAIMS = (
    ("Not so", "CONTRADICTED"),
    ("Only said", "UNSUPPORTED"),
    ("Edited since", "STALE"),
    ("Shown", "SUPPORTED"),
)


def _row(name: str, text: str, width: int, *, label: str | None = None, lines: int | None = _LINES) -> list[str]:
    start = f"{name:<{_LABEL}}" if label is None else label
    return folded(start, " ".join(plain(text).split(" ")), width, lines=lines, indent=" " * _LABEL)


def _block(name: str, rows: Sequence[str], width: int, lines: int = _LINES) -> list[str]:
    shown = [" ".join(row.split()) for row in rows[:_ROWS]]
    if len(rows) > _ROWS:
        shown.append(f"... {len(rows) - _ROWS} more: --json")
    return [line for at, row in enumerate(shown) for line in _row("" if at else name, row, width, lines=lines)]


def _prohibited(facts: SessionFacts, width: int) -> list[str]:
    """All of them, and of a long one the clauses that forbid."""
    found = []
    for at, one in enumerate(facts.prohibitions):
        text = quote(shortened(one.text, [one.text], _LINES * (width - _LABEL)))
        lifted = "  (taken back later)" if one.lifted else ""
        paths = f"  ({', '.join(one.paths)})" if one.paths else ""
        found += _row("" if at else "Not to", text + paths + lifted, width, lines=None)
    return found


def _head(facts: SessionFacts, today: str) -> str:
    version = f" {facts.client_version}" if facts.client_version else ""
    began = ", ".join(filter(None, (clock(facts.started, today), lasted(facts.started, facts.ended))))
    branch = f"branch {facts.branch}" if facts.branch else ""
    parts = [f"SESSION {(facts.session or '?')[:8]}", f"{facts.agent}{version}", began, branch]
    return "   ".join(filter(None, parts))


def _here(text: str, facts: SessionFacts) -> str:
    """A command or reason without the folder that the whole session worked in."""
    folder = facts.cwd or ""
    return text.replace(f"cd {folder} && ", "").replace(f"{folder}/", "") if len(folder) > 1 else text


def _writes(facts: SessionFacts) -> list[str]:
    folder = f"{facts.cwd}/"
    done = Counter(write.path.removeprefix(folder) for write in facts.writes if write.ok is not False)
    return [path if times == 1 else f"{path} ({amount(times, 'time')})" for path, times in done.items()]


def _failed(facts: SessionFacts) -> int:
    return sum(command.ok is False for command in facts.commands)


def _check(check: SeenCheck, facts: SessionFacts, today: str) -> str:
    """Time and result first, the command last."""
    said = ", ".join(
        f"{number} {name}"
        for name in ("failed", "errors", "passed", "skipped")
        if check.counts is not None and (number := getattr(check.counts, name))
    )
    exit_ = "" if check.exit is None else f"exit {check.exit}"
    if check.masked:
        exit_ = "exit code not its own"
    absent = check.result == "ERROR" and not check.failing
    result = "could not run" if absent else check.result or "no result"
    told = [result, said, exit_, "edited since" if check.edits_after else ""]
    at = clock(check.at, today)
    return f"{at + ' ' if at else ''}{', '.join(filter(None, told))}: {_here(check.command, facts)}"


def _claim(claim: Claim, facts: SessionFacts, width: int, today: str) -> str:
    """A long statement is cut, why it stands so is not."""
    said = quote(cut(plain(claim.text), width - _LABEL - 2))
    return f"{said}: {spoken(_here(claim.because, facts), today)}"


def _read(facts: SessionFacts) -> str:
    parts = [amount(facts.input.records, "record")]
    if facts.compactions:
        parts.append(amount(facts.compactions, "compaction"))
    if facts.subagents:
        parts.append(amount(facts.subagents, "subagent"))
    if facts.input.bad_lines:
        parts.append(f"{amount(facts.input.bad_lines, 'line')} not JSON")
    unknown = sum(facts.input.unknown.values())
    if unknown:
        parts.append(f"{amount(unknown, 'record')} of unknown types")
    return ", ".join(parts)
