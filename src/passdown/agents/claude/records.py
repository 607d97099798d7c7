"""The records of a Claude Code transcript, as far as they carry facts (versions 1.0 to 2.1.332)."""

from __future__ import annotations

from msgspec import Raw, Struct, field

from passdown.agents.wire import Wire

NOTHING = Raw()


class Block(Struct, gc=False):
    """A content block: text, tool_use, tool_result, image, thinking ..."""

    type: str = ""
    text: str = ""
    id: str = ""
    name: str = ""
    input: Raw = NOTHING
    tool_use_id: str = ""
    content: Raw = NOTHING
    is_error: bool | None = None


class Message(Struct, gc=False):
    """The wire message inside a user or assistant record."""

    content: str | list[Block] | None = None
    model: str | None = None
    stop_reason: str | None = None


class Origin(Struct, gc=False):
    """Who put a user record there; absent in old versions."""

    kind: str | None = None


class Progress(Struct, rename="camel", gc=False):
    """The body of a progress record; ``message`` holds a subagent's whole record (2.1.12 to 2.1.78)."""

    type: str = ""
    agent_id: str | None = None
    message: Raw = NOTHING


class Record(Struct, rename="camel", gc=False):
    """The envelope of every record; its fields in the order in which they are written, which is decoded fastest."""

    parent_uuid: str | None = None
    is_sidechain: bool | None = None
    message: Message | None = None
    attachment: Attachment | None = None
    type: str = ""
    uuid: str | None = None
    timestamp: str | None = None
    tool_use_result: Result | str | list[Raw] | None = None
    cwd: str | None = None
    session_id: str | None = None
    version: str | None = None
    git_branch: str | None = None
    subtype: str = ""
    agent_id: str | None = None
    request_session_id: str | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_api_error_message: bool | None = None
    origin: Origin | None = None
    prompt_source: str | None = None
    row_source: str | None = None
    tool_denial_kind: str | None = None
    source_tool_use_id: str | None = field(default=None, name="sourceToolUseID")
    parent_tool_use_id: str | None = field(default=None, name="parentToolUseID")
    plan_content: str | None = None
    data: Progress | None = None
    error: Raw = NOTHING
    retry_attempt: Raw = NOTHING
    operation: str = ""
    content: str | list[Raw] | None = None


class Attachment(Struct, rename="camel", gc=False):
    """What the client put before the model; a queued prompt of the person's is one."""

    type: str = ""
    prompt: str | list[Block] | None = None
    command_mode: str | None = None
    origin: Origin | None = None
    is_meta: bool | None = None
    filename: str | None = None


class Input(Struct, gc=False):
    """The inputs of the tools that carry facts."""

    command: str | None = None
    run_in_background: bool | None = None
    file_path: str | None = None
    notebook_path: str | None = None
    old_string: str | None = None
    new_string: Raw = NOTHING
    content: Raw = NOTHING
    new_source: Raw = NOTHING
    edits: list[Replacement] | None = None
    edit_mode: str | None = None
    bash_id: str | None = None
    shell_id: str | None = None
    task_id: str | None = None
    list_id: str | None = field(default=None, name="taskId")
    todos: list[TodoInput] | None = None
    subject: str | None = None
    status: str | None = None
    description: str | None = None
    prompt: str | None = None
    plan: str | None = None


class Replacement(Struct, gc=False):
    """One edit of a MultiEdit."""

    old_string: str = ""
    new_string: str = ""


class TodoInput(Struct, gc=False):
    """One entry of a TodoWrite."""

    content: str = ""
    status: str = ""


class TaskState(Struct, gc=False):
    """One entry of the Task tools."""

    id: str = ""
    subject: str = ""
    status: str = ""


class Result(Struct, rename="camel", gc=False):
    """``toolUseResult`` where it is an object: exact facts that the model's text does not carry."""

    type: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    interrupted: bool | None = None
    return_code_interpretation: str | None = None
    background_task_id: str | None = None
    persisted_output_path: str | None = None
    file_path: str | None = None
    notebook_path: str | None = None
    original_file: Raw = NOTHING
    user_modified: bool | None = None
    error: str | None = None
    agent_id: str | None = None
    success: bool | None = None
    task: Raw = NOTHING
    tasks: list[TaskState] | None = None
    answers: dict[str, str | list[str]] | None = None


RECORD = Wire(Record)
BLOCK = Wire(Block)
INPUT = Wire(Input)
TASK_STATE = Wire(TaskState)

# Types that are known and carry no fact of their own.
SILENT = frozenset({
    "file-history-snapshot", "file-history-delta", "summary", "last-prompt", "custom-title", "ai-title", "agent-name",
    "agent-color", "agent-setting", "tag", "mode", "permission-mode", "pr-link", "frame-link", "worktree-state",
    "bridge-session", "relocated", "started", "result", "api-request", "api-request-shape", "api-request-blob",
    "tools-used", "cost-state", "atis-latch", "task-summary", "content-replacement", "speculation-accept",
})  # fmt: skip
SILENT_ATTACHMENTS = frozenset({
    "hook_success", "hook_additional_context", "hook_system_message", "hook_non_blocking_error", "hook_blocking_error",
    "hook_cancelled", "hook_stopped_continuation", "hook_error_during_execution", "hook_permission_decision",
    "async_hook_response", "task_reminder", "todo_reminder", "task_status", "nested_memory", "relevant_memories",
    "current_session_memory", "skill_listing", "skill_discovery", "invoked_skills", "dynamic_skill",
    "command_permissions", "file", "already_read_file", "new_file", "directory", "new_directory", "edited_image_file",
    "pdf_reference", "compact_file_reference", "plan_file_reference", "read_truncation_notice", "plan_mode",
    "plan_mode_exit", "plan_mode_reentry", "auto_mode", "auto_mode_exit", "delegate_mode", "delegate_mode_exit",
    "date", "date_change", "environment", "model", "session_context", "prompt_snapshot", "deferred_tools_delta",
    "deferred_tools_record", "agent_listing_delta", "mcp_instructions_delta", "mcp_resource", "remote_session_change",
    "silent_turn_reminder", "ultra_effort_enter", "ultra_effort_exit", "budget_usd", "token_usage",
    "total_tokens_reminder", "batching_reminder_sent", "compaction_reminder", "critical_system_reminder",
    "verify_plan_reminder", "output_style", "diagnostics", "lsp_diagnostics", "opened_file_in_ide",
    "selected_lines_in_ide", "agent_mention", "teammate_mailbox", "team_context", "structured_output",
    "max_turns_reached", "context_efficiency", "async_agent_status", "ultrathink_effort",
})  # fmt: skip
SILENT_PROGRESS = frozenset({
    "bash_progress", "powershell_progress", "hook_progress", "mcp_progress", "query_update",
    "waiting_for_task", "search_results_received", "skill_progress", "repl_tool_call",
})  # fmt: skip
SILENT_BLOCKS = frozenset({
    "thinking", "redacted_thinking", "image", "document", "fallback", "search_result", "server_tool_use",
    "web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result", "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result", "tool_search_tool_result", "tool_reference", "mcp_tool_use",
    "mcp_tool_result", "container_upload", "compaction",
})  # fmt: skip
SILENT_SYSTEM = frozenset({
    "stop_hook_summary", "turn_duration", "microcompact_boundary", "local_command", "informational", "session_start",
    "model_refusal_fallback", "api_refusal", "away_summary", "error", "permission_retry", "scheduled_task_fire",
})  # fmt: skip
