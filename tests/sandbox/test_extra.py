"""Folders that a person opens besides the boundary, and the caches that follow them."""

from __future__ import annotations

from pathlib import Path

import pytest

from passdown.errors import PassdownError
from passdown.sandbox.environment import CACHE, private
from passdown.sandbox.extra import opened
from passdown.workspace.place import find_place

TOO_MUCH = {
    "the whole machine": "/",
    "a system folder": "/usr",
    "the repository": "{root}",
    "a folder in it": "{root}/src",
    "git's folder": "{root}/.git",
    "what holds the repository": "{root}/..",
    "the home": "{home}",
    "what holds the home": "{home}/..",
    "temporary files": "/tmp",
    "keys": "{home}/.ssh",
    "a folder of keys": "{home}/.config/gh",
    "devices": "/dev/shm",
    "no folder": "{home}/nowhere",
    "a file": "{home}/file",
    "a link to too much": "{home}/link",
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_would_open_the_sandbox_is_refused(repo, scratch_home, name):
    repo.write("src/a.py", "a").commit("start")
    home = scratch_home / "person"
    for folder in (".ssh", ".config/gh"):
        (home / folder).mkdir(parents=True)
    (home / "file").touch()
    (home / "link").symlink_to("/")
    path = TOO_MUCH[name].format(root=repo.root, home=home)
    with pytest.raises(PassdownError, match="--write"):
        opened([path], find_place(repo.root), str(home))


def test_a_folder_elsewhere_is_opened_where_a_link_leads(repo, scratch_home, tmp_path):
    repo.write("src/a.py", "a").commit("start")
    there, link = tmp_path / "deep/there", tmp_path / "link"
    there.mkdir(parents=True)
    link.symlink_to(there)
    (mount,) = opened([str(link)], find_place(repo.root), str(scratch_home / "person"))
    assert (mount.path, mount.kind) == (str(there), "writable")


@pytest.mark.parametrize(
    ("env", "writable", "found"),
    [
        ({}, [], {"XDG_CACHE_HOME": CACHE, "npm_config_cache": f"{CACHE}/npm"}),
        ({"GOCACHE": "/h/go-build"}, [], {"GOCACHE": f"{CACHE}/gocache"}),
        ({"GOCACHE": "/h/go-build"}, ["/h/go-build"], {"GOCACHE": None}),
        ({}, ["/h/.cache"], {"XDG_CACHE_HOME": None, "npm_config_cache": f"{CACHE}/npm"}),
        ({"XDG_CACHE_HOME": "/data/c"}, ["/data"], {"XDG_CACHE_HOME": None}),
        ({}, ["/h/.npm", "/h/.gradle"], {"npm_config_cache": None, "GRADLE_USER_HOME": None}),
        ({}, ["/h/.np"], {"npm_config_cache": f"{CACHE}/npm"}),
    ],
)
def test_caches_are_private_unless_their_folder_was_opened(env, writable, found):
    given = private({"HOME": "/h", **env}, writable)
    assert {name: given.get(name) for name in found} == found


def test_an_opened_folder_is_written_said_and_recorded(world):
    cache = Path(world.env["HOME"], ".cache")
    before = world.seen()
    done = world.sandbox("echo x > ~/.cache/new && rm ~/.cache/new && echo x > $OUT/file", "--write", "~/.cache")
    assert "Opened too" in done.stderr
    assert "~/.cache (--write)" in done.stderr
    assert world.seen() == before
    assert str(cache) in "".join(each.read_text() for each in (world.repo / ".git/passdown/journal").iterdir())
