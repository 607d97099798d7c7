"""What a pull request's reviewers said, what became of it, and which issues it closes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.forge.client import Github
from passdown.forge.foreign import cut
from passdown.forge.shapes import Pull, Review
from passdown.model.forge import ForgeRemark, Resolution

TEXT = 400
_PAGES = 40
_THREADS = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        nodes {
          isResolved isOutdated path line originalLine
          resolvedBy { login }
          comments(first: 1) { nodes { author { login } body url originalCommit { oid } } }
        }
        pageInfo { hasNextPage endCursor }
      }
      closingIssuesReferences(first: 20) { nodes { number url body } }
    }
  }
}
"""


class _Named(Struct, frozen=True):
    login: str


class _Oid(Struct, frozen=True):
    oid: str


class _First(Struct, frozen=True, rename="camel"):
    url: str
    body: str = ""
    author: _Named | None = None
    original_commit: _Oid | None = None


class _Firsts(Struct, frozen=True):
    nodes: list[_First]


class Thread(Struct, frozen=True, rename="camel"):
    """A review thread as GitHub tells it."""

    is_resolved: bool
    is_outdated: bool
    path: str
    comments: _Firsts
    line: int | None = None
    original_line: int | None = None
    resolved_by: _Named | None = None


class _Info(Struct, frozen=True, rename="camel"):
    has_next_page: bool
    end_cursor: str | None = None


class _Threads(Struct, frozen=True, rename="camel"):
    nodes: list[Thread]
    page_info: _Info


class Issue(Struct, frozen=True):
    """An issue that the pull request closes."""

    number: int
    url: str
    body: str = ""


class _Issues(Struct, frozen=True):
    nodes: list[Issue]


class _Pull(Struct, frozen=True, rename="camel"):
    review_threads: _Threads
    closing_issues_references: _Issues


class _Repository(Struct, frozen=True, rename="camel"):
    pull_request: _Pull | None = None


class _Answer(Struct, frozen=True):
    repository: _Repository | None = None


Changed = Callable[[str, str], bool | None]
"""(path, commit): whether the file here is other than in that commit; None: not known."""


def threads_of(github: Github, number: int) -> tuple[list[Thread], list[Issue]]:
    """All review threads, and the issues that the pull request closes."""
    found: list[Thread] = []
    after = None
    for _ in range(_PAGES):
        where = {"owner": github.repository.owner, "name": github.repository.name, "number": number, "after": after}
        answer = github.query(_THREADS, where, _Answer)
        pull = answer.repository.pull_request if answer.repository is not None else None
        if pull is None:
            raise PassdownError(f"no pull request {number} that this token sees", "--pr N", EXIT_UNDECIDED)
        found += pull.review_threads.nodes
        after = pull.review_threads.page_info.end_cursor
        if not pull.review_threads.page_info.has_next_page:
            return found, pull.closing_issues_references.nodes
    raise PassdownError(f"more than {len(found)} review threads", "too many to read at once", EXIT_UNDECIDED)


def remarks_of_threads(threads: Sequence[Thread], runners: Collection[str], changed: Changed) -> Iterator[ForgeRemark]:
    """Each thread by its first comment; ``runners``: accounts of who ran the agent, in lower case."""
    for thread in threads:
        first = thread.comments.nodes[0] if thread.comments.nodes else None
        if first is None:
            continue
        commit = first.original_commit.oid if first.original_commit is not None else ""
        other = True if thread.is_outdated else changed(thread.path, commit)
        by = thread.resolved_by.login if thread.resolved_by is not None else None
        yield ForgeRemark(
            url=first.url,
            by=_handle(first.author.login if first.author is not None else None),
            text=cut(first.body, TEXT),
            state=_resolution(thread, other=other, by=by, runners=runners),
            path=thread.path,
            line=thread.line or thread.original_line,
            resolved_by=_handle(by) if by else None,
            changed=other,
        )


def _resolution(thread: Thread, *, other: bool | None, by: str | None, runners: Collection[str]) -> Resolution:
    if not thread.is_resolved:
        return "open"
    if other:
        return "with-change"
    return "by-reviewer" if by is not None and by.lower() not in runners else "without-change"


def requests_of(github: Github, pull: Pull) -> Iterator[ForgeRemark]:
    """The reviews that ask for changes: the latest word of each reviewer counts, comments aside."""
    latest: dict[str, Review] = {}
    asked: dict[str, Review] = {}
    for page in github.pages(github.path(f"/pulls/{pull.number}/reviews"), list[Review]):
        for review in page:
            if review.user is None or review.state not in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED"):
                continue
            latest[review.user.login] = review
            if review.state in ("CHANGES_REQUESTED", "DISMISSED"):
                asked[review.user.login] = review
    for login, review in asked.items():
        settled = latest[login].state != "CHANGES_REQUESTED"
        state: Literal["open", "by-reviewer"] = "by-reviewer" if settled else "open"
        text = cut(review.body, TEXT) or "changes requested"
        by = _handle(login)
        yield ForgeRemark(url=review.html_url, by=by, text=text, state=state, resolved_by=by if settled else None)


def _handle(login: str | None) -> str:
    """An account as people name it."""
    return f"@{cut(login, 60)}" if login else "somebody who is gone"


def same(one: object, other: object) -> bool:
    """Whether two readings say the same."""
    return msgspec.json.encode(one, order="sorted") == msgspec.json.encode(other, order="sorted")
