"""The agent's client that a run starts with."""

from __future__ import annotations

from msgspec import Struct


class Client(Struct, frozen=True):
    """The client to start: which agent, its program, the person's options; ``sandbox``: the kernel confines it."""

    agent: str
    program: str
    options: list[str]
    sandbox: bool = False
