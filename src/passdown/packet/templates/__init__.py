"""The shapes of handoffs: those that come with Passdown and a team's own, and how one is recognised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.model.packet import HoldLevel
from passdown.model.template import Recognised, Template
from passdown.rules.amount import amount
from passdown.rules.match import Matcher
from passdown.rules.patterns import lazy

ORDER = ("review-fixes", "paused-docs", "incomplete-refactor", "failing-test", "general")
NAMED = "named by the person"
_DOCS = lazy(r"(?:^|/)docs?/|\.(?:md|rst|adoc|txt)$", re.IGNORECASE)


class Seen(Struct, frozen=True):
    """What recognition looks at."""

    words: str
    changed: Sequence[str]
    failing_tests: int
    item_kinds: Sequence[str]


@cache
def built_in(name: str) -> Template:
    """A template of ``ORDER``."""
    from passdown.checks.template_file import parse_template  # noqa: PLC0415 - what only shows a packet needs no TOML

    return parse_template(f"{name}.toml", built_in_text(name), name=name)


def built_in_text(name: str) -> str:
    """Its TOML."""
    return Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")


def known(own: Sequence[Template] = ()) -> list[Template]:
    """All templates as they are tried: a team's own, the built-in ones, then those that always fit.

    One of the team with a built-in one's name stands in its place.
    """
    replaced = {template.name: template for template in own}
    added = sorted((t for t in own if t.name not in ORDER), key=lambda template: template.name)
    found = [*added, *(replaced.get(name) or built_in(name) for name in ORDER)]
    return sorted(found, key=lambda template: template.recognise.always)


def find(name: str, own: Sequence[Template] = ()) -> Template:
    """A template by name; PassdownError where there is none."""
    found = next((template for template in known(own) if template.name == name), None)
    if found is None:
        raise PassdownError(f"no template {name!r}", f"there are: {', '.join(t.name for t in known(own))}")
    return found


def holds(name: str, own: Sequence[Template] = ()) -> dict[str, HoldLevel]:
    """The reasons that hold in handoffs of this kind; of a kind that is not known here none."""
    template = next((template for template in own if template.name == name), None)
    if template is None and name in ORDER and "[hold]" in built_in_text(name):
        template = built_in(name)
    return template.hold if template is not None else {}


def recognise(seen: Seen, own: Sequence[Template] = ()) -> tuple[Template, str]:
    """The first template whose marks are there, and which ones they were."""
    for template in known(own):
        because = _because(template.recognise, seen)
        if because is not None:
            return template, because
    return built_in("general"), "no other template fits"


def _because(marks: Recognised, seen: Seen) -> str | None:
    """What shows the kind; None where something that it asks for is not there."""
    if marks.always:
        return "no other template fits"
    said, counted = _said(marks, seen), _counted(marks, seen)
    if counted is None or (not said and (marks.words or marks.items or marks.paths)):
        return None
    if marks.changed_files and not said and not counted:
        counted = [amount(len(seen.changed), "changed file")]
    return ", ".join([*said, *counted]) or None


def _said(marks: Recognised, seen: Seen) -> list[str]:
    found = [f"open {kind} items" for kind in marks.items if kind in seen.item_kinds]
    words = seen.words.lower()
    said = [word for word in marks.words if re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", words)]
    matcher = Matcher.compile(marks.paths) if marks.paths else None
    there = [path for path in seen.changed if matcher is not None and matcher.matches(path) is not None]
    return [*found, *([f'the request says "{said[0]}"'] if said else []), *([f"{there[0]} changed"] if there else [])]


def _counted(marks: Recognised, seen: Seen) -> list[str] | None:
    """What was counted; None where a number is out of its bounds."""
    found = []
    if marks.failing_tests is not None:
        least, most = marks.failing_tests
        if not least <= seen.failing_tests <= most:
            return None
        found.append(amount(seen.failing_tests, "failing test"))
    if len(seen.changed) < marks.changed_files:
        return None
    if marks.docs_share is not None:
        docs = sum(bool(_DOCS.search(path)) for path in seen.changed)
        if not seen.changed or docs < marks.docs_share * len(seen.changed):
            return None
        found.append(f"{docs} of {amount(len(seen.changed), 'changed file')} documentation")
    return found
