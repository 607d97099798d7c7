"""What the task is for: the user's own words, verbatim, and what counts as done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from passdown.model.packet import Done, Goal, PacketCheck, Task
from passdown.model.session import Request, SessionFacts
from passdown.packet.acceptance import acceptance_of
from passdown.packet.title import short, title_of
from passdown.packet.words import RUNNERS, absent, tests_of
from passdown.rules.command import programs
from passdown.rules.patterns import lazy

if TYPE_CHECKING:
    from passdown.packet.sources import Sources

_WRAPPER = lazy(r"^\s*(?:<(?:command-|local-command|bash-|system-reminder|user-prompt)|Caveat:|/[a-z][\w:-]*\s*$)")
_NUDGE = lazy(
    r"^\W*(?:ok(?:ay)?|yes|y|no|go on|go ahead|(?:please )?continue|proceed|keep going|resume|next|thanks?|weiter)\W*$",
    re.IGNORECASE,
)
_UNKNOWN = "no goal known"
TRUNKS = ("main", "master", "trunk", "develop", "dev")


def own_words(facts: SessionFacts | None) -> list[Request]:
    """The person's requests: no wrapper of a slash command, no nudge to go on."""
    return [r for r in facts.requests if not _WRAPPER.match(r.text) and not _NUDGE.match(r.text)] if facts else []


def goal_of(sources: Sources) -> Goal:
    """`pack --goal`, else the task's, else the first request of the stretch (of the session, where it has none)."""
    if sources.ask.goal:
        return Goal(text=sources.ask.goal, source="user", at=sources.ask.now)
    if sources.task is not None and sources.task.goal.source != "none":
        return sources.task.goal
    requests = own_words(sources.stretch) or own_words(sources.facts)
    if not requests:
        return Goal(text="", source="none")
    return Goal(text=requests[0].text, source="user", at=requests[0].at)


def last_request(sources: Sources, goal: Goal) -> Request | None:
    """The person's last words, where they are not the goal itself; a run without any keeps the earlier ones."""
    requests = own_words(sources.facts)
    if requests:
        return requests[-1] if requests[-1].text.strip() != goal.text.strip() else None
    before = sources.previous.body.task if sources.previous else None
    if before is None or not before.last_request:
        return None
    return Request(at=before.last_request_at, text=before.last_request)


def task_of(sources: Sources) -> Task:
    """The task as this packet sees it."""
    goal = goal_of(sources)
    last = last_request(sources, goal)
    return Task(
        id=sources.task_id,
        title=_title(sources, goal),
        goal=goal,
        done=done_of(sources, goal),
        state="running" if sources.facts is not None and sources.facts.end.reason == "running" else "handed-off",
        last_request=last.text if last else None,
        last_request_at=last.at if last else None,
        acceptance=acceptance_of(sources, goal),
    )


def _title(sources: Sources, goal: Goal) -> str:
    if sources.ask.title:
        return sources.ask.title
    if sources.task is not None and sources.task.title not in ("", _UNKNOWN):
        return sources.task.title
    branch = sources.place.branch
    if branch and branch not in TRUNKS:
        return short(re.sub(r"[-_/]+", " ", branch).strip())
    return title_of(goal.text) or _UNKNOWN


def done_of(sources: Sources, goal: Goal) -> list[Done]:
    """Acceptance checks, else what the task was opened with, else the one that the person named, else a candidate.

    A command that the agent tried and that is not here is nobody's done-definition.
    """
    checks = sources.checks
    required = [c.name for c in checks if c.acceptance]
    nowhere = {c.name for c in checks if absent(c) and c.name == " ".join(c.command.split())}
    opened = [name for name in (sources.task.done if sources.task is not None else []) if name not in nowhere]
    texts = [goal.text, *(r.text for r in own_words(sources.facts))]
    names = required or opened or _named(checks, texts) or [c.name for c in tests_of(checks)][:1]
    known = {check.name: check for check in checks}
    return [
        Done(
            check=name,
            class_=known[name].class_ if name in known else None,
            result=known[name].result if name in known else None,
        )
        for name in dict.fromkeys(names)
    ]


def _named(checks: Sequence[PacketCheck], texts: Sequence[str]) -> list[str]:
    """The first check whose command or program the person's words name."""
    said = " ".join(texts).lower()
    for check in checks:
        tools = [_spoken(words) for words in programs(check.command) if words]
        if check.command.lower() in said or any(re.search(rf"\b{re.escape(tool)}\b", said) for tool in tools if tool):
            return [check.name]
    return []


def _spoken(words: Sequence[str]) -> str:
    """A program as one speaks of it; of a runner ("make the parser quicker") with the word behind it."""
    tool = words[0].rpartition("/")[2].lower()
    return " ".join([tool, *words[1:2]]).lower() if tool in RUNNERS else tool
