"""The shapes of handoffs: how each is recognised, what it favours; TOML that a team can edit."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from passdown.errors import PassdownError
from passdown.rules.amount import amount
from passdown.rules.patterns import lazy

ORDER = ("review-fixes", "paused-docs", "incomplete-refactor", "failing-test", "general")
_DOCS = lazy(r"(?:^|/)docs?/|\.(?:md|rst|adoc|txt)$", re.IGNORECASE)


class Seen(Struct, frozen=True):
    """What recognition looks at."""

    words: str
    changed: Sequence[str]
    failing_tests: int
    item_kinds: Sequence[str]


class Template(Struct, frozen=True):
    """One template. Everything that ``recognise`` names must hold, of ``items`` and ``words`` one."""

    name: str
    title: str
    new_files: int
    last: str
    stop: tuple[str, ...]
    words: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    failing_tests: tuple[int, int] | None = None
    docs_share: float | None = None
    changed_files: int = 0
    always: bool = field(default=False)


@cache
def load(name: str) -> Template:
    """A template by name; PassdownError where there is none."""
    if name not in ORDER:
        raise PassdownError(f"no template {name!r}", f"there are: {', '.join(ORDER)}")
    text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    recognise = read["recognise"]
    bounds = recognise.get("failing_tests")
    return Template(
        name=read["name"],
        title=read["title"],
        new_files=read["boundary"]["new_files"],
        last=read["checklist"]["last"],
        stop=tuple(read["stop"]["when"]),
        words=tuple(recognise.get("words", ())),
        items=tuple(recognise.get("items", ())),
        failing_tests=(bounds[0], bounds[1]) if bounds else None,
        docs_share=recognise.get("docs_share"),
        changed_files=recognise.get("changed_files", 0),
        always=recognise.get("always", False),
    )


def recognise(seen: Seen) -> tuple[Template, str]:
    """The first template whose marks are there, and which ones they were."""
    for name in ORDER:
        template = load(name)
        because = _because(template, seen)
        if because is not None:
            return template, because
    raise PassdownError("no template fits", "the general one always does: reinstall Passdown")


def _because(template: Template, seen: Seen) -> str | None:
    if template.always:
        return "no other template fits"
    reasons = [*_said(template, seen), *_counted(template, seen)]
    if template.failing_tests and not template.failing_tests[0] <= seen.failing_tests <= template.failing_tests[1]:
        return None
    return ", ".join(reasons) if reasons and len(seen.changed) >= template.changed_files else None


def _said(template: Template, seen: Seen) -> list[str]:
    found = [f"open {kind} items" for kind in template.items if kind in seen.item_kinds]
    words = seen.words.lower()
    said = [word for word in template.words if re.search(rf"\b{re.escape(word)}\b", words)]
    return [*found, f'the request says "{said[0]}"'] if said else found


def _counted(template: Template, seen: Seen) -> list[str]:
    found = []
    if template.failing_tests and seen.failing_tests:
        found.append(amount(seen.failing_tests, "failing test"))
    docs = sum(bool(_DOCS.search(path)) for path in seen.changed)
    if template.docs_share and seen.changed and docs >= template.docs_share * len(seen.changed):
        found.append(f"{docs} of {amount(len(seen.changed), 'changed file')} documentation")
    return found
