"""The short campaign runs with every test run, the long one with ``make torture``."""

from __future__ import annotations

from pathlib import Path

import pytest

from passdown.store import open_ledger
from support.repo import Repo
from torture import kill


@pytest.mark.parametrize(
    ("kills", "seed"), [(20, 1), pytest.param(400, 2, marks=[pytest.mark.torture, pytest.mark.timeout(3600)])]
)
def test_what_was_acknowledged_survives_any_kill(repo: Repo, kills: int, seed: int):
    """Every id printed before the kill is in the record, the store opens, and nothing alarms."""
    command = [*kill.WRITER, str(repo.root / ".git/passdown"), "8"]
    toll = kill.finish(repo.root, command, kill.campaign(repo.root, command, kills=kills, seed=seed))
    assert toll.broken == []
    assert toll.kills >= kills
    assert len(toll.acknowledged) > kills // 4


def test_the_campaign_itself_sees_a_loss(repo: Repo, tmp_path: Path):
    """A command that acknowledges what it never wrote is found out."""
    liar = tmp_path / "liar"
    liar.write_text('#!/bin/sh\necho \'{"id": "%s"}\'\n' % ("0" * 64))
    liar.chmod(0o755)
    open_ledger(repo.root / ".git/passdown").close()
    toll = kill.campaign(repo.root, [str(liar)], kills=1)
    assert toll.broken == [f"lost: {'0' * 64}"]
