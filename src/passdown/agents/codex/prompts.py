"""Which user messages are a person's words, and what the client wrapped around them."""

from __future__ import annotations

from msgspec import Raw

from passdown.agents.codex.records import TEXT, Payload, Text
from passdown.agents.wire import begins, parts, text_of

_CLIENT = (
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<skill>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<model_switch>",
    "<personality_spec>",
    "<hook_prompt",
    "<recommended_plugins>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "Another language model started to solve this problem",
    "You were originally given instructions from a user over one or more turns.",
    "Warning: The maximum number of unified exec processes",
)
_CLIENT_KINDS = frozenset({"environment_context", "user_instructions"})
_IDE_REQUEST = "## My request for Codex:"
_USER_TEXT = "user.text"


def person_text(text: str) -> str:
    """Return what the person typed, verbatim; empty where the message is the client's."""
    if text.lstrip().startswith(_CLIENT):
        return ""
    if text.startswith("# "):
        before, mark, request = text.partition(_IDE_REQUEST)
        if mark and (before.endswith("\n") or not before):
            return request.strip("\n")
    return text


def event_text(payload: Payload) -> str:
    """Return the person's words of a user_message event or a UserMessage item."""
    if payload.kind in _CLIENT_KINDS:
        return ""
    return person_text(payload.message if payload.message is not None else joined(payload.content))


def message_text(payload: Payload) -> str:
    """Return the person's words of a user message among the response items, where labels or wording tell them."""
    kinds = payload.passthrough.content_item_kinds if payload.passthrough else None
    if not begins(payload.content, b"["):
        return person_text(text_of(payload.content))
    content = parts(payload.content, TEXT)
    if kinds and len(kinds) == len(content):
        return person_text(_joined([item for item, kind in zip(content, kinds, strict=True) if kind == _USER_TEXT]))
    return person_text(_joined([item for item in content if person_text(item.text)]))


def joined(content: Raw) -> str:
    """Join the text of a message's content: a string, or a list of items."""
    return _joined(parts(content, TEXT)) if begins(content, b"[") else text_of(content)


def _joined(items: list[Text]) -> str:
    return "\n".join([item.text for item in items if item.text])
