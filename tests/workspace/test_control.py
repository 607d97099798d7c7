"""A change of the control surface is seen and named."""

# ruff: noqa: E501 - a shell program reads best on one line

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passdown.workspace.control import control_changes, control_parts
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take

if TYPE_CHECKING:
    from support.repo import Repo

CHANGES = {
    "git config alias.x status": ".git/config",
    "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor evil": ".git/config.worktree",
    "echo evil >> .git/info/exclude": ".git/info",
    "echo '*.py filter=x' > .git/info/attributes": ".git/info",
    "echo true > .git/hooks/pre-commit": ".git/hooks",
    "chmod +x .git/hooks/kept": ".git/hooks",
    "mkdir -p .git/modules/a/b; cd .git/modules/a/b; git init -q --bare .; git config core.fsmonitor x": ".git/modules/a/b/config",
    "mkdir .claude; echo '{}' > .claude/settings.local.json": ".claude",
    "mkdir .codex; echo 'a = 1' > .codex/config.toml": ".codex",
    "mkdir -p .github/workflows; echo on > .github/workflows/ci.yml": ".github/workflows",
    "mkdir -p docs; echo '* @a' > docs/CODEOWNERS": "docs/CODEOWNERS",
    "echo '[review]' > passdown.toml": "passdown.toml",
    "ln -s elsewhere .mcp.json": ".mcp.json",
}


@pytest.mark.parametrize("script", CHANGES)
def test_a_change_is_seen_and_named(repo: Repo, script: str) -> None:
    repo.write(".git/hooks/kept", "#!/bin/sh\n", mode=0o644)
    place = find_place(repo.root)
    before, control = control_parts(place), take(place).control
    repo.run("sh", "-ec", script).check()
    changed = control_changes(before, control_parts(place))
    assert any(part == CHANGES[script] or part.startswith(f"{CHANGES[script]} ") for part in changed)
    assert take(place).control != control


def test_a_hooks_folder_elsewhere_is_part_of_it(repo: Repo) -> None:
    repo.write("tools/hooks/pre-commit", "true\n").git("config", "core.hooksPath", "tools/hooks")
    place = find_place(repo.root)
    before = control_parts(place)
    repo.write("tools/hooks/pre-commit", "false\n")
    assert [name for name in control_changes(before, control_parts(place)) if "hooksPath" in name]


def test_work_is_no_part_of_it(repo: Repo) -> None:
    place = find_place(repo.root)
    before = take(place).control
    repo.write("a", "a\n").commit().branch("other").write(".claude/worktrees/x/y", "y\n")
    repo.git("gc", "-q")
    assert take(find_place(repo.root)).control == before
