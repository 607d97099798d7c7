"""The reviewer's answers at a terminal: single letters, then a note and two questions."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import click

from passdown.cli import review_shown
from passdown.cli.output import cut, plain, say
from passdown.cli.review_options import before, reply_of
from passdown.cli.review_screen import Screen, boundary_rows, keys
from passdown.cli.strays import let_stand, lines, strays_of
from passdown.errors import PassdownError
from passdown.packet import tests_words
from passdown.packet.acceptance_words import told
from passdown.workspace import diff, history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.cli.context import Context
    from passdown.model.packet import Answer, Packet
    from passdown.review.verdict import Acceptance, Reply
    from passdown.rules.task import TaskView

_ANSWERS: dict[str, Answer] = {"a": "approve", "n": "narrow", "r": "rollback", "h": "reassign"}
_MOST_ASKED = 8
_ACCEPTANCE: dict[str, Acceptance] = {"d": "done", "n": "not addressed", "": "not known"}


def ask(context: Context, packet: Packet, task: TaskView) -> Reply | None:
    """Show the screen and take the answer; None: decide later."""
    shown = review_shown.shown(context, packet, task)
    say(shown.text)
    while True:
        key = _key(keys(shown))
        if key in ("q", ""):
            say(f"Undecided. Later: passdown review {(packet.packet or '')[:7]}")
            return None
        if key == "d":
            _diff(context, packet)
        elif key.isdigit() and 1 <= int(key) <= len(shown.evidence):
            for line in shown.evidence[int(key) - 1]:
                say(fill(line, shown.width, initial_indent="  ", subsequent_indent="    "))
        elif key in _ANSWERS:
            reply = _answer(context, shown, task, _ANSWERS[key])
            if reply is not None:
                return reply
        else:
            say("One of these letters.")


def _key(prompt: str) -> str:
    return str(click.prompt(prompt, default="", show_default=False, prompt_suffix="\n> ")).strip().lower()


def _line(prompt: str) -> str:
    return str(click.prompt(prompt, default="", show_default=False, prompt_suffix=" ")).strip()


def _answer(context: Context, shown: Screen, task: TaskView, answer: Answer) -> Reply | None:
    specs = _line("Change (-3 drops, +PATH adds, -PATH denies; Enter: back):").split() if answer == "narrow" else []
    who = _line("To whom (@name; Enter: back):") if answer == "reassign" else ""
    if (answer == "narrow" and not specs) or (answer == "reassign" and not who):
        return None
    old = before(shown.packet, task)
    try:
        changed = reply_of(context, answer, old, specs=specs)
    except PassdownError as error:
        say(f"{error.message}; {error.hint}")
        return None
    preview = Screen(shown.packet, shown.width)
    boundary_rows(preview, changed.boundary)
    say(preview.text)
    for line in lines("Lets stand", let_stand(strays_of(context, shown.packet, task), answer, changed.boundary)):
        say(line)
    note = _note(context, shown.packet)
    if shown.packet.task.done or shown.packet.task.acceptance:
        say("Is it done, item by item? d: done, n: not addressed; Enter skips it as not known")
    return reply_of(
        context,
        answer,
        old,
        specs=specs,
        note=context.redact(note) if note is not None else None,
        to=shown.packet.packet,
        assignee=who or None,
        acceptance=_acceptance(shown.packet),
        blockers_complete=_yes_no("Real blockers all here? y/n/Enter=skip"),
        overstated=_yes_no("Overstated? y/n/Enter=skip"),
        tests_accepted=_tests(shown.packet) if answer in ("approve", "narrow") else [],
    )


def _tests(packet: Packet) -> list[str]:
    """The changes to tests that the reviewer accepts, all that are shown or none."""
    waiting = tests_words.unseen(packet)
    for line in waiting[:_MOST_ASKED]:
        say(f"  {cut(tests_words.line(line), 100)}")
    if len(waiting) > _MOST_ASKED:
        say(f"  and {len(waiting) - _MOST_ASKED} more: passdown show --json")
    return [c.digest for c in waiting] if waiting and at_once("Accept these changes to tests? y/Enter=no") else []


def _note(context: Context, packet: Packet) -> str | None:
    """What is typed; None: the note that stands stays, "": it is withdrawn."""
    mine = next((note.text for note in packet.owner_notes if note.by == context.me), None)
    if mine is None:
        return _line("Note to the next run (Enter: none):") or None
    typed = _line(f'Note to the next run (Enter: "{cut(mine, 40)}" stays; - withdraws it):')
    return "" if typed == "-" else typed or None


def _acceptance(packet: Packet) -> dict[str, Acceptance]:
    """Each done-definition, then what was asked for one by one and no check shows, the words alone first."""
    answers = {done.check: _one(plain(done.check)) for done in packet.task.done}
    open_ = [item for item in packet.task.acceptance if item.check is None and item.state != "done"]
    asked = sorted(open_, key=lambda item: item.state != "not known")
    for item in asked[:_MOST_ASKED]:
        say(f"  {cut(told(item), 100)}")
        answers[item.id] = _one(item.id)
    if len(asked) > _MOST_ASKED:
        say(f"  {len(asked) - _MOST_ASKED} more are not asked about and stay as they are")
    return answers


def _one(name: str) -> Acceptance:
    return _ACCEPTANCE.get(_line(f"  {name}: d/n/Enter").lower()[:1], "not known")


def at_once(question: str) -> bool:
    """Whether the person says yes."""
    return _yes_no(question) is True


def _yes_no(question: str) -> bool | None:
    return {"y": True, "n": False}.get(_line(question).lower()[:1])


def _diff(context: Context, packet: Packet) -> None:
    """The run's diff, its foreign text made harmless, through the person's pager."""
    from passdown.cli.paint import colour

    lines = patch_of(context, packet).decode("utf-8", "replace").split("\n")
    harmless = [plain(line.expandtabs()) for line in lines if line]
    if not harmless:
        say("Nothing differs from where the run began.")
        return
    click.echo_via_pager("\n".join(map(_painted, harmless) if colour() else harmless) + "\n")


def patch_of(context: Context, packet: Packet, paths: Sequence[str] = ()) -> bytes:
    """From where the run began, else from the base; a commit is compared with what git would commit."""
    sealed = packet.place
    old = sealed.start or sealed.base or sealed.head or ""
    is_commit = history.commit_tree_of(context.place, old) != old if old else True
    return diff.patch(context.place, old, (is_commit and sealed.commit_tree) or sealed.tree, paths)


def _painted(line: str) -> str:
    kind = "" if line.startswith(("+++", "---")) else line[:1]
    return click.style(line, fg={"+": "green", "-": "red", "@": "cyan"}.get(kind)) if kind and kind in "+-@" else line
