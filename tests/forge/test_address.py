"""Where a remote's API is: its own host's and no other, never in the clear."""

from __future__ import annotations

import pytest

from passdown.errors import PassdownError
from passdown.forge.address import repository_at

CLOUD = ("https://api.github.com", "https://api.github.com/graphql")
COMPANY = ("https://git.acme.test/api/v3", "https://git.acme.test/api/graphql")


@pytest.mark.parametrize(
    ("address", "where"),
    [
        ("https://github.com/octo/shop.git", CLOUD),
        ("https://github.com/octo/shop", CLOUD),
        ("https://GitHub.com/octo/shop/", CLOUD),
        ("https://user:secret@github.com/octo/shop.git", CLOUD),
        ("git@github.com:octo/shop.git", CLOUD),
        ("github.com:octo/shop.git", CLOUD),
        ("ssh://git@ssh.github.com:443/octo/shop.git", CLOUD),
        ("ssh://git@git.acme.test:2222/octo/shop.git", COMPANY),
        ("git@git.acme.test:octo/shop.git", COMPANY),
        ("http://git.acme.test/octo/shop.git", COMPANY),
        ("https://acme.ghe.com/octo/shop", ("https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql")),
        ("http://127.0.0.1:8080/octo/shop", ("http://127.0.0.1:8080/api/v3", "http://127.0.0.1:8080/api/graphql")),
    ],
)
def test_a_remote_names_its_api(address, where):
    found = repository_at(address, {})
    assert (found.full, found.api, found.graphql) == ("octo/shop", *where)


@pytest.mark.parametrize(
    ("address", "said", "why"),
    [
        ("https://github.com/octo/shop", "https://evil.test/api/v3", "names 'evil.test'"),
        ("https://github.com/octo/shop", "https://api.github.com.evil.test", "names 'api.github.com.evil.test'"),
        ("https://github.com/octo/shop", "http://api.github.com", "GITHUB_API_URL"),
        ("https://github.com/octo/shop", "https://api.github.com@evil.test", "GITHUB_API_URL"),
        ("https://gitlab.com/octo/shop", "", "is not on GitHub"),
        ("https://github.com/octo", "", "names no OWNER/NAME"),
        ("https://github.com/octo/shop/deeper", "", "names no OWNER/NAME"),
        ("https://github.com/../shop", "", "names no OWNER/NAME"),
        ("git@github.com:octo/sh op", "", "names no OWNER/NAME"),
        ("/srv/git/shop.git", "", "is on this machine"),
        ("../shop", "", "is on this machine"),
    ],
)
def test_a_token_goes_nowhere_else(address, said, why):
    with pytest.raises(PassdownError, match=why):
        repository_at(address, {"GITHUB_API_URL": said})


def test_the_address_that_the_environment_names_counts_on_its_own_host():
    found = repository_at("git@git.acme.test:octo/shop.git", {"GITHUB_API_URL": "https://git.acme.test/api/v3/"})
    assert (found.api, found.graphql) == COMPANY
    assert repository_at("git@github.com:octo/shop", {"GITHUB_API_URL": "https://api.github.com"}).api == CLOUD[0]
