"""Who may speak to the pages: this machine, with the token, from our own page.

The server listens on loopback alone, yet any web page of the person's browser can send it requests, and any name can
resolve to 127.0.0.1. So: the Host must be ours, the token (once in the address, then in a cookie that no other
site's request carries) must be there, a change needs our Origin and a value that only our page knows, and nothing of
another origin is ever loaded, framed or run.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passdown.web.opening import page

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with none at all a browser tells no Origin either
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD")
LARGEST = 256 * 1024
"""Bytes of a request's body."""


class Secret(Struct, frozen=True):
    """One server's secrets: ``token`` is shown to the person, ``key`` signs what the page gives back."""

    token: str
    key: bytes

    @classmethod
    def new(cls) -> Secret:
        """Fresh ones; they live as long as the server."""
        return cls(secrets.token_urlsafe(24), secrets.token_bytes(32))

    @property
    def cookie(self) -> str:
        """The cookie's value: proves the token without being it."""
        return hmac.new(self.key, b"cookie " + self.token.encode(), hashlib.sha256).hexdigest()

    @property
    def form(self) -> str:
        """What every form of ours carries."""
        return hmac.new(self.key, b"form " + self.token.encode(), hashlib.sha256).hexdigest()

    def knows(self, given: str, wanted: str) -> bool:
        """Whether they are equal, in the same time whatever they are."""
        return hmac.compare_digest(given.encode(), wanted.encode())


class Door:
    """Lets in what :class:`Secret` allows; ``port`` is the one that the server listens on (it names the cookie too).

    ``entered`` is called when somebody came in with the token.
    """

    def __init__(self, app: ASGIApp, secret: Secret, port: int, entered: Callable[[], None] = lambda: None) -> None:
        self._app = app
        self._entered = entered
        self._secret = secret
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.cookie = f"passdown-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; everything that goes out bears the headers."""
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        refused = self._answer(Request(scope))
        await (refused or self._app)(scope, receive, guarded)

    def _answer(self, request: Request) -> Response | None:
        """What is said instead of letting the request in; None: it may pass."""
        headers = request.headers
        if headers.get("host", "") not in self._hosts:
            return PlainTextResponse("Not this address.", 421)
        token = request.query_params.get("token")
        if token is not None and request.method in _SAFE:
            return self._enter(request, token)
        if not self._secret.knows(request.cookies.get(self.cookie, ""), self._secret.cookie):
            return PlainTextResponse(
                "The address with its token stands in the terminal where the pages were started.", 403
            )
        if request.method not in _SAFE and not self._from_us(headers):
            return PlainTextResponse("Only Passdown's own page may change something.", 403)
        return None

    def _enter(self, request: Request, token: str) -> Response:
        if not self._secret.knows(token, self._secret.token):
            return PlainTextResponse("This token is not, or no longer, the one of these pages.", 403)
        self._entered()
        path = "/" + request.url.path.lstrip("/")  # "//name" would be another place
        if request.headers.get("sec-fetch-site") == "cross-site":
            answer: Response = HTMLResponse(page(path))  # sent from a file: only our own page's link takes the cookie
        else:
            answer = RedirectResponse(path, 303)
        answer.set_cookie(self.cookie, self._secret.cookie, httponly=True, samesite="strict", path="/")
        return answer

    def _from_us(self, headers: Headers) -> bool:
        length = headers.get("content-length", "")
        small = length.isdigit() and int(length) <= LARGEST
        return small and headers.get("origin", "") in {f"http://{host}" for host in self._hosts}
