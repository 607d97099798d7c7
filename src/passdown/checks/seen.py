"""A check that an agent ran and a hook saw live: recorded as seen, and so queued for the runner.

``standing`` shows it as OBSERVED; `pack` and `resume` run again what is declared or confirmed and not yet VERIFIED.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from passdown.checks.definition import define
from passdown.checks.environment import environment
from passdown.checks.fingerprint import inputs
from passdown.checks.known import Known
from passdown.checks.output import plain, tail
from passdown.checks.reading import Reading, read_output
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition, Evidence, Result
from passdown.rules import command
from passdown.rules.redact import Redactor
from passdown.rules.result import Ran, ending, result
from passdown.workspace.moment import written


class SeenCall(Struct, frozen=True):
    """One shell call of an agent as the hook saw it end. ``code``: None where the client does not tell.

    ``started`` is aware; ``cwd`` absolute, None: the worktree's root.
    """

    command: str
    code: int | None
    started: datetime
    seconds: float
    output: bytes = b""
    cwd: str | None = None


def check_of(known: Sequence[Known], call: SeenCall, root: str) -> CheckDefinition | None:
    """The known check that the call ran; None where it is none, or more than that check."""
    key = command.key(call.command, root, call.cwd)
    if key is None or command.masked(call.command):
        return None
    return next((one.definition for one in known if command.key(one.definition.run, root) == key), None)


def seen_by_hook(view: TreeView, definition: CheckDefinition, call: SeenCall, redactor: Redactor) -> Evidence:
    """What to append: bound to the worktree as it is after the call, never more than OBSERVED.

    Nothing says what the worktree was while it ran: ``tree_before`` is empty.
    """
    text = plain(call.output)
    reading = read_output(text, definition, code=call.code)
    ran = _ran(call, reading)
    verdict, because = _result(ran)
    exit_code, signal = ending(ran)
    return Evidence(
        check=definition.name,
        definition=redactor.value(definition),
        argv=redactor.value(_words(call.command)),
        cwd=os.path.relpath(call.cwd, view.place.root) if call.cwd else ".",
        result=verdict,
        exit=exit_code,
        signal=signal,
        started=written(call.started),
        seconds=round(call.seconds, 3),
        output_digest=hashlib.sha256(call.output).hexdigest(),
        output_bytes=len(call.output),
        tail=tail(redactor.text(text)),
        inputs=inputs(view, define(view, definition)).fingerprint,
        tree_before="",
        tree_after=view.tree,
        commit=view.place.head,
        environment=environment(view, definition),
        observed_by="hook",
        branch=view.place.branch,
        tests=dict(reading.tests),
        failing=redactor.value(list(reading.failing)),
        first_errors=redactor.value({name: error for name, error in reading.failing.items() if error}),
        error_line=redactor.value(reading.error) if verdict != "PASSED" else None,
        warnings=[
            *([f"{verdict.lower().replace(' ', '-')}: {because}"] if because else []),
            *(
                ["masked: its exit code 0 does not vouch for each program in it"]
                if command.masked(call.command)
                else []
            ),
        ],
    )


def _ran(call: SeenCall, reading: Reading) -> Ran:
    return Ran(  # noqa: S604 - nothing runs here: a shell's exit codes are read
        code=call.code,
        why="" if call.code is not None else "the client does not tell how it ended",
        shell=True,
        tool=command.tool(call.command),
        tests=reading.tests,
        nothing_ran=reading.nothing_ran,
        flaky=reading.flaky,
    )


def _result(ran: Ran) -> tuple[Result, str]:
    verdict, because = result(ran)
    return ("INCONCLUSIVE", because) if ran.code is None else (verdict, because)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return [text]
