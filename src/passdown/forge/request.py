"""Which pull request is meant: the one named, the one of the CI job, or the branch's only open one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from passdown.errors import PassdownError
from passdown.forge.client import Github
from passdown.forge.shapes import Found, Pull
from passdown.rules.patterns import lazy

_REF = lazy(r"refs/pull/(\d+)/(?:merge|head)")


def settle(github: Github) -> Found:
    """Ask for the repository by the remote's name; after a rename the conversation goes on under its own name."""
    found = github.get(github.path(""), Found)
    _call(github, found.full_name)
    return found


def find_pull(github: Github, wanted: int | None, branch: str | None, environ: Mapping[str, str]) -> Pull:
    """The pull request; the conversation goes on in its repository. PassdownError where there is none, or several."""
    there = settle(github)
    ref = _REF.fullmatch(environ.get("GITHUB_REF", ""))
    number = wanted or (int(ref[1]) if ref else None)
    if number is not None:
        return _numbered(github, there, number)
    if branch is None:
        raise PassdownError("no branch is checked out, so no pull request is known", "name it: --pr N")
    owner = there.full_name.partition("/")[0]
    for full in dict.fromkeys([there.full_name, *([there.parent.full_name] if there.parent else [])]):
        _call(github, full)
        open_ = github.get(github.path("/pulls"), list[Pull], head=f"{owner}:{branch}", state="open")
        mine = [pull for pull in open_ if pull.head.ref == branch]
        if mine:
            return _only(mine)
    raise PassdownError(f"no open pull request for {branch} on {there.full_name}", "open one, or name it: --pr N")


def _numbered(github: Github, there: Found, number: int) -> Pull:
    """The request of that number, in a fork's own repository or where it comes from."""
    for full in [there.full_name, *([there.parent.full_name] if there.parent else [])]:
        _call(github, full)
        pull = github.find(github.path(f"/pulls/{number}"), Pull)
        if pull is not None:
            return pull
    raise PassdownError(f"no pull request {number} on {there.full_name} that this token sees", "gh pr list, or --pr N")


def _only(pulls: Sequence[Pull]) -> Pull:
    if len(pulls) > 1:
        listed = ", ".join(str(pull.number) for pull in pulls)
        raise PassdownError(f"several open pull requests are of this branch: {listed}", "name one: --pr N")
    return pulls[0]


def _call(github: Github, full: str) -> None:
    owner, _, name = full.partition("/")
    if not re.fullmatch(r"[A-Za-z0-9._-]+", owner) or not re.fullmatch(r"[A-Za-z0-9._-]+", name):
        raise PassdownError("this answer is none of GitHub's: a repository without a name", "is this its API?")
    github.repository = replace(github.repository, owner=owner, name=name)
