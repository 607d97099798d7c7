"""What was read from a pull request: threads, requests for changes, CI's results, what its texts ask for."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from passdown.model.evidence import Result

Resolution = Literal["open", "with-change", "by-reviewer", "without-change"]


class Said(Struct, frozen=True, kw_only=True):
    """The comment that an answer was given in: ``digest`` is the sha256 of its text, in hex."""

    id: int
    url: str
    at: str
    digest: str


class ForgeRemark(Struct, frozen=True, kw_only=True):
    """A review thread, or a review that asks for changes (``path`` None), and what became of it.

    ``with-change``: resolved after its file changed; ``by-reviewer``: resolved or taken back by somebody else than who
    ran the agent; ``without-change``: resolved by who ran it, and nothing changed there. ``changed``: whether its file
    is other than what was remarked on; None: not known.
    """

    url: str
    by: str
    text: str
    state: Resolution
    path: str | None = None
    line: int | None = None
    resolved_by: str | None = None
    changed: bool | None = None


class ForgeCheck(Struct, frozen=True, kw_only=True):
    """One check run or status of the pull request's newest commit; ``said``: the forge's own word for it."""

    name: str
    result: Result
    said: str
    url: str | None = None
    at: str | None = None


class ForgeAsked(Struct, frozen=True, kw_only=True):
    """A checkbox or an entry of a numbered list, in the pull request's text or the issue that it closes."""

    text: str
    source: str
    ticked: bool | None = None


class ForgeRead(Struct, frozen=True, kw_only=True):
    """What a pull request says now; the newest reading of a task counts. ``branch``: the one here."""

    task: str
    url: str
    head: str
    branch: str | None
    remarks: list[ForgeRemark] = field(default_factory=list)
    checks: list[ForgeCheck] = field(default_factory=list)
    asked: list[ForgeAsked] = field(default_factory=list)


class Lapsed(Struct, frozen=True, kw_only=True):
    """An answer that was given on the forge counts no more: its comment was edited, or is gone."""

    task: str
    verdict: str
    because: str
