"""What the text of a tool result says: an exit code, a refusal, or the person's own words inside it."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from msgspec import Struct

from passdown.agents.claude.records import BLOCK, Block, Result
from passdown.agents.wire import begins, parts, text_of
from passdown.rules.patterns import lazy

_EXIT = lazy(r"\AExit code (-?\d{1,9})(?:\n|\Z)")
_TIMED_OUT = lazy(r"\ACommand timed out after ")
_REFUSED = lazy(
    r"""\A(?:The\ user\ doesn't\ want\ to\ (?:proceed|take\ this\ action)
    |\[Request\ interrupted\ by\ user
    |User\ rejected
    |<tool_use_error>(?:Sibling|Cancelled|Blocked|InputValidationError|Error:\ No\ such\ tool|Permission)
    |(?:Pre)?ToolUse:\S*\ hook\ error
    |Permission\ (?:to\ use|for\ this)\b
    |Claude\ requested\ permissions?\ to
    |This\ (?:Bash\ )?command\ (?:requires\ approval|contains\ multiple\ operations)
    |The\ agent\ proposed\ a\ plan\ that\ was\ rejected
    |Tool\ permission\ request\ failed
    |Hook\ PreToolUse:
    |(?:cd\ (?:in|to)|Output\ redirection\ to)\ .{0,400}?\ was\ blocked\.
    )""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = lazy(r"the user (?:said|provided the following reason for the rejection):[ \t]*\n?(.*)\Z", re.DOTALL)
_CLIENT_NOTE = lazy(r"\n\nNote: The user's next message may contain a correction or preference\..*\Z", re.DOTALL)
_SAVED = "Full output saved to: "
_STORED = lazy(_SAVED + r"(\S+/tool-results/[^\s/]+)")
_NAME = lazy(r"[\w.-]{1,200}")
_NOTICE, _PREVIEW = 512, 4096  # characters; the notice stands before the preview
_STORED_END = 64 * 1024
_TERM = 15
_SHELL_SIGNAL = 128


class Ending(Struct, frozen=True, gc=False):
    """How a shell call ended, as far as the record says."""

    exit: int | None
    ok: bool | None
    output: str
    signal: int | None = None
    executed: bool = True
    no_match: bool = False
    interrupted: bool = False


def with_stored(output: str, stored: str | None, folder: Path) -> str:
    """Add the end of an output that the client put into a file of its own, where that lies beside the session."""
    at = output.find(_SAVED, 0, _NOTICE)
    found = _STORED.search(output, at, _PREVIEW) if at >= 0 else None
    if found is None and stored is None:
        return output
    name = PurePosixPath(stored or (found[1] if found else "")).name
    if not _NAME.fullmatch(name):
        return output
    try:
        with (folder / "tool-results" / name).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _STORED_END))
            return f"{output}\n{file.read().decode('utf-8', 'replace')}"
    except OSError:
        return output


class Answer(Struct, gc=False):
    """A result of a tool; its text is decoded where somebody asks for it, for most of them nobody does."""

    block: Block
    result: Result | None
    denial: str | None
    decoded: str | None = None

    @property
    def text(self) -> str:
        """Its content: a string, or the text of a list of blocks."""
        if self.decoded is None:
            content = self.block.content
            blocks = parts(content, BLOCK) if begins(content, b"[") else None
            self.decoded = (
                text_of(content)
                if blocks is None
                else "\n".join(block.text for block in blocks if block.type == "text")
            )
        return self.decoded

    @property
    def failed(self) -> bool:
        """Whether it is marked as an error; most tools write no mark where it is none."""
        return self.block.is_error is True

    @property
    def refused(self) -> bool:
        """Whether the call never ran."""
        return self.failed and refused(self.text, self.denial)

    def may_begin(self, words: bytes) -> bool:
        """Say whether the text can begin so, without decoding it."""
        start = bytes(memoryview(self.block.content)[: len(words) + 1])
        return start[1:] == words or start[:1] == b"["


def refused(text: str, denial: str | None) -> bool:
    """Say whether the call was rejected, denied or cancelled before it ran."""
    return denial is not None or bool(_REFUSED.match(text))


def words_in_refusal(text: str) -> str | None:
    """Find what the person said when rejecting; the result is theirs, not the tool's."""
    if not text.startswith(("The user doesn", "The agent proposed a plan", "User rejected")):
        return None
    found = _WORDS.search(text)
    return _CLIENT_NOTE.sub("", found[1]).strip() or None if found else None


def shell_ending(answer: Answer) -> Ending:
    """Read a shell result; old clients write a failure as bare output, so its exit stays unknown."""
    result = answer.result
    if answer.failed:
        text = answer.text
        if found := _EXIT.match(text):
            code, output = int(found[1]), text[found.end() :]
            timed_out = bool(_TIMED_OUT.match(output)) and code == _SHELL_SIGNAL + _TERM
            return Ending(code, code == 0, output, signal=_TERM if timed_out else None)
        if refused(text, answer.denial) or text.startswith("<tool_use_error>"):
            return Ending(None, None, text, executed=False, interrupted=text.startswith("[Request interrupted"))
        return Ending(None, False, text)
    if result is None:
        return Ending(None, None, answer.text) if answer.block.is_error is None else Ending(0, True, answer.text)
    output = result.stdout or result.stderr or answer.text
    if result.stdout and result.stderr:
        output = f"{output}\n{result.stderr}"
    if result.interrupted:
        return Ending(None, None, output, interrupted=True)
    if result.return_code_interpretation:
        return Ending(None, False, output, no_match=True)
    return Ending(0, True, output)
