"""Texts that stand where a person's words do and are the client's."""

from __future__ import annotations

import pytest

from passdown.agents.claude.prompts import person_text
from passdown.agents.claude.queue import PromptQueue

STARTED = '{"task_id":"b2c5c70","tool_use_id":"x","description":"Commit the change","task_type":"local_bash"}'


@pytest.mark.parametrize(
    "text",
    [
        STARTED,
        "<task-notification>x</task-notification>",
        "[Request interrupted by user for tool use]",
        '<ci-monitor-event>CI check "test" failed on pull request 7.</ci-monitor-event>',
    ],
)
def test_the_clients_own_words_are_no_request(text: str) -> None:
    assert person_text(text) == ""


@pytest.mark.parametrize(
    "text", ['{"name": "x"} why does this fail?', " leading space", "/exit", "<my-button>x</my-button> is not centred"]
)
def test_a_persons_words_stay_as_they_are(text: str) -> None:
    assert person_text(text) == text


def test_a_background_task_in_the_queue_is_no_prompt() -> None:
    queue = PromptQueue()
    queue.operation("enqueue", STARTED, 1, None)
    assert queue.operation("remove", "", 2, None) is None
