"""The server: on loopback, until it is stopped or nobody asked for long."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from passdown.errors import PassdownError
from passdown.web.app import application
from passdown.web.desk import Desk
from passdown.web.safety import Door, Secret

IDLE = 2 * 3600.0
"""Seconds without a request after which the pages go away."""
_LOOK = 5.0


class _Clock:
    """When the last request came."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.last = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.last = time.monotonic()
        await self._app(scope, receive, send)


def serve(
    desk: Desk,
    path: str,
    told: Callable[[str], None],
    *,
    entered: Callable[[], None] = lambda: None,
    port: int = 0,
    idle: float = IDLE,
) -> None:
    """Serve until Ctrl-C or ``idle`` seconds pass; ``told`` gets the address with its token, for ``path`` first.

    ``entered`` is called when somebody came in with the token. PassdownError where the port is taken.
    """
    listening = _listen(port)
    secret = Secret.new()
    number = listening.getsockname()[1]
    clock = _Clock(Door(application(desk, secret), secret, number, entered))
    config = uvicorn.Config(
        clock, log_level="error", access_log=False, lifespan="off", server_header=False, date_header=False,
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    told(f"http://127.0.0.1:{number}{path}?token={secret.token}")
    asyncio.run(_run(server, listening, clock, idle))


async def _run(server: uvicorn.Server, listening: socket.socket, clock: _Clock, idle: float) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not serving.done():
        await asyncio.wait([serving], timeout=min(_LOOK, idle))
        if time.monotonic() - clock.last > idle:
            server.should_exit = True
    await serving


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        listening.close()
        raise PassdownError(
            f"port {port} cannot be used: {error.strerror}", "without --port a free one is taken"
        ) from error
    listening.listen(64)
    return listening
