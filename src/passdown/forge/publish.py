"""One comment and one status, kept up to date: found again by what they say, so that nothing must be remembered."""

from __future__ import annotations

import hashlib
import re
from typing import Literal

from msgspec import Struct, field

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.forge.client import TRIES, Github
from passdown.forge.shapes import Comment, Status, User

CONTEXT = "passdown"
DESCRIPTION = 140
State = Literal["success", "pending", "failure", "error"]
_INSIDERS = ("OWNER", "MEMBER", "COLLABORATOR")
_VIEWER = "query { viewer { login } }"


class Posted(Struct, frozen=True):
    """Where it stands and what was done for it; ``removed``: comments of ours beside it that went."""

    url: str
    done: Literal["created", "edited", "unchanged"]
    removed: list[int] = field(default_factory=list)


class Light(Struct, frozen=True):
    """A commit status to be: the newest of its context is the one that counts."""

    state: State
    description: str
    target_url: str


class _Viewer(Struct, frozen=True):
    viewer: User


def marker(task: str) -> str:
    """The hidden first line of a task's comment."""
    name = task if re.fullmatch(r"[0-9a-f]{8,64}", task) else hashlib.sha256(task.encode()).hexdigest()
    return f"<!-- passdown task {name} -->"


def viewer(github: Github) -> str | None:
    """The account of the token; None where GitHub does not say."""
    try:
        return github.query(_VIEWER, {}, _Viewer).viewer.login
    except PassdownError:
        return None


def put_comment(github: Github, number: int, task: str, text: str, me: str | None) -> Posted:
    """Have the task's comment say ``text``: the oldest of ours is edited, others of ours go, none is made twice.

    Whether an unanswered request was carried out is seen by looking again, before anything is made.
    """
    mark = marker(task)
    body = f"{mark}\n\n{text}"
    made: dict[int, Comment] = {}
    barred: set[int] = set()
    for attempt in range(TRIES):
        ours = [one for one in _ours(github, number, mark, me, made) if one.id not in barred]
        if not ours:
            answer = github.add(github.path(f"/issues/{number}/comments"), {"body": body})
            if answer is None:
                github.rest(attempt, f"/issues/{number}/comments")
            elif not answer.good:
                raise github.refused(answer, github.path(f"/issues/{number}/comments"))
            else:
                one = answer.read(Comment)
                made[one.id] = one
            continue
        kept = ours[0]
        edited = not _says(kept, body) and _edit(github, kept, body)
        if edited is None:
            barred.add(kept.id)
            made.pop(kept.id, None)
            continue
        removed = [one.id for one in ours[1:] if _mine(one, me) or one.id in made]
        for name in removed:
            github.delete(github.path(f"/issues/comments/{name}"))
        done = "created" if kept.id in made else "edited" if edited else "unchanged"
        return Posted(kept.html_url, done, removed)  # type: ignore[arg-type] # one of the three
    raise PassdownError("the comment could not be placed", "run it again later: it looks first", EXIT_UNDECIDED)


def _ours(github: Github, number: int, mark: str, me: str | None, made: dict[int, Comment]) -> list[Comment]:
    """Comments that begin with the mark, by us or somebody who may write here, the oldest first.

    A list can be a moment old: what was made just now belongs to it.
    """
    found = dict(made)
    for page in github.pages(github.path(f"/issues/{number}/comments"), list[Comment]):
        for one in page:
            inside = _mine(one, me) or one.author_association in _INSIDERS or (one.user and one.user.type == "Bot")
            if inside and (one.body or "").startswith(mark):
                found[one.id] = one
    return [found[name] for name in sorted(found)]


def _mine(comment: Comment, me: str | None) -> bool:
    return me is not None and comment.user is not None and _bare(comment.user.login) == _bare(me)


def _bare(login: str) -> str:
    """An account's name; an app's is told with its mark in one API and without it in the other."""
    return login.lower().removesuffix("[bot]")


def _says(comment: Comment, body: str) -> bool:
    return (comment.body or "").replace("\r\n", "\n").strip() == body.strip()


def _edit(github: Github, comment: Comment, body: str) -> bool | None:
    """True where it was done; None where it is gone or another's that we may not edit."""
    url = github.path(f"/issues/comments/{comment.id}")
    answer = github.set(url, {"body": body})
    if answer.status in (403, 404, 410):
        return None
    if not answer.good:
        raise github.refused(answer, url)
    return True


def put_status(github: Github, sha: str, light: Light) -> bool:
    """Have the commit's newest status of ours say this; False where it does already."""
    url = github.path(f"/statuses/{sha}")
    wanted = (light.state, light.description[:DESCRIPTION], light.target_url)
    for attempt in range(TRIES):
        if _newest(github, sha) == wanted:
            return attempt > 0
        state, description, target = wanted
        told = {"state": state, "description": description, "target_url": target, "context": CONTEXT}
        answer = github.add(url, told)
        if answer is not None and answer.good:
            return True
        if answer is not None:
            raise github.refused(answer, url)
        github.rest(attempt, f"/statuses/{sha}")
    raise PassdownError("the status could not be set", "run it again later: it looks first", EXIT_UNDECIDED)


def _newest(github: Github, sha: str) -> tuple[str, str, str] | None:
    for page in github.pages(github.path(f"/commits/{sha}/statuses"), list[Status]):
        for one in page:
            if one.context == CONTEXT:
                return one.state, one.description or "", one.target_url or ""
    return None
