"""`passdown verify` of long ranges: as many git processes for 500 commits as for a few."""

from __future__ import annotations

import os
import shutil

import pytest

MERGE_EVERY, LINK_EVERY = 25, 20


@pytest.fixture
def counted(tmp_path):
    """An environment in which every git process leaves a line in a file, and how many there are."""
    tools = tmp_path / "tools"
    tools.mkdir()
    log = tmp_path / "processes"
    (tools / "git").write_text(f'#!/bin/sh\necho "$*" >> "{log}"\nexec "{shutil.which("git")}" "$@"\n')
    (tools / "git").chmod(0o755)

    def count():
        number = len(log.read_text().splitlines())
        log.unlink()
        return number

    return {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}, count


def grow(repo, number):
    """So many commits on `work`: edits, links, now and then a merge of main; one of them strays and is taken back."""
    lines = []
    for at in range(number):
        lines.append(
            f"commit refs/heads/work\nmark :{at + 1}\ncommitter A <a@example.test> {1_700_000_000 + at} +0000\n"
        )
        lines.append(f"data 4\nc{at % 100:02d}\n")
        lines.append("from refs/heads/work^0\n" if at == 0 else "")
        lines.append(f"merge {repo.git('rev-parse', 'main')}\n" if at % MERGE_EVERY == 1 else "")
        lines.append(f"M 100644 inline src/f{at % 7}.py\ndata {len(str(at))}\n{at}\n")
        lines.append("M 100644 inline docs/guide.md\ndata 7\ntheirs\n\n" if at == 1 else "")
        lines.append(f"M 120000 inline src/link{at}\ndata 5\nf0.py\n" if at % LINK_EVERY == 2 else "")
        lines.append(
            "M 100644 inline docs/stray.md\ndata 1\nx\n" if at == 3 else "D docs/stray.md\n" if at == 4 else ""
        )
    done = repo.run("git", "fast-import", "--quiet", stdin="".join(lines).encode())
    done.check()
    repo.git("reset", "-q", "--hard")
    return repo


@pytest.mark.parametrize("args", [["main..HEAD"], []], ids=["range", "since the start"])
def test_the_number_of_processes_does_not_grow_with_the_commits(repo, counted, args):
    env, count = counted
    repo.write("src/f0.py", "0\n").commit("Files").branch("work")
    repo.passdown("start", "long work", "--allow", "src/**").check()
    repo.switch("main").write("docs/guide.md", "theirs\n").commit("Theirs").switch("work")
    numbers = []
    for number in (8, 500):
        grow(repo, number)
        answer = repo.passdown("verify", *args, "--json", env=env).check(1).json()
        assert {v["path"] for v in answer["violations"]} >= {"docs/stray.md"}
        if args:
            assert {v["path"] for v in answer["violations"]} == {"docs/stray.md"}
        repo.passdown("verify", *args, env=env).check(1)
        numbers.append(count())
    assert numbers[1] <= numbers[0] + 4
    assert numbers[1] < 120
