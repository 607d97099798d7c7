"""Whether Codex would run a hook: it does not before a person trusted exactly this entry, and says nothing then.

Asked of ``codex app-server`` (JSON-RPC on its standard streams, ``hooks/list``); nothing is ever trusted from here.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

Trust = Literal["trusted", "untrusted", "modified", "managed", "unknown"]
_SECONDS = 30.0
_ASK = (
    {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "passdown", "title": "", "version": "1"}}},
    {"method": "initialized"},
)


def hook_trust(program: str, options: Sequence[str], cwd: Path, wrapper: str) -> Trust:
    """The worst trust of the hooks that call the guard's ``wrapper``; ``unknown`` where this Codex does not tell."""
    asked = [*_ASK, {"id": 2, "method": "hooks/list", "params": {"cwds": [str(cwd)]}}]
    said = b"".join(msgspec.json.encode(each) + b"\n" for each in asked)
    listed = _hooks(_answer([program, *options, "app-server"], cwd, said))
    found = [hook.get("trustStatus") for hook in listed if wrapper in str(hook.get("command"))]
    order: tuple[Trust, ...] = ("modified", "untrusted", "trusted", "managed")
    return next((trust for trust in order if trust in found), "unknown")


def _answer(argv: Sequence[str], cwd: Path, said: bytes) -> Any:
    """The reply to the second request; {} where there is none in time. The server ends as its input does."""
    try:
        with subprocess.Popen(
            argv, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            if server.stdin is None or server.stdout is None:
                return {}
            server.stdin.write(said)
            server.stdin.flush()
            return _reply(server)
    except OSError:
        return {}


def _reply(server: subprocess.Popen[bytes]) -> Any:
    from threading import Timer  # noqa: PLC0415 -- only here

    late = Timer(_SECONDS, server.kill)
    late.start()
    try:
        for line in server.stdout or ():
            try:
                message = msgspec.json.decode(line)
            except msgspec.DecodeError:
                continue
            if isinstance(message, dict) and message.get("id") == 2:  # noqa: PLR2004 -- the second request
                return message.get("result") or {}
        return {}
    finally:
        late.cancel()
        server.kill()


def _hooks(result: Any) -> Iterator[dict[str, Any]]:
    for place in result.get("data") or [] if isinstance(result, dict) else []:
        yield from place.get("hooks") or []
