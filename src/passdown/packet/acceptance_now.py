"""The single things that a task asks for, as checks and reviewers' answers have them today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from passdown.model.packet import AcceptanceItem, Packet, PacketCheck
from passdown.rules.task import TaskView


def acceptance_now(packet: Packet, task: TaskView | None, checks: Sequence[PacketCheck]) -> list[AcceptanceItem]:
    """The sealed items as checks and reviewers' answers have them today."""
    answers = answers_of(task)
    return [standing(item, checks, answers) for item in packet.task.acceptance]


def standing(
    item: AcceptanceItem, checks: Sequence[PacketCheck], answers: Mapping[str, tuple[str, str]]
) -> AcceptanceItem:
    """By the check that it asks for, else by a reviewer's answer, else as it was found."""
    check = next((c for c in checks if c.name == item.check), None) if item.check else None
    if check is not None and check.class_ == "VERIFIED":
        return replace(item, state="done", because=f"{check.name} passes on this code")
    if check is not None and check.result not in {None, "PASSED"}:
        return replace(item, state="not addressed", because=f"{check.name}: {check.result}")
    if item.check is not None:
        return replace(item, state="not known", because=f"{item.check} is not verified on this code")
    answer = answers.get(item.id)
    if answer is None:
        return item
    said = {"done": "done", "not addressed": "not addressed"}.get(answer[0])
    if said == "done":
        return replace(item, state="done", because=f"{answer[1]} said so")
    return replace(item, state="not addressed", because=f"{answer[1]} said so") if said else item


def answers_of(task: TaskView | None) -> dict[str, tuple[str, str]]:
    """Item id -> the latest reviewer's answer and who gave it."""
    verdicts = task.verdicts if task is not None else []
    return {
        name: (answer, stated.body.by)
        for stated in verdicts
        for name, answer in stated.body.acceptance.items()
        if answer != "not known"
    }
