"""Whether a comment counts as an answer, from GitHub's own word for who wrote it and the base's CODEOWNERS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.forge.foreign import plain
from passdown.forge.shapes import Comment
from passdown.review.verdict import allowed_paths
from passdown.rules.decide import Asked
from passdown.rules.patterns import lazy
from passdown.workspace import history

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.forge.client import Github
    from passdown.forge.people import People
    from passdown.forge.shapes import Pull
    from passdown.model.boundary import Boundary
    from passdown.review.verdict import Ground

_LOGIN = lazy(r"[A-Za-z0-9-]+")
_ID = lazy(r"[0-9a-f]{40}|[0-9a-f]{64}")


def author_of(comment: Comment) -> str:
    """The person's account."""
    if comment.updated_at != comment.created_at:
        raise PassdownError("it was edited")
    if comment.user is None:
        raise PassdownError("its account is gone")
    if not comment.user.person or comment.performed_via_github_app is not None:
        raise PassdownError("an app wrote it, no person")
    if not _LOGIN.fullmatch(comment.user.login):
        raise PassdownError("its account has no name")
    return comment.user.login


def same_base(context: Context, pull: Pull) -> None:
    """PassdownError where the base here, whose CODEOWNERS counts, is no commit of the branch on GitHub."""
    theirs = history.resolve(context.place, pull.base.sha) if _ID.fullmatch(pull.base.sha) else None
    if theirs is None:
        raise PassdownError(f"the newest commit of {plain(pull.base.ref)} is not in this clone: git fetch, then again")
    if context.base is None or not history.is_ancestor(context.place, context.base, theirs):
        raise PassdownError(
            f"the base here is no commit of {plain(pull.base.ref)} on GitHub: whose owners would count?"
        )


def read_again(hub: Github, listed: Comment) -> Comment:
    """The comment alone, right before it counts; PassdownError where it is another than the list had."""
    again = hub.find(hub.path(f"/issues/comments/{listed.id}"), Comment)
    if again is None or again != listed:
        raise PassdownError("it changed while it was read")
    return again


def may_answer(people: People, login: str, change: tuple[Boundary, Boundary], ground: Ground) -> None:
    """PassdownError unless the account owns what it decides on: a path of the boundary, and each one it adds."""
    old, new = change
    if not people.writes(login):
        raise PassdownError("its author may not write to the repository")
    added = _added(ground.paths, old, new)
    foreign = [path for path in added if (own := ground.owners.of(path)) and not people.owns(login, own)]
    if foreign:
        raise PassdownError(f"{plain(foreign[0])} belongs to {', '.join(ground.owners.of(foreign[0]))}")
    owners = ground.owners.of_all(allowed_paths(old, ground.paths))
    if owners and not people.owns(login, owners):
        raise PassdownError(f"its author owns nothing of the boundary; {', '.join(owners[:4])} would count")
    if not owners and not people.maintains(login):
        raise PassdownError("nobody owns the boundary's paths, and its author does not maintain the repository")


def _added(paths: tuple[str, ...], old: Boundary, new: Boundary) -> list[str]:
    """What the next run could not write before: files that are there, and the patterns themselves for those to come."""
    if (old.allow, old.deny) == (new.allow, new.deny):
        return []
    was, now = Asked.of(old), Asked.of(new)
    files = [path for path in paths if now.decide(path).inside and not was.decide(path).inside]
    patterns = {entry.path for entry in new.allow} - {entry.path for entry in old.allow}
    lifted = {entry.path for entry in old.deny} - {entry.path for entry in new.deny}
    return sorted({*files, *(pattern.strip("/") for pattern in patterns | lifted)})
