"""The pages as a person's browser asks for them, header by header."""

from __future__ import annotations

import http.client
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlencode

from support.process import TIMEOUT
from support.repo import Repo


@dataclass
class Served:
    """One server: its repository, port and token; ``get``/``post`` speak as a browser with the cookie does."""

    repo: Repo
    port: int
    token: str
    cookie: str = ""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> http.client.HTTPResponse:
        """One request with exactly these headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        given = {"Host": f"127.0.0.1:{self.port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body:
            given.setdefault("Content-Length", str(len(body)))
            given.setdefault("Content-Type", "application/x-www-form-urlencoded")
        for name, value in given.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body.encode())
        with closing(connection):
            answer = connection.getresponse()
            answer.text = answer.read().decode()
            return answer

    def enter(self) -> Served:
        """Use the token as the browser does."""
        answer = self.ask("GET", f"/?token={self.token}")
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        return self

    def get(self, path: str) -> http.client.HTTPResponse:
        return self.ask("GET", path, Cookie=self.cookie)

    def post(self, path: str, **fields: object) -> http.client.HTTPResponse:
        """A form of ours, with what a page put into it."""
        page = self.get(path.rpartition("/")[0]).text
        csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
        had = [part.partition('"')[0] for part in page.split('name="had" value="')[1:]]
        body = urlencode({"csrf": csrf, "had": had, "keep": had, **fields}, doseq=True)
        return self.ask("POST", path, body, Cookie=self.cookie, Origin=self.origin)
