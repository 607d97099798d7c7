"""The boundary compiled to mounts: values alone, no kernel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.agents.claude.state import STATE as CLAUDE
from passdown.model.boundary import Boundary, Entry
from passdown.model.policy import Derived
from passdown.sandbox.boundary import Allowed
from passdown.sandbox.environment import variables
from passdown.sandbox.git_folder import GitFolder
from passdown.sandbox.home import Home, agents_state, hidden, machine
from passdown.sandbox.plan import Mount, Placeholder, fold, in_order
from passdown.sandbox.tree import Entry as Name
from passdown.sandbox.tree import cut

FILES = (
    "README.md",
    "pyproject.toml",
    "uv.lock",
    "src/a.py",
    "src/b.py",
    "src/deep/c.py",
    "src/deep/er/d.py",
    "src/data/x.bin",
    "tests/test_a.py",
    "tests/unit/test_b.py",
    ".github/workflows/ci.yml",
    ".claude/settings.json",
)


def tree_of(files, links=(), twins=()):
    """Folder -> entries, of these files and the folders above them."""
    tree: dict[str, dict[str, Name]] = {"": {}}
    for path in (*files, *links):
        folder, _, name = path.rpartition("/")
        tree.setdefault(folder, {})[name] = Name(name, "link" if path in links else "file", 2 if path in twins else 1)
        while folder:
            above, _, name = folder.rpartition("/")
            tree.setdefault(above, {})[name] = Name(name, "folder")
            folder = above
    return {folder: list(entries.values()) for folder, entries in tree.items()}


def boundary(allow, deny=(), opened=()):
    allowed = [Entry(id=f"B{n}", path=path, because="") for n, path in enumerate(allow)]
    denied = [Entry(id=f"N{n}", path=path, because="") for n, path in enumerate(deny)]
    return Boundary(version=1, source="hand", allow=allowed, deny=denied, opened=list(opened))


def allowed(tree, *args, derived=(), **options):
    there = {f"{folder}/{entry.name}" if folder else entry.name for folder, each in tree.items() for entry in each}
    return Allowed(boundary(*args, **options), derived, lambda path: path in there)


def compiled(tree, may, room=100):
    found = cut("/r", tree, may, room)
    writable = [mount.path[3:] or "." for mount in found.mounts if mount.kind == "writable"]
    return writable, [mount.path[3:] or "." for mount in found.mounts if mount.kind == "read-only"], found


@pytest.mark.parametrize(
    ("allow", "deny", "writable", "closed"),
    [
        (["src/a.py"], [], ["src"], [".", "src/b.py", "src/data", "src/deep"]),
        (["src/"], [], ["src"], ["."]),
        (["src/**"], ["src/b.py"], ["src"], [".", "src/b.py"]),
        (["src/**"], ["src/deep/er/d.py"], ["src", "src/deep", "src/deep/er"], [".", "src/deep/er/d.py"]),
        (["src/**"], ["src/deep/"], ["src"], [".", "src/deep"]),
        (["src/deep/er/d.py"], [], ["src/deep/er"], ["."]),
        (["src/a.py", "src/deep/er/d.py"], [], ["src", "src/deep/er"], [".", "src/b.py", "src/data", "src/deep"]),
        (["src/*.py"], [], ["src"], [".", "src/data", "src/deep"]),
        (["src/**/*.py"], [], ["src", "src/data"], [".", "src/data/x.bin"]),
        (["test_*.py"], [], [".", "src", "src/deep", "src/deep/er", "src/data", ".github"], ["src/a.py"]),
        (["src/new.py"], [], ["src"], [".", "src/a.py", "src/b.py", "src/data", "src/deep"]),
        (["src/made/new.py"], [], ["src"], [".", "src/a.py", "src/b.py", "src/data", "src/deep"]),
        (["made/new/"], [], ["."], ["README.md", "pyproject.toml", "uv.lock", ".claude", ".github", "src", "tests"]),
        (["/README.md"], [], ["."], ["pyproject.toml", "uv.lock", ".claude", ".github", "src", "tests"]),
        (["**"], [], [".", ".github"], [".claude", ".github/workflows"]),
        ([".github/workflows/ci.yml"], [], [], ["."]),
        ([], [], [], ["."]),
    ],
)
def test_what_is_writable_and_what_is_closed_on_top(allow, deny, writable, closed):
    tree = tree_of(FILES)
    found, shut, _ = compiled(tree, allowed(tree, allow, deny))
    assert found == writable
    assert set(closed) <= set(shut)


def test_a_generated_file_goes_with_its_source():
    tree = tree_of(FILES)
    rule = Derived(path="uv.lock", from_="pyproject.toml")
    writable, shut, _ = compiled(tree, allowed(tree, ["/pyproject.toml"], derived=[rule]))
    assert "." in writable
    assert "uv.lock" not in shut
    assert "README.md" in shut


def test_an_opened_protected_file_is_writable():
    tree = tree_of(FILES)
    writable, _, _ = compiled(tree, allowed(tree, [".github/**"], opened=[".github/workflows/ci.yml"]))
    assert any(path.startswith(".github") for path in writable)


def test_a_file_with_a_second_name_is_closed_even_if_it_is_allowed():
    tree = tree_of(FILES, twins=["src/a.py"])
    _, shut, _ = compiled(tree, allowed(tree, ["src/**"]))
    assert "src/a.py" in shut


def test_a_link_cannot_be_held_and_is_told():
    tree = tree_of(FILES, links=["src/out"])
    _, _, found = compiled(tree, allowed(tree, ["src/a.py"]))
    assert found.links == ["/r/src/out"]


NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=1, max_size=12)
PATTERNS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "*", "**"]), min_size=1, max_size=3).map("/".join), max_size=3
)


@given(PATHS, PATTERNS, PATTERNS)
def test_no_file_outside_is_writable_and_nothing_above_a_mount_can_be_moved(paths, allow, deny):
    files = sorted(path for path in set(paths) if not any(other.startswith(path + "/") for other in paths))
    tree = tree_of(files)
    may = allowed(tree, allow, deny)
    mounts = {mount.path: mount.kind for mount in in_order(cut("/r", tree, may, 1000).mounts)}
    for path in files:
        at = f"/r/{path}"
        while at not in mounts:
            at = at.rpartition("/")[0]
        assert may.file(path) == (mounts[at] == "writable")
    for path in mounts:
        above = path.rpartition("/")[0]
        while above.startswith("/r/"):
            around = above
            while around not in mounts:
                around = around.rpartition("/")[0]
            assert above in mounts or mounts[around] == "read-only", (path, above)
            above = above.rpartition("/")[0]


def test_too_many_files_are_left_to_verify_the_fullest_folder_first():
    files = {"a": ["a/1", "a/2", "a/3"], "b": ["b/1"], "c": ["c/1", "c/2"]}
    assert fold(files, 6) == []
    assert fold(files, 3) == ["a"]
    assert fold(files, 2) == ["a", "c"]
    tree = tree_of([f"src/{n}.txt" for n in range(50)] + ["src/a.py"])
    _, shut, found = compiled(tree, allowed(tree, ["src/a.py"]), room=10)
    assert found.loose == ["/r/src"]
    assert shut == ["."]


@pytest.mark.parametrize(
    ("path", "own", "free"),
    [
        *[(name, "", True) for name in ("HEAD", "index", "index.lock", "packed-refs", "refs/heads/main", "logs/HEAD")],
        *[(name, "", True) for name in ("objects/ab/cd", "objects/info/alternates", "refs/config", "MERGE_HEAD")],
        *[(name, "", False) for name in ("config", "config.worktree", "commondir", "hooks/pre-commit", "info/exclude")],
        *[(name, "", False) for name in ("modules/a/config", "worktrees/x/HEAD", "passdown/store.git/HEAD")],
        *[(f"worktrees/me/{name}", "worktrees/me", True) for name in ("HEAD", "index", "logs/HEAD")],
        *[(f"worktrees/me/{name}", "worktrees/me", False) for name in ("commondir", "gitdir", "config.worktree")],
        ("worktrees/other/HEAD", "worktrees/me", False),
        ("worktrees/mean/HEAD", "worktrees/me", False),
        ("objects/ab/cd", "worktrees/me", True),
        ("config", "worktrees/me", False),
        *[(name, "worktrees/me", False) for name in ("HEAD", "index", "ORIG_HEAD", "logs/HEAD")],
        *[(name, "worktrees/me", True) for name in ("packed-refs", "refs/heads/me", "logs/refs/heads/me")],
    ],
)
def test_what_of_gits_folder_may_change(path, own, free):
    assert GitFolder(own).file(path) is free


def test_what_git_would_read_settings_from_cannot_be_planted():
    names = [each.path for each in GitFolder("worktrees/me").needed(worktree_elsewhere=False)]
    assert names == ["config.worktree", "hooks", "info", "commondir", "worktrees/me/config.worktree"]
    assert "commondir" not in [each.path for each in GitFolder().needed(worktree_elsewhere=True)]


THERE = {
    "/h/.ssh": "folder",
    "/h/.netrc": "file",
    "/h/.aws": "folder",
    "/h/.claude": "folder",
    "/h/.claude.json": "file",
}
THERE |= {
    "/h/.claude/settings.json": "file",
    "/tmp": "folder",
    "/run": "folder",
    "/tmp/repo": "folder",
    "/opt": "folder",
}


@pytest.mark.parametrize("ssh", [False, True])
def test_keys_are_hidden(ssh):
    found = {mount.path: mount.kind for mount in hidden("/h", THERE.get, ssh=ssh)}
    keys = {} if ssh else {"/h/.ssh": "hidden folder"}
    assert found == {"/h/.netrc": "hidden file", "/h/.aws": "hidden folder"} | keys


def test_what_lies_below_a_temporary_folder_is_kept():
    mounts = list(machine(["/tmp/repo", "/opt"], THERE.get))
    assert mounts == [
        Mount("/", "read-only"),
        Mount("/tmp", "scratch"),
        Mount("/run", "scratch"),
        Mount("/tmp/repo", "read-only"),
    ]


def test_an_agents_state_is_writable_and_its_settings_are_not():
    mounts, planted = agents_state([CLAUDE], Home("/h", {}, THERE.get))
    kinds = {mount.path: mount.kind for mount in mounts}
    assert kinds["/h/.claude"] == kinds["/h/.claude.json"] == "writable"
    assert kinds["/h/.claude/settings.json"] == kinds["/h/.claude/hooks"] == "read-only"
    assert Placeholder("/h/.claude/settings.local.json", "{}\n") in planted
    assert Placeholder("/h/.claude/hooks", None) in planted
    assert Placeholder("/h/.claude/settings.json", "{}\n") not in planted
    assert (
        Mount("/elsewhere", "writable")
        not in agents_state([CLAUDE], Home("/h", {"CLAUDE_CONFIG_DIR": "/elsewhere"}, THERE.get))[0]
    )


def test_the_agent_that_is_run_gets_a_folder_where_it_has_none():
    nothing = {"/h": "folder"}
    assert agents_state([CLAUDE], Home("/h", {}, nothing.get)) == ([], [])
    mounts, planted = agents_state([CLAUDE], Home("/h", {}, nothing.get, program="claude"))
    assert planted[:2] == [Placeholder("/h/.claude", None), Placeholder("/h/.claude.json", "{}\n")]
    assert mounts[:2] == [Mount("/h/.claude", "writable"), Mount("/h/.claude.json", "writable")]
    assert Mount("/h/.claude/settings.json", "read-only") in mounts


@pytest.mark.parametrize(
    ("name", "value", "given"),
    [
        ("PATH", "/usr/bin", True),
        ("EDITOR", "vim", True),
        ("PWD", "/work", True),
        ("AUTHOR", "alice", True),
        ("KEYBOARD", "de", True),
        ("ANTHROPIC_API_KEY", "sk-1", True),
        ("GITHUB_TOKEN", "x", False),
        ("MY_SECRET", "x", False),
        ("PGPASSWORD", "x", False),
        ("AWS_SECRET_ACCESS_KEY", "x", False),
        ("NPM_AUTH", "x", False),
        ("AZURE_DEVOPS_PAT", "x", False),
        ("DATABASE_URL", "postgres://app:hunter22-long@db/x", False),
        ("SSH_AUTH_SOCK", "/s", False),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1/bus", False),
        ("GIT_ASKPASS", "/x", False),
    ],
)
def test_variables(name, value, given):
    found = variables({name: value}, ["ANTHROPIC_API_KEY"], [], ssh=False)
    assert (found.given.get(name) == value) is given
    assert found.dropped == ([] if given else [name])
    assert variables({name: value}, [], [name], ssh=False).given[name] == value


def test_temporary_folders_and_caches_are_the_private_ones():
    given = variables({"TMPDIR": "/var/folders/x"}, [], [], ssh=False).given
    assert given["TMPDIR"] == "/tmp"
    assert given["XDG_CACHE_HOME"].startswith("/tmp/")


def test_parents_come_before_children_and_the_later_word_stands():
    mounts = [Mount("/a/b", "writable"), Mount("/", "read-only"), Mount("/a-b", "writable"), Mount("/a", "read-only")]
    assert [m.path for m in in_order([*mounts, Mount("/a", "writable")])] == ["/", "/a", "/a/b", "/a-b"]
    assert in_order([*mounts, Mount("/a", "writable")])[1].kind == "writable"
