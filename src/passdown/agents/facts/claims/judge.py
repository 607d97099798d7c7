"""Closing statements -> claims with a class and the fact that decides it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from passdown.agents.facts.claims.denials import refuted
from passdown.agents.facts.claims.on_checks import on_checks
from passdown.agents.facts.claims.on_commands import on_count, on_run, on_search, on_unchanged_tests, on_untouched
from passdown.agents.facts.claims.on_files import on_files
from passdown.agents.facts.claims.on_git import on_git
from passdown.agents.facts.claims.on_state import on_ci, on_clean_tree, on_coverage
from passdown.agents.facts.claims.plainly import quoted
from passdown.agents.facts.claims.ruling import Ruling, worst
from passdown.agents.facts.claims.speech import affirmed, is_claim, is_said
from passdown.agents.facts.claims.standing import may_stand, stands
from passdown.agents.facts.claims.tokens import paths
from passdown.agents.facts.claims.units import Unit, units
from passdown.agents.facts.journal import END, Journal, Said, between
from passdown.model.session import Claim

_MOST = 60
_FIRST_WRITES = 100
_TURNS = 8  # that far back something later has nearly always spoken of it
_FIRST = (on_unchanged_tests, on_untouched, on_search, on_clean_tree, on_ci, on_coverage)


def claims(journal: Journal) -> list[Claim]:
    """The claims of the last closing words that claim anything, then those of earlier turns that still stand.

    Those are on checks and git, and nothing later speaks of what they are about: no words, no run, no deed.
    """
    found: list[Claim] = []
    later: list[Said] = []
    for said in islice(closing(journal), _TURNS):
        beside = bool(found)
        own = [(unit, message) for message in said for unit in _claimed(message, journal, earlier=beside)]
        kept = [(u, m) for u, m in own if not later or stands(u, m.seq, later, journal, first=not beside)]
        found += [_claim(unit, message, journal) for unit, message in kept]
        later += said
    return found[:_MOST]


def _claimed(message: Said, journal: Journal, *, earlier: bool) -> Iterator[Unit]:
    worked = bool(journal.subagents) or any(w.ok for w in islice(journal.written, _FIRST_WRITES) if w.seq < message.seq)
    told = (unit for unit in units(message.text) if not earlier or may_stand(unit.text))
    return (unit for unit in told if is_claim(unit, worked=worked) or _denies(unit, message, journal, earlier=earlier))


def _denies(unit: Unit, message: Said, journal: Journal, *, earlier: bool) -> bool:
    """Whether it says of something written that it was not: what is so denied and was not written needs no line."""
    return not earlier and is_said(unit) and refuted(unit.text, journal, message.seq) is not None


def _woken(journal: Journal) -> list[float]:
    """Where the agent, having closed its turn, went on although nobody asked: a background command's end woke it."""
    final = [said.seq for said in journal.said if said.final is True]
    found = []
    for seq, following in pairwise([*final, END]):
        ran, wrote = next(journal.ran_after(seq), None), next(journal.writes_after(seq), None)
        if any(deed is not None and deed.seq < following for deed in (ran, wrote)):
            found.append(seq + 0.5)
    return found


def closing(journal: Journal) -> Iterator[list[Said]]:
    """The closing messages of each turn, newest turn first: what was said after its last deed, or marked final."""
    edges = sorted([-1, *journal.asked, *_woken(journal), END])
    for start, end in reversed(list(pairwise(edges))):
        inside = list(between(journal.said, start, end))
        if not inside:
            continue
        deeds = between(journal.ran, start, end)[-1:], between(journal.written, start, end)[-1:]
        last = max((deed.seq for one in deeds for deed in one), default=-1)
        final = [s for s in inside if s.final is True]
        after = [s for s in inside if s.seq > last]
        if final and (not after or final[-1].seq > last):
            yield [s for s in after if s.seq >= final[-1].seq] or final[-1:]
        elif after:
            yield after
        elif end == edges[-1]:
            yield inside[-1:]


def _claim(unit: Unit, message: Said, journal: Journal) -> Claim:
    ruling = rule_on(f"{unit.text} {unit.below}".strip(), journal, message.seq)
    return Claim(
        at=message.at,
        text=unit.text,
        class_=ruling.class_,
        because=ruling.because,
        record=message.record,
        paths=paths(f"{unit.text} {unit.below}"),
        check=ruling.check,
    )


def rule_on(text: str, journal: Journal, said_at: int = END) -> Ruling:
    """The ruling on one statement: every judge that has something to say; the worst part decides."""
    first = refuted(text, journal, said_at) or next((r for judge in _FIRST if (r := judge(text, journal))), None)
    if first:
        return first
    text = quoted(affirmed(text), journal)
    rulings = [r for r in (on_checks(text, journal, said_at), on_git(text, journal)) if r]
    if not rulings:
        single = on_run(text, journal, said_at) or on_count(text, journal) or on_files(text, journal)
        rulings = [single] if single else []
    return worst(rulings) or Ruling("UNSUPPORTED", "nothing in the record shows it")
