"""What `verify` says of changes that are no part of the run it judges, and that nobody has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.strays import now_of, told, unjudged_of
from passdown.guard.unjudged import let_stand
from passdown.model.paths import printable
from passdown.packet.text import listed

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.cli.verify_answer import Answer
    from passdown.rules.task import TaskView

_SHOWN = 5
WAY_OUT = "a person lets them stand: passdown review --approve"


def nobody_judged(context: Context, task: TaskView, answer: Answer) -> None:
    """Name them. What lies outside leaves the answer open; what a person let stand as it is, is no violation."""
    stands = let_stand(now_of(context), task)
    accepted = [v for v in answer.violations if printable(v.path) in stands and " (commit " not in v.because]
    answer.violations = [v for v in answer.violations if v not in accepted]
    answer.notes += [f"outside, let stand by {stands[printable(v.path)]}: {printable(v.path)}" for v in accepted]
    answer.holds = not answer.violations
    found = unjudged_of(context, task)
    seen = {violation.path for violation in answer.violations}
    strays = [stray for stray in found.strays if stray.path not in seen]
    answer.strays = strays
    answer.notes += [f"outside, judged by nobody: {told(stray)}" for stray in strays[:_SHOWN]]
    if strays[_SHOWN:]:
        answer.notes.append(f"outside, judged by nobody: {len(strays) - _SHOWN} more")
    for where, paths in list(found.inside.items())[-1:]:
        answer.notes.append(f"inside, changed {where}, judged by nobody: {listed([printable(p) for p in paths], 3)}")
    if strays and answer.holds:
        # What was there before the run may be a person's: a run that takes it back is judged for that.
        back = "take these back, or " if all(stray.in_run for stray in strays) else ""
        answer.holds, answer.hint = None, back + WAY_OUT
