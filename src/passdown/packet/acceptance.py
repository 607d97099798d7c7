"""The single things that a task asks for, each done, not addressed, or not known (A20): by facts, never by silence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.model.packet import AcceptanceItem, Goal
from passdown.packet.acceptance_now import answers_of, standing
from passdown.packet.text import cut, plain
from passdown.rules.addressed import Mention, Speaker, asks_for_check, mentioned, speakers, told_done
from passdown.rules.asked_items import AskedItem, asked_items
from passdown.rules.task import TaskView

if TYPE_CHECKING:
    from passdown.packet.sources import Sources

FEATURES = "feature_list.json"
_QUOTED = 80


def acceptance_of(sources: Sources, goal: Goal) -> list[AcceptanceItem]:
    """The goal's items, then those of a feature list; an earlier one keeps its id and never goes by being left out."""
    asked = [("goal", item) for item in asked_items(goal.text)]
    asked += [(FEATURES, item) for item in sources.features]
    asked += _on_forge(sources.task, {item.text.casefold() for _, item in asked})
    known = {item.text.casefold(): item for item in _earlier(sources, goal)}
    mentions = list(_mentions(sources))
    told = speakers([item.text for _, item in asked], [item.number for _, item in asked])
    commands = {check.name: check.command for check in sources.checks}
    found: dict[str, AcceptanceItem] = {}
    for (source, item), speaker in zip(asked, told, strict=True):
        before = known.pop(item.text.casefold(), None)
        name = before.id if before else _next({*found, *(k.id for k in known.values())})
        said = _said(speaker, mentions, before, session=sources.facts is not None)
        check = asks_for_check(item.text, commands)
        found[name] = _item(name, source, item, said, check)
    found |= {item.id: item for item in known.values()}
    answers = answers_of(sources.task)
    return [standing(item, sources.checks, answers) for item in sorted(found.values(), key=lambda i: int(i.id[1:]))]


def _on_forge(task: TaskView | None, known: set[str]) -> list[tuple[str, AskedItem]]:
    """What the pull request and the issues that it closes ask for, and nothing before did."""
    read = task.forge.body.asked if task is not None and task.forge is not None else []
    return [(one.source, AskedItem(one.text, one.ticked)) for one in read if one.text.casefold() not in known]


def _item(name: str, source: str, item: AskedItem, said: str | None, check: str | None) -> AcceptanceItem:
    because = said or "nothing that was said or changed speaks of it"
    if item.ticked and said is None:
        said, because = "", f"ticked in {'the goal' if source == 'goal' else source}, only said"
    state = AcceptanceItem(id=name, text=item.text, state="not addressed", because=because, source=source)
    return replace(state, state="not addressed" if said is None else "not known", check=check, ticked=item.ticked)


def _said(speaker: Speaker, mentions: Sequence[Mention], before: AcceptanceItem | None, *, session: bool) -> str | None:
    """What speaks of it, in this run or an earlier one; without a session nobody was heard."""
    found = mentioned(speaker, mentions)
    if found is None and before is not None and before.state == "not known" and before.check is None:
        return before.because
    return found if found is not None or session else "no agent session: nothing was heard of it"


def _mentions(sources: Sources) -> Iterator[Mention]:
    facts = sources.facts
    for todo in facts.todos if facts else []:
        if todo.status == "completed":
            yield Mention(todo.text, f'only said: "{cut(plain(todo.text), _QUOTED)}" marked completed')
    said = [claim.text for claim in facts.claims] + told_done(facts.closing) if facts else []
    for text in said:
        yield Mention(text, f'only said: "{cut(plain(text), _QUOTED)}"')
    for change in sources.changes:
        yield Mention(change.path, f"{plain(change.path)} changed, nothing shows that it is done")


def _earlier(sources: Sources, goal: Goal) -> list[AcceptanceItem]:
    """The previous packet's items; those of a goal that a person replaced are gone with it."""
    if sources.previous is None:
        return []
    task = sources.previous.body.task
    same = task.goal.text == goal.text
    return [item for item in task.acceptance if same or item.source != "goal"]


def _next(taken: set[str]) -> str:
    return f"A{max((int(name[1:]) for name in taken), default=0) + 1}"
