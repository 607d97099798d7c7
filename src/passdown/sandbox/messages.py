"""What may come out of the sandbox: a few typed messages, each one packet of the socket, and how they are answered."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import DecodeError, Meta, Struct
from msgspec.json import Decoder

LONGEST = 1 << 16
"""Bytes of one message."""
Verb = Literal["note", "readback", "status", "show", "check", "verify", "pack", "rescue"]
Word = Annotated[str, Meta(max_length=20_000, pattern=r"\A[^\x00]*\Z")]
Name = Annotated[str, Meta(max_length=200, pattern=r"\A[^\x00-\x1f]*\Z")]
Path = Annotated[str, Meta(max_length=4096, pattern=r"\A[^\x00]*\Z")]
OUT, ERR, CODE, REFUSED = b"1", b"2", b"=", b"!"
"""How a piece of an answer begins: standard output, standard error, the exit code (the last), a refusal (the only)."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True, tag="asked"):
    """A verb that the parent is to run; ``cwd``: the real path that it was typed in; ``width``: 0: no terminal."""

    verb: Verb
    args: Annotated[list[Word], Meta(max_length=200)]
    cwd: Path
    width: Annotated[int, Meta(ge=0, le=1000)] = 0


class Payload(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the parent is told of an event of the agent's client; fields as the client names them."""

    session_id: Name = ""
    tool_use_id: Name = ""
    agent_id: Name = ""
    tool_name: Name = ""
    hook_event_name: Name = ""
    source: Name = ""
    trigger: Name = ""
    reason: Name = ""
    transcript_path: Path = ""
    stop_hook_active: bool = False


class Called(Struct, frozen=True, forbid_unknown_fields=True, tag="called"):
    """A tool call ended, or a session began or stopped: the parent is to do what the hook would do."""

    client: Literal["claude", "codex"]
    event: Literal["after", "session"]
    payload: Payload


class Touched(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the agents' hook says of one call; what landed outside the parent finds by itself."""

    session: Name = ""
    call: Name = ""
    agent: Name = ""
    tool: Name = ""
    where: Annotated[str, Meta(pattern=r"\A(?!.*landed)[a-z-]{0,40}\Z")] = ""
    path: Annotated[str, Meta(max_length=5000)] = ""
    rule: Name = ""


class Kept(Struct, frozen=True, forbid_unknown_fields=True, tag="kept"):
    """One line of the agents' hook for the journal."""

    kind: Literal["touch", "heartbeat"]
    data: Touched


Message = Asked | Called | Kept
_decoder = Decoder(Message)


def read(packet: bytes) -> Message | None:
    """The message; None where it is none of these."""
    if len(packet) > LONGEST:
        return None
    try:
        return _decoder.decode(packet)
    except (DecodeError, RecursionError):  # objects in objects: the decoder gives up in its own way
        return None
