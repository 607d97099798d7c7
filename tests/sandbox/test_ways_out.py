"""Nothing that runs inside changes or learns what it must not, as root and as an ordinary user (E11)."""

from __future__ import annotations

import uuid

import pytest

from sandbox import more_ways_out, ways_out
from support.kernel import command_lines
from support.process import until
from support.world import GOT_OUT, SECRET

WRITES = {**ways_out.WRITES, **more_ways_out.MORE_WRITES}
READS = {**ways_out.READS, **more_ways_out.MORE_READS}


@pytest.mark.parametrize("name", WRITES)
def test_it_changes_nothing_outside(world, name):
    before = world.seen()
    done = world.sandbox(WRITES[name])
    assert "Writable" in done.stderr, done.stderr
    assert world.seen() == before, done.stderr
    assert world.process.poll() is None
    assert GOT_OUT not in done.stdout


@pytest.mark.parametrize("name", READS)
def test_it_learns_no_key_and_reaches_no_agent(world, name):
    done = world.sandbox(READS[name])
    assert "Writable" in done.stderr, done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert not world.heard()


def test_what_it_leaves_behind_ends_with_it(world):
    mark = uuid.uuid4().hex
    stays = f"setsid sh -c 'touch lib/began; while :; do sleep 0.1; : {mark}; done' >/dev/null 2>&1 &"
    world.sandbox(f"({stays}); until test -e lib/began; do sleep 0.02; done")
    assert (world.repo / "lib/began").exists()
    until(lambda: not any(mark.encode() in line for line in command_lines().values()))


def test_what_is_allowed_works(world):
    done = world.sandbox(
        "echo new > src/a.py && sed -i s/new/newer/ src/a.py && echo x > lib/new.py && mkdir -p lib/in/deep"
        " && mv lib/new.py lib/in/deep/ && rm lib/ok.py && echo f > lib/far/off/fine.py && echo x > /tmp/x"
        " && git add src lib/far && git commit -q -m 'Work inside' && echo ok > ~/.claude/projects/x"
        ' && test "$ANTHROPIC_API_KEY" = the-agents-own && exit 7'
    )
    assert done.returncode == 7, done.stderr
    assert world.run("git", "log", "-1", "--format=%s").stdout == "Work inside\n"
    assert not (world.repo / ".git/commondir").exists()


def test_a_linked_worktree_works_and_leaves_the_main_one_alone(world):
    other = world.root / "other"
    done = world.passdown("start", "Do it there", "--allow", "README.md", cwd=other)
    assert done.returncode == 0, done.stderr
    index = (world.repo / ".git/index").read_bytes()
    script = (
        "echo x >> README.md; git commit -q -a -m There; echo x > ../repo/README.md;"
        " git -C ../repo rm -q --cached README.md; git -C ../repo checkout -q -f HEAD~1;"
        " echo x > ../repo/.git/worktrees/other/commondir; echo x > .git"
    )
    done = world.passdown("sandbox", "--", "sh", "-c", script, cwd=other)
    assert world.run("git", "log", "-1", "--format=%s", cwd=other).stdout == "There\n", done.stderr
    assert (world.repo / ".git/index").read_bytes() == index
    assert (world.repo / ".git/HEAD").read_text() == "ref: refs/heads/main\n"
    assert (world.repo / "README.md").read_text() == "# Sample\n"
    assert world.run("git", "status", "--short", cwd=other).returncode == 0
