# ruff: noqa: E501 - messages stand as they are
"""How a spent quota, a full context and other failures are told, in every wording that is known."""

from __future__ import annotations

import pytest

from passdown.agents.failures import kind_of, resets

SAID = [
    ("Claude AI usage limit reached|1767225600", "quota", "2026-01-01T00:00:00Z"),
    ("Claude usage limit reached. Your limit will reset at 3pm (Europe/Berlin).", "quota", "3pm (Europe/Berlin)"),
    ("You've hit your limit · resets 5pm (America/Los_Angeles)", "quota", "5pm (America/Los_Angeles)"),
    ("You've hit your session limit · resets 11:30am (UTC)", "quota", "11:30am (UTC)"),
    ("You've hit your weekly limit · resets Nov 3, 10am (Asia/Tokyo)", "quota", "Nov 3, 10am (Asia/Tokyo)"),
    ("You've hit your Opus limit · resets Oct 9 at 2pm (Europe/London)", "quota", "Oct 9 at 2pm (Europe/London)"),
    ("5-hour limit reached ∙ resets 3am", "quota", "3am"),
    ("5-hour limit reached ∙ resets 3:00 AM\n     /upgrade to increase your usage limit.", "quota", "3:00 AM"),
    ("Weekly limit reached ∙ resets Oct 12, 7:00 PM", "quota", "Oct 12, 7:00 PM"),
    ("Opus weekly limit reached ∙ resets Oct 12 at 6pm", "quota", "Oct 12 at 6pm"),
    ("Session limit reached ∙ resets 2pm (Europe/Paris) /upgrade or /extra-usage", "quota", "2pm (Europe/Paris)"),
    ("You're out of extra usage · resets Jan 5, 9am (America/New_York)", "quota", "Jan 5, 9am (America/New_York)"),
    ("You're out of extra usage", "quota", None),
    ("Credit balance is too low", "quota", None),
    (
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
        "quota",
        None,
    ),
    (
        'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account\'s rate limit. Please try again later."}}',
        "quota",
        None,
    ),
    ("API Error: Rate limit reached", "quota", None),
    (
        "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 2 days 3 hours 5 minutes.",
        "quota",
        "in 2 days 3 hours 5 minutes",
    ),
    (
        "You've hit your usage limit. Upgrade to Plus to continue using Codex (https://openai.com/chatgpt/pricing), or try again at 7:41 PM.",
        "quota",
        "at 7:41 PM",
    ),
    (
        "You've hit your usage limit. To get more access now, send a request to your admin or try again at Oct 12th, 2025 7:41 PM.",
        "quota",
        "at Oct 12th, 2025 7:41 PM",
    ),
    (
        "You've hit your usage limit for GPT-5.5. Switch to another model now, or try again at Jan 3rd, 2026 8:00 AM.",
        "quota",
        "at Jan 3rd, 2026 8:00 AM",
    ),
    ("Quota exceeded. Check your plan and billing details.", "quota", None),
    ("You exceeded your current quota, please check your plan and billing details.", "quota", None),
    ("stream error: You exceeded your current quota", "quota", None),
    (
        "Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 1.898s.",
        "quota",
        "in 1.898s",
    ),
    ("exceeded retry limit, last status: 429 Too Many Requests", "quota", None),
    ("Prompt is too long", "context-full", None),
    ('API Error: 400 {"error":{"message":"prompt is too long: 209123 tokens > 200000 maximum"}}', "context-full", None),
    ("Context low · Run /compact to compact & continue", "context-full", None),
    ("Context limit reached · /compact or /clear to continue", "context-full", None),
    (
        "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
        "context-full",
        None,
    ),
    (
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        "context-full",
        None,
    ),
    ("input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000", "context-full", None),
    ("Conversation too long. Press esc twice to go up a few messages and try again.", "context-full", None),
    (
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        "context-full",
        None,
    ),
    ('API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "api-error", None),
    ("API Error: 500 Internal server error", "api-error", None),
    ("API Error: Connection error.", "api-error", None),
    ("API Error (Request timed out.)", "api-error", None),
    ("stream disconnected before completion: Transport error: network error", "api-error", None),
    (
        "stream disconnected before completion: The server had an error processing your request. Sorry about that! You can retry your request",
        "api-error",
        None,
    ),
    ("unexpected status 401 Unauthorized: Missing bearer authentication", "api-error", None),
    ("Invalid API key · Please run /login", "api-error", None),
    ('API Error: 403 {"error":{"type":"forbidden","message":"Request not allowed"}}', "api-error", None),
    ("We're currently experiencing high demand, which may cause temporary errors.", "api-error", None),
    ("API Error: Claude's response exceeded the 32000 output token maximum.", "api-error", None),
    ("Selected model is at capacity. Please try a different model.", "api-error", None),
    ("Spending limit reached. Resets on Feb 1.", "quota", "Feb 1"),
    ("You have reached your monthly usage limit. It resets on 2026-02-01T00:00:00Z.", "quota", "2026-02-01T00:00:00Z"),
    ("Usage limit reached for 5 hour. Your limit will reset at 2026-01-05 14:20:03", "quota", "2026-01-05 14:20:03"),
    ("Limit will reset in 3 hours.", "quota", "in 3 hours"),
]


@pytest.mark.parametrize(("text", "kind", "back"), SAID)
def test_the_kind_of_failure_and_when_it_is_over(text: str, kind: str, back: str | None) -> None:
    assert (kind_of(text), resets(text)) == (kind, back)
