"""How long GitHub is waited for, where it sends on, and what it may not do."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from passdown.errors import PassdownError
from passdown.forge.client import Answer, _limited
from passdown.forge.request import find_pull
from passdown.forge.shapes import Comment

SOON = "in half a minute"


@pytest.mark.parametrize(
    ("status", "headers", "body", "seconds"),
    [
        (200, {"x-ratelimit-remaining": "0"}, b"{}", None),
        (404, {"retry-after": "5"}, b"{}", None),
        (403, {}, b'{"message": "Resource not accessible by integration"}', None),
        (403, {"x-ratelimit-remaining": "12"}, b"{}", None),
        (403, {"retry-after": "5"}, b"{}", 5),
        (429, {"retry-after": "7"}, b"{}", 7),
        (429, {}, b"not json", 60),
        (403, {}, b'{"message": "You have exceeded a secondary rate limit."}', 60),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, b"{}", 1),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": SOON}, b"{}", 30),
        (429, {"retry-after": "soon", "x-ratelimit-reset": SOON}, b"[]", 60),
    ],
)
def test_limits_are_waited_for_as_long_as_they_say(status, headers, body, seconds):
    told = {name: str(int(time.time()) + 30) if value == SOON else value for name, value in headers.items()}
    found = _limited(Answer(status, body, told))
    assert found == seconds if seconds is None else found == pytest.approx(seconds, abs=25)


def test_a_repository_that_was_renamed_is_found(forge, hub):
    forge.renamed["octo/shop"] = "octo/store"
    forge.full = "octo/store"
    with hub() as github:
        github.repository = replace(github.repository, name="shop")
        assert find_pull(github, 7, None, {}).number == 7
        assert github.repository.full == "octo/store"


def test_a_next_page_on_another_host_is_not_asked_for(forge, hub):
    forge.page, forge.next_host = 1, "https://evil.test"
    for number in range(3):
        forge.says("bob", str(number))
    with hub() as github, pytest.raises(PassdownError, match="next page that is not on it"):
        list(github.pages(github.path("/issues/7/comments"), list[Comment]))


def test_what_is_no_api_is_said(forge, hub):
    with hub() as github, pytest.raises(PassdownError, match=r"none of GitHub's|refused"):
        github.get(f"{forge.url}/", Comment)


def test_the_network_that_is_gone_is_said_after_some_tries(forge, hub):
    with hub() as github:
        forge.server.shutdown()
        forge.server.server_close()
        with pytest.raises(PassdownError, match="did not do /repos/octo/shop") as raised:
            find_pull(github, 7, None, {})
    assert raised.value.code == 3
    assert 3 <= len(hub.waits) <= 6
