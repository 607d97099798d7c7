"""Which token is used for which host."""

from __future__ import annotations

import os

import pytest

from passdown.errors import PassdownError
from passdown.forge.address import repository_at
from passdown.forge.token import find_token

CLOUD = repository_at("git@github.com:octo/shop", {})
COMPANY = repository_at("git@git.acme.test:octo/shop", {})


@pytest.fixture(autouse=True)
def no_gh(monkeypatch, tmp_path):
    """No gh of this machine is asked."""
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.parametrize(
    ("where", "environ", "token"),
    [
        (CLOUD, {"GITHUB_TOKEN": "a"}, "a"),
        (CLOUD, {"GITHUB_TOKEN": "a", "GH_TOKEN": "b"}, "b"),
        (CLOUD, {"GITHUB_TOKEN": " a\n", "GH_TOKEN": ""}, "a"),
        (COMPANY, {"GITHUB_TOKEN": "a", "GH_ENTERPRISE_TOKEN": "c"}, "c"),
        (COMPANY, {"GITHUB_TOKEN": "a", "GITHUB_SERVER_URL": "https://git.acme.test"}, "a"),
        (COMPANY, {"GITHUB_TOKEN": "a", "GITHUB_API_URL": "https://git.acme.test/api/v3"}, "a"),
        (COMPANY, {"GITHUB_TOKEN": "a", "GH_HOST": "git.acme.test"}, "a"),
    ],
)
def test_the_environment_has_it(where, environ, token, tmp_path):
    assert find_token(where, environ, tmp_path) == token


@pytest.mark.parametrize(
    ("where", "environ"),
    [
        (CLOUD, {}),
        (CLOUD, {"GH_ENTERPRISE_TOKEN": "c"}),
        (COMPANY, {"GITHUB_TOKEN": "a"}),
        (COMPANY, {"GITHUB_TOKEN": "a", "GITHUB_SERVER_URL": "https://github.com"}),
    ],
)
def test_no_token_goes_to_a_host_that_it_is_not_for(where, environ, tmp_path):
    with pytest.raises(PassdownError, match="no token for"):
        find_token(where, environ, tmp_path)


@pytest.mark.parametrize("token", ["a b", "a\x00b", "a\r\nX: y", "\u202eabc"])
def test_what_is_no_token_is_not_sent(token, tmp_path):
    with pytest.raises(PassdownError) as raised:
        find_token(CLOUD, {"GH_TOKEN": token}, tmp_path)
    assert token not in raised.value.message


def _gh(folder, says):
    folder.mkdir(exist_ok=True)
    (folder / "gh").write_text(f'#!/bin/sh\n[ "$*" = "auth token --hostname github.com" ] && echo {says}\n')
    (folder / "gh").chmod(0o755)
    return folder


def test_gh_is_asked_where_the_environment_has_none(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", f"{_gh(tmp_path / 'bin', 'of-gh')}{os.pathsep}/bin")
    assert find_token(CLOUD, {}, tmp_path / "repo") == "of-gh"


def test_a_gh_inside_the_worktree_is_not_run(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", f"{_gh(tmp_path / 'bin', 'evil')}{os.pathsep}/bin")
    with pytest.raises(PassdownError, match="no token"):
        find_token(CLOUD, {}, tmp_path)
