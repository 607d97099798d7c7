"""One world a user, as it was at first for every test."""

from __future__ import annotations

import pytest

from support.world import made_for, users


@pytest.fixture(scope="session", params=users())
def shared_world(request):
    with made_for(request.param) as world:
        yield world


@pytest.fixture
def world(shared_world):
    shared_world.restore()
    return shared_world
