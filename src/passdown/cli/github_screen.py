"""What `passdown github pull` says: what stands in the pull request, which answers count, and which do not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from passdown.cli.output import fit
from passdown.cli.paint import screen_width
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passdown.cli.github_answers import Told
    from passdown.cli.github_pull import Seen
    from passdown.model.forge import ForgeRead

_STATES = {
    "open": "open",
    "with-change": "resolved with a change",
    "by-reviewer": "resolved by a reviewer",
    "without-change": "resolved without a change",
}
_SHOWN = 6


def lines(number: int, seen: Seen, told: Told) -> Iterator[str]:
    """The screen, a line at a time."""
    width = screen_width()
    for label, text in _rows(number, seen, told):
        yield fit(f"{label:<12} {text}", width)


def _rows(number: int, seen: Seen, told: Told) -> Iterator[tuple[str, str]]:
    read = seen.read
    yield "Pull request", f"{number}   {read.url}" + ("" if seen.new else "   (as it was)")
    yield "Remarks", _counted([_STATES[remark.state] for remark in read.remarks], "none")
    for remark in [one for one in read.remarks if one.state in ("open", "without-change")][:_SHOWN]:
        where = f" {remark.path}" + (f":{remark.line}" if remark.line else "") if remark.path else " asks for changes"
        yield "", f"{remark.by}{where}: {remark.text}"
    yield "CI", _ci(read)
    if read.asked:
        ticked = sum(one.ticked is True for one in read.asked)
        yield "Asked for", f"{amount(len(read.asked), 'item')} in its text and issues, {ticked} ticked (only said)"
    for given in told.answers:
        mark = " (self: who ran the agent)" if given.self_ else ""
        yield "Answered", f"{given.answer} by {given.by}{mark} on {given.packet[:7]}"
    for lapsed in told.lapsed:
        yield "Lapsed", lapsed
    for refusal in told.refused:
        yield "Not counted", f"{refusal.by}: {refusal.because}"
    answered = any(given.answer in ("approve", "narrow") for given in told.answers)
    yield "Next", "passdown resume" if answered else "passdown pack takes it in" if seen.new else "passdown show"


def _ci(read: ForgeRead) -> str:
    bad = ", ".join(check.name for check in read.checks if check.result not in ("PASSED", "SKIPPED", "NOT RUN"))
    said = _counted([check.result.lower() for check in read.checks], "nothing yet")
    return f"{said} on {read.head[:7]}" + (f": {bad}" if bad else "")


def _counted(words: list[str], none: str) -> str:
    return ", ".join(f"{number} {word}" for word, number in Counter(words).items()) or none


def document(number: int, seen: Seen, told: Told) -> dict[str, object]:
    """The same as `--json` has it."""
    return {
        "pull_request": number, "new": seen.new, "read": seen.read, "answers": told.answers, "lapsed": told.lapsed,
        "not_counted": told.refused,
    }  # fmt: skip
