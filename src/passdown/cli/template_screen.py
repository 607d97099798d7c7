"""A template in words: by what it is recognised, and all that it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.rules.amount import amount

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from passdown.model.template import Recognised, Template, TemplateStep

_LABEL = 14
_WORDS = 4


def recognised(marks: Recognised) -> str:
    """The marks as one sentence."""
    if marks.always:
        return "where no other fits"
    one = [_some("the request says", [f'"{word}"' for word in marks.words])] if marks.words else []
    one += [f"open {' or '.join(marks.items)} items"] if marks.items else []
    one += [_some("changed:", marks.paths)] if marks.paths else []
    every = [" or ".join(one)] if one else []
    if marks.failing_tests is not None:
        least, most = marks.failing_tests
        every.append(f"{least} to {amount(most, 'failing test')}")
    if marks.changed_files:
        every.append(f"at least {amount(marks.changed_files, 'changed file')}")
    if marks.docs_share is not None:
        every.append(f"at least {marks.docs_share:.0%} of the changed files are documentation")
    return ", and ".join(every) or "by its name alone: passdown pack --template"


def rows(one: Template) -> Iterator[str]:
    """One line a thing."""
    yield f"{one.name}   {one.title}   {one.source or 'comes with Passdown'}"
    yield _row("Recognised", recognised(one.recognise))
    for label, patterns in (("Proposes", one.allow), ("Closes", one.deny), ("Stays within", one.within)):
        if patterns:
            yield _row(label, "  ".join(patterns))
    yield _row("New files", f"at most {one.new_files}" if one.new_files else "none")
    if one.order:
        yield _row("Steps first", ", ".join(one.order))
    for kind, way in one.if_not.items():
        yield _row("If not", f"{kind}: {way}")
    for at, step in enumerate((*one.steps, one.last)):
        yield _row("" if at else "Steps", _step(step))
    if one.stop:
        yield _row("Stop if", "; ".join(one.stop))
    if one.hold:
        yield _row("Holds", ", ".join(one.hold))


def _step(step: TemplateStep) -> str:
    check = step.check.replace("{goal}", "the goal's check")
    return f"{step.step}   check: {check}   if not: {step.if_not}"


def _some(before: str, names: Sequence[str]) -> str:
    more = ", ..." if len(names) > _WORDS else ""
    return f"{before} {' or '.join(names[:_WORDS])}{more}"


def _row(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}{text}"
