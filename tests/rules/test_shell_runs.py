"""What a program of a line runs in its turn, and what only looks like it."""

from __future__ import annotations

import pytest

from passdown.rules.shell_runs import all_calls
from passdown.rules.shell_words import unwrap

RUNS = [
    "bash -c 'passdown off'",
    "busybox sh -c 'passdown off'",
    "env -S 'passdown off'",
    "env --split-string='passdown off'",
    "script -qc 'passdown off' /dev/null",
    "expect -c 'spawn passdown off'",
    "find . -name x -exec passdown off \\;",
    "echo off | xargs -n1 passdown off",
    "su -c 'passdown off'",
    "runuser -u root -- passdown off",
    "flock /tmp/l passdown off",
    "flock /tmp/l -c 'passdown off'",
    "watch -n1 passdown off",
    "tmux send-keys -t 0 'passdown off' Enter",
    "strace -f passdown off",
    "systemd-run --user passdown off",
    "unshare -r sh -c 'passdown off'",
    "script -c \"busybox sh -c 'passdown off'\"",
    "git rebase -x 'passdown off' HEAD~1",
    "git rebase --exec='passdown off' HEAD~1",
    "git submodule foreach 'passdown off'",
    "git bisect run passdown off",
    "git -c alias.x='!passdown off' x",
    "sh <<'EOF'\npassdown off\nEOF",
    "cd src && bash -s <<EOF\npassdown off\nEOF",
    "bash <<< 'passdown off'",
    "$(passdown off)",
    "echo `passdown off`",
]
MENTIONS = [
    "git commit -m 'passdown off'",
    "git log --grep 'passdown off'",
    "git log --exec 'passdown off'",
    "echo 'passdown off'",
    "grep -rn 'passdown off' docs",
    "find . -name passdown -newer off",
    "rg passdown off",
    "cat <<'EOF'\npassdown off\nEOF",
    "cat > notes.md <<'EOF'\nrun: passdown off\nEOF",
    "bash script.sh <<'EOF'\npassdown off\nEOF",
    "python3 - <<'EOF'\nprint('passdown off')\nEOF",
    "gh pr create --body 'passdown off'",
]


def runs(line):
    return any(unwrap(call.words)[:2] == ("passdown", "off") for call in all_calls(line))


@pytest.mark.parametrize("line", RUNS)
def test_what_is_run_by_another_program_is_seen(line):
    assert runs(line)


@pytest.mark.parametrize("line", MENTIONS)
def test_a_mention_is_no_call(line):
    assert not runs(line)
