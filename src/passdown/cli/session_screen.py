"""One session's facts on one screen."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from passdown.cli.output import fit, local, plain
from passdown.model.session import Claim, SeenCheck, SessionFacts

_ROWS = 6


def screen(facts: SessionFacts, width: int) -> str:
    """Facts first, one line each, foreign text in quotes; no line is wider than ``width``."""
    lines = [_head(facts), f"Ended       {facts.end.reason}: {plain(facts.end.because)}"]
    lines += _block("Asked", [f'"{request.text}"' for request in facts.requests])
    lines += _block("Not to", [f'"{one.text}"{_of(one.paths)}' for one in facts.prohibitions])
    lines += _block("Decided", [f'"{one.text}"' for one in facts.decisions])
    lines += _block("Wrote", _writes(facts))
    lines.append(f"Ran         {_count(len(facts.commands), 'command')}, {_failed(facts)} failed")
    lines += _block("Checks", [_check(one) for one in facts.checks][-_ROWS:])
    lines += _block("Not so", [_claim(one) for one in facts.claims if one.class_ == "CONTRADICTED"])
    lines += _block("Only said", [_claim(one) for one in facts.claims if one.class_ == "UNSUPPORTED"])
    lines += _block("Edited since", [_claim(one) for one in facts.claims if one.class_ == "STALE"])
    lines += _block("Shown", [_claim(one) for one in facts.claims if one.class_ == "SUPPORTED"])
    lines += _block("To do", [f"[{_MARK[one.status]}] {one.text}" for one in facts.todos])
    lines += _block("Dead ends", [f"{one.command}  {one.error} ({one.tries} tries)" for one in facts.dead_ends])
    lines.append(_read(facts))
    return "\n".join(fit(line, width) for line in lines)


_MARK = {"pending": " ", "in_progress": ">", "completed": "x"}


def _head(facts: SessionFacts) -> str:
    version = f" {facts.client_version}" if facts.client_version else ""
    began = local(facts.started) if facts.started else ""
    parts = [f"SESSION {(facts.session or '?')[:8]}", f"{facts.agent}{version}", f"{began}{_length(facts)}"]
    if facts.branch:
        parts.append(f"branch {facts.branch}")
    return "   ".join(parts)


def _length(facts: SessionFacts) -> str:
    if not facts.started or not facts.ended:
        return ""
    seconds = (datetime.fromisoformat(facts.ended) - datetime.fromisoformat(facts.started)).total_seconds()
    return f", {seconds / 60:.0f} min" if seconds >= 60 else f", {seconds:.0f} s"  # noqa: PLR2004 -- a minute


def _block(label: str, rows: list[str]) -> list[str]:
    shown = [" ".join(row.split()) for row in rows[:_ROWS]]
    if len(rows) > _ROWS:
        shown.append(f"... {len(rows) - _ROWS} more: --json")
    return [f"{label if i == 0 else '':<12}{row}" for i, row in enumerate(shown)]


def _of(paths: list[str]) -> str:
    return f"  ({', '.join(paths)})" if paths else ""


def _writes(facts: SessionFacts) -> list[str]:
    folder = f"{facts.cwd}/"
    done = Counter(write.path.removeprefix(folder) for write in facts.writes if write.ok is not False)
    return [path if times == 1 else f"{path} ({times} times)" for path, times in done.items()]


def _failed(facts: SessionFacts) -> int:
    return sum(command.ok is False for command in facts.commands)


def _check(check: SeenCheck) -> str:
    said = ", ".join(
        f"{number} {name}"
        for name in ("failed", "errors", "passed", "skipped")
        if check.counts is not None and (number := getattr(check.counts, name))
    )
    facts = [check.result or "no result", said, "" if check.exit is None else f"exit {check.exit}"]
    if check.masked:
        facts.append("exit code hidden by the command")
    if check.edits_after:
        facts.append("edited since")
    at = f"{local(check.at)[11:]}  " if check.at else ""
    return f"{at}{check.command}  " + ", ".join(fact for fact in facts if fact)


def _claim(claim: Claim) -> str:
    return f'"{claim.text}"  {claim.because}'


def _read(facts: SessionFacts) -> str:
    parts = [_count(facts.input.records, "record")]
    if facts.compactions:
        parts.append(_count(facts.compactions, "compaction"))
    if facts.subagents:
        parts.append(_count(facts.subagents, "subagent"))
    if facts.input.bad_lines:
        parts.append(f"{facts.input.bad_lines} lines are not JSON")
    unknown = sum(facts.input.unknown.values())
    if unknown:
        parts.append(f"{unknown} records of unknown types")
    return f"Read        {', '.join(parts)}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
