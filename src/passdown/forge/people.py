"""Who speaks in a pull request: whether an account may answer for paths, and which accounts ran the agent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from passdown.forge.client import Github
from passdown.forge.shapes import Commit, Membership, Permission, Pull
from passdown.rules.patterns import lazy

_NOREPLY = lazy(r"(?:\d+\+)?([A-Za-z0-9-]+(?:\[bot\])?)@users\.noreply\.[A-Za-z0-9.-]+")
_TEAM = lazy(r"@([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)")


class People:
    """Asks GitHub about each account once."""

    def __init__(self, github: Github) -> None:
        self._github = github
        self._may: dict[str, Permission | None] = {}
        self._teams: dict[tuple[str, str], bool] = {}

    def owns(self, login: str, owners: Iterable[str]) -> bool:
        """Whether one of these owners, as CODEOWNERS names them, is that account, or a team that it is in."""
        named = sorted(set(owners))
        if f"@{login}".lower() in {name.lower() for name in named}:
            return True
        return any(self._in_team(login, name) for name in named if _TEAM.fullmatch(name))

    def writes(self, login: str) -> bool:
        """Whether the account may write to the repository; GitHub takes nobody else for an owner."""
        found = self._permission(login)
        return found is not None and found.permission in ("admin", "maintain", "write")

    def maintains(self, login: str) -> bool:
        """Whether it may decide what nobody owns."""
        found = self._permission(login)
        return found is not None and (found.permission == "admin" or found.role_name in ("admin", "maintain"))

    def _permission(self, login: str) -> Permission | None:
        if login not in self._may:
            url = self._github.path(f"/collaborators/{login}/permission")
            self._may[login] = self._github.find(url, Permission)
        return self._may[login]

    def _in_team(self, login: str, team: str) -> bool:
        found = _TEAM.fullmatch(team)
        if found is None:
            return False
        key = (team.lower(), login.lower())
        if key not in self._teams:
            url = f"{self._github.repository.api}/orgs/{found[1]}/teams/{found[2]}/memberships/{login}"
            member = self._github.find(url, Membership)
            self._teams[key] = member is not None and member.state == "active"
        return self._teams[key]


def runners(github: Github, pull: Pull, ran: Sequence[str | None], me: str, viewer: str | None) -> frozenset[str]:
    """The accounts, in lower case, of who ran the task's runs, and of who opened the pull request.

    ``ran``: who packed them, by git's identity (None: nobody named); ``me``: the person here; ``viewer``: the account
    of the token, which is theirs.
    """
    found = {pull.user.login} if pull.user is not None else set()
    names = {name for name in ran if name}
    for name in names:
        noreply = _NOREPLY.fullmatch(name)
        if name.startswith("@"):
            found.add(name.removeprefix("@"))
        elif noreply is not None:
            found.add(noreply[1])
    if viewer is not None and (me in names or None in ran):
        found.add(viewer)
    mails = {name.lower() for name in names if not name.startswith("@")}
    for page in github.pages(github.path(f"/pulls/{pull.number}/commits"), list[Commit]):
        for commit in page:
            author = commit.commit.author
            login = (commit.author or {}).get("login")
            if author is not None and (author.email or "").lower() in mails and isinstance(login, str):
                found.add(login)
    return frozenset(re.sub(r"\s", "", login).lower() for login in found)
