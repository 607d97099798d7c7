"""A check that an agent ran and a hook saw live: recorded as seen, and so queued for the runner.

``standing`` shows it as OBSERVED; `pack` and `resume` run again what is declared or confirmed and not yet VERIFIED.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterable, Sequence
from datetime import datetime
from stat import S_ISDIR

from msgspec import Struct

from passdown.checks.definition import define
from passdown.checks.environment import SWAYING, environment
from passdown.checks.fingerprint import inputs
from passdown.checks.output import plain, tail
from passdown.checks.reading import Reading, read_output
from passdown.checks.stamps import stamps
from passdown.checks.tree import TreeView
from passdown.checks.variables import sways
from passdown.model.evidence import CheckDefinition, Evidence, Result
from passdown.rules import command
from passdown.rules.patterns import lazy
from passdown.rules.redact import Redactor
from passdown.rules.result import Ran, ending, result
from passdown.rules.shell_words import unwrap
from passdown.workspace.moment import written

_NOT = lazy(r"(?:^|[;&|({]|\s)!\s")
_SET = lazy(r"(?:^|[\s;&|(])([A-Za-z_]\w*)=((?:'[^']*'|\"[^\"]*\"|[^\s;&|)])*)")
_MOVING = frozenset(("-C", "-D", "--chdir", "--cwd", "--directory", "--manifest-path", "--prefix", "--project"))
_SHOWN = 20


class SeenCall(Struct, frozen=True):
    """One shell call of an agent as the hook saw it end. ``code``: None where the client does not tell.

    ``started`` is aware; ``seconds`` None: nothing tells when it began, and ``started`` is its end. ``cwd`` absolute,
    None: the worktree's root.
    """

    command: str
    code: int | None
    started: datetime
    seconds: float | None
    output: bytes = b""
    cwd: str | None = None


def ran_by(call: SeenCall, definitions: Iterable[CheckDefinition], root: str) -> list[CheckDefinition]:
    """Which of these checks the call ran, alone or beside others; one that ran in part is none of them."""
    said = command.keys(call.command, root, call.cwd)
    moved = _moved(call.command)
    found = []
    for definition in definitions:
        wanted = command.keys(definition.run, root)
        if wanted and None not in wanted and _within(wanted, said) and moved <= _moved(definition.run):
            found.append(definition)
    return found


def seen_by_hook(view: TreeView, definition: CheckDefinition, call: SeenCall, redactor: Redactor) -> Evidence:
    """What to append: bound to the worktree as it is after the call, never more than OBSERVED.

    Nothing says what the worktree was while it ran: ``tree_before`` is empty. What was written since it began counts
    as changed meanwhile.
    """
    text = plain(call.output)
    reading = read_output(text, definition, code=call.code)
    defined = define(view, definition)
    found = inputs(view, defined)
    changed = _written_since(view, found.files, call)
    ran = _ran(call, definition.run, reading, changed)
    doubt = _doubt(call, definition, str(view.place.root))
    verdict, because = _result(ran, doubt)
    exit_code, signal = ending(ran)
    return Evidence(
        check=definition.name,
        definition=redactor.value(defined.definition),
        argv=redactor.value(_words(call.command)),
        cwd=os.path.relpath(call.cwd, view.place.root) if call.cwd else ".",
        result=verdict,
        exit=exit_code,
        signal=signal,
        started=written(call.started),
        seconds=round(call.seconds or 0.0, 3),
        output_digest=hashlib.sha256(call.output).hexdigest(),
        output_bytes=len(call.output),
        tail=tail(redactor.text(text)),
        inputs=found.fingerprint,
        tree_before="",
        tree_after=view.tree,
        commit=view.place.head,
        environment=environment(view, definition),
        observed_by="hook",
        branch=view.place.branch,
        tests=dict(reading.tests),
        failing=redactor.value(list(reading.failing)),
        first_errors=redactor.value({name: error for name, error in reading.failing.items() if error}),
        error_line=redactor.value(because if ran.absent else reading.error) if verdict != "PASSED" else None,
        warnings=_warnings(call, verdict, redactor.text(because)),
        changed_inputs=redactor.value(changed[:_SHOWN]),
    )


def _warnings(call: SeenCall, verdict: Result, because: str) -> list[str]:
    found = [f"{verdict.lower().replace(' ', '-')}: {because}"] if because else []
    masked = command.masked(call.command)
    return [*found, *(["masked: its exit code 0 does not vouch for each program in it"] if masked else [])]


def _within(wanted: Sequence[object], said: Sequence[object]) -> bool:
    """Whether these programs run in this order, none between them."""
    count = len(wanted)
    return any(list(said[at : at + count]) == list(wanted) for at in range(len(said) - count + 1))


def _moved(run: str | list[str]) -> frozenset[str]:
    """The options of wrappers that make a program work in another folder, with their values."""
    found: set[str] = set()
    for call in command.about(run):
        prefix = call.words[: len(call.words) - len(unwrap(call.words))]
        options = (at for at, word in enumerate(prefix) if word.split("=")[0] in _MOVING)
        found |= {" ".join(prefix[at : at + 2]) for at in options}
    return frozenset(found)


def _written_since(view: TreeView, paths: Iterable[str], call: SeenCall) -> list[str]:
    """Inputs that somebody wrote after the call began, the call itself included."""
    if call.seconds is None:
        return []
    begun = call.started.timestamp() * 1e9
    wanted = set(paths)  # not the folders above them
    found = stamps(view.place.root, wanted)
    return sorted(
        path
        for path, marks in found.items()
        if path in wanted and not S_ISDIR(marks.st_mode) and marks.st_ctime_ns > begun
    )


def _doubt(call: SeenCall, definition: CheckDefinition, root: str) -> str:
    """Why the call's exit code does not speak for the check; "" where it does."""
    if call.code is None:
        return "the client does not tell how it ended"
    if command.masked(call.command) or bool(_NOT.search(call.command)) != bool(
        _NOT.search(command.text(definition.run))
    ):
        return "the line's exit code does not speak for it"
    own = set(_SET.findall(command.text(definition.run)))
    other = [name for name, value in _SET.findall(call.command) if (name, value) not in own]
    swaying = [name for name in other if name in SWAYING or sways(name) or name in (*definition.env, "PATH")]
    if swaying:
        return f"it ran with a {swaying[0]} of its own"
    whole = command.keys(call.command, root, call.cwd) == command.keys(definition.run, root)
    if call.code != 0 and not (whole and command.about(call.command)[-1].blamed):
        return f"exit code {call.code} may be another program's"
    return ""


def _ran(call: SeenCall, run: str | list[str], reading: Reading, changed: Sequence[str]) -> Ran:
    return Ran(  # noqa: S604 - nothing runs here: a shell's exit codes are read
        code=call.code,
        why="" if call.code is not None else "the client does not tell how it ended",
        shell=True,
        tool=command.tool(run),
        tests=reading.tests,
        nothing_ran=reading.nothing_ran,
        changed=bool(changed),
        flaky=reading.flaky,
        absent=reading.absent,
    )


def _result(ran: Ran, doubt: str) -> tuple[Result, str]:
    verdict, because = result(ran)
    return ("INCONCLUSIVE", doubt) if doubt and not (ran.changed and ran.code is not None) else (verdict, because)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return [text]
