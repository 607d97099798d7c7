"""A program that is not here is named: nothing failed, nothing could run."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from passdown.checks.reading import read_output
from passdown.checks.run import adhoc, run_check
from passdown.workspace.place import find_place


@pytest.mark.parametrize(
    ("text", "code", "absent"),
    [
        ("/bin/sh: 1: pytest: not found\n", 127, "pytest"),
        ("sh: line 1: pytest: command not found\n", 127, "pytest"),
        ("bash: pytest: command not found", 127, "pytest"),
        ("zsh: command not found: pytest", 127, "pytest"),
        ("env: \u2018node\u2019: No such file or directory\n", 127, "node"),
        ("> x@1.0.0 test\n> jest\n\nsh: 1: jest: not found\n", 127, "jest"),
        ("/usr/bin/python3: No module named pytest\n", 1, "pytest"),
        ("E  No module named pytest_asyncio\n1 failed\n", 1, ""),
        ("ImportError: No module named pytest\n", 1, ""),
        ("key: not found\n", 1, ""),
        ("done\n", 127, ""),
    ],
)
def test_what_the_shell_said_is_not_here(text, code, absent):
    assert read_output(text, adhoc(["x"]), code=code).absent == absent


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["no-such-program", "vet"], "no-such-program is not installed here"),
        (["sh", "-c", "no-such-program vet"], "no-such-program is not installed here"),
        (["./gone"], "cannot start ./gone: No such file or directory"),
        (["./text"], "cannot start ./text: Permission denied"),
        (["./broken"], "cannot start ./broken: Exec format error"),
    ],
)
def test_the_line_names_it(repo, argv, says):
    repo.write("text", "x").write("broken", "\x7fELF", mode=0o755).commit()
    evidence = run_check(find_place(repo.root), adhoc(argv), now=datetime.now(UTC))
    assert (evidence.result, evidence.error_line) == ("ERROR", says)
