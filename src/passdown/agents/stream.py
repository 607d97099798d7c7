"""What an agent's transcript says, one event at a time, in the order in which the facts became known.

Readers (``claude``, ``codex``) turn records into these events; ``facts`` folds them. An event that
needs two records (a write and its result) is emitted when the second one is read, or at the end
with the result left None. Nothing here is guessed: what a format does not carry is None.
Structs, since a frozen dataclass takes five times as long to make and a transcript holds thousands.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passdown.model.session import Op, Todo, Via

Source = Literal["typed", "queued", "rejection", "command", "plan"]


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """``record``: zero-based number of the line that shows it; ``at``: its ISO time, None if it has none.

    Numbers are of the session's own file: what a subagent's file shows bears the number of the line that comes next
    here; lines that a fork inherited count backwards from -1.
    """

    record: int
    at: str | None


class Prompt(Event, frozen=True, kw_only=True, gc=False):
    """The person's own words, once each, without the client's wrapping.

    ``source``: typed; queued (typed while the agent was busy); rejection (said when refusing a call);
    command (a slash command with its arguments); plan (the client's words for a plan that was accepted).
    """

    text: str
    source: Source = "typed"


class Choice(Event, frozen=True, kw_only=True, gc=False):
    """What the person chose when asked, in the person's words; accepting a plan is one."""

    question: str | None
    answer: str


class Say(Event, frozen=True, kw_only=True, gc=False):
    """Prose of the model; ``final``: the format says that it closes the turn (None: it does not say)."""

    text: str
    final: bool | None = None
    subagent: bool = False


class ShellCall(Event, frozen=True, kw_only=True, gc=False):
    """A call of the shell tool; ``call_id`` joins it to its results, ``cwd`` is where it started."""

    call_id: str
    command: str
    cwd: str | None
    tool: str
    background: bool = False
    subagent: bool = False


class ShellResult(Event, frozen=True, kw_only=True, gc=False):
    """What is known of a shell call now; a later one of the same ``call_id`` adds to it and overrules it.

    ``executed`` False: rejected, denied or cancelled, so neither failed nor passed (``ok`` None).
    ``running``: it goes on (background), the end may come later or never. ``no_match``: the client
    took a non-zero exit for an answer (``ok`` False, ``exit`` not recorded). ``interrupted``: the
    person or the client stopped it. ``output`` is what this result adds; ``stored`` names the side
    file that holds the whole of it.
    """

    call_id: str
    exit: int | None
    ok: bool | None
    output: str
    signal: int | None = None
    executed: bool = True
    running: bool = False
    no_match: bool = False
    interrupted: bool = False
    stored: str | None = None
    subagent: bool = False


MOST_ADDED = 64 * 1024


class FileWrite(Event, frozen=True, kw_only=True, gc=False):
    """A file written or tried; ``ok`` False: refused or failed, None: no result recorded.

    ``path`` as the format has it (absolute, or relative to ``cwd``); ``to``: the new name of a rename;
    ``executed`` False: rejected, denied or cancelled before it ran. ``added``: the lines that it put in
    (claims about content are read against them), ``around``: those beside them that it shows,
    ``removed``: those that it took out, at most 64 KB each.
    """

    path: str
    op: Op
    ok: bool | None
    via: Via
    to: str | None = None
    cwd: str | None = None
    subagent: bool = False
    executed: bool = True
    added: str = ""
    around: str = ""
    removed: str = ""


class FileRead(Event, frozen=True, kw_only=True, gc=False):
    """A file that the agent read with its own tool."""

    path: str
    subagent: bool = False


class PersonEdit(Event, frozen=True, kw_only=True, gc=False):
    """A file that somebody outside the agent changed while it worked."""

    path: str


class Plan(Event, frozen=True, kw_only=True, gc=False):
    """The agent's whole list as it stands now; the last one counts."""

    todos: tuple[Todo, ...]


class Compaction(Event, frozen=True, kw_only=True, gc=False):
    """The context was summarised; what was said before is known to the model by its summary alone."""


class Subagent(Event, frozen=True, kw_only=True, gc=False):
    """A subagent was started, once each."""

    agent_id: str | None
    description: str = ""


class TurnStart(Event, frozen=True, kw_only=True, gc=False):
    """The format says that a turn began."""


class TurnEnd(Event, frozen=True, kw_only=True, gc=False):
    """The format says that a turn ended by itself."""


class Interrupted(Event, frozen=True, kw_only=True, gc=False):
    """The person (or the client for the person) stopped the turn."""

    reason: str = ""


class ApiFailure(Event, frozen=True, kw_only=True, gc=False):
    """The model's service failed; ``resets``: its own words or time for a spent quota.

    ``retried``: the client tries again by itself.
    """

    text: str
    kind: Literal["quota", "context-full", "api-error"]
    resets: str | None = None
    retried: bool = False


class Meta(Event, frozen=True, kw_only=True, gc=False):
    """Facts about the session where they change; None: this record does not say.

    The first that is told stands; ``cwd``, ``branch`` and ``model`` may move later.
    """

    client_version: str | None = None
    session: str | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    forked_from: str | None = None


class Unknown(Event, frozen=True, kw_only=True, gc=False):
    """A record of a type that this version does not know."""

    type: str


class BadLine(Event, frozen=True, kw_only=True, gc=False):
    """A line that is no record; the last one of a cut file too."""


class Tail(Event, frozen=True, kw_only=True, gc=False):
    """Always the last event, exactly one.

    ``records``: lines that held something; ``first_at``, ``last_at``: the smallest and largest time seen;
    ``cut``: the last line breaks off; ``open_calls``: names of the main conversation's tools whose result
    never came; ``open_turn``: a prompt or a result stands last and the model never answered.
    """

    records: int
    first_at: str | None
    last_at: str | None
    cut: bool
    open_calls: tuple[str, ...] = ()
    open_turn: bool = False
