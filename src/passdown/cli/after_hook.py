"""After a tool call: one line to the agent where something changed outside the boundary; a check seen is recorded.

Run by the hook in its own place, with the payload on standard input; arguments: the client, the worktree's root.
"""

from __future__ import annotations

import sys
from pathlib import Path

from passdown.cli.folder import instant
from passdown.cli.seen_hook import record_seen
from passdown.errors import in_a_line
from passdown.guard import hook_files
from passdown.guard.after import Look, look
from passdown.guard.heartbeat import EARLY
from passdown.guard.hook import gate, lease
from passdown.guard.hook.journal import keep
from passdown.guard.hook.rules import Rules
from passdown.guard.hook.scan import Json, dumps, received, text_of
from passdown.guard.lineage import Upstream
from passdown.guard.place_rules import place_and_rules
from passdown.model.paths import printable
from passdown.workspace.place import Place

_MOST = 3


def main() -> int:
    """One payload on standard input. The call is over: a failure says so and stops nothing."""
    try:
        return _answer(received(), sys.argv[2])
    except Exception as error:  # noqa: BLE001 -- an edge of a process of its own
        sys.stderr.write(f"Passdown could not look at what changed ({in_a_line(error)}); see: passdown verify\n")
        return 2


def _answer(payload: Json, root: str) -> int:
    found = place_and_rules(Path(root))
    if found is None:
        return 0
    place, rules, name = found
    _tell(place, rules, name, payload)
    record_seen(place, payload)
    return 0


def _tell(place: Place, rules: Rules, name: str, payload: Json) -> None:
    """Look, keep what landed outside, and say it to the agent."""
    started = rules.stored["tree"]
    seen = look(place, rules, name, started if isinstance(started, str) else None, lambda: _upstream(place))
    if seen.made:
        hook_files.add_made(hook_files.rules_file(place.home, place.git_dir, place.common_dir), rules.key, seen.made)
    for each in seen.outside:
        keep(rules, payload, ("outside-landed", each.path, each.rule))
    bypassed = _bypassed(place, rules, payload, seen)
    early = _early(rules, payload, seen)
    said = [line(seen, place.root, bypassed)] if seen.outside else []
    said += [early] if early else []
    if not said or rules.stored["mode"] == "observe":
        return
    output = {
        "hookEventName": text_of(payload.get("hook_event_name")) or "PostToolUse",
        "additionalContext": " ".join(said),
    }
    sys.stdout.write(dumps({"hookSpecificOutput": output}))


def _upstream(place: Place) -> Upstream:
    """The base branch's tips."""
    from passdown.cli.context import Context
    from passdown.cli.verify_range import upstream

    context = Context()
    context.place = place
    return upstream(context)


def _early(rules: Rules, payload: Json, seen: Look) -> str:
    """What changed inside while this session may not write there yet, or any more: kept, and told in one line."""
    shut = (lease.kept(text_of(rules.stored.get("lease")), payload) or gate.shut(rules, payload)) if seen.inside else ""
    if not shut:
        return ""
    for path in seen.inside:
        keep(rules, payload, (EARLY, path, "readback"))
    named = ", ".join(map(printable, seen.inside[:_MOST]))
    more = f" and {len(seen.inside) - _MOST} more" if len(seen.inside) > _MOST else ""
    return f"Passdown: changed too early, and recorded: {named}{more}; {shut}"


def _bypassed(place: Place, rules: Rules, payload: Json, seen: Look) -> list[str]:
    """Paths that were denied to this session and changed all the same (case E2); each is a fact of its own."""
    if not seen.outside:
        return []
    from passdown.cli.bypasses import denied
    from passdown.store import open_ledger

    ledger = open_ledger(place.home, place.object_format)
    session = payload.get("session_id")
    refused = denied(fact.data for fact in ledger.facts(kind="touch") if fact.data.get("session") == session)
    found = [printable(each.path) for each in seen.outside if printable(each.path) in refused]
    now = instant()
    for path in found:
        data: dict[str, str | int | None] = {
            "session": text_of(session),
            "path": path,
            "tool": text_of(payload.get("tool_name")),
        }
        ledger.fact("bypass", data, task=text_of(rules.stored["task"]), at=now)
    return found


def line(seen: Look, root: Path, bypassed: list[str] | None = None) -> str:
    """What changed outside, why it counts, how to undo it; ``bypassed``: what had been denied before."""
    named = ", ".join(f"{each.op} {printable(each.path)}" for each in seen.outside[:_MOST])
    more = f" and {len(seen.outside) - _MOST} more" if len(seen.outside) > _MOST else ""
    first = seen.outside[0]
    undo = ""
    if seen.patch is not None:
        inside = seen.patch.is_relative_to(root)
        undo = f" Undo: git apply -R {seen.patch.relative_to(root) if inside else seen.patch}."
    again = f" {bypassed[0]} had been denied: recorded as a bypass." if bypassed else ""
    said = f"changed outside what this run may write: {named}{more} ({first.rule}: {first.because})."
    return f"Passdown: {said}{again}{undo}"


if __name__ == "__main__":
    sys.exit(main())
