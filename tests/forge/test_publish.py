"""One comment and one status, whatever fails on the way: held by GitHub's own description of its API."""

from __future__ import annotations

import random
import threading

import pytest

from passdown.errors import PassdownError
from passdown.forge.publish import CONTEXT, Light, marker, put_comment, put_status
from passdown.forge.request import find_pull, settle
from support.github import FAILURES, TOKEN

TASK = "0123456789abcdef"
GREEN = Light("success", "all pass", "https://example.test/c")


def ours(forge):
    return [one for one in forge.comments if one["body"].startswith(marker(TASK))]


def publish(github, text="facts", me="alice"):
    posted = put_comment(github, 7, TASK, text, me)
    put_status(github, "a" * 40, GREEN)
    return posted


def test_it_is_made_once_and_then_edited_in_place(forge, hub):
    forge.says("bob", "Looks odd.")
    with hub() as github:
        assert publish(github).done == "created"
        assert publish(github).done == "unchanged"
        assert publish(github, "newer facts").done == "edited"
    assert len(ours(forge)) == 1
    assert "newer facts" in ours(forge)[0]["body"]
    assert len(forge.comments) == 2
    assert len(forge.statuses) == 1


def test_a_list_that_is_a_moment_old_makes_no_second_one(forge, hub):
    forge.lag = 3
    with hub() as github:
        assert publish(github).done == "created"
        forge.lag = 0
        assert publish(github).done == "unchanged"
    assert forge.made == 1


def test_another_task_has_a_comment_of_its_own(forge, hub):
    with hub() as github:
        put_comment(github, 7, TASK, "one", "alice")
        put_comment(github, 7, "f" * 16, "two", "alice")
    assert len(forge.comments) == 2


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("at", range(6))
def test_one_failure_anywhere_leaves_one_comment_and_one_status(forge, hub, failure, at):
    forge.failures = [""] * at + [failure]
    with hub() as github:
        publish(github)
    assert (forge.made, len(ours(forge)), len(forge.statuses)) == (1, 1, 1)


@pytest.mark.parametrize("seed", range(12))
def test_twenty_random_failures_in_a_row_leave_one_comment(forge, hub, seed):
    chance, told = random.Random(seed), []
    forge.failures = [chance.choice(FAILURES) for _ in range(20)]
    for _ in range(12):  # a person runs it again until it says that it is done
        try:
            with hub() as github:
                publish(github)
            break
        except PassdownError as error:
            told.append(error)
    assert not forge.failures
    assert {(error.code, TOKEN in str(error)) for error in told} == {(3, False)}
    assert (forge.made, len(ours(forge)), len(forge.statuses)) == (1, 1, 1)


@pytest.mark.parametrize("seed", range(6))
def test_failures_that_come_and_go_leave_one_comment(forge, hub, seed):
    chance = random.Random(seed)
    forge.failures = [chance.choice([*FAILURES, "", "", ""]) for _ in range(40)]
    for turn in range(20):
        try:
            with hub() as github:
                publish(github, f"facts {turn}")
        except PassdownError:
            continue
        if not forge.failures:
            break
    assert (len(ours(forge)), len({str(one) for one in forge.statuses})) == (1, 1)


@pytest.mark.parametrize("seed", range(4))
def test_several_publishers_at_once_leave_one_comment(forge, hub, seed):
    chance = random.Random(seed)
    forge.failures = [chance.choice([*FAILURES, "", "", "", ""]) for _ in range(20)]

    def work(name):
        for _ in range(12):
            try:
                with hub() as github:
                    publish(github, f"facts of {name}")
            except PassdownError:
                continue
            return

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with hub() as github:
        publish(github, "the last word")
    assert [one["body"] for one in ours(forge)] == [f"{marker(TASK)}\n\nthe last word"]


def test_a_comment_left_by_a_publisher_that_died_is_found_on_any_page(forge, hub):
    forge.page = 3
    for number in range(7):
        forge.says("bob", f"comment {number}")
    forge.says("alice", f"{marker(TASK)}\n\nof a process that died")
    for number in range(4):
        forge.says("bob", f"later {number}")
    with hub() as github:
        assert publish(github).done == "edited"
    assert len(ours(forge)) == 1


def test_a_second_one_that_was_made_somehow_goes(forge, hub):
    first = forge.says("alice", f"{marker(TASK)}\n\nfirst")
    forge.says("alice", f"{marker(TASK)}\n\nsecond")
    with hub() as github:
        posted = publish(github)
    assert ours(forge) == [first]
    assert len(posted.removed) == 1


def test_a_strangers_comment_with_our_mark_is_left_alone(forge, hub):
    planted = forge.says("mallory", f"{marker(TASK)}\n\nAll is well.", author_association="NONE")
    with hub() as github:
        assert publish(github).done == "created"
    assert planted["body"].endswith("All is well.")
    assert len(ours(forge)) == 2


def test_a_quote_of_our_comment_is_none(forge, hub):
    quoted = forge.says("alice", f"> {marker(TASK)}\n> facts\n\nI doubt it.")
    with hub() as github:
        assert publish(github).done == "created"
    assert "doubt" in quoted["body"]


def test_a_status_says_each_thing_once(forge, hub):
    with hub() as github:
        assert put_status(github, "a" * 40, GREEN)
        assert not put_status(github, "a" * 40, GREEN)
        assert put_status(github, "a" * 40, Light("failure", "x" * 500, GREEN.target_url))
    assert [one["state"] for one in forge.statuses] == ["failure", "success"]
    assert len(forge.statuses[0]["description"]) == 140
    assert {one["context"] for one in forge.statuses} == {CONTEXT}


def test_a_long_wait_is_said_and_not_waited_for(forge, hub):
    forge.failures = ["403 limit"]
    with hub() as github:
        github._waited = 1000.0
        with pytest.raises(PassdownError, match="did not do") as raised:
            publish(github)
    assert raised.value.code == 3
    assert not forge.comments


def test_a_wrong_token_is_said_and_never_shown(hub):
    with hub() as github:
        github._http.headers["Authorization"] = "Bearer wrong"
        with pytest.raises(PassdownError, match=r"401.*Bad credentials") as raised:
            settle(github)
    assert "gh auth login" in raised.value.hint
    assert TOKEN not in str(raised.value)


@pytest.mark.parametrize(
    ("wanted", "branch", "environ"),
    [
        (7, None, {}),
        (None, "other", {"GITHUB_REF": "refs/pull/7/merge"}),
        (None, "fix", {}),
        (None, "fix", {"GITHUB_REF": "refs/heads/fix"}),
    ],
)
def test_the_pull_request_is_found(hub, wanted, branch, environ):
    with hub() as github:
        assert find_pull(github, wanted, branch, environ).number == 7


@pytest.mark.parametrize(
    ("wanted", "branch", "why"),
    [
        (8, None, "no pull request 8"),
        (None, "other", "no open pull request for other"),
        (None, None, "no branch is checked out"),
    ],
)
def test_no_pull_request_is_said(hub, wanted, branch, why):
    with hub() as github, pytest.raises(PassdownError, match=why):
        find_pull(github, wanted, branch, {})
