"""Sessions that ended without a packet: found, told in one line, drafted."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.cli.output import aside
from passdown.cli.weighing import ask_now
from passdown.guard.lease import holder
from passdown.ledger.locks import exclusive
from passdown.packet.stretch import after, sealed_through
from passdown.packet.text import clock, cut, plain
from passdown.packet.words import REASONS
from passdown.rules.instants import seconds
from passdown.rules.sweep import Silent, why

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from passdown.agents.protocol import FoundSession
    from passdown.cli.context import Context
    from passdown.ledger.fact import Fact
    from passdown.model.packet import Packet
    from passdown.model.session import SessionFacts

MOST = 12
"""Sessions that are read in one sweep, the newest."""
_OVER = ("quota", "context-full", "api-error", "crashed")
NOTE = "drafted: the session ended without a packet"
_SHOWN = 3
_COMMAND = 80


class Ended(Struct, frozen=True):
    """A session that ended with work and no packet."""

    found: FoundSession
    facts: SessionFacts


def ended(context: Context, *, besides: str | None = None, first: bool = False) -> list[Ended]:
    """Those of this worktree and branch, oldest first; ``besides`` is the session that asks.

    ``first``: where Passdown was never used here, the newest session counts all the same.
    """
    sessions = [one for one in context.sessions if one.session not in {besides, *_own()}]
    since = _since(context) or (sessions[0].modified if first and sessions else None)
    if since is None:
        return []
    recent = [one for one in sessions if (seconds(one.modified) or 0.0) >= (seconds(since) or 0.0)]
    recent = [one for one in recent if (seconds(one.modified) or 0.0) > _known_end(context, one)]
    if not recent:
        return []
    last = _last_events(context)
    here = [one for one in recent if _branch(one, last) in (None, context.place.branch)]
    uncommitted = cache(lambda: _uncommitted(context))
    read = (_read(context, one, since, last.get(one.session), uncommitted) for one in here[:MOST])
    return list(reversed([one for one in read if one is not None]))


def _since(context: Context) -> str | None:
    """When Passdown was first used in this repository."""
    first = next(iter(context.recorder.records()), None)
    return first.at if first is not None else None


def _last_events(context: Context) -> dict[str, Fact]:
    """By its session the last event that a hook told."""
    return {str(fact.data.get("session")): fact for fact in context.recorder.facts(kind="session")}


def _branch(found: FoundSession, last: Mapping[str, Fact]) -> str | None:
    """Where the session stood at its end, as a hook or the transcript says; None: not known."""
    told = last.get(found.session)
    branch = told.data.get("branch") if told is not None else None
    if isinstance(branch, str):
        return branch
    from passdown.agents.claude.branch import last_branch

    return last_branch(found.path) if found.agent == "claude" else None


def _uncommitted(context: Context) -> frozenset[str]:
    """Paths that are not as HEAD has them."""
    from passdown.workspace.diff import tree_diff

    place, now = context.place, context.snapshot
    changed = tree_diff(place, place.head or "", now.commit_tree or now.tree)
    return frozenset(change.path for change in changed)


def _unfinished(context: Context, facts: SessionFacts, uncommitted: frozenset[str]) -> bool:
    """Whether something that it wrote is uncommitted; of what its subagents wrote only git knows."""
    root = str(context.place.root)
    wrote = {os.path.realpath(Path(facts.cwd or root, write.path)) for write in facts.writes}
    return bool(uncommitted and facts.subagents) or any(f"{root}/{path}" in wrote for path in uncommitted)


def _read(
    context: Context, found: FoundSession, since: str, last: Fact | None, uncommitted: Callable[[], frozenset[str]]
) -> Ended | None:
    """The session with its facts, where it is worth a packet now."""
    from passdown.agents.alive import at_work
    from passdown.agents.over import over
    from passdown.agents.sessions import read_session

    sealed = sealed_through(context.tasks.values(), found.session)
    facts = read_session(found.path, outputs=False)
    where = (found.agent, found.session, found.path)
    stopped = facts.end.reason in _OVER
    silent = Silent(
        modified=found.modified,
        records=facts.input.records,
        sealed=sealed,
        worked=_worked(context, after(facts, sealed)),
        alive=(at_work(*where) is not None or _holds(context, found)) and not stopped,
        ended=stopped or over(*where) or (last is not None and last.data.get("event") == "SessionEnd"),
        branch=facts.branch if found.agent != "claude" and last is None else None,
    )
    if facts.end.reason == "finished" and not _unfinished(context, facts, uncommitted()):
        return None  # what it did is committed or undone: nothing is left to hand over
    said = why(silent, now=context.now, branch=context.place.branch, since=since)
    return Ended(found, facts) if said == "draft" else None


def _holds(context: Context, found: FoundSession) -> bool:
    """Whether the run of this session holds the worktree."""
    held = holder(context.place)
    return held is not None and held.session == found.session


def _known_end(context: Context, found: FoundSession) -> float:
    """When the sealed part of the session ended; -1: none of it is sealed."""
    runs = [p.body.run for task in context.tasks.values() for p in task.packets if p.body.run.session == found.session]
    return max((seconds(run.ended) or 0.0 for run in runs), default=-1.0)


def _worked(context: Context, stretch: SessionFacts) -> bool:
    """Whether it wrote, had others write, or ran commands while the worktree became another than the packet's."""
    if any(write.ok is not False for write in stretch.writes) or stretch.subagents:
        return True
    latest = context.task.latest if context.task is not None else None
    return bool(stretch.commands) and latest is not None and latest.body.place.tree != context.snapshot.tree


def told(context: Context, sessions: Sequence[Ended]) -> str:
    """Who ended, how and when, in one line; "" where there is none."""
    if not sessions:
        return ""
    newest = list(reversed(sessions))
    shown = "; ".join(_one(context, each) for each in newest[:_SHOWN])
    return shown + (f"; {len(newest) - _SHOWN} more" if newest[_SHOWN:] else "")


def _one(context: Context, each: Ended) -> str:
    end = each.facts.end
    resets = f" (resets {plain(end.resets)})" if end.resets else ""
    return f"{each.found.agent} {each.found.session[:8]}, {REASONS[end.reason]}{resets}, until {_when(context, each)}"


def _when(context: Context, each: Ended) -> str:
    return clock(each.found.modified, context.now)


def summaries(sessions: Sequence[Ended]) -> list[dict[str, str | None]]:
    """The same for `--json`, oldest first."""
    return [
        {
            "agent": each.found.agent,
            "session": each.found.session,
            "until": each.found.modified,
            "reason": each.facts.end.reason,
            "resets": each.facts.end.resets,
        }
        for each in sessions
    ]


def draft(context: Context, sessions: Sequence[Ended]) -> None:
    """One packet each, oldest first, told on standard error; what another command drafts meanwhile is left to it."""
    if not sessions:
        return
    context.will_write()
    with exclusive(context.place.home / "draft.lock"):
        context.forget(context.snapshot.tree)
        for each in sessions:
            _draft(context, each)


def _draft(context: Context, each: Ended) -> None:
    from passdown.packet.build import build
    from passdown.packet.seal import seal

    if sealed_through(context.tasks.values(), each.found.session) >= each.facts.input.records - 1:
        return
    made = build(context.place, context.recorder, context.policy, ask_now(context, each.facts))
    made = replace(made, run=replace(made.run, by=context.me), notes=[NOTE, *made.notes])
    sealed = seal(context.place, context.recorder, with_remains(context, made, each.facts))
    aside(f"Drafted {(sealed.packet or '')[:7]}: {_one(context, each)}, had no packet.")
    context.forget(context.snapshot.tree)


def with_remains(context: Context, packet: Packet, facts: SessionFacts | None) -> Packet:
    """The packet with notes of what its session left running, and of the command that it broke off in."""
    reason = packet.run.end.reason
    if facts is None or packet.run.session is None or reason == "running" or packet.run.session in _own():
        return packet
    from passdown.agents.left_running import left_running

    left = [f"{_short(context, one.command)} (process {one.pid})" for one in left_running(packet.run.session)]
    more = [f"{len(left) - _SHOWN} more"] if left[_SHOWN:] else []
    notes = [f"still runs: {'; '.join([*left[:_SHOWN], *more])}"] if left else []
    last = facts.commands[-1] if facts.commands and reason != "finished" else None
    if last is not None:
        how = "no result" if last.ok is None and last.exit is None else "succeeded" if last.ok else "failed"
        notes.append(f"last command: {_short(context, last.command)}, {how}")
    return replace(packet, notes=[*notes, *packet.notes])


def _short(context: Context, command: str) -> str:
    return cut(plain(context.redactor.text(command)), _COMMAND)


def _own() -> set[str]:
    """The session that runs this command, where one does."""
    return {os.environ.get(name, "") for name in ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")}
