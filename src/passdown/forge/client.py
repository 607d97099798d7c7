"""One bounded, patient conversation with GitHub's API. Reading is tried again; a write is done once or not known."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

import httpx2
import msgspec
from msgspec import Struct

from passdown import __version__
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.forge.address import Repository
from passdown.forge.foreign import plain

TRIES = 6
PATIENCE = 180.0
"""Seconds that one conversation waits in all, for limits and between tries."""
_SECONDS = httpx2.Timeout(30.0, connect=10.0)
_HASTE = httpx2.Timeout(5.0)
_SECONDARY = 60.0
_LONGEST = 16.0
_PAGES = 100
_MANY = 429
_DOWN = 500
_SAID = 200
T = TypeVar("T")


class Answer(Struct, frozen=True):
    """A whole answer of the API."""

    status: int
    raw: bytes
    headers: Mapping[str, str]
    next: str | None = None

    @property
    def good(self) -> bool:
        """Whether what was asked for was done."""
        return 200 <= self.status < 300  # noqa: PLR2004 - HTTP

    def read(self, type_: type[T]) -> T:
        """The body as a value; PassdownError where it is no such thing."""
        try:
            return msgspec.json.decode(self.raw, type=type_, strict=False)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise PassdownError(
                f"this answer is none of GitHub's: {error}", "is this its API?", EXIT_UNDECIDED
            ) from None

    @property
    def said(self) -> str:
        """GitHub's own words for what went wrong; foreign text, one line."""
        try:
            message = msgspec.json.decode(self.raw).get("message", "")
        except (msgspec.DecodeError, UnicodeDecodeError, AttributeError):
            return ""
        return plain(str(message))[:_SAID]


class Github:
    """The API of one repository. ``pause`` waits so many seconds, in all at most ``patience``; 0: no second try."""

    def __init__(
        self,
        repository: Repository,
        token: str,
        pause: Callable[[float], None] = time.sleep,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self.repository = repository
        self._token = token
        self._pause = pause
        self._patience = patience
        self._waited = 0.0
        self._http = httpx2.Client(
            timeout=_SECONDS if patience else _HASTE,
            follow_redirects=True,
            max_redirects=5,
            headers={
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": f"passdown/{__version__}",
                "Authorization": f"Bearer {token}",
            },
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def path(self, rest: str) -> str:
        """An address below this repository."""
        return f"{self.repository.api}/repos/{self.repository.full}{rest}"

    def get(self, url: str, type_: type[T], **params: str | int) -> T:
        """One value; PassdownError where it is not there or not to be seen."""
        return self._needed(self._ask("GET", url, params=params), url).read(type_)

    def find(self, url: str, type_: type[T], *, missing: Collection[int] = (403, 404, 410)) -> T | None:
        """One value; None where there is none, or none to be seen with this token: an answer of ``missing``."""
        answer = self._ask("GET", url)
        return None if answer.status in missing else self._needed(answer, url).read(type_)

    def pages(self, url: str, type_: type[T], **params: str | int) -> Iterator[T]:
        """The pages of a list, by the API's own links, each a value of that type; never beyond the API's own host."""
        answer = self._needed(self._ask("GET", url, params={"per_page": 100, **params}), url)
        for _ in range(_PAGES):
            yield answer.read(type_)
            if answer.next is None:
                return
            if not answer.next.startswith(f"{self.repository.api}/"):
                raise PassdownError(f"{self.repository.host} names a next page that is not on it", "", EXIT_UNDECIDED)
            answer = self._needed(self._ask("GET", answer.next), url)
        raise PassdownError(f"more than {_PAGES} pages at {url}", "too much to read at once", EXIT_UNDECIDED)

    def query(self, text: str, variables: Mapping[str, object], type_: type[T]) -> T:
        """What a GraphQL query finds; it changes nothing, so it is tried again like any reading."""
        url = self.repository.graphql
        answer = self._needed(self._ask("POST", url, body={"query": text, "variables": variables}), url)
        found = answer.read(dict[str, Any])
        if found.get("errors") or not isinstance(found.get("data"), dict):
            raise PassdownError(f"GitHub could not answer: {_errors(found)}", "", EXIT_UNDECIDED)
        try:
            return msgspec.convert(found["data"], type_, strict=False)
        except msgspec.ValidationError as error:
            raise PassdownError(f"this answer is none of GitHub's: {error}", "", EXIT_UNDECIDED) from None

    def set(self, url: str, body: object) -> Answer:
        """PATCH: the same however often it is done, so it is tried again."""
        return self._ask("PATCH", url, body=body)

    def delete(self, url: str) -> Answer:
        """DELETE: likewise."""
        return self._ask("DELETE", url)

    def add(self, url: str, body: object) -> Answer | None:
        """POST, once. None: nobody knows whether it was done; the caller looks before it asks again."""
        for attempt in range(TRIES):
            try:
                answer = self._once("POST", url, {}, body)
            except httpx2.ConnectError as error:  # it never left
                self._wait(attempt, url, lost=str(error))
                continue
            except httpx2.RequestError:
                return None
            delay = _limited(answer)
            if delay is None:
                return answer if answer.status < _DOWN else None
            self._wait(attempt, url, delay)
        return None

    def rest(self, attempt: int, what: str) -> None:
        """Wait before looking again whether a write was done; PassdownError where patience ends."""
        self._wait(attempt, what)

    def refused(self, answer: Answer, url: str) -> PassdownError:
        """Why the API did not do it, and what would help."""
        where = url.removeprefix(self.repository.api).partition("?")[0]
        told = f": {self._without_token(answer.said)}" if answer.said else ""
        hints = {
            401: "the token is not valid: gh auth login, or set GITHUB_TOKEN anew",
            403: f"the token may not do that; it needs: {_permissions(answer)}",
            404: "no such thing there, or the token does not see it: docs/github.md names what it needs",
        }
        return PassdownError(
            f"{self.repository.host} refused {where} ({answer.status}){told}",
            hints.get(answer.status, ""),
            EXIT_UNDECIDED,
        )

    def _needed(self, answer: Answer, url: str) -> Answer:
        if not answer.good:
            raise self.refused(answer, url)
        return answer

    def _ask(
        self, method: str, url: str, *, params: Mapping[str, str | int] | None = None, body: object = None
    ) -> Answer:
        """One request, again where the network or GitHub failed; PassdownError where that does not end."""
        for attempt in range(TRIES):
            try:
                answer = self._once(method, url, params or {}, body)
            except httpx2.RequestError as error:
                self._wait(attempt, url, lost=str(error) or type(error).__name__)
                continue
            delay = _limited(answer)
            if delay is None and answer.status < _DOWN:
                return answer
            self._wait(attempt, url, delay, lost=f"it answered {answer.status}")
        raise AssertionError

    def _once(self, method: str, url: str, params: Mapping[str, str | int], body: object) -> Answer:
        content = None if body is None else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json"} if content is not None else {}
        try:
            got = self._http.request(method, url, params=params or None, content=content, headers=headers)
        except httpx2.TooManyRedirects:
            raise PassdownError(f"{self.repository.host} sends in a circle", "", EXIT_UNDECIDED) from None
        return Answer(got.status_code, got.content, dict(got.headers), got.links.get("next", {}).get("url"))

    def _wait(self, attempt: int, url: str, delay: float | None = None, *, lost: str = "") -> None:
        if delay is None:
            delay = min(2.0**attempt, _LONGEST) * random.uniform(0.5, 1.0)  # noqa: S311 - spreads tries, no secret
        where = url.removeprefix(self.repository.api)
        if attempt == TRIES - 1 or self._waited + delay > self._patience:
            why = f"it asks to wait {delay:.0f} s" if delay > _LONGEST else self._without_token(plain(lost))[:_SAID]
            raise PassdownError(
                f"{self.repository.host} did not do {where or url}: {why}",
                "run it again later: it goes on where it stopped",
                EXIT_UNDECIDED,
            )
        self._waited += delay
        self._pause(delay)

    def _without_token(self, text: str) -> str:
        return text.replace(self._token, "***")


def _limited(answer: Answer) -> float | None:
    """How many seconds GitHub asks to wait; None: no limit was met."""
    refused = answer.status == 403 and (  # noqa: PLR2004 - HTTP
        "retry-after" in answer.headers
        or answer.headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in answer.said.lower()
    )
    if answer.status != _MANY and not refused:
        return None
    after, reset = answer.headers.get("retry-after", ""), answer.headers.get("x-ratelimit-reset", "")
    if after.isdigit():
        return float(after)
    if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return max(float(reset) - datetime.now(UTC).timestamp(), 0.0) + 1.0
    return _SECONDARY


def _permissions(answer: Answer) -> str:
    named = answer.headers.get("x-accepted-github-permissions", "")
    return plain(named) or "docs/github.md names them"


def _errors(found: Mapping[str, Any]) -> str:
    errors = found.get("errors")
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
    return plain(str(first.get("message", "no data")))[:_SAID]
