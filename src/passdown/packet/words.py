"""What the screens say about checks and outcomes (semantics: section 12)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from itertools import takewhile

from passdown.model.packet import Item, Outcome, Packet, PacketCheck, PacketVerdict, Step, TriedDeadEnd
from passdown.packet import tests_words
from passdown.packet.text import clock, cut, plain, quote
from passdown.rules.amount import amount
from passdown.rules.command import judged, key
from passdown.rules.open_now import open_now, passes_now
from passdown.rules.patterns import lazy

_INSTANT = lazy(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
_RECORD = lazy(r" \(record \d+\)")
_SHELL = lazy(r"^(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?(?=\S)")
_BASE = "merge base with "
_VERB = lazy(r"[a-z][\w:-]*")
_WEIGHTY = (
    lazy(r"\b(?:test|spec|suite|pytest|jest|vitest)\w*", re.IGNORECASE),
    lazy(r"\b(?:lint|ruff|eslint|mypy|tsc|type-?check|build|compil|check|ci\b|green)\w*", re.IGNORECASE),
    lazy(r"\b(?:verif|confirm|work|fix|pass|complet|done|ready)\w*", re.IGNORECASE),
)
RUNNERS = frozenset(
    {
        "bazel",
        "bun",
        "bundle",
        "cargo",
        "composer",
        "deno",
        "dotnet",
        "go",
        "gradle",
        "gradlew",
        "hatch",
        "just",
        "make",
    }
    | {"mise", "mix", "mvn", "nox", "npm", "pnpm", "poe", "rake", "ruff", "swift", "task", "tox", "yarn"}
)
"""Programs that say little without the word behind them."""
_CODE = lazy(r"[a-z]+(?:-[a-z]+)*")
_CAUTIONS = {
    "masked": "its exit code does not vouch for each program in it",
    "shadowed": "a program of the worktree runs: {}",
    "hidden-configuration": "its configuration {}",
    "not-on-disk": "not on the disk: {}",
    "definition-changed": "{} changed since somebody stood behind it",
    "candidate": "nobody confirmed it yet ({})",
    "other-writer": "recorded in another clone ({})",
}
BYPASSED = "denied, then changed by another way"
_HELPERS = frozenset(("cat", "chmod", "cp", "ln", "ls", "mkdir", "mv", "rm", "sleep", "tee", "touch"))
"""Programs that make ready what a check is about."""
COULD_NOT_RUN = "could not run"
NARRATED = "narrated by "
"""How the source of a sentence begins that a model told."""
FAILING = ("FAILED", "ERROR", "INCONCLUSIVE")
REASONS = {
    "running": "still running",
    "finished": "finished",
    "interrupted": "stopped: interrupted",
    "quota": "stopped: quota",
    "context-full": "stopped: context full",
    "api-error": "stopped: API error",
    "crashed": "stopped: crashed",
    "truncated": "stopped: transcript cut off",
    "unknown": "end not known",
}


def spoken(text: str, today: str | None = None) -> str:
    """A reason as a screen says it: instants as clock times, no record numbers."""
    return _RECORD.sub("", clocked(plain(text), today))


def clocked(text: str, today: str | None = None) -> str:
    """The text with its instants as clock times, all else as it is."""
    return _INSTANT.sub(lambda found: clock(found[0], today), text)


def base_name(packet: Packet) -> str:
    """What the work will go into, by its name where it is known."""
    because = packet.place.base_because
    return plain(because.removeprefix(_BASE)) if because.startswith(_BASE) else "the base"


def origin(packet: Packet, item: Item) -> str:
    """How a failure's check stands on the base; "" where nobody asked."""
    return on_base(packet, item.origin)


def on_base(packet: Packet, origin: str | None) -> str:
    """How it stands on the base; "" where nobody asked."""
    said = {"REGRESSION": "passes on", "PRE-EXISTING": "fails on", "UNKNOWN": "not measured on"}.get(origin or "")
    too = " too" if origin == "PRE-EXISTING" else ""
    return f"{said} {base_name(packet)}{too}" if said else ""


def called(check: PacketCheck) -> str:
    """A check's name on a screen: what a person declared or confirmed by its name, a candidate by its program."""
    candidate = any(warning.startswith("candidate") for warning in check.warnings)
    command = plain(check.command)
    if not candidate and plain(check.name) != command and not check.name.endswith("\u2026"):
        return plain(check.name)
    found = judged(check.command)
    if not found or not found[0]:
        return plain(check.name)
    about = next((each for each in found if each and each[0].rpartition("/")[2] not in _HELPERS), found[0])
    program = about[0].rpartition("/")[2]
    verbs = takewhile(_VERB.fullmatch, about[1:3]) if program in RUNNERS else ()
    return plain(" ".join([program, *verbs]))


def in_short(command: str) -> str:
    """A command as it was typed; of a whole script the last program that it is about."""
    if "\n" not in command.strip():
        return command
    found = [words for words in judged(command) if words and words[0].rpartition("/")[2] not in _HELPERS]
    return plain(shlex.join(found[-1])) if found else plain(command)


def latest(checks: Iterable[PacketCheck]) -> list[PacketCheck]:
    """Of checks that a screen calls the same the one that ran last, in the order of first appearance."""
    found: dict[str, PacketCheck] = {}
    for check in checks:
        known = found.get(called(check))
        if known is None or (check.at or "") > (known.at or ""):
            found[called(check)] = check
    return list(found.values())


def shell_error(text: str) -> str:
    """What a shell said, without the shell's own name and line."""
    return _SHELL.sub("", plain(text))


def could_not_run(check: PacketCheck) -> bool:
    """It never came to a result: no test of it failed, it did not start or was stopped."""
    return check.result == "ERROR" and not check.failing


def absent(check: PacketCheck) -> bool:
    """Its program is not here, as the shell said."""
    return check.exit in (126, 127)


def tests_of(checks: Iterable[PacketCheck]) -> list[PacketCheck]:
    """The test checks, those whose program is not here last."""
    return sorted((check for check in checks if check.kind == "test"), key=absent)


def refuted(packet: Packet, outcome: Outcome, today: str | None = None) -> str:
    """Why a statement is not so: the check's own facts where a check decides it, else the reason on record."""
    for check in packet.checks:
        if check.result in FAILING and _decides(check, outcome, packet.place.worktree):
            return f"{when(check, today)}: {counted(check)}"
    return spoken(outcome.because.replace(packet.place.worktree + "/", ""), today)


def _decides(check: PacketCheck, outcome: Outcome, root: str) -> bool:
    if {check.name, check.command, check.evidence} & set(outcome.evidence):
        return True
    mine = key(plain(check.command), root)
    return mine is not None and any(mine == key(plain(named), root) for named in outcome.evidence)


def ended(packet: Packet) -> str:
    """How the run ended."""
    end = packet.run.end
    resets = f" (resets {plain(end.resets)})" if end.resets else ""
    return REASONS[end.reason] + resets


def for_whom(packet: Packet) -> str:
    """Who goes on, where that is not who packed it; "" else."""
    owner = packet.resume_owner
    return plain(owner) if owner and owner != packet.run.by else ""


def stale(check: PacketCheck) -> bool:
    """Whether it ran before the last edit, or on other code, definition or machine than today's."""
    return check.freshness.state in ("STALE", "DEFINITION-CHANGED", "EXPIRED") or bool(check.edits_after)


def unstarted(packet: Packet) -> list[PacketCheck]:
    """Checks whose last run could not start, where no open item says so."""
    told = {item.check for item in open_now(packet) if item.text.endswith(COULD_NOT_RUN)}
    return latest(check for check in packet.checks if could_not_run(check) and check.name not in told)


def unstarted_because(check: PacketCheck, today: str | None = None) -> str:
    """Which check, when, and what the shell said."""
    said = shell_error(check.error_line) if check.error_line else f"exit {check.exit}"
    return f"{when(check, today)}: {said}"


def passing(packet: Packet) -> list[PacketCheck]:
    """Checks that pass on exactly this code, the tests that they stand on accepted where they were changed."""
    return [check for check in packet.checks if passes_now(check)]


def ran_here(packet: Packet) -> list[PacketCheck]:
    """Checks that ran on this code, seen and not re-run by us."""
    return latest(c for c in packet.checks if c.class_ == "OBSERVED" and _ran(c) and not stale(c) and not passes_now(c))


def ran_before(packet: Packet) -> list[PacketCheck]:
    """Checks that ran before the last edit."""
    return latest(c for c in packet.checks if c.class_ != "VERIFIED" and _ran(c) and stale(c))


def failing_since(packet: Packet) -> list[PacketCheck]:
    """Checks of the done-definition that fail on this code and that no open item speaks of: the packet is older."""
    told = {item.check for item in open_now(packet)}
    wanted = {done.check for done in packet.task.done}
    return [c for c in ran_here(packet) if c.result in FAILING and c.name in wanted and c.name not in told]


def _ran(check: PacketCheck) -> bool:
    return check.result not in (None, "NOT RUN") and not could_not_run(check)


def never_ran(packet: Packet) -> list[PacketCheck]:
    """Checks that never ran here, acceptance first."""
    return sorted((c for c in packet.checks if c.result in (None, "NOT RUN")), key=lambda c: not c.acceptance)


def false_claims(packet: Packet) -> list[Outcome]:
    """What was said and is not so."""
    return [outcome for outcome in packet.outcomes if outcome.class_ == "CONTRADICTED"]


def caution(warning: str) -> str:
    """A check's warning as a screen says it: no code in front."""
    code, _, detail = plain(warning).partition(": ")
    spoken_ = _CAUTIONS.get(code)
    if spoken_ is not None:
        return spoken_.format(detail).strip()
    return detail if detail and _CODE.fullmatch(code) else plain(warning)


def only_said(packet: Packet) -> list[Outcome]:
    """What was only said, by how much hangs on it: tests, other checks, "verified" and the like, the rest."""
    said = [outcome for outcome in packet.outcomes if outcome.class_ == "CLAIMED"]
    return sorted(said, key=lambda o: next((n for n, about in enumerate(_WEIGHTY) if about.search(o.text)), 9))


def unshown(packet: Packet, outcome: Outcome, today: str | None = None) -> str:
    """Why nothing shows a statement about tests: none ran, they could not run, or failed and ran no more; else ""."""
    tests = [check for check in packet.checks if check.kind == "test"]
    if outcome.because.startswith("not run again"):
        failed = [c for c in tests if c.result in FAILING and _decides(c, outcome, packet.place.worktree)]
        return f"not run again since {when(failed[-1], today)}: {counted(failed[-1])}" if failed else ""
    if not _WEIGHTY[0].search(outcome.text) or any(_ran(check) for check in tests):
        return ""
    broken = next((check for check in tests if could_not_run(check)), None)
    return f"{when(broken, today)}: {counted(broken)}" if broken is not None else "no test ran"


def answered(verdict: PacketVerdict) -> str:
    """Who answered what, and how sure that is; the note aside."""
    word = {"reassign": "handed over", "rollback": "roll back"}.get(verdict.answer, verdict.answer)
    who = f"{plain(verdict.by)}{' (self: who ran the agent)' if verdict.self else ''}"
    how = "signed" if verdict.signed else "unsigned, this clone"
    if verdict.presence == "forge":
        how = "by a comment on GitHub"
    return f"{word} by {who}, {how}"


def counted(check: PacketCheck) -> str:
    """The numbers of a check as it printed them, then its exit code."""
    if could_not_run(check):
        return "could not run" + (f", exit {check.exit}" if check.exit is not None else "")
    order = ("failed", "errors", "passed", "skipped")
    parts = [f"{check.tests[name]} {name}" for name in order if check.tests.get(name)]
    result = (check.result or "never ran").lower()
    if tests_words.own(check) and check.class_ == "VERIFIED":
        parts = [tests_words.own(check), *(part for part in parts if part.endswith("skipped"))]
    parts = parts or [result]
    if check.exit is not None and not (check.masked and check.exit == 0):  # that 0 is another program's
        parts.append(f"exit {check.exit}")
    return ", ".join([*parts, *tests_words.remarks(check)])


def when(check: PacketCheck, today: str | None = None) -> str:
    """The check's name and the time of its latest run, with its day where that is not ``today``'s."""
    return f"{called(check)} {clock(check.at, today)}".strip()


def item_text(item: Item) -> str:
    """What is open, with its first error line; a test stands by its name."""
    if not item.error:
        return f"{item.id} {plain(item.text)}"
    joint = ": " if item.text.endswith(COULD_NOT_RUN) else "  "
    return f"{item.id} {plain(item.text)}{joint}{shell_error(item.error)}"


def tried(item: Item) -> str:
    """How often it was tried without progress; "" for once."""
    return f"{amount(item.tries, 'try', 'tries')}, no progress" if item.tries and item.tries > 1 else ""


def first_step(packet: Packet) -> Step | None:
    """Where to continue: the first step that neither is done nor belongs to an item that is closed by now."""
    still = {item.id for item in open_now(packet)}
    return next((step for step in packet.checklist if not step.done and (not step.item or step.item in still)), None)


def finished(packet: Packet) -> bool:
    """Every acceptance check passes on this code, nothing is open, said wrongly or outside: a person may close it."""
    done = bool(packet.task.done) and all(one.class_ == "VERIFIED" for one in packet.task.done)
    outside = any(file.inside is False for file in packet.files)
    drifted = any(reason.code == "tree-drift" for reason in packet.hold.reasons)
    return (
        done
        and not outside
        and not drifted
        and not open_now(packet)
        and not false_claims(packet)
        and all(reason.level != "hold" or reason.code == "boundary-missing" for reason in packet.hold.reasons)
    )


def open_items(packet: Packet, kinds: Iterable[str] = ()) -> list[Item]:
    """Open items of those kinds (none named: all), failures first."""
    wanted = set(kinds)
    return [item for item in open_now(packet) if not wanted or item.kind in wanted]


def dead_ends(packet: Packet) -> list[TriedDeadEnd]:
    """What was tried in vain; a check that still fails that way stands among the open items."""
    failing = {item.error for item in open_items(packet, ["failure"])}
    return [end for end in packet.dead_ends if end.error not in failing]


def dead_end(command: str, error: str, tries: int, room: int = 1000) -> str:
    """What was tried in vain; command and error line in at most ``room`` columns each."""
    times = f", {amount(tries, 'try', 'tries')}" if tries > 1 else ""
    return f"{cut(plain(command), room)}{times}" + (f", {quote(cut(shell_error(error), room))}" if error else "")
