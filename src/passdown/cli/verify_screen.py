"""The answer of `verify`, on a screen and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passdown.cli.boundary_screen import source
from passdown.cli.check_screen import row
from passdown.model.paths import printable, to_wire
from passdown.packet.words import BYPASSED

if TYPE_CHECKING:
    from passdown.cli.verify_answer import Answer
    from passdown.guard.unjudged import Stray
    from passdown.rules.judge import Violation

_SHOWN = 20


def screen(answer: Answer) -> list[str]:
    """The answer first, then each violation, check and note on a line."""
    word = {True: "HOLDS", False: "DOES NOT HOLD", None: "COULD NOT DECIDE"}[answer.holds]
    which = f"   boundary {source(answer.boundary)}, version {answer.boundary.version}" if answer.boundary else ""
    lines = [word + which]
    width = min(max((len(printable(v.path)) for v in answer.violations), default=0), 40)
    lines += [f"  {v.op:<9}{printable(v.path):<{width}}  {v.rule}: {v.because}" for v in answer.violations[:_SHOWN]]
    lines += [f"  {path}: {BYPASSED}" for path in answer.bypassed[:_SHOWN]]
    if len(answer.violations) > _SHOWN:
        lines.append(f"  ... {len(answer.violations) - _SHOWN} more: --json")
    lines += [f"  {row(evidence)}" for evidence in answer.checks]
    lines += [f"  {note}" for note in answer.notes]
    if answer.violations:
        gone = all(" (commit " in violation.because for violation in answer.violations)
        back = "gone from the files, not from the commits: drop those" if gone else "take these back"
        lines.append(f"Next   {back}, or ask the owner: passdown note --ask-widen PATH --because WHY")
    elif answer.hint:
        lines.append(f"Next   {answer.hint}")
    return lines


def document(answer: Answer) -> dict[str, Any]:
    """The shape of `verify --json`."""
    return {
        "holds": answer.holds,
        "decided": answer.holds is not None,
        "boundary": answer.boundary,
        "violations": [_violation(violation) for violation in answer.violations],
        "bypassed": answer.bypassed,
        "checks": answer.checks,
        "unjudged": [_stray(stray) for stray in answer.strays],
        "notes": [*answer.notes, *([answer.hint] if answer.hint else [])],
    }


def _stray(stray: Stray) -> dict[str, str | bool]:
    path, path_b64 = to_wire(stray.path)
    extra = {"path_b64": path_b64} if path_b64 else {}
    again = {"bypassed": True} if stray.bypassed else {}
    return {"path": path, "rule": stray.rule, "where": stray.where, "in_run": stray.in_run, **again, **extra}


def _violation(violation: Violation) -> dict[str, str]:
    path, path_b64 = to_wire(violation.path)
    extra = {"path_b64": path_b64} if path_b64 else {}
    return {"path": path, "op": violation.op, "rule": violation.rule, "because": violation.because, **extra}
