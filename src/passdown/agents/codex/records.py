"""The records of a Codex rollout, as far as they carry facts (all eras: bare items, envelopes, items completed)."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from msgspec import Raw, Struct, field

from passdown.agents.wire import Wire

NOTHING = Raw()


class Text(Struct, gc=False):
    """One content item of a message or an output."""

    type: str = ""
    text: str = ""


class Output(Struct, gc=False):
    """An output that is an object: a content item, or (old) the text beside a success mark."""

    text: str | None = None
    content: str | None = None


class Source(Struct, gc=False):
    """A source that is an object; a subagent's says whose."""

    subagent: Raw = NOTHING


class Git(Struct, gc=False):
    """The repository at the session's start."""

    branch: str | None = None


class HistoryBase(Struct, gc=False):
    """Where a fork's history lies: in the parent's file, up to an ordinal or a byte."""

    thread_id: str = ""
    end_ordinal_exclusive: int | None = None
    end_byte_offset: int | None = None


class Failure(Struct, gc=False):
    """An error's message; ``codex_error_info`` names its kind."""

    message: str = ""
    codex_error_info: Raw = NOTHING


class Change(Struct, gc=False):
    """What a patch did to one file; older versions nest it under its kind."""

    type: str | None = None
    move_path: str | None = None
    content: Raw = NOTHING
    unified_diff: Raw = NOTHING
    add: Added | None = None
    update: Moved | None = None
    delete: Raw = NOTHING


class Added(Struct, gc=False):
    """The body of an addition in the older shape."""

    content: str = ""


class Moved(Struct, gc=False):
    """The body of an update in the older shape."""

    move_path: str | None = None
    unified_diff: Raw = NOTHING


class Parsed(Struct, gc=False):
    """What Codex understood of a command."""

    type: str = ""
    path: str | None = None


class Action(Struct, gc=False):
    """A local_shell_call's command."""

    command: list[str] | None = None
    working_directory: str | None = None


class Marks(Struct, gc=False):
    """A response item's own labels (0.171)."""

    content_item_kinds: list[str] | None = None


class Stamp(Struct, gc=False):
    """The envelope's metadata (0.171)."""

    compaction_output: bool | None = None


class Payload(Struct, gc=False):
    """What most payloads need: a record is made for every line, and each field of it takes its time.

    What is long and stands twice stays undecoded; what is nearly always needed does not, since that costs more.
    """

    type: str = ""
    role: str | None = None
    content: Raw = NOTHING
    phase: str | None = None
    name: str = ""
    arguments: str | None = None
    call_id: str | None = None
    output: str | list[Text] | Output | None = None
    message: str | None = None
    input: str | None = None
    id: str | None = None
    cwd: str | None = None
    model: str | None = None
    kind: str | None = None
    item: Item | None = None
    source: str | Source | None = None
    forked_from_id: str | None = None
    rate_limits: Raw = NOTHING
    passthrough: Marks | None = field(default=None, name="internal_chat_message_metadata_passthrough")


class Item(Payload, gc=False):
    """A payload with all its fields: a completed item, the session's head, an event that is told in many of them."""

    action: Action | None = None
    reason: str | None = None
    cli_version: str | None = None
    git: Git | None = None
    history_base: HistoryBase | None = None
    exit_code: int | None = None
    aggregated_output: str | None = None
    command: list[str] | str | None = None
    parsed_cmd: list[Parsed] | None = None
    process_id: str | None = None
    status: str | None = None
    success: bool | None = None
    stdout: Raw = NOTHING
    stderr: Raw = NOTHING
    changes: dict[str, Change] | None = None
    codex_error_info: Raw = NOTHING
    error: Failure | None = None
    agent_thread_id: str | None = None
    new_thread_id: str | None = None
    agent_path: str | None = None


class Record(Struct, gc=False):
    """One line: an envelope, or (oldest era) a bare item; then ``payload`` is made of the line itself."""

    timestamp: str | None = None
    ordinal: int | None = None
    type: str = ""
    payload: Payload | None = None
    metadata: Stamp | None = None
    record_type: str | None = None
    id: str | None = None
    git: Git | None = None


class Whole(Struct, gc=False):
    """A line of which all fields of the payload are wanted."""

    payload: Item | None = None


class Arguments(Struct, gc=False):
    """A function call's arguments, which are a string of JSON."""

    command: list[str] | str | None = None
    cmd: list[str] | str | None = None
    workdir: str | None = None
    input: str | None = None
    patch: str | None = None
    session_id: int | str | None = None
    plan: list[Step] | None = None
    questions: list[Question] | None = None
    task_name: str | None = None


class Step(Struct, gc=False):
    """One entry of update_plan."""

    step: str = ""
    status: str = ""


class Question(Struct, gc=False):
    """One question of request_user_input."""

    id: str = ""
    question: str = ""


class ShellOutput(Struct, gc=False):
    """The oldest shape of a command's result."""

    output: str | None = None
    metadata: ShellFacts | None = None
    content: str | None = None
    agent_id: str | None = None
    answers: dict[str, Answered] | None = None


class ShellFacts(Struct, gc=False):
    """The exact part of it."""

    exit_code: int | None = None


class Answered(Struct, gc=False):
    """The person's answers to one question."""

    answers: list[str] | None = None


class Window(Struct, gc=False):
    """One window of a rate limit."""

    used_percent: float | None = None
    resets_at: int | None = None


class RateLimits(Struct, gc=False):
    """The limits that came with a token count."""

    primary: Window | None = None
    secondary: Window | None = None


def whole(data: bytes) -> Item | None:
    """Return the payload of a line with all its fields."""
    found = WHOLE.decode(data)
    return found.payload if found is not None else None


def of_subagent(head: Payload) -> bool:
    """Say whether a session's head names it a subagent's."""
    return isinstance(head.source, Source) and len(memoryview(head.source.subagent)) > 0


def path_of(cwd: str | None) -> str | None:
    """Return a working directory as a path; the newest era writes a file: address."""
    return unquote(urlsplit(cwd).path) if cwd and cwd.startswith("file://") else cwd


RECORD = Wire(Record)
WHOLE = Wire(Whole)
PAYLOAD = Wire(Item)
TEXT = Wire(Text)
ARGUMENTS = Wire(Arguments)
SHELL_OUTPUT = Wire(ShellOutput)
RATE_LIMITS = Wire(RateLimits)

# Kinds that are known and carry no fact of their own.
SILENT = frozenset({
    "world_state", "token_usage_record", "inter_agent_communication_metadata", "ghost_snapshot", "state",
    "inter_agent_communication",
})  # fmt: skip
SILENT_ITEMS = frozenset({
    "reasoning", "web_search_call", "tool_search_call", "tool_search_output", "image_generation_call", "agent_message",
    "additional_tools", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other",
})  # fmt: skip
SILENT_EVENTS = frozenset({
    "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break", "web_search_begin",
    "web_search_end", "mcp_tool_call_begin", "mcp_tool_call_end", "thread_settings_applied", "exec_command_begin",
    "exec_command_output_delta", "patch_apply_begin", "turn_diff", "image_generation_begin", "image_generation_end",
    "entered_review_mode", "exited_review_mode", "guardian_assessment", "thread_goal_updated", "thread_name_updated",
    "collab_agent_spawn_begin", "collab_agent_interaction_begin", "collab_agent_interaction_end", "collab_close_begin",
    "collab_close_end", "collab_waiting_begin", "collab_waiting_end", "collab_resume_begin", "collab_resume_end",
    "view_image_tool_call", "dynamic_tool_call_request", "dynamic_tool_call_response", "undo_started",
    "undo_completed", "background_event", "thread_rolled_back", "warning", "deprecation_notice", "item_started",
    "session_configured", "shutdown_complete", "mcp_startup_complete", "mcp_startup_update", "plan_delta",
    "exec_approval_request", "apply_patch_approval_request", "terminal_interaction", "model_reroute",
    "hook_started", "hook_completed", "token_count", "conversation_path", "request_user_input",
})  # fmt: skip
SILENT_COMPLETED = frozenset({
    "Reasoning", "McpToolCall", "WebSearch", "Extension", "Plan", "ImageView", "ImageGeneration", "HookPrompt",
    "CollabAgentToolCall", "EnteredReviewMode", "ExitedReviewMode", "DynamicToolCall", "Sleep",
})  # fmt: skip
