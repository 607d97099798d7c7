"""``/passdown ...``: an answer as a comment gives it. Text in, value out; nothing in it is executed."""

from __future__ import annotations

import re

from msgspec import Struct, field
from msgspec.structs import replace

from passdown.errors import PassdownError
from passdown.forge.foreign import cut
from passdown.model.packet import Answer
from passdown.rules.patterns import lazy

ANSWERS: dict[str, Answer] = {
    "approve": "approve", "narrow": "narrow", "rollback": "rollback", "handover": "reassign",
}  # fmt: skip
_HOW = {
    "approve": "/passdown approve PACKET",
    "narrow": "/passdown narrow PACKET -3 +PATH",
    "rollback": "/passdown rollback PACKET [to PACKET]",
    "handover": "/passdown handover PACKET @who",
}
_DIGEST = lazy(r"[0-9a-f]{7,64}")
_WHO = lazy(r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:/[A-Za-z0-9._-]+)?")
_SPEC = lazy(r"[+-]\S+")
_NUMBER = lazy(r"-(\d{1,4})")
_TALK = lazy(r"\s*/passdown(?:\s|$)")
_NOTE = 2_000
_LONGEST = 4_000


class Command(Struct, frozen=True):
    """``packet``, ``to``: the beginnings of digests; ``note``: the lines below, "" none."""

    answer: Answer
    packet: str
    specs: list[str] = field(default_factory=list)
    to: str | None = None
    who: str | None = None
    note: str = ""


def is_command(body: str) -> bool:
    """Whether a comment means to answer: its first line says so, not a quote, a list or code."""
    return re.match(r"/passdown(?:\s|$)", body.lstrip("\ufeff \t\r\n")) is not None and not body.startswith("    ")


def command_of(body: str) -> Command:
    """The answer; PassdownError where it is not understood. Nothing is guessed."""
    first, _, rest = body.replace("\r\n", "\n").strip("\ufeff \t\r\n").partition("\n")
    if len(first) > _LONGEST or not first.isprintable():
        raise PassdownError("its line is too long, or holds characters that do not show")
    if any(_TALK.match(line) for line in rest.splitlines()):
        raise PassdownError("two answers in one comment", "one comment, one answer")
    words = first.split()[1:]
    word = words[0] if words else ""
    if word not in ANSWERS:
        raise PassdownError(f"{cut(word, 20) or 'nothing'} is no answer", " | ".join(_HOW.values()))
    if len(words) == 1 or not _DIGEST.fullmatch(words[1]):
        raise PassdownError("it names no packet by at least 7 digits of its digest", _HOW[word])
    note = rest.strip()[:_NOTE]
    return _read(Command(ANSWERS[word], words[1], note=note), word, words[2:])


def _read(command: Command, word: str, rest: list[str]) -> Command:
    """With what belongs to that answer, and nothing else."""
    if word == "approve" and not rest:
        return command
    if word == "narrow" and rest and all(_SPEC.fullmatch(one) for one in rest):
        specs = [_NUMBER.sub(r"-B\1", one) if _NUMBER.fullmatch(one) else one for one in rest]
        return replace(command, specs=specs)
    if word == "rollback" and (not rest or (len(rest) == 2 and rest[0] == "to" and _DIGEST.fullmatch(rest[1]))):  # noqa: PLR2004
        return replace(command, to=rest[1] if rest else None)
    if word == "handover" and len(rest) == 1 and _WHO.fullmatch(rest[0]):
        return replace(command, who=rest[0])
    raise PassdownError(f"not understood: {cut(' '.join(rest), 60) or 'something is missing'}", _HOW[word])
