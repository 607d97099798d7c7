"""After a shell call: a check that the agent ran itself is recorded as seen, and waits for the runner."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.guard.hook.scan import Json, text_of
from passdown.guard.hook.targets import SHELLS, shell_text
from passdown.rules.instants import seconds
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passdown.agents.tool_end import ToolEnd
    from passdown.checks.seen import SeenCall
    from passdown.cli.context import Context
    from passdown.model.evidence import CheckDefinition
    from passdown.workspace.place import Place


_READERS = frozenset({
    "awk", "cat", "column", "cut", "date", "df", "diff", "du", "file", "find", "gh", "git", "grep", "egrep",
    "fgrep", "head", "hexdump", "id", "jq", "less", "ls", "md5sum", "more", "nl", "od", "pgrep", "ps",
    "readlink", "realpath", "rg", "sed", "sha256sum", "sort", "stat", "strings", "tail", "tr", "tree", "type",
    "uname", "uniq", "wc", "whereis", "which", "whoami", "xxd", "yq",
})  # fmt: skip
"""Programs that agents look around with."""
_POLICIES = ("passdown.toml", "pyproject.toml")
_WORD = lazy(r"[\w.+-]+")


def record_seen(place: Place, payload: Json) -> None:
    """Record each declared or confirmed check that the call ran; what it ended with is what the client tells."""
    given = payload.get("tool_input")
    line = shell_text(given) if isinstance(given, dict) else ""
    if text_of(payload.get("tool_name")) not in SHELLS or not _may_be_a_check(place, line):
        return
    from passdown.agents.hook_payload import tool_end

    end = tool_end(payload)
    if end is None:
        return
    from passdown.checks.seen import ran_by, seen_by_hook
    from passdown.cli.context import Context

    context = Context()
    context.place = place
    call = _call(context, payload, line, end)
    try:
        found = ran_by(call, _definitions(context), str(place.root))
    except PassdownError:  # no policy that can be read: every verb of a person says so
        return
    if not found:
        return
    call = _timed(context, payload, call)
    context.will_write()
    known = {one.definition.name: one.definition for one in context.declared_checks()}
    task = context.task
    for definition in found:
        evidence = seen_by_hook(context.view, known.get(definition.name, definition), call, context.redactor)
        context.recorder.append(evidence, task=task.id if task else None, at=context.now)


def _may_be_a_check(place: Place, line: str) -> bool:
    """Whether it is worth asking which checks there are: a line that only reads is one where the policy names it."""
    from passdown.rules import command

    programs = {program(words[0]) for words in command.judged(line) if words}
    if programs - _READERS or not programs:
        return bool(programs)
    words: set[str] = set()
    for name in _POLICIES:
        with suppress(OSError):
            words |= set(_WORD.findall((place.root / name).read_text("utf-8", "replace")))
    return not words.isdisjoint(programs)


def _definitions(context: Context) -> Iterator[CheckDefinition]:
    """As declared in the base's policy or confirmed, the latest last; what a name means now is asked where one ran."""
    from passdown.checks.confirm import confirmed

    yield from (check for check in context.policy.checks if check.source == "policy")
    said = confirmed(context.recorder.records(type="check-confirmed"), context.trust)
    yield from (each[-1].definition for each in said.values())


def _call(context: Context, payload: Json, line: str, end: ToolEnd) -> SeenCall:
    from passdown.checks.seen import SeenCall
    from passdown.guard.hook.place import stands

    now = datetime.fromisoformat(context.now)
    took = end.seconds
    started = now - timedelta(seconds=took or 0.0)
    output = end.output.encode("utf-8", "surrogateescape")
    return SeenCall(line, end.code, started.astimezone(UTC), took, output, stands(payload))


def _timed(context: Context, payload: Json, call: SeenCall) -> SeenCall:
    """With the moment at which the hook before the call kept it, where it did."""
    from msgspec.structs import replace

    from passdown.ledger import journal

    wanted = text_of(payload.get("tool_use_id"))
    kept = (journal.fact(line) for line in journal.pending(context.place.home, statements=False))
    at = next((fact.at for fact in kept if fact is not None and wanted and fact.data.get("call") == wanted), None)
    began = seconds(at)
    if began is None:
        return call
    ended = call.started.timestamp() + (call.seconds or 0.0)
    took = call.seconds if call.seconds is not None else max(0.0, ended - began)
    return replace(call, started=datetime.fromtimestamp(began, UTC), seconds=took)
