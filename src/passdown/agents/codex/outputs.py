"""What the output of a call says: five shapes of a command's result, and the refusals."""

from __future__ import annotations

import re

from msgspec import Struct

from passdown.agents.codex.records import SHELL_OUTPUT, Output, Text
from passdown.rules.patterns import lazy

_HEADER = ("Exit code: ", "Chunk ID: ", "Wall time:", "Wall time ", "Process ", "Command: ", "Total output lines: ")
_USUAL = lazy(  # nearly every output; the patterns below would say the same of it, more slowly
    r"(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?(?:Process exited with code |Exit code: )(\d{1,9})\n"
    r"(?:Wall time: [^\n]*\n)?(?:Original token count: [^\n]*\n)?Output:\n"
)
_EXIT = lazy(r"(?:[^\n]*\n)*?(?:Exit code: |Process exited with code )(-?\d{1,9})$", re.MULTILINE)
_SESSION = lazy(r"^Process running with session ID (\S+)$", re.MULTILINE)
_SANDBOX = lazy(r"\Afailed in sandbox .{0,200}?\bexit code: (-?\d{1,9}), stdout: (.*)\Z", re.DOTALL)
_ABORTED = lazy(r"\A(?:Wall time: [^\n]*\n)?aborted by user\b")
_REFUSED = lazy(
    r"\A(?:Command blocked by PreToolUse hook:|unsupported (?:custom tool )?call\b|failed to parse function arguments"
    r"|exec_command failed\b|exec command rejected|patch rejected|(?:exec )?command rejected|rejected by user"
    r"|failed for `|execution error: |unknown process id|write_stdin failed)"
)
_OUTPUT = "\nOutput:\n"
PATCHED = "Success. Updated the following files:"


class Outcome(Struct, frozen=True, gc=False):
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


def text_of(output: str | list[Text] | Output | None) -> str:
    """Return the text of an output: a string, a content item, or a list of them."""
    if isinstance(output, str):
        return output
    if isinstance(output, Output):
        return output.text or output.content or ""
    return "\n".join([item.text for item in output or ()])


def outcome(text: str) -> Outcome:
    """Read the output of a call."""
    if usual := _USUAL.match(text):
        return Outcome(int(usual[1]), text[usual.end() :])
    if text.startswith(_HEADER):
        head, _, output = text.partition(_OUTPUT)
        found = _EXIT.match(head)
        return Outcome(int(found[1]), output) if found is not None else _headed(head, output, text)
    if text.startswith("{"):
        body = SHELL_OUTPUT.decode(text)
        if body is not None and body.metadata is not None:
            return Outcome(body.metadata.exit_code, body.output or "")
        return Outcome(None, text)
    if found := _SANDBOX.match(text):
        return Outcome(int(found[1]), found[2])
    if _ABORTED.match(text):
        return Outcome(None, text, interrupted=True)
    return Outcome(None, text, executed=not _REFUSED.match(text))


def _headed(head: str, output: str, text: str) -> Outcome:
    """Read what the lines before an output say where they name no exit."""
    if found := _SESSION.search(head):
        return Outcome(None, output, session=found[1])
    if _ABORTED.match(text):
        return Outcome(None, text, interrupted=True)
    if output.startswith("Exit code: "):  # a patch that Codex took out of a shell command
        return outcome(output)
    return Outcome(None, output or text)
