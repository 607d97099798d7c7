"""Our MCP server in the clients' project files: beside what is there, and out again."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from passdown.errors import PassdownError
from passdown.guard import settings_files

CLAUDE, CODEX = ".mcp.json", ".codex/config.toml"
NAME = "passdown"
_HEAD = b"[mcp_servers.passdown]"


def merged(content: bytes | None, path: str, command: str) -> bytes:
    """The file with our server; as it was where one of our name stands in it. PassdownError where it cannot be read."""
    if path == CODEX:
        known = _toml(content).get("mcp_servers", {})
        if not isinstance(known, dict):
            raise PassdownError(f"{path}: mcp_servers has a shape that Passdown does not know", "nothing was changed")
        text = (content or b"").decode("utf-8", "surrogateescape")
        apart = "\n" if text and not text.endswith("\n\n") else ""
        apart = f"\n{apart}" if text and not text.endswith("\n") else apart
        whole = (text if NAME in known else text + apart + _block(command)).encode("utf-8", "surrogateescape")
        try:
            _toml(whole)
        except PassdownError as error:
            raise PassdownError(
                f"{path}: mcp_servers stands in one line there, which takes no further server",
                "write it as [mcp_servers.NAME] tables first; nothing was changed",
            ) from error
        return whole
    settings = settings_files.read(content, path)
    servers = settings.get("mcpServers", {})
    if not isinstance(servers, dict):
        raise PassdownError(f"{path}: mcpServers has a shape that Passdown does not know", "nothing was changed")
    if NAME in servers:
        return content or b""
    ours = {NAME: {"command": command, "args": ["mcp"]}}
    return settings_files.write({**settings, "mcpServers": {**servers, **ours}}, content)


def present(content: bytes, path: str) -> bool:
    """Whether our server stands in the file."""
    try:
        if path == CODEX:
            return any(line.strip() == _HEAD for line in content.split(b"\n"))
        servers = settings_files.read(content, path).get("mcpServers")
        return isinstance(servers, dict) and NAME in servers
    except PassdownError:
        return False


def without(content: bytes, path: str) -> bytes | None:
    """The file without our server; None where it held nothing else."""
    if path == CODEX:
        lines = content.split(b"\n")
        at = [line.strip() for line in lines].index(_HEAD)
        ours = 1 + sum(1 for line in lines[at + 1 : at + 3] if line.lstrip().startswith((b"command = ", b"args = ")))
        kept = b"\n".join([*lines[:at], *lines[at + ours :]]).strip(b"\r\n")
        return kept + (b"\r\n" if b"\r\n" in content else b"\n") if kept else None
    settings = settings_files.read(content, path)
    servers = {name: server for name, server in settings["mcpServers"].items() if name != NAME}
    rest = {name: value for name, value in settings.items() if name != "mcpServers"}
    rest |= {"mcpServers": servers} if servers else {}
    return settings_files.write(rest, content) if rest else None


def _block(command: str) -> str:
    return f'[mcp_servers.{NAME}]\ncommand = {json.dumps(command)}\nargs = ["mcp"]\n'


def _toml(content: bytes | None) -> dict[str, Any]:
    try:
        return tomllib.loads((content or b"").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PassdownError(f"{CODEX} cannot be read: {error}", "mend it first; nothing was changed") from error
