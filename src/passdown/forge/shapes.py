"""The parts of GitHub's answers that are read; everything else in them is left alone."""

from __future__ import annotations

from msgspec import Struct


class User(Struct, frozen=True):
    """An account; ``type`` is User, Bot or Organization."""

    login: str
    type: str = "User"

    @property
    def person(self) -> bool:
        """Whether a person can be behind it."""
        return self.type == "User"


class Comment(Struct, frozen=True):
    """One comment in a pull request's conversation. ``user`` None: the account is gone."""

    id: int
    html_url: str
    created_at: str
    updated_at: str
    body: str | None = None
    user: User | None = None
    author_association: str = "NONE"
    performed_via_github_app: object = None


class Owned(Struct, frozen=True):
    """A repository by its owner."""

    full_name: str


class Found(Struct, frozen=True):
    """A repository and, of a fork, where it comes from."""

    full_name: str
    fork: bool = False
    parent: Owned | None = None


class End(Struct, frozen=True):
    """One end of a pull request; ``repo`` None: the fork is gone."""

    ref: str
    sha: str
    repo: Owned | None = None


class Pull(Struct, frozen=True):
    """A pull request."""

    number: int
    html_url: str
    state: str
    head: End
    base: End
    user: User | None = None
    body: str | None = None


class Status(Struct, frozen=True):
    """A commit status."""

    state: str
    context: str
    description: str | None = None
    target_url: str | None = None
    created_at: str = ""


class Review(Struct, frozen=True):
    """A review: APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING."""

    id: int
    state: str
    html_url: str
    body: str = ""
    user: User | None = None
    submitted_at: str | None = None


class Run(Struct, frozen=True):
    """A check run; ``conclusion`` None: it is not done."""

    name: str
    status: str
    conclusion: str | None = None
    html_url: str | None = None
    completed_at: str | None = None


class Runs(Struct, frozen=True):
    """A page of check runs."""

    check_runs: list[Run]


class Written(Struct, frozen=True):
    """A commit's author as git has it."""

    email: str | None = None


class Inside(Struct, frozen=True):
    """What git has of a commit."""

    author: Written | None = None


class Commit(Struct, frozen=True):
    """A commit of a pull request; ``author``: the account that its address belongs to. GitHub may say {} for nobody."""

    sha: str
    commit: Inside
    author: dict[str, object] | None = None


class Permission(Struct, frozen=True):
    """What an account may do in a repository."""

    permission: str
    role_name: str = ""


class Membership(Struct, frozen=True):
    """Whether an account is in a team: active, or only asked."""

    state: str
