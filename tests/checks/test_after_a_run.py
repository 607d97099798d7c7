"""What is recorded as the tree after a check is the worktree's, whether it was looked at anew or is known unchanged."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from passdown.checks.run import adhoc, run_check
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take

SCRIPTS = {
    "nothing": ("true", True),
    "reads": ("cat a.txt sub/b.txt", True),
    "writes what git ignores": ("echo x > out.log; mkdir -p ignored; echo x > ignored/deep", True),
    "a file in an empty folder": ("echo x > empty/new", False),
    "a file that comes and goes in an empty folder": ("echo x > empty/new; rm empty/new", False),
    "put back": ("cp -p a.txt ../kept; echo x > a.txt; cp -p ../kept a.txt", False),
    "an ignored file that git tracks from now on": ("git add -f old.log", False),
    "an exclude that hides": ("echo 'fresh*' >> .git/info/exclude; echo x > fresh", False),
    "a folder that moves": ("mv sub moved", False),
    "a folder that moves and comes back": ("mv sub moved; mv moved sub", False),
    "a mode": ("chmod +x a.txt", False),
    "a nested repository": ("git init -q ignored/nested", True),
    "through a hard link": ("ln a.txt ../linked; echo x >> ../linked", False),
    "a commit": ("git commit -q --allow-empty -m x", True),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_tree_after_is_the_worktree_s(repo, name):
    script, still = SCRIPTS[name]
    repo.write(".gitignore", "*.log\nignored/\n").write("a.txt", "a\n").write("sub/b.txt", "b\n").write(
        "old.log", "l\n"
    )
    repo.commit()
    repo.path("empty").mkdir()
    place = find_place(repo.root)
    evidence = run_check(place, adhoc(["sh", "-c", script]), now=datetime.now(UTC))
    assert evidence.tree_after == take(place).tree
    assert (evidence.changed_inputs == []) is still, evidence.changed_inputs
