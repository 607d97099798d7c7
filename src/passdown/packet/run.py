"""The run: which stretch of which session, and how it ended."""

from __future__ import annotations

from passdown.model.packet import Commands, NotableCommand, Run, RunEnd
from passdown.model.session import Command, SessionFacts
from passdown.packet.sources import Sources

NOTABLE = 12
_DESTRUCTIVE = (
    "git reset --hard",
    "git checkout -- ",
    "git checkout .",
    "git clean -",
    "git stash",
    "git push --force",
    "git push -f",
    "git rebase",
    "git branch -d",
    "rm -rf",
    "rm -fr",
    "--no-verify",
    "git commit --amend",
    "drop table",
    "drop database",
    "truncate table",
)  # lower case


def run_of(sources: Sources) -> Run:
    """Records ``(from, through]`` of the session; without one a run of git, task and evidence alone."""
    resumed = sources.resumed
    origin = resumed.body.packet if resumed is not None else None
    facts, stretch = sources.facts, sources.stretch
    if facts is None or stretch is None:
        end = RunEnd(reason="unknown", because="no agent session: git, task and checks alone")
        started = resumed.at if resumed is not None else None
        return Run(
            id=sources.run_id, agent=None, session=None, from_=None, through=None, started=started,
            ended=None, end=end, resumed_from=origin,
        )  # fmt: skip
    return Run(
        id=sources.run_id,
        agent=facts.agent,
        session=facts.session,
        from_=sources.after,
        through=max(facts.input.records - 1, sources.after),
        started=_first(stretch) if sources.after >= 0 else facts.started,
        ended=facts.ended,
        end=RunEnd(reason=facts.end.reason, because=facts.end.because, resets=facts.end.resets),
        client_version=facts.client_version,
        resumed_from=origin,
        compactions=facts.compactions,
        subagents=facts.subagents,
    )


def _first(stretch: SessionFacts) -> str | None:
    instants = [r.at for r in stretch.requests] + [w.at for w in stretch.writes] + [c.at for c in stretch.commands]
    return min((at for at in instants if at), default=stretch.ended)


def commands_of(stretch: SessionFacts | None) -> Commands:
    """How many ran and failed, and those worth showing: the last ones first to be kept."""
    ran = stretch.commands if stretch else []
    running = {command.command for command in stretch.background} if stretch else set()
    notable = [(c, why) for c in ran if (why := _why(c, running))]
    shown = [
        NotableCommand(command=c.command, exit=c.exit, ok=c.ok, why=why, at=c.at, record=c.record)
        for c, why in notable[-NOTABLE:]
    ]
    return Commands(run=len(ran), failed=sum(c.ok is False for c in ran), notable=shown)


def _why(command: Command, running: set[str]) -> str:
    lowered = command.command.lower()
    if any(word in lowered for word in _DESTRUCTIVE):
        return "destructive"
    if command.background and command.command in running:
        return "still running"
    if command.masked:
        return "its exit code does not vouch for each program in it"
    return "failed" if command.ok is False else ""
