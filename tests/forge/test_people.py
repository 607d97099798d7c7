"""Which accounts ran the agent, and who owns what."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passdown.forge.people import People, runners
from passdown.forge.request import find_pull

WHO = {"name": "A", "date": "2026-11-30T16:00:00Z"}


@pytest.mark.parametrize(
    ("ran", "here", "found"),
    [
        (["@Carol"], ("@dave", "x"), {"carol"}),
        (["123+carol@users.noreply.github.com"], ("d@e.test", "x"), {"carol"}),
        (["carol@users.noreply.git.acme.test"], ("d@e.test", None), {"carol"}),
        (["c@e.test"], ("c@e.test", "Carol"), {"carol"}),
        (["c@e.test"], ("d@e.test", "dave"), set()),
        ([None], ("d@e.test", "dave"), {"dave"}),
        (["A@E.test"], ("d@e.test", "dave"), {"bob"}),
        (["@carol", "a@e.test"], ("d@e.test", None), {"carol", "bob"}),
    ],
)
def test_who_ran_it(forge, hub, ran, here, found):
    """By handle, by GitHub's own addresses, by the address of commits, by the token where it ran (E14)."""
    forge.commits = [
        {
            "sha": "c" * 40,
            "commit": {"author": {**WHO, "email": "a@e.test"}},
            "author": {"login": "bob", "type": "User"},
        },
        {"sha": "d" * 40, "commit": {"author": {**WHO, "email": "c@e.test"}}, "author": None},
    ]
    with hub() as github:
        pull = find_pull(github, 7, None, {})
        assert runners(github, pull, ran, *here) == {"alice", *found}


def test_owners_are_accounts_and_members_of_teams(forge, hub):
    forge.teams["octo/web"] = ["carol"]
    with hub() as github:
        people = People(github)
        owners = ["@Bob", "@octo/web", "mail@e.test"]
        assert [people.owns(login, owners) for login in ("bob", "carol", "dave", "mail")] == [True, True, False, False]
        people.owns("carol", ["@octo/web"])
    assert sum("memberships/carol" in line for line in forge.asked) == 1


def test_a_forks_request_is_where_the_fork_comes_from(forge, hub):
    forge.forks = {"alice/shop"}
    with hub() as github:
        github.repository = replace(github.repository, owner="alice")
        assert find_pull(github, None, "fix", {}).number == 7
        assert github.repository.full == "octo/shop"
        assert find_pull(github, 7, None, {}).number == 7
