"""A command that fails on what it was given leaves nothing behind, however the machine's threads run (F6)."""

import pytest

BAD = {
    "a session that is not there": ["pack", "deadbeef"],
    "a file that is no session": ["pack", "notes.txt"],
    "a verdict on no packet": ["review", "deadbeef", "--approve"],
    "a resume of no packet": ["resume", "deadbeef"],
    "an outcome without a task": ["outcome", "completed"],
    "a rollback to nothing": ["rollback", "deadbeef"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD.keys())
def test_a_first_command_that_fails_creates_nothing(repo, arguments):
    repo.write("notes.txt", "not a session\n")
    result = repo.passdown(*arguments)
    assert result.code in (1, 2, 3), result.out + result.err
    assert not repo.home.exists()
