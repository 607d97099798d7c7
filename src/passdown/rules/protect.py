"""What no boundary opens by itself: git's own files, and the files that decide which rules hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from passdown.rules.match import Matcher
from passdown.rules.patterns import lazy

AGENTS_SETTINGS = (
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".opencode",
    ".windsurf",
    ".continue",
    ".mcp.json",
    "opencode.json",
    "opencode.jsonc",
    ".aider.conf.yml",
)
CI_WORKFLOWS = (
    ".github/workflows/",
    ".github/actions/",
    "/.github/actionlint.yaml",
    ".forgejo/workflows/",
    ".gitea/workflows/",
    ".gitlab-ci.yml",
    "/.gitlab/ci/",
    ".circleci/",
    ".buildkite/",
    ".woodpecker",
    ".woodpecker.yml",
    ".drone.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    ".azure-pipelines/",
    "bitbucket-pipelines.yml",
    "appveyor.yml",
    ".appveyor.yml",
    "cloudbuild.yaml",
    "Jenkinsfile",
)
OWNERS = ("CODEOWNERS",)
POLICY = ("passdown.toml", "/.passdown/templates/")
ARMED = (
    (AGENTS_SETTINGS, "an agent's settings"),
    (CI_WORKFLOWS, "a CI workflow"),
    (OWNERS, "who owns what"),
    (POLICY, "Passdown's policy"),
)
PROTECTED = "protected unless an owner opens it"
_HFS_IGNORED = lazy("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
CONTROL = r"(?is:(?:\.git|git~\d+)(?:::?\$?.*)?[. ]*)"
_GIT = lazy(CONTROL)


def control_file(path: str) -> bool:
    """Whether a part of the path is ``.git``, or some file system takes it for that."""
    return any(_GIT.fullmatch(_HFS_IGNORED.sub("", part)) for part in re.split(r"[/\\]", path))


def protected(path: str, opened: Sequence[str] = (), always: Sequence[str] = ()) -> str | None:
    """Why nobody may write this path in an armed boundary, or None; ``opened`` patterns free all but git's own."""
    if control_file(path):
        return "git's own files are always protected"
    if always and _compiled(tuple(always)).matches(path) is not None:
        return "Passdown's own files are always protected"
    for patterns, what in ARMED:
        if _compiled(patterns).matches(path) is not None:
            if opened and _compiled(tuple(opened)).matches(path) is not None:
                return None
            return f"{what}: {PROTECTED}"
    return None


@cache
def _compiled(patterns: tuple[str, ...]) -> Matcher:
    return Matcher.compile(patterns, fold_case=True)
