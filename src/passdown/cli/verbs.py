"""The table of verbs: where each lives and its one line. A verb stands here only if it works."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One verb: its module and function under ``passdown.cli``, its line in the help, whether newcomers see it."""

    target: str
    line: str
    first: bool = False


VERBS: dict[str, Entry] = {
    "pack": Entry("pack:pack", "seal what the run did: facts, checks, open items, what comes next", first=True),
    "review": Entry("review:review", "read one screen, answer: approve, narrow, roll back", first=True),
    "resume": Entry("resume:resume", "check freshness, print the brief, arm the boundary", first=True),
    "readback": Entry("readback:readback", "the next run restates the packet before its first edit"),
    "check": Entry("check:check", "run checks, record the evidence", first=True),
    "status": Entry("status:status", "task, boundary, open items, hold: one screen", first=True),
    "session": Entry("session:session", "the facts of one agent session, from its transcript"),
    "show": Entry("show:show", "show a packet: terminal, --json, --markdown, --brief"),
    "start": Entry("start:start", "open a task by hand: goal, acceptance checks, boundary"),
    "boundary": Entry("boundary:boundary", "show, set, allow, deny, explain a path"),
    "verify": Entry("verify:verify", "judge a diff against the boundary", first=True),
    "note": Entry("note:note", "record a decision, dead end, question, step; ask for a path"),
    "import": Entry("import_:import_", "take in a handoff note or to-do list of another tool, as only said"),
    "mcp": Entry("mcp:mcp", "the agent's tools over MCP; an agent's client starts it"),
    "rollback": Entry("rollback:rollback", "return to the sealed state; today's state is rescued first"),
    "rescue": Entry("rescue:rescue", "keep the whole worktree as it is now"),
    "init": Entry("init:init", "put the guard into agents' and git's hooks; --undo takes it out"),
    "doctor": Entry("doctor:doctor", "prove which guard layers refuse, which are dead"),
    "sandbox": Entry("sandbox:sandbox", "run a command that can write inside the boundary alone"),
    "off": Entry("switch:off", "leave a gap in the guard for a while, recorded"),
    "on": Entry("switch:on", "close that gap"),
    "hold": Entry("hold:hold", "stop the task, with a reason"),
    "lift": Entry("lift:lift", "release a hold, with a reason"),
    "outcome": Entry("outcome:outcome", "close the task: completed, rolled-back, abandoned, replanned", first=True),
    "attest": Entry("attest:attest", "sign evidence with CI's key, or vouch for a clone's records"),
    "sync": Entry("sync:sync", "exchange records with other clones through a git remote"),
    "github": Entry("github:github", "publish a packet to a pull request; take in what was said there"),
    "export": Entry("export:export", "evidence and packets as in-toto attestations"),
    "serve": Entry("serve:serve", "packets and reviews as web pages, on this machine alone"),
    "log": Entry("log:log", "the audit trail of a task, in order"),
    "learn": Entry("learn:learn", "what repeated misses teach: edits to take or to refuse"),
    "template": Entry("template:template", "the kinds of handoffs: list, show, make your own, check it"),
    "metrics": Entry("metrics:metrics", "what became of resumed runs: completed, strayed, rolled back"),
}
