from __future__ import annotations

from passdown.workspace.place import find_place
from passdown.workspace.together import changed_together
from support.repo import Repo


def test_files_that_changed_three_times_together_are_named(repo: Repo) -> None:
    for n in range(4):
        repo.write("src/a b.py", f"{n}\n").write("tests/ä.py", f"{n}\n").commit("Both")
    repo.write("src/a b.py", "x\n").write("docs.md", "x\n").commit("Once")
    repo.write("src/a b.py", "y\n").commit("Alone")
    assert changed_together(find_place(repo.root), ["src/a b.py", "docs.md"]) == {"src/a b.py": ["tests/ä.py"]}


def test_a_sweeping_commit_says_nothing(repo: Repo) -> None:
    for n in range(4):
        for name in range(30):
            repo.write(f"f{name}.py", f"{n}\n")
        repo.commit("Sweep")
    assert changed_together(find_place(repo.root), ["f1.py"]) == {}


def test_before_the_first_commit_nothing_is_known(make_repo) -> None:
    assert changed_together(find_place(make_repo().root), ["a.py"]) == {}
