"""A template's TOML as a value; each mistake is one line: file, line, key, what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from passdown.checks.policy_file import HOLD_REASONS, load
from passdown.checks.policy_places import ENDING, FOLDER, MOST_BYTES, MOST_FILES, text_of
from passdown.checks.policy_reader import Table
from passdown.errors import PassdownError
from passdown.model.packet import HoldLevel
from passdown.model.template import GOAL, Recognised, StepKind, Template, TemplateStep
from passdown.rules.patterns import lazy

_MOST_ENTRIES, _MOST_TEXT, _MOST_NEW = 50, 300, 1000
_NAME = lazy(r"[a-z0-9][a-z0-9-]{0,39}")
_KINDS = ("failure", "question", "review", "step")
_ITEMS = ("failure", "question", "architecture", "review", "step", "widen", "tests")
_STEP = ("step", "check", "if_not")
_NOT_MET = "say which part is not met, then passdown pack"


def parse_template(file: str, text: str, *, name: str, source: str | None = None) -> Template:
    """The template ``name`` that the text holds; PassdownError for the first mistake."""
    table = Table(file, text, load(file, text))
    table.only(("name", "title", "recognise", "boundary", "checklist", "stop", "hold"))
    if not _NAME.fullmatch(name):
        raise PassdownError(f"{file}:1: expected a file name of small letters, digits and '-', got {name!r}")
    if table.text_of("name") not in (None, name):
        table.fail("name", f'"{name}", as the file is called', table.value["name"])
    boundary, checklist, stop = (table.table(key) for key in ("boundary", "checklist", "stop"))
    boundary.only(("allow", "deny", "within", "new_files"))
    checklist.only(("steps", "last", "order", "if_not"))
    stop.only(("when",))
    return Template(
        name=name,
        title=_line(table, "title") or table.fail("title", "what this kind is called on a screen"),
        recognise=_recognised(table.table("recognise")),
        allow=_patterns(boundary, "allow"),
        deny=_patterns(boundary, "deny"),
        within=_patterns(boundary, "within"),
        new_files=_number(boundary, "new_files", 2),
        order=cast("tuple[StepKind, ...]", _words(checklist, "order", _KINDS)),
        if_not=_if_not(checklist.table("if_not")),
        steps=tuple(_step(checklist, "steps", entry) for entry in _list(checklist, "steps")),
        last=_last(checklist),
        stop=_lines(stop, "when"),
        hold=_hold(table.table("hold")),
        source=source,
    )


def named_by_file(path: str) -> str:
    """The name of the template that the file at this path holds."""
    return path.rpartition("/")[2].removesuffix(ENDING)


def file_of(name: str) -> str:
    """Where a team keeps the template of that name; PassdownError where it can have none."""
    if not _NAME.fullmatch(name):
        raise PassdownError(f"no name of a template: {name!r}", "small letters, digits and '-', at most 40")
    return f"{FOLDER}/{name}{ENDING}"


def team_templates(files: Mapping[str, bytes], prefix: str = "") -> list[Template]:
    """The templates of a folder by name: path -> bytes; ``prefix`` says in their source which revision that is."""
    if len(files) > MOST_FILES:
        raise PassdownError(f"{FOLDER}: expected at most {MOST_FILES} templates, got {len(files)}")
    return [
        parse_template(path, decoded(path, data), name=named_by_file(path), source=prefix + path)
        for path, data in sorted(files.items())
    ]


def decoded(path: str, data: bytes) -> str:
    """The file's text; PassdownError where it is too large or not UTF-8."""
    return text_of(path, data, MOST_BYTES)


def _recognised(table: Table) -> Recognised:
    table.only(("words", "items", "paths", "failing_tests", "docs_share", "changed_files", "always"))
    share = table.value.get("docs_share")
    if share is not None and (isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1):
        table.fail("docs_share", "a share above 0 and up to 1", share)
    found = Recognised(
        words=_lines(table, "words"),
        items=_words(table, "items", _ITEMS),
        paths=_patterns(table, "paths"),
        failing_tests=_range(table, "failing_tests"),
        docs_share=share,
        changed_files=_number(table, "changed_files", 0),
        always=table.flag("always", default=False),
    )
    if found.always and found != Recognised(always=True):
        table.fail("always", "always alone, or other marks without it")
    return found


def _last(table: Table) -> TemplateStep:
    """A sentence, whose check is the goal's, or a whole step."""
    value = table.value.get("last")
    if isinstance(value, dict):
        return _step(table, "last", value)
    step = _line(table, "last") or table.fail("last", "the last step: a sentence, or { step, check, if_not }")
    return TemplateStep(step=step, check=GOAL, if_not=_NOT_MET)


def _step(table: Table, key: str, entry: object) -> TemplateStep:
    whole = "{ step = ..., check = ..., if_not = ... }, each a line of text"
    if not isinstance(entry, dict) or set(entry) != set(_STEP):
        table.fail(key, whole, entry)
    inner = Table(table.file, table.text, entry, (*table.path, key))
    step, check, if_not = (_line(inner, name) or inner.fail(name, "a line of text") for name in _STEP)
    return TemplateStep(step=step, check=check, if_not=if_not)


def _if_not(table: Table) -> dict[StepKind, str]:
    table.only(_KINDS)
    return {cast("StepKind", kind): _line(table, kind) or "" for kind in table.value}


def _hold(table: Table) -> dict[str, HoldLevel]:
    """A template only ever makes a reason graver: every one of them watches already."""
    table.only(HOLD_REASONS)
    for reason, level in table.value.items():
        if level != "hold":
            table.fail(reason, '"hold", a template lowers none; [hold] of passdown.toml does', level)
    return dict.fromkeys(table.value, "hold")


def _line(table: Table, key: str) -> str | None:
    """One line of text that is not too long."""
    text = table.text_of(key)
    if text is not None and (len(text) > _MOST_TEXT or not text.isprintable()):
        table.fail(key, f"one line of at most {_MOST_TEXT} characters", text)
    return text


def _lines(table: Table, key: str) -> tuple[str, ...]:
    found = _list(table, key)
    for entry in found:
        if not isinstance(entry, str) or not entry.strip() or len(entry) > _MOST_TEXT or not entry.isprintable():
            table.fail(key, f"a list of lines of at most {_MOST_TEXT} characters", entry)
    return tuple(found)


def _list(table: Table, key: str) -> list[Any]:
    found = table.value.get(key, [])
    if not isinstance(found, list) or len(found) > _MOST_ENTRIES:
        table.fail(key, f"a list of at most {_MOST_ENTRIES}", len(found) if isinstance(found, list) else found)
    return found


def _patterns(table: Table, key: str) -> tuple[str, ...]:
    return tuple(table.pattern(key, entry) for entry in _lines(table, key))


def _words(table: Table, key: str, of: tuple[str, ...]) -> tuple[str, ...]:
    found = _lines(table, key)
    for entry in found:
        if entry not in of:
            table.fail(key, " or ".join(f'"{word}"' for word in of), entry)
    return found


def _number(table: Table, key: str, default: int) -> int:
    value = table.value.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_NEW:
        table.fail(key, f"a whole number from 0 to {_MOST_NEW}", value)
    return value


def _range(table: Table, key: str) -> tuple[int, int] | None:
    value = table.value.get(key)
    if value is None:
        return None
    numbers = isinstance(value, list) and all(isinstance(n, int) and not isinstance(n, bool) for n in value)
    if not numbers or len(value) != 2 or not 0 <= value[0] <= value[1]:  # noqa: PLR2004 - a pair
        table.fail(key, "[least, most], two whole numbers", value)
    return value[0], value[1]
