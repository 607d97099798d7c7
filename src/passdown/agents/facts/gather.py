"""One pass over a session's normalised stream."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field, structs

from passdown.agents.facts.checks import check_of, may_check
from passdown.agents.facts.claims import claims
from passdown.agents.facts.claims.judge import closing
from passdown.agents.facts.dead_ends import dead_ends
from passdown.agents.facts.decisions import from_choice, from_prompt
from passdown.agents.facts.ending import Ending
from passdown.agents.facts.hook_writes import hook_writes
from passdown.agents.facts.journal import Check, Journal, Ran, Said, Written
from passdown.agents.facts.output.plain import clean
from passdown.agents.facts.prohibitions import lifted, prohibitions
from passdown.agents.facts.reading import read_line
from passdown.agents.facts.shell_edits import last_by_shell
from passdown.agents.stream import (
    BadLine,
    Choice,
    Compaction,
    Event,
    FileRead,
    FileWrite,
    Meta,
    PersonEdit,
    Plan,
    Prompt,
    Say,
    ShellCall,
    ShellResult,
    Subagent,
    Tail,
    Unknown,
)
from passdown.model.session import (
    Background,
    Command,
    Input,
    Prohibition,
    Request,
    SeenCheck,
    SeenDecision,
    SessionFacts,
    Todo,
    Write,
)
from passdown.rules.own_text import without_brief
from passdown.rules.redact import Redactor

CLOSING = 20_000
"""Characters of the closing words that are kept."""
_TAIL = 600
_RAW_TAIL = 1800
_WHOLE = 400_000
_OPEN = 4096
_COMMITTING = {"commit", "push"}
_TITLE = ("/", "<")


class _Pass(Struct):
    """What the pass has gathered so far."""

    journal: Journal = field(default_factory=Journal)
    ending: Ending = field(default_factory=Ending)
    seq: int = 0
    by_call: dict[str, Ran] = field(default_factory=dict)
    lasting: dict[str, Ran] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    reads: dict[str, None] = field(default_factory=dict)
    todos: tuple[Todo, ...] = ()
    decisions: list[SeenDecision] = field(default_factory=list)
    prohibitions: list[Prohibition] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)
    bad: int = 0
    meta: dict[str, str] = field(default_factory=dict)
    cwds: dict[str, None] = field(default_factory=dict)
    models: dict[str, None] = field(default_factory=dict)
    tail: Tail | None = None
    _texts: dict[str, str] = field(default_factory=dict)

    def shared(self, text: str | None) -> str | None:
        """The same text as one object: folders stand in every record."""
        return text if text is None or len(self._texts) > _OPEN else self._texts.setdefault(text, text)

    def expect(self, call_id: str, ran: Ran) -> None:
        """Wait for the results of a call; of many, those that ended long ago get none any more."""
        self.by_call[call_id] = ran
        while len(self.by_call) > _OPEN:
            oldest = next(iter(self.by_call))
            waiting = self.by_call.pop(oldest)
            if waiting.ended is None:
                self.lasting[oldest] = waiting


def gather(
    stream: Iterable[Event], *, agent: str = "unknown", redactor: Redactor | None = None, outputs: bool = True
) -> SessionFacts:
    """The facts of one session; every free text is redacted (``redactor``: the policy's, else the built-in rules).

    Without ``outputs`` only a command that failed shows the end of its output.
    """
    seen = _Pass()
    for event in stream:
        seen.seq += 1
        _take(event, seen)
    facts = _facts(seen, agent, outputs=outputs)
    del seen  # of a long session it holds as much as the facts do
    return (redactor or Redactor()).value(facts)


def _take(event: Event, seen: _Pass) -> None:  # noqa: C901, PLR0912 - one line for each kind of event
    seen.ending.see(event)
    match event:
        case Prompt():
            _prompt(event, seen)
        case Choice():
            seen.decisions += from_choice(event)
        case Say(subagent=False):
            seen.journal.say(Said(seen.seq, event.record, event.at, event.text, event.final))
        case ShellCall(subagent=False):
            _call(event, seen)
        case ShellResult(subagent=False):
            _result(event, seen)
        case FileWrite():
            _wrote(event, seen)
        case FileRead():
            seen.reads.setdefault(event.path)
        case PersonEdit():
            seen.journal.person_edits.append((seen.seq, event.path))
        case Plan():
            seen.todos = event.todos
        case Compaction():
            seen.journal.compactions += 1
        case Subagent():
            seen.journal.helpers.append(seen.seq)
        case Meta():
            _meta(event, seen)
        case Unknown():
            seen.unknown[event.type] = seen.unknown.get(event.type, 0) + 1
        case BadLine():
            seen.bad += 1
        case Tail():
            seen.tail = event
        case _:
            pass


def _prompt(event: Prompt, seen: _Pass) -> None:
    text = without_brief(event.text)
    seen.journal.asked.append(seen.seq)
    if not text and event.text:
        return  # a pasted brief and nothing else: asked, but not in the person's words
    seen.requests.append(Request(at=event.at, text=text, record=event.record))
    if event.source == "plan" or (text.startswith(_TITLE) and " " not in text.strip()):
        return  # the client's own words, or a command without any
    asked = seen.journal.said[-1].text if seen.journal.said else None
    seen.decisions += from_prompt(structs.replace(event, text=text), asked)
    seen.prohibitions = lifted(seen.prohibitions, text, event.at) + prohibitions(text, event.at, event.record)


def _wrote(event: FileWrite, seen: _Pass) -> None:
    seen.journal.wrote(Written(seen.seq, event))
    seen.journal.act()


def _call(event: ShellCall, seen: _Pass) -> None:
    line = read_line(event.command)
    ran = Ran(
        *(seen.seq, event.record, event.at, event.command, seen.shared(event.cwd), event.background),
        masked=line.masked,
        verbs=line.verbs,
        line=line if may_check(line) else None,
    )
    seen.journal.ran.append(ran)
    seen.journal.act()
    seen.expect(event.call_id, ran)


def _result(event: ShellResult, seen: _Pass) -> None:
    ran = seen.by_call.get(event.call_id) or seen.lasting.get(event.call_id)
    if ran is None:
        return
    ran.exit = event.exit if event.exit is not None else (None if event.ok is not None else ran.exit)
    ran.signal, ran.executed = event.signal, event.executed
    ran.ok = event.ok if event.ok is not None or event.running else ran.ok
    ran.running, ran.no_match, ran.interrupted = event.running, event.no_match, event.interrupted
    whole = ran.add(event.output)
    seen.journal.put_out(ran, len(event.output))
    if not event.running:
        ran.ended, ran.ended_record, ran.ended_at = seen.seq, event.record, event.at
    if ran.line is not None:
        ran.check = check_of(ran, ran.line, whole[:_WHOLE])
        if not event.running and not _COMMITTING.isdisjoint(ran.verbs):
            seen.journal.hook_writes += hook_writes(clean(whole[:_WHOLE]), ran.text, ran.at, ran.record)


def _meta(event: Meta, seen: _Pass) -> None:
    for name in ("client_version", "session", "cwd", "branch", "forked_from"):
        value = getattr(event, name)
        if value is not None:
            seen.meta.setdefault(name, value)
    if event.cwd:
        seen.cwds.setdefault(event.cwd)
        seen.journal.cwd = seen.journal.cwd or event.cwd
    if event.model:
        seen.models.setdefault(event.model)


def _facts(seen: _Pass, agent: str, *, outputs: bool) -> SessionFacts:
    journal, tail = seen.journal, seen.tail
    for ran in journal.ran:
        if ran.line is not None and ran.check is None and ran.ended is None:
            ran.check = check_of(ran, ran.line, "")
            if ran.check is not None and ran.executed:
                ran.check.seen = structs.replace(ran.check.seen, result=None)
    stated, dead = claims(journal), dead_ends(journal)
    by_shell = last_by_shell(journal) if journal.checks else -1
    return SessionFacts(
        agent=agent,
        client_version=seen.meta.get("client_version"),
        session=seen.meta.get("session"),
        cwd=seen.meta.get("cwd"),
        branch=seen.meta.get("branch"),
        started=tail.first_at if tail else None,
        ended=tail.last_at if tail else None,
        end=seen.ending.end(tail),
        requests=seen.requests,
        writes=[_write(w.event) for w in journal.written],
        commands=[_command(r, told=outputs or r.ok is False) for r in journal.ran],
        checks=[_check(c, journal, by_shell) for c in journal.checks],
        claims=stated,
        prohibitions=seen.prohibitions,
        todos=list(seen.todos),
        reads=list(seen.reads),
        decisions=seen.decisions,
        dead_ends=dead,
        compactions=journal.compactions,
        subagents=journal.subagents,
        input=Input(records=tail.records if tail else 0, bad_lines=seen.bad, unknown=seen.unknown),
        cwds=list(seen.cwds),
        models=list(seen.models),
        hook_writes=journal.hook_writes,
        person_edits=list(dict.fromkeys(path for _, path in journal.person_edits)),
        background=[Background(command=r.command, at=r.at, record=r.record) for r in journal.ran if _alive(r)],
        forked_from=seen.meta.get("forked_from"),
        closing="\n".join(said.text for said in next(closing(journal), []))[:CLOSING],
    )


def _alive(ran: Ran) -> bool:
    return ran.executed and (ran.running or (ran.background and ran.ended is None))


def _write(event: FileWrite) -> Write:
    return Write(
        at=event.at,
        path=event.path,
        op=event.op,
        ok=event.ok,
        via=event.via,
        subagent=event.subagent,
        to=event.to,
        record=event.record,
    )


def _command(ran: Ran, *, told: bool) -> Command:
    return Command(
        at=ran.at,
        command=ran.command,
        cwd=ran.cwd,
        exit=ran.exit,
        signal=ran.signal,
        ok=ran.ok,
        masked=ran.masked,
        background=ran.background or ran.running,
        record=ran.record,
        output_tail=_tail(ran.output) if told else "",
        ended=ran.ended_at,
    )


def _tail(output: str) -> str:
    """The end of an output, cleaned; colours and blank ends may take more room than what is left of it."""
    return clean(output[-_RAW_TAIL:])[-_TAIL:] if output else ""


def _check(check: Check, journal: Journal, by_shell: int) -> SeenCheck:
    edited = journal.edit_after(check.seq) is not None or check.seq < by_shell
    return structs.replace(check.seen, edits_after=edited)
