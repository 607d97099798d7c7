"""Pipes and devices where transcripts would lie: whoever planted them makes nobody wait."""

from __future__ import annotations

import os

import pytest

SESSION = "11111111-1111-4111-8111-111111111119"


def pipe(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def device(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("plant", [pipe, device])
def test_what_is_no_file_is_no_transcript(repo, scratch_home, plant):
    folder = scratch_home / ".claude/projects" / "".join(c if c.isalnum() else "-" for c in str(repo.root))
    plant(folder / f"{SESSION}.jsonl")
    plant(folder / SESSION / "subagents" / "agent-1.jsonl")
    plant(scratch_home / ".codex/sessions/2026/11/30" / f"rollout-2026-11-30T08-33-53-{SESSION}.jsonl")
    repo.passdown("status").check()
    assert "no session" in repo.passdown("session", SESSION).check(2).err
    assert "no agent session" in repo.passdown("pack", "--no-check").check().out
