"""A GitHub on loopback for each test; without npm to fetch GitHub's description with, nothing here can be held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passdown.forge.address import repository_at
from passdown.forge.client import Github
from support.clients import MissingError
from support.github import TOKEN, Forge
from support.github_api import GRAPHQL, OPENAPI, fetched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(scope="session")
def described() -> None:
    try:
        fetched(OPENAPI)
        fetched(GRAPHQL)
    except MissingError as missing:
        pytest.skip(str(missing))


@pytest.fixture
def forge(described: None) -> Iterator[Forge]:  # noqa: ARG001 - GitHub's description is here
    """Whatever a test does there, no request and no answer breaks GitHub's own description."""
    with Forge() as forge:
        yield forge
    assert not forge.invalid


@pytest.fixture
def hub(forge: Forge) -> Callable[[], Github]:
    """Conversations with it that wait for nothing; ``hub.waits`` has the seconds asked for."""
    waits: list[float] = []

    def connect() -> Github:
        repository = repository_at(forge.remote, {})
        return Github(repository, TOKEN, waits.append)

    connect.waits = waits  # type: ignore[attr-defined] # a test reads it
    return connect
