"""What the output of a call says: five shapes of a command's result, and the refusals."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from passdown.agents.codex.records import SHELL_OUTPUT, TEXT, Text

_HEADER = re.compile(r"\A(?:Exit code: |Chunk ID: |Wall time[: ]|Process |Command: |Total output lines: )")
_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d{1,9})$", re.MULTILINE)
_SESSION = re.compile(r"^Process running with session ID (\S+)$", re.MULTILINE)
_SANDBOX = re.compile(r"\Afailed in sandbox .{0,200}?\bexit code: (-?\d{1,9}), stdout: (.*)\Z", re.DOTALL)
_ABORTED = re.compile(r"\A(?:Wall time: [^\n]*\n)?aborted by user\b")
_REFUSED = re.compile(
    r"\A(?:Command blocked by PreToolUse hook:|unsupported (?:custom tool )?call\b|failed to parse function arguments"
    r"|exec_command failed\b|exec command rejected|patch rejected|(?:exec )?command rejected|rejected by user"
    r"|failed for `|execution error: |unknown process id|write_stdin failed)"
)
PATCHED = "Success. Updated the following files:"


class Outcome(NamedTuple):
    """How a call ended, as far as its output says; ``session`` where it goes on under that id."""

    exit: int | None
    output: str
    executed: bool = True
    interrupted: bool = False
    session: str | None = None

    @property
    def ok(self) -> bool | None:
        """None: the output does not say."""
        return None if self.exit is None else self.exit == 0


def text_of(raw: msgspec.Raw) -> str:
    """Return the text of an output: a string, a content item, or a list of them."""
    first = bytes(memoryview(raw)[:1])
    try:
        if first == b'"':
            return msgspec.json.decode(raw, type=str)
        if first == b"[":
            return "\n".join(item.text for item in msgspec.json.decode(raw, type=list[Text]))
    except msgspec.MsgspecError:
        return bytes(raw).decode("utf-8", "replace")
    item = TEXT.decode(raw) if first == b"{" else None
    if item is None:
        return ""
    return item.text or ((body := SHELL_OUTPUT.decode(raw)) and (body.content or body.output)) or ""


def outcome(text: str) -> Outcome:
    """Read the output of a call."""
    if text.startswith("{"):
        body = SHELL_OUTPUT.decode(text.encode())
        if body is not None and body.metadata is not None:
            return Outcome(body.metadata.exit_code, body.output or "")
        return Outcome(None, text)
    if _HEADER.match(text):
        return _headed(text)
    if found := _SANDBOX.match(text):
        return Outcome(int(found[1]), found[2])
    if _ABORTED.match(text):
        return Outcome(None, text, interrupted=True)
    return Outcome(None, text, executed=not _REFUSED.match(text))


def _headed(text: str) -> Outcome:
    """Read ``Exit code``, ``Process exited`` or ``Process running`` from the lines before the output."""
    head, _, output = text.partition("\nOutput:\n")
    if _ABORTED.match(text):
        return Outcome(None, text, interrupted=True)
    if found := _EXIT.search(head):
        return Outcome(int(found[1]), output)
    if found := _SESSION.search(head):
        return Outcome(None, output, session=found[1])
    if output.startswith("Exit code: "):  # a patch that Codex took out of a shell command
        return _headed(output)
    return Outcome(None, output or text)
