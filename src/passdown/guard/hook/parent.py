"""Inside the sandbox the record is read-only: what the hook keeps, and what it has the whole Passdown do, goes outside.

The parent's socket takes one message a packet; :mod:`passdown.sandbox.messages` says which.
"""

from __future__ import annotations

import os
import sys

from .scan import Json, dumps, text_of

SOCKET = "/run/passdown/broker"
LINES = ("touch", "heartbeat")
_FIELDS = ("session_id", "tool_use_id", "agent_id", "tool_name", "hook_event_name", "source", "trigger", "reason")
_PIECE = 1 << 16
_SECONDS = 2
_ALL, _SEQPACKET = 1, 5
_LIMIT_SOL, _SEND_LIMIT = 1, 21


def inside() -> bool:
    """Whether this process is in a sandbox that has a parent."""
    return os.path.exists(SOCKET)


def tell(kind: str, data: Json) -> None:
    """One line of the journal, to be kept outside; where nobody takes it, nothing changes."""
    if kind not in LINES or not inside():
        return
    asked = _connected({"type": "kept", "kind": kind, "data": data})
    if asked is not None:
        asked.close()  # type: ignore[attr-defined] # a socket


def ask(agent: str, event: str, payload: Json) -> int:
    """Have the event of the payload handled outside, say what comes of it; the exit code."""
    told: Json = {name: text_of(payload.get(name))[:200] for name in _FIELDS if text_of(payload.get(name))}
    if payload.get("stop_hook_active") is True:
        told["stop_hook_active"] = True
    transcript = text_of(payload.get("transcript_path"))
    if transcript.isprintable():
        told["transcript_path"] = transcript
    asked = _connected({"type": "called", "client": agent, "event": event, "payload": told})
    while asked is not None:
        try:
            piece = asked.recv(_PIECE)  # type: ignore[attr-defined] # a socket
        except OSError:
            break
        if piece[:1] in (b"1", b"2"):
            os.write(int(piece[:1]), piece[1:])
        elif piece[:1] == b"=":
            return int(piece[1:])
        else:
            break
    return 0


def _connected(message: Json) -> object:
    """The socket that took the message; None where none did."""
    import _socket  # the module around it costs more than the whole hook

    asked = _socket.socket(_ALL, _SEQPACKET)
    try:
        limit = _SECONDS.to_bytes(8, sys.byteorder) + bytes(8)
        asked.setsockopt(_LIMIT_SOL, _SEND_LIMIT, limit)
        asked.connect(SOCKET)
        asked.send(dumps(message).encode())
    except OSError:
        return None
    return asked
