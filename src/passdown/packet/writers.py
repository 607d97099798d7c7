"""Who wrote a changed file: what the session shows, then what explains a change that no tool of it made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from passdown.agents.facts.effects import may_change, named_outputs, runs_hooks_alone, tree_writes
from passdown.model.packet import Writer
from passdown.model.session import Command, SessionFacts
from passdown.rules.instants import seconds
from passdown.rules.patterns import lazy

_ORDER: tuple[Writer, ...] = ("tool", "patch", "shell", "subagent", "hook", "foreign")
_ROUNDED = 0.01  # seconds
_SLACK = 1.0  # seconds; a file's time and the transcript's are of one clock, but rounded
# Lockfiles and the like, by the tools that write them without naming them.
_MADE_BY = (
    (lazy(r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|package\.json)$"), lazy(r"\bnpm\b")),
    (lazy(r"(?:^|/)(?:pnpm-lock\.yaml|package\.json)$"), lazy(r"\bpnpm\b")),
    (lazy(r"(?:^|/)(?:yarn\.lock|package\.json)$"), lazy(r"\byarn\b")),
    (lazy(r"(?:^|/)(?:bun\.lockb?|package\.json)$"), lazy(r"\bbun\b")),
    (lazy(r"(?:^|/)(?:uv\.lock|pyproject\.toml)$"), lazy(r"\buv\b")),
    (lazy(r"(?:^|/)(?:poetry\.lock|pyproject\.toml)$"), lazy(r"\bpoetry\b")),
    (lazy(r"(?:^|/)Cargo\.(?:lock|toml)$"), lazy(r"\bcargo\b")),
    (lazy(r"(?:^|/)go\.(?:mod|sum)$"), lazy(r"\bgo\b")),
    (lazy(r"(?:^|/)Gemfile\.lock$"), lazy(r"\b(?:bundle|gem)\b")),
    (lazy(r"(?:^|/)composer\.(?:lock|json)$"), lazy(r"\bcomposer\b")),
    (lazy(r"\.(?:snap|ambr)$|(?:^|/)__\w*snapshots__/"), lazy(r"(?:^|\s)(?:-u|--update\S*|--snapshot-update)(?:\s|$)")),
)  # fmt: skip


class Known(Struct, frozen=True, dict=True):
    """What explains changes: the session's stretch, how it wrote each path, when each file was last written (seconds).

    ``named`` turns a path of the transcript into one of the repository. Commands are read once, and only if asked.
    """

    facts: SessionFacts
    written: Mapping[str, tuple[str, ...]]
    times: Mapping[str, float]
    named: Callable[[str], str]

    @cached_property
    def hooked(self) -> frozenset[str]:
        """Paths that a git hook says it changed."""
        return frozenset(self.named(one.path) for one in self.facts.hook_writes)

    @cached_property
    def edited(self) -> frozenset[str]:
        """Paths that the client saw change from outside."""
        return frozenset(map(self.named, self.facts.person_edits))

    @cached_property
    def outputs(self) -> frozenset[str]:
        """Last names of the files that commands may have written by name."""
        return frozenset(name for c in self.facts.commands for name in named_outputs(c.command))

    @cached_property
    def wide(self) -> list[Command]:
        """Commands that write what they do not name."""
        return [c for c in self.facts.commands if tree_writes(c.command)]

    @cached_property
    def spans(self) -> list[tuple[float, float, Command]]:
        """When which command ran: asked for every file, and a long session has thousands."""
        return list(_spans(self.facts.commands))

    @cached_property
    def wide_spans(self) -> list[tuple[float, float]]:
        """When those ran that write what they do not name."""
        return [(began, ended) for began, ended, _ in _spans(self.wide)]

    def during(self, path: str) -> Command | None:
        """The command that ran when the file was last written."""
        written = self.times.get(path)
        if written is None:
            return None
        return next((command for began, ended, command in self.spans if began <= written <= ended), None)

    def before(self, path: str) -> bool:
        """It was last written before the session began."""
        began, written = seconds(self.facts.started), self.times.get(path)
        return began is not None and written is not None and written < began - _SLACK

    def widely(self, path: str) -> bool:
        """A command that names no file may have written it last; a time outside the session tells nothing."""
        began, ended, written = seconds(self.facts.started), seconds(self.facts.ended), self.times.get(path)
        if written is None or began is None or ended is None or not began <= written <= ended + _SLACK:
            return bool(self.wide)
        return any(began <= written <= ended for began, ended in self.wide_spans)


def _spans(commands: Iterable[Command]) -> Iterator[tuple[float, float, Command]]:
    """From when to when each ran, where both are told."""
    for command in commands:
        began, ended = seconds(command.at), seconds(command.ended)
        if began is not None and ended is not None:
            yield began, ended + _ROUNDED, command


def writers(path: str, known: Known) -> list[Writer]:
    """Everybody who wrote ``path`` in this run, in a fixed order; never empty."""
    found: set[Writer] = {way for way in _ORDER if way in known.written.get(path, ())}
    during = known.during(path)
    if path in known.hooked or (during is not None and runs_hooks_alone(during.command)):
        found.add("hook")
    if path in known.edited and "hook" not in found and not known.widely(path):
        found.add("foreign")
    return [way for way in _ORDER if way in found] or [_unseen(path, known, during)]


def _unseen(path: str, known: Known, during: Command | None) -> Writer:
    """The writer of what no tool of the session wrote."""
    if known.before(path):
        return "foreign"
    made = any(file.search(path) and any(by.search(c.command) for c in known.facts.commands) for file, by in _MADE_BY)
    if made or path.rpartition("/")[2] in known.outputs or known.widely(path):
        return "shell"
    if during is not None and may_change(during.command):
        return "shell"
    return "subagent" if known.facts.subagents else "foreign"
