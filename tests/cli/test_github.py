"""`passdown github`: a packet on a pull request, and what is said there, from end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.clients import MissingError
from support.github import TOKEN, Forge
from support.github_api import GRAPHQL, OPENAPI, fetched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.repo import Repo


@pytest.fixture
def forge() -> Iterator[Forge]:
    try:
        fetched(OPENAPI)
        fetched(GRAPHQL)
    except MissingError as missing:
        pytest.skip(str(missing))
    with Forge(branch="retry") as forge:
        yield forge
    assert not forge.invalid


@pytest.fixture
def there(packed: Repo, forge: Forge) -> Repo:
    """A packed worktree whose remote is the forge; its pull request is at what was committed."""
    packed.git("remote", "add", "origin", forge.remote)
    forge.head = packed.git("rev-parse", "HEAD").strip()
    return packed


def hub(repo: Repo, *argv: str, **env: str):
    return repo.passdown("github", *argv, env={"GH_ENTERPRISE_TOKEN": TOKEN, "COLUMNS": "100", **env})


def everything(folder) -> bytes:
    """All that is on the disk below a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def test_it_publishes_once_and_keeps_it_up_to_date(there, forge):
    told = hub(there, "publish").check()
    assert "Comment  created" in told.out
    assert "Status   pending" in told.out
    body = forge.comments[0]["body"]
    short = there.passdown("show", "--json").json()["packet"][:7]
    for words in (f"/passdown approve {short}", f"/passdown narrow {short} -B3 +", "Said, not so", "**F1**"):
        assert words in body
    assert hub(there, "publish", "--json").check().json()["comment"] == "unchanged"
    there.passdown("review", "--approve").check()
    again = hub(there, "publish", "--json").check().json()
    assert again["comment"] == "edited"
    assert "approve by" in forge.statuses[0]["description"]
    assert (len(forge.comments), len(forge.statuses)) == (1, 2)
    assert TOKEN not in told.out + told.err
    assert TOKEN.encode() not in everything(there.root)


def test_the_status_is_green_only_on_the_very_code(there, forge):
    there.write("src/ok", "").passdown("pack", "--no-check").check()
    there.passdown("check", "ok").check()
    assert hub(there, "publish", "--json").check().json()["state"] == "pending"
    there.commit("All of it")
    there.passdown("pack", "--no-check").check()
    forge.head = there.git("rev-parse", "HEAD").strip()
    told = hub(there, "publish", "--json").check().json()
    assert (told["state"], told["commit"]) == ("success", forge.head), told
    there.passdown("hold", "--because", "wait").check()
    assert hub(there, "publish", "--json").check().json()["state"] == "failure"


def test_nothing_is_published_with_a_secret_in_the_work(there, forge):
    there.write("src/retry.py", f"WAIT = 5\nKEY = '{TOKEN}'\n").passdown("pack", "--no-check").check()
    refused = hub(there, "publish").check(1)
    assert "nothing was published: src/retry.py:2: github" in refused.err
    assert TOKEN not in refused.out + refused.err
    assert not forge.asked
    hub(there, "publish", "--allow-secret", "src/retry.py").check()


def test_an_agent_does_not_publish(there, forge):
    assert "a person" in hub(there, "publish", CLAUDECODE="1").check(2).err
    assert not forge.asked


def test_another_address_than_before_is_asked_for(there, forge):
    hub(there, "publish").check()
    there.git("remote", "set-url", "origin", forge.remote.replace("shop", "evil"))
    assert "was http" in hub(there, "publish").check(2).err
    assert not any("evil" in line for line in forge.asked)


def test_without_a_token_it_says_how_to_get_one(there):
    refused = hub(there, "publish", GH_ENTERPRISE_TOKEN="").check(2)
    assert "no token for 127.0.0.1" in refused.err
    assert "gh auth login" in refused.err


def test_a_dry_run_sends_nothing(there, forge):
    assert "/passdown approve" in hub(there, "publish", "--dry-run").check().out
    assert not forge.asked
