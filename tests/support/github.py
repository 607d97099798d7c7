"""A GitHub on loopback: it keeps comments, statuses and threads, checks every request and answer by GitHub's own
description, and fails when it is told to.

with Forge(head=sha) as forge:
    forge.failures += ["reset", "502 after", "429"]
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from support.github_api import description, graphql_schema, queried

TOKEN = "ghp_" + "q7Zr2mK9" * 4 + "x0Yc"
AT = "2026-11-30T16:00:{:02d}Z"
FAILURES = ("reset", "reset after", "502", "502 after", "503", "429", "403 limit")


@dataclass
class Forge:
    """One repository with one pull request. ``invalid``: what broke GitHub's rules; ``failures``: the next ones."""

    head: str = "a" * 40
    base: str = "b" * 40
    branch: str = "fix"
    full: str = "octo/shop"
    viewer: str = "alice"
    author: str = "alice"
    body: str = ""
    page: int = 100
    forks: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    next_host: str | None = None
    lag: int = 0
    comments: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[dict[str, Any]] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)
    reviews: list[dict[str, Any]] = field(default_factory=list)
    threads: list[dict[str, Any]] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)
    commits: list[dict[str, Any]] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    teams: dict[str, list[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    invalid: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    made: int = 0
    before: Callable[[str, str], None] | None = None

    def __enter__(self) -> Self:
        forge = self
        for prepared in (description, graphql_schema):  # or the first request waits for it
            prepared()
        self.lock = threading.RLock()

        class Handler(_Handler):
            pass

        Handler.forge = forge
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        """The address of the host."""
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def remote(self) -> str:
        """The repository's address as git has it."""
        return f"{self.url}/{self.full}.git"

    # what people do there
    def says(self, who: str, body: str, **changes: Any) -> dict[str, Any]:
        """A comment in the conversation."""
        with self.lock:
            self.made += 1
            at = AT.format(self.made % 60)
            one = {
                "id": 1000 + self.made,
                "body": body,
                "user": {"login": who, "type": "Bot" if who.endswith("[bot]") else "User"},
                "html_url": f"{self.url}/{self.full}/pull/7#issuecomment-{1000 + self.made}",
                "created_at": at,
                "updated_at": at,
                "author_association": "MEMBER",
            } | changes
            self.comments.append(one)
            return one

    def edits(self, comment: dict[str, Any], body: str) -> None:
        """Somebody edits a comment."""
        comment |= {"body": body, "updated_at": "2026-11-30T17:00:00Z"}

    # what it answers
    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        """Status and body, before what the description requires is filled in."""
        repo = f"/repos/{self.full}"
        if path == repo:
            return 200, {"full_name": self.full, "fork": False}
        if path.removeprefix("/repos/") in self.forks:
            here = {"full_name": path.removeprefix("/repos/"), "fork": True, "parent": {"full_name": self.full}}
            return 200, here | {"source": {"full_name": self.full}}
        if path.removeprefix("/repos/").removesuffix("/pulls") in self.forks:
            return 200, []
        if found := re.fullmatch(r"/orgs/([^/]+)/teams/([^/]+)/memberships/([^/]+)", path):
            inside = found[3] in self.teams.get(f"{found[1]}/{found[2]}", [])
            return (200, {"state": "active", "role": "member"}) if inside else (404, {"message": "Not Found"})
        if not path.startswith(f"{repo}/"):
            return 404, {"message": "Not Found"}
        return self._inside(method, path.removeprefix(repo), query, body)

    def _inside(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        if found := re.fullmatch(r"/issues/comments/(\d+)", path):
            return self._comment(method, int(found[1]), body)
        if path == "/issues/7/comments" and method == "POST":
            return 201, self.says(self.viewer, body["body"])
        if found := re.fullmatch(r"/statuses/([0-9a-f]{40})", path):
            self.statuses.insert(0, {**body, "sha": found[1], "created_at": AT.format(0)})
            return 201, self.statuses[0]
        if found := re.fullmatch(r"/commits/([0-9a-f]{40})/check-runs", path):
            runs = [run for run in self.runs if run.get("head_sha", self.head) == found[1]]
            return 200, {"total_count": len(runs), "check_runs": runs}
        if found := re.fullmatch(r"/collaborators/([^/]+)/permission", path):
            role = self.roles.get(found[1])
            wide = {"admin": "admin", "maintain": "write", "write": "write"}.get(role or "", "read")
            return (200, {"permission": wide, "role_name": role}) if role else (404, {"message": "Not Found"})
        pull = {
            "number": 7,
            "state": "open",
            "html_url": f"{self.url}/{self.full}/pull/7",
            "user": {"login": self.author, "type": "User"},
            "body": self.body,
            "head": {"ref": self.branch, "sha": self.head, "label": f"octo:{self.branch}"},
            "base": {"ref": "main", "sha": self.base, "label": "octo:main"},
        }
        lists: dict[str, Any] = {
            "/pulls": [pull] if query.get("head", [""])[0].endswith(f":{self.branch}") else [],
            "/pulls/7": pull,
            "/issues/7/comments": self._listed() if path == "/issues/7/comments" else [],
            "/pulls/7/reviews": self.reviews,
            "/pulls/7/commits": self.commits,
            f"/commits/{self.head}/statuses": [one for one in self.statuses if one["sha"] == self.head],
        }
        return (200, lists[path]) if path in lists else (404, {"message": "Not Found"})

    def _listed(self) -> list[dict[str, Any]]:
        """The comments; the newest is not there yet for the next ``lag`` looks after it was made."""
        if self.lag and self.made:
            self.lag -= 1
            return self.comments[:-1]
        return self.comments

    def _comment(self, method: str, name: int, body: Any) -> tuple[int, Any]:
        known = next((one for one in self.comments if one["id"] == name), None)
        if known is None:
            return 404, {"message": "Not Found"}
        if method == "DELETE":
            self.comments.remove(known)
            return 204, None
        if method == "PATCH":
            self.edits(known, body["body"])
        return 200, known

    def query(self, body: Any) -> dict[str, Any]:
        """The answer of the GraphQL API; a query that its schema does not take is an invalid request."""
        bot = self.viewer.endswith("[bot]")
        pull = {"reviewThreads": _connection(self.threads), "closingIssuesReferences": _connection(self.issues)}
        root = {
            "viewer": {"__typename": "Bot" if bot else "User", "login": self.viewer},
            "repository": {"pullRequest": {"__typename": "PullRequest", **pull}},
        }
        answer = queried(body["query"], body.get("variables") or {}, root)
        self.invalid += [f"query: {error['message']}" for error in answer.get("errors", [])]
        return answer


def _connection(nodes: list[dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """A page of a connection, by ``first`` and ``after``."""

    def page(_: object, first: int, after: str | None = None, **__: object) -> dict[str, Any]:
        start = int(after or 0)
        more = start + first < len(nodes)
        info = {"hasNextPage": more, "endCursor": str(start + first)}
        return {"nodes": nodes[start : start + first], "pageInfo": info}

    return page


class _Handler(BaseHTTPRequestHandler):
    forge: Forge
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length) if length else b""
        forge, parts = self.forge, urlsplit(self.path)
        with forge.lock:
            forge.asked.append(f"{self.command} {self.path}")
            if forge.before is not None:
                forge.before(self.command, parts.path)
            failure = forge.failures.pop(0) if forge.failures else ""
            if failure and "after" not in failure:
                self._fail(failure)
                return
            status, body, headers = self._answered(parts.path, parts.query, raw)
        if failure:
            self._fail(failure)
            return
        self._send(status, body, headers)

    do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815 - the names of the standard library

    def _answered(self, path: str, query: str, raw: bytes) -> tuple[int, Any, dict[str, str]]:
        forge, sent = self.forge, json.loads(raw) if raw else None
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}, {}
        if not (self.headers.get("User-Agent") or "").startswith("passdown/"):
            forge.invalid.append("no user agent")
        if path == "/api/graphql":
            return 200, forge.query(sent), {}
        if path == "/":
            return 200, ["no API"], {}
        path = path.removeprefix("/api/v3")
        if new := forge.renamed.get(path.removeprefix("/repos/")):
            return 301, {"message": "Moved Permanently"}, {"Location": f"{forge.url}/api/v3/repos/{new}"}
        wrong = description().wrong_request(self.command, path, query, sent)
        forge.invalid += wrong
        if wrong:
            return 422, {"message": wrong[0]}, {}
        asked = parse_qs(query)
        status, body = forge.answer(self.command, path, asked, sent)
        headers = {}
        if isinstance(body, list):
            body, headers = self._paged(body, path, query, asked)
        schema = description().schema(self.command, path, status)
        body = description().complete(body, schema)
        forge.invalid += description().wrong_answer(self.command, path, status, body)
        return status, body, headers

    def _paged(
        self, body: list[Any], path: str, query: str, asked: dict[str, list[str]]
    ) -> tuple[list[Any], dict[str, str]]:
        size = min(int(asked.get("per_page", ["30"])[0]), self.forge.page)
        at = int(asked.get("page", ["1"])[0])
        rest = "&".join(part for part in query.split("&") if part and not part.startswith("page="))
        link = f'<{self.forge.next_host or self.forge.url}/api/v3{path}?{rest}&page={at + 1}>; rel="next"'
        headers = {"Link": link} if at * size < len(body) else {}
        return body[(at - 1) * size : at * size], headers

    def _fail(self, failure: str) -> None:
        if failure.startswith("reset"):
            self.close_connection = True
            self.connection.close()
            return
        status = int(failure[:3])
        limits = {"429": {"Retry-After": "0"}, "403": {"Retry-After": "1", "X-RateLimit-Remaining": "0"}}
        message = "You have exceeded a secondary rate limit" if status in (403, 429) else "Server Error"
        self._send(status, {"message": message}, limits.get(failure[:3], {}))

    def _send(self, status: int, body: Any, headers: dict[str, str]) -> None:
        raw = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)
