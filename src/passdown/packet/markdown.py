"""The packet as Markdown for pull requests and HANDOFF.md: whatever comes from outside is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passdown.model.packet import Packet
from passdown.packet import tests_words, words
from passdown.packet.hold_words import above, title
from passdown.packet.kind_words import kind
from passdown.packet.text import listed, place_of, plain, reason_of
from passdown.rules.amount import amount
from passdown.rules.leftovers import leftover
from passdown.rules.patterns import lazy

_MARKS = lazy(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])|(?<=\])\(|(?:^|(?<=\s))(?:[-+=#>]|\d{1,9}[.)])(?=\s|[-=]|$)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ACTIVE = lazy(
    r"@|#\d|\bGH-\d|://|\bwww\.|:(?:[a-z+-][\w+-]*|100|1234):|\$|\b(?:mailto|xmpp):|\b[0-9a-f]{40}\b", re.IGNORECASE
)
SHOWN = 6
"""Rows of a list that stand open; the first number of ``FOLDED`` that fits says how many more are there to unfold."""
FOLDED = (200, 40, 10, 0)
LONGEST = 60_000
"""Characters; GitHub takes 65,536 in a pull request's text."""
TEXT = 600
WHOLE = 8_000


def escape(text: str) -> str:
    """Foreign text as text: no mark-up, no HTML, one line; as code where a forge would link or mention something."""
    line = plain(text)
    if _ACTIVE.search(line):
        return code(line)
    marked = _MARKS.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", line)
    return "".join(_ENTITIES.get(char, char) for char in marked)


def code(text: str) -> str:
    """Foreign text as a code span whose fence is longer than any run of backticks in it."""
    line = plain(text) or " "
    runs = [len(run) for run in re.findall(r"`+", line)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def markdown(packet: Packet) -> str:
    """GitHub-flavoured Markdown; long lists and texts are folded, at most what a forge takes. Ends with a newline."""
    text = ""
    for folded in FOLDED:
        text = _whole(packet, folded)
        if len(text) <= LONGEST:
            break
    return text


def _whole(packet: Packet, folded: int) -> str:
    lines = [f"### Handoff {(packet.packet or 'draft')[:7]}: {escape(packet.task.title)}", ""]
    lines += [f"- {row}" for row in _head(packet)]
    for label, rows in (
        ("Said, not so", _false(packet)),
        ("Open", _open(packet)),
        ("Asked for", _asked_for(packet)),
        ("Outside", _outside(packet)),
        ("Checks", _checks(packet)),
        ("Tests changed", _tests(packet)),
        ("Only said", _said(packet)),
        ("Next may write", _allow(packet)),
        ("Not", _deny(packet)),
        ("Continue", _steps(packet)),
        ("Settled", _settled(packet)),
        ("Dead ends", (code(words.dead_end(d.command, d.error, d.tries)) for d in words.dead_ends(packet))),
    ):
        found = list(rows)
        if found:
            lines += ["", f"**{label}**", "", *_list(found, folded, numbered=label == "Continue")]
    lines += ["", f"**{packet.hold.state}**", "", *_list(list(_hold(packet)), folded)]
    return "\n".join(lines).rstrip() + "\n"


def _list(rows: list[str], folded: int, *, numbered: bool = False) -> list[str]:
    """The first rows, the next ones folded, and how many there are besides."""
    lines = [f"{at}. {row}" if numbered else f"- {row}" for at, row in enumerate(rows, 1)]
    if len(lines) <= SHOWN + 1:
        return lines
    inside, left = lines[SHOWN : SHOWN + folded], len(lines) - SHOWN - folded
    fold = ["", f"<details><summary>{len(inside)} more</summary>", "", *inside, "", "</details>"] if inside else []
    return [*lines[:SHOWN], *fold, *(["", f"and {left} more: `passdown show`"] if left > 0 else [])]


def _text(text: str) -> str:
    """A person's words: the beginning, the rest folded below it."""
    line = plain(text)
    if len(line) <= TEXT:
        return escape(line)
    begin, rest = line[:TEXT].rpartition(" ")[0] or line[:TEXT], ""
    rest = line[len(begin) :].strip()
    return (
        f"{escape(begin)} ...\n\n  <details><summary>the rest</summary>\n\n  {escape(rest[:WHOLE])}\n\n  </details>\n"
    )


def _head(packet: Packet) -> Iterator[str]:
    task, run = packet.task, packet.run
    who = {"user": "user", "agent": "agent, only said", "none": ""}[task.goal.source]
    yield f"Goal ({who}): {_text(task.goal.text)}" if who else "Goal: not known"
    if task.last_request:
        yield f"Last request (user): {_text(task.last_request)}"
    if kind(packet):
        yield f"Kind: {escape(kind(packet))}"
    done = [code(next((c.command for c in packet.checks if c.name == d.check), d.check)) for d in task.done]
    yield f"Done when: {', '.join(done)} exits 0" if done else "Done when: not said"
    if words.for_whom(packet):
        yield f"For: {code(words.for_whom(packet))}"
    yield f"Run: {escape(run.agent or 'no agent session')}, {escape(words.ended(packet))}"
    if packet.verdict is not None:
        note = f": {escape(packet.verdict.note)}" if packet.verdict.note else ""
        yield f"Answer: {escape(words.answered(packet.verdict))}{note}"


def _false(packet: Packet) -> Iterator[str]:
    for outcome in words.false_claims(packet):
        yield f"{escape(outcome.text)}: {escape(words.refuted(packet, outcome))}"


def _asked_for(packet: Packet) -> Iterator[str]:
    for item in packet.task.acceptance:
        yield f"**{item.id}** {escape(item.text)}: {item.state} ({escape(item.because)})"


def _outside(packet: Packet) -> Iterator[str]:
    """Each path that changed outside, how much, and what forbids it."""
    for file in packet.files:
        if file.inside is False and (leftover(file.path) is None or file.status != "added"):
            size = "" if file.added is None or file.removed is None else f" +{file.added} -{file.removed}"
            again = f"**{words.BYPASSED}**" if file.bypassed else ""
            why = "; ".join(part for part in (escape(file.because), again) if part)
            yield f"{code(file.path)}{size}" + (f" ({why})" if why else "")


def _open(packet: Packet) -> Iterator[str]:
    for item in words.open_items(packet):
        facts = [words.tried(item), words.origin(packet, item), f"blocks {item.blocks}"]
        error = f" {code(item.error)}" if item.error else ""
        yield f"**{item.id}** {code(item.text)}{error} ({', '.join(filter(None, facts))})"


def _checks(packet: Packet) -> Iterator[str]:
    for state, checks in (
        ("passes on this code", words.passing(packet)),
        ("ran on this code", words.ran_here(packet)),
        ("ran before the last edit", words.ran_before(packet)),
        ("could not run", words.unstarted(packet)),
        ("not measured", words.never_ran(packet)),
    ):
        for check in checks:
            told = words.counted(check) if check.result not in (None, "NOT RUN") else "never ran here"
            yield f"{code(check.name)} {state}: {escape(told)}"


def _tests(packet: Packet) -> Iterator[str]:
    for change in tests_words.told(packet):
        yield code(tests_words.line(change))
    if rest := tests_words.rest(packet):
        yield escape(rest)


def _said(packet: Packet) -> Iterator[str]:
    for outcome in words.only_said(packet):
        yield escape(outcome.text) + (f" ({code(outcome.source)})" if outcome.source else "")


def _allow(packet: Packet) -> Iterator[str]:
    for entry in packet.boundary.allow:
        yield f"{entry.id} {code(place_of(entry))}: {escape(entry.because)}"
    if packet.boundary.budget.new:
        yield f"at most {amount(packet.boundary.budget.new, 'new file')} beside them"


def _deny(packet: Packet) -> Iterator[str]:
    for entry in packet.boundary.deny:
        yield f"{entry.id} {code(place_of(entry))} ({escape(reason_of(entry, you='user'))})"
    yield "anything else"


def _steps(packet: Packet) -> Iterator[str]:
    for step in packet.checklist:
        if step.done:
            yield f"done: {escape(step.step)}"
            continue
        check = f", then {code(step.check)}" if step.check else ""
        other = f"; if not: {escape(step.if_not)}" if step.if_not else ""
        yield f"{escape(step.step)}{check}{other}"


def _settled(packet: Packet) -> Iterator[str]:
    for decision in packet.decisions:
        if decision.settled:
            scope = f" in {escape(listed(decision.scope, 3))}" if decision.scope else ""
            yield f"{decision.id} {escape(decision.text)} ({decision.by}){scope}"


def _hold(packet: Packet) -> Iterator[str]:
    for reason in packet.hold.reasons:
        fact = title(reason) if above(reason) else words.spoken(reason.fact, packet.sealed_at)
        yield f"{escape(fact)} (see {code(reason.reproduce)}; lifts: {code(reason.lifts)})"
    if not packet.hold.reasons:
        yield "nothing holds it"
